"""What the page says without script."""

from __future__ import annotations

import pytest

import idealrank as ir
from idealrank.errors import plural
from idealrank.reports.report import Report
from tests.reports.reading import Element, read, spaced
from tests.reports.worlds import HOSTILE, SHOP, against, alone, failing, hostile, several, shop


def mean_cell(page: Element, measure: str, system: str) -> Element:
    """The cell of a mean."""
    return page.one("div", class_="mean", data_measure=measure, data_system=system)


def test_the_means_are_those_of_the_evaluation() -> None:
    """Every mean, interval and difference on the page is the comparison's, with four decimals."""
    report = shop()
    page = read(report.to_html())
    assert report.comparison is not None
    for row in report.comparison.means:
        cell = mean_cell(page, row["measure"], row["system"])
        assert cell.one("b").text == f"{row['mean']:.4f}"
        assert cell.one("small", class_="held").text == f"{row['low']:.4f} to {row['high']:.4f}"
    for row in report.comparison.differences:
        shown = mean_cell(page, row["measure"], row["system"]).one("span", class_="difference")
        assert shown.text == f"{'▲' if row['difference'] > 0 else '▼'} {row['difference']:+.4f}"
    assert not mean_cell(page, "nDCG@10", "bm25").all("span", class_="difference")


def test_the_head_says_the_verdict_in_words_and_numbers() -> None:
    """The headline, the sentences, the steps, the difference and the counts of the comparison are in the head."""
    report = shop()
    assert report.comparison is not None
    verdict = report.comparison.verdict["hybrid"]
    (row,) = [row for row in report.comparison.differences if row["measure"] == "nDCG@10"]
    head = read(report.to_html()).one("section", id="summary")
    assert head.one("p", class_="tag").text == verdict.outcome
    assert head.one("h1").one("bdi").text == verdict.headline
    assert [each.text for each in head.one("p", class_="lead").all("span")] == list(verdict.summary)
    assert [each.text for each in head.all("li") if not each.all("a")][: len(verdict.steps)] == list(verdict.steps)
    assert head.one("p", class_="big").text == f"{row['difference']:+.3f} nDCG@10"
    counts = [f"▼ {row['losses']} worse", f"= {row['ties']} same", f"▲ {row['wins']} better"]
    assert [each.text for each in head.one("p", class_="counts").all("span")] == counts


def test_the_head_says_what_failed_searches_could_change() -> None:
    """What the verdict says of failed searches is below the sentences, in small."""
    report = failing("q07")
    assert report.comparison is not None
    said = read(report.to_html()).one("section", id="summary").one("div", class_="said")
    assert [each.text for each in said.all("p", class_="note")] == [f"{report.comparison.verdict.failed}."]


def test_the_statistics_have_the_verdict_in_full() -> None:
    """The tab has sentence, difference, interval, p and counts, with four decimals."""
    report = shop()
    assert report.comparison is not None
    verdict = report.comparison.verdict["hybrid"]
    (row,) = [row for row in report.comparison.differences if row["measure"] == "nDCG@10"]
    card = read(report.to_html()).one("article", class_="verdict", data_system="hybrid")
    assert card.one("span", class_="outcome").text.endswith(verdict.outcome)
    assert card.one("p", class_="sentence").text == verdict.sentence
    assert [each.text for each in card.all("dd")] == [
        f"▲ {row['difference']:+.4f}",
        f"{row['corrected low']:+.4f} to {row['corrected high']:+.4f}".replace("-", "−"),
        f"{row['corrected p']:.4f}",
        f"{row['wins']} · {row['ties']} · {row['losses']}",
    ]


def test_the_measures_are_one_line_each() -> None:
    """Each measure has both means, the change, the drawn interval, the counts, and what part it plays."""
    report = shop()
    assert report.comparison is not None
    rows = read(report.to_html()).one("section", id="measures").one("tbody").all("tr")
    for shown, row in zip(rows, report.comparison.differences, strict=True):
        assert shown.one("th").text.startswith(row["measure"])
        before, after, change, _, counts, role = shown.all("td")
        assert (before.text, after.text) == (f"{row['baseline mean']:.3f}", f"{row['mean']:.3f}")
        assert change.text == f"▲ {row['difference']:+.3f} {row['baseline mean']:.3f} → {row['mean']:.3f}"
        assert counts.text == f"{row['wins']} / {row['losses']}"
        assert role.text == {"decides": "decides", "guards": "guards", "shown": "shown only"}[row["role"]]
    assert len(rows) == 5


def test_forest_plots_of_shares_have_one_scale() -> None:
    """The longest reach from 0 of all shares is 0.46 of the width; the others are in proportion."""
    report = shop()
    assert report.comparison is not None
    found = list(report.comparison.differences)
    most = max(abs(row[end]) for row in found for end in ("corrected low", "corrected high"))
    drawn = read(report.to_html()).one("section", id="measures").all("line", class_="range")
    for line, row in zip(drawn, found, strict=True):
        ends = [100 + 92 * row[end] / most for end in ("corrected low", "corrected high")]
        assert [float(line.attributes[x]) for x in ("x1", "x2")] == pytest.approx(ends, abs=0.06)


def test_what_to_judge_is_linked_from_the_head() -> None:
    """The first three queries with results to judge are links, the others are counted; ten results in all."""
    report = shop()
    rows = report.holes["to_judge"]
    queries = list(dict.fromkeys(row["query"] for row in rows))
    told = read(report.to_html()).one("p", class_="to-judge")
    assert [each.attributes["data-query"] for each in told.all("a", class_="query-link")] == queries[:3]
    assert told.text.startswith(f"Start with {len(rows)} results, for ")
    assert told.one("button").text == "Copy as CSV"


