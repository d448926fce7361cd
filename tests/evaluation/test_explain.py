"""explain: the table behind one number, whose sum is the number."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, strategies as st

import idealrank as ir
from idealrank.conventions import CONVENTIONS
from tests.evaluation.worlds import HALF, JUDGMENTS, PLAIN, RANDOMLY, RESULTS, Nested, several, worlds

NAMES = [d.name + at for d in PLAIN for at in ("", "@3") if not (at and d.cutoff == "none")]
ANSWERS = st.fixed_dictionaries(
    {},
    optional={
        "ties": st.sampled_from(["docid_asc", "given", "average", "best", "worst"]),
        "gain": st.sampled_from(["exp2", "{-1:0, 0:0.5, 0.5:1, 1:2, 2:1, 3:4, 4:5}"]),
        "discount": st.sampled_from(["ln", "reciprocal", "log(2)", "none"]),
        "ideal": st.sampled_from(["returned", "local", "max"]),
        "ideal_depth": st.just("returned"),
        "unjudged": st.sampled_from(["filter", "1"]),
        "negative": st.sampled_from(["zero", "keep"]),
        "no_relevant": st.sampled_from(["1", "skip"]),
        "no_results": st.just("skip"),
        "relevant_from": st.just("positive"),
        "rounding": st.sampled_from(["term,round,2", "query,floor,2", "query,round,1", "query,floor,3+query,floor,1"]),
        "cutoff": st.just("below_k"),
    },
)


def supported(convention: str) -> list[str]:
    """Return the measures a convention has of those compared here, which need no subtopics."""
    known = CONVENTIONS[convention].measures
    return [name for name in NAMES if known is None or name.partition("@")[0] in known]


def same(a: float, b: float) -> bool:
    """Whether two numbers are equal to 1e-12, or both missing."""
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-12


def rounded_away(scores: ir.Scores, name: str) -> float:
    """Return how far the roundings by query, of the convention or of the call, may take a value from the quotient."""
    roundings = scores.measures[scores.place_of(name)].decisions.rounding
    return 1e-12 + sum(10.0**-rounding.digits for rounding in roundings if rounding.stage == "query")


def check(scores: ir.Scores, name: str, query: str) -> None:
    """Check that the explanation of a value arrives at the value."""
    found = scores.explain(name, query)
    value = float(scores.of(name)[scores.queries.index(query)])
    assert same(found.score, value)
    shares = found.steps["contribution"]
    if found.unsplit:
        assert math.isnan(found.total)
        return
    assert same(found.total, math.fsum(shares))
    if shares and found.normaliser > 0:
        assert abs(found.total / found.normaliser - value) <= rounded_away(scores, name)
        assert same(found.steps["running"][-1], found.total)
    if found.ideal.columns and name.startswith("nDCG") and shares and "tie_first" not in found.steps.columns:
        assert same(math.fsum(found.ideal["contribution"]), found.normaliser)


@RANDOMLY
@given(worlds(), st.sampled_from([name for name in sorted(CONVENTIONS) if supported(name)]), ANSWERS)
def test_totals_are_the_scores(world: tuple[Nested, Nested], convention: str, answers: dict[str, Any]) -> None:
    """On random data the contributions, over their divisor, are the score: every measure, convention and answer."""
    names = supported(convention)
    # The worlds have no ranks, and grades up to 4.
    own = CONVENTIONS[convention].decisions
    apart = {"order_by": "score"} if own.order_by == "rank" else {}
    declared = (each.get("max_grade") for each in CONVENTIONS[convention].by_measure.values())
    apart |= {"max_grade": "highest"} if 1 in (own.max_grade, *declared) else {}
    try:
        scores = ir.evaluate(*world, names, convention=convention, **apart, **answers)
    except (ir.UsageError, ir.DataError) as refusal:
        # A gain table without the top of gdeval's scale cannot be measured against it; ideal=max needs an end.
        if not any(why in str(refusal) for why in ("ties=average", "the table lacks: 4", "has no end")):
            raise
        reject()
    for name in names:
        for query in scores.queries:
            check(scores, name, query)


def test_the_steps_by_hand() -> None:
    """Rank, document, grade, gain, discount, contribution and running sum of nDCG, and the ideal beside it."""
    found = ir.explain(JUDGMENTS, RESULTS, "nDCG@10", query="q1")
    assert found.steps.columns == ["rank", "doc", "grade", "gain", "discount", "contribution", "running"]
    assert found.steps["doc"] == ["d1", "d2", "d3"]
    assert found.steps["grade"] == pytest.approx([3, math.nan, 1], nan_ok=True)
    assert found.steps["gain"] == [3, 0, 1]
    assert found.steps["discount"] == pytest.approx([1, HALF, 0.5])
    assert found.steps["contribution"] == pytest.approx([3, 0, 0.5])
    assert found.steps["running"] == pytest.approx([3, 3, 3.5])
    assert found.ideal["doc"] == ["d1", "d4", "d3"]
    assert found.ideal["grade"] == [3, 2, 1]
    assert found.ideal["contribution"] == pytest.approx([3, 2 * HALF, 0.5])
    assert found.normaliser == pytest.approx(3 + 2 * HALF + 0.5)
    assert found.score == found.total / found.normaliser


def test_average_precision_by_hand() -> None:
    """AP shows the precision at each relevant result, and is divided by their number."""
    found = ir.explain(JUDGMENTS, RESULTS, "AP", query="q1")
    assert found.steps["precision"] == pytest.approx([1, 0, 2 / 3])
    assert found.normaliser == 3
    assert found.ideal.columns == []


def test_the_notebooks_columns() -> None:
    """Every intermediate column of the notebooks can be had: gain, discount, running DCG and CG, and the ideal's."""
    judgments, results = ir.from_grades([0, 2, 1, 3])
    options: dict[str, Any] = {"gain": "exp2"}
    dcg = ir.explain(judgments, results, "DCG", query="q", **options)
    ideal = ir.explain(judgments, results, "nDCG", query="q", **options).ideal
    discounts = [1 / math.log2(rank + 1) for rank in (1, 2, 3, 4)]
    assert dcg.steps["gain"] == [0, 3, 1, 7]
    assert dcg.steps["discount"] == pytest.approx(discounts)
    assert dcg.steps["contribution"] == pytest.approx([0, 3 * discounts[1], discounts[2], 7 * discounts[3]])
    assert dcg.steps["running"] == pytest.approx(np.cumsum(dcg.steps["contribution"]))
    assert ir.explain(judgments, results, "CG", query="q", **options).steps["running"] == [0, 3, 4, 11]
    assert ideal["rank"] == [1, 2, 3, 4]
    assert ideal["grade_rank"] == [1, 2, 3, 4]
    assert ideal["discount"] == pytest.approx(discounts)
    assert ideal["contribution"] == pytest.approx([7, 3 * discounts[1], discounts[2], 0])
    place = dict(zip(ideal["doc"], ideal["rank"], strict=True))
    assert [place[doc] for doc in dcg.steps["doc"]] == [4, 2, 3, 1]


