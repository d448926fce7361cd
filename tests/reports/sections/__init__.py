"""Tests of the report as a value: its parts, and what they come from."""
