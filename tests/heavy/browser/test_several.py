"""Several systems: the two looked at, any two that are chosen, and all pairs at once."""

from __future__ import annotations

import functools
import re
from statistics import mean

import pytest
from playwright.sync_api import Page

import idealrank as ir
from idealrank.reports.report import Report
from idealrank.statistics.names import CorrectionName
from tests.heavy.browser.axe import axe_in_both
from tests.heavy.browser.opening import PHONE, Opener
from tests.heavy.browser.rendered import open_query, press, query_rows, ready

RANKS = {
    "team_search_experiment_with_reranker_01_of_the_autumn": (1, 1),
    "team_search_experiment_with_reranker_02_of_the_autumn": (1, 2),
    "team_search_experiment_with_reranker_03_of_the_autumn": (4, 4),
    "team_search_experiment_with_reranker_04_of_the_autumn": (4, 5),
}
"""The rank of what is relevant in every fifth query and in the others, turned, by system, best first."""
A, B, C, D = RANKS
QUERIES = 30


def value(system: str, q: int) -> float:
    """Return the reciprocal rank of a system, from what it returned."""
    return 1 / RANKS[system][q % 5 == 0]


@functools.cache
def four() -> Report:
    """The report on four systems that are ranked and not compared: the first two are alike, and so are the last."""
    judged = {f"q{q:02}": {"good": 1} for q in range(QUERIES)}
    runs = {
        system: {
            query: {**{f"x{i}": 9.0 - i for i in range(ranks[q % 5 == 0] - 1)}, "good": 0.0}
            for q, query in enumerate(judged)
        }
        for system, ranks in reversed(RANKS.items())
    }
    return ir.report(ir.evaluate(judged, runs, ["RR", "P@1"]))


def test_the_two_best_are_looked_at_first(opened: Opener) -> None:
    """Head, table and lists are of the best system beside the next: by how much it leads, the interval, the counts."""
    page = ready(opened(four().to_html()))
    difference = mean(value(A, q) - value(B, q) for q in range(QUERIES))
    assert difference > 0
    assert page.locator(".big b").text_content() == f"{difference:+.3f}".replace("-", "−")
    wins = sum(value(A, q) > value(B, q) for q in range(QUERIES))
    assert page.locator(".figures .counts").text_content() == f"▼ 0 worse= {QUERIES - wins} same▲ {wins} better"
    assert page.locator(".figures svg.interval").count() == 1
    query = open_query(page, "q00")
    assert query.locator(".list h3 bdi").all_text_contents()[:2] == [B, A]
    assert [row.get_attribute("data-system") for row in query.locator("[data-system]:has(td)").all()][:4] == [
        B,
        A,
        C,
        D,
    ]
    assert query.locator(f".query-values [data-system='{A}'] .difference").first.text_content() == "▲ +0.500"


def test_the_matrix_says_what_is_known_of_each_pair(opened: Opener) -> None:
    """Each cell is row minus column in hundredths, coloured where the ranks say so; focus reads numbers and counts."""
    page = ready(opened(four().to_html()))
    known = {tuple(sorted(pair)) for pair in ((A, B), (A, C), (A, D), (B, C), (B, D))}
    for i, row in enumerate(RANKS):
        for j, column in enumerate(RANKS):
            cell = page.locator(f".beats tbody tr >> nth={i}").locator(f"td >> nth={j}")
            if i == j:
                assert cell.locator("button").count() == 0
                continue
            difference = mean(value(row, q) - value(column, q) for q in range(QUERIES))
            text = str(cell.locator("span").text_content())
            assert float(text.replace("−", "-")) == pytest.approx(difference, abs=0.0051)
            kind = str(cell.locator("button").get_attribute("class"))
            wanted = ("gain" if difference > 0 else "loss") if tuple(sorted((row, column))) in known else "unsure"
            assert kind == wanted, (row, column)
            cell.locator("button").focus()
            wins = sum(value(row, q) > value(column, q) for q in range(QUERIES))
            losses = sum(value(row, q) < value(column, q) for q in range(QUERIES))
            said = str(page.locator(".pair-said").text_content())
            assert said.startswith(f"{row} compared with {column}: ")
            assert f"{wins} queries better, {losses} worse, {QUERIES - wins - losses} the same" in said
            assert ("cannot be told apart" in said) == (wanted == "unsure")


