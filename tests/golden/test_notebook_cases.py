"""The cases of the five source notebooks are whole, and each has a test."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from tests.golden.notebooks import CASES, KINDS

SOURCE = Path(__file__).parents[3] / "shared" / "golden" / "seeds" / "seed_cases.json"


def test_every_case_has_a_test() -> None:
    """All 117 cases are here once, each of a kind that a test runs."""
    for part in ("steps", "tables", "values"):
        importlib.import_module(f"tests.golden.test_notebook_{part}")
    identities = [case["id"] for case in CASES]
    assert len(identities) == len(set(identities)) == 117
    assert {case["kind"] for case in CASES} == KINDS


@pytest.mark.skipif(not SOURCE.is_file(), reason="the file the tables were made from is not beside the repository")
def test_tables_are_as_their_source() -> None:
    """The tables hold every case of the file they were made from, with its numbers and tolerance."""
    source = {case["id"]: case for case in json.loads(SOURCE.read_text(encoding="utf-8"))}
    assert set(source) == {case["id"] for case in CASES}
    for case in CASES:
        original = source[case["id"]]
        assert case["role"] == original["role"]
        assert case["tolerance"] == original["tolerance"]["abs"]
        if case["kind"] == "per_query":
            assert case["expected"] == original["expected"]["per_query"]
        if case["kind"] == "mean":
            assert case["expected"] == original["expected"]["aggregate"]
