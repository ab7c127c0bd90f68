"""The paper's experiment, its claims and its open choices."""