def test_the_ideal_ranks_of_equal_grades() -> None:
    """Equal grades have one dense rank (B088), different places, and stand in the order of the judgments (B087)."""
    judgments = {"q": {"b": 2.0, "a": 2.0, "c": 3.0}}
    ideal = ir.explain(judgments, {"q": {"a": 2.0, "b": 1.0}}, "nDCG", query="q").ideal
    assert ideal["doc"] == ["c", "b", "a"]
    assert ideal["rank"] == [1, 2, 3]
    assert ideal["grade_rank"] == [1, 2, 2]


def test_the_max_ideal_names_no_document() -> None:
    """The ideal with the top grade at every rank has grades and no documents."""
    ideal = ir.explain(JUDGMENTS, RESULTS, "nDCG(ideal=max)@4", query="q2").ideal
    assert ideal["doc"] == [None] * 4
    assert ideal["grade"] == [3.0] * 4


def test_a_grade_below_zero_in_the_local_ideal() -> None:
    """In the best order of the results a grade below zero stands after the unjudged ones, which count 0."""
    judgments, results = ir.from_grades([3, -1, None, None])
    found = ir.explain(judgments, results, "nDCG(ideal=local)", negative="keep")
    assert found.ideal["grade"] == pytest.approx([3, math.nan, math.nan, -1], nan_ok=True)
    assert found.score == pytest.approx((3 - HALF) / (3 - 1 / math.log2(5)))


