"""Which policy where."""
