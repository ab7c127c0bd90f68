"""What rewards are like: one file a family, and `registry.py`, which lists them."""
