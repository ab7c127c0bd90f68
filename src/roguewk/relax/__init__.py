"""One arm alone at a price per pull: what is left of the problem when budgets and rounds are paid for."""
