"""Means of many systems fit a terminal: one row per system where their columns do not fit."""

import os
from pathlib import Path

import pytest

from tests.cli.terminal import on_terminal, plain, run, tsv

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")


@pytest.mark.parametrize("systems", [2, 10, 20])
def test_means_are_one_table(systems: int, tmp_path: Path) -> None:
    """System i ranks the one relevant document at i + 1: RR is 1 / (i + 1), one row or one column per system."""
    (tmp_path / "j.csv").write_text("query,doc,grade\nq,d,1\n")
    names = [f"system{i:02}" for i in range(systems)]
    for i, name in enumerate(names):
        docs = [*(f"x{n}" for n in range(i)), "d"]
        rows = "".join(f"q,{doc},{rank}\n" for rank, doc in enumerate(docs, 1))
        (tmp_path / f"{name}.csv").write_text(f"query,doc,rank\n{rows}")
    asked = ("evaluate", "j.csv", *(f"{name}.csv" for name in names), "-m", "RR", "-m", "P@1", "-q")
    text = plain(on_terminal(*asked, cwd=tmp_path).out)
    rows = [line.split() for line in text.splitlines() if "─" not in line]
    assert max(map(len, text.splitlines())) <= 80
    if systems == 2:
        assert rows[0] == ["measure", *names]
        return
    values = [[name, f"{1 / (i + 1):.4f}", f"{not i:.4f}"] for i, name in enumerate(names)]
    assert rows == [["system", "RR", "P@1"], *values]
    assert tsv(*asked, cwd=tmp_path).lines[0].split("\t") == ["measure", *names]


def test_three_long_names_are_short_beside_each_other(tmp_path: Path) -> None:
    """Each line about two of three systems has both names cut; the advice has the whole name."""
    names = [f"a_long_name_of_an_experiment_{i}_with_reranking" for i in range(3)]
    judged = "query,doc,grade\n" + "".join(f"q{q},a,1\n" for q in range(9))
    (tmp_path / "j.csv").write_text(judged)
    for i, name in enumerate(names):
        rows = "".join(f"q{q},{'a' if (q + i) % 3 else 'b'},1\n" for q in range(9))
        (tmp_path / f"{name}.csv").write_text("query,doc,rank\n" + rows)
    text = run("compare", "j.csv", *(f"{name}.csv" for name in names), "-m", "RR", cwd=tmp_path).out
    labels = [line for line in text.splitlines() if " vs " in line]
    assert labels
    assert not [line for line in labels if names[0] in line.partition(":")[0]]
    assert len({line.partition(":")[0] for line in labels if ":" in line and "…" in line}) == 3
