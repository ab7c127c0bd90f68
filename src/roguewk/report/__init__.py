"""The report of a fit: one page that needs nothing else."""
