"""Elasticsearch's own figures for _rank_eval: those its tests of dcg, with and without normalize, state."""

from __future__ import annotations

import pytest

import idealrank as ir

FIGURES = [
    pytest.param([3, 2, 3, 0, 1, 2], 6, 13.84826362927298, 14.595390756454922, id="testDCGAt"),
    pytest.param([3, 2, 3, None, 1], 6, 12.779642067948913, 13.347184833073591, id="testDCGAtSixMissingRatings"),
    pytest.param([3, 2, 3, None, 1], 4, 12.392789260714371, 13.347184833073591, id="testDCGAtFourMoreRatings"),
]
"""Ratings by place, hits returned, dcg and ideal (DiscountedCumulativeGainTests.java of elastic/elasticsearch)."""


@pytest.mark.parametrize(("ratings", "hits", "dcg", "ideal"), FIGURES)
def test_dcg(ratings: list[int | None], hits: int, dcg: float, ideal: float) -> None:
    """Both values come out as the tool's own tests have them, to 1e-12."""
    judgments = {"q": {str(place): rating for place, rating in enumerate(ratings) if rating is not None}}
    results = {"q": {str(place): float(-place) for place in range(hits)}}
    scores = ir.evaluate(judgments, results, ["DCG@10", "nDCG@10"], convention="elasticsearch")
    assert scores["DCG@10"] == pytest.approx(dcg, abs=1e-12)
    assert scores["nDCG@10"] == pytest.approx(dcg / ideal, abs=1e-12)
