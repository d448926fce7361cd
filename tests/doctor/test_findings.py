"""Each finding fires on its fixture, and is silent on near misses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.doctor.findings import FINDINGS
from tests.doctor.near_misses import NEAR, Near
from tests.doctor.worlds import CASES, QRELS, RUN, Case

BY_SYSTEM = {"lists cut at different depths", "one system judged more than another"}
"""Findings that need two systems: see `test_systems.py`."""


def files(folder: Path, judgments: str, results: str) -> tuple[str, str]:
    """Write the two files of a world."""
    for name, text in (("judgments", judgments), ("results", results)):
        (folder / name).write_text(text, "utf-8", newline="")
    return str(folder / "judgments"), str(folder / "results")


def examined(folder: Path, world: Case | Near) -> Any:
    """Let the doctor look at a world."""
    return ir.doctor(*files(folder, world.judgments, world.results), **world.options)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.finding)
def test_fires(case: Case, tmp_path: Path) -> None:
    """The finding counts what is wrong, and names the first line of it."""
    (found,) = (each for each in examined(tmp_path, case).findings if each.name == case.finding)
    assert found.count == case.count
    if case.line:
        assert found.examples[0].startswith(f"{tmp_path}/{case.line}:")
    assert len(found.examples) == min(3, len(found.examples))
    assert found.remedy


@pytest.mark.parametrize("near", NEAR, ids=lambda near: f"{near.finding}: {near.why}")
def test_near_miss(near: Near, tmp_path: Path) -> None:
    """What only looks like the fault is not found."""
    assert near.finding not in {each.name for each in examined(tmp_path, near).findings}


def test_every_finding_is_tried() -> None:
    """Every finding has a world in which it fires and one that is a near miss."""
    assert {case.finding for case in CASES} | BY_SYSTEM == set(FINDINGS)
    assert {near.finding for near in NEAR} | BY_SYSTEM == set(FINDINGS)


def test_nothing_is_found(tmp_path: Path) -> None:
    """Of files with nothing wrong the doctor says so in one line."""
    found = ir.doctor(*files(tmp_path, QRELS, RUN))
    assert (found.findings, found.moves) == ((), False)
    assert str(found) == "doctor     Nothing found: ids, grades, ranks and scores are as they should be."


def mean(judgments: str, results: str, measure: str, options: dict[str, Any]) -> float | None:
    """Return the mean of files; None if `evaluate` refuses them."""
    try:
        return ir.evaluate(judgments, results, [measure], **options)[measure]
    except ir.DataError:
        return None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.finding)
def test_shift_is_that_of_an_evaluation(case: Case, tmp_path: Path) -> None:
    """The mean before is that of the files, the mean after that of the mended copies, or under the answers."""
    diagnosis = examined(tmp_path, case)
    (found,) = (each for each in diagnosis.findings if each.name == case.finding)
    options = {name: value for name, value in case.options.items() if name not in ("exclude", "measures")}
    judgments, results = files(tmp_path, case.judgments, case.results)
    for shift in found.shifts:
        assert shift.before == mean(judgments, results, shift.measure, {"duplicates": "first", **options})
    if found.mends:
        written = {Path(path).name.removesuffix(".csv"): path for path in diagnosis.fix(tmp_path / "mended")}
        judgments, results = written.get("judgments", judgments), written.get("results", results)
    for shift in found.shifts:
        assert shift.after == mean(judgments, results, shift.measure, {**options, **found.answers})
