"""Evaluations in parts of tables in memory, as Arrow holds them."""
