"""Queries and engines go in, results come out, with how long each search took."""
