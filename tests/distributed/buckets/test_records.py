"""Rows of files in any form and order come in the bucket of their query, in their order, and know their places."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank._core import BadInput
from idealrank.distributed import division
from idealrank.distributed.division import divide_files
from tests.distributed.buckets.reading import (
    ALL_FORMS,
    FORMS,
    Rows,
    bucket_rows,
    csv,
    docs,
    every,
    judged,
    parquet,
    rows_of,
    together,
    trec,
)
from tests.distributed.buckets.test_union import check

GROUPED = [(at // 5, f"d{at}") for at in range(100)]
"""All rows of a query stand together."""


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("name", ALL_FORMS)
def test_rows_of_a_query_are_together(tmp_path: Path, name: str, late: bool) -> None:
    """The rows of a query are in one bucket, with its judgments, also where one stands at the end of the file."""
    rows = [*GROUPED, (0, "late")] if late else GROUPED
    FORMS[name](rows, tmp_path / name)
    buckets = docs(judged(tmp_path, [at * 7 % 20 for at in range(20)]), [tmp_path / name], 7)
    together(buckets, rows)
    assert max(len(bucket[1]) for bucket in buckets) < 60


def test_queries_of_one_side(tmp_path: Path) -> None:
    """Queries that only one side has are in some bucket all the same."""
    trec([(query, doc) for query, doc in GROUPED if query % 3], tmp_path / "r.run")
    buckets = docs(judged(tmp_path, range(0, 40, 2)), [tmp_path / "r.run"], 5)
    assert sorted(int(doc) for bucket in buckets for doc in bucket[0]) == list(range(0, 40, 2))
    assert sum(len(bucket[1]) for bucket in buckets) == sum(query % 3 > 0 for query, _ in GROUPED)


TEXTS = {
    "CRLF": 'query_id,doc_id\r\n1,a\r\n1,"b\r\nb"\r\n\r\n2,c\r\n3,d\r\n',
    "no last line end": "query_id,doc_id\n1,a\n2,b\n3,c",
    "quotes": 'query_id,doc_id\n"1","a\n2,x\n""3"",y"\n"2,",b\n"3\n3",c\n4,d\n',
    "marked": "\ufeffquery_id,doc_id\n1,a\n2,b\n3,c\n",
    "blank rows": "query_id,doc_id\n\n1,a\n\n\n2,b\n3,c\n\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_text(tmp_path: Path, name: str) -> None:
    """Line ends, quotes over several lines, a byte order mark and blank lines are read as in the whole file."""
    (tmp_path / "r.csv").write_text(TEXTS[name], newline="")
    (tmp_path / "j.csv").write_text("query_id,doc_id,grade\n1,a,1\n")
    with divide_files(str(tmp_path / "j.csv"), [str(tmp_path / "r.csv")], 3, folder=str(tmp_path)) as partition:
        found = bucket_rows(partition)
    with divide_files(str(tmp_path / "j.csv"), [str(tmp_path / "r.csv")], 1, folder=str(tmp_path)) as partition:
        ((whole),) = bucket_rows(partition)
    assert len(whole) >= 3
    check(found, whole)


def test_comments_and_blanks_in_a_run(tmp_path: Path) -> None:
    """Comments and blank lines before, between and behind the rows are in no one's way."""
    lines = [
        "# head",
        "",
        "1 Q0 a 1 1 s",
        "# 1 Q0 x 1 1 s",
        "1 Q0 b 2 0 s",
        "",
        "\t2 Q0 c 1 1 s",
        "3 Q0 d 1 1 s",
        "# end",
    ]
    (tmp_path / "r.run").write_text("\r\n".join(lines), newline="")
    buckets = docs(judged(tmp_path, [1, 2, 3]), [tmp_path / "r.run"], 3)
    assert sorted(doc for bucket in buckets for doc in bucket[1]) == ["a", "b", "c", "d"]


def test_two_marked_files_in_one(tmp_path: Path) -> None:
    """A byte order mark within a file is part of an id, as when all is read at once."""
    (tmp_path / "r.run").write_text("\ufeff1 Q0 a 1 1 s\n\ufeff2 Q0 b 1 1 s\n3 Q0 c 1 1 s\n")
    with divide_files(str(judged(tmp_path, [1])), [str(tmp_path / "r.run")], 1, folder=str(tmp_path)) as partition:
        ((whole),) = bucket_rows(partition)
    assert [row[0] for row in whole] == ["1", "\ufeff2", "3"]


