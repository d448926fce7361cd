"""Scores: means, values per query, names, systems, steps."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import idealrank as ir
from tests.evaluation.worlds import HALF, JUDGMENTS, NDCG, PLAIN, RANDOMLY, RESULTS, Nested, several, worlds

ASKED = ["nDCG@10", "P@2", "R@100", "RR", "AP"]


@pytest.fixture
def scores() -> ir.Scores:
    """Return the scores of the two queries by hand."""
    return ir.evaluate(JUDGMENTS, RESULTS, ASKED)


def by_query(scores: ir.Scores, measure: str) -> dict[str, float]:
    """Return the values of a measure, NaN where the query is left out."""
    return dict(zip(scores.queries, scores.of(measure).tolist(), strict=True))


def test_values_by_hand(scores: ir.Scores) -> None:
    """nDCG, P, R, RR and AP of each query are the ones computed by hand; what returned nothing has 0."""
    assert scores.queries == ["q1", "q2", "q3"]
    assert by_query(scores, "nDCG@10") == pytest.approx(NDCG, abs=1e-15)
    assert by_query(scores, "P@2") == {"q1": 0.5, "q2": 0.5, "q3": 0.0}
    assert by_query(scores, "R@100") == pytest.approx({"q1": 2 / 3, "q2": 1.0, "q3": 0.0})
    assert by_query(scores, "RR") == {"q1": 1.0, "q2": 0.5, "q3": 0.0}
    assert by_query(scores, "AP") == pytest.approx({"q1": (1 + 2 / 3) / 3, "q2": 0.5, "q3": 0.0})


def test_means_are_over_the_judged_queries(scores: ir.Scores) -> None:
    """The mean divides by all judged queries; one nobody judged is not among them."""
    assert scores["RR"] == 1.5 / 3
    assert scores["nDCG@10"] == pytest.approx(sum(NDCG.values()) / 3, abs=1e-15)
    assert scores.means.columns == ["measure", "mean"]
    assert scores.means["measure"] == ASKED
    assert scores.means["mean"][3] == 0.5


def test_per_query_table(scores: ir.Scores) -> None:
    """The table per query has one row a judged query, one column a measure, in the order asked for."""
    table = scores.per_query
    assert table.columns == ["query", *ASKED]
    assert table["query"] == ["q1", "q2", "q3"]
    assert table["RR"] == [1.0, 0.5, 0.0]


def test_several_systems_one_column_each() -> None:
    """One table of two systems gives a column each, as two calls do."""
    table = several(RESULTS)
    scores = ir.evaluate(JUDGMENTS, table, ["nDCG@10", "RR"])
    assert scores.systems == ("up", "down")
    assert scores.means.columns == ["measure", "up", "down"]
    for system in scores.systems:
        alone = ir.evaluate(JUDGMENTS, table, ["nDCG@10", "RR"], system=system)
        assert alone.systems == (system,)
        for measure in ("nDCG@10", "RR"):
            assert scores[measure, system] == alone[measure]
    assert scores.per_query.columns == ["query", "system", "nDCG@10", "RR"]
    assert scores.per_query["system"] == ["up"] * 3 + ["down"] * 3


def test_means_of_several_systems() -> None:
    """A measure alone gives the mean of each system; one mean needs the system, and its nearest name is said."""
    scores = ir.evaluate(JUDGMENTS, several(RESULTS), ["RR"])
    assert scores["RR"] == {"up": scores["RR", "up"], "down": scores["RR", "down"]}
    with pytest.raises(ir.UsageError, match="Several systems: up, down"):
        scores.mean("RR")
    with pytest.raises(ir.UsageError, match="Did you mean down"):
        scores["RR", "dwn"]
    with pytest.raises(ir.UsageError, match="No system called 'x'"):
        ir.evaluate(JUDGMENTS, several(RESULTS), ["RR"], system="x")


def test_only_applies_to_queries_without_judgments() -> None:
    """Where unjudged queries count 0, those not asked for do not count."""
    judgments, results = {"1": {"d": 1.0}}, {"1": {"d": 1.0}, "2": {"d": 1.0}, "3": {"d": 1.0}}
    assert ir.evaluate(judgments, results, ["RR"], no_judgments=0)["RR"] == 1 / 3
    scores = ir.evaluate(judgments, results, ["RR"], no_judgments=0, only="1..2")
    assert scores["RR"] == 1 / 2
    assert scores.ledger.systems[0].returned_not_judged == ("2",)


def test_texts_of_queries_are_shown() -> None:
    """Where a table has the queries' texts they stand beside the ids."""
    rows = {"query_id": [1, 1], "query": ["red shoes"] * 2, "doc": ["d1", "d2"], "grade": [1, 0]}
    scores = ir.evaluate(rows, {"query_id": [1], "doc": ["d1"], "rank": [1]}, ["RR"])
    assert scores.per_query.columns == ["query", "text", "RR"]
    assert scores.per_query["text"] == ["red shoes"]
    table = {"query_id": [1], "query_text": ["blue shoes"]}
    assert ir.evaluate(JUDGMENTS | {"1": {"d1": 1}}, {"1": {"d1": 1.0}}, ["RR"], queries=table).texts == {
        "1": "blue shoes"
    }


