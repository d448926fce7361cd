"""Files given in the wrong order or written over are noticed."""

from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import run, tsv

SHOP = Path(__file__).parents[2] / "examples" / "shop"


ORDERS = [
    (("bm25.csv", "hybrid.csv", "judgments.csv"), "Judgments come first, then results"),
    (("judgments.csv", "bm25.csv", "judgments.csv"), "judgments.csv: given as the judgments, and again as"),
    (("judgments.csv", "judgments.csv", "bm25.csv"), "judgments.csv: given as the judgments, and again as"),
    (("judgments.csv", "bm25.csv", "copy.csv"), "copy.csv: given as the results of a system, and has grades"),
    (("bm25.csv", "bm25.csv", "hybrid.csv"), "bm25.csv: given as the judgments, and again as the results"),
]
CALLS = [*(("compare", *each) for each in ORDERS)]
CALLS += [(command, *ORDERS[0]) for command in ("gate", "leaderboard", "evaluate", "report")]
CALLS += [
    ("evaluate", ("bm25.csv", "judgments.csv"), "idealrank evaluate JUDGMENTS RESULTS"),
    ("gate", ("judgments.csv", "judgments.csv", "--min", "nDCG@10>=0.1"), "looks like judgments"),
]


@pytest.mark.parametrize(("command", "files", "why"), CALLS)
def test_no_verdict_on_judgments(command: str, files: tuple[str, ...], why: str, tmp_path: Path) -> None:
    """Judgments as results, and results as judgments, are refused by whatever compares systems: they earn no SHIP."""
    for name in {"judgments.csv", "bm25.csv", "hybrid.csv"}:
        (tmp_path / name).write_bytes((SHOP / name).read_bytes())
    (tmp_path / "copy.csv").write_bytes((SHOP / "judgments.csv").read_bytes())
    more = {"gate": ("--fail-if", "nDCG@10 drops 0.01"), "report": ("-o", "r.html")}.get(command, ())
    found = run(command, *files, *(() if "--min" in files else more), cwd=tmp_path)
    assert (found.code, found.out, why in found.err) == (3, "", True)


@pytest.mark.parametrize("command", ["evaluate", "compare", "gate", "report", "leaderboard"])
def test_small_whole_scores_are_no_grades(command: str, tmp_path: Path) -> None:
    """Scores from 1 to 9 might be grades: beside results with grades and no order, it is asked which they are."""
    for name, scores in (("a.csv", (9, 5)), ("b.csv", (3, 8))):
        (tmp_path / name).write_text("query,doc,score\nq,x,{}\nq,y,{}\n".format(*scores))
    (tmp_path / "j.csv").write_text("query,doc,grade\nq,x,1\nq,y,0\n")
    files = ("a.csv", "j.csv") if command in ("evaluate", "gate") else ("a.csv", "b.csv", "j.csv")
    more = {"gate": ("--min", "RR>=0.1"), "report": ("-o", "r.html")}.get(command, ())
    found = run(command, *files, *more, cwd=tmp_path)
    assert (found.code, found.out) == (3, "")
    said = "a.csv: given as the judgments, and read with the column score as the grade, where j.csv has grades but"
    assert said in found.err
    assert "If these are the judgments, say so: --grade-col score." in found.err


def test_a_score_that_is_the_grade(tmp_path: Path) -> None:
    """Who names the column, or says that the rows of the results are in order, is believed; ranks leave no doubt."""
    (tmp_path / "j.csv").write_text("query,doc,score\nq,x,1\nq,y,0\n")
    (tmp_path / "r.csv").write_text("query,doc,grade\nq,y,0\nq,x,1\n")
    (tmp_path / "ranked.csv").write_text("query,doc,grade,rank\nq,y,0,1\nq,x,1,2\n")
    for files in (
        ("j.csv", "r.csv", "--grade-col", "score"),
        ("j.csv", "r.csv", "--order-by", "given"),
        ("j.csv", "ranked.csv"),
    ):
        found = tsv("evaluate", *files, "-m", "RR", cwd=tmp_path)
        assert (found.code, found.out.split()[-1]) == (0, "0.5")
    with pytest.raises(ir.DataError, match=r"say so: ir\.read_judgments\(table, grade='score'\)\.$"):
        ir.evaluate(tmp_path / "j.csv", tmp_path / "r.csv", ["RR"])


def test_rows_in_order_beside_ranks(tmp_path: Path) -> None:
    """Results with grades and no order are compared with others if somebody says that their rows are in order."""
    (tmp_path / "j.csv").write_text("query,doc,grade\nq,a,1\nq,b,0\np,a,1\n")
    (tmp_path / "graded.csv").write_text("query,doc,grade\nq,b,0\nq,a,1\np,a,1\n")
    (tmp_path / "ranked.csv").write_text("query,doc,rank\nq,a,1\np,a,1\n")
    files = ("j.csv", "ranked.csv", "graded.csv", "-m", "RR")
    assert tsv("evaluate", *files, cwd=tmp_path).code == 3
    found = tsv("evaluate", *files, "--order-by", "given", cwd=tmp_path)
    assert (found.code, found.out.split()[-2:]) == (0, ["1.0", "0.75"])
