"""Worlds that are hard on policies, and how policies fare in them."""
