"""Systems named by their settings in a report, and the one chosen on other queries: parts, Markdown, page."""

from __future__ import annotations

import json

import pytest

from idealrank.reports.report import Report
from tests.reports.reading import Element, read, spaced
from tests.reports.worlds import HOSTILE, TWO_SETTINGS, several, swept

ONE_SETTING = {"q boost=10": 3, "q boost=2": 1, "q boost=4": 2}
MEANS = {1: (2 + 0.5) / 3, 2: (2 / 2 + 1 / 3) / 3, 3: (2 / 3 + 1 / 4) / 3, 6: (2 / 6 + 1 / 7) / 3}
"""Mean RR of a rank that is one lower in every third query."""


def section(report: Report) -> Element:
    """Return the section of the page."""
    return read(report.to_html()).one("section", id="settings")


def cells(table: Element) -> list[list[str]]:
    """Return the texts of the rows of a table."""
    return [[spaced(cell.text) for cell in row.all("th") + row.all("td")] for row in table.all("tr")]


def test_the_part() -> None:
    """The part has the values of each setting in their order, and a row per point in the order of the settings."""
    part = json.loads(swept(ONE_SETTING).to_json())["grid"]
    assert part["settings"] == {"boost": [2, 4, 10]}
    assert part["measure"] == "RR"
    assert [row["boost"] for row in part["points"]] == [2, 4, 10]
    assert [row["RR"] for row in part["points"]] == pytest.approx([MEANS[1], MEANS[2], MEANS[3]])
    assert part["points"][2]["difference"] is None
    assert part["points"][0]["difference"] == pytest.approx(MEANS[1] - MEANS[3])


def test_without_settings() -> None:
    """Where systems have other names nothing is held out there is no part, and no section on the page."""
    report = several(4)
    assert (report.grid, report.tuning) == (None, None)
    assert 'id="settings"' not in report.to_html()
    assert "## Settings" not in report.to_markdown()


def test_tuning() -> None:
    """With a hold-out the section says what the choice was made by, and the head what it was the best of."""
    report = swept(TWO_SETTINGS, hold_out=0.5)
    part = report.to_dict()["tuning"]
    assert part is not None
    assert part["best"] == "q boost=2 mode=or"
    assert len(part["queries"]) == len(part["held_out"]) == 12
    found = section(report)
    assert found.one("h2").text == "Tuning"
    assert found.one("h3").text == "RR by setting on the 12 tuning queries"
    assert "The verdict is about the held-out queries alone." in found.text
    said = read(report.to_html()).one("section", id="summary").text
    assert "q boost=2 mode=or was the best of 4 systems on the 12 tuning queries, where it gained" in said
    text = report.to_markdown().partition("## Settings\n")[2].partition("\n## ")[0]
    assert "RR by boost and mode on the 12 tuning queries:" in text
    assert "- 50% of the queries held out by a hash of their ids (seed 0)" in text


def test_texts_stay_texts() -> None:
    """A setting whose name and values try to be HTML is text."""
    name = "<script>window.hacked=1</script>"
    found = section(swept({f"q <b>=1 m={name}": 2, f"q <b>=2 m={name}": 1}))
    assert cells(found.all("table")[0])[0] == ["<b>", f"m = {name}"]
    one = section(swept({"q <b>=1": 2, "q <b>=2": 1}))
    assert one.one("svg", class_="setting-line").attributes["aria-label"] == "RR by <b>, with intervals"
    for text in HOSTILE:
        swept({f"q a={text}": 2, f"q a={text}2": 1}).to_html()
