"""The parts of a report: what is computed for it, one part per file."""
