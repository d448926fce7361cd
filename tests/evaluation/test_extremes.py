"""Worst and best queries, and lost value."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

import idealrank as ir
from tests.evaluation.worlds import HALF, JUDGMENTS, PLAIN, RANDOMLY, RESULTS, Nested, several, worlds

# The queries of notebook 001, cell 69, by their grades; DCG with exp2, worst first (B126).
NOTEBOOK = {
    "door": [3, 0, 0, 0],
    "adhesive": [0, 0, 0, 0],
    "frying pan": [3, 3, 3, 3],
    "boots": [0, 0, 0, 1],
    "extension cord": [3, 1, 1, 1],
    "camera": [1, 1, 0, 1],
}


def rows(by_query: dict[str, list[int]]) -> dict[str, list[object]]:
    """Return one table of judgments and results."""
    flat = [(q, f"{q}{i}", i, grade) for q, grades in by_query.items() for i, grade in enumerate(grades, 1)]
    return {name: [row[i] for row in flat] for i, name in enumerate(("query_id", "doc", "rank", "grade"))}


def test_worst_and_best_first() -> None:
    """Queries by DCG, worst first, in the order of notebook 001; best is the other way round."""
    scores = ir.evaluate(rows(NOTEBOOK), measures=["DCG"], gain="exp2")
    order = ["adhesive", "boots", "camera", "door", "extension cord", "frying pan"]
    assert scores.worst(10)["query"] == order
    assert scores.best(2)["query"] == order[:-3:-1]
    assert scores.worst(1).columns == ["query", "DCG"]
    best = scores.best(1)["DCG"][0]
    assert best == pytest.approx(7 * (1 + HALF + 0.5 + math.log(2) / math.log(5)))
    assert round(best, 2) == 17.93


def test_equal_queries_stand_in_the_order_of_their_ids() -> None:
    """Queries of equal value are in the order of their ids, numbers by size, from both ends (B090)."""
    judgments = {key: {"d": 1.0} for key in ("10", "9", "2", "b", "a")}
    results = {key: {"d": 1.0} for key in judgments}
    scores = ir.evaluate(judgments, results, ["RR"])
    assert scores.worst()["query"] == scores.best()["query"] == ["2", "9", "10", "a", "b"]


def test_a_measure_and_a_system_can_be_named() -> None:
    """Without a name the first measure counts; several systems have their own queries, or one is named."""
    scores = ir.evaluate(JUDGMENTS, several(RESULTS), ["RR", "AP"])
    assert scores.worst(1, "AP", "up").to_dict() == {"query": ["q3"], "system": ["up"], "AP": [0.0]}
    found = scores.best(1)
    assert found["system"] == ["up", "down"]
    # Upside down, q1 is d3, d2, d1 and q2 is d1, d7: both begin with a relevant document.
    assert found["query"] == ["q1", "q1"]
    assert found["RR"] == [1.0, 1.0]


def test_queries_left_out_are_not_the_worst() -> None:
    """A query without a value is neither worst nor best."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR"], no_results="skip")
    assert scores.worst()["query"] == ["q2", "q1"]


def test_lost_value_by_hand() -> None:
    """Lost value is frequency x (ideal - actual), the greatest first."""
    weights = {"q1": 10, "q2": 100, "q3": 4}
    found = ir.evaluate(JUDGMENTS, RESULTS, ["RR", "DCG@2"], weights=weights).lost_value()
    assert found.columns == ["query", "frequency", "RR", "ideal", "lost"]
    assert found["query"] == ["q2", "q3", "q1"]
    assert found["lost"] == [50.0, 4.0, 0.0]


def test_lost_dcg_by_hand() -> None:
    """Of DCG the ideal is the DCG of the ideal list."""
    weights = {"q1": 10, "q2": 100, "q3": 4}
    found = ir.evaluate(JUDGMENTS, RESULTS, ["RR", "DCG@2"], weights=weights).lost_value(measure="DCG@2")
    assert found["query"] == ["q2", "q1", "q3"]
    assert found["ideal"] == pytest.approx([1.0, 3 + 2 * HALF, 2.0])
    assert found["lost"] == pytest.approx([100 * (1 - HALF), 10 * 2 * HALF, 4 * 2])


def test_the_ideal_is_what_can_be_had() -> None:
    """P@10 with three relevant documents is 0.3 at most; a query with none has nothing to lose."""
    judgments = {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}, "q2": {"a": 0.0}}
    results = {"q1": {"x": 2.0, "a": 1.0}, "q2": {"a": 1.0}}
    scores = ir.evaluate(judgments, results, ["P@10", "nDCG@10"], weights={"q1": 1, "q2": 1})
    assert scores.lost_value(measure="P@10")["ideal"] == pytest.approx([0.3, 0.0])
    assert dict(zip(*(scores.lost_value(measure="nDCG@10")[c] for c in ("query", "lost")), strict=True))["q2"] == 0.0
    skipping = ir.evaluate(judgments, results, ["nDCG"], weights={"q1": 1, "q2": 1}, no_relevant="skip").lost_value()
    assert skipping["query"] == ["q1"]


def test_lost_value_needs_weights_and_a_direction() -> None:
    """Without frequencies, and for a measure of which more is not better, it is refused."""
    with pytest.raises(ir.UsageError, match="how often each query is asked"):
        ir.evaluate(JUDGMENTS, RESULTS, ["RR"]).lost_value()
    for name in ("Judged@10", "OPA"):
        with pytest.raises(ir.UsageError, match="nothing can be lost"):
            ir.evaluate(JUDGMENTS, RESULTS, [name], weights={"q1": 1, "q2": 1, "q3": 1}).lost_value()


@RANDOMLY
@given(worlds())
def test_nothing_is_lost_in_the_ideal_order(world: tuple[Nested, Nested]) -> None:
    """On random data, returning the good documents, best first, loses nothing, and nothing gains more."""
    judgments, results = world
    # Without half grades every document of a gain above 0 is relevant, too.
    judgments = {q: {doc: float(int(grade)) for doc, grade in row.items()} for q, row in judgments.items()}
    ideal = {q: {doc: grade for doc, grade in row.items() if grade > 0} for q, row in judgments.items()}
    # Without a cutoff these are means over what was returned, highest where only the best document was.
    means = ("AverageGain", "BPM", "NERR8", "NERR9")
    names = [f"{d.name}@10" if d.name in means else d.name for d in PLAIN if d.properties.has_best_list]
    weights = dict.fromkeys(judgments, 1.0)
    best, actual = (ir.evaluate(judgments, run, names, weights=weights) for run in (ideal, results))
    for name in names:
        assert best.lost_value(measure=name)["lost"] == pytest.approx([0.0] * len(best.queries), abs=1e-12), name
        assert min(actual.lost_value(measure=name)["lost"]) >= -1e-12


def test_the_number_of_queries_comes_first() -> None:
    """worst, best and lost_value take the number of queries first; a name in its place is refused with the way out."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR", "DCG@2"], weights={"q1": 1, "q2": 1, "q3": 1})
    for ask in (scores.worst, scores.best, scores.lost_value):
        assert len(ask(2)) == 2
        assert ask(1, "DCG@2").columns[-1 if ask != scores.lost_value else 2] == "DCG@2"
        with pytest.raises(ir.UsageError, match="measure='DCG@2'"):
            ask("DCG@2")  # type: ignore[arg-type]
        for count in (0, 2.5, True):
            with pytest.raises(ir.UsageError, match=f"n={count}: how many queries is a whole number from 1 up"):
                ask(count)  # type: ignore[arg-type]
