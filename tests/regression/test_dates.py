"""Dates in names: their forms, their order, and what is done without them."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

import idealrank as ir
from idealrank.cli.commands.history import history_command
from idealrank.regression.dates import FORMS, begin_of, date_in, without_date as undated
from tests.docs.blocks import ROOT


@pytest.mark.parametrize(
    ("name", "date", "rest"),
    [
        ("2026-11-23", "2026-11-23", ""),
        ("bm25_2026-11-23", "2026-11-23", "bm25"),
        ("20261123-hybrid", "2026-11-23", "hybrid"),
        ("2026_11_23", "2026-11-23", ""),
        ("2026.11.23", "2026-11-23", ""),
        ("run-2026-11-23T04-15", "2026-11-23T04:15", "run"),
        ("20261123T041530Z", "2026-11-23T04:15:30", ""),
        ("bm25_20261123T041530Z", "2026-11-23T04:15:30", "bm25"),
        ("bm25-2026-11-23T04:15Z-v2", "2026-11-23T04:15", "bm25--v2"),
        ("20261123-Zoom", "2026-11-23", "Zoom"),
        ("2026-11", "2026-11", ""),
        ("bm25_2026-W41", "2026-W41", "bm25"),
        ("2026W41", "2026-W41", ""),
        ("2026-W54", "", "2026-W54"),
        ("2026-13-45", "", "2026-13-45"),
        ("12345678", "", "12345678"),
        ("1900-01-01", "1900-01-01", ""),
        ("v1899-12-31", "", "v1899-12-31"),
        ("v22000101", "", "v22000101"),
        ("nightly_20261123T9945", "2026-11-23", "nightly"),
        ("bm25", "", "bm25"),
        ("k1=1.2 b=0.75", "", "k1=1.2 b=0.75"),
    ],
)
def test_dates_in_names(name: str, date: str, rest: str) -> None:
    """Year, month and day in the usual forms, with a time or without; what is no date of the calendar is none."""
    assert (date_in(name), undated(name)) == (date, rest)


BEGINS = {
    "2026-11-23": datetime(2026, 11, 23),
    "20261123": datetime(2026, 11, 23),
    "2026-11": datetime(2026, 11, 1),
    "2026-W41": datetime(2026, 10, 5),
}
"""When each form of dates begins, from a calendar: 5 October 2026 is the Monday of week 41."""


def test_every_form_of_dates() -> None:
    """Each form has an example whose first day is known, and which help, docstring and page name."""
    assert {form.example: begin_of(date_in(form.example)) for form in FORMS} == BEGINS
    page = (ROOT / "docs" / "history.md").read_text("utf-8")
    for text in (history_command.help, ir.history.__doc__, page):
        words = re.findall(r"[\w-]+", text or "")
        assert {form.example for form in FORMS} <= set(words)


def test_weeks_are_in_order() -> None:
    """Weeks of ISO 8601 are sorted with other dates by their Monday."""
    lists = {"q": {"a": 2.0, "b": 1.0}}
    found = ir.history(dict.fromkeys(("2026-W42", "2026-10-08", "2026-W41"), lists), judgments={"q": {"a": 1}})
    assert [row["date"] for row in found.table] == ["2026-W41", "2026-10-08", "2026-W42"]
    assert found.note == ""


def test_names_of_a_dict_are_no_files() -> None:
    """Results under names without dates: the note says how to name them, and nothing of files."""
    found = ir.history({"old": {"q": {"a": 1.0}}, "new": {"q": {"a": 1.0}}}, judgments={"q": {"a": 1}})
    assert found.note == "In the order given: no date in 2 names (old). Name them 2026-11-23"
