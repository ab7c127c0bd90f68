"""What is decided: arms, their dynamics, budgets; and, in `world`, the hidden truth."""
