"""What is said beside the numbers: where defaults came from, the ledger's talk, an interruption."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import on_terminal, run, tsv

PROJECT = """[tool.idealrank]
convention = "sklearn"
measures = ["RR"]
columns = {doc = "nr"}
"""


@pytest.fixture
def project(folder: Path) -> Path:
    """Return a folder whose project fixes a convention, a measure and a column."""
    (folder / "pyproject.toml").write_text(PROJECT.replace("sklearn", "trec_eval-10.0"))
    return folder


def test_explain_says_where_defaults_came_from(project: Path) -> None:
    """`explain` names the defaults it took as the other commands do: not the measures, which it has from -m."""
    found = run("explain", "qrels.txt", "up.run", "--query", "q1", cwd=project)
    assert "defaults   pyproject.toml [tool.idealrank]: convention=trec_eval-10.0 columns.doc=nr" in found.lines
    assert "defaults" not in run("explain", "qrels.txt", "up.run", "--query", "q1", "-q", cwd=project).out


def test_defaults_hang_on_what_they_have_to_do_with(project: Path) -> None:
    """An error names the defaults it speaks of; one about a query, or a measure that was typed, names none."""
    assert "Defaults" not in run("explain", "qrels.txt", "up.run", "--query", "q11", cwd=project).err
    assert "Defaults" not in run("evaluate", "qrels.txt", "up.run", "--ties", "averag", cwd=project).err
    (project / "pyproject.toml").write_text(PROJECT.replace("RR", "RRR@5").replace("sklearn", "trec_eval-10.0"))
    said = run("evaluate", "qrels.txt", "up.run", cwd=project).err
    assert said.endswith("Defaults were taken from pyproject.toml [tool.idealrank]: measures=RRR@5.\n")
    typed = run("evaluate", "qrels.txt", "up.run", "-m", "RRR@5", cwd=project).err
    assert "No measure called 'RRR'" in typed
    assert "Defaults" not in typed
    assert "measures=" not in run("evaluate", "qrels.txt", "up.run", "-m", "RR", cwd=project).err
    assert "convention=" not in run("evaluate", "qrels.txt", "up.run", "-m", "RR", "--as", "sklearn", cwd=project).err
    (project / "table.csv").write_text("query_id,doc_id,grade\nq1,d1,1\n")
    said = run("evaluate", "table.csv", "up.run", "-m", "RR", cwd=project).err
    assert said.endswith("Defaults were taken from pyproject.toml [tool.idealrank]: columns.doc=nr.\n")


def test_flavors_says_where_an_answer_came_from(folder: Path) -> None:
    """An answer that flavors refuses is not told as a flag where a project's convention holds it."""
    (folder / "pyproject.toml").write_text('[tool.idealrank]\nconvention = "idealrank-1, unjudged=filter"\n')
    said = run("flavors", "qrels.txt", "up.run", cwd=folder).err
    assert "Leave out unjudged=filter of the convention 'idealrank-1, unjudged=filter', or ask evaluate" in said
    assert "--unjudged" not in said


def test_the_ledger_is_talked_of_when_piped(folder: Path) -> None:
    """--ledger says on standard error what stands beside it on a terminal; -q leaves warnings alone."""
    found = tsv("evaluate", "qrels.txt", "up.run", "-m", "RR", "--ledger", "-v", cwd=folder)
    labels = [line.split()[0] for line in found.err.splitlines() if line and not line.startswith(" ")]
    assert [label for label in labels if label in ("decisions", "ledger", "RR")] == ["decisions", "ledger", "RR"]
    assert "\nRR         RR[" in found.err
    assert tsv("evaluate", "qrels.txt", "up.run", "-m", "RR", "--ledger", "-q", cwd=folder).err == ""
    assert run("evaluate", "qrels.txt", "up.run", "-m", "RR", "--ledger", "--json", cwd=folder).err == ""
    shown = on_terminal("evaluate", "qrels.txt", "up.run", "-m", "RR", "--ledger", cwd=folder)
    assert "fingerprints" in shown.out
    assert shown.err == ""
