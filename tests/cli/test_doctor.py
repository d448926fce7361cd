"""idealrank doctor: what it prints, its exit codes, and mended copies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.terminal import on_terminal, run
from tests.doctor.worlds import QRELS, RUN

UPPER = RUN.replace(" a ", " A ")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with judgments and runs: clean, with one id in upper case, with every line twice."""
    texts = {"qrels.txt": QRELS, "run.txt": RUN, "upper.txt": UPPER, "twice.txt": RUN + RUN}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_files_that_evaluate_refuses(files: Path) -> None:
    """Why there is no mean comes first, with flags; the exit code is 1, and the copies are evaluated."""
    found = run("doctor", "qrels.txt", "twice.txt", "-m", "RR", "--fix", "mended", cwd=files)
    assert found.code == 1
    assert found.out.startswith("refused    twice.txt line 10: document 'c' is returned a second time for query 'q1'")
    assert "--duplicates first" in found.out
    assert found.err == "wrote mended/twice.txt\nwrote mended/changes.txt\n"
    assert (files / "mended" / "twice.txt").read_text("utf-8") == RUN
    assert run("doctor", "qrels.txt", "mended/twice.txt", cwd=files).code == 0


def test_what_is_refused_twice_is_found_whole(files: Path) -> None:
    """Judgments given twice and ids that never match are both refused, each alone enough: both are findings."""
    (files / "both.txt").write_text(QRELS + QRELS, "utf-8")
    (files / "far.txt").write_text("".join(f"x{line}" for line in RUN.splitlines(keepends=True)), "utf-8")
    (files / "zeros.txt").write_text(RUN.replace("q", "q0"), "utf-8")
    for name in ("far.txt", "zeros.txt"):
        found = run("doctor", "both.txt", name, "-m", "RR", cwd=files)
        assert found.code == 1, found.err
        assert found.out.startswith("refused    both.txt line ")
        assert "\nduplicates\n" in found.out
    assert "\nids spelled differently\n" in found.out


def test_json_and_csv(files: Path) -> None:
    """JSON has everything in full precision, CSV a line per finding."""
    whole = json.loads(run("doctor", "qrels.txt", "upper.txt", "-m", "P@3", "--json", cwd=files).out)
    (found,) = whole["findings"]
    assert (whole["moves"], whole["refused"], found["count"]) == (True, None, 1)
    assert found["shifts"] == [{"measure": "P@3", "system": "upper", "before": 1 / 3, "after": pytest.approx(4 / 9)}]
    assert run("doctor", "qrels.txt", "upper.txt", "-m", "P@3", "--csv", cwd=files).lines == [
        "finding,count,measure,shift,remedy",
        "ids spelled differently,1,P@3,0.3333 → 0.4444,'--fix DIR",
    ]


def test_excluded(files: Path) -> None:
    """--exclude takes a table of queries and documents, or TREC judgments; others stay."""
    (files / "pairs.csv").write_text("query_id,doc_id\nq1,x\nq2,x\n", "utf-8")
    (files / "pairs.txt").write_text("q1 0 x 1\nq2 0 x 1\n", "utf-8")
    for name in ("pairs.csv", "pairs.txt"):
        run("doctor", "qrels.txt", "run.txt", "--exclude", name, "--fix", "mended", cwd=files)
        assert (files / "mended" / "run.txt").read_text("utf-8") == RUN.replace("q1 Q0 x 2 2 s\n", "")


def test_on_a_terminal(files: Path) -> None:
    """A terminal shows the same, folded at its width."""
    shown = on_terminal("doctor", "qrels.txt", "upper.txt", "-m", "P@3", cwd=files, columns=60)
    assert "shift      P@3 0.3333 → 0.4444" in shown.out
    assert max(map(len, shown.lines)) <= 60
