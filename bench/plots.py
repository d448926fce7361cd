"""Time every plot of 10,000 queries in one process; prints JSON.

    python bench/plots.py [--runs N]

Scores and the comparison are ready; a plot is drawn and written as SVG. One warm-up of each, then N rounds of all.
"""

from __future__ import annotations

import argparse
import json
import random
import time

import idealrank as ir
from idealrank.reports.plots import NAMES

QUERIES = 10_000
RESULTS = 8


def compared() -> ir.Comparison:
    """Two systems on judgments of grades 0 to 3, of 15 documents a query in two segments."""
    rng = random.Random(1)
    documents = [f"d{place}" for place in range(15)]
    names = [f"q{place:05}" for place in range(QUERIES)]
    judgments = {query: {doc: rng.choice((0, 0, 1, 2, 3)) for doc in documents} for query in names}
    runs = {
        system: {query: {doc: rng.random() for doc in rng.sample(documents, RESULTS)} for query in names}
        for system in ("before", "after")
    }
    kinds = {"query_id": names, "kind": ["brand", "other"] * (QUERIES // 2)}
    return ir.compare(judgments, runs, ["nDCG@10"], queries=kinds, draws=100)


def timed(name: str, comparison: ir.Comparison) -> float:
    """Processor seconds of one plot, written as SVG."""
    began = time.process_time()
    getattr(ir.plots, name)(comparison).file("svg")
    return time.process_time() - began


def main() -> None:
    """Time all plots in turn."""
    parser = argparse.ArgumentParser(description="Time every plot of 10,000 queries.")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    comparison = compared()
    rounds = [{name: timed(name, comparison) for name in NAMES} for _ in range(args.runs + 1)]
    print(json.dumps({name: [seconds[name] for seconds in rounds[1:]] for name in NAMES}))


if __name__ == "__main__":
    main()
