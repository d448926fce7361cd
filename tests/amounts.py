"""How much a run tries: a quarter by `make test`, everything by `make test-all`."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("whole", deadline=None, max_examples=100)
settings.register_profile("quarter", deadline=None, max_examples=25)


def tried(whole: int) -> int:
    """Return how many of so many examples this run tries."""
    return whole * settings.default.max_examples // 100
