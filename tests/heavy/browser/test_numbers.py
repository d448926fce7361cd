"""Every number on the page is the one the command line prints, under any convention; values have three decimals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Page

import idealrank as ir
from tests.cli.terminal import SHOP, on_terminal, run
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.printed import explained, tables
from tests.heavy.browser.rendered import cells, open_query, query_rows, ready

FILES = ("judgments.csv", "bm25.csv", "hybrid.csv")
MEASURES = ("nDCG@10", "P@5", "RR", "AP", "R@100", "nDCG(gain=exp2)@5", "Bpref")
SETTINGS = {"left out": "idealrank-1, no_results=skip", "trec_eval": "trec_eval-9.0.8"}
WHOLE = ("grade", "gain", "relevant", "counts")
WIDE = 400


class Case(NamedTuple):
    """A report under a setting, and the words that ask the command line for the same numbers."""

    page: Page
    words: tuple[str, ...]
    measures: tuple[str, ...]


def asked(measures: tuple[str, ...], setting: str) -> tuple[str, ...]:
    """Return the words for measures and a convention."""
    return (*(word for name in measures for word in ("-m", name)), "--as", setting)


@pytest.fixture(scope="module", params=SETTINGS)
def case(request: pytest.FixtureRequest, shared: Opener, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """The report that the command line writes on the shop."""
    setting = SETTINGS[request.param]
    measures = MEASURES if "trec_eval" in setting else (*MEASURES, "ERR@10")
    words = asked(measures, setting)
    file = tmp_path_factory.mktemp("written") / "report.html"
    assert run("report", *FILES, *words, "-q", "-o", file, cwd=SHOP).code == 0
    page = ready(shared(file))
    yield Case(page, words, measures)
    page.close()


def plain(text: str | None) -> str:
    """Return a text with hyphens for minus signs."""
    return str(text).replace("−", "-")


def near(shown: tuple[str, ...], printed: tuple[str, ...]) -> bool:
    """Say whether three decimals are those of four, as far as four can tell."""
    pairs = zip(shown, printed, strict=True)
    return all(a == b or abs(float(plain(a)) - float(plain(b))) <= 0.00055 for a, b in pairs)


def test_every_value_of_every_query(case: Case) -> None:
    """Under each measure the table of queries holds the values and differences that `compare --per-query` prints."""
    (printed,) = tables(on_terminal("compare", *FILES, *case.words, "--per-query", "-q", cwd=SHOP, columns=WIDE).out)
    for measure in case.measures:
        case.page.locator("#measure").select_option(measure)
        shown = {
            key: (row["value:bm25"], row["value:hybrid"], row["difference"].split()[-1].lstrip("+"))
            for key, row in query_rows(case.page)
        }
        assert len(shown) == 41
        rows = [row for row in printed if row["measure"] == measure]
        assert len(rows) == 41
        for row in rows:
            assert near(shown[row["query"]], (row["baseline value"], row["value"], row["difference"])), row


def test_the_arithmetic(case: Case) -> None:
    """For each measure the steps of a query, its ideal list and its quotient are those of `explain`.

    Queries that a system returned nothing for are among them. Results below the tenth are on the command line alone.
    """
    keys = ("q02", "q28", "q19", "q09", "q13", "q34", "q36", "q18")
    for place, (measure, key) in enumerate(zip(case.measures, keys, strict=False)):
        system = ("bm25", "hybrid")[place % 2]
        case.page.locator("#measure").select_option(measure)
        chosen = open_query(case.page, key)
        chosen.locator(".arithmetic-title", has_text=measure).wait_for()
        words = ("-m", measure, "--query", key, "--system", system, *case.words[-2:], "-q")
        theirs = explained(run("explain", *FILES, *words, cwd=SHOP).out)
        ours = chosen.locator(f".sum[data-system={system}]")
        assert ours.locator("h3").text_content() == f"{system} = {theirs.value}"
        alike(cells(ours.locator("table")) if theirs.steps else [], theirs.steps, f"{measure} {key} {system}")
        if theirs.quotient:
            assert theirs.quotient in ours.locator(".foot-line").all_text_contents(), (measure, key)
        best = chosen.locator(".sum[data-system='']")
        assert best.count() == bool(theirs.ideal), measure
        if theirs.ideal:
            alike(cells(best.locator("table")), theirs.ideal, f"{measure} {key} ideal")


def test_a_number_between_two_digits(shared: Opener) -> None:
    """Where a value lies just between two printed numbers the page takes the even one, as Python does."""
    judgments = {f"q{count:02d}": {f"d{place}": 1 for place in range(count)} for count in range(1, 16)}
    results = {key: {f"d{place}": -float(place) for place in range(16)} for key in judgments}
    page = ready(shared(ir.report(ir.evaluate(judgments, results, ["P@16"])).to_html()))
    shown = {key: row["value:results"] for key, row in query_rows(page)}
    assert shown == {key: f"{int(key[1:]) / 16:.3f}" for key in judgments}
    assert (shown["q01"], shown["q03"], shown["q05"]) == ("0.062", "0.188", "0.312")


def alike(ours: list[list[str]], theirs: list[dict[str, str]], where: str) -> None:
    """Compare steps on the page with those printed, down to the tenth; whole numbers may have lost their decimals."""
    head = ["doc" if name == "document" else name for name in ours[0]] if ours else []
    shown = [dict(zip(head, row, strict=True)) for row in ours[1:]]
    for mine, other in zip(shown, theirs[:10], strict=False):
        for name in set(other) - {"grade_rank"}:
            same = plain(mine[name]) == plain(other[name])
            assert same or (name in WHOLE and float(mine[name]) == float(other[name])), (where, name, mine, other)
    assert len(theirs[:10]) <= len(shown), where
