"""Queries and a search function go in, results come out. It may import data and display."""
