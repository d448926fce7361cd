"""Labels chosen for two systems: a third system is warned of, and the list to fill in is no table of results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.cli.terminal import run

OLD = {f"q{i}": {"a": 3.0, "b": 2.0, "c": 1.0} for i in range(6)}
NEW = {f"q{i}": {"b": 3.0, "d": 2.0, "a": 1.0} for i in range(6)}
THIRD = {f"q{i}": {"x": 3.0, "b": 2.0, "y": 1.0} for i in range(6)}
WARNING = (
    "Labels in the judgments were chosen to decide between new and old, and third is another system: documents that "
    "only third returns were not asked for, so its values are likely too low."
)


def labelled() -> dict[str, list[Any]]:
    """Return the documents to label for two systems, all with a grade."""
    known = {query: {"a": 1} for query in OLD}
    rows = ir.label_next(known, {"old": OLD, "new": NEW}, "nDCG@3", rows=None).rows.rows()
    table: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in ("query", "doc", "chosen for")}
    table["grade"] = [place % 3 for place in range(len(rows))]
    for query in OLD:
        for name, value in (("query", query), ("doc", "a"), ("chosen for", None), ("grade", 1)):
            table[name].append(value)
    return table


def test_compare_warns_of_a_system_that_labels_were_not_chosen_for() -> None:
    """Whichever it is compared with; the two that they were chosen for are compared without a word."""
    table = labelled()
    for other in ({"old": OLD, "third": THIRD}, {"third": THIRD, "new": NEW}, {"old": OLD, "new": NEW, "third": THIRD}):
        assert ir.compare(table, other, ["nDCG@3"], draws=100).warnings.count(WARNING) == 1
    assert WARNING in ir.leaderboard(table, {"old": OLD, "new": NEW, "third": THIRD}, ["nDCG@3"]).warnings
    assert ir.compare(table, {"old": OLD, "new": NEW}, ["nDCG@3"], draws=100).warnings == ()
    del table["chosen for"]
    assert ir.compare(table, {"old": OLD, "third": THIRD}, ["nDCG@3"], draws=100).warnings == ()


@pytest.mark.parametrize("rule", ["dawid_skene", "weighted"])
def test_combined_labels_are_still_chosen_for_two_systems(rule: str, tmp_path: Path) -> None:
    """One grade made of several ratings says so, too: as a value, as judgments, and as a file."""
    table = labelled()
    many = len(table["query"])
    both: dict[str, list[Any]] = {name: [*column, *column] for name, column in table.items()}
    both["rater"] = ["ana"] * many + ["ben"] * many
    both["grade"][many:] = [(place * 5 + 1) % 3 for place in range(many)]
    both["chosen for"][many:] = [None] * many  # one rater's file may lack what the other's says
    weights = {"ana": 2, "ben": 1} if rule == "weighted" else None
    found = ir.combine(both, rule, weights=weights)  # type: ignore[arg-type]
    chosen = dict(zip(zip(table["query"], table["doc"], strict=True), table["chosen for"], strict=True))
    assert {(row["query"], row["doc"]): row["chosen for"] for row in found.table} == chosen
    assert set(chosen.values()) == {None, "old vs new"}
    ratings = [dict(zip(both, row, strict=True)) for row in zip(*both.values(), strict=True)]
    (tmp_path / "ratings.json").write_text(json.dumps(ratings))
    words = () if weights is None else ("--weight", "ana=2", "--weight", "ben=1")
    assert run("combine", "ratings.json", "--rule", rule, *words, "-o", "combined.csv", cwd=tmp_path).code == 0
    third, without = {"old": OLD, "third": THIRD}, {"old": OLD, "new": NEW}
    for judgments in (found, found.judgments, tmp_path / "combined.csv"):
        assert WARNING in ir.compare(judgments, third, ["nDCG@3"], draws=100).warnings
        assert WARNING not in ir.compare(judgments, without, ["nDCG@3"], draws=100).warnings


def test_combined_labels_without_the_column_have_none() -> None:
    """Nothing is said of labels that were chosen for nobody."""
    found = ir.combine({"ana": {"q": {"a": 3, "b": 0}}, "ben": {"q": {"a": 1, "b": 1}}})
    assert list(found.table.columns) == ["query", "doc", "grade", "ratings", "probability"]


@pytest.mark.parametrize("grade", ["", "2"])
def test_list_to_fill_in_is_judgments(grade: str, tmp_path: Path) -> None:
    """It has ranks, but they are those of two systems; nobody takes it for results, filled in or not."""
    (tmp_path / "next.csv").write_text(
        "query,doc,baseline rank,rank,weight,grade,order,chosen for\n"
        f'q1,a,1,2,0.3,{grade},"weight-ordered, no probabilities",old vs new\n'
    )
    (file,) = ir.peek(tmp_path / "next.csv").files
    assert file.contains == ("judgments",)


def test_list_that_nobody_filled_in_says_so(tmp_path: Path) -> None:
    """One sentence, whether it has rows or a header alone."""
    header = "query,doc,baseline rank,rank,weight,grade,order,chosen for\n"
    (tmp_path / "next.csv").write_text(f"{header}q1,a,1,2,0.3,,order,old vs new\nq1,b,2,1,0.3,,order,old vs new\n")
    (tmp_path / "header.csv").write_text(header)
    (tmp_path / "old.csv").write_text("query,doc,rank\nq1,a,1\n")
    found = {name: run("evaluate", f"{name}.csv", "old.csv", cwd=tmp_path).err for name in ("next", "header")}
    assert found["next"] == (
        "idealrank: next.csv: nobody has graded anything yet: 2 rows, but no grade in the column grade. Give at least "
        "one.\n"
    )
    assert "there are columns but no rows" in found["header"]
    (file,) = ir.peek(tmp_path / "header.csv").files
    assert [str(fault).split(": ")[1] for fault in file.faults] == ["there are columns but no rows. Give at least one."]
