"""The command overlap: its table, what is said beside it, and its flags."""

from __future__ import annotations

import json
from pathlib import Path

import idealrank as ir
from tests.cli.terminal import run, tsv


def test_overlap_by_rank(folder: Path) -> None:
    """-p and --rbo-ties reach rank-biased overlap, and are said; what is not allowed is refused as it was typed."""
    found = run("overlap", "up.run", "other.run", "-p", 0.5, "--rbo-ties", "w", "--json", cwd=folder)
    expected = ir.overlap(folder / "up.run", folder / "other.run", p=0.5, rbo_ties="w")
    assert [row["rbo"] for row in json.loads(found.out)] == expected["rbo"]
    assert "p=0.5 rbo_ties=w" in found.err
    refused = tsv("overlap", "up.run", "other.run", "-p", 1, cwd=folder)
    assert (refused.code, "-p 1.0: the persistence" in refused.err) == (2, True)
