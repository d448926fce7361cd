"""Ratings, samples, and a judge calibrated on people."""
