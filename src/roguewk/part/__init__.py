"""What parts of policies are, and all that they can be asked."""
