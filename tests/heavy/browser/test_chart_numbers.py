"""The numbers behind each chart, worked out here anew from the shop's files and from single evaluations."""

from __future__ import annotations

import csv
import math
import statistics
from collections import Counter, defaultdict

import pytest
from playwright.sync_api import Page

import idealrank as ir
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import charts, ready, table_behind
from tests.reports.worlds import SHOP, shop

PAIR = ("bm25", "hybrid")
STEPS = 20
Table = list[list[str | float]]


@pytest.fixture(scope="module")
def page(shared: Opener) -> Page:
    """The shop's report."""
    return ready(shared(shop().to_html()))


@pytest.fixture(scope="module")
def behind(page: Page) -> dict[str, Table]:
    """The table behind each chart, without its head."""
    shown = charts(page)
    shown["strip"].locator("select").select_option("all queries at once")
    return {name: table_behind(figure)[1:] for name, figure in shown.items()}


def returned(system: str) -> dict[str, list[str]]:
    """Return the first ten results of each query, by rank, as the file has them."""
    with (SHOP / f"{system}.csv").open(encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: int(row["rank"]))
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        found[row["query_id"]].append(row["product_id"])
    return {query: documents[:10] for query, documents in found.items()}


def grades() -> dict[tuple[str, str], float]:
    """Return the median of the raters' grades."""
    with (SHOP / "judgments.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        (row["query_id"], row["product_id"]): statistics.median(
            float(row[f"rater_{rater}"]) for rater in (1, 2, 3) if row[f"rater_{rater}"]
        )
        for row in rows
    }


def alone(system: str, measure: str) -> dict[str, float]:
    """Return the values of a system that is evaluated by itself."""
    scores = ir.evaluate(str(SHOP / "judgments.csv"), str(SHOP / f"{system}.csv"), [measure])
    return {row["query"]: row[measure] for row in scores.per_query}


def test_differences_and_points(behind: dict[str, Table]) -> None:
    """Bars and points are all 41 queries, best gain first, each with both values and their difference."""
    before, after = (alone(system, "nDCG@10") for system in PAIR)
    for name in ("differences", "scatter"):
        rows = {row[1]: row[2:5] for row in behind[name]}
        assert set(rows) == set(before)
        for query, (low, high, change) in rows.items():
            assert (low, high) == pytest.approx((before[str(query)], after[str(query)]), abs=1e-12)
            assert change == pytest.approx(after[str(query)] - before[str(query)], abs=1e-12)
        drawn = [float(row[4]) for row in behind[name]]
        assert drawn == sorted(drawn, reverse=True)
        assert [row[5] for row in behind[name]] == ["▲" if d > 1e-12 else "▼" if d < -1e-12 else "=" for d in drawn]


def test_the_strip(behind: dict[str, Table]) -> None:
    """A cell of the strip is the median grade at its rank; "?" where nobody judged, "" where nothing was returned."""
    judged = grades()
    lists = {system: returned(system) for system in PAIR}
    assert len(behind["strip"]) == 82
    for query, system, *marks in behind["strip"]:
        documents = lists[str(system)].get(str(query), [])
        expected = [judged.get((str(query), doc), "?") for doc in documents]
        assert [mark if mark in ("", "?") else float(mark) for mark in marks] == expected + [""] * (10 - len(expected))


def test_the_curves(behind: dict[str, Table]) -> None:
    """The mean at k is the mean of the measure with this cutoff, each evaluated by itself."""
    assert [row[0] for row in behind["curves"]] == [str(k) for k in range(1, 11)]
    for k, *means in behind["curves"]:
        expected = [statistics.fmean(alone(system, f"nDCG@{k}").values()) for system in PAIR]
        assert means == pytest.approx(expected, abs=1e-12)


def test_the_segments(behind: dict[str, Table]) -> None:
    """A segment has the means over its queries, and their difference."""
    with (SHOP / "queries.csv").open(encoding="utf-8", newline="") as file:
        segment = {row["query_id"]: row["segment"] for row in csv.DictReader(file)}
    before, after = (alone(system, "nDCG@10") for system in PAIR)
    assert {row[0] for row in behind["segments"]} == {segment[query] for query in before}
    for name, count, *means, change, _, _ in behind["segments"]:
        queries = [query for query in before if segment[query] == name]
        expected = [statistics.fmean(values[query] for query in queries) for values in (before, after)]
        assert float(count) == len(queries)
        assert means == pytest.approx(expected, abs=1e-12)
        assert change == pytest.approx(expected[1] - expected[0], abs=1e-12)


def test_the_overlap(behind: dict[str, Table], page: Page) -> None:
    """The histogram of Jaccard counts the queries by the share of documents that both lists hold."""
    lists = [returned(system) for system in PAIR]
    shares = {}
    for query in alone("bm25", "RR"):
        first, second = (set(each.get(query, [])) for each in lists)
        shares[query] = len(first & second) / len(first | second) if first | second else 1.0
    counted = Counter(min(STEPS - 1, math.floor(share * STEPS + 1e-9)) for share in shares.values())
    assert [row[2] for row in behind["overlap"]] == [counted[step] for step in range(STEPS)]
    label = page.locator("[data-chart=overlap] .chart-picture").get_attribute("aria-label")
    assert f"Jaccard {statistics.fmean(shares.values()):.3f}" in str(label)


def test_the_distribution(behind: dict[str, Table], page: Page) -> None:
    """Steps of the value count the queries in them; 1 belongs to the last; quartiles are those of the values."""
    for place, system in enumerate(PAIR):
        values = alone(system, "nDCG@10").values()
        counted = Counter(min(STEPS - 1, math.floor(value * STEPS + 1e-9)) for value in values)
        assert [row[2 + place] for row in behind["distribution"]] == [counted[step] for step in range(STEPS)]
        said = page.locator("[data-chart=distribution] .chart-words li", has_text=system).text_content()
        low, middle, high = statistics.quantiles(values, method="inclusive")
        quartiles = f"median {middle:.3f}, half of the queries from {low:.3f} to {high:.3f}"
        assert said == f"{system}: mean {statistics.fmean(values):.3f}, {quartiles}"


def test_another_measure(page: Page) -> None:
    """Under another measure the table behind a chart has its values; one opened before is written anew."""
    page.locator("#measure").select_option("AP")
    page.wait_for_function(
        "() => document.querySelector('[data-chart=differences] .chart-says').textContent.includes('AP of')"
    )
    rows = {row[1]: row[2:4] for row in table_behind(charts(page)["differences"])[1:]}
    before, after = (alone(system, "AP") for system in PAIR)
    assert rows == {query: pytest.approx([before[query], after[query]], abs=1e-12) for query in before}
    page.locator("#measure").select_option("nDCG@10")


def test_queries_left_out(shared: Opener) -> None:
    """Queries that one system has no value for are in no bar, point or step; their number is said."""
    files = [str(SHOP / f"{system}.csv") for system in PAIR]
    report = ir.report(ir.compare(str(SHOP / "judgments.csv"), files, ["RR"], no_results="skip")).to_html()
    found = charts(ready(shared(report)))
    for name in ("differences", "scatter"):
        queries = {row[0] for row in table_behind(found[name])[1:]}
        assert queries == set(alone("bm25", "RR")) - {"q19", "q28"}
    said = str(found["differences"].locator(".chart-says").text_content()).replace("\u00a0", " ")
    assert "2 queries left out" in said
    assert [sum(float(row[place]) for row in table_behind(found["distribution"])[1:]) for place in (2, 3)] == [40, 40]
