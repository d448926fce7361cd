"""Defaults of a project, from the table [tool.idealrank] of its pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir

TABLE = """
[tool.idealrank]
convention = "trec_eval-10.0, ties=average"
measures = ["nDCG@10", "RR"]
columns = {query = "QUERY_KEY", grade = "SCORE"}
"""


def write(folder: Path, text: str) -> Path:
    """Write a pyproject.toml and return its path."""
    file = folder / "pyproject.toml"
    file.write_text(text, "utf-8")
    return file


def test_defaults_of_a_project(tmp_path: Path) -> None:
    """Convention, measures and columns are read, and told in one line with the file."""
    file = write(tmp_path, TABLE)
    found = ir.project_defaults(tmp_path)
    assert found.convention == "trec_eval-10.0, ties=average"
    assert found.measures == ("nDCG@10", "RR")
    assert found.columns == (("query", "QUERY_KEY"), ("grade", "SCORE"))
    assert found.line == (
        f"{file} [tool.idealrank]: convention=trec_eval-10.0, ties=average measures=nDCG@10,RR "
        "columns.query=QUERY_KEY columns.grade=SCORE"
    )


def test_the_nearest_file_with_the_table(tmp_path: Path) -> None:
    """A folder below belongs to the project; a pyproject.toml without the table does not hide the one above."""
    write(tmp_path, TABLE)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert ir.project_defaults(below).measures == ("nDCG@10", "RR")
    write(below, "[tool.other]\n")
    assert ir.project_defaults(below).measures == ("nDCG@10", "RR")
    write(below, '[tool.idealrank]\nmeasures = ["AP"]\n')
    assert ir.project_defaults(below).measures == ("AP",)
    assert ir.project_defaults(below).convention is None


def test_no_table_is_no_defaults(tmp_path: Path) -> None:
    """Without the table there is nothing, and nothing is told."""
    write(tmp_path, "[project]\nname = 'x'\n")
    assert ir.project_defaults(tmp_path).line == ""


def test_the_library_does_not_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a script is run changes no number: only the command line takes the defaults by itself."""
    write(tmp_path, TABLE)
    monkeypatch.chdir(tmp_path)
    assert ir.evaluate({"q": {"d": 1.0}}, {"q": {"d": 1.0}}).decisions.startswith("idealrank-1: ")
    assert len(ir.evaluate({"q": {"d": 1.0}}, {"q": {"d": 1.0}}).measures) == 5


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("mesures = ['RR']", "unknown key 'mesures'. Did you mean measures"),
        ("measures = 'RR'", "measures = 'RR' is not a list of names"),
        ("convention = 3", "convention = 3 is not text"),
        ("columns = {qery = 'a'}", "no column role 'qery'. Did you mean query"),
        ("columns = 'a'", "columns = 'a' is not a table of names"),
        ("measures = [", "invalid TOML"),
    ],
)
def test_mistakes_name_the_file(table: str, message: str, tmp_path: Path) -> None:
    """A mistake in the table is told with the file and what is allowed."""
    file = write(tmp_path, f"[tool.idealrank]\n{table}\n")
    with pytest.raises(ir.UsageError, match=message) as caught:
        ir.project_defaults(tmp_path)
    assert str(caught.value).startswith(str(file))
