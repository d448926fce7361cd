"""XGBoost's and LightGBM's ndcg of given scores, one query a group, against their conventions."""

from __future__ import annotations

import math

import lightgbm
import numpy as np
import pytest
import xgboost

import idealrank as ir
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

CUTOFFS = (1, 2, 3, 5, 10, 30)
SINGLE = 1e-6
"""XGBoost sums in float32."""


def only_returned(data: Data) -> Data:
    """Drop what a group cannot know: judgments of documents that were not returned."""
    judged = {q: {d: data.judgments[q].get(d, 0) for d in data.results[q]} for q in data.both()}
    return Data(judged, {q: data.results[q] for q in judged})


def by_xgboost(data: Data, query: str, minus: str, name: str = "ndcg") -> dict[int, float]:
    """Let XGBoost evaluate a query's scores, which stand as the margins of a model without trees."""
    labels, scores = np.array(data.grades(query)), np.array(data.scores(query))
    group = xgboost.DMatrix(np.zeros((len(labels), 1)), label=labels, base_margin=scores, group=[len(labels)])
    metrics = [f"{name}@{k}{minus}" for k in CUTOFFS]
    params = {"objective": "rank:ndcg" if name == "ndcg" else "rank:map", "eval_metric": metrics, "base_score": 0.0}
    model = xgboost.train(params | {"verbosity": 0}, group, num_boost_round=0)
    said = dict(part.split(":") for part in model.eval(group, "q").split("\t")[1:])
    return {k: float(said[f"q-{name}@{k}{minus}"]) for k in CUTOFFS}


@pytest.mark.parametrize("minus", ["", "-"])
@pytest.mark.parametrize("seed", range(tried(3)))
def test_xgboost(seed: int, minus: str, compare: Compare) -> None:
    """ndcg@k and ndcg@k- of every group; scores that differ less than float32 can tell are tied."""
    data = only_returned(random_data(960 + seed, (0, 1, 2, 3), depth=25, close=1e-9))
    convention = "xgboost-minus" if minus else "xgboost"
    scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}" for k in CUTOFFS], convention=convention)
    oracle = {query: by_xgboost(data, query, minus) for query in data.both()}
    for place, k in enumerate(CUTOFFS):
        wanted = {query: found[k] for query, found in oracle.items()}
        compare("xgboost-cpu", values(scores, place), wanted, f"ndcg@{k}{minus}", SINGLE)


@pytest.mark.parametrize("minus", ["", "-"])
@pytest.mark.parametrize(("theirs", "our"), [("map", "AP"), ("pre", "P")])
@pytest.mark.parametrize("seed", range(tried(2)))
def test_xgboost_of_binary_labels(seed: int, theirs: str, our: str, minus: str, compare: Compare) -> None:
    """map@k and pre@k, with a minus or without, of groups whose labels are 0 and 1."""
    data = only_returned(random_data(980 + seed, (0, 1), depth=25, close=1e-9))
    convention = "xgboost-minus" if minus else "xgboost"
    scores = ir.evaluate(data.judgments, data.results, [f"{our}@{k}" for k in CUTOFFS], convention=convention)
    named = ir.evaluate(data.judgments, data.results, [f"{theirs}@{k}" for k in CUTOFFS], convention=convention)
    assert (named.values == scores.values).all()
    oracle = {query: by_xgboost(data, query, minus, theirs) for query in data.both()}
    for place, k in enumerate(CUTOFFS):
        wanted = {query: found[k] for query, found in oracle.items()}
        compare("xgboost-cpu", values(scores, place), wanted, f"{theirs}@{k}{minus}", SINGLE)


def by_lightgbm(data: Data, query: str, name: str = "ndcg") -> list[float]:
    """Let LightGBM evaluate a query's scores, which stand as the initial scores of a model that cannot grow."""
    labels, scores = np.array(data.grades(query)), np.array(data.scores(query))
    rows = np.zeros((len(labels), 1))
    group = lightgbm.Dataset(rows, labels, group=[len(labels)], init_score=scores, free_raw_data=False)
    params = {"objective": "none", "metric": name, "eval_at": list(CUTOFFS), "verbosity": -1, "min_data_in_leaf": 1}
    booster = lightgbm.Booster(params, group)
    return [value for _, _, value, _ in booster.eval_train()]


@pytest.mark.parametrize("seed", range(tried(3)))
def test_lightgbm(seed: int, compare: Compare) -> None:
    """ndcg@k of every query."""
    data = only_returned(random_data(970 + seed, (0, 1, 2, 3), depth=25))
    scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}" for k in CUTOFFS], convention="lightgbm")
    oracle = {query: by_lightgbm(data, query) for query in data.both()}
    for place, k in enumerate(CUTOFFS):
        wanted = {query: found[place] for query, found in oracle.items()}
        assert not any(math.isnan(value) for value in wanted.values())
        compare("lightgbm", values(scores, place), wanted, f"ndcg@{k}")


@pytest.mark.parametrize("seed", range(tried(3)))
def test_lightgbm_map(seed: int, compare: Compare) -> None:
    """map@k of every query: labels above 0.5 are relevant, and no relevant one counts 1."""
    data = only_returned(random_data(990 + seed, (0, 0.5, 1, 2), depth=25))
    scores = ir.evaluate(data.judgments, data.results, [f"map@{k}" for k in CUTOFFS], convention="lightgbm")
    oracle = {query: by_lightgbm(data, query, "map") for query in data.both()}
    for place, k in enumerate(CUTOFFS):
        compare("lightgbm", values(scores, place), {q: found[place] for q, found in oracle.items()}, f"map@{k}")
