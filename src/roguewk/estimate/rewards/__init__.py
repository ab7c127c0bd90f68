"""Estimates of mean rewards, one a file."""
