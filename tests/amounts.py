"""How much a run tries: a quarter by `make test`, everything by `make test-all`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

Case = TypeVar("Case")

settings.register_profile("whole", deadline=None, max_examples=100)
settings.register_profile("quarter", deadline=None, max_examples=25)


def tried(whole: int) -> int:
    """Return how many of so many examples this run tries, one at the least."""
    return max(1, whole * settings.default.max_examples // 100)


def costly(whole: int, few: int = 1) -> int:
    """Return how many of so many examples that cost much this run tries: a few, or all."""
    return whole if tried(100) == 100 else few


def part(cases: Sequence[Case], first: int) -> list[Case]:
    """Return the cases this run tries: all, or every fourth; which of them comes first goes round with a number."""
    step = 100 // tried(100)
    return list(cases[first % step :: step])
