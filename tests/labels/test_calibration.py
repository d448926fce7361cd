"""A judge calibrated on people: coverage in simulations, the formulas, and everything that is refused."""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.arrays import Floats
from idealrank.statistics.calibration import SampledDifferences, calibrate, queries_for
from tests.amounts import costly
from tests.cli.terminal import run

QUERIES, DEPTH, POOL = 40_000, 10, 20
JUDGES = ("good", "generous", "noisy", "drifting", "partisan")


@functools.cache
def differences() -> dict[str, dict[str, Floats]]:
    """Return the differences of nDCG@10 and P@10 of 40,000 queries under people and under five judges.

    The measures are computed here, in a few lines, not by what is tested.
    """
    rng = np.random.default_rng(2026)
    truth = rng.choice(4, (QUERIES, POOL), p=[0.55, 0.2, 0.15, 0.1])
    old = np.argsort(-(truth * 0.6 + rng.normal(0, 1, truth.shape)), axis=1)
    new = np.argsort(-(truth * 0.75 + rng.normal(0, 1, truth.shape)), axis=1)

    def noisy(right: float) -> Any:
        return np.where(rng.random(truth.shape) < right, truth, rng.integers(0, 4, truth.shape))

    hard = rng.random((QUERIES, 1))
    in_new = np.zeros(truth.shape, bool)
    np.put_along_axis(in_new, new[:, :DEPTH], True, axis=1)
    good = noisy(0.8)
    grades = {
        "people": truth,
        "good": good,
        "generous": np.minimum(noisy(0.8) + (rng.random(truth.shape) < 0.5), 3),
        "noisy": noisy(0.4),
        "drifting": np.where(rng.random(truth.shape) < hard, noisy(0.9), noisy(0.5)),
        "partisan": np.minimum(good + (in_new & (rng.random(truth.shape) < 0.3)), 3),
    }
    return {name: {"nDCG": _ndcg(g, new) - _ndcg(g, old), "P": _p(g, new) - _p(g, old)} for name, g in grades.items()}


def _ndcg(grades: Any, order: Any) -> Floats:
    discount = 1 / np.log2(np.arange(2, DEPTH + 2))
    found = np.take_along_axis(grades, order, axis=1)[:, :DEPTH] @ discount
    ideal = -np.sort(-grades, axis=1)[:, :DEPTH] @ discount
    return np.divide(found, ideal, out=np.zeros(QUERIES), where=ideal > 0)


def _p(grades: Any, order: Any) -> Floats:
    top: Floats = (np.take_along_axis(grades, order, axis=1)[:, :DEPTH] > 0).mean(axis=1)
    return top


@pytest.mark.parametrize("n", [50, *(pytest.param(n, marks=pytest.mark.heavy) for n in (20, 200))])
@pytest.mark.parametrize("measure", ["nDCG", "P"])
@pytest.mark.parametrize("judge", JUDGES)
def test_intervals_cover_the_truth(judge: str, measure: str, n: int) -> None:
    """95 % of intervals contain the mean of all queries, whatever the judge; those of the judge alone do not."""
    rng = np.random.default_rng([n, JUDGES.index(judge)])
    y, f = differences()["people"][measure], differences()[judge][measure]
    draws, size = costly(800, 300), 1000
    alike = these = alone = 0
    ratio = []
    for _ in range(draws):
        queries = rng.integers(0, QUERIES, size)
        found = _sampled(y[queries], f[queries], rng.choice(size, n, replace=False))
        result, own = calibrate(found), calibrate(found, "these")
        alike += result.calibrated.low <= y.mean() <= result.calibrated.high
        these += own.calibrated.low <= y[queries].mean() <= own.calibrated.high
        alone += result.judge.low <= y.mean() <= result.judge.high
        ratio.append(result.calibrated.error / result.people.error)
    slack = 4 * math.sqrt(0.95 * 0.05 / draws)
    assert abs(alike / draws - 0.95) <= slack
    assert abs(these / draws - 0.95) <= slack
    if judge in ("generous", "partisan") and measure == "nDCG":
        assert alone / draws < 0.9
    rho = float(np.corrcoef(y, f)[0, 1])
    assert np.mean(ratio) == pytest.approx(math.sqrt(1 - rho**2 * (1 - n / size)), abs=0.03 if n >= 50 else 0.06)


