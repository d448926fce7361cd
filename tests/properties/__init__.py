"""The property sweep: what every measure promises, tried under every answer of every decision."""
