"""compare: pairing, differences, intervals and p against SciPy and statsmodels on the values of queries."""

from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest
import scipy.stats

import idealrank as ir
from tests.comparison.worlds import one_relevant, random_world, reciprocal


def values(judgments: object, run: object, measure: str) -> np.ndarray:
    """Return the values of a system's queries, evaluated alone."""
    return np.array(ir.evaluate(judgments, run, [measure]).of(measure))


def test_difference_p_and_interval_are_scipys() -> None:
    """Difference, p and interval of the paired t test are those SciPy gives for the values of the queries."""
    judgments, runs = random_world(1)
    found = ir.compare(judgments, runs, ["nDCG@5"], correction="none")["nDCG@5"]
    a, b = (values(judgments, run, "nDCG@5") for run in runs.values())
    theirs = scipy.stats.ttest_rel(b, a)
    assert found.difference == pytest.approx((b - a).mean(), abs=1e-15)
    assert found.test.p == pytest.approx(theirs.pvalue, rel=1e-10)
    span = theirs.confidence_interval(0.95)
    assert (found.corrected.low, found.corrected.high) == pytest.approx((span.low, span.high), rel=1e-10)
    assert (found.wins, found.ties, found.losses) == ((b > a).sum(), (b == a).sum(), (b < a).sum())


def test_holm_has_bonferronis_intervals() -> None:
    """Beside Holm's p stand intervals at 1 - 0.05 over the number of tests."""
    judgments, runs = random_world(3, systems=3)
    found = ir.compare(judgments, runs, ["nDCG@5"], baseline="s0", correction="holm")
    d = values(judgments, runs["s1"], "nDCG@5") - values(judgments, runs["s0"], "nDCG@5")
    span = scipy.stats.ttest_1samp(d, 0).confidence_interval(1 - 0.05 / 2)
    corrected = found["nDCG@5", "s1"].corrected
    assert (corrected.low, corrected.high) == pytest.approx((span.low, span.high), rel=1e-10)


def test_pairs_by_id_whatever_the_order() -> None:
    """Rows, queries and systems in another order give the same answer, to the last digit and with drawn p."""
    judgments, runs = random_world(4, systems=3)
    rng = random.Random(0)

    def shuffled(table: dict) -> dict:
        keys = list(table)
        rng.shuffle(keys)
        return {key: shuffled(table[key]) if isinstance(table[key], dict) else table[key] for key in keys}

    options = {"baseline": "s0", "test": "randomisation", "seed": 3}
    first = ir.compare(judgments, runs, ["nDCG@5", "RR"], **options)
    for _ in range(3):
        other = ir.compare(shuffled(judgments), shuffled(runs), ["nDCG@5", "RR"], **options)
        for name in ("s1", "s2"):
            for measure in ("nDCG@5", "RR"):
                assert other[measure, name] == first[measure, name]
            assert other.verdict[name] == first.verdict[name]


def test_queries_of_one_side_are_named() -> None:
    """A query only one system answered is named, and counts 0 for the other; skipped, it is not paired."""
    judgments = one_relevant(6)
    a = reciprocal(dict.fromkeys(judgments, 1))
    b = {query: found for query, found in a.items() if query != "q002"}
    counted = ir.compare(judgments, {"a": a, "b": b}, ["RR"])
    assert counted.one_sided == {"b": {"a alone": ["q002"], "b alone": []}}
    assert (counted["RR"].queries, counted["RR"].losses) == (6, 1)
    assert "1 query answered by a alone (q002)" in repr(counted)
    skipped = ir.compare(judgments, {"a": a, "b": b}, ["RR"], no_results="skip")
    assert (skipped["RR"].queries, skipped["RR"].unpaired) == (5, ("q002",))


def test_all_pairs_are_compared() -> None:
    """Three systems without a baseline are all compared; one that stands out is told from the two that do not."""
    rng = random.Random(6)
    judgments = one_relevant(50)
    runs = {name: reciprocal({q: rng.choice((2, 3)) for q in judgments}) for name in ("a", "b")}
    runs["c"] = reciprocal({q: rng.choice((1, 1, 2)) for q in judgments})
    found = ir.compare(judgments, runs, ["RR"])
    assert found.methods.correction == "max_t"
    assert list(found.verdict) == ["b vs a", "c vs a", "c vs b"]
    assert [found.verdict[name].outcome for name in found.verdict] == ["CAN'T TELL", "SHIP", "SHIP"]


def test_finished_scores() -> None:
    """Scores of two evaluations compare as the results do."""
    judgments, runs = random_world(7)
    table = ir.read_judgments(judgments)
    parts = {name: ir.evaluate(table, run, ["RR", "nDCG@5"]) for name, run in runs.items()}
    whole = ir.compare(judgments, runs, ["RR", "nDCG@5"])
    assert ir.compare(parts).differences.to_json() == whole.differences.to_json()
    together = ir.evaluate(judgments, runs, ["RR", "nDCG@5"])
    assert ir.compare(together).differences.to_json() == whole.differences.to_json()


