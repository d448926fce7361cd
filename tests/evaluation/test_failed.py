"""A query whose search failed is neither computed nor without results: what `failed` makes of it."""

import math
from collections.abc import Callable

import pytest

import idealrank as ir

JUDGMENTS = {"q1": {"d": 1}, "q2": {"d": 1}, "q3": {"d": 1, "e": 1}, "q4": {"d": 1}}
RESULTS = {
    "query": ["q1", "q2", "q3", "q3"],
    "doc": ["d", "", "x", "d"],
    "rank": [1, 1, 1, 2],
    "error": ["", "TimeoutError: 5 s", "", ""],
}
"""By hand: RR 1 and 1/2; q2 failed; q4 has no results. AP 1 and 1/4."""


SAID = r"failed for 1 query, and failed=refuse: q2 \(TimeoutError: 5 s\)"


def test_left_out_counted_or_refused() -> None:
    """Left out by default, 0 on request, or the evaluation stops and says what the first error was."""
    assert ir.evaluate(JUDGMENTS, RESULTS, ["RR"])["RR"] == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert ir.evaluate(JUDGMENTS, RESULTS, ["RR"], failed="0")["RR"] == pytest.approx((1 + 1 / 2 + 0 + 0) / 4)
    with pytest.raises(ir.DataError, match=SAID):
        ir.evaluate(JUDGMENTS, RESULTS, ["RR"], failed="refuse")


@pytest.mark.parametrize(
    "ask",
    [
        lambda: ir.evaluate(JUDGMENTS, RESULTS, ["RR(failed=refuse)"]),
        lambda: ir.explain(JUDGMENTS, RESULTS, "RR", query="q1", failed="refuse"),
        lambda: ir.reconcile(JUDGMENTS, RESULTS, "RR", "idealrank-1", "idealrank-1, gain=exp2", failed="refuse"),
        lambda: ir.reconcile(JUDGMENTS, RESULTS, "RR", "idealrank-1", "idealrank-1, failed=refuse"),
        lambda: ir.reconcile(JUDGMENTS, RESULTS, "RR", "idealrank-1", {"q1": 1, "q3": 0.5}, failed="refuse"),
        lambda: ir.reconcile(JUDGMENTS, {"q1": {"d": 1.0}}, "RR", "idealrank-1", RESULTS, failed="refuse"),
        lambda: ir.identify(JUDGMENTS, RESULTS, {"RR": 0.5}, failed="refuse"),
        lambda: ir.identify(JUDGMENTS, RESULTS, {"RR(failed=refuse)": 0.5}),
    ],
    ids=["measure", "explain", "reconcile", "other", "values", "results", "identify", "identify measure"],
)
def test_refused_wherever_a_value_is_asked_for(ask: Callable[[], object]) -> None:
    """failed=refuse is said to the call, to a convention or to a measure; each stops with the same words."""
    with pytest.raises(ir.DataError, match=SAID):
        ask()


def test_refused_is_no_setting_that_gives_a_number() -> None:
    """No number is found under failed=refuse, where an evaluation stops; to have tried it stops nothing."""
    found = ir.identify(JUDGMENTS, RESULTS, {"RR": 0.5})
    settings = [match.text for group in found.classes for match in group]
    assert "idealrank-1" in settings
    assert not [text for text in settings if "failed=refuse" in text]


def test_identify_is_refused_what_evaluate_is() -> None:
    """An answer given for all settings that stops every evaluation stops identify, too: here no_results=error."""
    with pytest.raises(ir.DataError, match=r"1 judged query without results \('q4'\)"):
        ir.identify(JUDGMENTS, RESULTS, {"RR": 0.5}, no_results="error")


