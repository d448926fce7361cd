"""Text without column names whose fields could be others than those of TREC is asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir
from idealrank.errors import DataError


def read(text: str, folder: Path, **columns: str) -> ir.Judgments:
    """Read judgments of a text."""
    path = folder / "judged.txt"
    path.write_text(text)
    return ir.read_judgments(path, **columns)


@pytest.mark.parametrize("queries", [("20001", "20002"), ("red", "shoes"), ("1", "2")])
@pytest.mark.parametrize("separator", ["\t", " "])
def test_a_system_in_front(separator: str, queries: tuple[str, str], tmp_path: Path) -> None:
    """Lines of system, query, document and grade are not TREC judgments of one query, the system."""
    lines = (("MTurk", query, f"d{doc}", str(doc % 3)) for query in queries for doc in range(5))
    text = "".join(separator.join(line) + "\n" for line in lines)
    with pytest.raises(DataError, match=r"this file has one query, 'MTurk', and 2 values in the second field.*tabs"):
        read(text, tmp_path)
    named = read("system\tquery\tdoc\tgrade\n" + text.replace(" ", "\t"), tmp_path)
    assert set(named.rows_to_write().query) == set(queries)


def test_subtopics_of_one_topic(tmp_path: Path) -> None:
    """One topic with numbered subtopics is read as before, and any other second field if it is said to be one."""
    assert len(read("q1 1 d1 1\nq1 2 d2 0\n", tmp_path).rows_to_write()) == 2
    assert read("q1 red d1 1\nq1 blue d2 0\n", tmp_path, subtopic="iteration").roles.find("subtopic") is not None
    with pytest.raises(DataError, match="subtopic=iteration; else write 0"):
        read("q1 red d1 1\nq1 blue d2 0\n", tmp_path)


def test_the_document_last(tmp_path: Path) -> None:
    """Three fields with the document last are refused with what is read."""
    with pytest.raises(DataError, match=r"three fields, read as query, document and number, but 'D16' is not a number"):
        read("0 2 D16\n0 1 D17\n", tmp_path)
    with pytest.raises(DataError, match=r"The first line looks like a row: add one above it that names the columns"):
        read("0,2,D16\n0,1,D17\n", tmp_path)


def test_five_fields(tmp_path: Path) -> None:
    """Five fields may be a preference, or others."""
    with pytest.raises(DataError, match=r"looks like a line of preferences.*If the fields mean something else"):
        read("q 1 <dbpedia:X> text 1\n", tmp_path)


def test_a_topic_and_its_id(tmp_path: Path) -> None:
    """A column topic beside topic_id is not the id; relevance_judgment is the grade."""
    path = tmp_path / "judged.csv"
    path.write_text("topic_id,topic,doc_id,relevance_judgment\n1,a,d1,1\n2,b,d2,0\n")
    judgments = ir.read_judgments(path)
    assert judgments.columns["query"] == "topic_id"
    assert judgments.columns["grade"] == "relevance_judgment"
