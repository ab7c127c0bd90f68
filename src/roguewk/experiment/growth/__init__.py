"""How regret grows with the horizon."""
