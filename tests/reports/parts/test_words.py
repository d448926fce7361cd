"""The verdict in words: what the change of the deciding measure alone does not explain is said."""

from __future__ import annotations

from typing import Any

from scipy import stats

import idealrank as ir
from tests.comparison.worlds import one_relevant, reciprocal

OLD = {f"q{i:03}": 3 for i in range(24)}


def said(new: dict[str, int], measures: list[str], **rule: Any) -> str:
    """Compare ranks of the one relevant document, and return the words."""
    runs = {"old": reciprocal(OLD), "new": reciprocal(new)}
    found = ir.report(ir.compare(one_relevant(24), runs, measures, **rule)).to_dict()["compared"]
    words: str = found["verdicts"][0]["in_words"]
    return words


def moved(to: int, queries: int) -> dict[str, int]:
    """Move the relevant document of some queries to another rank, the others a little."""
    return {query: to if i < queries else 3 for i, query in enumerate(OLD)}


def test_a_guardrail_that_fails_is_named() -> None:
    """P@3 falls in most queries while RR gains more in the others: keep the old, because of the guardrail."""
    new = {query: 1 if i < 6 else 4 for i, query in enumerate(OLD)}
    words = said(new, ["RR", "P@3"])
    assert words.startswith("Keep old. Of 24 queries, 6 got better, 18 got worse and 0 stayed the same.")
    assert words.endswith(" But P@3 gets worse by more than is allowed.")


def test_a_gain_below_the_margin_says_so() -> None:
    """A gain of RR that lies wholly between 0 and the margin is no reason to ship."""
    assert said(moved(2, 20), ["RR"], margin=0.5).endswith("That is less than the margin of 0.5.")
    assert said(moved(2, 20), ["RR"], margin=0.14).endswith("That is not surely more than the margin of 0.14.")


def test_a_loss_that_is_allowed_is_said() -> None:
    """Under not_worse a system is shipped that may have lost, but not more than the margin."""
    new = {query: 2 if i % 2 else 4 for i, query in enumerate(OLD)}
    words = said(new, ["RR"], rule="not_worse", margin=0.3)
    assert words.startswith("Replace old by new.")
    assert words.endswith("A loss of up to 0.3 is allowed.")


def test_nothing_measured() -> None:
    """Where no judged document is relevant nothing is measured, and the words say so, not that values are alike."""
    judged = {f"q{i}": {"a": 0} for i in range(8)}
    runs = {"old": {q: {"a": 1.0} for q in judged}, "new": {q: {"b": 2.0, "a": 1.0} for q in judged}}
    words = ir.report(ir.compare(judged, runs, ["nDCG@3"])).to_dict()["compared"]["verdicts"][0]["in_words"]
    assert words.startswith("Nothing was measured: no query has a computed value of nDCG@3")


def test_alike_and_the_same_everywhere() -> None:
    """Equal values, and a difference that is the same in every query, are said without an interval of no width."""
    assert said(OLD, ["RR"]).endswith("No value of RR differs.")
    assert said(moved(1, 24), ["RR"]).endswith("RR improves by the same 0.6667 in every query.")


def test_nothing_to_add() -> None:
    """A plain gain, and a plain loss, need no further word."""
    assert said(moved(1, 20), ["RR"]).endswith("(95% confidence).")
    assert said(moved(9, 20), ["RR"]).endswith("(95% confidence).")


def test_a_loss_is_said_from_the_smaller_to_the_greater() -> None:
    """From rank 3 to rank 9 RR falls by 2/9 in 20 queries of 24: Student's interval of that, as SciPy gives it."""
    differences = [1 / 9 - 1 / 3] * 20 + [0.0] * 4
    span = stats.ttest_1samp(differences, 0.0).confidence_interval(0.95)
    assert said(moved(9, 20), ["RR"]) == (
        "Keep old. Of 24 queries, 0 got better, 20 got worse and 4 stayed the same. On average RR gets worse; the loss "
        f"lies between {-span.high:.4f} and {-span.low:.4f} (95% confidence)."
    )


def test_what_may_be_either_is_said_as_both() -> None:
    """RR rises by 1/6 in half of the queries and falls by as much, once by 4/21: a loss up to, or a gain up to."""
    runs = {"old": reciprocal(OLD), "new": reciprocal({q: 2 if i % 2 else 6 for i, q in enumerate(OLD)} | {"q000": 7})}
    found = ir.compare(one_relevant(24), runs, ["RR"])
    (row,) = found.differences
    assert row["corrected low"] < 0 < row["corrected high"] < -row["corrected low"]
    low, high = f"{-row['corrected low']:.4f}", f"{row['corrected high']:.4f}"
    words: str = ir.report(found).to_dict()["compared"]["verdicts"][0]["in_words"]
    assert words.endswith(f"The average RR may have lost up to {low} or gained up to {high} (95% confidence).")
