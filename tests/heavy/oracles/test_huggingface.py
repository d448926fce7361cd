"""Hugging Face evaluate's trec_eval: what its module calls of trectools, with the line of its source.

evaluate's own part is transcribed (huggingface/evaluate, metrics/trec_eval/trec_eval.py:80-140); trectools is run.
"""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from trectools import TrecEval, TrecQrel, TrecRun

import idealrank as ir
from tests.amounts import tried
from tests.heavy.oracles.test_trectools import _apply_with_keys, shuffled_rows
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data

__all__ = ["_apply_with_keys"]  # the fixture get_rprec needs

pytestmark = pytest.mark.filterwarnings("ignore::pandas.errors.PandasChangeWarning")  # written for pandas 1 and 2

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
SEEDS = range(1500, 1500 + tried(4))


def made(seed: int, *, missing: bool = True) -> Data:
    """Ties that only float32 sees, holes, grades below zero, queries missing on either side."""
    return random_data(seed, (-1, 0, 1, 2, 3), queries=25, depth=30, close=1e-9, missing=missing)


def tool(data: Data, seed: int) -> tuple[TrecEval, dict[str, list[object]]]:
    """trec_eval.py:107-118, the scores as float32; and the rows for our side."""
    rows = shuffled_rows(data, seed)
    run, qrels = TrecRun(), TrecQrel()
    names = ("query", "docid", "rank", "score")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    run.run_data = pandas.DataFrame(columns | {"score": np.array(columns["score"], np.float32), "system": "s"})
    qrels.qrels_data = pandas.DataFrame(
        [(q, d, int(g)) for q, docs in data.judgments.items() for d, g in docs.items()],
        columns=["query", "docid", "rel"],
    )
    return TrecEval(run, qrels), columns


@pytest.mark.parametrize("seed", SEEDS)
def test_means(seed: int, compare: Compare) -> None:
    """trec_eval.py:122-138: the means, but for Rprec, gm_map and bpref."""
    found, rows = tool(data := made(seed), seed)
    oracle = {
        "num_rel_ret": found.get_relevant_retrieved_documents(),
        "map": found.get_map(depth=10000),
        "recip_rank": found.get_reciprocal_rank(depth=1000),
        **{f"P@{k}": found.get_precision(depth=k) for k in CUTOFFS},
        **{f"NDCG@{k}": found.get_ndcg(depth=k) for k in CUTOFFS},
    }
    scores = ir.evaluate(data.judgments, rows, list(oracle), convention="huggingface")
    for name, value in oracle.items():
        compare("Hugging Face evaluate over trectools", {"": scores[name]}, {"": float(value)}, name)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_query_missing(seed: int, compare: Compare) -> None:
    """trec_eval.py:122-130: counts, Rprec and gm_map where every query has results and something relevant."""
    data = made(seed, missing=False)
    for docs in data.judgments.values():
        docs["X relevant"] = 1
    found, rows = tool(data, seed)
    oracle = {
        "num_ret": found.get_retrieved_documents(),
        "num_rel": found.get_relevant_documents(),
        "num_q": len(found.run.topics()),
        "gm_map": found.get_geometric_map(depth=10000),
        "Rprec": found.get_rprec(depth=1000),
    }
    scores = ir.evaluate(data.judgments, rows, list(oracle), convention="huggingface")
    for name, value in oracle.items():
        compare("Hugging Face evaluate over trectools", {"": scores[name]}, {"": float(value)}, name)


@pytest.mark.parametrize("seed", SEEDS)
def test_bpref(seed: int, compare: Compare) -> None:
    """trec_eval.py:129: bpref where every query has a document of grade 0 and none below, which it cannot count."""
    data = made(seed)
    for docs in data.judgments.values():
        docs.update({doc: max(grade, 0) for doc, grade in docs.items()} | {"X not relevant": 0})
    found, rows = tool(data, seed)
    scores = ir.evaluate(data.judgments, rows, ["bpref"], convention="huggingface")
    oracle = float(found.get_bpref(depth=1000))
    compare("Hugging Face evaluate over trectools", {"": scores["bpref"]}, {"": oracle}, "bpref")
