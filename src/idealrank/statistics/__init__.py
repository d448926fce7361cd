"""Numbers go in; tests, intervals, corrections, power, correlations and overlaps come out."""
