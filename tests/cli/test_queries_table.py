"""A table given to --queries is the queries table; a file of ids chooses queries, as ever."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pandas as pd
import pytest

from tests.cli.terminal import Said, run, tsv

ROWS = [{"query_id": "q1", "segment": "head"}, {"query_id": "q2", "segment": "tail"}]


def evaluated(folder: Path, *words: str) -> Said:
    """Evaluate RR: 1 for q1, 1/2 for q2, 0 for q3, which has no results."""
    return tsv("evaluate", "qrels.txt", "up.run", "-m", "RR", *words, cwd=folder)


def written(folder: Path, form: str) -> str:
    """Write the rows as a file of a form, and return its name."""
    file, frame = folder / f"table.{form}", pd.DataFrame(ROWS)
    if form == "jsonl":
        file.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    else:
        frame.to_csv(file, index=False)
    return file.name


@pytest.mark.parametrize("form", ["csv.gz", "jsonl"])
def test_a_table(form: str, folder: Path) -> None:
    """A table of any form tells of queries, and all of them count: the very output of --queries-table."""
    name = written(folder, form)
    plain = evaluated(folder, "--queries-table", name, "--by", "segment")
    assert evaluated(folder, "--queries", name, "--by", "segment") == plain
    assert [line.split("\t")[:4] for line in plain.lines[1:3]] == [
        ["head", "RR", "1", "1.0"],
        ["tail", "RR", "1", "0.5"],
    ]
    assert "on request" not in plain.err


@pytest.mark.parametrize("command", ["evaluate", "compare", "gate", "explain", "flavors"])
def test_every_command(command: str, folder: Path) -> None:
    """Every command that chooses queries takes the table: its segments, its frequencies, its texts."""
    words = {
        "evaluate": ("up.run", "-m", "RR", "--by", "segment"),
        "compare": ("other.run", "up.run", "-m", "RR", "--by-segment", "--segments", "segment"),
        "explain": ("up.run", "-m", "RR", "--query", "blue shoes"),
        "flavors": ("up.run",),
        "gate": ("other.run", "up.run", "--fail-if", "RR drops 0.5", "--weights", "frequency"),
    }[command]
    found = run(command, "qrels.txt", *words, "--queries", "queries.csv", cwd=folder)
    assert found == run(command, "qrels.txt", *words, "--queries-table", "queries.csv", cwd=folder)
    assert (found.code, bool(found.out)) == (0, True)


def test_a_table_that_was_not_joined_is_named_with_options_that_work(tmp_path: Path) -> None:
    """Judgments by text, answers called as their files, and a table with both: what is advised joins them."""
    (tmp_path / "j.csv").write_text("Suchbegriff,doc,grade\nred shoe,a,1\nblue shoe,b,1\n")
    (tmp_path / "queries.csv").write_text("Nr,Suchbegriff\n001,red shoe\n002,blue shoe\n")
    for system, docs in (("old", "ab"), ("new", "ba")):
        (tmp_path / system).mkdir()
        hits = [{"_id": doc, "_score": -rank} for rank, doc in enumerate(docs)]
        for name in ("001", "002"):
            (tmp_path / system / f"{name}.json").write_text(json.dumps({"took": 1, "hits": {"hits": hits}}))
    call = ["compare", "j.csv", "old", "new", "-m", "RR", "--query-col", "judgments:Suchbegriff"]
    call += ["--queries-table", "queries.csv"]
    refused = run(*call, cwd=tmp_path)
    assert refused.code == 3
    assert "'001' is the name of a file in old" in refused.err
    assert "queries.csv has both, in Nr and Suchbegriff" in refused.err
    advised = shlex.split(refused.err[refused.err.index("--query-col queries:") :].rstrip(".\n"))
    said = run(*call, *advised, "--json", cwd=tmp_path)
    assert said.code == 0, said.err
    assert json.loads(said.out)["means"][0]["queries"] == 2