def test_it_is_apart_from_no_results() -> None:
    """The answer to one says nothing of the other."""
    means = {
        (failed, empty): ir.evaluate(JUDGMENTS, RESULTS, ["AP"], failed=failed, no_results=empty)["AP"]
        for failed in ("skip", "0")
        for empty in ("skip", "0")
    }
    assert means == pytest.approx(
        {("skip", "skip"): 1.25 / 2, ("skip", "0"): 1.25 / 3, ("0", "skip"): 1.25 / 3, ("0", "0"): 1.25 / 4}
    )


def test_no_results_error_speaks_of_others() -> None:
    """no_results=error names the query without results, not the one that failed."""
    with pytest.raises(ir.DataError, match=r"1 judged query without results \('q4'\)"):
        ir.evaluate(JUDGMENTS, RESULTS, ["RR"], no_results="error")


def test_both_accounts_and_what_would_move() -> None:
    """It is a state of both accounts, and the ledger says what the mean would be under the other answer."""
    ledger = ir.evaluate(JUDGMENTS, RESULTS, ["RR", "NumRel"]).ledger
    assert dict(zip(ledger.queries["query"], ledger.queries["RR"], strict=True)) == {
        "q1": "computed", "q2": "failed=skip", "q3": "computed", "q4": "no_results=0",
    }  # fmt: skip
    assert ledger.per_measure["skipped_failed"] == [1, 1]
    assert "1 query whose search failed; with failed=0: RR 0.5000 → 0.3750" in ledger.notes
    ledger = ir.evaluate(JUDGMENTS, RESULTS, ["RR"], failed="0").ledger
    assert ledger.per_measure["filled_failed"] == [1]
    assert "1 query whose search failed; with failed=skip: RR 0.3750 → 0.5000" in ledger.notes


def test_its_value_is_explained() -> None:
    """The explanation says that the search failed, and what the decision makes of it."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR"])
    found = scores.explain("RR", "q2")
    assert math.isnan(found.score)
    assert found.notes == (
        "The search failed for this query (TimeoutError: 5 s): it is left out of the mean (failed=skip).",
    )
    found = ir.evaluate(JUDGMENTS, RESULTS, ["RR"], failed="0").explain("RR", "q2")
    assert (found.score, found.answered) == (0.0, "failed")


def test_a_system_that_never_ran() -> None:
    """A system whose every search failed is refused, whatever the answer: it was never run."""

    def search(text: str) -> list[str]:
        raise ConnectionError("refused")

    found = ir.replay(list(JUDGMENTS), search, name="down")
    for failed in ("skip", "0"):
        with pytest.raises(ir.DataError, match=r"every search of down failed.*ConnectionError: refused.*never run"):
            ir.evaluate(JUDGMENTS, found, ["RR"], failed=failed)
        with pytest.raises(ir.DataError, match="every search of down failed"):
            ir.identify(JUDGMENTS, found, {"RR": 0.5}, failed=failed)


def test_only_queries_asked_for_count() -> None:
    """What failed beyond the queries asked for is neither warned of nor refused; if all of these failed, it is."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR"], only=["q1", "q3"], failed="refuse")
    assert (scores["RR"], scores.ledger.warnings) == (0.75, ())
    with pytest.raises(ir.DataError, match="never run"):
        ir.evaluate(JUDGMENTS, RESULTS, ["RR"], only=["q2"])


def test_fingerprints_state_it() -> None:
    """The decision is part of the fingerprint, and a fingerprint is read back."""
    measure = ir.evaluate(JUDGMENTS, RESULTS, ["RR"], failed="0").measures[0]
    assert "failed=0" in measure.fingerprint
    assert ir.measure(measure.fingerprint).decisions == measure.decisions


def test_identify_and_reconcile_know_it() -> None:
    """A mean that somebody took with failed queries as 0 is told from one without them."""
    found = ir.reconcile(JUDGMENTS, RESULTS, "RR", "idealrank-1", "idealrank-1, failed=0")
    assert found.text.startswith("RR 0.5000 → 0.3750: failed −0.1250")
    assert "idealrank-1, failed=0" in ir.identify(JUDGMENTS, RESULTS, {"RR": 0.375}).text
