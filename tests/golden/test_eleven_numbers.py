"""One query, one ranking, and eleven numbers called NDCG@3: each from conventions_table, to its printed digits."""

from __future__ import annotations

import pytest

import idealrank as ir

GRADES = {"A": 3, "B": 2, "C": 1, "D": 0, "E": 2}
RANKING = ["U", "B", "A", "D", "C"]
"""U is not judged, E is not returned."""

PRINTED = [
    ("0.52488", "trec_eval-9.0.8", "trec_eval-10.0", "pytrec_eval", "ranx", "trectools", "huggingface", "beir"),
    ("0.51890", "gdeval", "ranx, gain=exp2", "elasticsearch", "quepid, ideal_depth=cutoff"),
    ("0.52", "opensearch"),
    ("0.49825", "quepid", "quepid-browser"),
    ("0.73981", "trec_eval-9.0.8, unjudged=filter", "pytrec_eval, unjudged=filter"),
    ("0.64804", "idealrank-1, ideal=local"),
    ("0.58000", "sklearn"),
    ("0.43203", "idealrank-1, ideal=max"),
    ("0.62167", "idealrank-1, discount=log(2)"),
    ("0.46154", "catboost, discount=reciprocal"),
    ("0.29870", "cheat-at-search"),
]
"""The number as printed (scikit-learn's, 0.579996, was printed as .57999, cut off), and the settings it belongs to."""


def table(ranking: list[str], *conventions: str) -> dict[str, float]:
    """Return the value of every setting."""
    judgments, results = ir.from_ranking(ranking, GRADES)
    found = ir.conventions_table(judgments, results, "nDCG@3", conventions=conventions)
    return dict(zip(found["convention"], found["value"], strict=True))


@pytest.mark.parametrize(("printed", "conventions"), [(row[0], row[1:]) for row in PRINTED])
def test_printed(printed: str, conventions: tuple[str, ...]) -> None:
    """Every setting gives the printed number."""
    digits = len(printed) - 2
    assert {f"{value:.{digits}f}" for value in table(RANKING, *conventions).values()} == {printed}


def test_eleven_numbers() -> None:
    """All of them are different."""
    settings = [conventions[0] for _, *conventions in PRINTED]
    assert len({f"{value:.5f}" for value in table(RANKING, *settings).values()}) == 11


@pytest.mark.parametrize(
    ("convention", "printed"), [("sklearn", "0.52488"), ("catboost, discount=reciprocal", "0.42857")]
)
def test_padded(convention: str, printed: str) -> None:
    """Tools that rank the returned documents alone give another number when the missing one is added at the end."""
    assert f"{table([*RANKING, 'E'], convention)[convention]:.5f}" == printed
