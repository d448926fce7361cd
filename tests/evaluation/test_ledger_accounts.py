"""The ledger's two accounts: every query is in exactly one state of each, and named."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.evaluation.ledger.ledger import EMPTY, LEFT_OUT, RETURNED, UNJUDGED
from tests.evaluation.worlds import JUDGMENTS, PLAIN, RANDOMLY, RESULTS, Nested, several, worlds

MEASURES = [d.name for d in PLAIN]
SETTINGS = st.fixed_dictionaries(
    {
        "no_results": st.sampled_from(["0", "skip"]),
        "no_relevant": st.sampled_from(["0", "1", "skip"]),
        "no_judgments": st.sampled_from(["0", "skip"]),
        "unjudged": st.sampled_from(["zero", "filter", "1"]),
        "negative": st.sampled_from(["unjudged", "zero", "keep"]),
        "only": st.sampled_from([None, ["q0", "q1"], ["q0", "q2", "q3"]]),
    }
)


@RANDOMLY
@given(worlds(), SETTINGS)
def test_the_first_account_sums(world: tuple[Nested, Nested], options: dict[str, Any]) -> None:
    """Judged and returned, judged only, returned only and left out are all queries on either side, each once."""
    judgments, results = world
    for account in ir.evaluate(judgments, results, ["RR"], **options).ledger.systems:
        asked = {*judgments, *results} & set(options["only"] or {*judgments, *results})
        assert set(account.judged_nothing_returned) == (asked & set(judgments)) - set(results)
        assert set(account.returned_not_judged) == (asked & set(results)) - set(judgments)
        assert account.judged_and_returned == len(asked & set(judgments) & set(results))
        assert account.left_out == len({*judgments, *results} - asked)


@RANDOMLY
@given(worlds(), SETTINGS)
def test_the_second_account_sums(world: tuple[Nested, Nested], options: dict[str, Any]) -> None:
    """Under each measure the six states sum to the judged queries; what is added are queries without judgments."""
    judgments, results = world
    scores = ir.evaluate(judgments, results, MEASURES, **options)
    assert len(scores.ledger.measures) == len(MEASURES)
    for row in scores.ledger.per_measure:
        states = [value for name, value in row.items() if name not in ("system", "measure", "added_no_judgments")]
        assert sum(states) == len(judgments) == scores.ledger.judged
        unjudged = len(scores.ledger.systems[0].returned_not_judged)
        assert row["added_no_judgments"] == (unjudged if options["no_judgments"] == "0" else 0)


@RANDOMLY
@given(worlds(), SETTINGS)
def test_every_query_is_named_in_both_accounts(world: tuple[Nested, Nested], options: dict[str, Any]) -> None:
    """The table of queries has one row a system and query of either side; its states are those counted."""
    judgments, results = world
    ledger = ir.evaluate(judgments, several(results), ["RR", "AP"], **options).ledger
    for account in ledger.systems:
        rows = [row for row in ledger.queries if row["system"] == account.system]
        assert Counter(row["query"] for row in rows) == Counter({*judgments, *results})
        states = Counter(row["state"] for row in rows)
        assert states[RETURNED] == account.judged_and_returned
        assert states[EMPTY] == len(account.judged_nothing_returned)
        assert states[UNJUDGED] == len(account.returned_not_judged)
        assert states[LEFT_OUT] == account.left_out
        for counted in (m for m in ledger.measures if m.system == account.system):
            said = Counter(row[counted.measure] for row in rows if row["query"] in judgments)
            assert said["computed"] == counted.computed
            assert said["no_results=skip"] == counted.skipped_no_results
            assert said[LEFT_OUT] == counted.left_out


@RANDOMLY
@given(worlds(), SETTINGS)
def test_the_mean_is_over_what_the_account_counts(world: tuple[Nested, Nested], options: dict[str, Any]) -> None:
    """A mean divides by the queries computed, filled and added, and by no others."""
    scores = ir.evaluate(*world, ["nDCG@3"], **options)
    account = scores.ledger.measures[0]
    counted = account.computed + account.filled_no_results + account.filled_no_relevant + account.added_no_judgments
    values = [value for value in scores.per_query["nDCG@3"] if value == value]
    assert len(values) + account.added_no_judgments == counted
    if counted:
        assert scores["nDCG@3"] == pytest.approx(sum(values) / counted, abs=1e-12)


def test_states_are_named_by_the_answer_that_made_them() -> None:
    """A query that is not computed names the decision and the answer: filled, skipped, left out."""
    judgments = {**JUDGMENTS, "q4": {"d1": 0.0}}
    results = {**RESULTS, "q4": {"d1": 1.0}}

    def states(**options: Any) -> dict[str, str]:
        table = ir.evaluate(judgments, results, ["nDCG"], **options).ledger.queries
        return dict(zip(table["query"], table["nDCG"], strict=True))

    plain = {"q1": "computed", "q2": "computed", "q3": "no_results=0", "q4": "no_relevant=0"}
    assert states() == {**plain, "q9": "no_judgments=skip"}
    assert states(no_relevant=1, no_judgments=0) == {**plain, "q4": "no_relevant=1", "q9": "no_judgments=0"}
    skipped = {"q3": "no_results=skip", "q4": "no_relevant=skip", "q9": "no_judgments=skip"}
    assert states(no_results="skip", no_relevant="skip") == {**plain, **skipped}
    alone = dict.fromkeys(("q2", "q3", "q4", "q9"), LEFT_OUT)
    assert states(only=["q1"]) == {"q1": "computed", **alone}


def test_exceptions_are_the_queries_not_simply_computed() -> None:
    """The exceptions leave out the queries that are judged, returned and computed under every measure."""
    ledger = ir.evaluate(JUDGMENTS, RESULTS, ["RR"]).ledger
    assert ledger.exceptions["query"] == ["q3", "q9"]
    assert len(ledger.queries) == 4


def test_the_line_names_queries() -> None:
    """The one-line account has every count, and names the first three queries of each."""
    assert ir.evaluate(JUDGMENTS, RESULTS, ["RR"]).ledger.line == (
        "3 judged queries; 2 judged and returned; 1 judged, nothing returned (q3); 1 returned, not judged (q9); "
        "2 unjudged results"
    )
    judgments = {**JUDGMENTS, **{f"z{i}": {"d1": 1.0} for i in range(5)}}
    line = ir.evaluate(judgments, RESULTS, ["RR"], only=["q1", "z0", "z1", "z2", "z3"]).ledger.line
    assert line == (
        "8 judged queries; 1 judged and returned; 4 judged, nothing returned (z0, z1, z2 and 1 more); "
        "4 left out on request; 1 unjudged result"
    )


def test_each_system_has_its_own_account() -> None:
    """What one system did not return, another may have."""
    results = {"a": ir.read_results(RESULTS), "b": ir.read_results({"q3": {"d1": 1.0}})}
    ledger = ir.evaluate(JUDGMENTS, results, ["RR"]).ledger
    assert [account.judged_nothing_returned for account in ledger.systems] == [("q3",), ("q1", "q2")]
    assert ledger.line.startswith("3 judged queries; a: 2 judged and returned")


def test_holes_and_ties_are_counted() -> None:
    """Unjudged results of judged queries, those in the top k, and tied results are counts."""
    judgments = {"q1": {"d1": 1.0}, "q2": {"d1": 1.0, "d2": -1.0}}
    results = {"q1": {"d1": 3.0, "x": 2.0, "y": 2.0}, "q2": {"d1": 2.0, "d2": 1.0}, "q9": {"x": 1.0}}
    counts = ir.evaluate(judgments, results, ["P@1", "P@2"]).ledger.systems[0].counts
    # q1: x and y; q2: d2, whose grade below 0 is no judgment; q9 is not judged and so has no holes.
    assert counts == {"unjudged results": 3, "holes in the top 2": 2, "tied results": 2, "queries with ties": 1}
    kept = ir.evaluate(judgments, results, ["P@1", "P@2"], negative="zero", only=["q2"]).ledger.systems[0].counts
    assert kept == {}


def test_json_names_every_query() -> None:
    """The ledger as JSON names every query that is not simply computed, however many."""
    judgments = {**JUDGMENTS, **{f"z{i}": {"d1": 1.0} for i in range(9)}}
    whole = json.loads(ir.evaluate(judgments, RESULTS, ["RR"]).to_json())["ledger"]
    assert whole["systems"][0]["judged_nothing_returned"] == ["q3", *(f"z{i}" for i in range(9))]
    assert whole["systems"][0]["returned_not_judged"] == ["q9"]
    assert whole["measures"][0]["filled_no_results"] == 10


def test_repr_and_html() -> None:
    """The ledger shows both accounts, the exceptions by name and the notes; HTML escapes ids."""
    judgments = {**JUDGMENTS, "<b>": {"d1": 1.0}}
    ledger = ir.evaluate(judgments, RESULTS, ["RR"]).ledger
    text, html = repr(ledger), ledger._repr_html_()
    title = "queries with special handling (not the other 2)"
    for part in ("4 judged queries", "filled no results", title, "no_judgments=skip"):
        assert part in text
    assert "<b>" in text
    assert "&lt;b&gt;" in html
    assert "nothing returned (&lt;b&gt;, q3)" in html
    assert str(ledger).splitlines()[0] == ledger.line
