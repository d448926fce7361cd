"""The plot of a history: its places, its panels, and what its note explains."""

from __future__ import annotations

import time

import pytest

import idealrank as ir


def test_days_in_a_plot_do_not_depend_on_the_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A day on which clocks change is as long as any other: 28 to 30 March 2026 in Berlin; a week is its Monday."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        lists = {"q": {"a": 1.0}}
        found = ir.history(
            dict.fromkeys(("2026-03-28", "2026-03-29", "2026-03-30", "2026-W15"), lists), judgments={"q": {"a": 1}}
        )
        x, _ = ir.plots.history(found).axes[0].lines[0].get_data()
    finally:
        monkeypatch.undo()
        time.tzset()
    assert [place - x[0] for place in x] == [0, 1, 2, 9]


def test_the_note_of_a_plot_explains_only_what_is_drawn() -> None:
    """Where no judgments changed, no line is dotted, and the note does not speak of one."""
    lists, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1}}
    dates = ("2026-11-01", "2026-11-02")
    for later, said in ((qrels, False), ({"q": {"b": 1}}, True)):
        found = ir.history(dict.fromkeys(dates, lists), judgments=dict(zip(dates, (qrels, later), strict=True)))
        assert ("dotted: judgments changed" in ir.plots.history(found).file("svg").decode()) == said


def test_the_plot() -> None:
    """A panel per measure, a point per date at its day, the fingerprints in the file; dotted where labels changed."""
    qrels = {"q": {"a": 1}, "r": {"a": 1}}
    lists = {"q": {"a": 2.0, "b": 1.0}, "r": {"b": 2.0, "a": 1.0}}
    found = ir.history(
        {"2026-11-01": lists, "2026-11-03": lists, "2026-11-04": lists},
        judgments={"2026-11-01": qrels, "2026-11-03": qrels, "2026-11-04": qrels | {"r": {"b": 1}}},
        measures=["RR", "P@1"],
    )
    sheet = ir.plots.history(found)
    assert [panel.get_title(loc="left") for panel in sheet.axes] == ["RR", "P@1"]
    x, y = sheet.axes[0].lines[0].get_data()
    assert (x[1] - x[0], x[2] - x[1]) == (2, 1)
    assert list(y) == [0.75, 0.75, 1.0]
    dotted = [line.get_xdata()[0] for line in sheet.axes[0].lines if line.get_linestyle() == ":"]
    assert dotted == [x[2]]
    assert sheet.stated == tuple(ir.measure(name).fingerprint for name in ("RR", "P@1"))
    with pytest.raises(ir.UsageError, match="shows a history, not a Table"):
        ir.plots.history(found.table)  # type: ignore[arg-type]
