"""The metrics given to libraries that learn to rank, beside the libraries' own while a small model is trained."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, NamedTuple

import catboost
import lightgbm
import numpy as np
import pytest
import pytrec_eval
import sklearn
import xgboost
from sklearn.linear_model import Ridge
from sklearn.metrics import ndcg_score
from sklearn.model_selection import GroupKFold, cross_val_score

import idealrank as ir
from idealrank.integrations import (
    catboost as ours_catboost,
    lightgbm as ours_lightgbm,
    sklearn as ours_sklearn,
    xgboost as ours_xgboost,
)
from idealrank.integrations.training import group_means
from tests.oracles.conftest import Compare

ROUNDS = 4
PRINTED = 1e-6
QUIET = {"verbosity": -1}


class Rows(NamedTuple):
    """Rows of 50 queries, one after the other; coarse features, so that scores are tied."""

    features: Any
    grades: Any
    groups: Any

    @property
    def sizes(self) -> Any:
        """Rows of each query."""
        return np.bincount(self.groups)


def rows(seed: int, empty: bool = True) -> Rows:
    """Make rows; one query in ten has no relevant document if ``empty``, else every query has one."""
    random = np.random.default_rng(seed)
    groups = np.repeat(np.arange(50), random.integers(2, 40, 50))
    features = random.normal(size=(len(groups), 3)).round()
    grades = np.clip(np.round(features[:, 0] + random.normal(size=len(groups))), 0, 3)
    if empty:
        grades[groups % 10 == 0] = 0
    else:
        grades[np.unique(groups, return_index=True)[1]] = 1
    return Rows(features, grades, groups)


def by_round(values: list[float]) -> dict[str, float]:
    """Name values by their round."""
    return {str(place): float(value) for place, value in enumerate(values)}


@pytest.mark.parametrize("weighted", [False, True])
def test_lightgbm(weighted: bool, compare: Compare) -> None:
    """LightGBM's ndcg@k of each round; weights count (its fault with queries without relevant documents left out)."""
    data, history = rows(1, empty=not weighted), {}
    weights = np.random.default_rng(0).random(len(data.grades)) if weighted else None
    table = lightgbm.Dataset(data.features, data.grades, group=data.sizes, weight=weights)
    settings = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [3, 10], "min_data_in_leaf": 5, "verbosity": -1}
    lightgbm.train(
        settings, table, ROUNDS, [table], ["t"], ours_lightgbm.feval("nDCG@3,10"),
        callbacks=[lightgbm.record_evaluation(history)],
    )  # fmt: skip
    for k in (3, 10):
        compare(
            "lightgbm", by_round(history["t"][f"nDCG@{k}"]), by_round(history["t"][f"ndcg@{k}"]), f"nDCG@{k}",
            PRINTED if weighted else 1e-12,
        )  # fmt: skip


@pytest.mark.parametrize(("minus", "weighted"), [("", False), ("-", False), ("", True)])
def test_xgboost(minus: str, weighted: bool, compare: Compare) -> None:
    """XGBoost's ndcg@k and ndcg@k- of each round; weights of groups count."""
    data, history = rows(2, empty=not weighted), {}
    weights = np.random.default_rng(0).random(len(data.sizes)) if weighted else None
    table = xgboost.DMatrix(data.features, label=data.grades, qid=data.groups, weight=weights)
    xgboost.train(
        {"objective": "rank:ndcg", "eval_metric": [f"ndcg@3{minus}", f"ndcg@10{minus}"]}, table, ROUNDS,
        evals=[(table, "t")], evals_result=history, verbose_eval=False,
        custom_metric=ours_xgboost.custom_metric("nDCG@3,10", convention="xgboost-minus" if minus else "xgboost"),
    )  # fmt: skip
    for k in (3, 10):
        found, wanted = history["t"][f"nDCG@{k}"], history["t"][f"ndcg@{k}{minus}"]
        compare("xgboost-cpu", by_round(found), by_round(wanted), f"nDCG@{k}", PRINTED)


