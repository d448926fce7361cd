"""The sections of a report: what is computed for it."""
