"""How each promise of `Properties` is tried, one a file: each function returns a counterexample, or None."""
