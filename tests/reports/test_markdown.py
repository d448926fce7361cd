"""A report as Markdown, read by a Markdown parser."""

from __future__ import annotations

import math
from typing import Any

import pytest
from markdown_it import MarkdownIt

import idealrank as ir
from tests.reports.reading import Element, read

READER = MarkdownIt("commonmark").enable("table")
HOSTILE = "<b>A_b</b> | *c* [d](e) `f` &amp; ~g~"

JUDGED = {"a": {"d": 2, "e": 1}, "b": {"d": 1}, "c": {"d": 1}, "z": {"d": 0}}


def scored(*docs: str) -> dict[str, float]:
    """Give documents scores that keep their order."""
    return {doc: -float(place) for place, doc in enumerate(docs)}


RUN = {"a": scored("x", "y", "d", "e"), "b": scored("z", "d"), "z": scored("d")}


def written(scores: ir.Scores, **options: Any) -> Element:
    """Return the report as a reader of Markdown shows it."""
    return read(READER.render(ir.report(scores, **options).to_markdown()))


def items(page: Element) -> list[str]:
    """Return the text of every line of a list."""
    return [each.text for each in page.all("li")]


def table(page: Element, *head: str) -> list[list[str]]:
    """Return the rows of the table with these titles of columns."""
    (found,) = [each for each in page.all("table") if [cell.text for cell in each.all("th")] == list(head)]
    return [[cell.text for cell in row.all("td")] for row in found.one("tbody").all("tr")]


def test_the_title_is_text() -> None:
    """Whatever a title holds is read as it stands, and makes nothing else."""
    page = written(ir.evaluate(JUDGED, RUN, ["RR"]), title=HOSTILE)
    assert page.one("h1").text == HOSTILE
    assert not page.one("h1").all()


def test_names_of_queries_and_systems_are_text() -> None:
    """Hostile ids of queries, systems and documents are read as they stand in headings, lists and tables."""
    runs = {HOSTILE: {HOSTILE: scored("x", HOSTILE)}, "other": {HOSTILE: scored(HOSTILE)}}
    found = ir.compare({HOSTILE: {HOSTILE: 1}}, runs, ["RR"], draws=100)
    page = read(READER.render(ir.report(found).to_markdown()))
    assert [each.text for each in page.all("h3")] == [HOSTILE]
    assert f"{HOSTILE}: 0.5000 / 1.0000 = 0.5000" in items(page)
    assert f"{HOSTILE}: 1 unjudged result in the top 2" in items(page)
    assert table(page, "rank", HOSTILE, "other", "judged best") == [
        ["1", "x (–) 0.0000", f"{HOSTILE} (1) 1.0000", f"{HOSTILE} (1)"],
        ["2", f"{HOSTILE} (1) 0.5000", "", ""],
    ]


def test_the_sum_behind_each_value() -> None:
    """The sum over the ideal's sum is the value; what lies below the lists shown is told; what is no sum, too.

    nDCG@5 of a, whose d stands third and e fourth, is (2 / 2 + 1 / log2(5)) / (2 + 1 / log2(3)); three are shown.
    """
    last, ideal = 1 / math.log2(5), 2 + 1 / math.log2(3)
    total = 1 + last
    assert items(written(ir.evaluate(JUDGED, RUN, ["nDCG@5"]), depth=3))[:4] == [
        "results: nothing returned, counted as 0.0000",
        "results: 0.0000",
        f"results: {total:.4f}, {last:.4f} of it below / {ideal:.4f} = {total / ideal:.4f}",
        "results: 0.6309 / 1.0000 = 0.6309",
    ]


def test_a_query_that_is_left_out_has_no_sum() -> None:
    """Under no_results=skip the system without results has no value of c."""
    runs = {"full": {query: scored("d") for query in "bc"}, "part": {"b": scored("d")}}
    scores = ir.evaluate({query: JUDGED[query] for query in "bc"}, runs, ["RR"], no_results="skip")
    assert [text for text in items(written(scores)) if text.startswith("part: ")][:2] == [
        "part: 1.0000 / 1.0000 = 1.0000",
        "part: left out",
    ]


def test_holes_of_all_queries_are_added() -> None:
    """Two in one query and one in another are three; two of them are first results."""
    scores = ir.evaluate(JUDGED, RUN, ["nDCG@5"])
    assert "results: 3 unjudged results in the top 4" in items(written(scores))
    assert "results: 2 unjudged results in the top 1" in items(written(scores, depth=1))
    assert "results: 2 unjudged results in the top 4" in items(
        written(ir.evaluate(JUDGED, RUN, ["RR"], only=["a", "z"]))
    )


@pytest.mark.parametrize("measure", ["RR", "ARP"])
def test_the_lists_of_five_queries_are_written(measure: str) -> None:
    """Of seven queries the five worst have their lists, the worst first: the lowest RR, the highest ARP."""
    judged = {f"q{rank}": {"d": 1} for rank in range(1, 8)}
    run = {f"q{rank}": scored(*"tuvwxy"[: rank - 1], "d") for rank in range(1, 8)}
    page = written(ir.evaluate(judged, run, [measure]))
    assert [each.text for each in page.all("h3")] == ["q7", "q6", "q5", "q4", "q3"]


