"""Answers of conventions that the tests of a tool's measures do not tell from another: data on which they differ."""

from __future__ import annotations

import math
import random

import ir_measures
import numpy as np
import pytest

import idealrank as ir
from tests.amounts import tried
from tests.golden.oracles import given
from tests.heavy.oracles.test_heavy import printed, version
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

CUTOFFS = (1, 3, 10, 20)
seeds = pytest.mark.parametrize("seed", range(tried(3)))


@seeds
@pytest.mark.parametrize(
    ("here", "there"),
    [(f"ERR@{k}", f"ERR@{k}") for k in CUTOFFS] + [(f"nDCG@{k}", f"nDCG(dcg='exp-log2')@{k}") for k in CUTOFFS],
)
def test_gdeval(seed: int, here: str, there: str, compare: Compare) -> None:
    """gdeval.pl orders by score, whatever the order of the lines, and its scale ends at 4 where no grade is above 3."""
    drawn = random_data(960 + seed, (0, 1, 2, 3), depth=30, missing=False)
    data = Data(*({str(n): _plain(docs) for n, docs in enumerate(part.values())} for part in drawn))
    relevant = {q: grades for q, grades in data.judgments.items() if any(grades.values())}
    data = Data(
        relevant if "ERR" in here else data.judgments, data.results
    )  # it leaves out the others, ERR here does not
    scores = ir.evaluate(data.judgments, data.results, [here], convention="gdeval")
    told = ir_measures.gdeval.iter_calc([ir_measures.parse_measure(there)], data.judgments, data.results)
    answered = relevant.keys() & {query for query, docs in data.results.items() if docs}
    oracle = {metric.query_id: metric.value for metric in told if metric.query_id in answered}
    compare("ir-measures", values(scores), oracle, f"gdeval.pl {here}", 5.1e-6)


def _plain(docs: dict[str, float]) -> dict[str, float]:
    """Leave out ids the script cannot read."""
    return {doc: value for doc, value in docs.items() if doc.isascii()}


@seeds
def test_quepid_browser_precision(seed: int, compare: Compare) -> None:
    """db/scorers/p@10.js: rated above 0, of the documents shown; queries without results are left out."""
    data = random_data(970 + seed, (0, 1, 2, 3), depth=30)
    for k in CUTOFFS:
        scores = ir.evaluate(data.judgments, data.results, [f"P@{k}"], convention="quepid-browser")
        shown = {q: sorted(data.results[q], key=lambda d, q=q: -data.results[q][d])[:k] for q in data.both()}
        oracle = {q: sum(data.judgments[q].get(d, 0) > 0 for d in docs) / len(docs) for q, docs in shown.items()}
        compare("Quepid browser P (transcribed)", values(scores), oracle, f"P@{k}")


def test_cwl_eval_relevant(compare: Compare) -> None:
    """Its RR of gains between 0 and 1 is the worth of the first gain above 0, over its rank: that is where RR looks."""
    judged = {q: {d: g / 3 for d, g in docs.items() if g >= 0} for q, docs in given.judgments().items()}
    scores = ir.evaluate(judged, given.results(), ["RR"], convention="cwl-eval")
    worth = {q: next((g for d in docs if (g := judged.get(q, {}).get(d, 0))), 0) for q, docs in given.results().items()}
    found = {q: value * worth.get(q, math.nan) for q, value in values(scores).items()}
    oracle = {q: value for q, value in printed("cwl_eval")["graded", "given", "RR"].items() if q in judged}
    compare(version("cwl_eval"), found, oracle, "RR of gains between 0 and 1")


@pytest.mark.parametrize("measure", ["P@3", "NDCG-k@10"])
def test_cwl_eval_topics_nobody_judged(measure: str, compare: Compare) -> None:
    """A topic nobody judged is printed as 0, and so counts in a mean of what is printed."""
    judged = {q: {d: float(g > 0) for d, g in docs.items() if g >= 0} for q, docs in given.judgments().items()}
    scores = ir.evaluate(judged, given.results(), [measure], convention="cwl-eval")
    numbers = printed("cwl_eval")["binary", "given", measure]
    assert not set(numbers) <= set(judged)
    compare(version("cwl_eval"), {"all": scores[measure]}, {"all": math.fsum(numbers.values()) / len(numbers)}, measure)


@seeds
def test_recbole_scores_are_float(seed: int, compare: Compare) -> None:
    """Scores that differ less than float32 can tell are equal: they stay in the order given."""
    data = random_data(980 + seed, (0, 1), depth=30, missing=False, close=1e-9)
    judgments = {q: docs for q, docs in data.judgments.items() if any(docs.values())}
    results = {q: _shuffled(docs, seed) for q, docs in data.results.items() if q in judgments}
    scores = ir.evaluate(judgments, results, ["mrr@10"], convention="recbole")
    oracle = {}
    for query, docs in results.items():
        order = sorted(docs, key=lambda doc, docs=docs: -np.float32(docs[doc]))
        hits = (1 / rank for rank, doc in enumerate(order[:10], 1) if judgments[query].get(doc, 0) > 0)
        oracle[query] = next(hits, 0.0)
    compare("RecBole (transcribed)", values(scores), oracle, "mrr@10 of scores equal as float32")


def _shuffled(docs: dict[str, float], seed: int) -> dict[str, float]:
    names = random.Random(seed).sample(sorted(docs), len(docs))
    return {name: docs[name] for name in names}


@seeds
@pytest.mark.parametrize("measure", ["DCG", "DCG@4", "nDCG@4"])
def test_real_life(seed: int, measure: str, compare: Compare) -> None:
    """Notebook 000: unjudged results go, rank < AT counts, the ideal has AT places; queries are the returned ones."""
    data = random_data(990 + seed, (0, 1, 2, 3), depth=30)
    ranked = [(q, d, rank) for q, docs in data.results.items() for rank, d in enumerate(docs, 1)]
    results = dict(zip(("query_id", "doc_id", "rank"), map(list, zip(*ranked, strict=True)), strict=True))
    scores = ir.evaluate(data.judgments, results, [measure], convention="real-life")
    at = int(measure.partition("@")[2] or 0)
    oracle = {}
    for query in data.both():
        grades = data.judgments[query]
        kept = [grades[doc] for doc in data.results[query] if doc in grades]
        top = sorted(grades.values(), reverse=True)[:at] if measure.startswith("n") else []
        ideal = _dcg(top) if top else 1.0
        oracle[query] = _dcg(kept[: at - 1] if at else kept) / ideal if ideal else 0.0
    compare("notebook 000 (transcribed)", values(scores), oracle, measure)


def _dcg(grades: list[float]) -> float:
    return math.fsum((2**grade - 1) / math.log(rank + 1) for rank, grade in enumerate(grades, 1))
