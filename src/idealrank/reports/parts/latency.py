"""How long searches took: what a report says about it, where the results do."""

from __future__ import annotations

from typing import Any

from idealrank.comparison.comparison import Comparison
from idealrank.evaluation.latency import PREFIX, WHOSE, clocks_of
from idealrank.evaluation.scores import Scores


def latency(scores: Scores, comparison: Comparison | None) -> dict[str, Any] | None:
    """Return the quantiles of each system and their changes; None where the results do not say how long they took.

    Returns
    -------
    clock: ``latency`` or ``took``, which of them is shown first, and its meaning; p95: the name of its 95th percentile
    in the rows; systems: the rows of `Scores.latency`; differences: those of `Comparison.latency`. An end that has no
    bound is None.

    Examples
    --------
    >>> import idealrank as ir
    >>> latency(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"]), None) is None
    True
    """
    clocks = clocks_of(scores)
    if not clocks:
        return None
    first = clocks[0]
    changes = [] if comparison is None else comparison.latency.rows()
    return {
        "clock": first, "meaning": WHOSE[first], "p95": f"{PREFIX[first]}p95", "systems": scores.latency.rows(),
        "differences": changes,
    }  # fmt: skip
