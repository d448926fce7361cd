"""What `idealrank clicks` costs on a log of ten million impressions: seconds and peak memory of whole processes.

    python bench/clicks.py [--rows 10000000] [--runs 1] [--keep FOLDER]

A million searches of ten results for up to 20,000 queries, with a session each, as CSV and, if pyarrow is there, as
Parquet. The log comes from a seed, and is deleted again unless a folder is named. Prints a line per file.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

import numpy as np
from timing import measure

QUERIES, DOCUMENTS, SHOWN = 20_000, 12, 10
NAMES = ("session", "query", "doc", "position", "clicked")


def make_log(rows: int) -> tuple[np.ndarray, ...]:
    """Return session, query, document, position and click of each impression, as numbers."""
    rng = np.random.default_rng(1)
    searches = rows // SHOWN
    query = np.repeat(rng.zipf(1.3, searches).clip(max=QUERIES) - 1, SHOWN)
    place = np.tile(np.arange(SHOWN), searches)
    doc = (place + np.repeat(rng.integers(0, 3, searches), SHOWN)) % DOCUMENTS
    attracts = rng.beta(0.8, 4, (QUERIES, DOCUMENTS))
    clicked = rng.random(len(query)) < (1 + place) ** -0.7 * attracts[query, doc]
    return np.repeat(np.arange(searches), SHOWN), query, query * DOCUMENTS + doc, place + 1, clicked.astype(np.int8)


def write_csv(path: Path, log: tuple[np.ndarray, ...]) -> None:
    """Write the log as CSV."""
    with path.open("w") as out:
        out.write(",".join(NAMES) + "\n")
        for begin in range(0, len(log[0]), 1_000_000):
            part = zip(*(column[begin : begin + 1_000_000].tolist() for column in log), strict=True)
            out.writelines(f"{s},query {q},doc{d},{p},{c}\n" for s, q, d, p, c in part)


def write_parquet(path: Path, log: tuple[np.ndarray, ...]) -> None:
    """Write the log as Parquet: sessions, queries and documents are texts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    session, query, doc, position, clicked = log
    queries = pa.array([f"query {n}" for n in range(QUERIES)])
    docs = pa.array([f"doc{n}" for n in range(QUERIES * DOCUMENTS)])
    columns = [pa.array(session).cast(pa.string()), queries.take(pa.array(query)), docs.take(pa.array(doc))]
    pq.write_table(pa.table(dict(zip(NAMES, [*columns, pa.array(position), pa.array(clicked)], strict=True))), path)


def main() -> None:
    """Print what each file cost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        log = make_log(args.rows)
        files = {"log.csv": write_csv}
        if importlib.util.find_spec("pyarrow"):
            files["log.parquet"] = write_parquet
        for name, write in files.items():
            write(folder / name, log)
        del log  # a child's peak is counted from the memory of its parent
        for name in files:
            words = ["clicks", str(folder / name), "-q", "-o", str(folder / "judgments.csv")]
            for _ in range(args.runs):
                cost = measure([sys.executable, "-m", "idealrank", *words], {})
                size = (folder / name).stat().st_size
                print(
                    f"{name:<12}{size / 1e6:>7.0f} MB{cost.wall:>8.1f} s{cost.cpu:>8.1f} processor s"
                    f"{cost.peak / 1e6:>8.0f} MB peak",
                    flush=True,
                )


if __name__ == "__main__":
    main()