def test_any_two_are_chosen(opened: Opener) -> None:
    """A cell of the matrix or the choosers turn the page to two systems; back, and a button, to the first two."""
    page = ready(opened(four().to_html()))
    page.locator(".beats tbody tr >> nth=3").locator("td >> nth=1").locator("button").click()
    assert page.locator("h1").text_content() == f"{D} is worse"
    assert page.locator("h1 > *").count() == 1  # name and words flow as one sentence, not as columns
    difference = mean(value(D, q) - value(B, q) for q in range(QUERIES))
    assert page.locator(".big b").text_content() == f"{difference:+.3f}".replace("-", "−")
    assert f"{D} against {B}" in str(page.locator("#losses h2").text_content())
    assert {row["difference"] for _, row in query_rows(page)} == {
        f"▼ {value(D, q) - value(B, q):+.3f}".replace("-", "−") for q in range(QUERIES)
    }
    assert open_query(page, "q00").locator(".list h3 bdi").all_text_contents()[:2] == [B, D]
    page.evaluate("history.go(-2)")
    page.wait_for_function("location.hash === ''")
    assert page.locator("h1").text_content() != f"{D} is worse"
    page.locator("#system").select_option(A)
    assert (page.locator("#system").input_value(), page.locator("#against").input_value()) == (A, B)
    page.locator("#against").select_option(D)
    assert page.locator("h1").text_content() == f"{A} is better"
    page.locator("#usual-pair").click()
    assert (page.locator("#system").input_value(), page.locator("#against").input_value()) == (A, B)
    assert page.locator("#usual-pair").count() == 0


def test_a_pair_beside_the_baseline(opened: Opener) -> None:
    """With a baseline, two others are looked at without an interval, and it is said why."""
    judged = {f"q{q}": {"d": 1} for q in range(9)}
    runs = {
        name: {q: {"d": 1.0, **{f"x{i}": 2.0 for i in range(above)}} for q in judged}
        for name, above in (("a", 0), ("b", 1), ("c", 3))
    }
    page = ready(opened(ir.report(ir.compare(judged, runs, ["RR"], baseline="a")).to_html()))
    assert page.locator("#pairs").count() == 0
    page.locator("#system").select_option("c")
    page.locator("#against").select_option("b")
    assert page.locator(".big b").text_content() == "−0.250", "1/4 − 1/2"
    assert page.locator(".figures svg.interval").count() == 0
    assert "every system was compared with a" in str(page.locator(".lead").text_content())


@pytest.mark.parametrize("correction", ["max_t", "none"])
def test_a_pair_that_can_not_be_told_is_not_said_to_be_better(correction: CorrectionName, opened: Opener) -> None:
    """Of a system beside the baseline whose interval contains 0; nothing is said of intervals of all pairs."""
    judged = {f"q{q:02}": {"good": 1} for q in range(QUERIES)}
    first = {query: {"good": 1.0} if q % 2 else {"x": 2.0, "good": 1.0} for q, query in enumerate(judged)}
    ranks = {"old": first, "better": {query: {"good": 1.0} for query in judged}}
    ranks["alike"] = {
        query: {"good": 1.0} if q % 2 == (q % 7 != 0) else {"x": 2.0, "good": 1.0} for q, query in enumerate(judged)
    }
    compared = ir.compare(judged, ranks, ["RR"], baseline="old", correction=correction)
    low, high = compared["RR", "alike"].corrected
    assert low < 0 < high
    page = ready(opened(ir.report(compared).to_html()))
    page.locator("#system").select_option("alike")
    assert page.locator("#usual-pair").count() == 1
    verdict = compared.verdict["alike"]
    assert verdict.outcome == "CAN'T TELL"
    assert page.locator("h1").text_content() == verdict.headline
    assert page.locator("#summary").get_attribute("data-outcome") == "cant-tell"
    words = page.locator(".answer").inner_text()
    assert "(95% interval)." in words
    assert "all pairs" not in words


