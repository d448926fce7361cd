"""The notebooks are the lessons, run: what they show is what a kernel prints today."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.docs.blocks import ROOT
from tests.heavy.docs.notebooks import LESSONS, notebook_path, written

MOST = 100_000
"""Bytes of a notebook, outputs included: GitHub draws it at once."""


def stored(lesson: str) -> Any:
    """The notebook as it is in the repository."""
    return json.loads(notebook_path(lesson).read_text("utf-8"))


@pytest.mark.parametrize("lesson", LESSONS)
def test_runs_as_stored(lesson: str) -> None:
    """Run from the first cell to the last in a fresh kernel, each cell prints what is stored; the prose is the page."""
    assert written(lesson) == notebook_path(lesson).read_text("utf-8"), "run python -m tests.heavy.docs.notebooks"


@pytest.mark.parametrize("lesson", LESSONS)
def test_is_fit_to_be_shown(lesson: str) -> None:
    """It has outputs, none of them an error or a warning; it is small, and names no folder of the machine it ran on."""
    text = notebook_path(lesson).read_text("utf-8")
    outputs = [output for cell in stored(lesson)["cells"] for output in cell.get("outputs", ())]
    assert {output["output_type"] for output in outputs} <= {"execute_result", "stream", "display_data"}
    assert {output.get("name", "stdout") for output in outputs} == {"stdout"}
    assert any("text/html" in output.get("data", ()) for output in outputs)
    assert len(text.encode()) < MOST
    assert not [word for word in (str(ROOT), str(Path.home()), "/tmp/", "ipykernel") if word in text]


def test_every_notebook_is_a_lesson_and_listed() -> None:
    """No notebook is left of a lesson that is gone, and the lists of lessons and of examples name each."""
    assert sorted(path.stem for path in (ROOT / "examples").rglob("*.ipynb")) == LESSONS
    for lesson in LESSONS:
        assert f"({lesson}.ipynb)" in (ROOT / "examples" / "README.md").read_text("utf-8")
        assert f"({lesson}.md)" in (ROOT / "docs" / "notebooks.md").read_text("utf-8")
