"""How costs grow: processor seconds and peak memory of whole processes over rows, queries, systems and measures.

    python bench/growth.py [--only rows|queries|systems|measures] [--rows 100000,1000000,10000000,100000000]

The data come from a seed and are deleted again. Prints a table: the size, the processor seconds, the peak memory, and
both per unit of what grows beyond the smallest size.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from timing import measure

QUERIES_OF_ROWS, DOCUMENTS, JUDGED = 100, 400, 20


def write_tables(folder: Path, queries: int, depth: int, systems: int = 1) -> tuple[str, list[str]]:
    """Write judgments of so many queries and systems of so many results each, in TREC text."""
    rng = np.random.default_rng(7)
    judged = folder / "qrels.txt"
    with judged.open("w") as out:
        for q in range(queries):
            docs, grades = rng.choice(DOCUMENTS, min(JUDGED, 2 * depth), replace=False), rng.integers(0, 4, JUDGED)
            out.writelines(f"q{q} 0 d{d} {g}\n" for d, g in zip(docs.tolist(), grades.tolist(), strict=False))
    files = []
    for s in range(systems):
        path = folder / f"s{s}.run"
        with path.open("w") as out:
            for q in range(queries):
                docs = rng.permutation(DOCUMENTS)[:depth].tolist()
                out.writelines(f"q{q} Q0 d{d} {r} {depth - r} s{s}\n" for r, d in enumerate(docs, 1))
        files.append(str(path))
    return str(judged), files


def sizes(only: str, rows: list[int]) -> Iterator[tuple[str, int, int, int, int, list[str]]]:
    """Yield what grows, its size, queries, depth, systems, and the words of the call."""
    evaluate = ["evaluate", "-m", "nDCG@10"]
    if only in ("", "rows"):
        yield from (("rows", n, n // QUERIES_OF_ROWS, QUERIES_OF_ROWS, 1, evaluate) for n in rows)
    if only in ("", "queries"):
        yield from (("queries", n, n, 1, 1, evaluate) for n in (10, 1_000, 100_000, 1_000_000))
    if only in ("", "systems"):
        yield from (("systems", n, 50, 10, n, ["leaderboard", "-m", "nDCG@10"]) for n in (2, 20, 200, 2_000))
    if only in ("", "measures"):
        for n in (1, 10, 100):
            asked = [word for k in range(1, n + 1) for word in ("-m", f"nDCG@{k}")]
            yield "measures", n, 10_000, 100, 1, ["evaluate", *asked]


def main() -> None:
    """Print how each cost grows."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--rows", default="100000,1000000,10000000")
    args = parser.parse_args()
    print(f"{'what':<10}{'size':>12}{'processor s':>13}{'MB':>8}{'s per unit':>13}{'bytes per unit':>16}")
    first: dict[str, tuple[int, float, float]] = {}
    for what, size, queries, depth, systems, words in sizes(args.only, [int(n) for n in args.rows.split(",")]):
        with tempfile.TemporaryDirectory() as folder:
            judged, files = write_tables(Path(folder), queries, depth, systems)
            source = files if systems < 100 else [folder + "/runs"]
            if systems >= 100:  # a command line has no room for so many names
                (Path(folder) / "runs").mkdir()
                for one in files:
                    Path(one).rename(Path(folder) / "runs" / Path(one).name)
            cost = measure([sys.executable, "-m", "idealrank", *words, judged, *source], {})
        start, cpu, peak = first.setdefault(what, (size, cost.cpu, cost.peak))
        more = size - start
        by = f"{(cost.cpu - cpu) / more:13.2e}{(cost.peak - peak) / more:16.0f}" if more else ""
        print(f"{what:<10}{size:>12,}{cost.cpu:>13.2f}{cost.peak / 1e6:>8.0f}{by}", flush=True)


if __name__ == "__main__":
    main()
