"""Time single calls of Python on objects at hand, where everything is judged; prints JSON.

    python bench/calls.py [--runs N]

A row of the table is a shape of data in a form. Every tool takes the form it takes best: pytrec_eval and ir_measures
ready dicts (the evaluator of pytrec_eval is made outside the clock), ranx its own tables, made outside the clock and
compiled before, scikit-learn arrays, for its one measure. This program takes the form that the row names, and the
means are in its clock. Times are of the processor, so that a shared machine tells the same; the least of N rounds
counts, the tools in turn. "first call" is a process of its own, with imports.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import pandas as pd
import polars as pl

from tools import MEASURES

SIZES = {"1 × 10": (1, 10), "1,000 × 100": (1000, 100), "5,000 × 100": (5000, 100)}
THEIRS = {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100"}
Call = Callable[[], object]


def dicts(queries: int, depth: int) -> tuple[dict, dict]:
    """Judgments of every document that was returned, as a ranker's or a recommender's data has them; and scores."""
    chance = random.Random(51)
    grades = {f"q{q}": {f"d{q}-{d}": chance.choice((0, 0, 0, 1, 2)) for d in range(depth)} for q in range(queries)}
    return grades, {q: {doc: chance.random() for doc in docs} for q, docs in grades.items()}


def ours(judgments: object, results: object) -> Call:
    """The library's one call under its default, with its means."""
    import idealrank

    return lambda: idealrank.evaluate(judgments, results, list(MEASURES)).means


def our_forms(grades: dict, scores: dict) -> dict[str, Call]:
    """Return the call of this library by the form of its data."""
    import idealrank

    columns = ({"query_id": [], "doc_id": [], "grade": []}, {"query_id": [], "doc_id": [], "score": []})
    for of, table in zip((grades, scores), columns, strict=True):
        for query, documents in of.items():
            table["query_id"] += [query] * len(documents)
            table["doc_id"] += documents
            next(reversed(table.values())).extend(documents.values())
    read = idealrank.read_judgments(pl.DataFrame(columns[0])), idealrank.read_results(pl.DataFrame(columns[1]))
    return {
        "dicts": ours(grades, scores),
        "pandas": ours(*map(pd.DataFrame, columns)),
        "polars": ours(*map(pl.DataFrame, columns)),
        "tables read before": ours(*read),
    }


def peers(grades: dict, scores: dict) -> dict[str, Call]:
    """The calls of other tools, of those that are installed."""
    found: dict[str, Call] = {}
    try:
        import pytrec_eval

        evaluator = pytrec_eval.RelevanceEvaluator(grades, THEIRS)
        found["pytrec_eval"] = lambda: evaluator.evaluate(scores)
    except ImportError:
        pass
    try:
        import ir_measures

        wanted = [ir_measures.parse_measure(name) for name in ("nDCG@10", "AP", "RR", "P@10", "R@100")]
        found["ir_measures"] = lambda: ir_measures.calc_aggregate(wanted, grades, scores)
    except ImportError:
        pass
    try:
        import ranx

        tables = ranx.Qrels({q: {d: int(g) for d, g in of.items()} for q, of in grades.items()}), ranx.Run(scores)
        names = ["ndcg@10", "map", "mrr", "precision@10", "recall@100"]
        found["ranx, compiled"] = lambda: ranx.evaluate(*tables, names)
    except ImportError:
        pass
    try:
        import numpy as np
        from sklearn.metrics import ndcg_score

        arrays = [np.array([list(of.values()) for of in each.values()], float) for each in (grades, scores)]
        found["scikit-learn, nDCG@10 alone"] = lambda: ndcg_score(*arrays, k=10)
    except ImportError:
        pass
    return found


def least(calls: dict[str, Call], runs: int, times: int) -> dict[str, float]:
    """Return the processor's milliseconds of each call, the least of some rounds after one that does not count."""
    best = dict.fromkeys(calls, float("inf"))
    for turn in range(runs + 1):
        for name, call in calls.items():
            began = time.process_time()
            for _ in range(times):
                call()
            took = (time.process_time() - began) / times * 1000
            best[name] = min(best[name], took) if turn else best[name]
    return best


FIRST = {
    "idealrank": "import idealrank as t; t.evaluate({'q': {'a': 1}}, {'q': {'a': 1.0}}, ['nDCG@10'])['nDCG@10']",
    "pytrec_eval": "import pytrec_eval as t; t.RelevanceEvaluator({'q': {'a': 1}}, {'ndcg_cut.10'}).evaluate("
    "{'q': {'a': 1.0}})",
}


def first_calls(runs: int) -> dict[str, float]:
    """Return the processor's milliseconds of a process that evaluates one query, with its imports: the least of all."""
    best = dict.fromkeys(FIRST, float("inf"))
    for _ in range(runs):
        for name, code in FIRST.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", code], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            best[name] = min(best[name], took * 1000)
    return best


def main() -> None:
    """Time all calls."""
    parser = argparse.ArgumentParser(description="Time single calls of Python.")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    found: dict[str, float] = {}
    for size, (queries, depth) in SIZES.items():
        data, times = dicts(queries, depth), 100 if queries == 1 else 1
        theirs, own = (least(calls(*data), args.runs, times) for calls in (peers, our_forms))
        found |= {f"{size}: {name}": took for name, took in {**own, **theirs}.items()}
        if "pytrec_eval" in theirs:
            found |= {f"{size}: {form}, faster": theirs["pytrec_eval"] / took for form, took in own.items()}
    first = first_calls(args.runs)
    found |= {f"first call: {name}": took for name, took in first.items()}
    found["first call: ratio"] = first["idealrank"] / first["pytrec_eval"]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
