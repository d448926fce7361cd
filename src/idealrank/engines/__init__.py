"""Queries and a search go in, results come out."""
