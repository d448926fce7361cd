"""The sheet of holes: how many, what they allow the means to be, what to judge first."""

from __future__ import annotations

import idealrank as ir
from tests.reports.reading import Element, read

JUDGED = {"a": {"d": 1}, "b": {"d": 1}}


def scored(*docs: str) -> dict[str, float]:
    """Give documents scores that keep their order."""
    return {doc: -float(place) for place, doc in enumerate(docs)}


def sheet() -> Element:
    """Return the holes of two systems: before has x, y and z above the relevant documents, after has z below one."""
    runs = {
        "before": {"a": scored("x", "y", "d"), "b": scored("z", "d")},
        "after": {"a": scored("d"), "b": scored("d", "z")},
    }
    return read(ir.report(ir.compare(JUDGED, runs, ["RR", "P@2"], draws=100)).to_html()).one("section", id="holes")


def cells(box: Element) -> list[list[str]]:
    """Return the text of every row of a table."""
    return [[each.text for each in row.all("th") + row.all("td")] for row in box.one("tbody").all("tr")]


def test_holes_of_all_queries_are_added() -> None:
    """Two in the first query and one in the second are three; one is one."""
    assert cells(sheet().one("div", aria_label="Unjudged results by system")) == [["before", "3"], ["after", "1"]]


def test_what_the_holes_allow() -> None:
    """Were all holes relevant, RR of `before` is 1 and P@2 too (x, y; z, d); that of `after` 1/2 and 1.

    As they are, `before` has 1/3 and 1/2, and P@2 of 0 and 1/2; `after` 1 and 1, and P@2 of 1/2 twice.
    """
    assert cells(sheet().one("div", aria_label="Means once everything is judged")) == [
        ["RR", "before", "0.4167", "0.4167 to 1.0000"],
        ["RR", "after", "1.0000", "1.0000 to 1.0000"],
        ["P@2", "before", "0.2500", "0.2500 to 1.0000"],
        ["P@2", "after", "0.5000", "0.5000 to 0.7500"],
    ]


def test_what_to_judge_first() -> None:
    """With a label x would make RR of `before` 1 in place of 1/3, z 1 in place of 1/2, y 1/2 in place of 1/3.

    Half of that moves the mean, in favour of the baseline. The rank in the baseline stands before the rank in the
    system, which returned z alone.
    """
    assert cells(sheet().one("div", aria_label="What to judge first")) == [
        ["a", "x", "after", "1", "–", "−0.3333"],
        ["b", "z", "after", "1", "2", "−0.2500"],
        ["a", "y", "after", "2", "–", "−0.0833"],
    ]


def test_titles_stand_over_ids() -> None:
    """A document to judge is called by its title, with its id below."""
    runs = {"before": {"a": scored("x", "d"), "b": scored("d")}, "after": {"a": scored("d"), "b": scored("d")}}
    html = ir.report(ir.compare(JUDGED, runs, ["RR"], draws=100), documents={"x": "Red <shoe>"}).to_html()
    (row,) = read(html).one("div", aria_label="What to judge first").one("tbody").all("tr")
    assert row.all("td")[0].text == "Red <shoe>x"
    assert row.all("td")[0].one("small").text == "x"


def test_queries_that_were_not_asked_for_have_no_holes() -> None:
    """Of two queries the one asked for has two unjudged results: the page says two."""
    runs = {"before": {"a": scored("x", "y", "d"), "b": scored("z", "d")}}
    page = read(ir.report(ir.evaluate(JUDGED, runs, ["RR"], only=["a"])).to_html())
    assert cells(page.one("section", id="holes").one("div", aria_label="Unjudged results by system")) == [
        ["before", "2"]
    ]
