"""Comparing systems: tests, intervals, holes, verdict."""
