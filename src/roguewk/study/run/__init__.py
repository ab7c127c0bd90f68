"""Playing the cells of a study, here or on many machines, and keeping what they bring."""