def test_nothing_changes_scores(scores: ir.Scores) -> None:
    """The arrays of finished scores are read-only."""
    for array in (scores.values, scores.states, scores.of("RR")):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


def test_input_is_not_changed() -> None:
    """Neither dicts nor dataframes are changed by an evaluation."""
    import pandas

    judgments, results = json.loads(json.dumps(JUDGMENTS)), json.loads(json.dumps(RESULTS))
    frame = pandas.DataFrame(several(RESULTS))
    before = frame.copy()
    ir.evaluate(judgments, results)
    ir.evaluate(judgments, frame)
    assert (judgments, results) == (JUDGMENTS, RESULTS)
    pandas.testing.assert_frame_equal(frame, before)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    """Evaluating clean input prints nothing and warns of nothing (B141, B142)."""
    import pandas

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = ir.evaluate(JUDGMENTS, pandas.DataFrame(several(RESULTS)))
        repr(scores), scores._repr_html_(), scores.describe(), scores.ledger.queries, scores.steps("AP", system="up")
    assert capfd.readouterr() == ("", "")


def test_decisions_line_names_every_decision_that_is_read(scores: ir.Scores) -> None:
    """The line names the convention and each decision the measures read, once."""
    read = {name for m in scores.measures for name in m.decisions.asked(m.definition.decisions)}
    words = scores.decisions.removeprefix("idealrank-1: ").replace(";", "").split(" ")
    assert {word.partition("=")[0] for word in words} == read
    assert len(words) == len(read)
    assert "ap_denominator=R" in words
    assert "ap_denominator" not in ir.evaluate(JUDGMENTS, RESULTS, ["P@5"]).decisions


def test_what_departs_from_the_default_comes_first() -> None:
    """Answers that differ from idealrank-1 are named first, also those of a single measure."""
    line = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@10"], convention="trec_eval-9.0.8", gain="exp2").decisions
    assert line.startswith(
        "trec_eval-9.0.8, gain=exp2: order_by=score score_precision=float32 gain=exp2 no_results=skip "
        "systems=one_run; raters=median"
    )
    line = ir.evaluate(JUDGMENTS, RESULTS, ["P(rel=2)@5", "P@5"]).decisions
    assert line.startswith("idealrank-1: relevant_from=2|1; raters=median")


