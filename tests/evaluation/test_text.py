"""Text: what a terminal and a REPL show."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.display.blocks import TextColumn as Column, draw, label_lines, place_beside, text_width
from tests.evaluation.worlds import JUDGMENTS, RANDOMLY, RESULTS, several

WORDS = st.text(alphabet="abc dé検", min_size=0, max_size=60)
NUMBERS = st.floats(0, 1000).map(lambda value: f"{value:.4f}")


def columns(words: list[str], numbers: list[list[str]]) -> list[Column]:
    """Return a column of words and columns of numbers."""
    size = len(words)
    return [Column("query", words, False), *(Column(f"n{i}", row[:size], True) for i, row in enumerate(numbers))]


@RANDOMLY
@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(st.lists(NUMBERS, min_size=4, max_size=4), max_size=6))
def test_tables_fit_and_keep_their_numbers(words: list[str], numbers: list[list[str]]) -> None:
    """However narrow, every number is whole, every word is there, and nothing stands beyond the width."""
    drawn = columns(words, numbers)
    for width in (60, 80, 140):
        lines = draw(drawn, width)
        longest = max((text_width(word) for text in words for word in text.split()), default=0)
        if longest <= 40:
            assert max(map(text_width, lines)) <= width
        shown = " ".join(lines).split()
        for row in numbers:
            for number in row[: len(words)]:
                assert number in shown


def test_words_give_way_to_numbers() -> None:
    """Long texts fold into lines; the numbers stand beside the first."""
    lines = draw([Column("text", ["keep coffee hot on the way to work"], False), Column("n", ["0.5000"], True)], 24)
    assert lines == [
        "text                   n",
        "────────────────────────",
        "keep coffee hot   0.5000",
        "on the way to",
        "work",
    ]


def test_what_is_too_wide_goes_on_below() -> None:
    """Numbers that do not fit go on in a second table, which repeats the first column and its words."""
    drawn = [Column("rank", ["1"], True), Column("doc", ["d1"], False)]
    drawn += [Column(name, ["0.1234"], True) for name in ("gain", "discount", "contribution")]
    assert draw(drawn, 30) == [
        "rank  doc    gain  discount",
        "───────────────────────────",
        "   1  d1   0.1234    0.1234",
        "",
        "rank  doc  contribution",
        "───────────────────────",
        "   1  d1         0.1234",
    ]


def test_nothing_to_draw() -> None:
    """No columns are no lines."""
    assert draw([], 80) == []


def test_labels_hang() -> None:
    """A label stands before its text, which folds beside it; a long label moves the text along."""
    assert label_lines("list", "order_by=auto ties=docid_desc", 30) == [
        "list       order_by=auto",
        "           ties=docid_desc",
    ]
    assert label_lines("a-rather-long-name", "40 judged", 60) == ["a-rather-long-name 40 judged"]


def test_beside() -> None:
    """Two drawings stand next to each other where they fit, else not at all."""
    assert place_beside(["a", "b"], ["c"], 20) == ["a    c", "b"]
    assert place_beside(["a" * 10], ["b" * 10], 20) is None


def test_repr_of_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """The repr is the means with their intervals, every decision, the ledger and what would move a mean.

    Student's intervals of three queries, as -0.74 to 1.74, rule nothing out that RR can be, and are not shown.
    """
    monkeypatch.setenv("COLUMNS", "100")
    scores = ir.evaluate(JUDGMENTS, several(RESULTS), ["RR", "AP"], gain="exp2")
    assert repr(scores) == (
        """\
means (95% intervals)
measure      up    down
───────────────────────
RR       0.5000  0.6667
AP       0.3519  0.5185

decisions  idealrank-1, gain=exp2
  read     raters=median duplicates=error unit=as_returned
  list     order_by=auto rank_gaps=close steps=one ties=docid_desc score_precision=float64
  value    cutoff=at_most_k unjudged=zero negative=unjudged relevant_from=1 ap_denominator=R
           no_relevant=0
  mean     no_results=0 failed=skip no_judgments=skip average=arithmetic weights=equal systems=auto
           rounding=none
ledger     3 judged queries
  up       2 judged and returned; 1 judged, nothing returned (q3); 1 returned, not judged (q9); 2
           unjudged results
  down     2 judged and returned; 1 judged, nothing returned (q3); 1 returned, not judged (q9); 2
           unjudged results
  tables   judgments: dict of dicts, grades 1 to 3
           results: query=query doc=doc score=score system=system, ordered by score

How much each choice matters (changes above 0.0005):
system  answer           because                        RR      AP
──────────────────────────────────────────────────────────────────
up      no_results=skip  1 query without results    0.7500  0.5278
        no_judgments=0   1 query without judgments  0.3750  0.2639
        unjudged=filter  2 unjudged results         0.6667  0.5556
down    no_results=skip  1 query without results    1.0000  0.7778
        no_judgments=0   1 query without judgments  0.5000  0.3889
        unjudged=filter  2 unjudged results                 0.5556"""
    )


def test_grades_are_shown_as_they_are() -> None:
    """Whole grades and gains have no decimals, fractional ones as many as they need, up to four."""
    whole = repr(ir.explain(*ir.from_grades([3, 0]), "DCG")).splitlines()[5]
    assert whole.split() == ["1", "d1", "3", "3", "1.0000", "3.0000", "3.0000"]
    half = repr(ir.explain(*ir.from_grades([2.5, 0]), "DCG")).splitlines()[5]
    assert half.split()[2:4] == ["2.5", "2.5"]
    third = repr(ir.explain(*ir.from_grades([1 / 3, 2]), "DCG")).splitlines()[5:7]
    assert [line.split()[2] for line in third] == ["0.3333", "2.0000"]
