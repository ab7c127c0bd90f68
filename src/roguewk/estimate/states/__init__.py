"""States of ROGUE arms: estimates and confidence sets from the trajectory divergence."""
