"""`idealrank gate`: exit codes, tables, files."""

from __future__ import annotations

import csv
import io
import json
import os
import textwrap
from pathlib import Path
from xml.etree import ElementTree

import pytest

import idealrank as ir
from idealrank.display.text import WIDE
from tests.cli.terminal import on_terminal, plain, run
from tests.regression.worlds import Lists, judged, known, ranked


def written(lists: Lists) -> str:
    """Return results as a TREC run."""
    rows = [(query, doc, score) for query, docs in lists.items() for doc, score in docs.items()]
    return "".join(f"{query} Q0 {doc} 0 {score} x\n" for query, doc, score in rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with judgments of 20 queries, and results: a baseline, one worse, one unsure.

    In `qrels.txt` only the relevant documents are judged, in `known.txt` all that are returned.
    """
    for name, grades in (("qrels.txt", judged(20)), ("known.txt", known(20))):
        rows = [f"{query} 0 {doc} {grade}\n" for query, docs in grades.items() for doc, grade in docs.items()]
        (tmp_path / name).write_text("".join(rows))
    lists = {"main": [1] * 20, "same": [1] * 20, "worse": [2] * 15 + [1] * 5, "unsure": [2] + [1] * 19}
    for name, ranks in lists.items():
        (tmp_path / f"{name}.run").write_text(written(ranked(ranks)))
    return tmp_path


DROP = ("--fail-if", "RR drops 0.02")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("main.run", "same.run", *DROP), 0),
        (("main.run", "./main.run", *DROP), 3),
        (("main.run", "worse.run", *DROP), 1),
        (("main.run", "unsure.run", *DROP, "--alpha", "0.05", "--strict"), 4),
        (("worse.run", "--min", "RR>=0.5", "--max-unjudged", "0.7"), 0),
        (("worse.run", "--max-unjudged", "0.5"), 1),
        (("main.run", "worse.run"), 2),
        (("worse.run", *DROP), 2),
        (("main.run", "worse.run", "unsure.run", *DROP), 2),
        (("main.run", "worse.run", *DROP, "--system", "x"), 2),
        (("main.run", "worse.run", "--fail-if", "RR drop 0.02"), 2),
        (("main.run", "worse.run", *DROP, "--alpha", "5"), 2),
        (("main.run", "nowhere.run", *DROP), 3),
    ],
)
def test_exit_codes(folder: Path, words: tuple[str, ...], code: int) -> None:
    """0 passed, 1 failed, 2 usage, 3 bad data, 4 can't tell with --strict; never a traceback."""
    found = run("gate", "qrels.txt", *words, cwd=folder)
    assert found.code == code, found.err
    assert "Traceback" not in found.err
    assert (found.out == "") == (code in (2, 3))


def test_piped(folder: Path) -> None:
    """Piped, the gate prints what a terminal of its width shows; -o has the conditions in full precision."""
    words = ("gate", "known.txt", "main.run", "worse.run", *DROP, "--min", "RR>=0.1")
    found = run(*words, cwd=folder)
    shown = plain(on_terminal(*words, cwd=folder, columns=WIDE).out).replace("\r", "")
    assert (found.out.splitlines(), found.err) == (shown.splitlines(), "")
    assert found.out.startswith(
        "gate failed (1 passed, 1 failed)\nfailed      RR drops by 0.3750, from 1.0000 to 0.6250; the limit is 0.02\n"
    )
    quiet = run(*words, "-q", cwd=folder)
    assert quiet.out == found.out.partition("\n\nConvention")[0] + "\n"
    assert run(*words, "-o", "gate.tsv", cwd=folder).out == ""
    rows = list(csv.DictReader(io.StringIO((folder / "gate.tsv").read_text()), delimiter="\t"))
    assert [(row["condition"], row["outcome"]) for row in rows] == [("RR drops 0.02", "failed"), ("RR>=0.1", "passed")]
    assert float(rows[0]["value"]) == pytest.approx(-0.375)


def test_json_is_the_values(folder: Path) -> None:
    """--json prints what `Gate.to_json` returns."""
    files = [str(folder / name) for name in ("qrels.txt", "main.run", "worse.run")]
    found = run("gate", *files, *DROP, "--json")
    whole, expected = json.loads(found.out), json.loads(ir.gate(*files, fail_if=DROP[1]).to_json())
    assert whole["conditions"] == expected["conditions"]
    assert whole["comparison"]["differences"] == expected["comparison"]["differences"]
    assert (whole["outcome"], found.code) == ("failed", 1)


def test_what_nobody_judged(folder: Path) -> None:
    """In brief, above the conditions: which queries nobody judged, and above the outcome that most was not judged."""
    rows = (folder / "qrels.txt").read_text().splitlines(keepends=True)
    (folder / "fewer.txt").write_text("".join(rows[4:]))
    doubt = "Most of what these systems returned was never judged (67%), so these numbers may be far off."
    left_out = "No judgments: q000, q001, q002 and 1 more, left out."
    words = ("gate", "fewer.txt", "main.run", "worse.run", "--min", "RR>=0.5")
    found = run(*words, "--markdown", "gate.md", cwd=folder)
    assert found.lines[:6] == [
        *textwrap.wrap(f"warning     {doubt}", 100, subsequent_indent=" " * 12),
        "",
        "gate passed (1 passed)",
        f"note        {left_out}",
        "passed      RR is 0.6562 over 16 queries, >= 0.5",
    ]
    assert (folder / "gate.md").read_text("utf-8").split("\n\n")[1:3] == [f"> **Warning:** {doubt}", f"> {left_out}"]
    assert run("gate", "fewer.txt", "worse.run", "--baseline", "b.json", "-m", "RR", "--bless", cwd=folder).code == 0
    kept = run("gate", "fewer.txt", "worse.run", "--baseline", "b.json", "--markdown", "kept.md", cwd=folder)
    assert " ".join(kept.out.split()).startswith(f"warning {doubt}")
    assert kept.lines[4] == f"note        {left_out}"
    assert f"> {left_out}" in (folder / "kept.md").read_text("utf-8")
    judged = run("gate", "known.txt", "main.run", "worse.run", "--min", "RR>=0.5", cwd=folder)
    assert judged.lines[0] == "gate passed (1 passed)"
    asked = run(*words, "--max-unjudged", "0.7", cwd=folder)
    assert asked.lines[0] == "gate passed (2 passed)"


def test_a_refused_gate_leaves_no_report_of_an_earlier_one(folder: Path) -> None:
    """Where data cannot be used, the reports say so: a passed one that stayed would be published for this build."""
    words = ("--junit", "gate.xml", "--markdown", "gate.md", "-q")
    assert run("gate", "qrels.txt", "main.run", "worse.run", *DROP, *words, cwd=folder).code == 1
    files = [str(folder / name) for name in ("qrels.txt", "main.run", "worse.run")]
    assert (folder / "gate.xml").read_text("utf-8") == ir.gate(*files, fail_if=DROP[1]).to_junit()
    assert (folder / "gate.md").read_text("utf-8").splitlines()[1] == "## Gate failed (1 failed)"
    (folder / "same.run").write_text("q1 Q0 d1 one 3.0 x\n")
    found = run("gate", "qrels.txt", "main.run", "same.run", *DROP, *words, cwd=folder)
    assert found.code == 3
    root = ElementTree.parse(folder / "gate.xml").getroot()
    (error,) = root.iter("error")
    assert "same.run" in str(error.get("message"))
    text = (folder / "gate.md").read_text("utf-8")
    assert text.startswith("<!-- idealrank gate -->\n## Gate could not compare\n")
    assert "same.run" in text


def test_reports_are_written_whole_or_not_at_all(folder: Path) -> None:
    """A report that cannot be written is refused by its flag, and nothing is lost."""
    asked = ("gate", "qrels.txt", "main.run", "worse.run", *DROP)
    before = {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))}
    found = run(*asked, "--junit", "nowhere/gate.xml", cwd=folder)
    assert (found.code, found.out) == (2, "")
    assert "nowhere/gate.xml: cannot be written: No such file or directory. Give another --junit FILE." in found.err
    assert {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))} == before


