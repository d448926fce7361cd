"""Time calls inside one process, on the objects a user has in hand; prints JSON.

    python bench/inprocess.py [--runs N] [--data B]

pytrec_eval evaluates ready dicts of dicts (its evaluator is ready too); this program takes
polars frames, pandas frames of Arrow-backed columns, and the same dicts. One warm-up of
each, then N rounds of all.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
import pytrec_eval
from datasets import DATASETS, DataSet

from tools import MEASURES

QRELS = ("query_id", "iteration", "doc_id", "grade")
RUN = ("query_id", "q0", "doc_id", "rank", "score", "tag")
LEFT_OUT = ("iteration", "q0", "rank", "tag")
THEIRS = ("ndcg_cut_10", "map", "recip_rank", "P_10", "recall_100")

Call = Callable[[], object]


def polars_frame(path: str, names: tuple[str, ...]) -> pl.DataFrame:
    """The columns that count, as a polars frame."""
    frame = pl.read_csv(path, separator=" ", has_header=False, new_columns=list(names))
    return frame.drop(name for name in names if name in LEFT_OUT)


def pandas_frame(path: str, names: tuple[str, ...]) -> pd.DataFrame:
    """The columns that count, as a pandas frame of Arrow-backed columns."""
    frame = pd.read_csv(path, sep=" ", header=None, names=list(names), engine="pyarrow", dtype_backend="pyarrow")
    return frame.drop(columns=[name for name in names if name in LEFT_OUT])


def ready_dicts(data: DataSet) -> tuple[dict, dict]:
    """Judgments and results as pytrec_eval parses them."""
    with data.qrels.open() as file:
        qrels = dict(pytrec_eval.parse_qrel(file))
    with data.run.open() as file:
        return qrels, dict(pytrec_eval.parse_run(file))


def their_call(qrels: dict, run: dict) -> Call:
    """pytrec_eval's evaluate on a ready evaluator; its means are made outside the clock."""
    wanted = {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100"}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, wanted)
    return lambda: evaluator.evaluate(run)


def drop_in_call(qrels: dict, run: dict) -> Call:
    """The same call with the drop-in for pytrec_eval."""
    from idealrank.integrations import pytrec_eval as drop_in

    evaluator = drop_in.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100"})
    return lambda: evaluator.evaluate(run)


def our_call(judgments: object, results: object) -> Call:
    """The library's one call under its default, and its means, all inside the clock."""
    import idealrank

    def call() -> list[float]:
        scores = idealrank.evaluate(judgments, results, list(MEASURES))
        return [float(scores[name]) for name in MEASURES]

    return call


def means(answer: object) -> list[float]:
    """The five means of either answer."""
    if isinstance(answer, dict):
        return [float(np.mean([values[name] for values in answer.values()])) for name in THEIRS]
    return list(answer)


def calls(data: DataSet) -> dict[str, Call]:
    """All that is timed, by name."""
    qrels, run = ready_dicts(data)
    named_files = (str(data.qrels), QRELS), (str(data.run), RUN)
    return {
        "pytrec_eval": their_call(qrels, run),
        "polars": our_call(*(polars_frame(*file) for file in named_files)),
        "pandas": our_call(*(pandas_frame(*file) for file in named_files)),
        "dicts": our_call(qrels, run),
        "drop-in": drop_in_call(qrels, run),
    }


def timed(call: Call) -> tuple[float, list[float]]:
    """Seconds of one call, and its means."""
    began = time.perf_counter()
    answer = call()
    took = time.perf_counter() - began
    return took, means(answer)


def main() -> None:
    """Time all calls in turn."""
    parser = argparse.ArgumentParser(description="Time calls inside one process.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--data", choices=DATASETS, default="B")
    args = parser.parse_args()
    named = calls(DATASETS[args.data])
    found: dict[str, dict] = {name: {"seconds": [], "error": ""} for name in named}
    for turn in range(args.runs + 1):
        for name, call in named.items():
            _one(call, found[name], counted=turn > 0)
    print(json.dumps(found))


def _one(call: Call, found: dict, counted: bool) -> None:
    """One call; what failed is not tried again."""
    if found["error"]:
        return
    try:
        seconds, found["means"] = timed(call)
    except Exception as error:  # the benchmark reports, it does not judge
        found["error"] = f"{type(error).__name__}: {error}"
        return
    if counted:
        found["seconds"].append(seconds)


if __name__ == "__main__":
    main()
