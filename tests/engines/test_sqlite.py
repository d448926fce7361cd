"""The built-in engine: a table of documents searched with SQLite's FTS5."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import idealrank as ir

DOCUMENTS = """id,title,text,price
d1,red shoes,running shoes for the road,80
d2,blue hat,"a hat, not shoes",20
d3,green gloves,warm,15
d4,shoes shoes,shoes,10
"""


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Return a file of four documents."""
    path = tmp_path / "documents.csv"
    path.write_text(DOCUMENTS)
    return path


def test_bm25_by_hand(documents: Path) -> None:
    """Scores are BM25 as SQLite documents it: k1 = 1.2, b = 0.75, IDF = log((N - n + 0.5)/(n + 0.5)), at least 1e-6.

    Gloves are in one of four documents: IDF = log(3.5 / 1.5). Its columns have 2, 1 and 1 words; prices are words, too.
    """
    found = ir.replay({"q": "gloves"}, f"sqlite:{documents}?tokenize=unicode61")
    average = sum((2 + 5 + 1, 2 + 4 + 1, 2 + 1 + 1, 2 + 1 + 1)) / 4
    score = math.log(3.5 / 1.5) * 2.2 / (1 + 1.2 * (1 - 0.75 + 0.75 * 4 / average))
    assert found.account["results"] == [1]
    (mine,) = found.score.to_list(None)
    assert mine == pytest.approx(score, rel=1e-9)


def test_any_word_matches(documents: Path) -> None:
    """Without a template, documents with any of the words are found, also by their stems; signs are no operators."""
    found = ir.replay({"a": "Shoe hat", "b": "-hat AND (", "c": "nothing", "d": "!?"}, f"sqlite:{documents}")
    assert found.account["results"] == [3, 1, 0, 0]
    assert found.account["state"] == ["answered", "answered", "empty", "empty"]


def test_templates_and_settings(documents: Path, tmp_path: Path) -> None:
    """A template in SQL is filled with settings, each a system; fields come along."""
    (tmp_path / "bm25.sql").write_text(
        "SELECT id, -bm25(documents, 0, {{title}}, 1) AS score, price FROM documents "
        "WHERE documents MATCH {{query|any}} AND CAST(price AS REAL) <= {{most}} ORDER BY score DESC LIMIT {{k}}"
    )
    queries = {"query_id": ["q1", "q2"], "query": ["hat shoes", "shoes"], "most": [100, 50]}
    found = ir.replay(
        queries, f"sqlite:{documents}?template={tmp_path}/bm25.sql", settings={"title": [1, 10]}, fields=["price"]
    )
    assert found.systems == ("bm25 title=1", "bm25 title=10")
    assert found.account["results"] == [3, 2, 3, 2]
    assert found.documents == {"d1": {"price": "80"}, "d2": {"price": "20"}, "d4": {"price": "10"}}


@pytest.mark.parametrize(
    ("options", "template", "said"),
    [
        ("?columns=titel", "", "no column 'titel'.*Did you mean title"),
        ("?tokenize=nothing", "", "SQLite: no such tokenizer"),
        ("?template=", "SELECT id FROM nowhere WHERE {{query}}", "no such table: nowhere"),
        ("?template=", "SELECT id FROM documents WHERE x = {{query}}", "no such column"),
        ("?template=", "SELECT id FROM documents WHERE title = {{colour}}", "{{colour}} is neither a column"),
        ("?template=", "DELETE FROM documents WHERE id = {{query}}", "returns no rows: write a SELECT"),
        ("?template=", "ATTACH DATABASE {{query}} AS evil", "not authorized"),
        ("?template=", "SELECT id FROM documents LIMIT {{k}}", "names no value of the queries"),
        ("?template=", "SELECT id FROM documents WHERE documents MATCH {{query|some}}", "no 'some'.*Known: any, all"),
    ],
)
def test_what_is_refused(documents: Path, tmp_path: Path, options: str, template: str, said: str) -> None:
    """A column, a tokenizer or a template that SQLite does not know is refused before the first query."""
    if template:
        (tmp_path / "t.sql").write_text(template)
        options += f"{tmp_path}/t.sql"
    with pytest.raises(ir.UsageError, match=said):
        ir.replay(["a"], f"sqlite:{documents}{options}")


def test_a_field_that_is_not_selected(documents: Path, tmp_path: Path) -> None:
    """A field that a template does not select is said, with those it does."""
    (tmp_path / "t.sql").write_text("SELECT id FROM documents WHERE documents MATCH {{query|any}}")
    with pytest.raises(ir.UsageError, match=r"t.sql: the statement selects no column 'price', only 'id'"):
        ir.replay(["hat"], f"sqlite:{documents}?template={tmp_path}/t.sql", fields=["price"])


def test_columns_with_names_of_sqlite(tmp_path: Path) -> None:
    """Columns called rank, rowid, documents or id, and two that differ by case, are searched like any other."""
    (tmp_path / "d.csv").write_text("product_id,rank,rowid,documents,ID,Title,title\nd1,one,two,three,four,five,six\n")
    texts = ["one", "two", "three", "four", "five", "six"]
    found = ir.replay(texts, f"sqlite:{tmp_path}/d.csv", fields=["rank", "Title", "title"])
    assert found.account["results"] == [1] * 6
    assert found.documents == {"d1": {"rank": "one", "Title": "five", "title": "six"}}
