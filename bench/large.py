"""Files larger than memory: `idealrank evaluate --memory` on ten times the rows that are evaluated at once beside it.

    python bench/large.py [--rows 20000000] [--memory 4GB]

So many rows of results, twenty per query, and four judgments per query, in Parquet, evaluated at once; then ten times
as many in ten parts, divided into buckets. Whole processes. Prints seconds, peak memory, processor seconds per million
rows and their ratio as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from datasets import BENCH
from timing import Command, measure

from tools import script

MEASURES = ("nDCG@10", "AP", "P@10")
PARTS, RESULTS, JUDGED = 10, 20, 4


def write(rows: int) -> Path:
    """Parts of results and judgments, each with queries of its own."""
    folder = BENCH / "data" / f"large-{rows}"
    for part in range(PARTS):
        results = folder / "results" / f"part-{part:05d}.parquet"
        if not results.exists():
            _write_part(results, folder / "judgments" / results.name, part, rows // RESULTS)
    return folder


def _write_part(results: Path, judgments: Path, part: int, queries: int) -> None:
    import numpy as np
    import polars as pl

    rng, ids = np.random.default_rng(part), np.arange(part * queries, (part + 1) * queries)
    for path in (results, judgments):
        path.parent.mkdir(parents=True, exist_ok=True)
    for path, many, apart in ((judgments, JUDGED, 5), (results, RESULTS, 1)):
        doc = np.tile(np.arange(many) * apart, queries) * 7 + rng.integers(0, 7, queries * many)
        value = {"grade": rng.integers(0, 4, len(doc))} if path == judgments else {"score": rng.random(len(doc))}
        table = pl.DataFrame({"query_id": np.repeat(ids, many), "doc_id": doc, **value})
        table.write_parquet(unfinished := path.with_suffix(".new"))
        os.replace(unfinished, path)


def command(judgments: Path, results: Path, *more: str) -> Command:
    """The command line."""
    wanted = [part for measure in MEASURES for part in ("-m", measure)]
    return [script("idealrank"), "evaluate", str(judgments), str(results), *wanted, *more], {}


def main() -> None:
    """Print what both cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--memory", default="4GB")
    args = parser.parse_args()
    folder = write(args.rows)
    part = "part-00000.parquet"
    ways = {
        "at once": (command(folder / "judgments" / part, folder / "results" / part), args.rows),
        "in buckets": (command(folder / "judgments", folder / "results", "--memory", args.memory), args.rows * PARTS),
    }
    found: dict[str, float] = {}
    for name, (line, rows) in ways.items():
        cost = measure(*line)
        found |= {f"{name}, rows": rows, f"{name}, seconds": cost.wall, f"{name}, peak GB": cost.peak / 1e9}
        found |= {f"{name}, seconds per million rows": cost.wall / rows * 1e6}
        found |= {f"{name}, processor seconds per million rows": cost.cpu / rows * 1e6}
    found["memory"] = found["in buckets, peak GB"]
    found["row"] = found["in buckets, seconds per million rows"] / found["at once, seconds per million rows"]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
