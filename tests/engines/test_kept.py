"""What is kept beside results: documents of every replay into a folder, who may read, times, and lists cut short."""

from __future__ import annotations

import csv
import os
import stat
from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import run, tsv


def rows(path: Path) -> dict[str, dict[str, str]]:
    """Return the documents of a file by id."""
    with path.open(newline="") as file:
        return {row["doc_id"]: row for row in csv.DictReader(file)}


DOCS = "id,title,brand\nd1,red shoes,a\nd2,blue hat,b\nd3,red hat,c\nd4,green coat,d\n"


def test_documents_of_every_replay(tmp_path: Path) -> None:
    """A second replay into a folder adds its documents and its fields to those of the first, by id."""
    (tmp_path / "docs.csv").write_text(DOCS)
    for query, name, fields in (("shoes", "a", ["title"]), ("coat hat", "b", ["title", "brand"])):
        ir.replay([query], f"{name}=sqlite:{tmp_path}/docs.csv", fields=fields, output=tmp_path / "out")
    found = rows(tmp_path / "out" / "replay" / "documents.csv")
    assert {key: row["title"] for key, row in found.items()} == {
        "d1": "red shoes", "d2": "blue hat", "d3": "red hat", "d4": "green coat",
    }  # fmt: skip
    assert (found["d1"]["brand"], found["d4"]["brand"]) == ("", "d")
    ir.replay(["coat"], f"c=sqlite:{tmp_path}/docs.csv", fields=["title"], output=tmp_path / "out", anew=True)
    assert set(rows(tmp_path / "out" / "replay" / "documents.csv")) == {"d4"}


def test_somebody_elses_documents(tmp_path: Path) -> None:
    """A file of documents that no replay wrote is refused before anything is asked."""
    (tmp_path / "docs.csv").write_text(DOCS)
    (tmp_path / "out" / "replay").mkdir(parents=True)
    (tmp_path / "out" / "replay" / "documents.csv").write_text("sku;name\n")
    with pytest.raises(ir.UsageError, match=r"documents\.csv: not the documents of a replay"):
        ir.replay(["hat"], f"sqlite:{tmp_path}/docs.csv", fields=["title"], output=tmp_path / "out")


def test_titles_of_judged_documents(tmp_path: Path) -> None:
    """Judged documents that no query returned are fetched by their ids; how many, and which are not there, is said."""
    (tmp_path / "docs.csv").write_text(DOCS)
    (tmp_path / "q.csv").write_text("query_id,query\nq1,shoes\n")
    (tmp_path / "j.csv").write_text("query_id,doc_id,grade\nq1,d1,1\nq1,d4,2\nq1,gone,1\nother,d2,1\n")
    said = run("replay", "q.csv", "sqlite:docs.csv", "--fields", "title", "-j", "j.csv", "-o", "out", cwd=tmp_path)
    assert said.code == 0
    words = " ".join(said.out.split())
    assert "2 judged documents came back for no query: 1 fetched by id, 1 not (not there): 'gone'." in words
    assert {key: row["title"] for key, row in rows(tmp_path / "out" / "replay" / "documents.csv").items()} == {
        "d1": "red shoes", "d4": "green coat",
    }  # fmt: skip
    plain = ir.replay(
        {"q1": "x"}, lambda text: [{"id": "d1", "title": "t"}], fields=["title"], judgments={"q1": {"d9": 1}}
    )
    assert plain.notes == (
        "1 judged document came back for no query: 0 fetched by id, 1 not (no engine here returns them by id): 'd9'.",
    )


def test_who_may_read_stays(tmp_path: Path) -> None:
    """Files that only their owner may read are still that after another replay; a link is refused, its target kept."""
    ir.replay({"a": "x"}, lambda text: ["d1"], name="s", output=tmp_path / "out")
    files = [tmp_path / "out" / "s.csv", tmp_path / "out" / "replay" / "s.json"]
    for file in files:
        file.chmod(0o600)
    ir.replay({"a": "x"}, lambda text: ["d3"], name="s", output=tmp_path / "out")
    assert [stat.S_IMODE(os.stat(file).st_mode) for file in files] == [0o600, 0o600]
    assert "d3" in files[0].read_text()
    there = tmp_path / "elsewhere.csv"
    files[0].rename(there)
    files[0].symlink_to(there)
    with pytest.raises(ir.UsageError, match=r"s\.csv: cannot be written: it is a symbolic link to .*elsewhere\.csv"):
        ir.replay({"a": "x"}, lambda text: ["d2"], name="s", output=tmp_path / "out")
    assert "d2" not in there.read_text()


def test_times_of_systems_asked_one_after_the_other(tmp_path: Path) -> None:
    """The verdict on systems of two replays says that their times are not comparable, instead of a gain of latency."""
    queries = {f"q{i:02}": f"text {i}" for i in range(45)}
    judged = {key: {"d1": 1.0} for key in queries}

    def old(text: str) -> list[str]:
        return ["d2", "d1"]

    def new(text: str) -> list[str]:
        return ["d1", "d2"]

    for search in (old, new):
        ir.replay(queries, search, output=tmp_path / "apart")
    ir.replay(queries, [old, new], output=tmp_path / "together")
    said = {}
    for folder in ("apart", "together"):
        files = [str(tmp_path / folder / f"{name}.csv") for name in ("old", "new")]
        said[folder] = ir.compare(judged, files, ["RR"], baseline="old")
    apart, together = said["apart"].verdict, said["together"].verdict
    assert apart.latency.startswith("asked at different times (old 20")
    assert apart.latency.endswith("their times are not comparable")
    assert "p95 latency" not in f"{apart.sentence} {' '.join(apart.summary)}"
    assert "p95 latency" in together.latency
    assert "different times" not in str(together)
    facts = [fact.text for fact in said["apart"].scores.ledger.facts if fact.warns]
    assert any(text.startswith("the systems were asked at different times") for text in facts)


def test_lists_that_all_end_at_one_length(tmp_path: Path) -> None:
    """Most lists with 10 results where 50 were asked for: replay asks who says so, and evaluate repeats it."""
    docs = [f"d{i}" for i in range(10)]
    found = ir.replay([f"q{i}" for i in range(6)], lambda text: docs, output=tmp_path, name="s")
    (note,) = found.notes
    assert note.startswith("s: no list is longer than 10, and 6 of 6 are just as long, though 50 were asked for")
    scores = ir.evaluate({"q1": {"d1": 1}}, str(tmp_path / "s.csv"), ["RR"])
    assert any("no list is longer than 10" in fact.text and fact.warns for fact in scores.ledger.facts)
    plain = ir.replay([f"q{i}" for i in range(6)], lambda text: docs[: int(text[1:])])
    assert plain.notes == ()


def test_times_in_a_pipe(tmp_path: Path) -> None:
    """Piped times have three decimals, not those of a clock that no search has."""
    (tmp_path / "d.csv").write_text("id,title\nd1,red\n")
    (tmp_path / "q.txt").write_text("red\n")
    header, row = tsv("replay", "q.txt", "sqlite:d.csv", cwd=tmp_path).lines
    times = dict(zip(header.split("\t"), row.split("\t"), strict=True))
    assert all(len(times[f"{name} ms"].partition(".")[2]) <= 3 for name in ("p50", "p95", "p99"))
