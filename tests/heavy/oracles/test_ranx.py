"""ranx itself, against the convention ranx."""

from __future__ import annotations

from typing import NamedTuple

import pytest
import ranx

import idealrank as ir
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

pytestmark = pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaWarning")  # said once, when it compiles

SCALES = {"graded": (0, 1, 2, 3), "negative": (-2, -1, 0, 1, 3)}
PLAIN = ("hits", "hit_rate", "precision", "recall", "f1", "mrr", "map", "dcg", "dcg_burges", "ndcg", "ndcg_burges")
NAMES = [*(f"{name}@{k}" for name in PLAIN for k in (1, 3, 10, 1000)), *PLAIN, "r-precision", "rbp.8", "rbp.95"]
CASES = [(seed, scale) for scale in SCALES for seed in range(1400, 1400 + tried(2))]


class Evaluated(NamedTuple):
    """The data in ranx's own order, and ranx's values: by measure and query, and the means."""

    data: Data
    values: dict[str, dict[str, float]]
    means: dict[str, float]


def renamed(data: Data) -> Data:
    """Name the documents otherwise that ranx cannot: it loses a character beyond U+FFFF."""
    return Data(*({q: {d.replace("😀", "smile"): x for d, x in docs.items()} for q, docs in t.items()} for t in data))


def evaluated(data: Data, names: list[str]) -> Evaluated:
    """Run ranx; its sort leaves ties in an order of its own, which is that of the Run object afterwards."""
    qrels, run = ranx.Qrels(data.judgments), ranx.Run(data.results)
    mean = ranx.evaluate(qrels, run, names, make_comparable=True)
    means = mean if isinstance(mean, dict) else {names[0]: mean}
    found = {name: {query: float(value) for query, value in run.scores[name].items()} for name in names}
    order = {query: {str(doc): score for doc, score in docs.items()} for query, docs in run.run.items() if len(docs)}
    others = {query: docs for query, docs in data.results.items() if query not in order}
    return Evaluated(Data(data.judgments, order | others), found, {name: float(mean) for name, mean in means.items()})


@pytest.mark.parametrize(("seed", "scale"), CASES)
def test_measures(seed: int, scale: str, compare: Compare) -> None:
    """Every measure by its own name, query by query and in the mean; queries missing on either side."""
    data, oracle, means = evaluated(renamed(random_data(seed, SCALES[scale], queries=25, depth=30)), NAMES)
    scores = ir.evaluate(data.judgments, data.results, NAMES, convention="ranx")
    for place, name in enumerate(NAMES):
        compare("ranx", values(scores, place), oracle[name], name)
        if not name.startswith("hits"):
            compare("ranx", {"mean": scores[name]}, {"mean": means[name]}, f"mean {name}")


@pytest.mark.parametrize(("seed", "scale"), CASES)
def test_bpref(seed: int, scale: str, compare: Compare) -> None:
    """Bpref is the same where some judged document is relevant and some is not; else ranx divides by zero."""
    data = renamed(random_data(seed, SCALES[scale], queries=25, depth=30))
    fit = {q: d for q, d in data.judgments.items() if {grade >= 1 for grade in d.values()} == {True, False}}
    data, oracle, _ = evaluated(Data(fit, data.results), ["bpref"])
    scores = ir.evaluate(data.judgments, data.results, ["bpref"], convention="ranx")
    compare("ranx", values(scores), oracle["bpref"], "bpref")


def test_grades_are_cut() -> None:
    """A grade of 0.7 counts 0 in ranx, and a grade of 1.9 counts 1."""
    # As long as the longest ids of test_measures: for others numba compiles ranx anew, in seven seconds.
    judgments = renamed(random_data(CASES[0][0], SCALES["graded"], queries=25, depth=30)).judgments
    query, doc = max(judgments, key=len), max((doc for docs in judgments.values() for doc in docs), key=len)
    qrels = ranx.Qrels({query: {doc: 0.7, "b": 1.9}})
    assert dict(qrels.qrels[query]) == {doc: 0, "b": 1}
