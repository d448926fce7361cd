"""What a report says of its tables and of a comparison, against what was given and what the command prints."""

from __future__ import annotations

from pathlib import Path

import idealrank as ir
from tests.cli.terminal import tsv
from tests.reports.sections.test_arithmetic import scored


def test_queries_that_only_one_system_answered() -> None:
    """Queries a and c were answered by one system each, and are named under it."""
    judged = {query: {"d": 1} for query in "abc"}
    runs = {"x": {"a": scored("d"), "b": scored("d")}, "y": {"b": scored("d"), "c": scored("d")}}
    found = ir.report(ir.compare(judged, runs, ["RR"], draws=100)).compared
    assert found is not None
    assert found["one_sided"] == {"y": {"x alone": ["a"], "y alone": ["c"]}}


def test_means_stand_by_measure() -> None:
    """All systems under the first measure, then all under the second; two documents make P@2 half of what RR is."""
    judged = {query: {"d": 1} for query in "abc"}
    runs = {name: {query: scored(*docs) for query in judged} for name, docs in (("x", "d"), ("y", "ud"), ("z", "uvd"))}
    expected = [
        ("RR", "x", 1.0),
        ("RR", "y", 1 / 2),
        ("RR", "z", 1 / 3),
        ("P@2", "x", 1 / 2),
        ("P@2", "y", 1 / 2),
        ("P@2", "z", 0.0),
    ]
    for report in (
        ir.report(ir.compare(judged, runs, ["RR", "P@2"], draws=100)),
        ir.report(ir.evaluate(judged, runs, ["RR", "P@2"])),
    ):
        assert [(row["measure"], row["system"], round(row["mean"], 12)) for row in report.means] == [
            (measure, system, round(mean, 12)) for measure, system, mean in expected
        ]


def test_what_tables_were_read_as_is_what_the_command_prints(tmp_path: Path) -> None:
    """Columns of a CSV, the kind of TREC text and the order of the results stand in the ledger that evaluate prints."""
    (tmp_path / "j.csv").write_text("topic,sku,rating\nq,a,1\n")
    (tmp_path / "r.csv").write_text("topic,sku,position\nq,a,1\n")
    (tmp_path / "run").write_text("q Q0 a 1 1.0 tag\n")
    scores = ir.evaluate(tmp_path / "j.csv", {"one": tmp_path / "r.csv", "two": tmp_path / "run"}, ["RR"])
    said = {Path(entry["name"]).name: entry["read_as"] for entry in ir.report(scores).inputs}
    printed = tsv("evaluate", "j.csv", "r.csv", "run", "-m", "RR", "-v", cwd=tmp_path).err
    assert said == {
        "j.csv": "query=topic doc=sku grade=rating, every grade 1",
        "r.csv": "query=topic doc=sku rank=position, ordered by rank",
        "run": "TREC run, ordered by score",
    }
    assert " ".join(f"{name}: {words}" for name, words in said.items()) in " ".join(printed.split())
