"""Queries that several columns name together, and columns that say so."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import idealrank as ir
from idealrank.data.queries import read_queries
from idealrank.errors import DataError, NoColumnError
from tests.cli.terminal import tsv

JUDGED = {
    "Language": ["Go", "Go", "Python", "Python"],
    "Query": ["sort list"] * 4,
    "GitHubUrl": ["u1", "u2", "u3", "u4"],
    "Relevance": [3, 0, 3, 1],
}
"""Judgments as of CodeSearchNet: one text, in two languages."""

RETURNED = {
    "Language": ["Go", "Go", "Python", "Python"],
    "Query": ["sort list"] * 4,
    "GitHubUrl": ["u1", "u2", "u4", "u3"],
    "rank": [1, 2, 1, 2],
}

SECOND = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
"""nDCG of the second query, whose two documents are the wrong way round; that of the first is 1."""

NAMES: dict[str, Any] = {"query": ["Language", "Query"], "doc": "GitHubUrl"}


@pytest.mark.parametrize("form", ["dict", "frame", "csv", "json", "jsonl"])
def test_a_query_of_two_columns(form: str, tmp_path: Path) -> None:
    """A language and a text name the query together, in every kind of table."""
    tables: list[Any] = [JUDGED, RETURNED]
    if form != "dict":
        frames, tables = [pd.DataFrame(JUDGED), pd.DataFrame(RETURNED)], []
        for place, frame in enumerate(frames):
            path = tmp_path / f"{place}.{form}"
            if form == "csv":
                frame.to_csv(path, index=False)
            elif form in ("json", "jsonl"):
                frame.to_json(path, orient="records", lines=form == "jsonl")
            tables.append(frame if form == "frame" else path)
    judgments, results = ir.read_judgments(tables[0], **NAMES), ir.read_results(tables[1], **NAMES)
    scores = ir.evaluate(judgments, results, ["nDCG@10", "RR"])
    assert scores["nDCG@10"] == pytest.approx((1 + SECOND) / 2, abs=1e-12)
    assert scores["RR"] == 1
    assert judgments.columns["query"] == "Language + Query"


def test_different_values_are_different_queries() -> None:
    """A bar within a value does not make two queries one."""
    table = {"a": ["x | y", "x", "x\\"], "b": ["z", "y | z", "| z"], "doc_id": ["1"] * 3, "grade": [1, 1, 1]}
    rows = ir.read_judgments(table, query=["a", "b"]).rows_to_write()
    assert len(set(rows.query)) == 3
    assert list(ir.read_judgments({**table, "a": [1.0, 2.0, None]}, query=["b", "a"]).keys.query.to_list(None)) == [
        "z | 1",
        "y \\| z | 2",
        None,
    ]


def test_ranks_that_another_column_tells_apart() -> None:
    """Ranks that come twice in a query, with another word in a column, are asked about."""
    results = {name: values for name, values in RETURNED.items() if name != "GitHubUrl"} | {
        "doc": RETURNED["GitHubUrl"]
    }
    with pytest.raises(
        DataError, match=r"has rank 1 a second time .*with another Language\. If Language and Query name"
    ):
        ir.read_results(results)
    assert ir.read_results(results, query="Query").columns["query"] == "Query"  # the caller said so
    assert ir.read_results(results, system="Language").systems == ("Go", "Python")


def test_documents_that_another_column_tells_apart() -> None:
    """A document that comes twice in a query, with another word in a column, is refused with that column."""
    judged = {"lang": ["Go", "Python"], "query": ["a b"] * 2, "doc_id": ["d"] * 2, "grade": [1, 2]}
    with pytest.raises(DataError, match=r"If lang and query name the query together: query=\['lang', 'query'\]"):
        ir.evaluate(judged, {"a b": {"d": 1.0}}, ["RR"])
    returned = {"lang": ["Go", "Python"], "query": ["a b"] * 2, "doc_id": ["d"] * 2, "score": [1, 2]}
    with pytest.raises(DataError, match=r"If lang and query name the query together: query=\['lang', 'query'\]"):
        ir.evaluate({"a b": {"d": 1.0}}, returned, ["RR"])


def test_columns_that_cannot_be_joined(tmp_path: Path) -> None:
    """A column that is missing is named, and text without column names has none."""
    with pytest.raises(NoColumnError, match=r"no column called 'Qery' for the query\. Did you mean Query"):
        ir.read_judgments(JUDGED, query=["Language", "Qery"], doc="GitHubUrl")
    (tmp_path / "q.txt").write_text("1 0 d1 1\n")
    with pytest.raises(NoColumnError, match="its columns have no names"):
        ir.read_judgments(tmp_path / "q.txt", query=["a", "b"])


def test_the_table_of_queries() -> None:
    """The table of queries is joined by the same columns."""
    table = {"Language": ["Go", "Python"], "Query": ["sort list"] * 2, "segment": ["x", "y"]}
    queries = read_queries(table, query=["Language", "Query"])
    assert queries.attributes["segment"] == {"Go | sort list": "x", "Python | sort list": "y"}


def test_on_the_command_line(tmp_path: Path) -> None:
    """--query-col may be given twice, for all tables or for one; files in parts need one column."""
    pd.DataFrame(JUDGED).to_csv(tmp_path / "j.csv", index=False)
    pd.DataFrame(RETURNED).to_csv(tmp_path / "r.csv", index=False)
    pd.DataFrame(RETURNED).rename(columns={"Language": "l", "Query": "q"}).to_csv(tmp_path / "s.csv", index=False)
    both = ("--doc-col", "GitHubUrl", "-m", "nDCG@10")
    one = ("--query-col", "Language", "--query-col", "Query")
    each = [
        f"{table}:{name}"
        for table, names in (("judgments", ("Language", "Query")), ("results", "lq"))
        for name in names
    ]
    two = [word for name in each for word in ("--query-col", name)]
    for files, names in ((("j.csv", "r.csv"), one), (("j.csv", "s.csv"), two)):
        found = tsv("evaluate", *files, *both, *names, cwd=tmp_path)
        assert float(found.out.split()[-1]) == pytest.approx((1 + SECOND) / 2, abs=1e-12), found.err
    asked = tsv("evaluate", "j.csv", "r.csv", *both, cwd=tmp_path)
    assert "--query-col Language --query-col Query" in asked.err
