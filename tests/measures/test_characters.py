"""Recall, precision and intersection over union of characters."""

from __future__ import annotations

import itertools
import random

import pytest

import idealrank as ir
from tests.amounts import tried
from tests.judged_lists.test_spans import Span, chunks, columns, drawn


def counted(judged: list[Span], found: list[Span]) -> dict[str, float]:
    """Compute the three over sets of characters; those of several chunks count in the divisors once for each."""
    relevant = {(span.doc, at) for span in judged for at in span.characters}
    covered = relevant & {(chunk.doc, at) for chunk in found for at in chunk.characters}
    returned = sum(len(chunk.characters) for chunk in found)
    return {
        "CharR": len(covered) / len(relevant) if relevant else 0.0,
        "CharP": len(covered) / returned if returned else 0.0,
        "CharIoU": len(covered) / (returned + len(relevant - covered)) if returned else 0.0,
    }


@pytest.mark.parametrize("k", [1, 3, None])
def test_against_sets_of_characters(k: int | None) -> None:
    """On random spans, which may overlap, and chunks, the values are those of sets of characters."""
    rng = random.Random(k)
    names = [name if k is None else f"{name}@{k}" for name in ("CharR", "CharP", "CharIoU")]
    for _ in range(tried(40)):
        judged, found = drawn(rng, 8), drawn(rng, 12)
        grades = [rng.choice([0, 1, 2]) for _ in judged]
        results = columns(found, rank=list(range(len(found))))
        scores = ir.evaluate(columns(judged, grade=grades), results, names, unit="spans", relevant_from=1)
        for place, query in enumerate(scores.queries):
            relevant = [span for span, grade in zip(judged, grades, strict=True) if span.query == query and grade]
            own = [chunk for chunk in found if chunk.query == query][:k]
            wanted = list(counted(relevant, own).values())
            assert scores.values[0, :, place].tolist() == pytest.approx(wanted, abs=1e-12)


def test_by_hand() -> None:
    """Chunks 0 to 20 and 10 to 30 cover 10 to 30 of a span from 10 to 40: 20 of 30, of 40 returned, of 40 + 10."""
    judged = {"query": ["q"], "doc": ["d"], "begin": [10], "end": [40], "grade": [1]}
    scores = ir.evaluate(judged, chunks((0, 20), (10, 30)), ["CharR", "CharP", "CharIoU"], unit="spans")
    assert [scores["CharR"], scores["CharP"], scores["CharIoU"]] == [20 / 30, 20 / 40, 20 / 50]


def test_relevant_spans_that_overlap() -> None:
    """One chunk over spans 0 to 20 and 10 to 30 finds all 30 characters: chunking_evaluation says 30 of 40."""
    judged = {"query": ["q"] * 2, "doc": ["d"] * 2, "begin": [0, 10], "end": [20, 30], "grade": [1, 1]}
    scores = ir.evaluate(judged, chunks((0, 30)), ["CharR", "CharP", "CharIoU"], unit="spans")
    assert [scores["CharR"], scores["CharP"], scores["CharIoU"]] == [1, 1, 1]


def test_hits_do_not_matter() -> None:
    """When a chunk hits, and where it then stands, changes no character: neither is in the fingerprint."""
    judged = {"query": ["q"] * 2, "doc": ["d"] * 2, "begin": [0, 40], "end": [20, 60], "grade": [1, 1]}
    found = chunks((70, 80), (15, 45), (0, 20), (0, 5))
    asked = itertools.product(("any", "span(0.9)", "iou(0.5)"), ("units", "returned"))
    values = {
        ir.evaluate(judged, found, ["CharP@3"], unit="spans", overlap=overlap, counts=counts)["CharP@3"]
        for overlap, counts in asked
    }
    assert values == {(10 + 15) / (10 + 30 + 20)}
    assert "overlap" not in ir.measure("CharP@3").fingerprint


def test_a_chunk_split_in_two() -> None:
    """All three stay as they are when a chunk is split into two neighbours and both are returned."""
    judged = {"query": ["q"], "doc": ["d"], "begin": [10], "end": [40], "grade": [1]}
    whole, split = ((0, 30), (35, 60)), ((0, 14), (14, 30), (35, 60))
    names = ["CharR", "CharP", "CharIoU"]
    values = [ir.evaluate(judged, chunks(*each), names, unit="spans").values.tolist() for each in (whole, split)]
    assert values[0] == values[1]


def test_the_sum_of_the_steps() -> None:
    """The explanation names what each chunk adds: nothing where another chunk already contains it."""
    judged = {"query": ["q"], "doc": ["d"], "begin": [10], "end": [40], "grade": [1]}
    explained = ir.evaluate(judged, chunks((0, 20), (10, 30), (12, 18)), ["CharR"], unit="spans").explain("CharR", "q")
    assert explained.steps["new"] == [10, 10, 0]
    assert explained.steps["characters"] == [20, 20, 6]


def test_documents_are_refused() -> None:
    """Without spans, a measure over characters says what it needs."""
    with pytest.raises(ir.UsageError, match=r"CharR@5 compares characters, so it needs judged spans.*unit=spans"):
        ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["CharR@5"])
