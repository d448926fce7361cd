"""Oracles: the real libraries, on random data."""