def test_the_summary_of_a_github_job(folder: Path) -> None:
    """--github-summary appends to the file that GITHUB_STEP_SUMMARY names, and is refused where there is none."""
    summary, words = folder / "summary.md", ("gate", "qrels.txt", "main.run", "worse.run", *DROP, "-q")
    summary.write_text("before\n")
    env = {"GITHUB_STEP_SUMMARY": str(summary)}
    assert run(*words, "--github-summary", cwd=folder, env=env).code == 1
    assert summary.read_text("utf-8").startswith("before\n<!-- idealrank gate -->\n## Gate failed (1 failed)\n")
    for env, said in (
        ({"GITHUB_STEP_SUMMARY": ""}, "GITHUB_STEP_SUMMARY is not set: this is no job of GitHub Actions"),
        ({"GITHUB_STEP_SUMMARY": str(folder / "no" / "file")}, "(GITHUB_STEP_SUMMARY): cannot be written"),
    ):
        found = run(*words, "--github-summary", cwd=folder, env=env)
        assert found.code == 2
        assert said in found.err


def test_messages_are_typed(folder: Path) -> None:
    """What is wrong with a call is said with flags, in one line, with the nearest spelling of a measure."""
    found = run("gate", "qrels.txt", "main.run", "--fail-if", "RR>=0.4", cwd=folder)
    assert found.err == (
        "idealrank: --fail-if 'RR>=0.4': not a condition. Write MEASURE drops X, or X% of the baseline's mean, as "
        "'nDCG@10 drops 0.01'. That is a limit: --min 'RR>=0.4'.\n"
    )
    found = run("gate", "qrels.txt", "main.run", "worse.run", "--fail-if", "NDGC@10 drops 1%", cwd=folder)
    assert found.err == "idealrank: No measure called 'NDGC'. Did you mean nDCG@10?\n"


