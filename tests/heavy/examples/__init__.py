"""Examples that train models, and those run by other programs."""
