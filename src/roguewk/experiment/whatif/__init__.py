"""What a better schedule would have earned, by a log."""
