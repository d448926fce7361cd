"""A table given to --queries is the queries table; a file of ids chooses queries, as ever."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

from idealrank.cli import COMMANDS
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


@pytest.mark.parametrize(
    "text",
    [
        "# made by hand\nquery_id,segment\nq1,head\nq2,tail\n",
        '\ufeff"Query ID";"Segment"\r\n"q1";"head"\r\n"q2";"tail"\r\n',
        "\nid\tsegment\nq1\thead\nq2\ttail\n",
        "segment|query\nhead|q1\ntail|q2\n",
    ],
    ids=["comment", "quoted", "blank line", "text"],
)
def test_a_header(text: str, folder: Path) -> None:
    """What is a header is told as everywhere: after comments and blank lines, quoted, in any case of letters."""
    (folder / "table").write_text(text, "utf-8")
    found = evaluated(folder, "--queries", "table", "--by", "segment")
    assert [line.split("\t")[0] for line in found.lines[1:3]] == ["head", "tail"]


def test_a_column_that_is_named(folder: Path) -> None:
    """A query column of a name of its own makes a table of the file, once it is named."""
    (folder / "table").write_text("nr,segment\nq1,head\nq2,tail\n")
    named = evaluated(folder, "--queries", "table", "--query-col", "queries:nr", "--by", "segment")
    assert [line.split("\t")[0] for line in named.lines[1:3]] == ["head", "tail"]
    assert "No judged query matches 'nr,segment'" in evaluated(folder, "--queries", "table").err


@pytest.mark.parametrize(
    "text",
    ["q1\nq2\n", "q1\tred shoes\nq2\tblue shoes\n", "query_id\nq1\nq2\n", "q1\tsegment\nq2\tquery\n", "# q\nq1\nq2\n"],
    ids=["ids", "ids and texts", "one column", "no header", "comment"],
)
def test_a_file_of_ids(text: str, folder: Path) -> None:
    """A file of ids stays one: what has no header, or no column beside the ids, says which queries count."""
    (folder / "ids").write_text(text)
    found = evaluated(folder, "--queries", "ids", "-v")
    assert found.lines[1] == "RR\t0.75"
    assert "left out on request" in found.err


def test_both(folder: Path) -> None:
    """A file of ids goes with a table; the same table twice is one; two tables are refused."""
    name = written(folder, "csv")
    (folder / "ids").write_text("q2\n")
    both = evaluated(folder, "--queries", "ids", "--queries-table", name, "--by", "segment")
    counted = [line.split("\t")[:4] for line in both.lines[1:] if "\t0\t" not in line]
    assert counted == [["tail", "RR", "1", "0.5"]]
    once = evaluated(folder, "--queries-table", name, "--by", "segment")
    assert evaluated(folder, "--queries", f"./{name}", "--queries-table", name, "--by", "segment").out == once.out
    refused = evaluated(folder, "--queries", name, "--queries-table", "queries.csv")
    assert refused.code == 2
    assert refused.err == (
        "idealrank: --queries table.csv: a table about queries, and --queries-table queries.csv is another. Give one "
        "of them; to choose queries, give a range, ids, or a file of ids.\n"
    )


def test_a_table_that_is_broken(folder: Path) -> None:
    """What is wrong within a table is said of the table: no line of it becomes an id."""
    (folder / "table").write_text("query_id,segment\nq1,head\nq2,tail,more\n")
    ragged = evaluated(folder, "--queries", "table")
    assert (ragged.code, ragged.err.startswith("idealrank: table line 3: 3 fields, but the header has 2.")) == (3, True)
    (folder / "table").write_text('{"query_id": "q1", "segment": \n')
    assert evaluated(folder, "--queries", "table").code == 3


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


def test_the_table_beside_is_named(tmp_path: Path) -> None:
    """A text that no table has is told with the table of queries beside the judgments, and that call then works."""
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "j.csv").write_text("query,doc,grade\nq1,d,1\n", "utf-8")
    (tmp_path / "d" / "r.csv").write_text("query,doc,rank\nq1,d,1\n", "utf-8")
    call = ("explain", "d/j.csv", "d/r.csv", "-m", "RR", "--query", "red shoes")
    assert "give one with --queries-table FILE." in run(*call, cwd=tmp_path).err
    (tmp_path / "d" / "queries.csv").write_text("query_id,query\nq1,red shoes\n", "utf-8")
    assert "give one with --queries-table d/queries.csv." in run(*call, cwd=tmp_path).err
    assert run(*call, "--queries-table", "d/queries.csv", cwd=tmp_path).code == 0


def test_examples_say_queries_table() -> None:
    """Examples in the help, as the folder view, give a queries table to --queries-table, which is called so."""
    commands = (import_module(f"idealrank.cli.commands.{name.replace('-', '_')}") for name in COMMANDS)
    examples = [line for command in commands for line in getattr(command, "_EXAMPLES", ())]
    assert [line for line in examples if "--queries-table queries.csv" in line]
    assert not [line for line in examples if "--queries queries" in line]
