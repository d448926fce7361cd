"""What a gate against a baseline prints and writes: a phone's screen, JUnit, Markdown, JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import junitparser
import pytest
from markdown_it import MarkdownIt
from scipy import stats

import idealrank as ir
from idealrank.display.text import lines
from idealrank.regression.baseline import baseline_of
from tests.cli.terminal import SHOP, on_terminal, plain, run
from tests.regression.worlds import known, ranked

PHONE = 40
"""Columns of a phone held upright."""


def failed(**options: Any) -> Any:
    """Return a gate in which RR fails by two queries of four, and nDCG@10 can't be told for want of queries."""
    base = baseline_of(ir.evaluate(known(4), ranked([1, 1, 2, 1]), ["RR", "nDCG@10"]))
    return ir.gate(known(4), base, ranked([1, 2, 3, 1]), tolerance={"RR": 0.01, "nDCG@10": 0.9}, **options)


def test_junit_is_read_by_its_parser() -> None:
    """A case per measure and per query that lost: failures where the measure failed, else skipped, with both values."""
    xml = junitparser.JUnitXml.fromstring(failed().to_junit().encode())
    suites = {suite.name: {case.name: case for case in suite} for suite in xml}
    assert list(suites) == ["idealrank gate", "idealrank gate: RR", "idealrank gate: nDCG@10"]
    assert list(suites["idealrank gate"]) == ["RR drops 0.01", "nDCG@10 drops 0.9"]
    assert list(suites["idealrank gate: RR"]) == ["q001", "q002"]
    (failure,) = suites["idealrank gate: RR"]["q001"].result
    assert isinstance(failure, junitparser.Failure)
    assert failure.message == "q001: 1.0000 → 0.5000 (−0.5000); list changed"
    (skipped,) = suites["idealrank gate: nDCG@10"]["q001"].result
    assert isinstance(skipped, junitparser.Skipped)
    xml.update_statistics()
    assert (xml.tests, xml.failures, xml.skipped) == (6, 3, 3)


def test_markdown_is_short_with_folded_details() -> None:
    """The mark, a heading, a row per measure; queries and decisions are folded away; everything is closed."""
    text = failed().to_markdown()
    assert text.startswith("<!-- idealrank gate -->\n## Gate failed (1 failed, 1 can't tell)\n")
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert html.count("<details>") == html.count("</details>") == 3
    seen = html.split("<details>")[0]
    assert seen.count("<tr>") == 3
    assert "<code>RR</code></td>" in seen
    assert "<strong>failed</strong>" in seen
    assert "<summary>2 queries below the baseline under RR</summary>" in html
    folded = html.split("<details>")[1]
    assert folded.count("<tr>") == 3
    assert "<code>q001</code></td>" in folded
    assert len(text) < 65_536


def test_markdown_of_hostile_ids_stays_a_comment() -> None:
    """Ids and texts with Markdown, HTML and mentions neither close a detail nor call anybody."""
    odd = "</details>|`@all`<script>"
    judgments, results = {odd: {"d": 1}, "q": {"d": 1}}, {odd: {"d": 1.0}, "q": {"d": 1.0}}
    base = baseline_of(ir.evaluate(judgments, results, "RR"))
    found = ir.gate(judgments, base, {odd: {"x": 2.0, "d": 1.0}, "q": {"d": 1.0}})
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(found.to_markdown())
    assert html.count("<details>") == html.count("</details>") == 2
    assert "<script>" not in html


