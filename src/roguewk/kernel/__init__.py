"""Compiled-code plumbing: the disk cache, verbs that dispatch on a part, random numbers."""
