"""Write the benchmark's data sets: seeded, in chunks, as TREC text.

    python bench/generate.py [NAME ...] [--force]

Per query the results are distinct documents in descending score. Scores are multiples
of 1/128, so they are exact in float32 and in the seven decimals written. One score in
twenty equals the score before it; these ties lie in every second query (drawn at
random), so that the other queries can be compared with tools that break ties in no
stated order. About half of a query's judged documents are among its results, mostly
near the top. The judgments come in another query order than the results.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from datasets import DATASETS, DataSet

FIRST_ID, IDS = 1_000_000, 9_000_000
COPRIME_TO_IDS = np.array([1, 7, 11, 13, 17, 19, 23, 29])  # modulo 30; IDS = 2^6 3^2 5^6
UNIT = 128
TAG = b"bm25-b0.4"
ROWS_PER_CHUNK = 1_000_000


@dataclass
class Chunk:
    """Some whole queries: flat columns of result rows and of judgment rows."""

    run_query: np.ndarray
    run_doc: np.ndarray
    run_rank: np.ndarray
    run_score: np.ndarray
    qrel_query: np.ndarray
    qrel_doc: np.ndarray
    qrel_grade: np.ndarray


def documents(rng: np.random.Generator, perm: np.ndarray, queries: int, count: int) -> np.ndarray:
    """Distinct documents per query: a walk with a stride coprime to the id space, permuted."""
    start = rng.integers(0, IDS, (queries, 1))
    stride = 30 * rng.integers(0, IDS // 30, (queries, 1)) + rng.choice(COPRIME_TO_IDS, (queries, 1))
    return perm[(start + stride * np.arange(count)) % IDS]


def scores(rng: np.random.Generator, data: DataSet, queries: int) -> np.ndarray:
    """Descending scores in units of 1/128; the ties lie in half of the queries."""
    gaps = rng.integers(1, 4, (queries, data.depth))
    has_ties = rng.random((queries, 1)) < 0.5
    gaps[has_ties & (rng.random(gaps.shape) < 2 * data.tie_share)] = 0
    gaps[:, 0] = 0
    return rng.integers(25 * UNIT, 45 * UNIT, (queries, 1)) - np.cumsum(gaps, axis=1)


def top_heavy_positions(rng: np.random.Generator, queries: int, depth: int) -> np.ndarray:
    """Per query all positions in a random order that favours the top (weight 1 / (rank + 5))."""
    keys = rng.gumbel(size=(queries, depth)) - np.log(np.arange(depth) + 6.0)
    return np.argsort(-keys, axis=1)


def judged_slots(rng: np.random.Generator, data: DataSet, queries: int) -> tuple[np.ndarray, np.ndarray]:
    """Per query which of its documents are judged (below depth: a result) and which slots count."""
    most = int(np.ceil(data.judged))
    count = int(data.judged) + (rng.random(queries) < data.judged % 1)
    hits = np.minimum(rng.binomial(count, data.hit_share), data.depth)[:, None]
    slot = np.broadcast_to(np.arange(most), (queries, most))
    place = top_heavy_positions(rng, queries, data.depth)[:, np.minimum(np.arange(most), data.depth - 1)]
    chosen = np.where(slot < hits, place, data.depth + slot - hits)
    shuffle = np.argsort(rng.random((queries, most)), axis=1)
    valid = slot < count[:, None]
    return np.take_along_axis(chosen, shuffle, 1), np.take_along_axis(valid, shuffle, 1)


def make_chunk(rng: np.random.Generator, data: DataSet, perm: np.ndarray, ids: np.ndarray) -> Chunk:
    """The rows of the queries `ids`."""
    n = len(ids)
    docs = documents(rng, perm, n, data.depth + int(np.ceil(data.judged)))
    chosen, valid = judged_slots(rng, data, n)
    grades = rng.choice(np.array(data.grades), chosen.shape, p=data.chances)
    return Chunk(
        run_query=np.repeat(ids, data.depth),
        run_doc=docs[:, : data.depth].ravel(),
        run_rank=np.tile(np.arange(1, data.depth + 1), n),
        run_score=scores(rng, data, n).ravel(),
        qrel_query=np.broadcast_to(ids[:, None], chosen.shape)[valid],
        qrel_doc=np.take_along_axis(docs, chosen, 1)[valid],
        qrel_grade=grades[valid],
    )


def make_chunks(data: DataSet) -> Iterator[Chunk]:
    """All queries of a data set in ascending order, some at a time."""
    rng = np.random.default_rng(data.seed)
    perm = (rng.permutation(IDS) + FIRST_ID).astype(np.int32)
    ids = np.sort(rng.choice(IDS, data.queries, replace=False)) + FIRST_ID
    step = max(1, ROWS_PER_CHUNK // data.depth)
    for start in range(0, data.queries, step):
        yield make_chunk(rng, data, perm, ids[start : start + step])


def digits(values: np.ndarray, width: int) -> np.ndarray:
    """Decimal digits as a matrix of bytes, with leading zeros."""
    out = np.empty((len(values), width), np.uint8)
    rest = values.astype(np.int32)
    for column in range(width - 1, -1, -1):
        quotient = rest // 10
        out[:, column] = rest - 10 * quotient + ord("0")
        rest = quotient
    return out


def number_table(limit: int) -> np.ndarray:
    """The bytes of 0 … limit-1, zero bytes in place of leading zeros."""
    width = len(str(limit - 1))
    table = digits(np.arange(limit), width)
    lengths = np.array([len(str(i)) for i in range(limit)])
    table[np.arange(width) < width - lengths[:, None]] = 0
    return table


def lines(columns: list[bytes | np.ndarray], rows: int) -> bytes:
    """Text lines out of constant and per-row byte columns; zero bytes are left out."""
    widths = [len(c) if isinstance(c, bytes) else c.shape[1] for c in columns]
    matrix = np.empty((rows, sum(widths)), np.uint8)
    at = 0
    for column, width in zip(columns, widths, strict=True):
        matrix[:, at : at + width] = np.frombuffer(column, np.uint8) if isinstance(column, bytes) else column
        at += width
    return matrix[matrix != 0].tobytes()


def run_lines(query: np.ndarray, doc: np.ndarray, rank: np.ndarray, score: np.ndarray) -> bytes:
    """TREC run lines."""
    fractions = digits(np.arange(UNIT) * (10**7 // UNIT), 7)
    whole, rest = np.divmod(score, UNIT)
    columns = [
        b"Q", digits(query, 7), b" Q0 D", digits(doc, 7), b" ", number_table(1_001)[rank],
        b" ", number_table(100)[whole], b".", fractions[rest], b" " + TAG + b"\n",
    ]  # fmt: skip
    return lines(columns, len(query))


def qrel_lines(query: np.ndarray, doc: np.ndarray, grade: np.ndarray) -> bytes:
    """TREC qrels lines."""
    sign = np.where(grade < 0, ord("-"), 0).astype(np.uint8)[:, None]
    columns = [b"Q", digits(query, 7), b" 0 D", digits(doc, 7), b" ", sign, digits(np.abs(grade), 1), b"\n"]
    return lines(columns, len(query))


def other_query_order(rng: np.random.Generator, query: np.ndarray) -> np.ndarray:
    """Row order that shuffles the queries and keeps each query's rows together."""
    key = rng.permutation(len(np.unique(query)))
    return np.argsort(key[np.unique(query, return_inverse=True)[1]], kind="stable")