def test_rounded_terms_are_shown_rounded() -> None:
    """Where the terms are rounded, the contributions are what is summed (notebook 002, B103)."""
    judgments, results = ir.from_grades([3, 2, 3, 0, 1, 2])
    found = ir.explain(judgments, results, "DCG", query="q", rounding="term,round,3")
    assert found.steps["contribution"] == [3.0, 1.262, 1.5, 0.0, 0.387, 0.712]
    by_query = ir.explain(judgments, results, "DCG", query="q", rounding="query,floor,1")
    assert "contributions 6.8611 / 1.0000 = 6.8611, rounded to 6.8000 (rounding=query,floor,1)" in repr(by_query)
    assert (found.total, found.score) == pytest.approx((6.861, 6.861))


def test_a_query_by_id_or_by_text() -> None:
    """A query is found by its id, whatever its type, and else by its text; an id wins over a text."""
    judgments = {"query_id": [1, 2, 3], "query": ["red", "blue", "1"], "doc": ["d"] * 3, "grade": [1, 0, 1]}
    results = {"query_id": [1, 2, 3], "doc": ["d"] * 3, "rank": [1, 1, 1]}
    for query in (1, "1", 1.0, "red"):
        found = ir.explain(judgments, results, "RR", query=query)
        assert (found.query, found.text, found.score) == ("1", "red", 1.0)


def test_a_text_of_several_ids_names_them() -> None:
    """A text that belongs to several ids is refused, and the ids are named."""
    judgments = {"query_id": [1, 2], "query": ["red", "red"], "doc": ["d", "d"], "grade": [1, 1]}
    results = {"query_id": [1, 2], "doc": ["d", "d"], "rank": [1, 1]}
    with pytest.raises(ir.UsageError, match="'red' is the text of 2 queries: '1', '2'"):
        ir.explain(judgments, results, "RR", query="red")


def test_a_query_that_is_not_there() -> None:
    """An unknown query is answered by the nearest; one without judgments is told so."""
    with pytest.raises(ir.UsageError, match=r"No judged query 'q11'\. Did you mean q1\?"):
        ir.explain(JUDGMENTS, RESULTS, "RR", query="q11")
    with pytest.raises(ir.UsageError, match="'q9' has results but no judgments"):
        ir.explain(JUDGMENTS, RESULTS, "RR", query="q9")


def test_the_only_query_needs_no_name() -> None:
    """Where there is one query it is explained; where there are more, one must be named."""
    assert ir.explain(*ir.from_grades([3, 2]), "DCG").query == "q"
    with pytest.raises(ir.UsageError, match="Which of the 3 queries"):
        ir.explain(JUDGMENTS, RESULTS, "RR")


def test_one_measure_and_one_system() -> None:
    """Several measures or systems are refused; one system is named."""
    with pytest.raises(ir.UsageError, match="one measure with one cutoff"):
        ir.explain(JUDGMENTS, RESULTS, "nDCG@5,10", query="q1")
    with pytest.raises(ir.UsageError, match="Several systems: up, down"):
        ir.explain(JUDGMENTS, several(RESULTS), "RR", query="q1")
    found = ir.explain(JUDGMENTS, several(RESULTS), "RR", query="q2", system="up")
    assert (found.system, found.score) == ("up", 0.5)


