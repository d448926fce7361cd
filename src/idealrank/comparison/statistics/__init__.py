"""Statistics of differences: tests, intervals, corrections, power."""
