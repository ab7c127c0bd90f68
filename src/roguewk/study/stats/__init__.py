"""Statistics that hold: paired differences, intervals, corrections, and what a study could have seen."""
