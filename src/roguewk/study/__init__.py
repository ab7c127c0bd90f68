"""Studies: from a file to a report."""
