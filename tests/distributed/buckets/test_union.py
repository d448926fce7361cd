"""The rows of all buckets are the rows of the file: each once, in order, a query in one bucket."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from idealrank.data.ids import id_text
from idealrank.data.read import read_results
from idealrank.distributed.division import divide_files
from tests.amounts import tried
from tests.distributed.buckets.reading import Row, bucket_rows, every, rows_of

QUERIES = st.sampled_from(["1", "2", "12", "q a", 'q"b', "q,c", "q\nd", "ä", "q;e", "2.5", "-3"])
PLAIN = st.sampled_from(["1", "2", "12", "q-a", "ä", "x" * 40, "-3"])
TEXTS = st.text(st.sampled_from("ab \"\n,;\t'é"), max_size=6)
COUNTS = st.sampled_from([1, 2, 7, 64])
JUDGED = "query_id,doc_id,grade\n1,d1,1\n"


def divided(path: Path, count: int) -> list[list[Row]]:
    """Divide a file of results, and return the rows of each bucket."""
    judgments = path.parent / "judgments.csv"
    judgments.write_text(JUDGED)
    with divide_files(str(judgments), [str(path)], count, folder=str(path.parent)) as partition:
        return bucket_rows(partition)


def check(buckets: list[list[Row]], expected: list[Row]) -> None:
    """Each bucket has all rows of its queries, in order; together they are all rows."""
    assert sum(map(len, buckets)) == len(expected)
    for bucket in buckets:
        queries = {row[0] for row in bucket}
        assert bucket == [row for row in expected if row[0] in queries]


@given(
    st.lists(st.tuples(QUERIES, TEXTS.filter(bool), TEXTS), min_size=1, max_size=30),
    COUNTS,
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(["plain", "gz"]),
)
@settings(max_examples=tried(80))
def test_csv(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[Row],
    count: int,
    end: str,
    mark: bool,
    last: bool,
    quoting: Any,
    packed: str,
) -> None:
    """CSV with quotes and line ends in cells, CRLF, a byte order mark, without a last line end, compressed."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=end, quoting=quoting).writerows([("query_id", "doc_id", "note"), *rows])
    data = (b"\xef\xbb\xbf" if mark else b"") + (text.getvalue() if last else text.getvalue()[: -len(end)]).encode()
    data = {"plain": bytes, "gz": gzip.compress}[packed](data)
    path = tmp_path_factory.mktemp("csv") / "results.csv"
    path.write_bytes(data)
    check(divided(path, count), [tuple(cell or None for cell in row) for row in rows])


@given(st.lists(st.tuples(PLAIN, PLAIN, st.integers(0, 99)), min_size=1, max_size=30), COUNTS, st.data())
@settings(max_examples=tried(40))
def test_trec(tmp_path_factory: pytest.TempPathFactory, rows: list[Row], count: int, data: st.DataObject) -> None:
    """TREC text with blanks and tabs around fields, blank lines, comments and CRLF."""
    blank, ends = st.sampled_from([" ", "\t", "  "]), st.sampled_from(["\n", "\r\n", "\n\n", "\n# q d\n"])
    lines = ["1 Q0 d 1 0 s\n"]
    for query, doc, score in rows:
        gap = data.draw(blank)
        start = data.draw(st.sampled_from(["", " "]))
        lines.append(start + gap.join([query, "Q0", doc, "1", str(score), "s"]) + data.draw(ends))
    path = tmp_path_factory.mktemp("trec") / "results.run"
    path.write_text("".join(lines), newline="")
    check(divided(path, count), [("1", "d", 1.0, 0.0, "s"), *((q, d, 1.0, float(s), "s") for q, d, s in rows)])


@given(
    st.lists(st.tuples(QUERIES, TEXTS, st.none() | st.integers(0, 9)), min_size=1, max_size=30),
    COUNTS,
    st.permutations(["query_id", "doc_id", "more", "only"]),
)
@settings(max_examples=tried(40))
def test_jsonl(tmp_path_factory: pytest.TempPathFactory, rows: list[Row], count: int, order: list[str]) -> None:
    """JSON lines with nested values, the query's key anywhere, and a key that only one line has."""
    lines = []
    for at, (query, text, number) in enumerate(rows):
        whole = {"query_id": query, "doc_id": "d" + text, "more": {"query_id": [text, {"a": number}]}, "only": at}
        lines.append(json.dumps({key: whole[key] for key in order if key != "only" or at == 0}))
    path = tmp_path_factory.mktemp("jsonl") / "results.jsonl"
    path.write_text("\n".join(lines))
    expected = [
        {
            "query_id": query,
            "doc_id": "d" + text,
            "more": {"query_id": [text, {"a": number}]},
            "only": None if at else 0,
        }
        for at, (query, text, number) in enumerate(rows)
    ]
    found = divided(path, count)
    names = list(json.loads(lines[0]))
    dicts = [[dict(zip(names, row, strict=True)) for row in bucket] for bucket in found]
    for row in (row for bucket in dicts for row in bucket):
        row["more"] = json.loads(row["more"])
    plain = [[(row["query_id"], json.dumps(row, sort_keys=True)) for row in bucket] for bucket in dicts]
    check(plain, [(row["query_id"], json.dumps(row, sort_keys=True)) for row in expected])