def test_json_has_everything() -> None:
    """Conditions, queries that lost by measure, changes, and the baseline it was held against."""
    whole = json.loads(failed().to_json())
    assert whole["outcome"] == "failed"
    assert [(row["measure"], row["query"]) for row in whole["regressed"]][:2] == [("RR", "q001"), ("RR", "q002")]
    assert whole["baseline"]["system"] == "results"
    assert whole["changes"] == ["results changed in 2 queries: q001, q002"]
    assert [row["condition"] for row in whole["conditions"]] == ["RR drops 0.01", "nDCG@10 drops 0.9"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the example shop with a baseline of its better system under five measures."""
    for name in ("judgments.csv", "bm25.csv", "hybrid.csv", "queries.csv"):
        (tmp_path / name).write_bytes((SHOP / name).read_bytes())
    measures = [word for name in ("nDCG@10", "RR", "P@5", "R@20", "AP") for word in ("-m", name)]
    found = run(
        "gate", "judgments.csv", "hybrid.csv", "--baseline", "eval/base.json", *measures, "--bless", cwd=tmp_path
    )
    assert found.code == 0, found.err
    return tmp_path


def test_a_failure_fits_a_phone(folder: Path) -> None:
    """40 columns, at most 24 lines: what failed, the queries that lose most, and how to see the rest."""
    found = on_terminal("gate", "judgments.csv", "bm25.csv", "--baseline", "eval/base.json", cwd=folder, columns=PHONE)
    lines = plain(found.out).splitlines()
    assert found.code == 1
    assert max(map(len, lines)) <= PHONE
    assert len(lines) <= 24
    assert lines[0].startswith("gate failed (")
    assert sum(line.startswith("q") for line in lines) == 6  # with the line of names
    assert "--verbose" in found.out
    assert "passed" not in "\n".join(lines[1:])


def test_a_pass_fits_a_phone(folder: Path) -> None:
    """What passes says so in a few lines, without queries."""
    found = on_terminal(
        "gate", "judgments.csv", "hybrid.csv", "--baseline", "eval/base.json", cwd=folder, columns=PHONE
    )
    lines = plain(found.out).splitlines()
    assert found.code == 0
    assert " ".join(" ".join(lines[:4]).split()) == (
        "warning About a fifth of what these systems returned was never judged (23%), so these numbers may be far off."
    )
    assert lines[5:7] == ["gate passed (5 passed)", "note        No judgments: q42, left out."]
    assert "changes     all 41 lists are the same" in lines
    assert len(lines) <= 11


def test_long_ids_fit_a_phone(tmp_path: Path) -> None:
    """Ids as long as sentences are cut on the brief screen."""
    judgments = {f"a query as long as a sentence, number {i}": {"d": 1, "x": 0} for i in range(8)}
    results = {query: {"d": 1.0} for query in judgments}
    worse = {query: {"x": 2.0, "d": 1.0} for query in judgments}
    for name, lists in (("j", judgments), ("a", results), ("b", worse)):
        (tmp_path / f"{name}.json").write_text(json.dumps(lists))
    assert run("gate", "j.json", "a.json", "--baseline", "base.json", "-m", "RR", "--bless", cwd=tmp_path).code == 0
    found = on_terminal("gate", "j.json", "b.json", "--baseline", "base.json", cwd=tmp_path, columns=PHONE)
    lines = plain(found.out).splitlines()
    assert (found.code, len(lines) <= 24, max(map(len, lines)) <= PHONE) == (1, True, True)


def test_verbose_shows_every_query(folder: Path) -> None:
    """With -v every query below the baseline is listed, under every measure."""
    words = ("gate", "judgments.csv", "bm25.csv", "--baseline", "eval/base.json", "-v")
    out = plain(on_terminal(*words, cwd=folder, columns=100).out)
    base = ir.read_baseline(folder / "eval" / "base.json")
    found = ir.gate(str(folder / "judgments.csv"), base, str(folder / "bm25.csv"))
    for label in base.measures:
        assert f"{len(found.regressed(label))} queries below the baseline under {label}" in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("bm25.csv",), 1, ""),
        (("hybrid.csv",), 0, ""),
        (("bm25.csv", "--tolerance", "0.5"), 0, ""),
        (("bm25.csv", "--tolerance", "0.5", "--min", "RR>=0.99"), 1, ""),
        (("bm25.csv", "--gain", "exp2"), 3, "gain was linear and is exp2"),
        (("bm25.csv", "--queries", "q01,q02"), 3, "39 queries of the baseline not judged now, or not asked for"),
        (("bm25.csv", "hybrid.csv"), 2, "give one file of results"),
        (("bm25.csv", "-m", "RR"), 2, "-m chooses what --bless writes"),
        (("bm25.csv", "--tolerance", "XX=1"), 2, "the baseline has no such measure"),
        (("bm25.csv", "--fail-if", "P@1 drops 0.1"), 3, "The baseline has no values of P@1, only of nDCG@10"),
    ],
)
def test_exit_codes(folder: Path, words: tuple[str, ...], code: int, said: str) -> None:
    """0 passed, 1 failed, 2 usage, 3 another baseline; the file is never touched."""
    before = (folder / "eval" / "base.json").read_bytes()
    found = run("gate", "judgments.csv", *words, "--baseline", "eval/base.json", cwd=folder)
    assert found.code == code, found.err
    assert said in found.err
    assert (folder / "eval" / "base.json").read_bytes() == before


def test_blessing_on_the_command_line(folder: Path) -> None:
    """--bless without -m keeps the measures of the file; it says old and new means; --json says them to programs."""
    base = ("--baseline", "eval/base.json", "--bless")
    found = run("gate", "judgments.csv", "bm25.csv", *base, cwd=folder)
    assert found.code == 0
    assert "nDCG@10     0.7712 → 0.7300" in found.out
    assert list(ir.read_baseline(folder / "eval" / "base.json").measures) == ["nDCG@10", "RR", "P@5", "R@20", "AP"]
    whole = json.loads(run("gate", "judgments.csv", "hybrid.csv", *base, "--json", cwd=folder).out)
    assert whole["before"]["RR"] == pytest.approx(0.8333, abs=1e-4)
    lonely = run("gate", "judgments.csv", "bm25.csv", "--bless", cwd=folder)
    assert (lonely.code, "--bless: give the file of the baseline, too" in lonely.err) == (2, True)
    over = run("gate", "judgments.csv", "bm25.csv", "--baseline", "judgments.csv", "--bless", cwd=folder)
    assert over.code == 2
    missing = run("gate", "judgments.csv", "bm25.csv", "--baseline", "no.json", cwd=folder)
    assert (missing.code, "no.json: cannot be read: No such file" in missing.err) == (3, True)


def briefly(before: Any, after: Any, queries: int, **options: Any) -> str:
    """Return the brief screen of a gate under RR, as wide as need be."""
    base = baseline_of(ir.evaluate(known(queries), before, "RR", **options))
    return "\n".join(lines(ir.gate(known(queries), base, after, **options).brief(), 200))


@pytest.mark.parametrize("tolerated", [True, False])
def test_a_query_that_returns_nothing_now_is_named(tolerated: bool) -> None:
    """q002 returned d at rank 9 (1/9) or 1 of 60, and returns nothing: it is named whether the gate passes or fails."""
    ranks = [1, 1, 9 if tolerated else 1, *[1] * 57, *[2] * 20]
    after = {query: docs for query, docs in ranked(ranks).items() if query != "q002"}
    said = briefly(ranked(ranks), after, 80)
    assert said.startswith("gate passed") == tolerated
    assert "no results  1 query with results before and none now: q002 (scored 0)" in said
    assert "lists of" not in said


def test_a_doubt_says_why_and_shows_who_lost() -> None:
    """Two of 200 queries lose a half, a mean of 0.005: too few differ for an interval without 0; both are listed."""
    said = briefly(ranked([1] * 200), ranked([2, 2] + [1] * 198), 200)
    assert (
        "RR 1.000 → 0.995 (−0.005); limit 0.01; only 2 differing queries, so no interval can leave out 0"
        in " ".join(said.split())
    )
    assert re.findall(r"^(q\d+) +1\.000 +0\.500", said, re.MULTILINE) == ["q000", "q001"]


def test_a_doubt_has_its_interval() -> None:
    """Of 40 queries 10 lose and 11 gain a half: by SciPy's t the interval of the gain includes a drop of 0.01."""
    before = [1] * 10 + [2] * 11 + [1] * 19
    after = [2] * 10 + [1] * 11 + [1] * 19
    gains = [1 / b - 1 / a for a, b in zip(before, after, strict=True)]
    expected = stats.ttest_1samp(gains, 0.0).confidence_interval(0.95)
    found = re.search(r"limit 0\.01; 95% interval −(\S+) to \+(\S+)", briefly(ranked(before), ranked(after), 40))
    assert found is not None
    assert (-float(found[1]), float(found[2])) == pytest.approx((expected.low, expected.high), abs=0.006)
