"""Trackers of experiments, with the libraries themselves."""