def test_means_have_intervals() -> None:
    """The interval of each system's mean is SciPy's."""
    judgments, runs = random_world(8)
    row = next(iter(ir.compare(judgments, runs, ["nDCG@5"]).means))
    span = scipy.stats.ttest_1samp(values(judgments, runs["s0"], "nDCG@5"), 0).confidence_interval(0.95)
    assert (row["low"], row["high"]) == pytest.approx((span.low, span.high), rel=1e-10)


def test_wins_and_losses() -> None:
    """The queries that gain and lose most come first, those of equal difference by id, others not at all."""
    judgments = one_relevant(5)
    a = reciprocal({"q000": 2, "q001": 1, "q002": 1, "q003": 2, "q004": 3})
    b = reciprocal({"q000": 1, "q001": 2, "q002": 3, "q003": 1, "q004": 3})
    found = ir.compare(judgments, {"a": a, "b": b}, ["RR"])
    assert found.wins(5)["query"] == ["q000", "q003"]
    assert found.losses(5)["query"] == ["q002", "q001"]
    assert found.losses(1)["difference"] == [1 / 3 - 1]


def test_json_is_whole() -> None:
    """JSON names decisions, methods, rule and verdicts, and is no NaN."""
    judgments, runs = random_world(9, queries=1)
    whole = json.loads(ir.compare(judgments, runs, ["RR"]).to_json(per_query=True), parse_constant=pytest.fail)
    assert ir.measure(whole["decisions"]["RR"]).fingerprint == whole["differences"][0]["fingerprint"]
    assert {"methods", "rule", "verdicts", "means", "ledger", "per_query"} <= set(whole)


def test_one_query_cannot_tell() -> None:
    """One query has no spread: the interval is the whole line, and nobody can tell."""
    judgments = one_relevant(1)
    found = ir.compare(judgments, {"a": reciprocal({"q000": 2}), "b": reciprocal({"q000": 1})}, ["RR"])
    assert found.verdict.outcome == "CAN'T TELL"
    assert found["RR"].corrected.low == -math.inf


def test_a_few_queries_that_changed_decide_nothing() -> None:
    """Four of a hundred queries that lose, or one that gains, are no verdict, though Student's p of four is 0.045."""
    judgments = one_relevant(100)
    main = reciprocal(dict.fromkeys(judgments, 1))
    for changed in (1, 2, 3, 4):
        branch = main | reciprocal(dict.fromkeys(list(judgments)[:changed], 2))
        for baseline in ("main", "branch"):
            found = ir.compare(judgments, {"main": main, "branch": branch}, ["RR"], baseline=baseline)
            assert (found["RR"].p > 0.05) == (changed < 4)
            assert found.verdict.outcome == "CAN'T TELL"
    near = ir.compare(judgments, {"main": main, "branch": branch}, ["RR"], rule="not_worse", margin=0.021)
    assert near.verdict.outcome == "CAN'T TELL"


def test_left_out_queries_do_not_draw() -> None:
    """Queries left out, or of weight 0, change nothing: the same answer as without them."""
    judgments, runs = random_world(12, queries=20)
    some = sorted(judgments)[:7]
    alone = ir.compare({q: judgments[q] for q in some}, {s: {q: r[q] for q in some} for s, r in runs.items()}, ["RR"])
    asked = ir.compare(judgments, runs, ["RR"], only=some)
    weighted = ir.compare(judgments, runs, ["RR"], weights={q: float(q in some) for q in judgments})
    assert asked["RR"] == alone["RR"]
    assert weighted["RR"].p == alone["RR"].p
    assert weighted["RR"].corrected.low == pytest.approx(alone["RR"].corrected.low, rel=1e-12)


def test_all_pairs_read_the_queries_all_systems_have() -> None:
    """Without a baseline, difference, p and interval come from the queries every system has a value for."""
    judgments, runs = random_world(13, queries=30, systems=2)
    third = {q: runs["s0"][q] for q in sorted(judgments)[:8]}
    found = ir.compare(judgments, {**runs, "s2": third}, ["nDCG@5"], no_results="skip")
    for contrast in found.contrasts.values():
        assert contrast.queries == 8
        assert len(contrast.unpaired) == 22


def test_the_text_shows_both_p_and_the_corrected_interval() -> None:
    """In text and HTML p is the plain one and corrected p the other; the interval is the corrected one."""
    judgments, runs = random_world(15, systems=4)
    found = ir.compare(judgments, runs, ["nDCG@5"], baseline="s0", correction="holm")
    one = found["nDCG@5", "s1"]
    assert (one.test.p, one.interval) != (one.p, one.corrected)
    row = next(
        line for line in repr(found).splitlines() if line.startswith("nDCG@5") and " s1 " in line and "+" in line
    )
    assert f"{one.corrected.low:+.4f} to {one.corrected.high:+.4f}".replace("-", "−") in row
    assert row.index(f"{one.test.p:.4f}") < row.index(f"{one.p:.4f}")
