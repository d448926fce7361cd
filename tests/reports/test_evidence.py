"""The evidence in the page: marks, intervals and the order of systems, from ranks worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir
from tests.comparison.worlds import one_relevant, reciprocal
from tests.reports.reading import Element, read

QUERIES = [f"q{i:03}" for i in range(24)]


def ranked(rank: int) -> dict[str, dict[str, float]]:
    """Return results with the relevant document at this rank, one lower in every third query."""
    return reciprocal({query: rank + (i % 3 == 0) for i, query in enumerate(QUERIES)})


def compared(runs: dict[str, Any], measures: list[str], **options: Any) -> tuple[ir.Comparison, Element]:
    """Return the comparison with the first system, and its page."""
    found = ir.compare(one_relevant(24), runs, measures, baseline=next(iter(runs)), **options)
    return found, read(ir.report(found).to_html())


@pytest.mark.parametrize(
    ("before", "after", "outcome", "mark"), [(3, 1, "SHIP", "✓"), (1, 3, "DON'T", "✕")], ids=["better", "worse"]
)
def test_the_mark_and_the_interval_are_on_the_side_of_the_change(
    before: int, after: int, outcome: str, mark: str
) -> None:
    """A gain is drawn to the right of zero with a tick, a loss to the left with a cross.

    The end that is farthest from zero is 0.46 of the width from the line of zero, the others in proportion.
    """
    found, page = compared({"old": ranked(before), "new": ranked(after)}, ["RR"])
    head = page.one("section", id="summary")
    assert (head.one("p", class_="tag").text, head.one("h1").one("span").text) == (outcome, mark)
    (row,) = found.differences
    low, high, middle = row["corrected low"], row["corrected high"], row["difference"]
    most = max(abs(low), abs(high))
    drawn = head.one("svg", class_="interval")
    line, dot, zero = (
        drawn.one("line", class_="range").attributes,
        drawn.one("circle").attributes,
        drawn.one("line", class_="zero").attributes,
    )
    assert zero["x1"] == zero["x2"] == "160"
    assert [float(line["x1"]), float(line["x2"]), float(dot["cx"])] == pytest.approx(
        [160 + 0.46 * 320 * end / most for end in (low, high, middle)], abs=0.051
    )
    assert (float(line["x1"]) > 160) == (after < before)
    assert (float(line["x2"]) < 160) == (after > before)
    assert [each.text for each in drawn.all("text")] == [
        f"{low:+.3f}".replace("-", "−"),
        f"{high:+.3f}".replace("-", "−"),
        "0",
    ]
    assert [each.text for each in head.one("p", class_="sides").all("span")] == ["← old better", "new better →"]


def test_what_cannot_be_told_has_a_question_mark() -> None:
    """Half of the queries gain what the others lose: the interval holds zero, and nobody can tell."""
    even = reciprocal({query: 2 if i % 2 else 6 for i, query in enumerate(QUERIES)})
    _, page = compared({"old": reciprocal(dict.fromkeys(QUERIES, 3)), "new": even}, ["RR"])
    head = page.one("section", id="summary")
    assert (head.one("p", class_="tag").text, head.one("h1").one("span").text) == ("CAN'T TELL", "?")
    line = head.one("line", class_="range").attributes
    assert float(line["x1"]) < 160 < float(line["x2"])


@pytest.mark.parametrize(("level", "said"), [({}, "95%"), ({"level": 0.9}, "90%")], ids=["as it is", "90"])
def test_the_level_of_the_intervals_is_said(level: dict[str, float], said: str) -> None:
    """Under the means stands the confidence of their intervals: the one asked for."""
    _, page = compared({"old": ranked(3), "new": ranked(1)}, ["RR"], **level)
    assert f"Below each mean: its {said} interval." in page.one("section", id="means").one("p", class_="note").text


def test_fewer_relevant_results_above_are_first_under_a_measure_that_is_better_lower() -> None:
    """ARP is the mean rank of the relevant results: six systems stand from the lowest to the highest.

    In every third query the document stands one lower, so that the means are r + 1/3.
    """
    runs = {f"s{rank}": ranked(rank) for rank in (4, 1, 6, 3, 5, 2)}
    _, page = compared(runs, ["ARP", "RR"])
    rows = page.one("section", id="means").one("tbody").all("tr")
    assert [row.one("th").one("bdi").text for row in rows] == ["s1", "s2", "s3", "s4", "s5", "s6"]
    assert [row.all("b")[0].text for row in rows] == [f"{rank + 1 / 3:.4f}" for rank in range(1, 7)]


def test_less_is_a_gain_in_the_table_of_verdicts_too() -> None:
    """Five systems against one under ARP: those above it gain, those below it lose, with the sign of the difference."""
    runs = {f"s{rank}": ranked(rank) for rank in (4, 1, 6, 3, 5, 2)}
    _, page = compared(runs, ["ARP", "RR"])
    rows = page.one("div", id="verdict").one("tbody").all("tr")
    assert {row.one("th").text: row.one("span", class_="difference").text for row in rows} == {
        "s1": "▲ −3.0000", "s2": "▲ −2.0000", "s3": "▲ −1.0000", "s5": "▼ +1.0000", "s6": "▼ +2.0000",
    }  # fmt: skip
    marks = {row.one("th").text: row.one("span", class_="mark").text for row in rows}
    assert marks == {"s1": "✓", "s2": "✓", "s3": "✓", "s5": "✕", "s6": "✕"}
    assert "Of 5 pairs: SHIP 3, DON'T 2." in page.one("div", id="verdict").text


def test_a_guardrail_that_is_better_lower_has_its_glyph() -> None:
    """In the means the difference of ARP is marked by what is better, beside RR where it is more."""
    _, page = compared({"old": ranked(3), "new": ranked(1)}, ["RR", "ARP"])
    shown = [each.text for each in page.one("section", id="means").all("span", class_="difference")]
    assert [text[0] for text in shown] == ["▲", "▲"]
    assert shown[1] == "▲ −2.0000"
