"""Run an example as a script, or the Python of a lesson, and compare its tables with the notebooks' cases."""

from __future__ import annotations

import contextlib
import functools
import io
import runpy
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

import idealrank as ir
from tests.docs.blocks import ROOT, renewed
from tests.golden.tables import read_cases

FOLDER = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py"))
WIDTH = {"COLUMNS": "120"}
CASES = {case["id"]: case for case in read_cases()}


class Ran(NamedTuple):
    """The names an example defines, and what it printed."""

    names: dict[str, Any]
    output: str

    def __getitem__(self, name: str) -> Any:
        return self.names[name]


@functools.cache
def run(script: str) -> Ran:
    """Run an example once; pytest turns any warning into an error."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), mock.patch.dict("os.environ", WIDTH):
        names = runpy.run_path(str(FOLDER / f"{script}.py"), run_name="__main__")
    return Ran(names, printed.getvalue())


@functools.cache
def taught(lesson: str) -> Ran:
    """Run the Python blocks of a lesson once; its output is on the page."""
    names: dict[str, Any] = {}
    return Ran(names, renewed((ROOT / "docs" / f"{lesson}.md").read_text("utf-8"), names))


def expected(identity: str) -> Any:
    """What a notebook printed: all digits where they are known."""
    case = CASES[identity]
    return pytest.approx(case.get("full", case["expected"]), abs=max(case["tolerance"], 1e-12), rel=0)


def per_query(scores: ir.Scores, measure: str) -> dict[str, float]:
    """The values of one measure by query."""
    place = [str(m) for m in scores.measures].index(measure)
    return dict(zip(scores.queries, scores.values[0, place].tolist(), strict=True))


def check_rows(table: ir.Table, identity: str) -> None:
    """Every cell of a case's rows stands in the table, in its order; a missing one adds nothing."""
    case = CASES[identity]["expected"]
    for column, values in zip(case["columns"], zip(*case["rows"], strict=True), strict=True):
        if column not in table.columns:
            continue
        found = table[column]
        assert len(found) == len(values)
        for cell, value in zip(found, values, strict=True):
            if value is None:
                assert cell is None or cell != cell or cell == 0
            else:
                assert cell == (value if isinstance(value, str) else pytest.approx(value, abs=5.1e-7, rel=0))