@pytest.mark.parametrize("kind", ["Base", "Exp"])
@pytest.mark.parametrize("weights", ["", "weight", "group_weight"])
def test_catboost(weights: str, kind: str, compare: Compare) -> None:
    """CatBoost's NDCG of each round, of both pools; weights of groups count, those of rows do not."""
    made = []
    for seed in (3, 4):
        data, random = rows(seed), np.random.default_rng(seed)
        given = {"": {}, "weight": random.random(len(data.grades)), "group_weight": random.random(50)[data.groups]}
        options = {weights: given[weights]} if weights else {}
        made.append(catboost.Pool(data.features, data.grades, group_id=data.groups, **options))
    metric = ours_catboost.CustomMetric("nDCG@5", *made, convention="catboost" if kind == "Base" else "catboost-exp")
    name = f"NDCG:top=5;type={kind}"
    model = catboost.CatBoost(
        {
            "loss_function": "QueryRMSE", "custom_metric": f"{name};hints=skip_train~false", "eval_metric": metric,
            "iterations": ROUNDS, "verbose": False, "allow_writing_files": False, "depth": 3,
        }
    )  # fmt: skip
    for part, history in model.fit(made[0], eval_set=made[1]).get_evals_result().items():
        for theirs in (key for key in history if key.startswith("NDCG") and "top=5" in key):
            compare("catboost", by_round(history["CustomMetric"]), by_round(history[theirs]), f"{part} {theirs}")


def test_sklearn(compare: Compare) -> None:
    """The mean of ndcg_score over the queries of each fold."""
    data, folds = rows(5, empty=False), GroupKFold(3)
    wanted = []
    for learnt, held in folds.split(data.features, data.grades, data.groups):
        predicted = Ridge().fit(data.features[learnt], data.grades[learnt]).predict(data.features[held])
        parts = [data.groups[held] == group for group in np.unique(data.groups[held])]
        wanted.append(np.mean([ndcg_score([data.grades[held][part]], [predicted[part]], k=10) for part in parts]))
    with sklearn.config_context(enable_metadata_routing=True):
        found = cross_val_score(
            Ridge(), data.features, data.grades, cv=folds, scoring=ours_sklearn.scorer("nDCG@10"),
            params={"groups": data.groups},
        )  # fmt: skip
    compare("scikit-learn", by_round(found), by_round(wanted), "mean of ndcg_score")


def test_any_other_convention(compare: Compare) -> None:
    """Asked for trec_eval's AP, a metric gives pytrec_eval's."""
    data = rows(6)
    scores = data.features[:, 0] + data.features[:, 1] / 8
    found = group_means(["AP", "nDCG@10"], "pytrec_eval")(data.grades, scores, data.groups)
    judged: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for row, (grade, score, group) in enumerate(zip(data.grades, scores, data.groups, strict=True)):
        judged.setdefault(str(group), {})[f"d{row:06d}"] = int(grade)
        run.setdefault(str(group), {})[f"d{row:06d}"] = float(score)
    values = pytrec_eval.RelevanceEvaluator(judged, {"map", "ndcg_cut.10"}).evaluate(run).values()
    wanted = {"AP": [v["map"] for v in values], "nDCG@10": [v["ndcg_cut_10"] for v in values]}
    compare("pytrec-eval-terrier", found, {name: float(np.mean(each)) for name, each in wanted.items()}, "means")


def test_less_is_better() -> None:
    """Where a lower number is better, each library is told so."""
    data = rows(7)
    pool = catboost.Pool(data.features, data.grades, group_id=data.groups)
    assert ours_catboost.CustomMetric("nDCG@5", pool).is_max_optimal()
    assert not ours_catboost.CustomMetric("ARP", pool, convention="idealrank-1").is_max_optimal()
    table = lightgbm.Dataset(data.features, data.grades, group=data.sizes, params=QUIET).construct()
    said = ours_lightgbm.feval(["ARP", "RR"], convention="idealrank-1")(data.features[:, 0], table)
    assert [higher for _, _, higher in said] == [False, True]
    model = Ridge().fit(data.features, data.grades)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = ours_sklearn.scorer("ARP", convention="idealrank-1")
        assert scorer(model, data.features, data.grades, groups=data.groups) < 0


