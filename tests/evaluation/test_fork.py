"""A process that was forked from one that had evaluated evaluates too, which is how multiprocessing starts on Linux."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

SHOP = Path(__file__).parents[2] / "examples" / "shop"

PROGRAM = """
import multiprocessing, sys
import idealrank as ir
from idealrank._core import threads

def found(place):
    table = ir.compare(sys.argv[1], sys.argv[2:4], ["nDCG@10"], draws=100)
    return table.scores["nDCG@10"], ir.evaluate(sys.argv[1], sys.argv[2], ["AP"])["AP"], threads()

if __name__ == "__main__":
    before = found(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map_async(found, range(4)).get(240) == [before] * 4)
"""


@pytest.mark.heavy
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
def test_a_child_works_and_finds_the_same() -> None:
    """The threads of the parent are not in the child, which has as many of its own; it does not wait for the others."""
    words = [sys.executable, "-c", PROGRAM, *(str(SHOP / f"{name}.csv") for name in ("judgments", "bm25", "hybrid"))]
    found = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert found.stdout == "True\n", found.stderr