def _sampled(y: Floats, f: Floats, drawn: Any) -> SampledDifferences:
    sampled = np.zeros(len(y), bool)
    sampled[drawn] = True
    same = np.zeros(len(y), bool)
    return SampledDifferences(f, np.where(sampled, y, math.nan), sampled, np.zeros(len(y), np.int64), same)


def test_the_formula_by_hand() -> None:
    """Four of six queries: weight, estimate and error as the paper's formula gives them, worked out in full."""
    y, f = np.array([0.1, 0.3, -0.1, 0.1, 0.0, 0.0]), np.array([0.2, 0.4, 0.0, 0.0, 0.6, 0.0])
    found = calibrate(_sampled(y, f, [0, 1, 2, 3]), "these")
    # Sampled: mean y 0.1, mean f 0.15; cov = (0·0.05 + 0.2·0.25 + −0.2·−0.15 + 0·−0.15) / 3 = 0.08 / 3;
    # var f = (0.0025 + 0.0625 + 0.0225 + 0.0225) / 3 = 0.11 / 3; λ = 8 / 11. Mean f of all: 1.2 / 6 = 0.2.
    weight = 8 / 11
    assert found.weight == pytest.approx(weight)
    assert found.calibrated.mean == pytest.approx(0.1 - weight * (0.15 - 0.2))
    # y − λ f: −0.5/11·…: residual sum of squares = Syy − λ Sxy = 0.08 − 8/11 · 0.08.
    squares = 0.08 - weight * 0.08
    assert found.calibrated.error == pytest.approx(math.sqrt(squares / 2 * (1 / 4 - 1 / 6)))
    assert found.calibrated.degrees == 2
    assert found.people.error == pytest.approx(math.sqrt(0.08 / 3 * (1 / 4 - 1 / 6)))


def test_the_estimate_is_that_of_ppi_py() -> None:
    """The package ppi-python gives the same mean at the same weight; `make oracles` runs it."""
    rows = json.loads((Path(__file__).parents[1] / "golden" / "oracles" / "ppi_py.json").read_text("utf-8"))["rows"]
    for row in rows:
        n, judge = len(row["people"]), np.array([*row["judge"], *row["others"]])
        people = np.array([*row["people"], *[math.nan] * len(row["others"])])
        assert calibrate(_sampled(people, judge, range(n))).calibrated.mean == pytest.approx(row["estimate"], abs=1e-12)


def test_the_edges_of_the_formula() -> None:
    """A constant judge, and an opposite one, have weight 0; where people judged all queries nothing is open."""
    y = np.random.default_rng(1).normal(0.02, 0.2, 100)
    for f in (np.full(100, 0.3), -y):
        found = calibrate(_sampled(y, f, range(40)))
        assert (found.weight, found.saved, found.calibrated) == (0.0, 0.0, found.people)
    whole = calibrate(_sampled(y, y * 0.5, range(100)), "these").calibrated
    assert whole.mean == pytest.approx(y.mean())
    assert whole.low == whole.high


def test_unchanged_queries_narrow_the_interval() -> None:
    """60 % of queries are known to differ by 0: sampling among the others is worth more than ignoring that."""
    rng = np.random.default_rng(4)
    unchanged = np.arange(1000) < 600
    y = np.where(unchanged, 0.0, rng.normal(0.05, 0.2, 1000))
    f = np.where(unchanged, 0.0, y + rng.normal(0, 0.2, 1000))
    plain, narrow = [], []
    for _ in range(100):
        plain.append(calibrate(_sampled(y, f, rng.choice(1000, 50, replace=False))).calibrated.error)
        among = _sampled(y, f, 600 + rng.choice(400, 50, replace=False))._replace(unchanged=unchanged)
        narrow.append(calibrate(among).calibrated.error)
    assert np.mean(narrow) < 0.8 * np.mean(plain)
    needed, fewer = queries_for(among, 0.01), queries_for(among, 0.02)
    assert needed is not None
    assert fewer is not None
    assert fewer < needed


