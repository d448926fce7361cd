"""Outputs are compared without their times, and without nothing else."""

from __future__ import annotations

import pytest

from tests.docs.times import timeless

TABLE = """system    answered  p50 ms  p95 ms
──────────────────────────────────
{0}            42   {1}    {2}

Written: results/all.csv."""


def test_times_of_a_table() -> None:
    """Two runs differ in their times and in the width of the columns, and are alike."""
    wide = TABLE.replace("  p50 ms", "    p50 ms").replace("──\n", "────\n").replace("{1}    {2}", "  1,234    –")
    assert timeless(TABLE.format("bm25", "0.10", "12.3")) == timeless(wide.format("bm25"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "All 41 queries counted.\nLatency: p50 1.2 ms (1 to 2), p95 3.1 ms (2 to –).",
            "Latency: p50 12 ms, p95 31 ms.",
        ),
        (
            "The gain is 0.16.\nThe p95 latency changes by +0.35 ms (−0.46\nto +0.72), from 0.1 to 0.4 ms.",
            "The p95 latency grows by +12 ms (+10 to +14), from 31 to 43 ms.",
        ),
        (
            "passed      p95 latency is 48.1 ms over 42 queries, <= 500ms",
            "p95 latency is 7 ms over 42 queries, <= 500ms",
        ),
        (
            "Latency: p95 from 0.1 ms (a) to 0.2 ms (b); all:\n--latency\n",
            "Latency: p95 from 10.3 ms (b) to 20 ms (a); all: --latency",
        ),
    ],
)
def test_times_of_a_sentence(old: str, new: str) -> None:
    """A sentence about times is one with other times, wherever its lines end."""
    assert timeless(old).endswith(timeless(new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (TABLE.format("bm25", "0.10", "12.3"), TABLE.format("hybrid", "0.10", "12.3")),
        (TABLE.format("bm25", "0.10", "12.3"), TABLE.format("bm25", "0.10", "12.3").replace("42", "41")),
        ("nDCG@10  0.5679\n\nLatency: p50 1 ms.", "nDCG@10  0.5680\n\nLatency: p50 1 ms."),
        ("passed      p95 latency is 4 ms over 42 queries", "failed      p95 latency is 4 ms over 42 queries"),
        ("The p95 latency changes by +1 ms (0 to 1), from 1 to 2 ms. It is 0.5.", "It is 0.6."),
    ],
)
def test_all_else_counts(old: str, new: str) -> None:
    """Another system, another count, another mean or outcome is a difference."""
    assert not timeless(old).endswith(timeless(new))
