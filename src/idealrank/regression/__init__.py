"""Histories: results, or baselines, of several dates go in; a measure over time, and why it changed, come out."""