def test_strata_of_unequal_spread_cover_too() -> None:
    """Six queries of a stratum lie higher and vary six times as much as thirty of another: 90 % are covered."""
    rng = np.random.default_rng(9)
    stratum, spread = np.repeat([0, 1], 100), np.repeat([0.5, 3.0], 100)
    hits, draws = 0, costly(1600, 500)
    for _ in range(draws):
        y = rng.normal(10 * stratum, spread)
        f = 0.5 * y + rng.normal(0, 1, 200)
        chosen = [*rng.choice(100, 30, replace=False), *(100 + rng.choice(100, 6, replace=False))]
        found = calibrate(_sampled(y, f, chosen)._replace(stratum=stratum), "these")
        hits += found.calibrated.low <= y.mean() <= found.calibrated.high
    assert hits / draws >= 0.92


# From files and dicts to a verdict.


def world(queries: int = 120, changed: float = 0.7, seed: int = 0) -> tuple[Any, Any, Any]:
    """Return people's grades of all queries, a judge's, and two systems."""
    rng = np.random.default_rng(seed)
    docs = [f"d{i}" for i in range(20)]
    people, judge, old, new = {}, {}, {}, {}
    for q in range(queries):
        truth = rng.choice(4, 20, p=[0.5, 0.2, 0.2, 0.1])
        people[f"q{q}"] = dict(zip(docs, truth.tolist(), strict=True))
        seen = np.where(rng.random(20) < 0.8, truth, rng.integers(0, 4, 20))
        judge[f"q{q}"] = dict(zip(docs, seen.tolist(), strict=True))
        scores = truth * 0.5 + rng.normal(0, 1, 20)
        better = truth * 1.0 + rng.normal(0, 1, 20) if rng.random() < changed else scores
        old[f"q{q}"] = dict(zip(docs, scores.tolist(), strict=True))
        new[f"q{q}"] = dict(zip(docs, better.tolist(), strict=True))
    return people, judge, {"old": old, "new": new}


def table_of(people: Any) -> dict[str, list[str]]:
    """Return the queries as a table."""
    return {"query": list(people), "text": [f"text of {query}" for query in people]}


PEOPLE, JUDGE, SYSTEMS = world()
DRAWN = ir.sample(table_of(PEOPLE), 40, seed=3)
ASKED = {query: PEOPLE[query] for query in DRAWN.drawn}
THIRD = {query: dict(zip(docs, reversed(docs.values()), strict=True)) for query, docs in SYSTEMS["old"].items()}
"""A third system, whose lists are the old ones backwards."""


def judged(people: Any = PEOPLE, measures: str = "nDCG@10", systems: Any = SYSTEMS, **options: Any) -> ir.Comparison:
    """Compare with the judge, calibrated on a sample of 40 queries unless told otherwise."""
    return ir.compare(people, systems, measures.split(), **{"judge": JUDGE, "sampled": DRAWN} | options)


def calibration_of(found: ir.Comparison) -> Any:
    """Return the only calibration."""
    (calibration,) = found.calibration.values()
    return calibration