def write_qrels(data: DataSet, columns: list[np.ndarray]) -> int:
    """Write the judgments; returns their number."""
    rng = np.random.default_rng(data.seed + 1_000)
    rows = len(columns[0])
    order = rng.permutation(rows) if data.shuffled else other_query_order(rng, columns[0])
    with data.qrels.open("wb") as file:
        for start in range(0, rows, ROWS_PER_CHUNK):
            part = order[start : start + ROWS_PER_CHUNK]
            file.write(qrel_lines(*(c[part] for c in columns)))
    return rows


def write_run(data: DataSet, chunks: Iterator[Chunk]) -> tuple[int, int, list[np.ndarray]]:
    """Write the results chunk by chunk; returns rows, tied rows and the judgment columns."""
    rows = tied = 0
    qrels: list[list[np.ndarray]] = [[], [], []]
    kept: list[tuple[np.ndarray, ...]] = []
    with data.run.open("wb") as file:
        for chunk in chunks:
            columns = (chunk.run_query, chunk.run_doc, chunk.run_rank, chunk.run_score)
            rows += len(chunk.run_doc)
            tied += int(np.sum((np.diff(chunk.run_score) == 0) & (np.diff(chunk.run_query) == 0)))
            for kind, values in zip(qrels, (chunk.qrel_query, chunk.qrel_doc, chunk.qrel_grade), strict=True):
                kind.append(values)
            if data.shuffled:
                kept.append(columns)
            else:
                file.write(run_lines(*columns))
        if data.shuffled:
            write_shuffled(file, data, [np.concatenate(c) for c in zip(*kept, strict=True)])
    return rows, tied, [np.concatenate(c) for c in qrels]


def write_shuffled(file, data: DataSet, columns: list[np.ndarray]) -> None:
    """Write all result lines in random order."""
    order = np.random.default_rng(data.seed + 2_000).permutation(len(columns[0]))
    for start in range(0, len(order), ROWS_PER_CHUNK):
        part = order[start : start + ROWS_PER_CHUNK]
        file.write(run_lines(*(c[part] for c in columns)))


def generate(data: DataSet) -> None:
    """Write one data set and its manifest (last, so that a broken-off one is made anew)."""
    began = time.perf_counter()
    data.folder.mkdir(parents=True, exist_ok=True)
    data.manifest.unlink(missing_ok=True)
    rows, tied, qrels = write_run(data, make_chunks(data))
    judged = write_qrels(data, qrels)
    facts = {
        "results": rows,
        "tied_with_the_one_before": tied,
        "judgments": judged,
        "run_bytes": data.run.stat().st_size,
        "qrels_bytes": data.qrels.stat().st_size,
    }
    data.manifest.write_text(json.dumps({"made_from": data.stamp(), **facts}, indent=1) + "\n")
    took = time.perf_counter() - began
    print(f"{data.name}: {rows:,} results, {judged:,} judgments, {facts['run_bytes']:,} bytes, {took:.1f} s")


def main() -> None:
    """Generate the named data sets, or all."""
    parser = argparse.ArgumentParser(description="Generate the benchmark's data sets.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(DATASETS)} (default: all)")
    parser.add_argument("--force", action="store_true", help="write anew even when the files are current")
    args = parser.parse_args()
    unknown = set(args.names) - set(DATASETS)
    if unknown:
        sys.exit(f"no data set {', '.join(sorted(unknown))}; there are {', '.join(DATASETS)}")
    for name in args.names or DATASETS:
        if args.force or not DATASETS[name].is_current():
            generate(DATASETS[name])


if __name__ == "__main__":
    main()
