"""ir_measures, which fills queries without results with 0."""

from __future__ import annotations

import ir_measures
import pytest
from ir_measures import AP, RR, Bpref, IPrec, Judged, P, R, Rprec, SetAP, SetF, Success, infAP, nDCG

import idealrank as ir
from tests.amounts import tried
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


@pytest.mark.parametrize("seed", range(tried(4)))
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


COUNTS = ("NumQ", "NumRel", "NumRet", "NumRelRet")


@pytest.mark.parametrize("run", [{"q1": {"a": 1.0}}, {"q1": {"a": 1.0, "x": 0.5}, "q3": {"a": 1.0, "b": 0.5}}], ids=len)
def test_counts(run: dict[str, dict[str, float]], compare: Compare) -> None:
    """A judged query that the run lacks adds nothing to a sum: neither itself nor its relevant documents."""
    qrels = {"q1": {"a": 1}, "q2": {"b": 1, "c": 2}, "q3": {"a": 1, "b": 1, "c": 0}}
    scores = ir.evaluate(qrels, run, COUNTS, convention="ir_measures")
    found = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in COUNTS], qrels, run)
    totals = {name: float(found[ir_measures.parse_measure(name)]) for name in COUNTS}
    compare("ir-measures", {name: scores[name] for name in COUNTS}, totals, f"counts of {len(run)} queries")


@pytest.mark.parametrize("seed", range(tried(4)))
def test_judged(seed: int, compare: Compare) -> None:
    """Judged@k divides by what came back of the k; of a tie, the smaller id comes first."""
    data = random_data(450 + seed)
    for k in (1, 5, 10, 100):
        scores = ir.evaluate(data.judgments, data.results, [f"Judged@{k}"], ties="docid_asc", short_list="returned")
        found = ir_measures.iter_calc([Judged @ k], data.judgments, data.results)
        oracle = {metric.query_id: metric.value for metric in found}
        compare("ir-measures", values(scores), oracle, f"Judged@{k}")


SPELLED = [
    *("P(judged_only=True)@5", "AP(judged_only=True,rel=2)", "nDCG(judged_only=True)@10", "nDCG(dcg='log2')@10"),
    *("SetP(judged_only=True)", "SetP(rel=2)", "SetR(rel=2)", "SetRelP", "SetP(relative=True,rel=2)"),
    *("SetF(judged_only=True)", "SetAP(rel=2)", "IPrec@0.5", "RR(judged_only=True)"),
]


@pytest.mark.parametrize("seed", range(tried(2)))
def test_spellings(seed: int, compare: Compare) -> None:
    """Its strings with parameters are read as they stand."""
    data = random_data(480 + seed)
    scores = ir.evaluate(data.judgments, data.results, SPELLED, convention="trec_eval-9.0.8, no_results=0")
    for place, name in enumerate(SPELLED):
        found = ir_measures.iter_calc([ir_measures.parse_measure(name)], data.judgments, data.results)
        compare("ir-measures", values(scores, place), {metric.query_id: metric.value for metric in found}, name)


def test_spelled() -> None:
    """Parameters say in its words what decisions say here; what cannot be said is refused."""
    assert ir.measure("nDCG(gains={0:0,1:3})@5").name == "nDCG(gain={0:0, 1:3})@5"
    assert ir.measure("SDCG(max_rel=3,min_rel=0)@10").name == "nDCG(ideal=max, max_grade=3)@10"
    assert ir.measure("nDCG(dcg='exp-log2')@10").name == "nDCG(gain=exp2)@10"
    for wrong in ("P(judged_only=yes)@5", "INST(min_rel=1)", "nDCG(gain=exp2,dcg=log2)", "SetR(relative=True)"):
        with pytest.raises(ir.UsageError):
            ir.measure(wrong)


@pytest.mark.parametrize("beta", ["0.25", "2.0", "3.0"])
def test_set_f(beta: str, compare: Compare) -> None:
    """Its beta, which is trec_eval's x, is the square of ours: SetF(beta=4) is F(beta=2)."""
    data = random_data(485)
    names = [f"SetF(beta={beta})", f"SetF(beta={beta},rel=2)"]
    scores = ir.evaluate(data.judgments, data.results, names, convention="ir_measures")
    for place, name in enumerate(names):
        found = ir_measures.iter_calc([ir_measures.parse_measure(name)], data.judgments, data.results)
        compare("ir-measures", values(scores, place), {metric.query_id: metric.value for metric in found}, name)
    assert ir.measure("SetF(beta=2)").parameters == ir.measure("set_F.4").parameters == (("beta", 2.0),)


@pytest.mark.parametrize("seed", range(tried(4)))
@pytest.mark.parametrize("name", ["Accuracy", "Accuracy(rel=2)"])
def test_accuracy(seed: int, name: str, compare: Compare) -> None:
    """Accuracy is AUC over what came back; queries without a relevant result have no value. DPR's is Success."""
    data = random_data(470 + seed)
    rows = {q: {**docs, "nobody judged this": -1e9} for q, docs in data.results.items() if docs}
    scores = ir.evaluate(data.judgments, rows, [name], convention="ir_measures")
    found = ir_measures.iter_calc([ir_measures.parse_measure(name)], data.judgments, rows)
    compare("ir-measures", values(scores), {metric.query_id: metric.value for metric in found}, name)
    assert ir.measure("accuracy@5").name == "Success@5"


@pytest.mark.parametrize("seed", range(tried(3)))
def test_compat(seed: int, compare: Compare) -> None:
    """Compat is rank-biased overlap with the ideal list; scores without ties, which it orders in two ways."""
    data = random_data(490 + seed)
    rows = {q: {d: 1000.0 - i for i, d in enumerate(docs)} for q, docs in data.results.items()}
    for name in ("Compat", "Compat(p=0.5)", "Compat(p=0.8,normalize=False)"):
        scores = ir.evaluate(data.judgments, rows, [name], no_results=0)
        found = ir_measures.iter_calc([ir_measures.parse_measure(name)], data.judgments, rows)
        compare("ir-measures", values(scores), {metric.query_id: metric.value for metric in found}, name)
