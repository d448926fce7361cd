"""How much the threshold of `overlap` matters: means at every share from which a chunk hits a span."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from idealrank.arrays import Floats
from idealrank.display.table import Table
from idealrank.errors import UsageError, option, unknown
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.variants import means_under
from idealrank.measures.definition import Measure

RULES = {
    "span": "share of the judged span that a chunk must cover",
    "chunk": "share of the chunk that must be in the judged span",
    "iou": "intersection over union that chunk and judged span must reach",
}
"""The rules of `overlap` that have a threshold, and what it means."""

SHARES = tuple(place / 20 for place in range(21))
"""The shares tried: 0, which is ``any``, 0.05, 0.1 … 1."""


def thresholds(scores: Scores, measure: str | None = None, *, rule: str | None = None) -> Table:
    """Return the mean of a measure at every threshold of `overlap`: the column share, and one per system.

    Every mean is taken under the measure's own decisions; only `overlap` is another. Share 0 is ``any``.

    Parameters
    ----------
    scores
        Scores under ``unit=spans``.
    measure
        One of the measures; None: the first.
    rule
        What the share is of: ``span``, ``chunk`` or ``iou``; None: as in the measure's `overlap`, or ``span``.

    Raises
    ------
    UsageError
        If no spans were judged, the measure does not read `overlap`, or there is no such rule.

    Examples
    --------
    >>> import idealrank as ir
    >>> spans = {"query": ["q"], "doc": ["d"], "begin": [10], "end": [20], "grade": [1]}
    >>> chunks = {"query": ["q"], "doc": ["d"], "begin": [0], "end": [15], "rank": [1]}
    >>> table = thresholds(ir.evaluate(spans, chunks, ["R"], unit="spans"))
    >>> table["share"][9:12], table["results"][9:12]
    ([0.45, 0.5, 0.55], [1.0, 1.0, 0.0])
    """
    m = 0 if measure is None else scores.place_of(measure)
    chosen = choose_rule(scores.measures[m], rule)
    columns: dict[str, Any] = {"share": SHARES}
    columns |= dict(zip(scores.systems, means_at_shares(scores, m, chosen), strict=True))
    return Table(columns, f"overlap={chosen}(share)", {"fingerprint": scores.measures[m].fingerprint})


def choose_rule(measure: Measure, rule: str | None = None) -> str:
    """Return the rule whose threshold is varied for a measure.

    Raises
    ------
    UsageError
        As `thresholds`.
    """
    if rule is not None and rule not in RULES:
        raise unknown("rule of overlap", rule, RULES)
    if measure.decisions.unit != "spans":
        raise UsageError(f"{measure}: thresholds are about chunks and judged spans. Use {option('unit', 'spans')}.")
    if "overlap" not in measure.definition.decisions:
        raise UsageError(f"{measure} compares characters, and reads no overlap. Name a measure such as R or nDCG.")
    own = measure.decisions.overlap.partition("(")[0]
    return rule or (own if own in RULES else "span")


def means_at_shares(scores: Scores, m: int, rule: str) -> Floats:
    """(S, N) mean of the measure in a place at each of `SHARES`, for each system."""
    answers = ["any" if not share else f"{rule}({share})" for share in SHARES]
    measure = scores.measures[m]
    tried = [replace(measure, decisions=measure.decisions.but(overlap=answer)) for answer in answers]
    return means_under(scores, tried)
