"""Numbers of pages that are no comparison of two: one system, twenty, and measures of which less is better."""

from __future__ import annotations

import idealrank as ir
from tests.cli.terminal import SHOP, on_terminal
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.printed import tables
from tests.heavy.browser.rendered import cells, open_query, query_rows, ready
from tests.reports.worlds import alone, failing, garden, several, shop

WIDE = 400


def test_one_system(opened: Opener) -> None:
    """The page of one system has the means and the values that `evaluate` prints, lowest values first."""
    page = ready(opened(alone().to_html()))
    files = ("judgments.csv", "bm25.csv")
    (means,) = tables(on_terminal("evaluate", *files, "-q", cwd=SHOP, columns=WIDE).out)
    shown = {cell.get_attribute("data-measure"): cell.locator("b") for cell in page.locator("#means .mean").all()}
    assert {measure: cell.text_content() for measure, cell in shown.items()} == {
        row["measure"]: row["mean"] for row in means
    }
    (printed,) = tables(on_terminal("evaluate", *files, "--per-query", "-q", cwd=SHOP, columns=WIDE).out)
    for measure in alone().scores.labels:
        page.locator("#measure").select_option(measure)
        rows = query_rows(page)
        exact = dict(zip(alone().queries["id"], alone().values[measure]["bm25"], strict=True))
        assert {key: row["value:bm25"] for key, row in rows} == {key: f"{value:.3f}" for key, value in exact.items()}
        assert {row["query"]: row[measure] for row in printed} == {key: f"{value:.4f}" for key, value in exact.items()}
        values = [float(row["value:bm25"]) for _, row in rows]
        assert values == sorted(values)


def test_twenty_systems(opened: Opener) -> None:
    """All systems shown, each has a column with its values; one chosen in the bar is compared with the baseline."""
    page = ready(opened(several(20).to_html()))
    page.locator("#everything").press("Space")
    values = several(20).values["RR"]
    ids = several(20).queries["id"]
    for key, row in query_rows(page):
        for system in several(20).systems:
            assert row[f"value:{system}"] == f"{values[system][ids.index(key)]:.3f}"
    page.locator("#everything").press("Space")
    page.locator("#system").select_option(label="s7")
    # The relevant document is at rank 1 or 2 for s0, at rank 8 or 9 for s7: 1/8 - 1 and 1/9 - 1/2.
    assert {row["difference"] for _, row in query_rows(page)} == {"▼ −0.875", "▼ −0.389"}
    chosen = open_query(page, "q0")
    rows = chosen.locator(".query-values [data-system]")
    assert [row.get_attribute("data-system") for row in rows.all() if row.is_visible()] == [
        "s0",
        "s7",
        "s1",
        "s2",
        "s3",
        "s4",
    ]
    chosen.locator("#every-system").press("Enter")
    page.wait_for_selector("#every-system", state="detached")
    systems = [row[0] for row in cells(chosen.locator(".query-values table"))[1:]]
    assert systems[:2] == ["s0", "s7"]
    assert sorted(systems) == sorted(several(20).systems)


def test_less_is_better(opened: Opener) -> None:
    """Where less is better a difference below zero is the gain: in table, filter, bars and query."""
    judgments = {"q1": {"d": 1, "e": 1}, "q2": {"d": 1}, "q3": {"d": 1}}
    results = {
        "a": {"q1": {"x": 3.0, "d": 2.0, "e": 1.0}, "q2": {"d": 1.0}, "q3": {"d": 1.0}},
        "b": {"q1": {"d": 3.0, "e": 2.0}, "q2": {"x": 2.0, "d": 1.0}, "q3": {"d": 1.0}},
    }
    page = ready(opened(ir.report(ir.compare(judgments, results, ["ARP"])).to_html()))
    # Average rank: q1 (2 + 3) / 2 and (1 + 2) / 2; q2 1 and 2; q3 1 and 1.
    rows = {key: row["difference"] for key, row in query_rows(page)}
    assert rows == {"q1": "▲ −1.000", "q2": "▼ +1.000", "q3": "= 0.000"}
    assert query_rows(page)[0][0] == "q2"
    page.locator("#outcome").select_option("gain")
    assert [key for key, _ in query_rows(page)] == ["q1"]
    assert "▲ 1 gain, = 1 tie, ▼ 1 loss" in str(
        page.locator("[data-chart=differences] .chart-says").text_content()
    ).replace("\u00a0", " ")
    assert open_query(page, "q1").locator(".query-values .difference").text_content() == "▲ −1.000"


def test_moves(opened: Opener) -> None:
    """In the right list a document carries by how many ranks it went up (▲) or down (▼), "=", or that it is new."""
    page = ready(opened(garden().to_html()))
    lists = open_query(page, "q1").locator(".list:not([data-list=ideal])")
    right = lists.nth(1).locator("li").all()
    assert [item.locator(".named .hidden bdi").all_text_contents() for item in right] == [["reel"], ["hose"], []]
    assert [item.locator(".move > [aria-hidden]").text_content() for item in right] == ["▲1", "▼1", "new"]
    assert lists.nth(0).locator("li").nth(2).locator(".move > [aria-hidden]").text_content() == "gone"
    page.locator("#adds").press("Enter")
    assert [item.locator(".adds").text_content() for item in right] == ["+1.0000", "+1.2619", "+0.0000"]
    assert right[0].locator(".adds").is_visible()


def test_a_failed_search_is_no_empty_list(opened: Opener) -> None:
    """The list says that the search failed, and no document of the other is gone; without a fault one is.

    In q08 the first system has the relevant document at rank 2, the second, which did not fail, at rank 1.
    """
    page = opened(failing("q07").to_html())
    query = open_query(page, "q07")
    assert query.locator("[data-list=new] .more").all_inner_texts() == ["search failed"]
    assert query.locator("[data-list=old] li").count() == 3
    assert query.locator(".move").count() == 0
    query = open_query(page, "q08")
    assert query.locator("[data-list=new] .more").count() == 0
    assert query.locator("[data-list=old] .move").all_inner_texts() == ["gone\ngone from the right list"]


def test_a_query_without_results_has_no_results(opened: Opener) -> None:
    """The system hybrid returned nothing for q28, and its list says so: it is empty, and all of bm25 is gone."""
    query = open_query(opened(shop().to_html()), "q28")
    assert query.locator("[data-list=hybrid] .more").all_inner_texts() == ["no results"]
    assert query.locator("[data-list=bm25] .move.gone").count() == query.locator("[data-list=bm25] li").count() > 0
