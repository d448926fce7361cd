"""Comparing systems: differences, tests, intervals, corrections, and what follows from them."""
