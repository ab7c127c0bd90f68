"""What is chosen: the single-step linear program, its prices, the draw."""
