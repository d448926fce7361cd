"""MS MARCO's script, as ir_measures holds it (values by query, the rest as published), against msmarco."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from ir_measures.bin import msmarco_eval

import idealrank as ir
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import values

Rows = list[tuple[int, int, int]]
"""Query, passage, and its grade or its rank."""


def made(seed: int) -> tuple[Rows, Rows]:
    """Reference and candidates: ranks with gaps, grades of any sign, queries missing on either side."""
    rng = random.Random(seed)
    reference, candidates = [], []
    for query in range(1, 31):
        if rng.random() < 0.9:
            passages = rng.sample(range(1, 60), rng.choice([1, 2, 10]))
            reference += [(query, passage, rng.choice([-1, 0, 1, 3])) for passage in passages]
        if rng.random() < 0.9:
            ranks = sorted(rng.sample(range(1, 41), rng.choice([1, 5, 30])))
            candidates += [(query, p, r) for p, r in zip(rng.sample(range(1, 60), len(ranks)), ranks, strict=True)]
    rng.shuffle(candidates)
    return reference, candidates


def lines(rows: Rows, *, grades: bool = False) -> Iterator[str]:
    """The rows as the script reads them."""
    return ("\t".join(map(str, (q, 0, p, x) if grades else (q, p, x))) for q, p, x in rows)


@pytest.mark.parametrize("seed", range(1800, 1800 + tried(5)))
@pytest.mark.parametrize("k", [1, 10, 100])
def test_reciprocal_rank(seed: int, k: int, compare: Compare) -> None:
    """The rank is the place in the list, gaps stay, grades are not read, every judged query counts."""
    reference, candidates = made(seed)
    judged = msmarco_eval.load_reference_from_stream(lines(reference, grades=True))
    found = msmarco_eval.compute_metrics(judged, msmarco_eval.load_candidate_from_stream(lines(candidates)), k)
    oracle = {str(query): 0.0 for query in judged} | {str(q): v for q, v in found[f"MRR @{k} by query"].items()}
    names = ("query", "doc", "grade"), ("query", "doc", "rank")
    judgments, results = (
        dict(zip(name, map(list, zip(*rows, strict=True)), strict=True))
        for name, rows in zip(names, (reference, candidates), strict=True)
    )
    scores = ir.evaluate(judgments, results, [f"MRR@{k}"], convention="msmarco")
    compare("ir-measures", values(scores), oracle, f"MRR@{k} of MS MARCO's script")
    compare("ir-measures", {"": scores[f"MRR@{k}"]}, {"": sum(oracle.values()) / len(judged)}, f"mean MRR@{k}")
