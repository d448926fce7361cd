"""Queries and a search go in, results come out. It may import data and display."""
