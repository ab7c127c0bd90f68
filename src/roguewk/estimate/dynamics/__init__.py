"""How arms wear off and recover, learned while deciding."""
