"""The workflows of the example: they parse, may do little, and their commands run."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.terminal import COMMAND, SHOP, run
from tests.examples.running import FOLDER

WORKFLOWS = FOLDER / "github-actions"
GATE, COMMENT = "relevance.yml", "relevance-comment.yml"

FAKE_GH = """#!{python}
import json, os, pathlib, shutil, subprocess, sys
def asked(answer, otherwise):
    if not shutil.which("jq"):
        return otherwise
    words = ["jq", "-r", sys.argv[sys.argv.index("--jq") + 1]]
    return subprocess.run(words, input=json.dumps(answer), capture_output=True, text=True, check=True).stdout.strip()
words, world = sys.argv[1:], pathlib.Path(os.environ["WORLD"])
with open(world / "calls.jsonl", "a") as log:
    print(json.dumps(words), file=log)
if words[:2] == ["run", "download"]:
    if not (world / "artifact").is_dir():
        sys.exit(1)
    shutil.copytree(world / "artifact", words[words.index("--dir") + 1])
elif words[1:3] == ["--method", "GET"]:
    number = os.environ["NUMBER"]
    here = [{{"head": {{"sha": os.environ["SHA"]}}, "number": int(number)}}] if number else []
    print(asked([{{"head": {{"sha": "older"}}, "number": 3}}, *here], number))
elif "--paginate" in words:
    mark, mine = "<!-- idealrank gate -->", os.environ["MINE"]
    own = [{{"id": int(mine), "user": {{"login": "github-actions[bot]"}}, "body": mark}}] if mine else []
    other = {{"id": 1, "user": {{"login": "somebody"}}, "body": mark}}
    another = {{"id": 2, "user": {{"login": "github-actions[bot]"}}, "body": "another job's"}}
    print(asked([other, another, *own], mine))
"""
"""Says what GitHub's command line would, and writes down how it was called."""


def workflow(name: str) -> dict[Any, Any]:
    """Return a workflow as YAML has it; `on` is read as True."""
    whole: dict[Any, Any] = yaml.safe_load((WORKFLOWS / name).read_text("utf-8"))
    return whole


def step(name: str, title: str) -> dict[str, Any]:
    """Return a step by its name."""
    (job,) = workflow(name)["jobs"].values()
    return next(each for each in job["steps"] if each.get("name") == title)


def ran(text: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a step as GitHub does, with bash -e."""
    path = os.pathsep.join([str(folder / "bin"), str(Path(COMMAND).parent), os.environ["PATH"]])
    whole = {**os.environ, "PATH": path, **env}
    words = ["bash", "-e", "-o", "pipefail", "-c", text]
    return subprocess.run(words, cwd=folder, env=whole, capture_output=True, text=True, check=False)


def test_they_may_do_little() -> None:
    """What runs code of a pull request may only read; what may write runs none, and takes no value into its script."""
    gate, comment = workflow(GATE), workflow(COMMENT)
    assert gate[True] == "pull_request"
    assert gate["permissions"] == {"contents": "read"}
    assert comment[True] == {"workflow_run": {"workflows": [gate["name"]], "types": ["completed"]}}
    assert comment["permissions"] == {"actions": "read", "pull-requests": "write"}
    (job,) = comment["jobs"].values()
    assert not any("uses" in each for each in job["steps"])
    for whole in (gate, comment):
        for each in next(iter(whole["jobs"].values()))["steps"]:
            assert "${{" not in each.get("run", "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a repository with judgments and a baseline, and results of a branch that are worse."""
    (tmp_path / "eval").mkdir()
    shutil.copy(SHOP / "judgments.csv", tmp_path / "eval")
    blessed = ("--baseline", "eval/base.json", "-m", "nDCG@10", "--bless")
    assert run("gate", "eval/judgments.csv", SHOP / "hybrid.csv", *blessed, cwd=tmp_path).code == 0
    shutil.copy(SHOP / "bm25.csv", tmp_path / "results.csv")
    return tmp_path


@pytest.mark.parametrize(
    ("results", "judgments", "code", "said"),
    [
        ("bm25", "", 1, "## Gate failed (1 failed)"),
        ("hybrid", "", 0, "## Gate passed (1 passed)"),
        ("bm25", "q04", 3, "## Gate could not compare"),
    ],
)
def test_the_gate(folder: Path, results: str, judgments: str, code: int, said: str) -> None:
    """The step ends as the gate does, and always leaves a text to comment with, by which the comment is found again."""
    shutil.copy(SHOP / f"{results}.csv", folder / "results.csv")
    kept = [
        line
        for line in (folder / "eval/judgments.csv").read_text("utf-8").splitlines()
        if not judgments or judgments not in line
    ]
    (folder / "eval/judgments.csv").write_text("\n".join(kept) + "\n", "utf-8")
    done = ran(step(GATE, "Gate")["run"], folder, GITHUB_STEP_SUMMARY=str(folder / "summary.md"))
    assert done.returncode == code, done.stderr
    text = (folder / "gate" / "gate.md").read_text("utf-8")
    assert text.startswith("<!-- idealrank gate -->\n")
    assert said in text
    assert (folder / "gate" / "gate.xml").exists()


def commented(folder: Path, **env: str) -> list[list[str]]:
    """Run the comment's step with a stand-in for GitHub's command line, and return how that was called."""
    (folder / "bin").mkdir()
    (folder / "bin" / "gh").write_text(FAKE_GH.format(python=sys.executable))
    (folder / "bin" / "gh").chmod(stat.S_IRWXU)
    names = dict.fromkeys(("GH_TOKEN", "REPO", "RUN", "SHA", "BRANCH"), "x") | {"REPO": "shop/search"}
    assert set(step(COMMENT, "Comment")["env"]) == set(names)
    done = ran(step(COMMENT, "Comment")["run"], folder, **names, WORLD=str(folder), **env)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in (folder / "calls.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("number", "mine", "last"),
    [
        ("7", "", ["api", "--method", "POST", "repos/shop/search/issues/7/comments", "-F", "body=@comment.md"]),
        ("7", "99", ["api", "--method", "PATCH", "repos/shop/search/issues/comments/99", "-F", "body=@comment.md"]),
    ],
)
def test_the_comment(tmp_path: Path, number: str, mine: str, last: list[str]) -> None:
    """The first time it writes a comment, then it rewrites its own; never more text than GitHub takes."""
    (tmp_path / "artifact").mkdir()
    (tmp_path / "artifact" / "gate.md").write_text("<!-- idealrank gate -->\n" + "x" * 100_000)
    calls = commented(tmp_path, NUMBER=number, MINE=mine)
    assert calls[-1] == last
    assert len(calls) == 4
    assert len((tmp_path / "comment.md").read_bytes()) == 65_000


@pytest.mark.parametrize(("artifact", "number"), [(False, "7"), (True, "")])
def test_nothing_to_comment(tmp_path: Path, artifact: bool, number: str) -> None:
    """Without a text, or without an open pull request of this very commit, nothing is written."""
    if artifact:
        (tmp_path / "artifact").mkdir()
        (tmp_path / "artifact" / "gate.md").write_text("x")
    calls = commented(tmp_path, NUMBER=number, MINE="")
    assert not any("POST" in call or "PATCH" in call for call in calls)
