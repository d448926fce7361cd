"""Results whose rows are ranked as they stand, because they have neither ranks nor scores."""

from __future__ import annotations

from collections.abc import Iterator

from idealrank.evaluation.counts.result_counts import ResultCounts
from idealrank.evaluation.ledger.entries import Fact
from idealrank.evaluation.values import Values


def rows_as_they_stand(scores: Values, s: int, counts: ResultCounts) -> Iterator[Fact]:
    """Say of a system that its rows are ranked as they stand, because they have neither ranks nor scores."""
    if counts.order == "given" and scores.setting.decisions.order_by == "auto":
        yield _unranked(counts, scores.systems[s])


def _unranked(counts: ResultCounts, system: str) -> Fact:
    if counts.shared:
        return Fact(system, "no results given, no rank and no score: the judgments' rows are the results", (), True)
    if counts.format == "dicts":  # of a system that returned nothing
        return Fact(system, "no rank and no score: ordered as in the table")
    text = (
        f"{counts.name}: no column of scores or ranks, so results are ranked in the order of the rows. If a column "
        "contains the score, name it: score=… in Python, --score-col on the command line"
    )
    return Fact("", text, warns=True)
