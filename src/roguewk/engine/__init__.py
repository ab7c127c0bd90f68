"""What happens: policies played against a world, in compiled code."""
