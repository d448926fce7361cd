"""Gating: conditions on a comparison or on plain means, and what came of each."""
