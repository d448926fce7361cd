"""Tags of a TREC run: one run or several systems."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir
from idealrank.conventions import CONVENTIONS

JUDGMENTS = "q1 0 a 1\nq2 0 b 1\n"
"""One relevant document a query."""

APART = "q1 Q0 a 1 2.0 run-q1\nq2 Q0 b 2 2.0 run-q2\n"
"""A run whose tag names its query, as that of CLEF-TAR 2017: RR is 1 for both queries."""

SHARED = "q1 Q0 x 1 2.0 R\nq1 Q0 a 2 1.0 NR\nq2 Q0 b 1 2.0 R\n"
"""Two tags in one query, as in a fused run: as one run RR is 1/2 and 1."""

ONE_RUN = [name for name, each in CONVENTIONS.items() if each.decisions.systems in ("one_run", "pooled")]
"""Conventions of tools that do not read the tag."""


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """The folder of the three files."""
    for name, text in {"j.txt": JUDGMENTS, "apart.run": APART, "shared.run": SHARED}.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def means(tables: Path, run: str, **options: str) -> dict[str, float]:
    """Return the mean RR of each system of a run."""
    scores = ir.evaluate(str(tables / "j.txt"), str(tables / run), ["RR"], **options)
    return {system: scores["RR", system] for system in scores.systems}


def test_tags_that_never_share_a_query_are_one_run(tables: Path) -> None:
    """A tag that varies from query to query names no systems; the ledger says how many tags there are."""
    assert means(tables, "apart.run") == {"apart": 1.0}
    ledger = ir.evaluate(str(tables / "j.txt"), str(tables / "apart.run"), ["RR"]).ledger
    assert "2 tags, never two in one query: read as one run; systems=separate makes a system of each" in str(ledger)


def test_tags_apart_on_request(tables: Path) -> None:
    """Each tag is a system where that is asked for, and where tags share queries."""
    assert means(tables, "apart.run", systems="separate") == {"run-q1": 0.5, "run-q2": 0.5}
    assert means(tables, "shared.run") == {"R": 0.5, "NR": 0.5}


@pytest.mark.parametrize("convention", ONE_RUN)
def test_tools_that_do_not_read_the_tag(tables: Path, convention: str) -> None:
    """Under the convention of a tool that ignores the tag a file is one run: by hand (1/2 + 1)/2 and (1 + 1)/2."""
    name = {"gdeval": "nDCG@10", "ndeval": "P_IA@2"}.get(convention, "RR")
    subtopics = {"query": ["q1", "q2"], "subtopic": ["1", "1"], "doc": ["a", "b"], "grade": [1, 1]}
    judgments = subtopics if convention == "ndeval" else str(tables / "j.txt")
    scores = ir.evaluate(judgments, str(tables / "shared.run"), [name], convention=convention)
    assert scores.systems == ("shared",)
    expected = {"RR": 0.75, "nDCG@10": (1 / 1.584962500721156 + 1) / 2, "P_IA@2": 0.5}[name]
    assert scores[name] == pytest.approx(expected)
    answer = scores.setting.decisions.systems
    assert f"2 tags read as one run (systems={answer})" in str(scores.ledger)


def test_a_system_column_is_no_tag() -> None:
    """A system column of a table tells systems apart, also under the convention of a tool that ignores tags of runs."""
    table = {"query": ["q", "q"], "doc": ["a", "a"], "score": [1.0, 2.0], "system": ["A", "B"]}
    scores = ir.evaluate({"q": {"a": 1}}, table, ["RR"], convention="trec_eval-9.0.8")
    assert scores.systems == ("A", "B")


def test_several_files_are_several_systems(tables: Path) -> None:
    """Under a convention that pools the tags of a file, two files are two systems still."""
    files = [str(tables / "apart.run"), str(tables / "shared.run")]
    scores = ir.evaluate(str(tables / "j.txt"), files, ["RR"], convention="trec_eval-9.0.8")
    assert {system: scores["RR", system] for system in scores.systems} == {"apart": 1.0, "shared": 0.75}


def test_a_system_by_name_stands_alone(tables: Path) -> None:
    """Whoever names one of several tags asks for it alone, and the setting says so."""
    scores = ir.evaluate(
        str(tables / "j.txt"), str(tables / "shared.run"), ["RR"], convention="trec_eval-9.0.8", system="R"
    )
    assert scores["RR"] == 0.5  # of q1 it returned x alone
    assert scores.setting.text == "trec_eval-9.0.8, systems=separate"


def test_identify_in_a_table_of_several_systems() -> None:
    """A number of one system is found in a table in which two systems return the same documents."""
    table = {
        "query": ["q1", "q1", "q1"], "doc": ["x", "a", "a"], "score": [2.0, 1.0, 1.0], "system": ["A", "A", "B"],
    }  # fmt: skip
    found = ir.identify({"q1": {"a": 1}}, table, {"RR": "0.5"}, system="A", departures=0)
    assert "trec_eval-9.0.8" in str(found)
