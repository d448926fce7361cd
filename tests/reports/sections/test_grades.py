"""What a report says of its grades: the judge that was calibrated, and the raters, against the values behind them."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

import idealrank as ir
from tests.labels.test_calibration import table_of, world

SHOP = "examples/shop/"


def raters(**options: Any) -> ir.Report:
    """Return a report of the shop, whose judgments are by three people."""
    systems = [SHOP + "bm25.csv", SHOP + "hybrid.csv"]
    return ir.report(ir.compare(SHOP + "judgments.csv", systems, ["nDCG@10"], **options))


def test_one_person_is_no_part_of_the_page() -> None:
    """Grades without a rater, and without a judge: there is nothing to say."""
    report = ir.report(ir.compare({"q": {"a": 1}}, {"x": {"q": {"a": 1.0}}, "y": {"q": {"b": 1.0}}}, ["RR"]))
    assert report.grades is None
    html = report.to_html()
    assert 'id="agreement"' not in html
    assert 'id="calibration"' not in html
    assert "#agreement" not in html.partition("</nav>")[0].rpartition("<nav")[2]


def test_raters_agree_as_agreement_says_and_each_has_a_verdict() -> None:
    """The part is that of `agreement` with the same systems; the page has a drawing for each verdict."""
    report = raters()
    part = report.grades
    assert part is not None
    found = ir.agreement(SHOP + "judgments.csv", results=[SHOP + "bm25.csv", SHOP + "hybrid.csv"], measures=["nDCG@10"])
    assert part["raters"] is not None
    assert part["raters"]["agreement"] == found.to_dict()
    html = report.to_html()
    section = html[html.index('<section id="agreement"') : html.index("</section>", html.index('id="agreement"'))]
    for row in found.by_rater:
        assert f"{row['above others']:+.3f}".replace("-", "−") in section
        assert f"{row['agreement']:.0%}" in section
    for name, title in (("alpha", "Krippendorff's alpha"), ("kappa", "Fleiss' kappa"), ("ac", "Gwet's AC")):
        low, high = found.intervals[name]
        assert f"{title} {found[name]:.3f} ({low:.3f} to {high:.3f})" in unescape(section)
    assert found.disputed[0]["ratings"] in unescape(section)
    markdown = report.to_markdown()
    assert f"{found.by_rater[0]['above others']:.4f}".lstrip("-") in markdown
    assert "rater_1 alone" in markdown.replace(chr(92), "")
    assert section.count('<svg class="forest"') == len(part["raters"]["agreement"]["verdicts"]) == 7
    assert "rater_1 alone" in section
    assert 'href="#agreement"' in html


@pytest.mark.parametrize("options", [{"only": ["q01", "q02", "q03"]}, {"hold_out": 0.5}], ids=["only", "hold out"])
def test_no_verdict_by_rater_of_a_part_of_the_queries(options: dict[str, Any]) -> None:
    """Queries that were chosen belong to the whole comparison: how far raters agree is said, verdicts are not."""
    part = raters(**options).grades
    assert part is not None
    assert part["raters"] is not None
    assert part["raters"]["agreement"]["verdicts"] == []
    assert part["raters"]["verdicts_sentence"] == ""


def test_the_decisions_of_the_comparison_hold_for_each_rater() -> None:
    """All raters together are the comparison itself: the same difference under another gain, and the same verdict."""
    report = raters(gain="exp2", margin=0.01)
    assert report.grades is not None
    assert report.grades["raters"] is not None
    assert report.comparison is not None
    first = report.grades["raters"]["agreement"]["verdicts"][0]
    whole = report.comparison["nDCG@10"]
    assert (first["judged by"], first["difference"]) == ("all raters", pytest.approx(whole.difference, abs=1e-15))
    assert first["verdict"] == report.comparison.verdict.outcome


def test_the_page_shows_the_calibrated_number_wherever_it_decides() -> None:
    """The large number, the row that decides and the three estimates: the calibrated difference, not that of people."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    comparison = ir.compare(people, systems, ["nDCG@10", "P@10"], judge=judge, sampled=drawn)
    (found,) = comparison.calibration.values()
    report = ir.report(comparison)
    assert report.grades is not None
    (entry,) = report.grades["calibrations"]
    assert entry["calibrated"] == found.to_dict()["calibrated"]
    html = report.to_html()
    shown = f"+{found.found.calibrated.mean:.3f}"
    people_alone = f"+{comparison['nDCG@10'].difference:.3f}"
    assert shown != people_alone
    assert re.search(r'class="big"><b>([^<]*)</b>', html).group(1) == shown  # type: ignore[union-attr]
    measures = html[html.index('<section id="measures"') : html.index("</section>", html.index('id="measures"'))]
    assert shown in measures
    assert people_alone not in measures
    assert "The change in nDCG@10 is the calibrated one" in measures
    section = html[html.index('<section id="calibration"') : html.index("</section>", html.index('id="calibration"'))]
    assert section.count('<svg class="forest"') == 3
    assert "judge alone, not calibrated" in section
    read_as = [entry["read_as"] for entry in report.inputs]
    assert "the judge's grades, dict of dicts" in read_as
    assert "the sample: 40 drawn of 120 queries" in read_as
    markdown = report.to_markdown()
    assert "judge alone, not calibrated" in markdown
