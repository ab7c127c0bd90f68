"""Estimates of mean costs, one a file."""
