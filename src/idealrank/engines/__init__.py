"""Queries and engines go in, results come out, with how long each search took. It may import data, statistics and display."""