def test_the_matrix_is_walked_by_keys(opened: Opener) -> None:
    """One cell is reached by Tab; arrows go on, over the diagonal; Enter looks at the two."""
    page = ready(opened(four().to_html()))
    assert page.locator(".beats button[tabindex='0']").count() == 1
    page.locator(".beats button[tabindex='0']").focus()
    press(page, "ArrowDown", "ArrowDown")
    assert str(page.locator(".pair-said").text_content()).startswith(f"{D} compared with {B}")
    press(page, "ArrowUp", "ArrowLeft", "Enter")
    assert (page.locator("#system").input_value(), page.locator("#against").input_value()) == (C, A)
    assert (
        page.locator(".beats [aria-pressed=true]")
        .get_attribute("aria-label", timeout=1000)
        .startswith(f"{C} compared with {A}")
    )  # type: ignore[union-attr]


@pytest.mark.parametrize("screen", [{"viewport": {"width": 1024, "height": 800}}, PHONE], ids=["1024", "phone"])
def test_long_names_fit(screen: dict[str, object], opened: Opener) -> None:
    """Nothing is wider than the screen; each name shows the place where it differs, and has the whole as its title."""
    page = ready(opened(four().to_html(), **screen))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for system, name in zip(RANKS, page.locator("#measures tbody bdi").all(), strict=True):
        assert (name.get_attribute("title"), name.text_content()) == (system, system)
        start, end = name.locator("span").all()
        assert str(end.text_content()).startswith(system[37:39])
        shown = end.evaluate("each => { const at = each.getBoundingClientRect(); return [at.left, at.right]; }")
        box = name.evaluate("each => { const at = each.getBoundingClientRect(); return [at.left, at.right]; }")
        assert shown[0] + 16 < box[1]
        assert start.evaluate("each => each.clientWidth") > 16
    assert axe_in_both(page) == []


def test_a_name_that_is_cut_is_copied_whole(opened: Opener) -> None:
    """What is copied has the names as they are, without a line's end where the page may cut them."""
    page = ready(opened(four().to_html()))
    page.evaluate(
        """() => {
            getSelection().selectAllChildren(document.querySelector("#measures tbody"));
            document.addEventListener("copy", ({ clipboardData }) => {
                window.copied = clipboardData.getData("text/plain");
            });
            document.execCommand("copy");
        }"""
    )
    copied = str(page.evaluate("window.copied"))
    assert [system for system in RANKS if system in copied] == list(RANKS)


def test_all_systems_of_a_query(opened: Opener) -> None:
    """No row of the table of a query is cut: it has six systems, and the others when they are asked for."""
    runs = {f"s{s}": {"q": {"d": 1.0, **{f"x{i}": 2.0 for i in range(s)}}, "r": {"d": 1.0}} for s in range(9)}
    page = ready(opened(ir.report(ir.evaluate({"q": {"d": 1}, "r": {"d": 1}}, runs, ["RR"])).to_html()))
    query = open_query(page, "q")
    box = query.locator(".query-values")
    assert box.evaluate("each => each.scrollHeight <= each.clientHeight + 1")
    assert sum(row.is_visible() for row in box.locator("[data-system]").all()) == 6
    page.locator("#every-system").click()
    page.wait_for_selector("#every-system", state="detached")
    assert sum(row.is_visible() for row in box.locator("[data-system]").all()) == 9
    assert box.evaluate("each => each.scrollHeight <= each.clientHeight + 1")


def _words(page: Page) -> str:
    return re.sub(r"\s+", " ", page.locator("body").inner_text())


def test_without_scripts(opened: Opener) -> None:
    """The sentence, the systems with their letters and the biggest gains are there; no sentence is half."""
    page = opened(four().to_html(), java_script_enabled=False)
    words = _words(page)
    assert page.locator("#gains h2").text_content() == f"Biggest gains in RR {A} against {B}"
    assert page.locator("#gains li").count() == 5
    assert "0.500 → 1.000 ▲ +0.500" in str(page.locator("#gains li").first.inner_text()).replace("\n", " ")
    assert "No query is worse." in words
    groups = dict(zip(RANKS, page.locator("#measures .groups").all_inner_texts(), strict=True))
    assert groups == {A: "a", B: "b", C: "c", D: "c"}
    assert not re.search(r"\b(?:and|or|for|of) \.|script", words.partition("idealrank-1")[0])
