"""Findings about several systems: lists cut at different depths, and one system judged more than another."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir
from tests.doctor.worlds import QRELS, RUN

SHORT = "".join(line for line in RUN.splitlines(True) if " 1 3 " in line or " 2 2 " in line)
"""The first two results of each query."""


def systems(folder: Path, judgments: str, *runs: str) -> list[str]:
    """Write judgments and runs, and return their paths."""
    texts = {"qrels": judgments, **{f"run{i}": run for i, run in enumerate(runs)}}
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return [str(folder / name) for name in texts]


def test_lists_cut_at_different_depths(tmp_path: Path) -> None:
    """Lists of three results beside lists of two: by hand, AP of the longer ones is lower once they end at two."""
    paths = systems(tmp_path, QRELS, RUN, SHORT)
    diagnosis = ir.doctor(*paths, measures=["AP", "RR@2"])
    (found,) = diagnosis.findings
    assert (found.name, found.count) == ("lists cut at different depths", 3)
    assert found.examples == (f"{tmp_path}/run0 line 3",)
    # q1: relevant at 1 and 3 of two, q2: at 2, q3: at 1; without rank 3, q1 has 1 of two
    before, after = ((1 + 2 / 3) / 2 + 1 / 2 + 1) / 3, (1 / 2 + 1 / 2 + 1) / 3
    head = found.headline
    assert head is not None
    assert (head.system, head.before, head.after) == ("run0", pytest.approx(before), pytest.approx(after))
    assert diagnosis.moves
    written = diagnosis.fix(tmp_path / "mended")
    assert Path(written[0]).read_text("utf-8") == SHORT


@pytest.mark.parametrize(
    ("measure", "other"),
    [("RR@2", SHORT), ("AP", RUN.replace(" s\n", " t\n")), ("AP", RUN.replace("q1 Q0 a 3 1 s\nq2 Q0 e 1 3 s\n", ""))],
    ids=["a measure that looks no deeper", "equally deep", "each as long as the search found"],
)
def test_depths_that_do_not_matter(measure: str, other: str, tmp_path: Path) -> None:
    """Lists may end where they like below the cutoff, and need not be equally long."""
    found = ir.doctor(*systems(tmp_path, QRELS, RUN, other), measures=[measure]).findings
    assert "lists cut at different depths" not in {each.name for each in found}


def test_one_system_judged_more_than_another(tmp_path: Path) -> None:
    """One system has 5 of 9 results judged, the other 1 of 9: its 8 unjudged results are counted."""
    unseen = RUN.replace(" c ", " k ").replace(" a ", " l ").replace(" e ", " m ").replace(" f ", " n ")
    paths = systems(tmp_path, QRELS, RUN, unseen)
    (found,) = ir.doctor(*paths, measures=["RR"]).findings
    assert (found.name, found.count) == ("one system judged more than another", 8)
    assert "56% were judged for run0, and 11% for run1" in found.text
    assert found.remedy == "--unjudged filter"
    again = ir.evaluate(paths[0], paths[2], ["RR"], unjudged="filter")["RR"]
    assert {shift.system: shift.after for shift in found.shifts} == {"run1": again} == {"run1": 1 / 3}


def test_systems_judged_alike(tmp_path: Path) -> None:
    """One judged result less is no bias."""
    paths = systems(tmp_path, QRELS, RUN, RUN.replace(" c ", " k "))
    assert ir.doctor(*paths).findings == ()
