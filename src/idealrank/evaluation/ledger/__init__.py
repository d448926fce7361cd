"""The ledger: what became of every query, what was found in the data, and the means under other answers."""