@pytest.mark.parametrize(("correction", "said"), [("holm", "corrected "), ("max_t", "corrected "), ("none", "")])
def test_what_is_corrected_is_called_so(correction: str, said: str) -> None:
    """Interval and p are called corrected on the cards and in the table of verdicts, but for no correction."""
    few, many = (read(ir.report(against(systems, correction=correction)).to_html()) for systems in (2, 5))
    assert [each.text for each in few.one("article").all("dt")][1:3] == [f"{said}interval", f"{said}p"]
    heads = many.one("div", id="verdict").one("details").all("th", scope="col")
    assert [each.text for each in heads][3:5] == [f"{said}interval", f"{said}p"]


def test_a_lower_value_can_be_the_gain() -> None:
    """Where less is better, a difference below zero is marked as a gain."""
    judgments = {f"q{q}": {"d": 1, "e": 1} for q in range(3)}
    results = {"a": {q: {"x": 3.0, "d": 2.0} for q in judgments}, "b": {q: {"d": 3.0, "e": 2.0} for q in judgments}}
    found = ir.compare(judgments, results, ["nDCG@10", "ARP"])
    assert found.scores.measures[1].definition.properties.direction == "lower"
    cell = mean_cell(read(ir.report(found).to_html()), found.scores.labels[1], "b")
    change = cell.one("span", class_="difference")
    assert change.has("span", {"class": "gain"}) == change.text.startswith("▲ −")
    assert change.text.startswith("▲ −")


def test_differences_over_fewer_queries_than_the_means() -> None:
    """Under no_results=skip the pair shares 2 of 3 queries: it is said below, for the measures that differ alone."""
    judgments = {q: {"d": 1} for q in "abc"}
    runs = {"old": {q: {"d": 1.0} for q in "abc"}, "new": {q: {"d": 1.0} for q in "ab"}}
    note = "Differences are over the 2 queries that both systems have a value for; the means are over 2 to 3."
    foot = read(ir.report(ir.compare(judgments, runs, ["RR", "P@1"], no_results="skip")).to_html()).one(
        "section", id="means"
    )
    assert note in foot.one("p", class_="note").text
    every = read(ir.report(ir.compare(judgments, runs, ["RR"])).to_html()).one("section", id="means")
    assert "Differences are over" not in every.one("p", class_="note").text
    mixed = read(ir.report(ir.compare(judgments, runs, ["RR[no_results=skip]", "P@1"])).to_html()).one(
        "section", id="means"
    )
    assert f"RR(no_results=skip): {note}" in mixed.one("p", class_="note").text


def test_three_pairs_are_cards_and_four_are_a_table() -> None:
    """With more than three pairs the verdicts are rows, outcome and numbers the same as in the comparison."""
    three, four = (read(several(n).to_html()) for n in (4, 5))
    assert len(three.all("article", class_="verdict")) == 3
    assert not four.all("article", class_="verdict")
    rows = four.one("div", id="verdict").one("tbody").all("tr")
    assert [row.one("th").text for row in rows] == ["s1", "s2", "s3", "s4"]
    # The relevant document stands at rank 1 or 2 for s0, and one lower for every system after it.
    means = {s: (1 / (s + 1) + 1 / (s + 2)) / 2 for s in range(5)}
    assert [row.one("span", class_="difference").text for row in rows] == [
        f"▼ {means[s] - means[0]:+.4f}".replace("-", "−") for s in range(1, 5)
    ]


def test_many_systems_are_rows_best_first() -> None:
    """Twenty systems stand under each other, the highest mean of the first measure first; each is there once."""
    page = read(several(20).to_html())
    rows = page.one("section", id="means").one("tbody").all("tr")
    assert [spaced(row.one("th").text).split()[0] for row in rows] == [f"s{s}" for s in range(20)]
    assert [row.all("b")[0].text for row in rows[:2]] == ["0.7500", "0.4167"]


def test_one_system_has_no_verdict() -> None:
    """A system alone has its mean, measures, settings and ledger, and nothing that speaks of a comparison."""
    page = read(alone().to_html())
    assert page.one("p", class_="big").text == f"{alone().means[0]['mean']:.3f} nDCG@10"
    assert not page.all("div", id="verdict")
    assert not page.all("section", id="methods")
    assert not page.all("p", class_="tag")
    assert not page.all("span", class_="difference")
    assert len(page.one("section", id="means").one("tbody").all("tr")) == len(alone().measures)


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


def test_inputs_carry_the_fingerprint_of_the_file() -> None:
    """The SHA-256 in the page is what the file gives."""
    import hashlib

    page = read(shop().to_html())
    shown = [code.text for code in page.one("section", id="inputs").all("code")]
    for name in ("judgments.csv", "bm25.csv", "hybrid.csv", "queries.csv"):
        assert hashlib.sha256((SHOP / name).read_bytes()).hexdigest() in shown


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


def test_warnings_stand_before_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the ledger warns of is told first, as text; where it warns of nothing there is no such place."""
    report = shop()
    ledger = {**report.ledger, "warnings": []}
    monkeypatch.setattr(Report, "ledger", property(lambda _: ledger))
    assert not read(report.to_html()).all("section", id="warnings")
    ledger["warnings"] = ["Ids look <like> 12 here.", "The order is the other way round."]
    page = read(report.to_html())
    assert [each.text for each in page.one("section", id="warnings").all("li")] == ledger["warnings"]
    told = [each.attributes.get("id") for each in page.one("main").all("section")]
    assert told[:2] == ["warnings", "summary"]