def test_the_verdict_is_by_the_judge_and_says_so() -> None:
    """The rows agree with a plain comparison, headline and text name judge and people; what decides is a row."""
    found = judged(ASKED, "nDCG@10 P@10", interval="student_t")
    calibration = calibration_of(found)
    alone = ir.compare(JUDGE, SYSTEMS, ["nDCG@10"])["nDCG@10"]
    theirs = calibration.found.judge
    assert theirs.mean == pytest.approx(alone.difference, abs=1e-12)
    assert (theirs.low, theirs.high) == pytest.approx((alone.interval.low, alone.interval.high), abs=1e-9)
    assert "by judgments, calibrated on" in found.verdict.headline
    assert found.verdict.outcome == "SHIP"
    assert found.to_dict()["calibration"]
    first, second = found.differences
    assert (first["calibrated"], first["judge alone"]) == (calibration.found.calibrated.mean, theirs.mean)
    assert (first["calibrated low"], first["calibrated high"]) == calibration.found.calibrated[3:]
    assert math.isnan(second["calibrated"])
    said = " ".join(str(found).split())
    assert "not calibrated" in said
    assert "people alone, the plain mean of the 40 sampled queries; no estimate for all" in said


def test_the_sample_does_not_depend_on_the_order_of_rows() -> None:
    """The same queries in another order, and the same seed: the same queries are drawn."""
    people, _, systems = world(60)
    backwards = {name: column[::-1] for name, column in table_of(people).items()}
    assert set(ir.sample(table_of(people), 20, seed=5).drawn) == set(ir.sample(backwards, 20, seed=5).drawn)
    changed = ir.sample(table_of(people), 20, changed=list(systems.values()), seed=5)
    same = [q for q in people if sorted(systems["old"][q], key=systems["old"][q].get)[-10:]
            == sorted(systems["new"][q], key=systems["new"][q].get)[-10:]]  # fmt: skip
    assert {q for q, one in zip(changed.queries, changed.unchanged, strict=True) if one} == set(same)
    assert not set(changed.drawn) & set(same)


def test_queries_may_be_those_of_judgments(tmp_path: Path) -> None:
    """TREC judgments, a table of ids alone and judgments that were read name the same queries; nothing is no table."""
    (tmp_path / "qrels.txt").write_text("".join(f"q{i} 0 d {i % 2}\n" for i in range(9)))
    (tmp_path / "words.txt").write_text("these are only words\n")
    ids = {"query": [f"q{i}" for i in range(9)]}
    read = ir.read_judgments(tmp_path / "qrels.txt")
    assert len({ir.sample(source, 4, seed=2).drawn for source in (tmp_path / "qrels.txt", ids, read)}) == 1
    with pytest.raises(ir.DataError, match=r"line 1: .these are only words. is not a line"):
        ir.sample(tmp_path / "words.txt", 1)


def test_strata_get_their_share() -> None:
    """Proportional by the largest remainders, two at least; the chance in the table is the share that was drawn."""
    table = {"query": [f"q{i}" for i in range(100)], "kind": ["a"] * 70 + ["b"] * 27 + ["c"] * 3}
    drawn = ir.sample(table, 20, strata="kind", seed=1)
    by_kind = {kind: sum(int(q[1:]) in rows for q in drawn.drawn) for kind, rows in
               {"a": range(70), "b": range(70, 97), "c": range(97, 100)}.items()}  # fmt: skip
    assert by_kind == {"a": 13, "b": 5, "c": 2}
    chances = {row["stratum"]: row["inclusion"] for row in drawn.table}
    assert chances == {"a": 13 / 70, "b": 5 / 27, "c": 2 / 3}


