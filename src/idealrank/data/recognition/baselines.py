"""How the file of a baseline, which `idealrank gate --bless` writes, is told from other files."""

from __future__ import annotations

from pathlib import Path

FORM = "idealrank baseline"
"""What the key ``form`` of a baseline's file begins with."""

BASELINE = "baseline"
"""What such a file is taken for."""

_HEAD = 500
"""Bytes of a file among which that key is."""


def is_baseline(path: str | Path) -> bool:
    """Whether a file is JSON that says it is a baseline, even if a merge left its marks or what follows is damaged.

    Examples
    --------
    >>> is_baseline("no such file")
    False
    """
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
    except (OSError, ValueError):
        return False
    return head.lstrip().startswith((b"{", b"<<<<<<< ")) and f'"{FORM} '.encode() in head
