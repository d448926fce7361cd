"""Verdicts as they are said: ``python -m tests.comparison.approve`` writes what was approved anew.

In each world the one relevant document has these ranks before and after, in 60 queries unless there are more.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import idealrank as ir
from tests.approving import write
from tests.comparison.test_rule import world
from tests.comparison.worlds import reciprocal

APPROVED = Path(__file__).with_name("approved")
N = 60
GAIN = ([2] * N, [1] * 40 + [2] * 20)
LOSS = ([2] * N, [3] * 40 + [2] * 20)
GUARDED = ([3] * N, [1] * 24 + [4] * 36)
EVEN = ([2] * N, [1] * 8 + [3] * 12 + [2] * 40)
SWAPPED = [8, 5] * 200

WORLDS: dict[str, tuple[list[int], list[int], dict[str, Any]]] = {
    "40 gain 1/2": (*GAIN, {}),
    "40 gain 1/2, one loses 1/6": ([2] * N, [1] * 40 + [3] + [2] * 19, {}),
    "40 gain 1/2, more than a margin": (*GAIN, {"margin": 0.1}),
    "40 gain 1/2, which may be less than a margin": (*GAIN, {"margin": 0.3}),
    "14 of 20 gain 1/2": ([2] * 20, [1] * 14 + [2] * 6, {}),
    "all gain the same": ([2] * N, [1] * N, {}),
    "9 gain 1/2 and 24 lose 1/6, where 0.3 may be lost": (
        [2] * N, [1] * 9 + [3] * 24 + [2] * 27, {"rule": "not_worse", "margin": 0.3},
    ),
    "40 lose 1/6, where 0.3 may be lost": (*LOSS, {"rule": "not_worse", "margin": 0.3}),
    "40 lose 1/6, where 0.11 may be lost": (*LOSS, {"rule": "not_worse", "margin": 0.11}),
    "40 lose 1/6": (*LOSS, {}),
    "40 lose 1/6, and there is a margin": (*LOSS, {"margin": 0.1}),
    "20 gain 1/2, less than a margin": ([2] * N, [1] * 20 + [2] * 40, {"margin": 0.4}),
    "a guardrail loses": (*GUARDED, {"measures": ["RR", "P@3"]}),
    "a guardrail loses more than it may": (*GUARDED, {"measures": ["RR", "P@3"], "tolerance": 0.1}),
    "10 of 400 gain 0.075 and 10 lose it": (SWAPPED, [13 - r if i < 20 else r for i, r in enumerate(SWAPPED)], {}),
    "the same": ([2] * N, [2] * N, {}),
    "8 gain 1/2 and 12 lose 1/6": (*EVEN, {}),
    "8 gain 1/2 and 12 lose 1/6, and nothing counts as the same": (*EVEN, {"equivalence": 0.0}),
    "12 gain 1/6 and 8 lose 1/2": ([3] * 12 + [1] * 8 + [2] * 40, [2] * N, {}),
    "lower is better, 40 gain 2": ([3] * N, [1] * 40 + [3] * 20, {"measures": ["ARP"]}),
    "lower is better, 40 lose 2": ([1] * N, [3] * 40 + [1] * 20, {"measures": ["ARP"]}),
    "lower is better, 10 lose 2 and 5 gain it": ([3] * N, [5] * 10 + [1] * 5 + [3] * 45, {"measures": ["ARP"]}),
    "4 of 4 gain 1/2": ([2] * 4, [1] * 4, {}),
}  # fmt: skip


def said(before: list[int], after: list[int], measures: list[str] | None = None, **rule: Any) -> ir.Comparison:
    """Compare two systems by the ranks of the one relevant document, by plain Student's t."""
    judgments, runs = world(before, after)
    return ir.compare(judgments, runs, measures or ["RR"], correction="none", **rule)


def tiny() -> ir.Comparison:
    """From rank 200 to 199 or 198 RR gains 2.5e-5 or 5.1e-5: no end of its interval is written as 0.0000."""
    judgments = {f"q{i:03}": {"d": 1} | {f"x{place}": 0 for place in range(1, 202)} for i in range(N)}
    after = {query: 199 - i % 2 for i, query in enumerate(judgments)}
    runs = {"control": reciprocal(dict.fromkeys(judgments, 200)), "test": reciprocal(after)}
    return ir.compare(judgments, runs, ["RR"], correction="none")


def verdicts() -> str:
    """Return what is said in each world: headline, summary, sentence and steps."""
    found = {name: said(before, after, **rule) for name, (before, after, rule) in WORLDS.items()}
    parts = []
    for name, comparison in (found | {"a tiny gain": tiny()}).items():
        verdict = comparison.verdict
        words = [verdict.headline, *verdict.summary, verdict.sentence, *(f"- {step}" for step in verdict.steps)]
        parts.append("\n".join([f"# {name}", *(textwrap.fill(each, 120) for each in words), ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    write(APPROVED, "txt", {"verdicts": verdicts()})
