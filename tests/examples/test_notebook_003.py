"""By hand, CatBoost and scikit-learn: the numbers of notebook 003."""

from __future__ import annotations

import pytest

from tests.examples.running import CASES, Ran, expected, per_query, taught


@pytest.fixture
def ran() -> Ran:
    """The lesson, run."""
    return taught("lesson-one-ranking-three-libraries")


@pytest.mark.parametrize(
    ("identity", "measure"), [("s003-02", "DCG@5"), ("s003-03", "DCG@10"), ("s003-04", "nDCG@5"), ("s003-05", "nDCG@2")]
)
def test_by_hand(ran: Ran, identity: str, measure: str) -> None:
    """A ranking and a dict of grades are enough."""
    assert per_query(ran["scores"], measure) == expected(identity)


def test_grades_in_order(ran: Ran) -> None:
    """The ranking as a list of grades."""
    assert ran["in_order"] == CASES["s003-01"]["expected"]


@pytest.mark.parametrize(
    ("identity", "convention", "measure"),
    [
        ("s003-08", "catboost-exp", "DCG@5"),
        ("s003-09", "catboost-exp", "nDCG@5"),
        ("s003-10", "catboost-exp", "nDCG@2"),
        ("s003-11", "sklearn", "DCG@5"),
        ("s003-12", "sklearn", "nDCG@5"),
        ("s003-13", "sklearn", "nDCG@2"),
        ("s003-14", "catboost", "DCG@5"),
    ],
)
def test_libraries(ran: Ran, identity: str, convention: str, measure: str) -> None:
    """Under its convention each library's number comes out, from a grade, a score and a group a document."""
    (value,) = per_query(ran["libraries"][convention], measure).values()
    assert {"q": value} == expected(identity)


def test_what_differs_is_named(ran: Ran) -> None:
    """CatBoost's two types differ by the gain alone; it and scikit-learn differ by ties and by zeros."""
    base, exp, sklearn = (dict(ran["departures"][name]) for name in ("catboost", "catboost-exp", "sklearn"))
    assert exp.pop("gain") == "exp2"
    assert exp == base
    assert (base["ties"], sklearn["ties"]) == ("worst", "average")
    assert base["no_relevant"] == "1"
    assert "no_relevant" not in sklearn


def test_corners(ran: Ran) -> None:
    """Only zeros 1, nothing returned 0, equal grades 1: three states, three answers."""
    assert {"z": ran["zeros"]} == expected("s003-15")
    assert {"e": ran["nothing"]} == expected("s003-16")
    assert ran["equal"] == pytest.approx(1, abs=1e-12)
