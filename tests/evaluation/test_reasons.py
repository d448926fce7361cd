"""Reasons that are said for queries that do not count, and choices that are offered."""

from __future__ import annotations

import idealrank as ir
from idealrank.evaluation.summary import decision_effects as choices, summary_sentences

JUDGED = {"q1": {"a": 1}, "q2": {"b": 1}}


def table(scores: list[float | None]) -> dict[str, list[object]]:
    """Return results by rank, with these scores beside them; rank and score of q1 disagree."""
    return {"query_id": ["q1", "q1", "q2", "q2"], "doc_id": ["a", "c", "c", "b"], "rank": [2, 1, 1, 2], "score": scores}


def test_a_weight_of_zero() -> None:
    """Of two queries, the one with the weight 0 does not count, which is said."""
    scores = ir.evaluate(JUDGED, {"q1": {"a": 1.0}, "q2": {"b": 1.0}}, ["RR"], weights={"q1": 2, "q2": 0})
    assert summary_sentences(scores)[0] == "1 of 2 queries counted. Weight 0, left out: q2."


def test_scores_that_a_query_lacks() -> None:
    """The order by score is offered if every query has scores, and not if one has none at all."""

    def offered(scores: list[float | None]) -> bool:
        found = ir.evaluate(JUDGED, table(scores), ["RR"])
        return ("order_by", "score") in {(choice.decision, choice.answer) for choice in choices(found)}

    assert offered([2.5, 1.5, 2.5, 1.5])
    assert not offered([2.5, 1.5, None, None])
