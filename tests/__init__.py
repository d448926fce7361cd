"""The tests: they run against the built wheel."""
