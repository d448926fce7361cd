"""One small data set, and every file it may come in."""

from __future__ import annotations

import gzip
import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

JUDGMENTS = {
    "query": [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3],
    "doc": ["doc_1", "doc_2", "doc_3"] * 4,
    "grade": [3, 2, 1, 10, 9, 8, 3, 2, 1, 3, 2, 1],
}
RESULTS = {
    "query": [0, 0, 0, 0, 0, 1, 1, 2, 2, 3],
    "doc": ["doc_2", "doc_1", "doc_10", "doc_11", "doc_12", "doc_2", "doc_1", "doc_2", "doc_1", "doc_3"],
    "rank": [1, 2, 3, 4, 5, 1, 2, 1, 2, 1],
    "score": [9.5, 8.5, 7.5, 6.5, 5.5, 9.5, 8.5, 9.5, 8.5, 9.5],
}
"""The fictitious data of notebook 004, In [18], with scores that fall with the rank."""

_THIRD = math.log2(3)
NDCG = {
    "0": (2 + 3 / _THIRD) / (3 + 2 / _THIRD + 1 / 2),
    "1": (9 + 10 / _THIRD) / (10 + 9 / _THIRD + 8 / 2),
    "2": (2 + 3 / _THIRD) / (3 + 2 / _THIRD + 1 / 2),
    "3": 1 / (3 + 2 / _THIRD + 1 / 2),
}
PRINTED = {"0": 0.817494, "1": 0.777976, "2": 0.817494, "3": 0.210002}
"""nDCG@5 per query: in closed form, and as the notebook prints it."""
PRECISION = {"0": 0.4, "1": 0.4, "2": 0.4, "3": 0.2}
MEASURES = ["nDCG@5", "P@5"]

Rows = dict[str, list[Any]]
Form = Callable[[Rows, str, Path], Any]
FILES: dict[str, Form] = {}


def named(rows: Rows, side: str) -> Rows:
    """Return the rows under names people use, which differ from side to side."""
    if side == "judgments":
        return {"query_id": rows["query"], "doc_id": rows["doc"], "relevance": rows["grade"]}
    return {"qid": rows["query"], "docno": rows["doc"], "rank": rows["rank"], "score": rows["score"]}


def form(registry: dict[str, Form], name: str) -> Callable[[Form], Form]:
    """Register a form under its name."""

    def register(make: Form) -> Form:
        registry[name] = make
        return make

    return register


def trec_lines(rows: Rows, side: str) -> list[str]:
    """Write TREC text: query 0 doc grade, or query Q0 doc rank score system."""
    if side == "judgments":
        return [f"{q} 0 {d} {g}" for q, d, g in zip(*rows.values(), strict=True)]
    return [f"{q} Q0 {d} {r} {s} bm25" for q, d, r, s in zip(*rows.values(), strict=True)]


def _mixed(lines: list[str]) -> str:
    blanks = itertools.cycle([" ", "\t", "   ", " \t "])
    return "".join("  " + "".join(word + next(blanks) for word in line.split(" ")) + "\n" for line in lines)


TREC: dict[str, Callable[[list[str]], bytes]] = {
    "plain": lambda lines: ("\n".join(lines) + "\n").encode(),
    "no last newline": lambda lines: "\n".join(lines).encode(),
    "tabs": lambda lines: ("\n".join(lines) + "\n").replace(" ", "\t").encode(),
    "any blanks": lambda lines: _mixed(lines).encode(),
    "CRLF": lambda lines: ("\r\n".join(lines) + "\r\n").encode(),
    "BOM": lambda lines: b"\xef\xbb\xbf" + "\n".join(lines).encode(),
    "comments": lambda lines: ("# made by hand\n\n" + "\n  # and\n \n".join(lines) + "\n#end").encode(),
    "gz": lambda lines: gzip.compress("\n".join(lines).encode()),
    "gz of several members": lambda lines: b"".join(gzip.compress(f"{line}\n".encode()) for line in lines),
    "zst": lambda lines: zst("\n".join(lines).encode()),
    "zst of several frames": lambda lines: b"".join(zst(f"{line}\n".encode()) for line in lines),
}
"""Ways to write the lines of TREC text."""


def zst(data: bytes) -> bytes:
    """Write a frame of zstd whose blocks are stored as they are (RFC 8878, 3.1.1)."""
    most = 1 << 17
    parts = [data[start : start + most] for start in range(0, len(data), most)] or [b""]
    blocks = (
        (len(part) << 3 | (place == len(parts))).to_bytes(3, "little") + part for place, part in enumerate(parts, 1)
    )
    return b"\x28\xb5\x2f\xfd\xa0" + len(data).to_bytes(4, "little") + b"".join(blocks)


