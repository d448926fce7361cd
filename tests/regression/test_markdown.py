"""Markdown for a pull request, read by a parser of GitHub's tables."""

from __future__ import annotations

from typing import Any

import pytest
from markdown_it import MarkdownIt

import idealrank as ir
from idealrank.display.markdown import code, escape
from tests.regression.worlds import judged, ranked

READER = MarkdownIt("commonmark").enable("table")
NASTY = ["a|b", "*bold*", "_em_", "<script>", "`tick`", "[l](u)", "~~x~~", "&amp;", "back\\slash", "two\nlines", "``"]


def tables(text: str) -> list[list[list[str]]]:
    """Return the tables of a page, as rows of cells of plain text."""
    found: list[list[list[str]]] = []
    for token in READER.parse(text):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type == "inline" and found and token.level == 4 and token.children is not None:
            found[-1][-1].append("".join(child.content for child in token.children))
    return found


def headings(text: str) -> list[str]:
    """Return the headings of a page."""
    tokens = READER.parse(text)
    return [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]


@pytest.mark.parametrize("text", NASTY)
def test_text_is_shown_as_it_is(text: str) -> None:
    """A cell and a code span show every character of a text on one line, and nothing of it is markup."""
    ((_, row),) = tables(f"| a | b | c |\n|---|---|---|\n| {escape(text)} | {code(text)} | end |")
    assert row == [" ".join(text.split())] * 2 + ["end"]


def test_a_gate_for_a_pull_request() -> None:
    """The page has the outcome, a row a measure, other conditions, and the ten worst queries with their rank moves."""
    asked: dict[str, Any] = {"fail_if": "RR drops 0.01", "minimum": "P@1>=0.1"}
    found = ir.gate(judged(15), ranked([1] * 15), ranked([2] * 12 + [1] * 3), **asked)
    text = found.to_markdown()
    measures, worst = tables(text)
    assert headings(text)[0] == "Gate failed (1 passed, 1 failed)"
    assert measures[1:] == [["RR", "1.0000", "0.6000", "−0.4000", "0.01", "failed"]]
    assert f"- passed: {escape(found.findings[1].sentence)}" in text
    assert escape(found.findings[0].sentence) in text
    assert "<summary>12 queries below the baseline under RR</summary>" in text
    assert "2 more queries." in text
    assert len(worst) == 11
    assert worst[0] == ["query", "baseline value", "value", "difference", "document (grade) rank before→after"]
    assert worst[1] == ["q000", "1.0000", "0.5000", "−0.5000", "d (1) 1→2; x1 (–) out→1; x2 (–) 2→out"]
    assert "seed 0" in text
    assert "ledger: 15 judged queries" in text


def test_texts_of_queries_are_shown() -> None:
    """Where queries have texts, these stand beside the ids."""
    queries = {"query_id": ["q000", "q001"], "query": ["red *shoes*", "a|b"]}
    found = ir.gate(judged(2), ranked([1, 1]), ranked([2, 2]), fail_if="RR drops 0.01", queries=queries)
    assert [row[:2] for row in tables(found.to_markdown())[1][1:]] == [["q000", "red *shoes*"], ["q001", "a|b"]]


def test_nothing_loses() -> None:
    """Where no query loses, none is listed; without a baseline the conditions are, without a table."""
    found = ir.gate(judged(2), ranked([2, 2]), ranked([1, 1]), fail_if="RR drops 0.01")
    assert len(tables(found.to_markdown())) == 1
    alone = ir.gate(judged(2), None, ranked([1, 1]), minimum="RR>=0").to_markdown()
    assert (len(tables(alone)), "- passed: RR is 1.0000 over 2 queries" in alone) == (0, True)


def test_a_comparison() -> None:
    """A comparison has a sentence a system, a row a difference, and the worst queries of every system."""
    systems = {"base_": ranked([1] * 6), "a|b": ranked([2] * 6), "c": ranked([1, 1, 1, 2, 2, 1])}
    compared = ir.compare(judged(6), systems, ["RR", "P@1"], baseline="base_")
    text = compared.to_markdown()
    differences, first, second = tables(text)
    assert [row[:4] for row in differences[1:]] == [
        [c.measure, c.role, c.system, f"{c.difference:+.4f}".replace("-", "−")] for c in compared.contrasts.values()
    ]
    assert headings(text)[0] == "Comparison"
    assert len(headings(text)) == 3
    assert [row[0] for row in first[1:]] == [f"q00{i}" for i in range(6)]
    assert [row[0] for row in second[1:]] == ["q003", "q004"]
    for verdict in compared.verdict.values():
        assert escape(verdict.sentence) in text


def test_all_pairs() -> None:
    """Without a baseline every pair has its queries, the first five of them."""
    systems = {name: ranked([1 + i * (place + 1) % 5 for i in range(6)]) for place, name in enumerate("abcd")}
    text = ir.compare(judged(6), systems, ["RR"]).to_markdown()
    assert len(headings(text)) == 6
    assert "Queries of 1 more pair are left out." in text
