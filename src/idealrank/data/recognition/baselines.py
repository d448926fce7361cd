"""Baselines of ``idealrank gate``, known by how they begin: they are neither judgments nor results."""

from pathlib import Path

FORM = "idealrank baseline"
"""What the key ``form`` of a baseline begins with."""


def is_baseline(path: str | Path) -> bool:
    """Whether a file begins as a baseline does, even if what follows is damaged."""
    try:
        with open(path, "rb") as file:
            return FORM.encode() in file.read(500)
    except (OSError, ValueError):
        return False
