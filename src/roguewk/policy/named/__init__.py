"""The policies by name, one a file: three parts, constants, and a paper."""
