"""Files whose rows are in the order of the buckets are read where they are; only the others are copied."""

from __future__ import annotations

import contextlib
import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idealrank.distributed.partition import divide_files
from idealrank.errors import DataError
from tests.distributed.buckets.reading import (
    ALL_FORMS,
    FORMS,
    Rows,
    bucket_rows,
    copied,
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


@pytest.mark.parametrize("name", ALL_FORMS)
def test_grouped_files_are_not_copied(tmp_path: Path, name: str) -> None:
    """If both files are grouped in the same order, nothing is copied, and the buckets are pieces from first to last."""
    FORMS[name](GROUPED, tmp_path / name)
    copies, buckets = docs(judged(tmp_path, range(20)), [tmp_path / name], 64)
    assert copies == []
    together(buckets, GROUPED)
    assert [doc for bucket in buckets for doc in bucket[1]] == [doc for _, doc in GROUPED]


@pytest.mark.parametrize("name", ALL_FORMS)
def test_a_query_that_returns(tmp_path: Path, name: str) -> None:
    """If a query of the first bucket has a row at the end, all is copied, and its rows are in one bucket."""
    FORMS[name]([*GROUPED, (0, "late")], tmp_path / name)
    copies, buckets = docs(judged(tmp_path, range(20)), [tmp_path / name], 7)
    assert copies == ["0-0", "1-0"]
    together(buckets, [*GROUPED, (0, "late")])


@pytest.mark.parametrize("name", ALL_FORMS)
def test_judgments_in_another_order(tmp_path: Path, name: str) -> None:
    """Judgments in another order are copied to where the results have their queries; results are not copied."""
    FORMS[name](GROUPED, tmp_path / name)
    copies, buckets = docs(judged(tmp_path, [at * 7 % 20 for at in range(20)]), [tmp_path / name], 7)
    assert copies == ["0-0"]
    together(buckets, GROUPED)


@pytest.mark.parametrize("name", ["r.run", pytest.param("r.parquet", marks=pytest.mark.heavy)])
def test_queries_of_one_side(tmp_path: Path, name: str) -> None:
    """Queries that only one side has, some between the others, do not make a copy necessary."""
    rows = [(query, doc) for query, doc in GROUPED if query % 3]
    FORMS[name](rows, tmp_path / name)
    queries = [query for query in range(25) if query % 4]
    copies, buckets = docs(judged(tmp_path, queries), [tmp_path / name], 5)
    assert copies == []
    for side, expected in ((0, list(map(str, queries))), (1, [doc for _, doc in rows])):
        assert [doc for bucket in buckets for doc in bucket[side]] == expected
    for bucket in buckets:
        ours, theirs = set(bucket[0]), {str(query) for query, doc in rows if doc in bucket[1]}
        assert ours & {str(query) for query, _ in rows} == theirs & set(map(str, queries))


def test_judgments_of_other_queries_alone(tmp_path: Path) -> None:
    """Judgments of which no query is in the results are spread over the buckets all the same."""
    trec(GROUPED, tmp_path / "r.run")
    copies, buckets = docs(judged(tmp_path, range(100, 140)), [tmp_path / "r.run"], 4)
    assert copies == []
    assert [len(bucket[0]) for bucket in buckets] == pytest.approx([10] * 4, abs=3)


def test_buckets_are_of_about_equal_size(tmp_path: Path) -> None:
    """No bucket has more rows than its share and those of one query."""
    csv([(at // 10, f"d{at:04}") for at in range(1000)], tmp_path / "r.csv")
    _, buckets = docs(judged(tmp_path, range(100)), [tmp_path / "r.csv"], 10)
    assert [len(bucket[1]) for bucket in buckets] == pytest.approx([100] * 10, abs=10)


@pytest.mark.heavy
def test_one_large_query(tmp_path: Path) -> None:
    """A query with most rows is one bucket, and the others follow behind it."""
    rows = [(0, "first"), *((1, f"d{at}") for at in range(500)), *((at, f"l{at}") for at in range(2, 12))]
    parquet(rows, tmp_path / "r.parquet")
    copies, buckets = docs(judged(tmp_path, range(12)), [tmp_path / "r.parquet"], 4)
    assert copies == []
    assert [len(bucket[1]) for bucket in buckets] == [501, 0, 0, 10]
    together(buckets, rows)


def test_the_other_system_in_another_order(tmp_path: Path) -> None:
    """Of two systems only the one whose queries come in another order is copied."""
    trec(GROUPED, tmp_path / "a.run")
    csv(GROUPED[::-1][:60], tmp_path / "b.csv")
    copies, buckets = docs(judged(tmp_path, range(20)), [tmp_path / "a.run", tmp_path / "b.csv"], 6)
    assert copies == ["2-0"]
    for _, ours, theirs in buckets:
        assert theirs == [doc for doc in (doc for _, doc in GROUPED[::-1][:60]) if doc in ours]


def test_packed_results(tmp_path: Path) -> None:
    """A packed file cannot be read from its middle, so all tables are copied where it is the largest."""
    text = "".join(f"{query} Q0 document-{doc} 1 0.5 s{doc}\n" for query, doc in GROUPED)
    (tmp_path / "r.run.gz").write_bytes(gzip.compress(text.encode(), 0))
    copies, _ = docs(judged(tmp_path, range(20)), [tmp_path / "r.run.gz"], 3)
    assert copies == ["0-0", "1-0"]


@pytest.mark.heavy
def test_large_row_groups(tmp_path: Path) -> None:
    """A Parquet file of one large row group is copied: each bucket would decode all of it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 1 << 18
    table = pa.table({"query_id": pa.array([at // 16 for at in range(rows)]), "doc_id": pa.array(range(rows))})
    pq.write_table(table, tmp_path / "one.parquet", row_group_size=rows)
    pq.write_table(table, tmp_path / "many.parquet", row_group_size=1 << 12)
    for name, expected in (("one.parquet", ["0-0", "1-0"]), ("many.parquet", [])):
        with divide_files(str(judged(tmp_path, range(9))), [str(tmp_path / name)], 16, folder=str(tmp_path)):
            assert copied(tmp_path) == expected


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
        assert copied(tmp_path) == []
        found = bucket_rows(partition, tmp_path / "r.csv")
    with divide_files(str(tmp_path / "j.csv"), [str(tmp_path / "r.csv")], 1, folder=str(tmp_path)) as partition:
        ((whole),) = bucket_rows(partition, tmp_path / "r.csv")
    assert len(whole) >= 3
    check(found, whole)
    assert [row for bucket in found for row in bucket] == whole


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
    copies, buckets = docs(judged(tmp_path, [1, 2, 3]), [tmp_path / "r.run"], 3)
    assert copies == []
    assert [doc for bucket in buckets for doc in bucket[1]] == ["a", "b", "c", "d"]


def test_two_marked_files_in_one(tmp_path: Path) -> None:
    """A byte order mark within a file is part of an id, as when all is read at once, also where a piece would begin."""
    (tmp_path / "r.run").write_text("\ufeff1 Q0 a 1 1 s\n\ufeff2 Q0 b 1 1 s\n3 Q0 c 1 1 s\n")
    with divide_files(str(judged(tmp_path, [1])), [str(tmp_path / "r.run")], 1, folder=str(tmp_path)) as partition:
        ((whole),) = bucket_rows(partition, tmp_path / "r.run")
    assert [row[0] for row in whole] == ["1", "\ufeff2", "3"]
    copies, _ = docs(judged(tmp_path, [1]), [tmp_path / "r.run"], 3)
    assert copies == ["0-0", "1-0"]


def _folder(folder: Path, parts: dict[str, Rows], write: Callable[[Rows, Path], None] = csv) -> Path:
    for name, rows in parts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write(rows, folder / name)
    return folder


PASSES = [(at % 50, f"d{at}") for at in range(1000)]
"""All queries come once, and then again and again."""


def test_queries_that_return_before_a_bucket_is_full(tmp_path: Path) -> None:
    """Where the queries come in many passes, one bucket would contain all of them, so the file is copied."""
    trec(PASSES, tmp_path / "r.run")
    copies, buckets = docs(judged(tmp_path, range(50)), [tmp_path / "r.run"], 3)
    assert copies == ["0-0", "1-0"]
    together(buckets, PASSES)
    assert max(len(bucket[1]) for bucket in buckets) < 600


def test_parts_that_share_a_query(tmp_path: Path) -> None:
    """The last query of a part may be the first of the next."""
    parts = {f"part-{n}.csv": GROUPED[start : start + 33] for n, start in enumerate(range(0, 100, 33))}
    folder = _folder(tmp_path / "results", parts)
    copies, buckets = docs(judged(tmp_path, range(20)), [folder], 7)
    assert copies == []
    together(buckets, GROUPED)


def test_parts_with_a_query_far_apart(tmp_path: Path) -> None:
    """A query in the first and in the last part makes copies of all parts."""
    folder = _folder(tmp_path / "results", {"part-0.csv": GROUPED, "part-1.csv": [(0, "late"), (19, "x")]})
    copies, buckets = docs(judged(tmp_path, range(20)), [folder], 3)
    assert copies == ["0-0", "1-0", "1-1"]
    together(buckets, [*GROUPED, (0, "late"), (19, "x")])


def test_folders_of_columns_with_the_same_queries(tmp_path: Path) -> None:
    """Systems in folders of their own, with the same queries in the same order, are read in pieces, side by side."""
    parts = {f"system={s}/part-{n}.csv": GROUPED[n * 48 : n * 48 + 48 + 4 * n] for s in "ab" for n in (0, 1)}
    folder = _folder(tmp_path / "results", parts)
    copies, buckets = docs(judged(tmp_path, range(20)), [folder], 5)
    assert copies == []
    assert [len(bucket[1]) for bucket in buckets] == pytest.approx([40] * 5, abs=20)
    for _, returned in buckets:
        assert returned == 2 * returned[: len(returned) // 2]


@pytest.mark.heavy
def test_folders_of_columns_with_other_queries(tmp_path: Path) -> None:
    """Days with queries of their own fill the buckets together."""
    parts = {f"day={day}/part-0.parquet": [(day * 20 + q, f"{day}-{d}") for q, d in GROUPED] for day in range(3)}
    folder = _folder(tmp_path / "results", parts, parquet)
    copies, buckets = docs(judged(tmp_path, range(60)), [folder], 5)
    assert copies == ["0-0"]  # judgments day by day
    assert [len(bucket[1]) for bucket in buckets] == pytest.approx([60] * 5, abs=15)


@pytest.mark.parametrize("name", ["r.run", "five.run", "r.csv", "headerless.csv", "r.jsonl"])
def test_a_row_knows_its_line(tmp_path: Path, name: str) -> None:
    """Every row of every piece says its line of the file."""
    FORMS[name](GROUPED, tmp_path / name)
    lines: dict[str, int] = {}
    for number, line in enumerate((tmp_path / name).read_text().split("\n"), 1):
        lines |= dict.fromkeys(re.findall(r"\bd\d+\b", line), number)
    with divide_files(str(judged(tmp_path, [1])), [str(tmp_path / name)], 7, folder=str(tmp_path)) as partition:
        assert copied(tmp_path) == []
        for bucket in every(partition):
            if (source := bucket.results[str(tmp_path / name)]) is not None:
                for at, row in enumerate(rows_of(source)):
                    assert source.place(at) == f"{tmp_path / name} line {lines[str(row[1])]}"


@pytest.mark.heavy
def test_a_row_of_parquet_knows_its_place(tmp_path: Path) -> None:
    """Every row of every piece of a Parquet file says its row of the file, from 0."""
    parquet(GROUPED, file := tmp_path / "r.parquet")
    with divide_files(str(judged(tmp_path, [1])), [str(file)], 7, folder=str(tmp_path)) as partition:
        for bucket in every(partition):
            if (source := bucket.results[str(file)]) is not None:
                for at, row in enumerate(rows_of(source)):
                    assert source.place(at) == f"{file} row {str(row[1])[1:]}"


@pytest.mark.parametrize("change", ["longer", "gone"])
def test_a_file_that_changes(tmp_path: Path, change: str) -> None:
    """A file that is written to or removed after its order was read is refused, as its pieces are elsewhere now."""
    trec(GROUPED, file := tmp_path / "r.run")
    with divide_files(str(judged(tmp_path, [1])), [str(file)], 3, folder=str(tmp_path)) as partition:
        assert partition.bucket(0).results[str(file)] is not None
        if change == "longer":
            file.write_text("0 Q0 new 1 1 s\n" + file.read_text())
        else:
            file.unlink()
        with pytest.raises(DataError, match=r"r\.run: this file was changed or removed .* Evaluate again"):
            partition.bucket(1)


def test_steps_are_told(tmp_path: Path) -> None:
    """Whoever waits is told which file's order is read, and which file is divided."""
    told: list[Any] = []

    def tell(step: str, _: Any) -> contextlib.AbstractContextManager[object]:
        told.append(step)
        return contextlib.nullcontext()

    trec(GROUPED, file := tmp_path / "r.run")
    with divide_files(str(judged(tmp_path, [2, 1, 19, 3])), [str(file)], 5, folder=str(tmp_path), step_progress=tell):
        assert told == ["reading the order of r.run", "reading the order of j.csv", "dividing j.csv"]