@pytest.mark.heavy
@pytest.mark.parametrize("kind", ["int32", "int64", "string", "string_view", "dictionary"])
def test_parquet(tmp_path: Path, kind: str) -> None:
    """Parquet of several row groups, whatever the type of the queries; every value keeps its type."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    queries = [at // 3 % 11 for at in range(1000)]
    ids = pa.array(queries) if kind.startswith("int") else pa.array([f"a query {q}" for q in queries])
    ids = ids.dictionary_encode() if kind == "dictionary" else ids.cast(kind)
    table = pa.table({"query_id": ids, "doc_id": pa.array(range(1000)), "score": pa.array([0.5] * 1000)})
    pq.write_table(table, tmp_path / "results.parquet", row_group_size=100)
    check(divided(tmp_path / "results.parquet", 7), list(zip(*table.to_pydict().values(), strict=True)))


def test_one_query_in_all_rows(tmp_path: Path) -> None:
    """A query of all rows is in one bucket, and the others are empty."""
    (tmp_path / "r.csv").write_text("query_id,doc_id\n" + "".join(f"q,d{at}\n" for at in range(50)))
    sizes = [len(bucket) for bucket in divided(tmp_path / "r.csv", 7)]
    assert sorted(sizes) == [0] * 6 + [50]


@pytest.mark.heavy
def test_an_id_is_in_one_bucket_whatever_its_type(tmp_path: Path) -> None:
    """12 in Parquet, "12" in JSON and 12.0 in CSV are one query, so they are in the same bucket."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers = list(range(40))
    (tmp_path / "j.csv").write_text("query_id,doc_id,grade\n" + "".join(f"{q}.0,d,1\n" for q in numbers))
    (tmp_path / "r.jsonl").write_text("".join(f'{{"query_id": "{q}", "doc_id": "d"}}\n' for q in numbers))
    (tmp_path / "f.jsonl").write_text("".join(f'{{"query_id": {q}.0, "doc_id": "d"}}\n' for q in numbers))
    (tmp_path / "r.run").write_text("".join(f"{q} Q0 d 1 1 s\n" for q in numbers))
    pq.write_table(pa.table({"query_id": numbers, "doc_id": ["d"] * 40}), tmp_path / "r.parquet")
    pq.write_table(pa.table({"query_id": [float(q) for q in numbers], "doc_id": ["d"] * 40}), tmp_path / "f.parquet")
    files = [str(tmp_path / name) for name in ("r.jsonl", "f.jsonl", "r.run", "r.parquet", "f.parquet")]
    with divide_files(str(tmp_path / "j.csv"), files, 7, folder=str(tmp_path)) as partition:
        for bucket in every(partition):
            assert bucket.judgments is not None
            expected = {int(float(row[0])) for row in rows_of(bucket.judgments)}
            for source in bucket.results:
                assert source is not None
                assert {int(float(row[0])) for row in rows_of(source)} == expected


def test_blocks(tmp_path: Path) -> None:
    """A file of many blocks, most of them with quotes, keeps its order; a bucket is what its rows of the file are."""
    rows = [(str(at * 7 % 501), f'a "{at}"\n,{"x" * (at % 90)}') for at in range(30_000)]
    with (tmp_path / "r.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("query_id", "doc_id"), *rows])
    check(divided(tmp_path / "r.csv", 16), rows)


@pytest.mark.heavy
def test_a_folder_of_parts(tmp_path: Path) -> None:
    """Parts with their partition and with ids of several types have the rows that they have when read at once."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tmp_path / "results"
    for at, kind in enumerate((pa.int64(), pa.string(), pa.float64(), pa.int64())):
        queries = pa.array([row % 9 for row in range(50)])
        table = pa.table({"query_id": queries.cast(kind), "doc_id": [f"{at}-{row}" for row in range(50)]})
        (folder / f"day={at % 2}").mkdir(parents=True, exist_ok=True)
        pq.write_table(table, folder / f"day={at % 2}" / f"part-{at}.parquet")
    whole = read_results(str(folder))
    expected = list(zip(whole.keys.query.to_list(), *list(zip(*rows_of(whole.source), strict=True))[1:], strict=True))
    found = []
    (tmp_path / "judgments.csv").write_text(JUDGED)
    with divide_files(str(tmp_path / "judgments.csv"), [str(folder)], 4, folder=str(tmp_path)) as partition:
        for bucket in every(partition):
            if (source := bucket.results[0]) is not None:
                rows, ids = rows_of(source), read_results(source).keys.query.to_list()
                found.append([(str(id_text(key)), *row[1:]) for key, row in zip(ids, rows, strict=True)])
                for place, row in enumerate(rows):
                    part, number = row[1].split("-")
                    assert source.where(place).endswith(f"part-{part}.parquet row {number})")
    check(found, [(id_text(key), *rest) for key, *rest in expected])


@pytest.mark.parametrize("second", ["0", "varied"])
def test_the_second_field_of_judgments(tmp_path: Path, second: str) -> None:
    """A bucket has the column of the second field if the file has it, though it be one value in the bucket."""
    fields = [second if second == "0" else f"s{at % 5}" for at in range(20)]
    (tmp_path / "j.txt").write_text("".join(f"q{at % 5} {field} d{at} 1\n" for at, field in enumerate(fields)))
    with divide_files(str(tmp_path / "j.txt"), [], 7, folder=str(tmp_path)) as partition:
        frames = [bucket.judgments.frame for bucket in every(partition) if bucket.judgments is not None]
    assert len(frames) > 1
    for frame in frames:
        assert frame.names == ["query", "doc", "grade", *(["iteration"] if second == "varied" else [])]
