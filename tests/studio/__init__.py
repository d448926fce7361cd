"""The studio, against a real database and in a real browser."""
