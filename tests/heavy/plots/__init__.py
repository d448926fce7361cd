"""Plots, drawn by matplotlib."""
