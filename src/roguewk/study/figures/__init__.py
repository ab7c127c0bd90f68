"""The figures of a study as pictures fit for a paper."""
