"""Files in any order and form have the scores of an evaluation at once, to the last bit, whether copied or not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import idealrank as ir
from idealrank.distributed.files import Files, evaluate_files
from tests.amounts import costly, tried
from tests.distributed.same import assert_same

MEASURES = ["nDCG@3", "AP", "RR", "Judged@5"]

Rows = Sequence[tuple[int, str, int]]
"""The query, the document, and the grade or the score of each row."""


def _trec(rows: Rows, path: Path, value: str) -> None:
    line = "{} 0 {} {}\n" if value == "grade" else "{} Q0 {} 1 {} s\n"
    path.write_text("# a tool\n" + "".join(line.format(*row) for row in rows))


def _csv(rows: Rows, path: Path, value: str) -> None:
    lines = "".join(f'"{query}.0",{doc},{number},"a\nnote"\r\n' for query, doc, number in rows)
    path.write_text(f"query_id,doc_id,{value},note\r\n{lines}".removesuffix("\r\n"), newline="")


def _jsonl(rows: Rows, path: Path, value: str) -> None:
    path.write_text("".join(json.dumps({value: n, "query_id": str(q), "doc_id": d}) + "\n" for q, d, n in rows))


def _parquet(rows: Rows, path: Path, value: str, kind: str = "int64") -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: list[Any] = [list(column) for column in zip(*rows, strict=True)]
    table = pa.table({"doc_id": columns[1], "query_id": pa.array(columns[0]).cast(kind), value: columns[2]})
    pq.write_table(table, path, row_group_size=4)


def _floats(rows: Rows, path: Path, value: str) -> None:
    _parquet(rows, path, value, "float64")


def _parts(rows: Rows, path: Path, value: str) -> None:
    path.mkdir()
    for number, start in enumerate(range(0, len(rows), 5)):
        _csv(rows[start : start + 5], path / f"part-{number:03}.csv", value)


FORMS: list[Callable[[Rows, Path, str], None]] = [_trec, _csv, _jsonl, _parts, *[_parquet, _floats][: costly(2, 0)]]
"""Parquet is of the last ring."""

ORDERS: dict[str, Callable[[list[tuple[int, str, int]]], Any]] = {
    "grouped": list.sort,
    "backward": lambda rows: rows.sort(key=lambda row: -row[0]),
    "scattered": random.Random(3).shuffle,
    "returning": lambda rows: (rows.sort(), rows.append(rows.pop(0))),
}


@st.composite
def _tables(draw: st.DrawFn, value: str) -> tuple[Rows, Callable[[Rows, Path, str], None], str]:
    pairs = draw(st.sets(st.tuples(st.integers(0, 12), st.sampled_from("abcdef")), min_size=3, max_size=40))
    rows = [(query, doc, draw(st.integers(0, 3))) for query, doc in sorted(pairs | {(1, "a")})]
    ORDERS[draw(st.sampled_from(sorted(ORDERS)))](rows)
    return rows, draw(st.sampled_from(FORMS)), value


@pytest.mark.heavy
@given(_tables("grade"), st.lists(_tables("score"), min_size=1, max_size=2), st.sampled_from([1, 2, 7, 64]))
@settings(max_examples=tried(40))
def test_any_files(tmp_path_factory: pytest.TempPathFactory, judged: Any, returned: Any, buckets: int) -> None:
    """Judgments and one or two systems, each in a form and an order of its own; some queries are only on one side."""
    folder = tmp_path_factory.mktemp("files")
    paths = [folder / f"{name}.txt" for name in ("judged", "one", "two")]
    for path, (rows, write, value) in zip(paths, [judged, *returned], strict=False):
        write(rows, path, value)
    judgments, *results = map(str, paths[: 1 + len(returned)])
    whole = ir.evaluate(judgments, results, MEASURES)
    assert_same(evaluate_files(Files(judgments, results), MEASURES, buckets=buckets), whole)
