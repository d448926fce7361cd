"""Tests of what type checkers and editors make of a user's script."""