def test_a_sample_is_read_as_it_was_written(tmp_path: Path) -> None:
    """The command writes, `compare --judge` reads: the same verdict as from the values, as JSON and as a table."""
    tables = {"people": ("grade", PEOPLE), "judge": ("grade", JUDGE)}
    for name, (value, table) in {**tables, **{side: ("score", SYSTEMS[side]) for side in SYSTEMS}}.items():
        lines = [f"{q},{d},{number!r}" for q, docs in table.items() for d, number in docs.items()]
        (tmp_path / f"{name}.csv").write_text("\n".join([f"query,doc,{value}", *lines]) + "\n")
    (tmp_path / "queries.csv").write_text("query,text\n" + "".join(f"{q},text of {q}\n" for q in PEOPLE))
    done = run("sample", "queries.csv", "-n", "40", "--changed", "old.csv", "new.csv", "--seed", "3", "-o", "s.csv",
               cwd=tmp_path)  # fmt: skip
    assert done.code == 0
    assert "40 queries drawn of 120" in done.err
    words = (
        "compare",
        "people.csv",
        "old.csv",
        "new.csv",
        "-m",
        "nDCG@10",
        "--judge",
        "judge.csv",
        "--sampled",
        "s.csv",
    )
    said = run(*words, "--json", cwd=tmp_path)
    assert said.code == 0, said.err
    drawn = ir.sample(table_of(PEOPLE), 40, changed=list(SYSTEMS.values()), seed=3)
    (other,) = json.loads(said.out)["calibration"].values()
    assert other["calibrated"] == calibration_of(judged(sampled=drawn)).to_dict()["calibrated"]
    table = run(*words, "--csv", "-v", cwd=tmp_path)
    assert "calibrated low" in table.out.splitlines()[0]
    assert "judge alone, not calibrated" in table.err


def _rows(**raters: Any) -> list[dict[str, Any]]:
    return [
        {"query": query, "doc": doc, "grade": grade, "rater": rater}
        for rater, table in raters.items()
        for query, docs in table.items()
        for doc, grade in docs.items()
    ]


def _thinned(grades: Any, share: float) -> Any:
    """Leave out each grade with a chance, by a seed."""
    rng = np.random.default_rng(7)
    return {q: {d: g for d, g in docs.items() if rng.random() < share} for q, docs in grades.items()}


def _without(table: Any, query: str) -> Any:
    return {q: docs for q, docs in table.items() if q != query}


def _drawn(n: int) -> Any:
    return ir.sample(table_of(PEOPLE), n)


HALVES = [{"q" + q[1:]: docs for q, docs in JUDGE.items() if int(q[1:]) % 2 == odd} for odd in (0, 1)]
HARDLY = {"old": SYSTEMS["old"], "new": {**SYSTEMS["old"], "q1": SYSTEMS["new"]["q1"]}}
OTHER = {"old": SYSTEMS["old"], "third": THIRD}

REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("only if these were drawn at random", {"sampled": None}),
    ("A sample needs", {"judge": None}),
    ("so pairs were sampled", {"sampled": {"query": ["q1"], "doc": ["d1"], "sampled": ["yes"]}}),
    ("a sample says how each query was drawn", {"sampled": {"query": ["q1"], "text": ["a"]}}),
    ("no grades for 1 query the sample was drawn from: 'q7'", {"judge": _without(JUDGE, "q7")}),
    (
        "1 of these differs only in leading zeros: 'q7' in the sample, 'q007' here. Write them alike.",
        {"judge": _without(JUDGE, "q7") | {"q007": JUDGE["q7"]}},
    ),
    ("grades of 2 judges", {"judge": _rows(a=HALVES[0], b=HALVES[1])}),
    ("100 queries, but it was drawn from 120", {"sampled": DRAWN.table.head(100)}),
    ("say alike", {"target": "all"}),
    ("its grades of the sampled queries are people's own", {"judge": PEOPLE}),
    ("its grades of the sampled queries are people's own", {"judge": JUDGE | ASKED}),
    (
        "model is the judge, and among the raters of",
        {"people": _rows(ana=PEOPLE, model=JUDGE), "judge": _rows(model=JUDGE)},
    ),
    # One that was asked again for the sample alone, and one that left too much without a grade.
    (
        r"in 0 of 28 sampled queries, and .* that is not one judge",
        {"judge": _thinned(JUDGE, 0.9) | {query: JUDGE[query] for query in DRAWN.drawn}},
    ),
    (
        r"no grade for 5.% of the results of old and new, and a fifth is the most",
        {"judge": _thinned(JUDGE, 0.45), "sampled": ir.sample(table_of(PEOPLE), 40, changed=SYSTEMS, seed=3)},
    ),
    (
        r"drawn for old vs new, top 10, leaves out .* of which 36",
        {"systems": OTHER, "sampled": ir.sample(table_of(PEOPLE), 40, changed=SYSTEMS, seed=3)},
    ),
    ("3 systems and no baseline", {"systems": SYSTEMS | {"third": THIRD}}),
    ("20 is the least", {"sampled": _drawn(19)}),
    ("people judged 0 sampled queries in which the results changed", {"systems": HARDLY, "sampled": _drawn(100)}),
    ("10 is the least", {"measures": "Success@10", "sampled": _drawn(60)}),
    (
        "leaving them out would make it no random one",
        {"people": _without(PEOPLE, _drawn(60).drawn[0]), "sampled": _drawn(60)},
    ),
    # Weights and queries are the sample's, holes are always taken at their worst, and the interval is Student's t.
    ("not with a judge that is calibrated", {"weights": {f"q{i}": 1 for i in range(120)}}),
    ("not with a judge that is calibrated", {"only": "q1"}),
    ("not with a judge that is calibrated", {"hold_out": 0.5}),
    ("the verdict must be the same for any grades", {"holes": "worst_case"}),
    (r"interval=bca: not with a judge .* whose interval is Student's t", {"interval": "bca"}),
]


