"""Experiments of our own, each with its files and its text for a terminal."""