def test_refused() -> None:
    """What cannot be meant is refused when the metric is made, and data without groups when it is asked."""
    data = rows(8)
    with pytest.raises(ir.UsageError, match="Did you mean nDCG"):
        ours_lightgbm.feval("nDGC@10")
    with pytest.raises(ir.UsageError, match="not supported under xgboost"):
        ours_xgboost.custom_metric("RR")
    with pytest.raises(ir.UsageError, match="2 measures given, but only one is allowed"):
        ours_sklearn.scorer("nDCG@5,10")
    with pytest.raises(ir.DataError, match=r"no groups.*lightgbm\.Dataset"):
        ours_lightgbm.feval()(data.grades, lightgbm.Dataset(data.features, data.grades, params=QUIET).construct())
    with pytest.raises(ir.DataError, match=r"no groups.*xgboost\.DMatrix"):
        ours_xgboost.custom_metric()(data.grades, xgboost.DMatrix(data.features, label=data.grades))
    with pytest.raises(ir.DataError, match="no targets or no groups"):
        ours_catboost.CustomMetric("nDCG@5", catboost.Pool(data.features, data.grades))
    with pytest.raises(ir.DataError, match="enable_metadata_routing"):
        ours_sklearn.scorer()(Ridge().fit(data.features, data.grades), data.features, data.grades)


@pytest.mark.parametrize("weighted", [False, True])
def test_lgbm_ranker(compare: Compare, weighted: bool) -> None:
    """LGBMRanker tells its metric the groups: each round is its own ndcg@5 (it keeps weights as float32)."""
    train, test = rows(8, empty=not weighted), rows(18, empty=not weighted)
    weights = np.random.default_rng(8).uniform(0.5, 2.0, len(test.grades)) if weighted else None
    ranker = lightgbm.LGBMRanker(n_estimators=4, min_child_samples=1, random_state=1, verbosity=-1)
    ranker.fit(
        train.features, train.grades, group=train.sizes, eval_X=test.features, eval_y=test.grades,
        eval_group=[test.sizes], eval_sample_weight=None if weights is None else [weights], eval_at=[5],
        eval_metric=ours_lightgbm.feval("nDCG@5"),
    )  # fmt: skip
    (found,) = ranker.evals_result_.values()
    ours, native = (by_round(found[name]) for name in ("nDCG@5", "ndcg@5"))
    compare("lightgbm", ours, native, f"LGBMRanker, weighted={weighted}", PRINTED if weighted else 1e-12)


def test_catboost_ranker(compare: Compare) -> None:
    """CatBoostRanker takes the metric as CatBoost does: each round is its own NDCG:top=5."""
    pools = [catboost.Pool(data.features, data.grades, group_id=data.groups) for data in (rows(8), rows(18))]
    found = []
    for metric, name in ((ours_catboost.CustomMetric("nDCG@5", *pools), "CustomMetric"), ("NDCG:top=5", "NDCG")):
        ranker = catboost.CatBoostRanker(
            iterations=4, loss_function="QueryRMSE", eval_metric=metric, random_seed=1, verbose=False,
            allow_writing_files=False,
        )  # fmt: skip
        ranker.fit(pools[0], eval_set=pools[1])
        rounds = next(values for key, values in ranker.get_evals_result()["validation"].items() if name in key)
        found.append(by_round(rounds))
    compare("catboost", *found, "CatBoostRanker")


def test_arrays_are_refused() -> None:
    """XGBRanker calls eval_metric= with labels and predictions of a group: the metric says what to call instead."""
    data = rows(8)
    with pytest.raises(ir.UsageError, match=r"custom_metric was called with ndarray.*xgboost\.train"):
        ours_xgboost.custom_metric()(data.grades, data.features[:, 0])


def test_pools_are_known_by_their_targets() -> None:
    """Two pools of the same targets and other groups cannot be told apart; targets of no pool are refused."""
    data = rows(9)
    pools = [catboost.Pool(data.features, data.grades, group_id=data.groups // n) for n in (1, 2)]
    with pytest.raises(ir.UsageError, match="same targets but different groups"):
        ours_catboost.CustomMetric("nDCG@5", *pools)
    metric = ours_catboost.CustomMetric("nDCG@5", pools[0], pools[0])
    with pytest.raises(ir.DataError, match="these 3 targets"):
        metric.evaluate([np.zeros(3)], np.zeros(3), None)


@pytest.mark.parametrize("library", ["catboost", "lightgbm", "sklearn", "xgboost"])
def test_nothing_is_imported_that_is_not_called(library: str) -> None:
    """Importing the package, or a library's module here, imports none of these libraries."""
    code = f"import sys, idealrank.integrations.{library}; print({library!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
