"""Baselines: what their file says, what moves a hash, what is refused."""