@pytest.mark.parametrize(("message", "given"), REFUSED)
def test_refuses_what_proves_nothing(message: str, given: dict[str, Any]) -> None:
    """Each with its sentence."""
    with pytest.raises(ir.IdealrankError, match=message):
        judged(**given)


def test_a_judge_ships_nothing_that_people_hardly_judged() -> None:
    """A third of people's grades: no SHIP, and it says which results to judge. One in a hundred is bounded and said."""
    whole = judged()
    calibration = calibration_of(whole)
    assert whole.verdict.outcome == "SHIP"
    assert calibration.unjudged == (0, (), calibration.found.calibrated.low, calibration.found.calibrated.high)
    third = judged(_thinned(PEOPLE, 0.33)).verdict
    assert third.outcome == "CAN'T TELL"
    assert "Too little was judged" in third.headline
    assert third.settle.startswith("Judge the ")
    assert "never judged" in third.sentence
    most = judged(_thinned(PEOPLE, 0.99))
    assert most.verdict.outcome == "SHIP"
    few = calibration_of(most).unjudged
    assert f"People left {few.results} results of {len(few.queries)} sampled queries" in most.verdict.assumption


def test_the_interval_of_unjudged_results_contains_that_of_any_grades() -> None:
    """Whatever the grades that were left out: the interval with them lies within what was said without them."""
    few = _thinned(PEOPLE, 0.97)
    said = calibration_of(judged(few)).unjudged
    for seed in range(costly(20, 5)):
        rng = np.random.default_rng(seed)
        filled = {
            q: {d: few[q].get(d, int(rng.integers(0, 4)) if seed else g) for d, g in docs.items()}
            for q, docs in PEOPLE.items()
        }
        with_all = calibration_of(judged(filled)).found.calibrated
        assert said.low <= with_all.low
        assert with_all.high <= said.high


def test_grades_the_judge_did_not_give_are_counted() -> None:
    """Each result of a changed query that the judge left without a grade."""
    drawn = ir.sample(table_of(PEOPLE), 40, changed=list(SYSTEMS.values()), seed=3)
    left = _thinned(JUDGE, 0.95)
    found = judged(judge=left, sampled=drawn)
    tops = {q: set().union(*(sorted(s[q], key=s[q].get)[-10:] for s in SYSTEMS.values())) for q in PEOPLE}
    same = dict(zip(drawn.queries, drawn.unchanged, strict=True))
    by_hand = sum(len(tops[q] - set(left[q])) for q in PEOPLE if not same[q])
    assert calibration_of(found).ungraded == by_hand > 0
    assert f"gave no grade to {by_hand} results" in found.verdict.assumption


