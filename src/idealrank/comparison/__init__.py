"""Comparison: systems paired by query, differences with their evidence, and a verdict."""
