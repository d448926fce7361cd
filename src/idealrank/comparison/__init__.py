"""Comparing systems: pairing, tests, holes, verdict. Submodules are imported by their names."""
