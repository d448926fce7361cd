"""Results whose rows are ranked as they stand, because they have neither ranks nor scores."""

from __future__ import annotations

from collections.abc import Iterator

from idealrank.data.results import Results
from idealrank.evaluation.ledger.entries import Fact
from idealrank.evaluation.values import Values


def rows_as_they_stand(scores: Values, s: int) -> Iterator[Fact]:
    """Say of a system that its rows are ranked as they stand, because they have neither ranks nor scores."""
    met = scores.met[s]
    if met.order == "given" and scores.setting.decisions.order_by == "auto":
        yield _unranked(met.results, scores.systems[s])


def unranked(scores: Values) -> list[str]:
    """Return the same in words, each once, with the system where there are several."""
    facts = [fact for s in range(len(scores.systems)) for fact in rows_as_they_stand(scores, s)]
    several = len(scores.systems) > 1
    return list(dict.fromkeys(f"{f.system}: {f.text}" if several and f.system else f.text for f in facts))


def _unranked(results: Results, system: str) -> Fact:
    if results.shared:
        return Fact(system, "no results given, no rank and no score: the judgments' rows are the results", (), True)
    if results.source.frame.format == "dicts":  # of a system that returned nothing
        return Fact(system, "no rank and no score: ordered as in the table")
    text = (
        f"{results.name}: no column of scores or ranks, so results are ranked in the order of the rows. If a column "
        "contains the score, name it: score=… in Python, --score-col on the command line"
    )
    return Fact("", text, warns=True)