def _folder(folder: Path, parts: dict[str, Rows], write: Callable[[Rows, Path], None] = csv) -> Path:
    for name, rows in parts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write(rows, folder / name)
    return folder


def test_parts_that_share_a_query(tmp_path: Path) -> None:
    """The last query of a part may be the first of the next."""
    parts = {f"part-{n}.csv": GROUPED[start : start + 33] for n, start in enumerate(range(0, 100, 33))}
    folder = _folder(tmp_path / "results", parts)
    buckets = docs(judged(tmp_path, range(20)), [folder], 7)
    together(buckets, GROUPED)


def test_folders_of_columns_with_the_same_queries(tmp_path: Path) -> None:
    """Systems in folders of their own, with the same queries in the same order, are side by side."""
    parts = {f"system={s}/part-{n}.csv": GROUPED[n * 48 : n * 48 + 48 + 4 * n] for s in "ab" for n in (0, 1)}
    folder = _folder(tmp_path / "results", parts)
    buckets = docs(judged(tmp_path, range(20)), [folder], 5)
    for _, returned in buckets:
        assert returned == 2 * returned[: len(returned) // 2]


@pytest.mark.parametrize("name", ["r.run", "five.run", "r.csv", "headerless.csv", "r.jsonl"])
def test_a_row_knows_its_line(tmp_path: Path, name: str) -> None:
    """Every row of every bucket says its line of the file."""
    FORMS[name](GROUPED, tmp_path / name)
    lines: dict[str, int] = {}
    for number, line in enumerate((tmp_path / name).read_text().split("\n"), 1):
        lines |= dict.fromkeys(re.findall(r"\bd\d+\b", line), number)
    with divide_files(str(judged(tmp_path, [1])), [str(tmp_path / name)], 7, folder=str(tmp_path)) as partition:
        for bucket in every(partition):
            if (source := bucket.results[0]) is not None:
                for at, row in enumerate(rows_of(source)):
                    assert source.place(at) == f"{tmp_path / name} line {lines[str(row[1])]}"


@pytest.mark.heavy
def test_a_row_of_parquet_knows_its_place(tmp_path: Path) -> None:
    """Every row of every bucket of a Parquet file says its row of the file, from 0."""
    parquet(GROUPED, file := tmp_path / "r.parquet")
    with divide_files(str(judged(tmp_path, [1])), [str(file)], 7, folder=str(tmp_path)) as partition:
        for bucket in every(partition):
            if (source := bucket.results[0]) is not None:
                for at, row in enumerate(rows_of(source)):
                    assert source.place(at) == f"{file} row {str(row[1])[1:]}"


def test_steps_are_told(tmp_path: Path) -> None:
    """Whoever waits is told which file is divided."""
    told: list[Any] = []

    def tell(step: str, _: Any) -> contextlib.AbstractContextManager[object]:
        told.append(step)
        return contextlib.nullcontext()

    trec(GROUPED, file := tmp_path / "r.run")
    with divide_files(str(judged(tmp_path, [2, 1, 19, 3])), [str(file)], 5, folder=str(tmp_path), step_progress=tell):
        assert told == ["dividing j.csv", "dividing r.run"]


def test_too_little_memory_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where DuckDB cannot sort the rows, the message names the files and the option, and nothing is left."""
    monkeypatch.setattr(division, "LEAST", 0)
    file = tmp_path / "r.run"
    file.write_text("".join(f"{q} Q0 d{q} 1 2.5 s\n" for q in range(20_000)))
    with (
        pytest.raises(ir.UsageError, match=r"r\.run: DuckDB cannot divide them within 40% of the memory.*memory="),
        divide_files(str(judged(tmp_path, [1])), [str(file)], 3, memory=500_000, folder=str(tmp_path)),
    ):
        pass
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == []


def test_rows_that_were_not_read_to_their_end_are_refused(tmp_path: Path) -> None:
    """Whoever asks for what ends a file, without having read it, is not told that all is well: no row is lost so."""
    trec(GROUPED, tmp_path / "r.run")
    rows = division._find_split(str(tmp_path / "r.run"), {}).splitter.rows(tmp_path / "r.run")
    with pytest.raises(BadInput) as refused:
        rows.names()
    assert refused.value.args[4] == "it was not read to its end"
