"""ir_measures, which fills queries without results with 0."""

from __future__ import annotations

import ir_measures
import pytest
from ir_measures import AP, RR, Bpref, IPrec, Judged, P, R, Rprec, SetAP, SetF, Success, infAP, nDCG

import idealrank as ir
from tests.oracles.conftest import Compare
from tests.oracles.data import random_data, values

MEASURES = [
    *(nDCG @ 1, nDCG @ 10, nDCG, AP, AP @ 5, AP(rel=2), RR, RR(rel=2), P @ 5, P(rel=2) @ 5, R @ 20, R(rel=2) @ 20),
    *(
        Success @ 5,
        Success(rel=2) @ 1,
        Bpref,
        Bpref(rel=2),
        Rprec,
        Rprec(rel=2),
        SetF,
        SetAP,
        infAP,
        IPrec @ 0.1,
        IPrec @ 0.5,
    ),
]
OUR_NAMES = {"SetF": "F1"}


@pytest.mark.parametrize("seed", range(4))
def test_measures(seed: int, compare: Compare) -> None:
    """Its measure strings mean the same here, for every judged query."""
    data = random_data(400 + seed)
    names = [OUR_NAMES.get(str(measure), str(measure)) for measure in MEASURES]
    scores = ir.evaluate(data.judgments, data.results, names, convention="ir_measures")
    oracle: dict[str, dict[str, float]] = {str(measure): {} for measure in MEASURES}
    for metric in ir_measures.iter_calc(MEASURES, data.judgments, data.results):
        oracle[str(metric.measure)][metric.query_id] = metric.value
    for place, measure in enumerate(MEASURES):
        compare("ir-measures", values(scores, place), oracle[str(measure)], str(measure))


@pytest.mark.parametrize("seed", range(4))
def test_judged(seed: int, compare: Compare) -> None:
    """Judged@k divides by what came back of the k; of a tie, the smaller id comes first."""
    data = random_data(450 + seed)
    for k in (1, 5, 10, 100):
        scores = ir.evaluate(data.judgments, data.results, [f"Judged@{k}"], ties="docid_asc", short_list="returned")
        found = ir_measures.iter_calc([Judged @ k], data.judgments, data.results)
        oracle = {metric.query_id: metric.value for metric in found}
        compare("ir-measures", values(scores), oracle, f"Judged@{k}")
