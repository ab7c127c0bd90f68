"""What is believed and what is limited: all that a policy may know."""
