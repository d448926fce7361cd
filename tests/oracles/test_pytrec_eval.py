"""pytrec_eval-terrier, which runs trec_eval 9.0.8's own code, against the convention trec_eval-9.0.8."""

from __future__ import annotations

import re

import pytest
import pytrec_eval

import idealrank as ir
from idealrank.conventions import CONVENTIONS
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

CUTOFFS = "1,2,3,5,10,20,100,1000"
MEASURES = {
    *("ndcg", "map", "recip_rank", "Rprec", "bpref", "set_P", "set_recall", "set_F"),
    *("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "set_map", "set_relative_P"),
    *("infAP", "11pt_avg", "binG", "G", "ndcg_rel", "Rndcg", "utility"),
    *("Rprec_mult.0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0", "iprec_at_recall.0.0,0.1,0.25,0.3,0.5,0.7,0.99,1.0"),
    *(f"{name}.{CUTOFFS}" for name in ("ndcg_cut", "map_cut", "P", "recall", "success", "relative_P")),
}
SCALES = {"binary": (0, 1), "graded": (0, 1, 2, 3), "negative": (0, -2, -1, 1, 2, 4), "high": (0, 2, 7, 1000)}


SPELT_OTHERWISE = {
    "retriever-rprec": "Rprec",
    "retriever-infap": "infAP",
    "retriever-bing": "binG",
    "retriever-g": "G",
    "retriever-rndcg": "Rndcg",
    "retriever-set-p": "set_P",
    "retriever-set-relative-p": "set_relative_P",
    "retriever-set-f": "set_F",
}
"""Names of NeMo Evaluator whose letters are capitals in pytrec_eval."""


def check(data: Data, compare: Compare, relevant_from: int, **options: str) -> None:
    """Compare every measure of every query."""
    for grades in data.judgments.values():
        if max(grades.values()) < -1:  # on such a query pytrec_eval 0.5.11 writes outside its memory
            grades[next(iter(grades))] = -1
    evaluator = pytrec_eval.RelevanceEvaluator(data.judgments, MEASURES, relevance_level=relevant_from)
    oracle = evaluator.evaluate(data.results)
    names = sorted({name for found in oracle.values() for name in found})
    scores = ir.evaluate(
        data.judgments, data.results, names, convention="trec_eval-9.0.8", relevant_from=relevant_from, **options
    )
    for place, name in enumerate(names):
        expected = {query: found[name] for query, found in oracle.items()}
        compare("pytrec-eval-terrier", values(scores, place), expected, name)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(tried(6)))
def test_every_measure(seed: int, scale: str, compare: Compare) -> None:
    """Every measure of every query equals trec_eval 9.0.8's, grades below zero included."""
    check(random_data(seed, SCALES[scale]), compare, 1)


@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("seed", range(tried(3)))
def test_relevance_level(seed: int, level: int, compare: Compare) -> None:
    """A higher relevance level moves the binary measures and leaves nDCG alone, as -l does."""
    check(random_data(100 + seed, SCALES["graded"]), compare, level)


@pytest.mark.parametrize("close", [1e-9, 1e-12])
@pytest.mark.parametrize("seed", range(tried(3)))
def test_scores_equal_as_float(seed: int, close: float, compare: Compare) -> None:
    """Scores that differ by less than a float can hold are ties."""
    check(random_data(200 + seed, SCALES["graded"], close=close), compare, 1)


def test_scores_equal_as_float_matter() -> None:
    """The tie that float32 makes changes the order: trec_eval 10.0 sees none."""
    judgments, results = {"q": {"a": 1, "b": 0}}, {"q": {"a": 0.123456789, "b": 0.123456788}}
    old, new = (ir.evaluate(judgments, results, ["RR"], convention=f"trec_eval-{v}")["RR"] for v in ("9.0.8", "10.0"))
    assert (old, new) == (0.5, 1.0)


def test_deep_lists(compare: Compare) -> None:
    """Lists of a thousand results, beyond every cutoff's reach, give the same sums."""
    check(random_data(300, SCALES["graded"], queries=12, depth=1500), compare, 1)


@pytest.mark.parametrize("seed", range(tried(2)))
def test_the_convention_of_its_own(seed: int, compare: Compare) -> None:
    """The convention pytrec_eval gives its values, and leaves out what its output leaves out."""
    data = random_data(190 + seed)
    oracle = pytrec_eval.RelevanceEvaluator(data.judgments, MEASURES).evaluate(data.results)
    names = sorted({name for found in oracle.values() for name in found})
    scores = ir.evaluate(data.judgments, data.results, names, convention="pytrec_eval")
    for place, name in enumerate(names):
        wanted = {query: found[name] for query, found in oracle.items()}
        compare("pytrec-eval-terrier", values(scores, place), wanted, name)


def test_nemo(compare: Compare) -> None:
    """NeMo Evaluator gives pytrec_eval these names of measures (handlers/retriever.py of NVIDIA-NeMo/nemo-platform)."""
    data, asked = random_data(190), {}
    for theirs in CONVENTIONS["nemo"].names:
        whole = SPELT_OTHERWISE.get(theirs) or theirs.removeprefix("retriever-").replace("-", "_")
        asked[theirs] = re.sub(r"^p_", "P_", whole)
    families = {re.sub(r"_(\d+)$", r".\1", name) for name in asked.values()}
    oracle = pytrec_eval.RelevanceEvaluator(data.judgments, families).evaluate(data.results)
    scores = ir.evaluate(data.judgments, data.results, list(asked), convention="nemo")
    for place, name in enumerate(asked.values()):
        wanted = {query: found[name] for query, found in oracle.items()}
        compare("pytrec-eval-terrier", values(scores, place), wanted, name)


@pytest.mark.parametrize("x", ["0.5", "2", "4.0"])
def test_set_f(x: str, compare: Compare) -> None:
    """trec_eval's set_F.x is F with beta = sqrt(x); `F(beta=2)` is what it calls set_F.4."""
    data = random_data(130)
    oracle = pytrec_eval.RelevanceEvaluator(data.judgments, {f"set_F.{x}"}).evaluate(data.results)
    for name in (f"set_F.{x}", f"set_F_{x}", f"F(beta={float(x) ** 0.5!r})"):
        scores = ir.evaluate(data.judgments, data.results, [name], convention="trec_eval-9.0.8")
        compare("pytrec-eval-terrier", values(scores), {q: found["set_F"] for q, found in oracle.items()}, name)


def test_set_f_refuses() -> None:
    """Behind the point of set_F stands one number above 0."""
    for x in ("x", "0", "-1", "2,3", "inf"):
        with pytest.raises(ir.UsageError, match="beta squared"):
            ir.measure(f"set_F.{x}")
