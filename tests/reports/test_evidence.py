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
