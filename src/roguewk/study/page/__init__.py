"""The report of a study: one page that needs nothing else, and figures for a paper."""
