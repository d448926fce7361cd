"""The page on the notebooks lists each behaviour with a test that exists."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.docs.blocks import ROOT

ROWS = [line.split("\t") for line in (ROOT / "docs" / "behaviours.tsv").read_text("utf-8").splitlines()[1:]]
LATER = {
    "later": {"B019", "B029", "B030", "B042", "B140", "B151"},
    "later: Every measure, every convention": {"B043", "B084", "B125", "B145"},
    "later: Compare": {"B114", "B123", "B124"},
}


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Names of all tests of the files the page refers to, with and without their case."""
    files = sorted({test.partition("::")[0] for _, _, tests in ROWS if "::" in tests for test in tests.split()})
    options = ["--collect-only", "--quiet", "--override-ini=addopts=--import-mode=importlib"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *files], capture_output=True, encoding="utf-8", cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    whole = {line for line in done.stdout.splitlines() if "::" in line}
    return whole | {line.partition("[")[0] for line in whole}


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


@pytest.mark.parametrize(("identity", "said", "tests"), ROWS, ids=[row[0] for row in ROWS])
def test_its_tests_exist(identity: str, said: str, tests: str, known: set[str]) -> None:
    """Every behaviour is put in words, and the tests that show it exist."""
    assert said.strip(), identity
    assert "::" not in tests or set(tests.split()) <= known