def test_weights_are_named_among_the_decisions() -> None:
    """Weighted means say so."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR"], weights={"q1": 3, "q2": 1, "q3": 0})
    assert scores["RR"] == (3 * 1 + 0.5) / 4
    assert "weights=given" in scores.decisions


def test_json_has_means_fingerprints_and_ledger(scores: ir.Scores) -> None:
    """JSON holds the means in full precision, a fingerprint for each measure, and the ledger."""
    whole = json.loads(scores.to_json(per_query=True))
    assert whole["means"]["results"]["nDCG@10"] == scores["nDCG@10"]
    assert whole["per_query"]["results"]["q1"]["RR"] == 1.0
    assert whole["decisions"]["nDCG@10"] == scores.measures[0].fingerprint
    assert whole["ledger"]["judged_queries"] == 3
    assert "per_query" not in json.loads(scores.to_json())


def test_json_of_what_is_left_out_is_null() -> None:
    """A query left out has null, as has a mean over nothing."""
    whole = json.loads(ir.evaluate({"q": {"d": 0.0}}, {"q": {"d": 1.0}}, ["AP"], no_relevant="skip").to_json(True))
    assert whole["means"] == {"results": {"AP": None}}
    assert whole["per_query"] == {"results": {"q": {"AP": None}}}


def test_steps_of_all_queries(scores: ir.Scores) -> None:
    """The steps of all queries are one table; the contributions of a query make its score."""
    steps = scores.steps("nDCG@10")
    assert steps.columns == ["query", "rank", "doc", "grade", "gain", "discount", "contribution", "running"]
    assert steps["query"] == ["q1"] * 3 + ["q2"] * 2
    assert steps["contribution"] == pytest.approx([3, 0, 0.5, 0, HALF])
    assert steps["running"] == pytest.approx([3, 3, 3.5, 0, HALF])
    assert scores.steps("nDCG@10", "q2")["doc"] == ["d7", "d1"]


def test_judged_stands_beside_the_measure() -> None:
    """Judged@k is a measure like any other, so that holes show per query (B025)."""
    table = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@10", "Judged@2"]).per_query
    assert table["Judged@2"] == [0.5, 0.5, 0.0]


@RANDOMLY
@given(worlds())
def test_means_are_the_means_of_the_values(world: tuple[Nested, Nested]) -> None:
    """On random data every mean is the mean of its column, whatever the measure; totals are sums."""
    names = [d.name for d in PLAIN]
    scores = ir.evaluate(*world, names)
    for definition, label in zip(PLAIN, scores.labels, strict=True):
        values = np.array(scores.per_query[label])
        expected = values.sum() if definition.total == "sum" else values.mean()
        assert scores[definition.name] == pytest.approx(expected, abs=1e-12)


@RANDOMLY
@given(worlds())
def test_systems_in_one_call_equal_one_call_each(world: tuple[Nested, Nested]) -> None:
    """On random data a system scores the same alone and beside another (B122)."""
    table = several(world[1])
    both = ir.evaluate(world[0], table)
    for system in both.systems:
        alone = ir.evaluate(world[0], table, system=system)
        np.testing.assert_array_equal(alone.values[0], both.values[both.systems.index(system)])


def test_a_wrong_keyword_is_named() -> None:
    """A decision that does not exist is answered by the nearest."""
    with pytest.raises(ir.UsageError, match="Did you mean gain"):
        ir.evaluate(JUDGMENTS, RESULTS, gian="exp2")
    wrong: Any = {"gain": "exp3"}
    with pytest.raises(ir.UsageError, match=r"gain=exp3 is not an answer\. Allowed: "):
        ir.evaluate(JUDGMENTS, RESULTS, **wrong)


def test_per_query_holds_the_queries_asked_for() -> None:
    """The values per query are those of the queries asked for; the others are in the ledger."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR"], only=["q1", "q2"])
    assert scores.per_query["query"] == ["q1", "q2"]
    assert list(json.loads(scores.to_json(per_query=True))["per_query"]["results"]) == ["q1", "q2"]


def test_a_mean_of_no_measure() -> None:
    """Asked for the mean without a measure, the error gives the right call, and where all means are."""
    scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["RR", "P@5"])
    with pytest.raises(ir.UsageError, match=r"scores\.mean\('RR'\)\. All means are in scores\.means"):
        scores.mean()
