"""idealrank doctor: what it prints, its exit codes, and mended copies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.terminal import on_terminal, run, tsv
from tests.doctor.worlds import QRELS, RUN

UPPER = RUN.replace(" a ", " A ")
ZERO = QRELS.replace("q3 0 f 3", "q3 0 f 0")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with judgments and runs: clean, with one id in upper case, with every line twice."""
    texts = {"qrels.txt": QRELS, "run.txt": RUN, "upper.txt": UPPER, "twice.txt": RUN + RUN, "zero.txt": ZERO}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_nothing_is_found(files: Path) -> None:
    """Clean files make one line and exit code 0; none with -q."""
    found = run("doctor", "qrels.txt", "run.txt", cwd=files)
    line = "doctor     Nothing found: ids, grades, ranks and scores are as they should be.\n"
    assert (found.code, found.out, found.err) == (0, line, "")
    assert run("doctor", "qrels.txt", "run.txt", "-q", cwd=files) == (0, "", "")


@pytest.mark.parametrize(("by", "code"), [("0.11", 1), ("0.12", 0)])
def test_a_mean_moves(files: Path, by: str, code: int) -> None:
    """P@3 goes from 3/9 to 4/9, which is more than 0.11 and less than 0.12; -q keeps what moves a mean."""
    found = run("doctor", "qrels.txt", "upper.txt", "-m", "P@3", "--by", by, cwd=files)
    assert (found.code, found.lines) == (
        code,
        [
            "ids spelled differently",
            "found      1 result of upper.txt would be judged if ids did not differ by letter case",
            "for example upper.txt line 3: doc 'A' → 'a'",
            "shift      P@3 0.3333 → 0.4444",
            "remedy     --fix DIR",
        ],
    )
    quiet = run("doctor", "qrels.txt", "upper.txt", "-m", "P@3", "--by", by, "-q", cwd=files)
    assert quiet.lines == (found.lines if code else [])


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


def test_a_flag_mends(files: Path) -> None:
    """A finding that an answer mends names the flag, and the mean under it is the one that evaluate prints."""
    found = run("doctor", "zero.txt", "run.txt", "-m", "AP", cwd=files)
    assert found.lines[-2:] == ["shift      AP 0.4444 → 0.6667", "remedy     --no-relevant skip"]
    again = tsv("evaluate", "zero.txt", "run.txt", "-m", "AP", "--no-relevant", "skip", cwd=files)
    assert float(again.lines[1].split("\t")[1]) == pytest.approx(((1 + 2 / 3) / 2 + 1 / 2) / 2)


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


def test_other_commands_leave_out_the_same(files: Path) -> None:
    """Evaluate and compare take --exclude: without e, the first result of q2 is d, which is relevant."""
    (files / "pairs.txt").write_text("q2 0 e 1\nq3 0 z 1\n", "utf-8")
    found = tsv("evaluate", "qrels.txt", "run.txt", "-m", "RR", "--exclude", "pairs.txt", "-v", cwd=files)
    assert found.lines == ["measure\tmean", "RR\t1.0"]
    assert "2 results of run.txt left out: on the list to exclude" in found.err
    compared = run(
        "compare", "qrels.txt", "run.txt", "zero.run", "-m", "RR", "--exclude", "pairs.txt", "--csv", cwd=_second(files)
    )
    assert compared.code == 0, compared.err
    assert ",1.0," in compared.out


def _second(folder: Path) -> Path:
    (folder / "zero.run").write_text(RUN.replace(" c ", " k "), "utf-8")
    return folder