def test_a_query_without_results() -> None:
    """A query without results has no steps, its own ideal, and the score its decision gives it."""
    found = ir.explain(JUDGMENTS, RESULTS, "nDCG", query="q3")
    assert len(found.steps) == 0
    assert found.ideal["doc"] == ["d1"]
    assert found.score == 0.0
    assert found.notes == ("The system returned nothing for this query: it counts 0 (no_results=0).",)
    skipped = ir.explain(JUDGMENTS, RESULTS, "nDCG", query="q3", no_results="skip")
    assert math.isnan(skipped.score)
    assert "is left out of the mean (no_results=skip)" in skipped.notes[0]
    assert json.loads(skipped.to_json())["score"] is None
    assert "contributions" not in repr(skipped)
    assert "no results" in repr(found)


def test_explanation_of_finished_scores() -> None:
    """Finished scores explain their own values as `explain` does."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG", "AP"])
    again = ir.explain(JUDGMENTS, RESULTS, "AP", query="q1")
    assert scores.explain("map", "q1").to_dict() == again.to_dict()


def test_measures_that_are_no_sum_say_so() -> None:
    """NumRet, NumRel and NumQ say why they do not split; they claim no total."""
    for name, why in (("NumRet", "judged or not"), ("NumRel", "counts judgments"), ("NumQ", "counts queries")):
        found = ir.explain(JUDGMENTS, RESULTS, name, query="q1")
        assert why in found.unsplit
        assert found.notes[-1] == f"The score is no sum over results: {found.unsplit}."
        assert math.isnan(found.total)
        assert json.loads(found.to_json())["total"] is None
        assert "contributions" not in repr(found)


def test_averaged_ties_show_their_spans() -> None:
    """Under ties=average each result shows the span of ranks it may take, and its mean discount."""
    found = ir.explain({"q": {"a": 1.0}}, {"q": {"a": 1.0, "b": 1.0}}, "DCG", query="q", ties="average")
    assert found.steps["tie_first"] == [1, 1]
    assert found.steps["tie_last"] == [2, 2]
    assert found.steps["discount"] == pytest.approx([(1 + HALF) / 2] * 2)
    assert "A tied result takes the mean over all places of its span." in found.notes


def test_json_is_complete() -> None:
    """JSON has the value, its sum, the fingerprint, both tables and the notes in full precision."""
    found = ir.explain(JUDGMENTS, RESULTS, "nDCG@10", query="q1")
    whole = json.loads(found.to_json())
    assert whole["score"] == found.score
    assert whole["total"] / whole["normaliser"] == pytest.approx(whole["score"], abs=1e-15)
    assert whole["decisions"] == found.measure.fingerprint
    assert [row["doc"] for row in whole["steps"]] == ["d1", "d2", "d3"]
    assert whole["steps"][1]["grade"] is None
    assert [row["rank"] for row in whole["ideal"]] == [1, 2, 3]
    assert whole["notes"] == list(found.notes)


def test_csv_of_both_tables() -> None:
    """The steps and the ideal are tables with CSV of their own."""
    found = ir.explain(JUDGMENTS, RESULTS, "nDCG@10", query="q1")
    assert found.steps.to_csv().splitlines()[0] == "rank,doc,grade,gain,discount,contribution,running,fingerprint"
    assert found.steps.to_csv().splitlines()[2].startswith("2,d2,,0.0,")
    assert found.ideal.to_csv().splitlines()[1] == f'1,d1,3.0,1,3.0,1.0,3.0,3.0,"{found.measure.fingerprint}"'


def test_text_shows_the_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text has the value, both lists, the quotient, the notes and the decisions; side by side where they fit."""
    found = ir.explain(JUDGMENTS, RESULTS, "nDCG@10", query="q1")
    monkeypatch.setenv("COLUMNS", "140")
    wide = repr(found).splitlines()
    assert wide[0] == "query q1, results: nDCG@10 = 0.7350"
    assert wide[2].split() == ["results", "ideal", "list"]
    assert wide[6].split()[:7] == ["2", "d2", "–", "0", "0.6309", "0.0000", "3.0000"]
    assert "contributions 3.5000 / 4.7619 = 0.7350" in wide
    assert "decisions  idealrank-1" in wide
    monkeypatch.setenv("COLUMNS", "80")
    narrow = repr(found).splitlines()
    assert narrow.index("ideal list") > narrow.index("results")
    assert max(map(len, narrow)) <= 80


