"""What the page says without script."""

from __future__ import annotations

import pytest

import idealrank as ir
from idealrank.errors import plural
from idealrank.reports.report import Report
from tests.reports.reading import read
from tests.reports.worlds import HOSTILE, SHOP, alone, hostile, shop


def test_what_to_judge_is_linked_from_the_head() -> None:
    """The first three queries with results to judge are links, the others are counted; ten results in all."""
    report = shop()
    rows = report.holes["to_judge"]
    queries = list(dict.fromkeys(row["query"] for row in rows))
    told = read(report.to_html()).one("p", class_="to-judge")
    assert [each.attributes["data-query"] for each in told.all("a", class_="query-link")] == queries[:3]
    assert told.text.startswith(f"Judge first: {len(rows)} results, for ")
    assert told.one("button").text == "Copy as CSV"


def test_results_to_be_checked_are_not_to_be_judged() -> None:
    """Where the results are odd, labels settle nothing: the head asks for the check alone."""
    rows = ir.read_results(SHOP / "hybrid.csv").rows_to_write()
    cut: dict[str, dict[str, float]] = {}
    for query, doc in zip(rows.query, rows.doc, strict=True):
        docs = cut.setdefault(query, {})
        if len(docs) < 3:
            docs[doc] = float(-len(docs))
    for baseline, links in ((SHOP / "hybrid.csv", 1), (cut, 0)):
        found = ir.compare(SHOP / "judgments.csv", {"old": baseline, "new": SHOP / "bm25.csv"}, ["nDCG@10"])
        page = read(ir.report(found).to_html())
        assert len(page.all("p", class_="to-judge")) == links


def test_every_decision_and_the_whole_ledger_are_there() -> None:
    """Decisions by stage, every line of the ledger, and each query that is not simply computed stand in the page."""
    report = shop()
    page = read(report.to_html())
    answers = [code.text for code in page.one("section", id="decisions").all("code")]
    for stage in report.scores.answers.by_stage.values():
        assert set(stage) <= set(answers)
    ledger = page.one("section", id="ledger")
    said = [item.text for item in ledger.all("li")]
    assert said == [*report.scores.ledger.read, *report.scores.ledger.notes]
    exceptions = ledger.all("table")[-1].one("tbody").all("tr")
    assert len(exceptions) == len(report.scores.ledger.exceptions)
    assert f"{plural(report.scores.ledger.judged, 'judged query')}" in ledger.text


def test_hostile_text_stays_text() -> None:
    """Tags in titles, ids and names become no elements, and names are kept apart from what stands around them."""
    html = hostile().to_html()
    page = read(html)
    assert page.one("title").text == hostile().heading == page.one("p", class_="kind").one("bdi").text
    assert len(page.all("script")) == 2 + len(hostile().to_dict())
    assert not page.all("img")
    assert not page.all("i")
    names = {each.text for each in page.all("bdi")}
    assert {f"a {HOSTILE[0]}", f"b {HOSTILE[4]}", "<d>"} <= names


@pytest.mark.parametrize("make", [shop, alone, hostile], ids=["shop", "alone", "hostile"])
def test_nothing_in_the_page_needs_what_its_policy_forbids(make: object) -> None:
    """There are no style attributes, no handlers in attributes, and nothing that would be loaded."""
    for element in read(make().to_html()).all():  # type: ignore[operator]
        names = set(element.attributes)
        assert not {name for name in names if name == "style" or name.startswith("on")}
        assert not names & {"src", "srcset", "action", "background"}
        assert element.attributes.get("href", "#").startswith("#")


def test_warnings_stand_once_below_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the ledger warns of is told once and as text; where it warns of nothing there is no such place."""
    report = shop()
    ledger = {**report.ledger, "warnings": []}
    monkeypatch.setattr(Report, "ledger", property(lambda _: ledger))
    assert not read(report.to_html()).all("section", id="warnings")
    ledger["warnings"] = ["Ids look <like> 12 here.", "The order is the other way round."]
    page = read(report.to_html())
    assert [each.text for each in page.one("section", id="warnings").all("li")] == ledger["warnings"]
    told = [each.attributes.get("id") for each in page.one("main").all("section")]
    assert told[:2] == ["summary", "warnings"]
