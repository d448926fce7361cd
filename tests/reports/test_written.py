"""Names, numbers and lists as the page writes them, read back without script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.reports.report import Report
from tests.reports.reading import Element, read
from tests.reports.worlds import shop

QUOTED = 'a "b" c=\'d\' onfocus=alert(1) x="'
TAGS = ["<img src=x onerror=alert(1)>", "</p><b>bold</b>", '"&amp;"']


def scored(*docs: str) -> dict[str, float]:
    """Give documents scores that keep their order."""
    return {doc: -float(place) for place, doc in enumerate(docs)}


def page_of(judged: Any, runs: Any, measures: list[str], **options: Any) -> Element:
    """Return the page of a comparison."""
    return read(ir.report(ir.compare(judged, runs, measures, draws=100, **options)).to_html())


def test_a_name_with_quotes_stays_in_its_attribute() -> None:
    """The cell of a mean and the card of a verdict carry a system's name as it is, and nothing else from it."""
    judged = {query: {"d": 1} for query in "abc"}
    runs = {QUOTED: {query: scored("d") for query in judged}, "other": {query: scored("x", "d") for query in judged}}
    page = page_of(judged, runs, ["RR"], baseline="other")
    assert page.one("article", class_="verdict").attributes["data-system"] == QUOTED
    assert [cell.attributes for cell in page.all("div", class_="mean")] == [
        {"class": "mean", "data-measure": "RR", "data-system": name} for name in (QUOTED, "other")
    ]
    assert QUOTED in {each.text for each in page.all("bdi")}


def test_queries_in_the_ledger_and_the_methods_stay_text() -> None:
    """Ids that hold tags are read back as they are where queries are named, and open no element."""
    judged = {query: {"d": 1} for query in [*TAGS, "q"]}
    runs = {
        "base": {query: scored("d") for query in [TAGS[0], "q", TAGS[2]]},
        "new": {"q": scored("d"), "<i>": scored("d")},
    }
    page = page_of(judged, runs, ["RR"])
    base, new = page.one("section", id="ledger").one("div", aria_label="Queries by system").one("tbody").all("tr")
    assert [each.text for each in base.all("td")[1].all("bdi")] == [TAGS[1]]
    assert sorted(each.text for each in new.all("td")[1].all("bdi")) == sorted(TAGS)
    assert [each.text for each in new.all("td")[2].all("bdi")] == ["<i>"]
    paired, same = page.one("section", id="methods").one("ul").all("li")
    assert same.text.startswith("new: 2 queries with the same results")
    assert {each.text for each in paired.all("bdi")} == {"new", TAGS[0], TAGS[2]}
    assert not page.all("img")
    assert not page.all("i")


def test_twenty_queries_are_named_and_the_others_counted() -> None:
    """Of 23 queries without results 20 stand in the ledger; of 20 all do, and nothing is counted."""
    for many, said in ((23, "and 3 more"), (20, "q19")):
        judged = {f"q{i:02}": {"d": 1} for i in range(many)} | {"there": {"d": 1}}
        scores = ir.evaluate(judged, {"there": scored("d")}, ["RR"])
        page = read(ir.report(scores).to_html())
        cell = page.one("section", id="ledger").one("div", aria_label="Queries by system").one("tbody").all("td")[1]
        assert [each.text for each in cell.all("bdi")] == [f"q{i:02}" for i in range(20)]
        assert cell.text.startswith(f"{many}q00, q01, ")
        assert cell.text.endswith(said)


def test_rows_that_are_not_written_are_counted() -> None:
    """Of 205 queries without results 200 are rows, and it is said that there are five more; of 200 all are rows."""
    for many in (205, 200):
        judged = {f"q{i:03}": {"d": 1} for i in range(many)} | {"there": {"d": 1}}
        ledger = read(ir.report(ir.evaluate(judged, {"there": scored("d")}, ["RR"])).to_html()).one(
            "section", id="ledger"
        )
        assert len(ledger.all("table")[-1].one("tbody").all("tr")) == 200
        assert [each.text for each in ledger.all("p") if "more row" in each.text] == (
            ["5 more rows"] if many > 200 else []
        )


def test_a_page_built_twice_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pages, each from its own evaluation and at another time, are the same to the byte."""
    clock = iter(range(10**9, 2 * 10**9, 10**5))
    monkeypatch.setattr("time.time", lambda: float(next(clock)))

    def built() -> str:
        judged = {query: {"d": 1, "e": 2} for query in "abc"}
        runs = {
            "old": {query: scored("x", "d") for query in judged},
            "new": {query: scored("e", "d") for query in judged},
        }
        found = ir.compare(judged, runs, ["nDCG@3", "RR"], draws=100)
        return Report(found.scores, found).to_html()

    assert built() == built()


@pytest.mark.parametrize("path", ["y.html", Path("y.html")])
@pytest.mark.parametrize("form", ["to_html", "to_markdown", "to_json", "to_dict"])
def test_a_file_is_not_progress(form: str, path: str | Path) -> None:
    """Who passes the name of a file is told what writes one."""
    with pytest.raises(ir.UsageError, match=r"progress='y.html'.*report\.save\('y\.html'\)"):
        getattr(shop(), form)(path)
