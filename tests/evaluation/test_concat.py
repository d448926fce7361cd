"""Scores of different queries, put together, are those of one evaluation: values, ledger and verdict."""

from __future__ import annotations

import random
from typing import Any

import pytest

import idealrank as ir
from idealrank.errors import UsageError

MEASURES = ["nDCG@5", "RR", "AP(rel=2)", "P@3"]


def _world(seed: int, queries: int = 64) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return judgments and the results of two systems: with ties, failed searches, and results nobody judged."""
    rng = random.Random(seed)
    judged = {f"q{q}": {f"d{d}": rng.randrange(4) for d in range(6)} for q in range(queries)}
    returned: dict[str, Any] = {}
    for name in ("old", "new"):
        rows: dict[str, list[Any]] = {"query": [], "doc": [], "score": [], "status": [], "latency_ms": []}
        for query in judged:
            failed = rng.random() < 0.05 and query not in ("q0", "q1")
            time = 5 + rng.randrange(9)
            for doc in [None] if failed else [f"d{d}" for d in rng.sample(range(9), 4)]:
                score = None if failed else rng.randrange(4) + float(name == "new" and doc in ("d0", "d1"))
                row = (query, doc, score, "timeout" if failed else "ok", time)
                for column, value in zip(rows.values(), row, strict=True):
                    column.append(value)
        returned[name] = rows
    return judged, returned


def _part(table: dict[str, list[Any]], queries: set[str]) -> dict[str, list[Any]]:
    there = [i for i, query in enumerate(table["query"]) if query in queries]
    return {name: [values[i] for i in there] for name, values in table.items()}


@pytest.mark.parametrize("seed", range(3))
def test_parts_are_the_whole(seed: int) -> None:
    """However many parts there are, and in whichever order: the same values, ledger, verdict and report of it."""
    judged, returned = _world(seed)
    given: dict[str, Any] = {"max_grade": 3, "failed": "0"}
    whole = ir.evaluate(judged, returned, MEASURES, **given)
    expected = ir.compare(whole)
    for count in (1, 7):
        names = list(judged)
        random.Random(count).shuffle(names)
        parts = [
            ir.evaluate(
                {query: judged[query] for query in names[number::count]},
                {name: _part(table, set(names[number::count])) for name, table in returned.items()},
                MEASURES,
                **given,
            )
            for number in range(count)
        ]
        scores = ir.Scores.concat(parts)
        assert scores.queries == whole.queries
        assert scores.values.tobytes() == whole.values.tobytes()
        assert scores.ledger.to_dict() == whole.ledger.to_dict()
        assert scores.to_json(per_query=True) == whole.to_json(per_query=True)
        found = ir.compare(scores)
        assert found.to_json(per_query=True) == expected.to_json(per_query=True)
        assert str(found) == str(expected)
        assert str(scores.explain("RR", "q9", "new")) == str(whole.explain("RR", "q9", "new"))


def test_unlike_scores_are_refused() -> None:
    """Scores of other systems, measures, tops of the scale, or of a query twice, are not put together."""
    judged, returned = {"q": {"a": 2, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}
    one = ir.evaluate(judged, {"x": returned}, ["ERR"])
    other = {"r": judged["q"]}, {"x": {"r": returned["q"]}}
    for parts, why in (
        ([], "give at least one"),
        ([one, one], "'q' is in several"),
        ([one, ir.evaluate(other[0], {"y": other[1]["x"]}, ["ERR"])], "the systems differ"),
        ([one, ir.evaluate(*other, ["RR"])], "not measured alike"),
        ([one, ir.evaluate({"r": {"a": 3}}, other[1], ["ERR"])], "highest grades of the judgments, 2 and 3"),
        ([one, ir.evaluate(*other, ["ERR"], weights={"r": 2})], "not measured alike"),
    ):
        with pytest.raises(UsageError, match=why):
            ir.Scores.concat(parts)


def test_queries_keep_their_attributes() -> None:
    """Weights, texts and segments of each part are those of the whole."""
    judged = {q: {"a": 1} for q in ("q1", "q2", "q3")}
    returned = {"q1": {"a": 2.0}, "q2": {"x": 2.0, "a": 1.0}, "q3": {"x": 1.0}}

    def of(*names: str) -> ir.Scores:
        pairs = ({q: table[q] for q in names} for table in (judged, returned))
        segment = ["head" if q == "q1" else "tail" for q in names]
        queries = {
            "query": names,
            "text": [f"text of {q}" for q in names],
            "segment": segment,
            "frequency": [5] * len(names),
        }
        return ir.evaluate(*pairs, ["RR"], queries=queries, weights="frequency")

    scores, whole = ir.Scores.concat([of("q2"), of("q3", "q1")]), of("q1", "q2", "q3")
    assert scores["RR"] == whole["RR"] == 0.5
    assert repr(scores.per_query) == repr(whole.per_query)
    assert repr(scores.describe(by="segment")) == repr(whole.describe(by="segment"))
    with pytest.raises(UsageError, match="computed in parts"):
        scores.fetch(["q1", "q2"])


@pytest.mark.parametrize("given", [[{"q1": 1}], "scores.json"])
def test_what_is_no_scores_is_refused(given: Any) -> None:
    """Anything but scores is named by its type, before anything of it is read."""
    with pytest.raises(ir.UsageError, match=r"Scores\.concat: (dict|str) is no scores\."):
        ir.Scores.concat(given)


def test_weights_stay_with_their_queries() -> None:
    """By hand: of the values 1, 0 and 1/2 with the weights 1, 2 and 5 the mean is 3.5/8, in whatever order."""
    judged = {"q3": {"a": 1}, "q1": {"a": 1}, "q2": {"a": 1}}
    returned = {"q3": {"a": 1.0}, "q1": {"x": 1.0}, "q2": {"x": 2.0, "a": 1.0}}
    weights = {"q3": 1, "q1": 2, "q2": 5}
    parts = [ir.evaluate({q: judged[q]}, {q: returned[q]}, ["RR"], weights={q: weights[q]}) for q in judged]
    assert ir.Scores.concat(parts)["RR"] == pytest.approx(3.5 / 8, abs=1e-15)


def test_the_highest_grade_is_that_of_all_parts() -> None:
    """Where another answer asks for it, as robustness does: the parts have grades up to 1 and up to 3."""
    judged = {f"q{i}": {"a": 1 + 2 * (i >= 10), "b": 1} for i in range(20)}
    runs = {"s": {q: {"a": 1.0, "b": 2.0} for q in judged}, "t": {q: {"b": 1.0, "x": 2.0} for q in judged}}
    halves = [list(judged)[:10], list(judged)[10:]]
    parts = [
        ir.evaluate({q: judged[q] for q in half}, {s: {q: run[q] for q in half} for s, run in runs.items()}, ["nDCG@5"])
        for half in halves
    ]
    whole = ir.compare(judged, runs, ["nDCG@5"])
    assert ir.compare(ir.Scores.concat(parts)).robustness.to_dict() == whole.robustness.to_dict()
