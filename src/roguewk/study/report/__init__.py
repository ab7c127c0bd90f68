"""The report of a study: one page that needs nothing else, and all the files beside it."""
