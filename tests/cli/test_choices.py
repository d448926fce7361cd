"""What is chosen and named on the command line: systems, columns of one file, files to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import run, tsv


def test_a_file_of_ids_that_is_not_there(folder: Path) -> None:
    """The name of a file is told as such, with the nearest one; it is no id that nobody judged."""
    (folder / "ids.txt").write_text("q1\n", "utf-8")
    found = tsv("evaluate", "qrels.txt", "up.run", "--queries", "idss.txt", cwd=folder)
    assert found.code == 2
    assert found.err.startswith("idealrank: --queries idss.txt: no such file, and no judged query has this id.")
    assert "Did you mean ids.txt?" in found.err
    (folder / "odd.txt").write_text("a.txt 0 d1 1\n", "utf-8")
    (folder / "odd.run").write_text("a.txt Q0 d1 1 1 x\n", "utf-8")
    assert tsv("evaluate", "odd.txt", "odd.run", "--queries", "a.txt", "-m", "RR", cwd=folder).out.endswith("RR\t1.0\n")


@pytest.fixture
def columns(tmp_path: Path) -> Path:
    """Return a folder of judgments, and of results whose columns are called differently."""
    for name, text in {
        "j.csv": "query,doc,grade\nq1,a,1\nq2,a,1\n",
        "a.csv": "query,doc,s1\nq1,a,2\nq1,b,1\nq2,a,2\n",
        "b.csv": "query,doc,points\nq1,a,1\nq1,b,2\nq2,a,2\n",
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_columns_of_one_file(columns: Path) -> None:
    """A name that begins with a file of results is that file's alone; what is missing in one says how to name it."""
    words = ("--score-col", "a.csv:s1", "--score-col", "b.csv:points")
    found = tsv("evaluate", "j.csv", "a.csv", "b.csv", *words, "-m", "RR", cwd=columns)
    assert found.lines[1] == "RR\t1.0\t0.75"
    shared = tsv("overlap", "a.csv", "b.csv", *words, "-q", cwd=columns)
    assert (shared.code, shared.err) == (0, "")
    missing = tsv("compare", "j.csv", "a.csv", "b.csv", "--score-col", "s1", cwd=columns)
    assert "b.csv: no column called 's1' for the score. Found: query, doc, points." in missing.err
    assert missing.err.endswith("--score-col b.csv:NAME.\n")
    other = tsv("evaluate", "j.csv", "a.csv", "--grade-col", "a.csv:s1", cwd=columns)
    assert other.err == "idealrank: --grade-col a.csv:s1: results have no grade column. Leave out a.csv:.\n"


def test_some_systems_are_compared(folder: Path) -> None:
    """Of several systems those asked for are compared, in their order: the first is the baseline."""
    (folder / "third.run").write_text("q1 Q0 d1 1 9 third\nq2 Q0 d1 1 9 third\nq3 Q0 d1 1 9 third\n", "utf-8")
    files = ("qrels.txt", "up.run", "other.run", "third.run")
    found = tsv("compare", *files, "--system", "third", "--system", "up", "-m", "RR", "-q", cwd=folder)
    assert [line.split("\t")[:2] for line in found.lines[1:]] == [["up", "third"]]
    page = run("report", *files, "--system", "third", "--system", "up", "-m", "RR", "--json", cwd=folder)
    assert '"systems":["third","up"]' in page.out


def test_a_report_of_what_cannot_be_compared(folder: Path) -> None:
    """Systems under a measure that compare refuses are shown side by side, unless a rule is given."""
    words = ("report", "qrels.txt", "up.run", "other.run", "-m", "NumRel", "--json")
    found = run(*words, cwd=folder)
    assert found.code == 0
    assert '"compared":null' in found.out
    assert found.err.startswith("warning    the systems are shown, not compared. NumRel is a sum")
    assert run(*words, "--margin", "0.1", cwd=folder).code == 2


def test_the_first_title(folder: Path) -> None:
    """A document with two titles is refused with what to say, and has the first, or the last, where that is said."""
    (folder / "titles.csv").write_text("id,title\nd1,one\nd1,two\n", "utf-8")
    words = ("report", "qrels.txt", "up.run", "-m", "RR", "--documents", "titles.csv", "--json")
    assert "--duplicates first" in run(*words, cwd=folder).err
    for answer, title in (("first", "one"), ("last", "two")):
        assert f'"{title}"' in run(*words, "--duplicates", answer, cwd=folder).out


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "no", "no", "-o", "{}"),
        ("compare", "no", "no", "no", "-o", "{}"),
        ("report", "no", "no", "-o", "{}.html"),
        ("explain", "no", "no", "-o", "{}"),
        ("gate", "no", "no", "--junit", "{}", "--min", "RR>=0"),
        ("gate", "no", "no", "--markdown", "{}", "--min", "RR>=0"),
        ("plot", "means", "no", "no", "-o", "{}.svg"),
        ("overlap", "no", "no", "-o", "{}"),
        ("identify", "no", "no", "RR=1", "-o", "{}"),
        ("reconcile", "no", "no", "sklearn", "beir", "-m", "RR", "-o", "{}"),
        ("flavors", "no", "no", "-o", "{}"),
        ("conventions", "no", "no", "-m", "RR", "-o", "{}"),
    ],
    ids=lambda words: words[0],
)
def test_a_file_that_cannot_be_written(words: tuple[str, ...], tmp_path: Path) -> None:
    """What cannot be written is told before anything is read: the inputs here are not even there."""
    (tmp_path / "file").write_text("", "utf-8")
    for folder, why in (("nowhere", "No such file or directory"), ("file", "Not a directory")):
        found = run(*(word.format(tmp_path / folder / "x") for word in words), cwd=tmp_path)
        assert found.code == 2
        assert f"cannot be written: {why}. Give another " in found.err


def test_an_empty_name_is_no_choice(folder: Path) -> None:
    """--system with an empty name, as of a variable that is not set, is refused as any other name is."""
    found = run("evaluate", "qrels.txt", "up.run", "--system", "", "-m", "RR", cwd=folder)
    assert (found.code, found.out) == (2, "")
    assert "No system called ''." in found.err


@pytest.mark.parametrize("before", ["b.csv", "b"])
def test_a_file_by_its_name_or_its_system(before: str, columns: Path) -> None:
    """The column of one file is named behind the file's name, or behind what its system is called."""
    found = run(
        "evaluate", "j.csv", "a.csv", "b.csv", "--score-col", "a.csv:s1", "--score-col", f"{before}:points", "-m", "RR",
        cwd=columns,
    )  # fmt: skip
    assert found.code == 0, found.err
