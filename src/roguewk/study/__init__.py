"""What is shown: grids of runs, figures, reports."""