def test_a_remark_about_a_system_does_not_turn_a_calibrated_verdict() -> None:
    """Labels that were chosen for other systems are warned of; the verdict is that of the calibrated difference."""
    rows = [row | {"chosen for": "bm25 vs hybrid" if row["doc"] == "d1" else None} for row in _rows(ana=ASKED)]
    found = judged(rows, margin=0.04)
    assert found.verdict.warnings
    assert ir.compare(ASKED, SYSTEMS, ["nDCG@10"], margin=0.04).verdict.outcome == "CAN'T TELL"
    assert judged(ASKED, margin=0.04).verdict.outcome == "SHIP"
    assert found.verdict.outcome == "SHIP"


def test_a_failed_search_is_weighed_with_a_judge() -> None:
    """The searches of some sampled queries failed: with them at their worst it is no SHIP, and they are named."""
    lost = [q for q, same in zip(DRAWN.queries, DRAWN.unchanged, strict=True) if q in DRAWN.drawn and not same][:8]
    rows: list[dict[str, Any]] = [{"query": query, "error": "timeout"} for query in lost]
    for query, docs in SYSTEMS["new"].items():
        rows += [{"query": query, "doc": doc, "score": s} for doc, s in docs.items() if query not in lost]
    found = judged(systems={"old": SYSTEMS["old"], "new": rows}, failed="0")
    assert found.verdict.outcome != "SHIP"


def test_several_systems_have_a_baseline_and_wider_intervals() -> None:
    """Two systems against one: both intervals hold together, by Bonferroni; what people alone could say is refused."""
    both = {**SYSTEMS, "third": THIRD}
    found = judged(systems=both, baseline="old")
    first, _ = found.calibration.values()
    assert first.found.calibrated == calibration_of(judged(level=0.975)).found.calibrated
    assert first.level == 0.95
    assert "calibrated on 28 queries" in found.verdict["new"].sentence
    single = judged(systems=both, baseline="old", correction="none")
    assert next(iter(single.calibration.values())).found.calibrated.low > first.found.calibrated.low
    assert "calibrated on 28 queries that people judged" in ir.report(found).summary["sentences"][0]
    with pytest.raises(ir.UsageError, match="by people alone"):
        _ = found.robustness


def test_a_comparison_says_which_queries_did_not_change() -> None:
    """Lists that are equal down to the cutoff, found here by hand; the text says how many need nobody."""
    people, _, systems = world(60)

    def top(name: str, query: str) -> list[str]:
        return sorted(systems[name][query], key=systems[name][query].get)[-10:]

    found = ir.compare(people, systems, ["nDCG@10"])
    (unchanged,) = found.unchanged.values()
    assert set(unchanged) == {query for query in people if top("old", query) == top("new", query)}
    assert f"return the same first 10 results for {len(unchanged)} queries of 60" in " ".join(str(found).split())


def test_less_is_better_where_the_measure_says_so() -> None:
    """Under a measure of which less is better, the system that lowers it ships."""
    found = judged(measures="ARP", sampled=ir.sample(table_of(PEOPLE), 60, seed=3))
    assert calibration_of(found).found.calibrated.high < 0
    assert found.verdict.outcome == "SHIP"


