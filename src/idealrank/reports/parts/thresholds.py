"""The mean at every threshold of `overlap`: what a report says about it where spans are judged."""

from __future__ import annotations

from typing import Any

from idealrank.display.numbers import numbers
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.thresholds import RULES, SHARES, means_at_shares, rule_of


def thresholds(scores: Scores) -> dict[str, Any] | None:
    """Return the means of the first measure that reads `overlap`, by share and system; None without spans.

    Returns
    -------
    measure, rule, meaning of the share; share: (N,) from 0, which is ``any``, to 1; systems: ``{system: (N,)}``.

    Examples
    --------
    >>> import idealrank as ir
    >>> thresholds(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"])) is None
    True
    """
    readers = [m for m, measure in enumerate(scores.measures) if "overlap" in measure.definition.decisions]
    if scores.setting.decisions.unit != "spans" or not readers:
        return None
    m = readers[0]
    rule = rule_of(scores.measures[m])
    means = zip(scores.systems, means_at_shares(scores, m, rule), strict=True)
    systems = {system: numbers(each) for system, each in means}
    return {"measure": scores.labels[m], "rule": rule, "meaning": RULES[rule], "share": [*SHARES], "systems": systems}
