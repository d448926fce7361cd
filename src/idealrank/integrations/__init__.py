"""Other tools' ways to call, answered here: one tool a module."""
