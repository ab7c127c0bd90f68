"""What is learned: states, costs and their confidence bounds."""
