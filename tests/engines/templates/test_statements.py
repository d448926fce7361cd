"""Statements: values are bound, never pasted."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.engines.templates import Statement, Template, all_words, any_word, compile_sql as compiled

FILTERS = {"any": any_word, "all": all_words}


def statement(text: str) -> Statement:
    """Return a template as a statement for SQLite."""
    return compiled(Template("t", text), FILTERS, lambda name: f":{name}")


@given(st.text(st.characters(exclude_categories=["Cs"])), st.one_of(st.integers(-(2**62), 2**62), st.floats(-1e9, 1e9)))
def test_values_come_out_as_they_went_in(query: str, boost: float) -> None:
    """SQLite gives back the very text and number, whatever they contain."""
    made = statement("SELECT {{query}}, {{boost}}, 'a -- it''s', \"{\" /* } */ FROM (SELECT 1 AS \"{\")")
    base = sqlite3.connect(":memory:")
    row = base.execute(made.text, made.parameters({"query": query, "boost": boost})).fetchone()
    base.close()
    assert row == (query, boost, "a -- it's", 1)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT '{{query}}'",
        'SELECT "{{query}}"',
        "SELECT 1 -- {{query}}",
        "SELECT /* {{query}} */ 1",
        "SELECT $x$ {{query}} $x$",
    ],
)
def test_no_value_within_quotes(text: str) -> None:
    """A value within quotes or a comment would be text: it is refused with its place."""
    with pytest.raises(ir.UsageError, match=r"line 1, column \d+: \{\{query\}\} is within quotes"):
        statement(text)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_any_text_is_a_query_of_fts5(query: str) -> None:
    """Whatever a person types can be matched: SQLite finds no error in it, and finds a document of those words."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE d USING fts5(x)")
    base.execute("INSERT INTO d VALUES (?)", ("red shoes for running",))
    for made in (any_word, all_words):
        base.execute("SELECT * FROM d WHERE d MATCH ?", (made(query),)).fetchall()
    found = base.execute("SELECT count(*) FROM d WHERE d MATCH ?", (any_word(f"{query} red"),)).fetchone()
    both = base.execute("SELECT count(*) FROM d WHERE d MATCH ?", (all_words("red SHOES*"),)).fetchone()
    base.close()
    assert found == both == (1,)
