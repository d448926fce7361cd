"""What stands beside the numbers of the page: over how many queries, which system is the baseline, what was changed."""

from __future__ import annotations

from typing import Any

import idealrank as ir
from tests.reports.reading import Element, read, spaced

JUDGED = {query: {"d": 1} for query in "abcd"}


def scored(*docs: str) -> dict[str, float]:
    """Give documents scores that keep their order."""
    return {doc: -float(place) for place, doc in enumerate(docs)}


FULL = {query: scored("d", "x") for query in JUDGED}
PART = {query: scored("x", "d") for query in "abc"}


def means(page: Element) -> Element:
    """Return the section of the means."""
    return page.one("section", id="means")


def counted(page: Element) -> list[str]:
    """Return what is said of how many queries means are over, in order."""
    return [each.text for each in means(page).all("small", class_="counted")]


def many(runs: dict[str, Any], **options: Any) -> Element:
    """Return the page of six systems: those given, and copies of the first."""
    first = next(iter(runs.values()))
    return read(
        ir.report(
            ir.evaluate(JUDGED, runs | {f"s{s}": first for s in range(6 - len(runs))}, ["RR"], **options)
        ).to_html()
    )


def test_queries_are_counted_once_where_all_means_have_the_same() -> None:
    """Both systems have a value in all four queries: said beside the measure, or of six systems below the table."""
    assert counted(read(ir.report(ir.evaluate(JUDGED, {"full": FULL, "part": PART}, ["RR"])).to_html())) == [
        "4 of 4 queries"
    ]
    page = many({"full": FULL, "part": PART})
    assert counted(page) == []
    assert spaced(means(page).one("p", class_="note").text).startswith("Each mean is over 4 of 4 queries. Below")


def test_queries_are_counted_in_each_cell_where_they_differ() -> None:
    """Under no_results=skip the system without results of d has three: each mean says its own count."""
    page = read(ir.report(ir.evaluate(JUDGED, {"full": FULL, "part": PART}, ["RR"], no_results="skip")).to_html())
    assert counted(page) == ["4 of 4 queries", "3 of 4 queries"]
    page = many({"full": FULL, "part": PART}, no_results="skip")
    assert sorted(counted(page)) == ["3 of 4 queries", *["4 of 4 queries"] * 5]
    assert "Each mean is over" not in means(page).one("p", class_="note").text


def test_a_system_without_a_mean_stands_last() -> None:
    """Of six systems one has no value at all: it comes after those that have one, with a dash."""
    judged = JUDGED | {"e": {"d": 1}}
    runs = {"none": {"e": scored("d")}, **{f"s{s}": FULL for s in range(5)}}
    page = read(ir.report(ir.evaluate(judged, runs, ["RR"], no_results="skip", only=list("abcd"))).to_html())
    rows = means(page).one("tbody").all("tr")
    assert rows[-1].one("th").one("bdi").text == "none"
    assert [row.all("b")[0].text for row in rows] == ["1.0000"] * 5 + ["–"]


def test_what_is_better_and_what_is_compared_with_is_said() -> None:
    """The baseline is called so, a measure that is better lower too; glyphs are explained where there are any."""
    page = read(ir.report(ir.compare(JUDGED, {"old": FULL, "new": FULL}, ["RR", "ARP"], draws=100)).to_html())
    assert [spaced(each.text) for each in means(page).one("thead").all("th")] == ["measure", "old baseline", "new"]
    meanings = [each.text for each in means(page).all("small", class_="meaning")]
    assert [text.endswith("; lower is better") for text in meanings] == [False, True]
    assert "▲ better, ▼ worse, = no difference from the baseline." in means(page).one("p", class_="note").text
    alone = read(ir.report(ir.evaluate(JUDGED, {"old": FULL, "new": FULL}, ["RR"])).to_html())
    assert [spaced(each.text) for each in means(alone).one("thead").all("th")] == ["measure", "old", "new"]
    assert "▲" not in means(alone).text


def test_both_sides_are_named_where_all_pairs_are_compared() -> None:
    """Four systems without a baseline make six pairs: each row of the verdicts names the system and the other."""
    runs = dict.fromkeys(("s", "t", "u", "v"), FULL)
    rows = (
        read(ir.report(ir.compare(JUDGED, runs, ["RR"], draws=100)).to_html())
        .one("div", id="verdict")
        .one("tbody")
        .all("tr")
    )
    assert [spaced(row.one("th").text) for row in rows] == [
        "t instead of s", "u instead of s", "v instead of s", "u instead of t", "v instead of t", "v instead of u",
    ]  # fmt: skip


def test_the_ledger_counts_results_and_inputs_count_rows() -> None:
    """FULL has two results of each of four queries, PART of three: eight and six rows."""
    page = read(ir.report(ir.evaluate(JUDGED, {"full": FULL, "part": PART}, ["RR"])).to_html())
    rows = page.one("section", id="ledger").one("div", aria_label="Queries by system").one("tbody").all("tr")
    assert [[each.text for each in row.all("td")[:4]] for row in rows] == [["4", "0", "0", "8"], ["3", "1d", "0", "6"]]
    assert [each.text.split(";")[0] for each in page.one("section", id="inputs").all("p")[1:]] == [
        "4 rows",
        "8 rows",
        "6 rows",
    ]


def test_only_what_happened_is_a_column_of_the_ledger() -> None:
    """Values are computed, and one is filled by no_results; nothing else happened."""
    page = read(ir.report(ir.evaluate(JUDGED, {"part": PART}, ["RR"])).to_html())
    box = page.one("section", id="ledger").one("div", aria_label="Queries by measure")
    assert [each.text for each in box.one("thead").all("th")] == ["measure", "system", "computed", "filled no results"]
    assert [each.text for each in box.one("tbody").all("td")] == ["part", "3", "1"]


def test_what_was_changed_is_said_first() -> None:
    """An answer that differs from the default stands under a heading of its own; without any there is none."""
    changed = read(ir.report(ir.evaluate(JUDGED, FULL, ["nDCG@3"], gain="exp2")).to_html()).one(
        "section", id="decisions"
    )
    assert changed.all("h4")[0].text == "Changed"
    assert changed.all("ul")[0].one("code").text == "gain=exp2"
    assert (
        "Changed"
        not in read(ir.report(ir.evaluate(JUDGED, FULL, ["nDCG@3"])).to_html()).one("section", id="decisions").text
    )


def test_queries_of_weight_0_are_named() -> None:
    """Two queries of weight 0 are in no mean, and named among what is not paired."""
    weights = {"a": 1, "b": 0, "c": 2, "d": 0}
    found = ir.compare(JUDGED, {"old": FULL, "new": FULL}, ["RR"], weights=weights, draws=100)
    said = [each.text for each in read(ir.report(found).to_html()).one("section", id="methods").all("li")]
    same = "new: 4 queries with the same results as far as RR reads; these differ by exactly 0 and need no judgments"
    assert said == ["2 queries of weight 0, in no mean (b, d)", same]
