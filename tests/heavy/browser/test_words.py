"""What numbers are called on the page: means of another kind, counts, queries left out on request."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator

import idealrank as ir
from tests.comparison.worlds import one_relevant, reciprocal
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import charts, open_query, query_rows, ready, table_behind
from tests.reports.worlds import SHOP

RANKS = {"old": {"q000": 1, "q001": 2, "q002": 4, "q003": 2}, "new": {"q000": 1, "q001": 1, "q002": 2, "q003": 4}}
KINDS = {"query_id": ["q000", "q001", "q002", "q003"], "kind": ["brand", "brand", "other", "other"]}


def two(*measures: str, **options: object) -> ir.Comparison:
    """Compare two systems by the rank of the one relevant document."""
    runs = {name: reciprocal(ranks) for name, ranks in RANKS.items()}
    return ir.compare(one_relevant(4), runs, list(measures), queries=KINDS, draws=200, **options)


def judged_share() -> ir.Comparison:
    """Compare the same ranks under RR and Judged@2; the documents above the relevant one are not judged."""
    runs = {
        name: {q: {**{f"x{i}": 9.0 - i for i in range(1, rank)}, "d": 0.0} for q, rank in ranks.items()}
        for name, ranks in RANKS.items()
    }
    return ir.compare({q: {"d": 1} for q in RANKS["old"]}, runs, ["RR", "Judged@2"], queries=KINDS, draws=200)


def said(figure: Locator) -> str:
    """Return what a chart says, to the eye and to the ear."""
    words = figure.locator(".chart-says, .chart-title, .chart-words").all_text_contents()
    spoken = figure.locator("[role=img]").get_attribute("aria-label")
    return " ".join([*words, str(spoken)]).replace("\u00a0", " ")


def test_a_count_is_neither_better_nor_worse(opened: Opener) -> None:
    """Where neither more nor less is better, differences are higher or lower, without the colours of gain and loss."""
    counts = {"q000": "=", "q001": "=", "q002": "▲", "q003": "▼"}  # the first two hold the one judged document, or not
    page = ready(opened(ir.report(judged_share()).to_html()))
    options = page.locator("#outcome option")
    assert "▲ better" in options.all_text_contents()
    page.locator("#measure").select_option("Judged@2")
    assert options.all_text_contents()[1:4] == ["▲ higher", "▼ lower", "= equal"]
    assert {key: row["difference"][0] for key, row in query_rows(page)} == counts
    assert page.locator("#grid .gain, #grid .loss").count() == 0
    page.locator("#outcome").select_option("gain")
    assert [key for key, _ in query_rows(page)] == ["q002"]
    for figure in charts(page).values():
        assert not {"better", "worse", "gain", "loss", "best"} & set(said(figure).lower().replace(",", " ").split())
    chosen = open_query(page, "q003")
    shown = chosen.locator(".query-values [data-measure='Judged@2'] .difference")
    assert shown.get_attribute("class") == "difference neither"
    assert chosen.locator(".query-values [data-measure=RR] .difference").get_attribute("class") == "difference loss"


def test_weighted_means_are_called_so(opened: Opener) -> None:
    """With weights 3, 1, 1, 1 the values 1, 1/2, 1/4, 1/2 make 17/24; the chart says it, and that quartiles do not."""
    weights = {"q000": 3, "q001": 1, "q002": 1, "q003": 1}
    page = ready(opened(ir.report(two("RR", "P@2", weights=weights)).to_html()))
    shown = charts(page)
    assert f"weighted mean {17 / 24:.3f}; each query counted once: median 0.500" in said(shown["distribution"])
    assert "the weighted mean of each segment" in said(shown["segments"])
    assert "results: weighted mean Jaccard" in said(shown["overlap"])
    page.locator("#measure").select_option("P@2")
    page.wait_for_function(
        "() => document.querySelector('[data-chart=curves] .chart-says').textContent.includes('weighted mean')"
    )
    assert "Lines of the weighted mean P at cutoffs" in said(charts(page)["curves"])


@pytest.mark.parametrize(("answer", "word", "value"), [("geometric", "geometric mean", 0.5), ("median", "median", 0.5)])
def test_other_means_are_called_by_name(answer: str, word: str, value: float, opened: Opener) -> None:
    """The geometric mean of 1, 1/2, 1/4 and 1/2 is 1/2, as is their median: neither is called a mean."""
    runs = {"old": reciprocal(RANKS["old"])}
    found = ir.evaluate(one_relevant(4), runs, ["RR"], average=answer, queries=KINDS)
    shown = charts(ready(opened(ir.report(found).to_html())))
    assert f"{word} {value:.3f}" in said(shown["distribution"])
    assert f"to 0.250, {word} {value:.3f}." in said(shown["values"])
    assert f"the {word} of each segment" in said(shown["segments"])


def test_the_decision_that_answered_is_named(opened: Opener) -> None:
    """Nothing is relevant to q and nothing was returned: no_results answers with 0; to r something was: no_relevant."""
    judgments = {"q": {"a": 0}, "r": {"a": 0}, "s": {"a": 1}}
    run = {"r": {"a": 1.0}, "s": {"a": 1.0}}
    page = ready(opened(ir.report(ir.evaluate(judgments, run, ["nDCG@3"], no_relevant="1", no_results="0")).to_html()))
    for query, answer, value in (("q", "no_results", "0.0000"), ("r", "no_relevant", "1.0000")):
        lines = open_query(page, query).locator(".foot-line").all_text_contents()
        assert lines[-1] == f"contributions 0.0000 / 0.0000: answered by {answer} with {value}"


def test_queries_left_out_on_request(opened: Opener) -> None:
    """Of 41 judged queries 2 are asked for: the head says so, the table shows them, and the others where asked to."""
    files = (str(SHOP / "judgments.csv"), [str(SHOP / "bm25.csv"), str(SHOP / "hybrid.csv")])
    page = ready(opened(ir.report(ir.compare(*files, only=["q02", "q04"])).to_html()))
    assert str(page.locator(".kind").text_content()).endswith("2 of 41 judged queries")
    assert sorted(key for key, _ in query_rows(page)) == ["q02", "q04"]
    assert page.locator("#count").text_content() == "2 of 41 queries"
    page.locator("#grid [data-key='holes:bm25'] button").click()
    assert len(query_rows(page)) == 2
    page.locator("#outcome").select_option("out")
    rows = query_rows(page)
    assert len(rows) == 39
    assert {row["holes:bm25"] for _, row in rows} == {row["overlap"] for _, row in rows} == {"–"}
    assert "left out" not in said(charts(page)["differences"])
    counted = [row[2] for row in table_behind(charts(page)["overlap"])[1:]]
    assert sum(map(float, counted)) == 2


def test_an_interval_beyond_the_axis(opened: Opener) -> None:
    """Of two queries the interval of a difference in DCG reaches far beyond the others: an arrow, said so.

    In the segment `brand` the queries gain 1 - 1 / log2(3) and 1 - 1 / 2, nearly the same, so the interval of `other`
    alone is wide. Numbers stay whole; where no interval is wide there is no arrow.
    """
    ranks = {"old": RANKS["old"] | {"q000": 2, "q001": 3}, "new": RANKS["new"]}
    runs = {name: reciprocal(each) for name, each in ranks.items()}
    found = ir.compare(one_relevant(4), runs, ["DCG@3"], queries=KINDS, draws=200)
    segments = charts(ready(opened(ir.report(found).to_html())))["segments"]
    assert "An arrow: the interval goes on beyond the axis." in said(segments)
    low, high = (float(value) for value in table_behind(segments)[2][-2:])
    assert low < -2
    assert high > 2
    one = charts(ready(opened(ir.report(two("RR", level=0.2)).to_html())))["segments"]
    assert "An arrow" not in said(one)


def test_every_chart_has_its_words_before_it_is_drawn(opened: Opener) -> None:
    """Figures far below the screen have title and sentence at once; no two of the sliders have the same name."""
    page = ready(opened(ir.report(two("RR", "P@2")).to_html(), viewport={"width": 1280, "height": 300}))
    page.wait_for_function("() => document.querySelectorAll('#charts figure:not([hidden])').length === 7")
    figures = page.locator("#charts figure:not([hidden])")
    assert figures.locator(".chart-picture").count() < 7
    assert all(figures.locator("h3").all_text_contents())
    assert all(figures.locator(".chart-says").all_text_contents())
    charts(page)
    names = page.locator("#charts [role=slider]").evaluate_all("all => all.map((each) => each.ariaLabel)")
    assert len(names) == len(set(names)) == 8


DRAWN = """
globalThis.drawn = { words: [], discs: [] };
const { fillText, arc } = CanvasRenderingContext2D.prototype;
const scatter = ({ canvas }) => canvas.closest("[data-chart=scatter]");
Object.assign(CanvasRenderingContext2D.prototype, {
    fillText(text, x, y) {
        if (scatter(this) && text.includes("higher")) drawn.words.push([x, y, this.measureText(text).width]);
        fillText.call(this, text, x, y);
    },
    arc(x, y, ...rest) {
        if (scatter(this)) drawn.discs.push([x, y]);
        arc.call(this, x, y, ...rest);
    },
});
"""


def test_no_word_lies_on_a_point(opened: Opener) -> None:
    """Two queries lie in the corners of the scatter: the words that stand there make way for them."""
    page = opened(ir.report(judged_share()).to_html(), script=DRAWN)
    charts(ready(page))
    page.evaluate("drawn.discs = []")
    page.locator("#measure").select_option("Judged@2")
    page.wait_for_function("() => drawn.words.length > 0 && drawn.discs.length > 0")
    words, discs = (set(map(tuple, page.evaluate(f"drawn.{name}"))) for name in ("words", "discs"))
    assert (len(words), len(discs)) == (2, 3)
    for left, middle, width in words:
        assert not [(x, y) for x, y in discs if left - 4 < x < left + width + 4 and abs(y - middle) < 10]