@pytest.mark.parametrize("many", [50, 53])
def test_rows_that_are_not_written_are_counted(many: int) -> None:
    """Fifty rows are written, and three more counted."""
    judged = {f"q{i:02}": {"d": 1} for i in range(many)}
    page = written(ir.evaluate(judged, {query: scored("d") for query in judged}, ["RR"]))
    assert len(table(page, "query", "results", "holes of results")) == 50
    assert [each.text for each in page.all("p") if "more row" in each.text] == (["3 more rows"] if many > 50 else [])


def test_many_pairs_are_a_table_with_reasons() -> None:
    """Four verdicts are rows; three are sentences."""
    judged = {query: {"d": 1} for query in "abc"}
    for many in (4, 5):
        runs = {f"s{s}": {query: scored(*"uvwxy"[:s], "d") for query in judged} for s in range(many)}
        page = read(READER.render(ir.report(ir.compare(judged, runs, ["RR"], baseline="s0", draws=100)).to_markdown()))
        rows = [each for each in page.all("table") if [cell.text for cell in each.all("th")][2:3] == ["outcome"]]
        assert len(rows) == (many == 5)
        assert len([each for each in page.all("strong") if each.text.startswith("s")]) == (3 if many == 4 else 0)


@pytest.mark.parametrize(
    ("compared", "said", "first"),
    [(False, "RR by query, the worst values first.", "b"), (True, "RR by query, the greatest changes first.", "c")],
)
def test_which_query_comes_first(compared: bool, said: str, first: str) -> None:
    """Without a comparison it is the one with the lowest value of any system, else the one that changed most.

    RR goes from 1/2 to 1/3 in a, from 1/2 to 1/4 in b (the lowest), from 1 to 1/3 in c (the greatest change), and stays
    at 1/3 in d.
    """
    ranks = {"a": (2, 3), "b": (2, 4), "c": (1, 3), "d": (3, 3)}
    judged = {query: {"d": 1} for query in ranks}
    runs = {
        name: {query: scored(*"xyz"[: at[s] - 1], "d") for query, at in ranks.items()} for s, name in enumerate("mn")
    }
    scores = ir.evaluate(judged, runs, ["RR"])
    report = ir.report(ir.compare(scores, draws=100)) if compared else ir.report(scores)
    page = read(READER.render(report.to_markdown()))
    assert said in {each.text for each in page.all("p")}
    assert page.all("h3")[0].text == first
    rows = table(page, "query", "m", "n", "holes of m", "holes of n")
    assert [row[0] for row in rows] == (["c", "b", "a", "d"] if compared else ["b", "a", "c", "d"])


def test_what_is_not_paired_is_said() -> None:
    """Queries that only one system answered, and those of weight 0, are named below the differences."""
    judged = {query: {"d": 1} for query in "abc"}
    weights = {"a": 1, "b": 0, "c": 1}
    runs = {"old": {query: scored("d") for query in "ab"}, "new": {query: scored("d") for query in "bc"}}
    page = read(READER.render(ir.report(ir.compare(judged, runs, ["RR"], weights=weights, draws=100)).to_markdown()))
    assert "new: 1 query answered by old alone (a); 1 query answered by new alone (c)" in items(page)
    assert "weight 0: b" in items(page)


def test_texts_and_titles_are_written() -> None:
    """A query has its text beside its id, a document its title in place of its id; where there is none, the id."""
    scores = ir.evaluate(
        {"q": {"d": 1}}, {"q": scored("x", "d")}, ["RR"], queries={"query_id": ["q"], "query": ["shoe"]}
    )
    page = written(scores, documents={"d": "Red shoe"})
    assert page.one("h3").text == "q: shoe"
    assert table(page, "query", "text", "results", "holes of results") == [["q", "shoe", "0.5000", "1"]]
    assert table(page, "rank", "results", "judged best") == [
        ["1", "x (–) 0.0000", "Red shoe (1)"],
        ["2", "Red shoe (1) 0.5000", ""],
    ]


def test_ranks_are_whole_and_small_p_values_are_written_as_such() -> None:
    """A rank has no decimals, also where another is missing; what is below 0.0001 is written so."""
    judged = {f"q{i:02}": {"d": 1} for i in range(30)}
    runs = {
        "old": {query: scored(*"uvw"[: 2 + i % 2], "d") for i, query in enumerate(judged)},
        "new": {query: scored("d", "u") if i else scored("d") for i, query in enumerate(judged)},
    }
    page = read(READER.render(ir.report(ir.compare(judged, runs, ["RR"])).to_markdown()))
    differences = next(each for each in page.all("table") if "corrected p" in [cell.text for cell in each.all("th")])
    row = dict(
        zip([each.text for each in differences.all("th")], [each.text for each in differences.all("td")], strict=True)
    )
    assert row["uncorrected p"] == "<0.0001"
    judge = table(page, "query", "baseline", "system", "document", "baseline rank", "rank", "move")
    assert {cell for row in judge for cell in row[4:6]} <= {"1", "2", "3", "–"}
