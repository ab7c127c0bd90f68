"""What anyone could have earned: bounds that hold for every policy."""
