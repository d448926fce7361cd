"""Runs whose lines carry tags of several kinds, against pytrec_eval, which reads no tag."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import pytrec_eval

import idealrank as ir
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import values


@pytest.mark.parametrize("seed", range(tried(5)))
def test_tags_within_a_query(seed: int, tmp_path: Path, compare: Compare) -> None:
    """Tied scores under different tags stand in the order of one run."""
    rng = random.Random(seed)
    lines = [
        f"q{q} Q0 d{d} {rank} {rng.choice((1.0, 2.0, 3.0))} {rng.choice('AB')}"
        for q in range(6)
        for rank, d in enumerate(rng.sample(range(20), 12), 1)
    ]
    judgments = {f"q{q}": {f"d{d}": rng.choice((0, 1, 2)) for d in range(0, 20, 2)} for q in range(6)}
    (tmp_path / "r.run").write_text("\n".join(lines) + "\n")
    told = pytrec_eval.RelevanceEvaluator(judgments, {"map"}).evaluate(pytrec_eval.parse_run(lines))
    for convention in ("trec_eval-9.0.8", "trec_eval-10.0", "pytrec_eval"):
        scores = ir.evaluate(judgments, str(tmp_path / "r.run"), ["AP"], convention=convention)
        oracle = {query: found["map"] for query, found in told.items()}
        compare("pytrec-eval-terrier", values(scores), oracle, f"AP, {convention}")
