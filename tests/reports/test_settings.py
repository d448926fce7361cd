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


def test_one_setting_is_a_line() -> None:
    """A drawing has a dot per value, the best filled, and a table has the means with what sets them apart."""
    found = section(swept(ONE_SETTING))
    assert found.one("h2").text == "Settings"
    drawing = found.one("svg", class_="setting-line")
    dots = drawing.all("circle")
    assert [dot.attributes["class"] for dot in dots] == ["best", "", ""]
    heights = [float(dot.attributes["cy"]) for dot in dots]
    assert heights == sorted(heights)
    assert [text.text for text in drawing.all("text")][-4:] == ["2", "4", "10", "boost"]
    (table,) = found.all("table")
    rows = cells(table)
    assert rows[0][:2] == ["boost", "RR"]
    assert [row[0] for row in rows[1:]] == ["2", "4", "10"]
    assert [row[1].split()[-1] for row in rows[1:]] == ["0.833", "0.444", "0.306"]
    assert rows[1][1].startswith("★best:")
    assert rows[1][3] == "▲ +0.528"
    assert rows[3][3:] == ["baseline", ""]


def test_words_have_no_line() -> None:
    """A setting of words is a table alone, its values as they come."""
    found = section(swept({"q mode=or": 3, "q mode=and": 1}))
    assert not found.all("svg", class_="setting-line")
    assert [row[0] for row in cells(found.one("table"))] == ["mode", "or", "and"]


def test_two_settings_are_a_matrix() -> None:
    """Rows are the first setting and columns the second; the best cell is the darkest, the worst has no shade."""
    found = section(swept(TWO_SETTINGS))
    matrix, points = found.all("table")
    rows = cells(matrix)
    assert rows[0] == ["boost", "mode = or", "mode = and"]
    means = [[cell.split()[-1] for cell in row] for row in rows[1:]]
    assert means == [["1", "0.159", "0.306"], ["2", "0.833", "0.444"]]
    shades = [span.attributes["class"] for span in matrix.all("span") if "shade" in span.attributes.get("class", "")]
    assert shades == ["shade-0", "shade-1", "shade-6", "shade-3"]
    assert len(cells(points)) == 5


def test_three_settings_are_a_table() -> None:
    """The best mean comes first."""
    found = section(swept({"q a=1 b=1 c=1": 3, "q a=1 b=2 c=1": 1, "q a=2 b=2 c=2": 2}))
    rows = cells(found.one("table"))
    assert [row[:3] for row in rows] == [["a", "b", "c"], ["1", "2", "1"], ["2", "2", "2"], ["1", "1", "1"]]


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


def test_systems_that_are_no_points_are_listed() -> None:
    """Where not all systems are on the grid, or none, a table has all of them."""
    found = section(swept({"old": 3, **ONE_SETTING}, hold_out=0.5))
    assert [title.text for title in found.all("h3")][-1] == "All systems on the 12 tuning queries"
    assert [row[0] for row in cells(found.all("table")[-1])] == ["system", "old", *ONE_SETTING]
    held = swept({"old": 3, "new": 1}, hold_out=0.5)
    alone = section(held)
    assert held.tuning is not None
    third = sum(int(query[1:]) % 3 == 0 for query in held.tuning["queries"])  # one rank lower
    mean, change = (12 - third / 2) / 12, (12 - third / 2 - ((12 - third) / 3 + third / 4)) / 12
    assert cells(alone.one("table"))[2][:3] == ["new", f"★ {mean:.3f}", f"▲ +{change:.3f}"]


def test_texts_stay_texts() -> None:
    """A setting whose name and values try to be HTML is text."""
    name = "<script>window.hacked=1</script>"
    found = section(swept({f"q <b>=1 m={name}": 2, f"q <b>=2 m={name}": 1}))
    assert cells(found.all("table")[0])[0] == ["<b>", f"m = {name}"]
    one = section(swept({"q <b>=1": 2, "q <b>=2": 1}))
    assert one.one("svg", class_="setting-line").attributes["aria-label"] == "RR by <b>, with intervals"
    for text in HOSTILE:
        swept({f"q a={text}": 2, f"q a={text}2": 1}).to_html()
