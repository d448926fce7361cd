"""The page on the notebooks lists each behaviour with a test that exists."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import TypeGuard

import pytest

from tests.docs.blocks import ROOT

ROWS = [line.split("\t") for line in (ROOT / "docs" / "behaviours.tsv").read_text("utf-8").splitlines()[1:]]
LATER = {
    "later": {"B019", "B029", "B030", "B042", "B140", "B151"},
    "later: Every measure, every convention": {"B043", "B084", "B125", "B145"},
    "later: Compare": {"B114", "B123", "B124"},
}


def test_every_behaviour_is_listed_once() -> None:
    """There are 154, in order."""
    assert [identity for identity, _, _ in ROWS] == [f"B{number:03}" for number in range(1, 155)]


def test_what_is_left_for_later() -> None:
    """Thirteen behaviours are for later versions, and said to be."""
    found: dict[str, set[str]] = {}
    for identity, _, tests in ROWS:
        if "::" not in tests:
            found.setdefault(tests, set()).add(identity)
    assert found == LATER


def test_each_is_in_words_and_its_tests_exist() -> None:
    """Every behaviour is put in words, and the tests that show it are functions of their files."""
    named = {test.partition("[")[0] for _, _, tests in ROWS if "::" in tests for test in tests.split()}
    files = {test.partition("::")[0] for test in named}
    trees = {file: ast.parse((ROOT / file).read_text("utf-8")) for file in files}
    known = {f"{file}::{node.name}" for file, tree in trees.items() for node in tree.body if is_function(node)}
    assert named <= known
    assert all(said.strip() for _, said, _ in ROWS)


def is_function(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Whether a statement defines a function."""
    return isinstance(node, ast.FunctionDef)


@pytest.mark.heavy
def test_their_cases_exist() -> None:
    """So do the cases of these tests, as pytest collects them."""
    named = {test for _, _, tests in ROWS if "::" in tests for test in tests.split()}
    options = ["--collect-only", "--quiet", "--ring=all", "--override-ini=addopts=--import-mode=importlib"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *sorted({test.partition("::")[0] for test in named})],
        capture_output=True, encoding="utf-8", cwd=ROOT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    whole = {line for line in done.stdout.splitlines() if "::" in line}
    assert named <= whole | {line.partition("[")[0] for line in whole}
