"""Baselines: scores go in; one small file of values and hashes by query, and what differs from it, come out."""
