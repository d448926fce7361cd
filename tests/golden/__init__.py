"""Golden tables: numbers printed elsewhere, case by case."""
