"""Segments, weights and lost value of a comparison on the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.terminal import SHOP, run, tsv

FILES = tuple(SHOP / name for name in ("judgments.csv", "bm25.csv", "hybrid.csv"))
QUERIES = SHOP / "queries.csv"
CALL = ("compare", *FILES, "-m", "nDCG@10", "--draws", "200")


def rows(text: str) -> list[dict[str, str]]:
    """Read TSV."""
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_one_file_of_weights_and_segments() -> None:
    """A file with frequencies and segments serves as both: shares are of the frequencies."""
    found = tsv(*CALL, "--weights", QUERIES, "--segments", QUERIES, "--by-segment")
    assert found.code == 0, found.err
    table = {row["segment"]: row for row in rows(found.out)}
    assert list(table) == ["brand", "category", "problem"]
    assert float(table["brand"]["share"]) == pytest.approx(4050 / 42280)
    assert "explained  No segment explains the change in nDCG@10" in found.err
    twice = tsv(*CALL, "--weights", QUERIES, "--segments", QUERIES, "--segments", "segment", "--by-segment")
    assert twice.out == found.out
    same = tsv(*CALL, "--queries-table", QUERIES, "--weights", "frequency", "--segments", "segment", "--by-segment")
    assert (same.out, same.err) == (found.out, found.err)


def test_a_file_of_weights_and_another_of_segments(tmp_path: Path) -> None:
    """Weights and segments may be files of their own, beside a table of queries; its columns stay."""
    with QUERIES.open(encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    (tmp_path / "w.csv").write_text("query_id,weight\n" + "".join(f"{r['query_id']},{r['frequency']}\n" for r in table))
    lines = (f"{r['query_id']},{'odd' if int(r['query_id'][1:]) % 2 else 'even'}\n" for r in table)
    (tmp_path / "s.csv").write_text("query_id,parity\n" + "".join(lines))
    files = ("--weights", tmp_path / "w.csv", "--segments", tmp_path / "s.csv")
    found = tsv(*CALL, *files, "--by-segment", "-q")
    assert found.code == 0, found.err
    assert [(row["attribute"], row["segment"]) for row in rows(found.out)] == [("parity", "even"), ("parity", "odd")]
    assert found.err == ""
    more = tsv(*CALL, *files, "--queries-table", QUERIES, "--segments", "segment", "--by-segment", "-q")
    assert {row["attribute"] for row in rows(more.out)} == {"parity", "segment"}


def test_segments_stand_under_the_verdict(tmp_path: Path) -> None:
    """The evidence as JSON holds the segments asked for; without --segments it does not."""
    found = json.loads(run(*CALL, "--segments", QUERIES, "--json").out)
    assert [row["segment"] for row in found["segments"]["rows"]] == ["brand", "category", "problem"]
    assert found["segments"]["made"] == {"segment": "column segment of the queries table"}
    assert "segments" not in json.loads(run(*CALL, "--queries-table", QUERIES, "--json").out)


def test_segments_of_what_is_there() -> None:
    """Without --segments, --by-segment goes by all that tells queries apart; as CSV and JSON in full precision."""
    found = run(*CALL, "--queries-table", QUERIES, "--by-segment", "--csv")
    table = list(csv.DictReader(io.StringIO(found.out)))
    assert {row["attribute"] for row in table} == {"segment", "length", "digit", "traffic", "results"}
    whole = json.loads(run(*CALL, "--queries-table", QUERIES, "--by-segment", "--json").out)
    assert [row["p"] for row in whole["rows"] if row["p"]] == [float(row["p"]) for row in table if row["p"]]
    assert whole["explains"]["hybrid"]["segments"] == []


def test_lost_value(tmp_path: Path) -> None:
    """The queries that lose most traffic value; ten without a number; those without a frequency are warned of."""
    found = tsv(*CALL, "--queries-table", QUERIES, "--lost-value", 3)
    assert [row["query"] for row in rows(found.out)] == ["q12", "q14", "q01"]
    assert float(rows(found.out)[0]["lost"]) == pytest.approx(1540 * (0.921945 - 0.659485), abs=0.01)
    assert len(rows(tsv(*CALL, "--queries-table", QUERIES, "--lost-value").out)) == 10
    text = QUERIES.read_text("utf-8").replace("jacket women,category,1540", "jacket women,category,")
    (tmp_path / "some.csv").write_text(text, "utf-8")
    found = tsv(*CALL, "--queries-table", tmp_path / "some.csv", "--lost-value", 1)
    assert (rows(found.out)[0]["query"], found.err) == ("q14", "warning    1 query without a frequency: q12\n")
    found = tsv(*CALL, "--lost-value")
    assert (found.code, "how often each query is asked" in found.err) == (2, True)
