"""compare on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import SHOP, on_terminal, plain, run, tsv

FILES = ("judgments.csv", "bm25.csv", "hybrid.csv")


def test_table_and_verdict() -> None:
    """As data, the differences are on standard output, and the verdict is said beside them; with -v all of it."""
    found = tsv("compare", *FILES, "-m", "nDCG@10", "-m", "RR", cwd=SHOP)
    rows = [line.split("\t") for line in found.lines]
    assert found.code == 0
    assert rows[0][:3] == ["system", "baseline", "measure"]
    assert [row[:3] for row in rows[1:]] == [["hybrid", "bm25", "nDCG@10"], ["hybrid", "bm25", "RR"]]
    assert found.err.startswith("Not enough evidence to ship hybrid\nhybrid scores 0.041 higher than bm25 on nDCG@10 ")
    assert found.err.endswith("\nConvention idealrank-1. All choices and the full ledger: --verbose\n")
    whole = tsv("compare", *FILES, "-m", "nDCG@10", "-m", "RR", "-v", cwd=SHOP)
    assert whole.out == found.out
    for label in ("verdict    hybrid instead of bm25: CAN'T TELL", "rule", "methods", "pairing", "decisions", "ledger"):
        assert f"\n{label}" in whole.err


def test_piped_is_for_people_first() -> None:
    """A pipe gets what a wide terminal shows: the verdict, then the table whole, then the settings in a line."""
    found = run("compare", *FILES, cwd=SHOP)
    assert found.out == plain(on_terminal("compare", *FILES, columns=100, cwd=SHOP).out)
    assert found.lines[0] == "Not enough evidence to ship hybrid"
    assert "nDCG@10  0.7300  0.7712  ▲ +0.0411  −0.0351 to +0.1173         23/17  decides" in found.lines
    assert found.lines[-1].startswith("Convention idealrank-1; 41 of 41 queries paired.")
    assert max(map(len, found.lines)) <= 100
    assert found.err == ""
    assert run("compare", *FILES, "--format", "table", cwd=SHOP) == found
    assert run("compare", *FILES, "-o", "-", cwd=SHOP).lines[0].startswith("system\tbaseline\t")


def test_same_as_the_library() -> None:
    """The JSON of the command is that of the library under the same options."""
    words = ("--margin", 0.02, "--tolerance", "RR=0.1", "--test", "randomisation", "--seed", 5, "--correction", "holm")
    found = run("compare", *FILES, "-m", "nDCG@10", "-m", "RR", *words, "--json", cwd=SHOP)
    judgments, *results = (SHOP / name for name in FILES)
    options = {"margin": 0.02, "tolerance": {"RR": 0.1}, "test": "randomisation", "seed": 5, "correction": "holm"}
    theirs = json.loads(ir.compare(judgments, results, ["nDCG@10", "RR"], **options).to_json())
    ours = json.loads(found.out)
    for part in ("differences", "means", "verdicts", "rule", "methods", "one_sided"):
        assert ours[part] == theirs[part]


@pytest.mark.parametrize("view", [("--per-query",), ("--wins", "3"), ("--losses", "3")])
def test_views(view: tuple[str, ...]) -> None:
    """Each view is one table of queries."""
    found = run("compare", *FILES, "-m", "nDCG@10", *view, "--csv", cwd=SHOP)
    assert found.lines[0].startswith("query,")
    assert len(found.lines) == (42 if view == ("--per-query",) else 4)
    assert run("compare", *FILES, "--per-query", "--wins", "3", cwd=SHOP).code == 2


def test_a_folder_says_its_baseline(tmp_path: Path) -> None:
    """Of two files in a folder the first by name is the baseline, which is said; of two that are typed, nothing is."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "j.csv").write_text("query,doc,grade\n" + "".join(f"q{i},d,1\n" for i in range(6)), "utf-8")
    for name, first in (("old", "x,d"), ("new", "d,x")):
        rows = "".join(f"q{i},{doc},{r}\n" for i in range(6) for r, doc in enumerate(first.split(","), 1))
        (tmp_path / "runs" / f"{name}.csv").write_text("query,doc,rank\n" + rows, "utf-8")
    said = "new (first by name); --baseline NAME changes it"
    for extra in ((), ("-v",)):
        assert said in tsv("compare", "j.csv", "runs", "-m", "RR", *extra, cwd=tmp_path).err
        assert said not in tsv("compare", "j.csv", "runs/old.csv", "runs/new.csv", "-m", "RR", *extra, cwd=tmp_path).err
        assert said not in tsv("compare", "j.csv", "runs", "-m", "RR", "--baseline", "old", *extra, cwd=tmp_path).err
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / "runs" / f"{name}.csv").rename(tmp_path / name / "part.csv")
    assert "first by name" not in tsv("compare", "j.csv", "old", "new", "-m", "RR", cwd=tmp_path).err  # as typed
    for name in ("old", "new"):
        (tmp_path / name / "part.csv").rename(tmp_path / "runs" / f"{name}.csv")
    assert f"Baseline: {said}" in on_terminal("compare", "j.csv", "runs", "-m", "RR", cwd=tmp_path).out


def test_no_option_of_a_comparison_is_swallowed() -> None:
    """What the help offers beside the rule and the methods of a comparison is handed on to it."""
    from idealrank.cli.comparison_options import comparison_options
    from idealrank.cli.inputs import OWN

    def command() -> None: ...

    offered = [(each.name, each.topic) for each in comparison_options(command).__click_params__]
    topics = {topic for name, topic in offered if name in OWN}
    assert {name for name, topic in offered if topic in topics} == {*OWN}


def test_a_table_for_a_paper(tmp_path: Path) -> None:
    """--latex, and a file that ends in .tex, are what Python's to_latex writes; views have no such table."""
    files = [f"examples/shop/{name}.csv" for name in ("judgments", "bm25", "hybrid")]
    wanted = ir.compare(files[0], files[1:], ["RR"]).to_latex()
    assert run("compare", *files, "-m", "RR", "--latex").out == wanted
    assert run("compare", *files, "-m", "RR", "-o", str(tmp_path / "table.tex")).code == 0
    assert (tmp_path / "table.tex").read_text() == wanted
    assert "Leave out --wins" in run("compare", *files, "--latex", "--wins", "3").err
