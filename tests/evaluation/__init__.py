"""What the library returns: scores, ledger, explanations, tables."""