def test_long_questions_are_shortened(folder: Path) -> None:
    """Queries that lose most take one line each on 80 columns: the id, and as much of the question as has room."""
    question = "which of the many articles in our help centre explains how a worn pair of shoes is sent back"
    (folder / "queries.csv").write_text("id,query\n" + "".join(f"q{i:03},{question}\n" for i in range(20)))
    words = ("gate", "qrels.txt", "main.run", "worse.run", *DROP, "--queries-table", "queries.csv")
    lines = plain(on_terminal(*words, cwd=folder, columns=80).out).replace("\r", "").splitlines()
    table = lines[lines.index("queries that lose most under RR") + 3 :][:5]
    assert all(line[:3] == "q00" and line[7:].startswith("which of the many articles in our…") for line in table)
    assert "worn" not in "".join(lines)


@pytest.mark.parametrize("results", ["runs", "runs/*.run"])
@pytest.mark.parametrize("how", [("--min", "RR>=0.9"), ("--baseline", "base.json")])
def test_several_files_in_one_argument_are_refused(results: str, how: tuple[str, ...], folder: Path) -> None:
    """The order of their names would say which is checked, and the other could drop unseen; one in a folder may be."""
    (folder / "runs").mkdir()
    for name in ("a", "b"):
        (folder / "runs" / f"{name}.run").write_bytes((folder / "main.run").read_bytes())
    assert run("gate", "qrels.txt", "main.run", "--baseline", "base.json", "-m", "RR", "--bless", cwd=folder).code == 0
    found = run("gate", "qrels.txt", results, *how, cwd=folder)
    assert (found.code, f"{results} is 2 files: runs/a.run, runs/b.run" in " ".join(found.err.split())) == (2, True)
    (folder / "runs" / "b.run").unlink()
    assert run("gate", "qrels.txt", results, *how, cwd=folder).code == 0
