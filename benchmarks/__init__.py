"""Slow but clear implementations, and how much faster the package is."""
