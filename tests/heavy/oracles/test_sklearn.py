"""scikit-learn's dcg_score and ndcg_score against the convention sklearn."""

from __future__ import annotations

import pytest
from sklearn.metrics import dcg_score, ndcg_score

import idealrank as ir
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

SCALES = {"graded": (0, 1, 2, 3), "fractional": (0, 0.1, 0.25, 1.7, 3.3)}
CUTOFFS = (None, 1, 2, 3, 5, 10, 100)


def several(data: Data) -> Data:
    """Drop the queries with a single result: scikit-learn refuses a row of one document."""
    return data.subset([query for query, docs in data.results.items() if len(docs) > 1])


def names(measure: str) -> list[str]:
    """Return the measure at every cutoff."""
    return [measure if k is None else f"{measure}@{k}" for k in CUTOFFS]


def rows(data: Data, query: str) -> tuple[list[list[float]], list[list[float]]]:
    """Return y_true and y_score of one query: returned documents only."""
    return [data.grades(query)], [data.scores(query)]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(tried(4)))
def test_dcg(seed: int, scale: str, compare: Compare) -> None:
    """DCG averages over ties, also where the cutoff falls into one."""
    data = several(random_data(500 + seed, SCALES[scale]))
    scores = ir.evaluate(data.judgments, data.results, names("DCG"), convention="sklearn")
    for place, k in enumerate(CUTOFFS):
        oracle = {query: float(dcg_score(*rows(data, query), k=k)) for query in data.both()}
        compare("scikit-learn", values(scores, place), oracle, f"DCG@{k}")


@pytest.mark.parametrize("seed", range(tried(4)))
def test_dcg_with_negative_grades(seed: int, compare: Compare) -> None:
    """DCG sums grades below zero as they are."""
    data = several(random_data(550 + seed, (0, -2, -0.5, 1, 3)))
    scores = ir.evaluate(data.judgments, data.results, names("DCG"), convention="sklearn")
    for place, k in enumerate(CUTOFFS):
        oracle = {query: float(dcg_score(*rows(data, query), k=k)) for query in data.both()}
        compare("scikit-learn", values(scores, place), oracle, f"DCG@{k}")


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(tried(4)))
def test_ndcg(seed: int, scale: str, compare: Compare) -> None:
    """NDCG divides by the returned documents re-sorted."""
    data = several(random_data(600 + seed, SCALES[scale]))
    scores = ir.evaluate(data.judgments, data.results, names("nDCG"), convention="sklearn")
    for place, k in enumerate(CUTOFFS):
        oracle = {query: float(ndcg_score(*rows(data, query), k=k)) for query in data.both()}
        compare("scikit-learn", values(scores, place), oracle, f"nDCG@{k}")


@pytest.mark.parametrize("seed", range(tried(2)))
def test_padded_with_all_judged(seed: int, compare: Compare) -> None:
    """With the judged documents it missed put last, scikit-learn gives our default nDCG with ties averaged."""
    data = random_data(650 + seed)
    queries = data.both()
    padded = {q: {**dict.fromkeys(data.judgments[q], -1.0), **data.results[q]} for q in queries}
    judgments = {q: data.judgments[q] for q in queries}
    for k in (1, 5, 10):
        # A cutoff beyond the results would count missed documents that were put last.
        kept = [q for q in queries if len(data.results[q]) >= k and len(padded[q]) > 1]
        scores = ir.evaluate(
            {q: judgments[q] for q in kept},
            {q: data.results[q] for q in kept},
            [f"nDCG@{k}"],
            ties="average",
            order_by="score",
        )
        full = Data(judgments, padded)
        oracle = {q: float(ndcg_score(*rows(full, q), k=k)) for q in kept}
        compare("scikit-learn", values(scores), oracle, f"padded nDCG@{k}")


def test_ignored_ties_are_not_ties_given() -> None:
    """Of the two highest of one score, ignore_ties=True takes the one given last, ties=given the first."""
    grades, scores = [10.0, 0.0, 0.0, 1.0, 5.0], [1.0, 0.0, 0.0, 0.0, 1.0]
    judgments, results = ({"q": dict(zip("abcde", values, strict=True))} for values in (grades, scores))
    assert ndcg_score([grades], [scores], k=1, ignore_ties=True) == 0.5
    assert ir.evaluate(judgments, results, ["nDCG@1"], convention="sklearn", ties="given")["nDCG@1"] == 1.0
    turned = {"q": dict(reversed(results["q"].items()))}
    assert ir.evaluate(judgments, turned, ["nDCG@1"], convention="sklearn", ties="given")["nDCG@1"] == 0.5
