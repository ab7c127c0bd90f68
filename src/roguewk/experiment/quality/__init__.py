"""How near policies come to the bound."""