def written(folder: Path, name: str, data: bytes) -> str:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(data)
    return str(path)


for _name, _write in TREC.items():

    @form(FILES, f"TREC {_name}")
    def _(rows: Rows, side: str, folder: Path, write: Any = _write) -> str:
        return written(folder, f"{side}.trec", write(trec_lines(rows, side)))


def delimited(rows: Rows, delimiter: str, line_end: str = "\n", quote: str = "") -> str:
    """Write delimited text with a header."""
    lines = [list(rows), *zip(*rows.values(), strict=True)]
    return "".join(delimiter.join(f"{quote}{cell}{quote}" for cell in line) + line_end for line in lines)


def _with_floats(rows: Rows) -> Rows:
    first = next(iter(rows))
    return {**rows, first: [f"{value}.0" for value in rows[first]]}


DELIMITED: dict[str, Callable[[Rows], bytes]] = {
    "CSV": lambda rows: delimited(rows, ",").encode(),
    "TSV": lambda rows: delimited(rows, "\t").encode(),
    "bars": lambda rows: delimited(rows, "|").encode(),
    "semicolons": lambda rows: delimited(rows, ";").encode(),
    "CSV quoted, CRLF": lambda rows: delimited(rows, ",", "\r\n", '"').encode(),
    "CSV with BOM": lambda rows: b"\xef\xbb\xbf" + delimited(rows, ",").encode(),
    "CSV gz": lambda rows: gzip.compress(delimited(rows, ",").encode()),
    "CSV zst": lambda rows: zst(delimited(rows, ",").encode()),
    "CSV with comments above": lambda rows: ("# made by hand\n# in 2024\n" + delimited(rows, ",")).encode(),
    "CSV with comments above, gz": lambda rows: gzip.compress(("# by hand\n" + delimited(rows, ",")).encode()),
    "CSV with a # header": lambda rows: ("#" + delimited(rows, ",")).encode(),
    "CSV with whole floats as ids": lambda rows: delimited(_with_floats(rows), ",").encode(),
    "CSV with an index": lambda rows: delimited(
        {"": list(range(len(next(iter(rows.values()))))), **rows}, ","
    ).encode(),
}
"""Ways to write a table as delimited text."""

for _name, _table in DELIMITED.items():

    @form(FILES, _name)
    def _(rows: Rows, side: str, folder: Path, write: Any = _table) -> str:
        return written(folder, f"{side}.csv", write(named(rows, side)))


def unnamed(rows: Rows, side: str, value: str) -> list[str]:
    """Write lines of query, document and grade, or query, document and rank or score."""
    columns = [rows["query"], rows["doc"], rows["grade" if side == "judgments" else value]]
    return [" ".join(map(str, row)) for row in zip(*columns, strict=True)]


UNNAMED: dict[str, Callable[[Rows, str], str]] = {
    "three columns, ranks": lambda rows, side: "\n".join(unnamed(rows, side, "rank")),
    "three columns, scores": lambda rows, side: "# by hand\n" + "\n".join(unnamed(rows, side, "score")) + "\n",
    "three columns, tabs": lambda rows, side: "\n".join(unnamed(rows, side, "rank")).replace(" ", "\t"),
    "three columns, CSV with CRLF": lambda rows, side: "\r\n".join(unnamed(rows, side, "score")).replace(" ", ","),
    "five fields": lambda rows, side: "\n".join(trec_lines(rows, side)).replace(" Q0", ""),
}
"""Ways to write lines without column names."""

for _name, _lines in UNNAMED.items():

    @form(FILES, _name)
    def _(rows: Rows, side: str, folder: Path, write: Any = _lines) -> str:
        return written(folder, f"{side}.txt", gzip.compress(b"\xef\xbb\xbf" + write(rows, side).encode()))


def records(rows: Rows, side: str) -> list[dict[str, Any]]:
    """Return one dict a row."""
    table = named(rows, side)
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def _jsonl(rows: Rows, side: str) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records(rows, side)).encode()


@form(FILES, "JSONL")
def _(rows: Rows, side: str, folder: Path) -> str:
    return written(folder, f"{side}.jsonl", _jsonl(rows, side))


@form(FILES, "JSONL gz")
def _(rows: Rows, side: str, folder: Path) -> str:
    return written(folder, f"{side}.jsonl.gz", gzip.compress(_jsonl(rows, side)))