def test_text_cuts_what_contributes_nothing() -> None:
    """Long lists are shown to the last result that contributes, and ten at least; the rest is counted."""
    results = {"q": {f"d{i:03}": 1000.0 - i for i in range(100)}}
    text = repr(ir.explain({"q": {"d020": 1.0, "d000": 0.0}}, results, "AP", query="q"))
    assert "79 more results contribute nothing" in text
    assert "d020" in text
    assert "d021" not in text
    assert "90 more results contribute nothing" in repr(ir.explain({"q": {"d000": 1.0}}, results, "AP", query="q"))


def test_html_escapes_ids_and_texts() -> None:
    """Ids and texts are text in HTML, whatever they hold."""
    judgments = {"query_id": ["<q>"], "query": ["<script>"], "doc": ["<img>"], "grade": [1]}
    html = ir.explain(
        judgments, {"query_id": ["<q>"], "doc": ["<img>"], "rank": [1]}, "nDCG", query="<q>"
    )._repr_html_()
    for raw in ("<q>", "<script>", "<img>"):
        assert raw not in html
    assert "&lt;script&gt;" in html
    assert "ideal list" in html


def test_grades_side_by_side_are_written_alike() -> None:
    """A fraction in the ideal gives the results as many decimals: 3.0 stands beside 1.5."""
    from idealrank.display.text import paragraphs

    found = ir.explain({"q": {"a": 3, "b": 1.5}}, {"q": {"a": 1.0}}, "nDCG@10")
    (row,) = [line for line in paragraphs(found.shown(), 200)[1] if " a " in line]
    assert (row.split().count("3.0"), row.split().count("3.0000")) == (4, 4)
    assert "3" not in row.split()


@pytest.mark.parametrize("name", NAMES)
def test_what_was_scored_is_explained_where_unjudged_results_alone_are_tied(name: str) -> None:
    """The order of unjudged results is moot: under ties=average steps and explain tell what evaluate gave."""
    scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 3.0, "x": 1.0, "y": 1.0}}, [name], ties="average")
    explained, steps = scores.explain(name, "q"), scores.steps(name)
    assert explained.score == pytest.approx(scores.values[0, 0, 0], abs=1e-12)
    assert steps["doc"] == explained.steps["doc"] == ["a", "y", "x"]
    if not explained.unsplit and explained.normaliser > 0:
        assert math.fsum(steps["contribution"]) / explained.normaliser == pytest.approx(explained.score, abs=1e-12)


def test_explain_shows_no_grade_below_zero_where_unjudged_results_are_removed() -> None:
    """Under unjudged=filter infAP removes b, and a stands at rank 1; (1 + (1 + 2 x 1/2) / 3) / 2 = 0.8333."""
    judgments, results = {"q": {"a": 1, "b": -1, "d": 0, "c": 1}}, {"q": {"b": 4.0, "a": 3.0, "d": 2.0, "c": 1.0}}
    explained = ir.explain(judgments, results, "infAP", query="q", convention="trec_eval-9.0.8", unjudged="filter")
    assert explained.steps["doc"] == ["a", "d", "c"]
    assert "1 of 4 results was unjudged and removed; the ranks closed up (unjudged=filter)." in explained.notes
    assert explained.score == pytest.approx(5 / 6, abs=1e-6)


def test_infap_counts_a_grade_below_zero_as_every_unjudged_result() -> None:
    """Under unjudged=1 the document of grade -1 is relevant at rank 1: (1 + 1) / R = 2, as AP has it."""
    judgments, results = {"q": {"a": 1, "b": -1}}, {"q": {"b": 2.0, "a": 1.0}}
    scores = ir.evaluate(judgments, results, ["infAP", "AP"], unjudged=1)
    assert scores["AP"] == 2.0
    assert scores["infAP"] == pytest.approx(2.0, abs=1e-4)
