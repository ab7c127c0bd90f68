"""A fit beside the log that it was made of: what it says in curves, and where the data do not follow it."""
