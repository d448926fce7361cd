"""The defaults of a project, and what a shell completes."""

from __future__ import annotations

from pathlib import Path

import pytest

from idealrank.cli import COMMANDS
from tests.cli.terminal import run, tsv


def completed(words: str) -> list[str]:
    """Return what the shell is offered after these words; the last one is incomplete."""
    asked = {"_IDEALRANK_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    return [line.partition(",")[2] for line in run(env=asked).lines]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_of_the_shells(shell: str) -> None:
    """The scripts for zsh and fish are printed; that for bash is where bash is new enough."""
    assert "_IDEALRANK_COMPLETE" in run(env={"_IDEALRANK_COMPLETE": f"{shell}_source"}).out


def test_completion(folder: Path) -> None:
    """Commands, options, answers, measures, conventions and plots are completed; files are left to the shell."""
    assert completed("idealrank ev") == ["evaluate"]
    assert completed("idealrank ") == list(COMMANDS)
    assert "--no-results" in completed("idealrank evaluate --no-r")
    assert completed("idealrank evaluate --ties docid") == ["docid_desc", "docid_asc"]
    assert completed("idealrank evaluate --as trec_") == ["trec_eval-9.0.8", "trec_eval-10.0"]
    assert completed("idealrank evaluate -m nd") == ["nDCG", "nDCGRel"]
    assert completed("idealrank conventions sk") == ["sklearn"]
    assert completed("idealrank measures Bp") == ["Bpref", "BPM"]
    assert completed("idealrank plot d") == ["distribution", "differences"]
    asked = {"_IDEALRANK_COMPLETE": "bash_complete", "COMP_WORDS": "idealrank evaluate qr", "COMP_CWORD": "2"}
    assert run(env=asked, cwd=folder).out.strip().split(",")[0] == "file"


TABLE = """
[tool.idealrank]
convention = "trec_eval-10.0"
measures = ["RR"]
columns = {query = "KEY"}
"""


def test_defaults_of_a_project_are_told(folder: Path) -> None:
    """Convention, measures and columns come from pyproject.toml and are told as such; flags win (B041)."""
    (folder / "pyproject.toml").write_text(TABLE)
    (folder / "j.csv").write_text("KEY,doc,grade\nq1,d1,1\nq2,d1,1\n")
    (folder / "r.csv").write_text("KEY,doc,score\nq1,d1,1\n")
    found = tsv("evaluate", "j.csv", "r.csv", cwd=folder)
    assert found.out == "measure\tmean\nRR\t1.0\n"
    defaults = "pyproject.toml [tool.idealrank]: convention=trec_eval-10.0 measures=RR columns.query=KEY"
    assert f"Convention trec_eval-10.0. Defaults: {defaults}." in found.err
    whole = tsv("evaluate", "j.csv", "r.csv", "-v", cwd=folder)
    assert f"defaults {defaults} decisions trec_eval-10.0" in " ".join(whole.err.split())
    found = tsv("evaluate", "j.csv", "r.csv", "--as", "idealrank-1", "-m", "Success@1", cwd=folder)
    assert found.out == "measure\tmean\nSuccess@1\t0.5\n"


def test_defaults_from_a_folder_above(folder: Path) -> None:
    """The project is found from a folder below it, and its file named."""
    (folder / "pyproject.toml").write_text('[tool.idealrank]\nmeasures = ["AP"]\n')
    below = folder / "runs"
    below.mkdir()
    found = tsv("evaluate", "../qrels.txt", "../up.run", cwd=below)
    assert found.lines[1].startswith("AP\t")
    assert f"Defaults: {folder.resolve() / 'pyproject.toml'} [tool.idealrank]: measures=AP." in found.err


def test_a_mistake_in_the_project_is_told(folder: Path) -> None:
    """A mistake in pyproject.toml ends with 2 and names the file."""
    (folder / "pyproject.toml").write_text("[tool.idealrank]\nmesures = []\n")
    found = run("evaluate", "qrels.txt", "up.run", cwd=folder)
    assert found.code == 2
    assert "pyproject.toml [tool.idealrank]: unknown key 'mesures'. Did you mean measures?" in found.err
