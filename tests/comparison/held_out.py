"""Systems that are better or worse on one part of the queries than on the other."""

from __future__ import annotations

import hashlib
from typing import Any

import idealrank as ir
from tests.comparison.worlds import one_relevant, reciprocal

MANY = 24


def halves(ids: list[str], seed: int = 0) -> tuple[list[str], list[str]]:
    """Split ids as the documentation says: sorted by SHA-256 of seed, blank and id, the first half is held out."""
    order = sorted(ids, key=lambda key: hashlib.sha256(f"{seed} {key}".encode()).hexdigest())
    held = (len(ids) + 1) // 2
    return order[held:], order[:held]


def ranks(tuning: int, held: int, worse: int = 0, seed: int = 0) -> dict[str, dict[str, float]]:
    """Return results with the relevant document at one rank on tuning queries, at another on held-out ones.

    On so many tuning queries it is one rank lower.
    """
    first, second = halves(list(one_relevant(MANY)), seed)
    return reciprocal({q: tuning + (i < worse) for i, q in enumerate(first)} | dict.fromkeys(second, held))


def tuned(systems: dict[str, Any], **options: Any) -> ir.Comparison:
    """Compare the best of these systems with the one called base, half the queries held out."""
    return ir.compare(one_relevant(MANY), systems, ["RR"], baseline="base", **{"hold_out": 0.5, **options})
