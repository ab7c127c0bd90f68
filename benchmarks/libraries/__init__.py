"""Other bandit libraries, each in an environment of its own: how fast they are, and whether regrets agree."""
