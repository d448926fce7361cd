"""Blocks: what a value shows, drawn as text, as HTML and as Markdown."""

from __future__ import annotations

import pytest

import idealrank as ir
from idealrank.display.blocks import Beside, Block, Grid, Heading, Lines, Points, Small, TextColumn as Column
from idealrank.display.document import Shown
from idealrank.display.html import html
from idealrank.display.markdown import markdown
from idealrank.display.text import lines, paragraphs

WORDS = Column("answer", ["skip", "0"], numeric=False)
NUMBERS = Column("RR", ["0.5000", "–"], numeric=True)


def test_lines_without_a_title_go_on_below() -> None:
    """Lines follow lines without an empty line between; a title, or anything else, begins a paragraph."""
    blocks = [
        Lines([("a", "1")]),
        Lines([("  b", "2")]),
        Lines([("c", "3")], "more"),
        Grid([NUMBERS]),
        Lines([("d", "")]),
    ]
    assert [part[0].split()[0] for part in paragraphs(blocks, 80)] == ["a", "more", "RR", "d"]
    assert lines(blocks, 80)[:3] == ["a          1", "  b        2", ""]


def test_what_text_leaves_out_is_said_below() -> None:
    """Where columns do not fit, the ones that can be spared go; what is said instead stands below."""
    because = Column("because", ["1 query without results", "2 ties"], numeric=False, whole=True, spare=True)
    grid = Grid([WORDS, because, NUMBERS], "moved", instead=Lines([("  skip", "1 query")], "because", 8))
    assert lines([grid], 80)[1].split() == ["answer", "because", "RR"]
    assert lines([grid], 30)[1].split() == ["answer", "RR"]
    assert lines([grid], 30)[-2:] == ["because", "  skip  1 query"]
    assert "1 query without results" in html([grid])


def test_only_a_page_has_small_print_and_fingerprints() -> None:
    """Small print, fingerprints and columns for a page are in HTML; text is what it was without them."""
    blocks: list[Block] = [
        Grid(
            [NUMBERS], stated={"fingerprint": "RR[ties=given]"}, on_page=[Column("meaning", ["a", "b"], numeric=False)]
        ),
        Small("2 of 3 queries"),
    ]
    assert lines(blocks, 80) == lines([Grid([NUMBERS])], 80)
    for part in ("RR[ties=given]", "meaning", "2 of 3 queries"):
        assert part in html(blocks)


def test_grids_stand_side_by_side_where_they_fit() -> None:
    """Two grids stand next to each other in a wide text, below each other in a narrow one."""
    block = Beside(Grid([NUMBERS], "results"), Grid([WORDS], "ideal list", more=3))
    assert lines([block], 80)[0] == "results    ideal list"
    assert lines([block], 12)[0] == "results"
    assert lines([block], 80)[-1].split() == ["3", "more", "rows"]


def test_markdown() -> None:
    """Markdown has the heading, the labels as points, the grid as a table; what it would read as signs is escaped."""
    blocks: list[Block] = [
        Heading("query {}", ("*q*",)), Lines([("ledger", "2 queries"), ("  up", "1")]), Grid([WORDS, NUMBERS], more=1),
        Points(["a note"], "the sum"),
    ]  # fmt: skip
    assert markdown(blocks) == (
        "### query \\*q\\*\n\n- ledger: 2 queries\n  - up: 1\n\n"
        "| answer | RR |\n| :--- | ---: |\n| skip | 0.5000 |\n| 0 | – |\n\n1 more row\n\nthe sum\n\n- a note\n"
    )


def test_every_value_has_the_three_forms() -> None:
    """Scores, ledgers, explanations, flavours, tables, comparisons and segments are text, HTML and Markdown."""
    judgments = {f"q{i}": {"a": 2, "b": 1} for i in range(3)}
    runs = {"up": {q: {"a": 2.0, "b": 1.0} for q in judgments}, "down": {q: {"a": 1.0, "b": 2.0} for q in judgments}}
    scores, compared = ir.evaluate(judgments, runs, ["RR", "nDCG"]), ir.compare(judgments, runs, ["nDCG"], draws=100)
    flavors = ir.flavors(judgments, runs["up"], k=2)
    values = [
        scores,
        scores.ledger,
        scores.explain("nDCG", "q1", "up"),
        flavors,
        scores.means,
        compared,
        compared.segments,
    ]
    for value in values:
        assert isinstance(value, Shown)
        for drawn in (repr(value), value._repr_html_(), value.to_markdown()):
            assert drawn
            assert f"{type(value).__name__}(" not in drawn


def test_a_value_says_what_it_shows() -> None:
    """A class of values without `shown` has nothing to draw."""
    with pytest.raises(NotImplementedError):
        repr(Shown())
