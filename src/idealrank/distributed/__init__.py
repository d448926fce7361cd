"""Judgments and results too large for one table go in, in parts by query; scores come out."""