def rare_losses(lost: int, n: int, seed: int) -> ir.Comparison:
    """Compare by ARP: the relevant document rises by one to three ranks, and falls to rank `lost` in few queries."""
    rng = np.random.default_rng([seed, lost])
    names = [f"q{i}" for i in range(200)]

    def ranked(first: int) -> dict[str, float]:
        docs = [f"d{i}" for i in range(1, 20)]
        docs.insert(first - 1, "d0")
        return {doc: 20.0 - i for i, doc in enumerate(docs)}

    old = {q: ranked(int(rng.integers(2, 5))) for q in names}
    new = {q: ranked(lost if rng.random() < 0.06 else 1) for q in names}
    nothing = dict.fromkeys([f"d{i}" for i in range(2, 20)], 0)
    judge = {q: {"d0": 1, "d1": int(rng.random() < 0.5), **nothing} for q in names}
    drawn = ir.sample({"query": names, "text": names}, n, seed=seed)
    asked = {query: {"d0": 1, "d1": 0, **nothing} for query in drawn.drawn}
    return ir.compare(asked, {"old": old, "new": new}, ["ARP"], judge=judge, sampled=drawn)


def test_rare_large_losses_are_doubted_where_less_is_better() -> None:
    """Where they are large, a gain by ARP is no SHIP."""
    found = rare_losses(14, n=40, seed=1)
    (calibration,) = found.calibration.values()
    assert calibration.gain.low > 0
    assert found.verdict.outcome == "CAN'T TELL"
    assert "but a few queries lose much more than the others gain" in found.verdict.reason


def test_a_calibrated_ship_says_what_it_rests_on() -> None:
    """Of fewer than 50 queries, and of skewed differences, as one by people alone; then what people left unjudged."""
    few, many = (judged(sampled=ir.sample(table_of(PEOPLE), n, seed=3)).verdict for n in (40, 75))
    rests = "This rests on the 28 queries that people judged having shown how much a query can lose"
    assert (few.outcome, few.assumption) == ("SHIP", rests)
    assert (many.outcome, many.assumption) == ("SHIP", "")
    assert f"{rests}." in few.sentence
    skewed = rare_losses(10, n=60, seed=0).verdict
    assert (skewed.outcome, skewed.assumption) == (
        "SHIP", "This rests on skewed differences having shown how much a query can lose",
    )  # fmt: skip
    asked = {query: dict(docs) for query, docs in ASKED.items()}
    asked[next(q for q in DRAWN.drawn if SYSTEMS["old"][q] != SYSTEMS["new"][q])].pop("d0")
    left = "People left 1 result of 1 sampled query unjudged"
    for margin, outcome, said in ((0.0, "SHIP", f"{rests}. {left}"), (0.1, "CAN'T TELL", left)):
        verdict = judged(asked, margin=margin).verdict
        assert verdict.outcome == outcome
        assert verdict.assumption.startswith(said)


def test_a_calibrated_ship_that_needs_no_assumption_says_none() -> None:
    """The change is so large that people's differences show a gain without any, and not one above so high a margin."""
    rng = np.random.default_rng(5)
    old, new = (
        {q: {d: way * g + rng.normal(0, 0.5) for d, g in docs.items()} for q, docs in PEOPLE.items()} for way in (-1, 1)
    )
    low, high = (
        judged(ASKED, systems={"old": old, "new": new}, margin=margin, order_by="score") for margin in (0.0, 0.7)
    )
    free = low["nDCG@10"].unassuming
    assert free is not None
    assert 0 < free.low < 0.7
    assert [(each.verdict.outcome, bool(each.verdict.assumption)) for each in (low, high)] == [
        ("SHIP", False), ("SHIP", True),
    ]  # fmt: skip


def test_a_guardrail_stops_a_calibrated_system() -> None:
    """Guardrails are read by people alone: one that surely loses makes it DON'T, whatever the judge says."""
    # The new system puts everything below rank 10 last that the old one has there: recall at 15 falls.
    cut = {q: dict(sorted(docs.items(), key=lambda one: -one[1])[:10]) for q, docs in SYSTEMS["new"].items()}
    drawn = ir.sample(table_of(PEOPLE), 60, seed=3)
    found = judged(measures="nDCG@10 R@20", systems={"old": SYSTEMS["old"], "new": cut}, sampled=drawn)
    assert found.calibration
    assert found.verdict.outcome == "DON'T"
    assert "R@20" in found.verdict.reason
