"""Raters, DCG step by step, worst queries: the numbers of notebook 001."""

from __future__ import annotations

import pytest

from tests.examples.running import CASES, Ran, check_rows, expected, per_query, taught


@pytest.fixture
def ran() -> Ran:
    """The lesson, run."""
    return taught("lesson-raters-to-worst-queries")


def test_grade_is_the_median(ran: Ran) -> None:
    """Three ratings become their median."""
    rows = CASES["s001-01"]["expected"]["rows"]
    found = {(row["query"], row["doc"]): row["grade"] for row in ran["rated"].steps("DCG")}
    names = {"1": "disagreement", "2": "adhesive"}
    assert {(names[query], doc): grade for (query, doc), grade in found.items()} == {
        (query, doc): grade for query, doc, grade in rows if query in names.values()
    }


def test_every_column(ran: Ran) -> None:
    """Gain, discount, discounted gain and running DCG of one query; a discount times its divisor is 1."""
    check_rows(ran["why"].steps, "s001-02")
    case = CASES["s001-02"]["expected"]
    divisors = [row[case["columns"].index("divisor")] for row in case["rows"]]
    assert [1 / d for d in ran["why"].steps["discount"]] == pytest.approx(divisors, abs=5.1e-7)


def test_running_cumulative_gain(ran: Ran) -> None:
    """CG adds up the gains, here 2^grade - 1, position by position."""
    assert ran["rated"].steps("CG", "disagreement")["running"] == [3, 10, 10, 11]


def test_zeros_stay_in_the_table(ran: Ran) -> None:
    """A query of zeros has DCG 0 and is still there."""
    assert per_query(ran["rated"], "DCG")["2"] == 0


def test_worst_first(ran: Ran) -> None:
    """Worst first, equal ones by name, each with the DCG printed; frying pan is last."""
    case = CASES["s001-08"]
    assert ran["worst_first"]["query"][: len(case["order"])] == case["order"]
    found = dict(zip(ran["worst_first"]["query"], ran["worst_first"]["DCG"], strict=True))
    for query, value in case["expected"].items():
        assert found[query] == pytest.approx(value, abs=5.1e-7), query


def test_perfect_page(ran: Ran) -> None:
    """Four results of grade 3 are worth 17.93, the most there is."""
    assert {"frying pan": ran["perfect"]} == expected("s001-09")
    assert per_query(ran["scores"], "DCG")["frying pan"] == pytest.approx(ran["perfect"], abs=1e-12)


def test_what_ndcg_cannot_tell(ran: Ran) -> None:
    """Three queries with nDCG 1 have DCG 7.0, 8.56 and 17.93; nDCG A and B have 0.7967 and 0.9595."""
    ndcg, dcg = per_query(ran["scores"], "nDCG"), per_query(ran["scores"], "DCG")
    perfect = ("door", "extension cord", "frying pan")
    assert [ndcg[query] for query in perfect] == pytest.approx([1, 1, 1], abs=1e-12)
    assert [round(dcg[query], 2) for query in perfect] == [7.0, 8.56, 17.93]
    assert (round(ndcg["nDCG A"], 4), round(ndcg["nDCG B"], 4)) == (0.7967, 0.9595)


def test_lost_value(ran: Ran) -> None:
    """Queries come by frequency x (ideal - actual), the greatest first; a perfect one loses nothing."""
    rows = list(ran["lost"])
    assert [row["query"] for row in rows[:2]] == ["camera", "boots"]
    for row in rows:
        assert row["lost"] == pytest.approx(row["frequency"] * (row["ideal"] - row["DCG@4"]), abs=1e-9)
    assert {row["query"]: row["lost"] for row in rows}["frying pan"] == 0


def test_control_and_test(ran: Ran) -> None:
    """The same documents in a better order have the higher DCG, as two systems of one query."""
    compared = ran["compared"]
    found = {system: compared["DCG", system] for system in compared.systems}
    assert found == expected("s001-11")
    assert found["test"] - found["control"] == pytest.approx(1.545604, abs=5.1e-7)
