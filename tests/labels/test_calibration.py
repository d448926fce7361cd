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
    draws, size = costly(2000, 300), 1000
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
    slack = 0.015 if draws >= 2000 else 4 * math.sqrt(0.95 * 0.05 / draws)
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


def test_a_judge_that_says_nothing_changes_nothing() -> None:
    """A constant judge has weight 0: the calibrated row is that of people alone. So has one that is the opposite."""
    rng = np.random.default_rng(1)
    y = rng.normal(0.02, 0.2, 100)
    for f in (np.full(100, 0.3), -y):
        found = calibrate(_sampled(y, f, range(40)))
        assert (found.weight, found.saved) == (0.0, 0.0)
        assert found.calibrated == found.people


def test_all_queries_judged_by_people_leave_nothing_to_estimate() -> None:
    """N = N: the mean of these queries is that of people, with an interval of no width."""
    y = np.random.default_rng(3).normal(0.02, 0.2, 60)
    found = calibrate(_sampled(y, y * 0.5, range(60)), "these")
    assert found.calibrated.mean == pytest.approx(y.mean())
    assert found.calibrated.low == found.calibrated.high


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


def test_strata_keep_their_shares() -> None:
    """Two strata of different means, sampled at different rates: the estimate covers the mean of all."""
    rng = np.random.default_rng(6)
    stratum = (np.arange(500) < 400).astype(np.int64)
    hits, draws = 0, costly(2000, 400)
    for _ in range(draws):
        y = np.where(stratum == 1, 0.0, 0.3) + rng.normal(0, 0.1, 500)
        f = y + rng.normal(0.1, 0.1, 500)
        drawn = [*rng.choice(400, 30, replace=False), *(400 + rng.choice(100, 30, replace=False))]
        found = calibrate(_sampled(y, f, drawn)._replace(stratum=stratum), "these")
        hits += found.calibrated.low <= y.mean() <= found.calibrated.high
    assert abs(hits / draws - 0.95) <= (0.015 if draws >= 2000 else 0.045)


def test_strata_of_unequal_spread_cover_too() -> None:
    """A stratum of six queries varies six times as much as one of thirty: pooled degrees of freedom cover 90 %."""
    rng = np.random.default_rng(9)
    stratum, spread = np.repeat([0, 1], 100), np.repeat([0.5, 3.0], 100)
    hits, draws = 0, costly(4000, 500)
    for _ in range(draws):
        y = rng.normal(0, spread)
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


def test_the_verdict_is_by_the_judge_and_says_so() -> None:
    """The rows agree with the differences of two plain comparisons, and the headline names judge and people."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    asked = {query: people[query] for query in drawn.drawn}
    found = ir.compare(asked, systems, ["nDCG@10"], judge=judge, sampled=drawn)
    (calibration,) = found.calibration.values()
    alone = ir.compare(judge, systems, ["nDCG@10"])["nDCG@10"]
    assert calibration.found.judge.mean == pytest.approx(alone.difference, abs=1e-12)
    assert (calibration.found.judge.low, calibration.found.judge.high) == pytest.approx(
        (alone.interval.low, alone.interval.high), abs=1e-9
    )
    assert "by judgments, calibrated on" in found.verdict.headline
    assert found.verdict.outcome == "SHIP"
    assert "not calibrated" in str(found)
    assert found.to_dict()["calibration"]


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
    """The command writes, `compare --judge` reads: the same verdict as from the values."""
    people, judge, systems = world()
    _write(tmp_path, people, judge, systems)
    done = run("sample", "queries.csv", "-n", "40", "--changed", "old.csv", "new.csv", "--seed", "3", "-o", "s.csv",
               cwd=tmp_path)  # fmt: skip
    assert done.code == 0
    assert "40 queries drawn of 120" in done.err
    said = run("compare", "people.csv", "old.csv", "new.csv", "-m", "nDCG@10", "--judge", "judge.csv", "--sampled",
               "s.csv", "--json", cwd=tmp_path)  # fmt: skip
    assert said.code == 0, said.err
    theirs = json.loads(said.out)["calibration"]
    drawn = ir.sample(table_of(people), 40, changed=list(systems.values()), seed=3)
    ours = ir.compare(people, systems, ["nDCG@10"], judge=judge, sampled=drawn).calibration
    (mine,), (other,) = ours.values(), theirs.values()
    assert other["calibrated"] == mine.to_dict()["calibrated"]


def _write(folder: Path, people: Any, judge: Any, systems: Any) -> None:
    tables = {"people": ("grade", people), "judge": ("grade", judge), "old": ("score", systems["old"])}
    for name, (value, table) in {**tables, "new": ("score", systems["new"])}.items():
        lines = [f"{q},{d},{number!r}" for q, docs in table.items() for d, number in docs.items()]
        (folder / f"{name}.csv").write_text("\n".join([f"query,doc,{value}", *lines]) + "\n")
    (folder / "queries.csv").write_text("query,text\n" + "".join(f"{q},text of {q}\n" for q in people))


REFUSED = [
    pytest.param(lambda judge, drawn: {"judge": judge}, "only if these were drawn at random", id="no sample"),
    pytest.param(lambda judge, drawn: {"sampled": drawn}, "A sample needs", id="no judge"),
    pytest.param(
        lambda judge, drawn: {"judge": judge, "sampled": {"query": ["q1"], "doc": ["d1"], "sampled": ["yes"]}},
        "so pairs were sampled",
        id="pairs",
    ),
    pytest.param(
        lambda judge, drawn: {"judge": judge, "sampled": {"query": ["q1"], "text": ["a"]}},
        "a sample says how each query was drawn",
        id="origin not said",
    ),
    pytest.param(
        lambda judge, drawn: {"judge": {q: d for q, d in judge.items() if q != "q7"}, "sampled": drawn},
        "no grades for 1 query the sample was drawn from: 'q7'",
        id="judge lacks a query",
    ),
    pytest.param(
        lambda judge, drawn: {"judge": {"q007" if q == "q7" else q: d for q, d in judge.items()}, "sampled": drawn},
        "1 of these differs only in leading zeros: 'q7' in the sample, 'q007' here. Write them alike.",
        id="an id has other zeros",
    ),
    pytest.param(
        lambda judge, drawn: {"judge": _by_two(judge), "sampled": drawn}, "grades of 2 judges", id="two judges"
    ),
    pytest.param(
        lambda judge, drawn: {"judge": judge, "sampled": drawn.table.head(100)},
        "100 queries, but it was drawn from 120",
        id="rows cut off",
    ),
    pytest.param(lambda judge, drawn: {"judge": judge, "sampled": drawn, "target": "all"}, "say alike", id="target"),
]


def _by_two(judge: Any) -> list[dict[str, Any]]:
    return [
        {"query": q, "doc": d, "grade": g, "rater": "ab"[int(q[1:]) % 2]}
        for q, docs in judge.items()
        for d, g in docs.items()
    ]


@pytest.mark.parametrize(("how", "message"), REFUSED)
def test_refuses_what_proves_nothing(how: Any, message: str) -> None:
    """Each with its sentence."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    with pytest.raises(ir.IdealrankError, match=message):
        ir.compare(people, systems, ["nDCG@10"], **how(judge, drawn))


def test_a_judge_ships_nothing_that_people_hardly_judged() -> None:
    """A third of people's grades: no SHIP, and it says which results to judge. One in a hundred is bounded and said."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    whole = ir.compare(people, systems, ["nDCG@10"], judge=judge, sampled=drawn)
    (calibration,) = whole.calibration.values()
    assert whole.verdict.outcome == "SHIP"
    assert calibration.unjudged == (0, (), calibration.found.calibrated.low, calibration.found.calibrated.high)
    third = ir.compare(_thinned(people, 0.33), systems, ["nDCG@10"], judge=judge, sampled=drawn)
    assert third.verdict.outcome == "CAN'T TELL"
    assert "Too little was judged" in third.verdict.headline
    assert third.verdict.settle.startswith("Judge the ")
    assert "never judged" in third.verdict.sentence
    most = ir.compare(_thinned(people, 0.99), systems, ["nDCG@10"], judge=judge, sampled=drawn)
    assert most.verdict.outcome == "SHIP"
    (few,) = (each.unjudged for each in most.calibration.values())
    assert f"People left {few.results} results of {len(few.queries)} sampled queries" in most.verdict.assumption


def _thinned(grades: Any, share: float) -> Any:
    """Leave out each grade with a chance, by a seed."""
    rng = np.random.default_rng(7)
    return {q: {d: g for d, g in docs.items() if rng.random() < share} for q, docs in grades.items()}


def test_the_interval_of_unjudged_results_contains_that_of_any_grades() -> None:
    """Whatever the grades that were left out: the interval with them lies within what was said without them."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    few = _thinned(people, 0.97)
    (said,) = ir.compare(few, systems, ["nDCG@10"], judge=judge, sampled=drawn).calibration.values()
    for seed in range(costly(20, 5)):
        rng = np.random.default_rng(seed)
        filled = {
            q: {d: few[q].get(d, int(rng.integers(0, 4)) if seed else g) for d, g in docs.items()}
            for q, docs in people.items()
        }
        (with_all,) = ir.compare(filled, systems, ["nDCG@10"], judge=judge, sampled=drawn).calibration.values()
        assert said.unjudged.low <= with_all.found.calibrated.low
        assert with_all.found.calibrated.high <= said.unjudged.high


def test_grades_the_judge_did_not_give_are_counted_and_many_are_refused() -> None:
    """Each result of a changed query that the judge left without a grade; more than a fifth make it another judge."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, changed=list(systems.values()), seed=3)
    left = _thinned(judge, 0.95)
    found = ir.compare(people, systems, ["nDCG@10"], judge=left, sampled=drawn)
    (calibration,) = found.calibration.values()
    tops = {q: set().union(*(sorted(s[q], key=s[q].get)[-10:] for s in systems.values())) for q in people}
    same = dict(zip(drawn.queries, drawn.unchanged, strict=True))
    by_hand = sum(len(tops[q] - set(left[q])) for q in people if not same[q])
    assert calibration.ungraded == by_hand > 0
    assert f"gave no grade to {by_hand} results" in found.verdict.assumption
    with pytest.raises(ir.DataError, match=r"no grade for 5.% of the results of old and new, and a fifth is the most"):
        ir.compare(people, systems, ["nDCG@10"], judge=_thinned(judge, 0.45), sampled=drawn)


def test_a_judge_that_was_asked_again_for_the_sample_alone_is_refused() -> None:
    """Its differences are complete in the sample and not elsewhere: that is not the same judge."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    left = _thinned(judge, 0.9) | {query: judge[query] for query in drawn.drawn}
    with pytest.raises(ir.DataError, match=r"in 0 of 28 sampled queries, and .* that is not one judge"):
        ir.compare(people, systems, ["nDCG@10"], judge=left, sampled=drawn)


def test_the_table_has_what_decides(tmp_path: Path) -> None:
    """Differences are people's alone, and say so; the row that decides also has the judge alone and both together."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    found = ir.compare(people, systems, ["nDCG@10", "P@10"], judge=judge, sampled=drawn)
    (calibration,) = found.calibration.values()
    first, second = found.differences
    assert (first["calibrated"], first["judge alone"]) == (
        calibration.found.calibrated.mean,
        calibration.found.judge.mean,
    )
    assert (first["calibrated low"], first["calibrated high"]) == calibration.found.calibrated[3:]
    assert math.isnan(second["calibrated"])
    assert "people alone, the plain mean of the 40 sampled queries; no estimate for all" in " ".join(str(found).split())
    _write(tmp_path, people, judge, systems)
    (tmp_path / "s.csv").write_text(drawn.table.to_csv())
    done = run("compare", "people.csv", "old.csv", "new.csv", "-m", "nDCG@10", "--judge", "judge.csv", "--sampled",
               "s.csv", "--csv", "-v", cwd=tmp_path)  # fmt: skip
    assert "calibrated low" in done.out.splitlines()[0]
    assert "judge alone, not calibrated" in done.err


def test_a_judge_is_not_people() -> None:
    """Grades of the sample that are people's own, and a rater that is among the people, make no judge."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    leaked = {query: people[query] if query in drawn.drawn else docs for query, docs in judge.items()}
    for grades in (leaked, people):
        with pytest.raises(ir.DataError, match="its grades of the sampled queries are people's own"):
            ir.compare(people, systems, ["nDCG@10"], judge=grades, sampled=drawn)

    def rows(*tables: tuple[str, Any]) -> list[dict[str, Any]]:
        return [
            {"query": query, "doc": doc, "grade": grade, "rater": rater}
            for rater, table in tables
            for query, docs in table.items()
            for doc, grade in docs.items()
        ]

    mixed = rows(("ana", people), ("model", judge))
    with pytest.raises(ir.DataError, match="model is the judge, and among the raters of"):
        ir.compare(mixed, systems, ["nDCG@10"], judge=rows(("model", judge)), sampled=drawn)


def test_a_sample_that_was_drawn_for_other_systems_is_refused() -> None:
    """Queries that did not change between those could not be drawn, and change here."""
    people, judge, systems = world()
    third = {query: dict(zip(docs, reversed(docs.values()), strict=True)) for query, docs in systems["old"].items()}
    drawn = ir.sample(table_of(people), 40, changed=systems, seed=3)
    with pytest.raises(ir.DataError, match=r"drawn for old vs new, top 10, leaves out .* of which 36"):
        ir.compare(people, {"old": systems["old"], "third": third}, ["nDCG@10"], judge=judge, sampled=drawn)


def test_a_remark_about_a_system_does_not_turn_a_calibrated_verdict() -> None:
    """Labels that were chosen for other systems are warned of; the verdict is that of the calibrated difference."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    rows = [
        {"query": q, "doc": d, "grade": g, "chosen for": "bm25 vs hybrid" if d == "d1" else None}
        for q in drawn.drawn
        for d, g in people[q].items()
    ]
    asked = {q: people[q] for q in drawn.drawn}
    plain = ir.compare(asked, systems, ["nDCG@10"], margin=0.04)
    found = ir.compare(rows, systems, ["nDCG@10"], judge=judge, sampled=drawn, margin=0.04)
    assert found.verdict.warnings
    quiet = ir.compare(
        {q: people[q] for q in drawn.drawn}, systems, ["nDCG@10"], judge=judge, sampled=drawn, margin=0.04
    )
    assert (plain.verdict.outcome, quiet.verdict.outcome) == ("CAN'T TELL", "SHIP")
    assert found.verdict.outcome == "SHIP"


@pytest.mark.heavy
def test_rare_large_losses_are_doubted_as_by_people_alone() -> None:
    """One query in twelve loses nearly all, the others gain a little, and the mean is 0: an interval is no SHIP."""
    best, lost = {f"d{i}": 10.0 - i for i in range(5)}, {f"d{i}": 10.0 - i for i in range(4, 9)}
    grades = dict(zip(best, [3, 2, 1, 1, 0], strict=True)) | dict.fromkeys([f"d{i}" for i in range(5, 10)], 0)
    orders = ([1, 0, 2, 3, 4], [0, 2, 1, 3, 4], [1, 0, 3, 4, 2], [2, 0, 1, 3, 4])
    ships = plain = 0
    for seed in range(40):
        rng = np.random.default_rng([seed, 20])
        names = [f"q{i}" for i in range(200)]
        old = {q: {f"d{d}": 10.0 - i for i, d in enumerate(orders[rng.integers(4)])} for q in names}
        new = {q: lost if rng.random() < 0.086 else best for q in names}
        judge = {q: {d: g if rng.random() < 0.8 else int(rng.integers(4)) for d, g in grades.items()} for q in names}
        drawn = ir.sample({"query": names, "text": names}, 20, k=5, seed=seed)
        asked = dict.fromkeys(drawn.drawn, grades)
        try:
            found = ir.compare(asked, {"old": old, "new": new}, ["nDCG@5"], judge=judge, sampled=drawn)
        except ir.DataError:  # too few differ
            continue
        (calibration,) = found.calibration.values()
        ships += found.verdict.outcome == "SHIP"
        plain += calibration.gain.low > 0
    assert plain >= 3  # the interval alone would have said so
    assert ships <= plain / 2


def test_a_failed_search_is_weighed_with_a_judge() -> None:
    """The searches of some sampled queries failed: with them at their worst it is no SHIP, and they are named."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    lost = [q for q, same in zip(drawn.queries, drawn.unchanged, strict=True) if q in drawn.drawn and not same][:8]
    failed = [{"query": q, "error": "timeout"} for q in lost]
    rows = [
        {"query": q, "doc": d, "score": s}
        for q, docs in systems["new"].items()
        if q not in lost
        for d, s in docs.items()
    ]
    found = ir.compare(
        people, {"old": systems["old"], "new": [*rows, *failed]}, ["nDCG@10"], judge=judge, sampled=drawn, failed="0"
    )
    assert found.verdict.outcome != "SHIP"


def test_several_systems_have_a_baseline_and_wider_intervals() -> None:
    """Two systems against one: both intervals hold together, by Bonferroni; without a baseline it asks for one."""
    people, judge, systems = world()
    third = {query: dict(zip(docs, reversed(docs.values()), strict=True)) for query, docs in systems["old"].items()}
    both = {**systems, "third": third}
    drawn = ir.sample(table_of(people), 40, seed=3)
    with pytest.raises(ir.UsageError, match="3 systems and no baseline"):
        ir.compare(people, both, ["nDCG@10"], judge=judge, sampled=drawn)
    found = ir.compare(people, both, ["nDCG@10"], judge=judge, sampled=drawn, baseline="old")
    (alone,) = ir.compare(people, systems, ["nDCG@10"], judge=judge, sampled=drawn, level=0.975).calibration.values()
    first, _ = found.calibration.values()
    assert first.found.calibrated == alone.found.calibrated
    assert first.level == 0.95
    assert "calibrated on 28 queries" in found.verdict["new"].sentence
    single = ir.compare(people, both, ["nDCG@10"], judge=judge, sampled=drawn, baseline="old", correction="none")
    assert next(iter(single.calibration.values())).found.calibrated.low > first.found.calibrated.low
    front = ir.report(found).summary
    assert "calibrated on 28 queries that people judged" in front["sentences"][0]
    with pytest.raises(ir.UsageError, match="by people alone"):
        _ = found.robustness


def test_options_that_a_calibration_does_not_read_are_refused() -> None:
    """Weights and queries are the sample's, holes are always taken at their worst, and the interval is Student's t."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    with pytest.raises(ir.UsageError, match="the verdict must be the same for any grades"):
        ir.compare(people, systems, ["nDCG@10"], judge=judge, sampled=drawn, holes="worst_case")
    with pytest.raises(ir.UsageError, match=r"interval=bca: not with a judge .* whose interval is Student's t") as no:
        ir.compare(people, systems, ["nDCG@10"], judge=judge, sampled=drawn, interval="bca")
    assert no.value.typed.startswith("--interval bca: not with a judge")
    given = ir.compare(people, systems, ["nDCG@10"], judge=judge, sampled=drawn, interval="student_t")
    assert given.verdict.outcome == "SHIP"


def test_refuses_too_few() -> None:
    """19 queries, and a measure in which fewer than ten differ."""
    people, judge, systems = world()
    with pytest.raises(ir.DataError, match="20 is the least"):
        ir.compare(people, systems, ["nDCG@10"], judge=judge, sampled=ir.sample(table_of(people), 19))
    hardly = {"old": systems["old"], "new": {**systems["old"], "q1": systems["new"]["q1"]}}
    with pytest.raises(ir.DataError, match="people judged 0 sampled queries in which the results changed"):
        ir.compare(people, hardly, ["nDCG@10"], judge=judge, sampled=ir.sample(table_of(people), 100))
    with pytest.raises(ir.DataError, match="10 is the least"):
        ir.compare(people, systems, ["Success@10"], judge=judge, sampled=ir.sample(table_of(people), 60))
    lost = {q: d for q, d in people.items() if q != ir.sample(table_of(people), 60).drawn[0]}
    with pytest.raises(ir.DataError, match="leaving them out would make it no random one"):
        ir.compare(lost, systems, ["nDCG@10"], judge=judge, sampled=ir.sample(table_of(people), 60))


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
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 60, seed=3)
    found = ir.compare(people, systems, ["ARP"], judge=judge, sampled=drawn)
    (calibration,) = found.calibration.values()
    assert calibration.found.calibrated.high < 0
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
    """Of fewer than 50 queries, and of skewed differences, as one by people alone; else there is nothing to say."""
    people, judge, systems = world()
    few, many = (
        ir.compare(people, systems, ["nDCG@10"], judge=judge, sampled=ir.sample(table_of(people), n, seed=3)).verdict
        for n in (40, 75)
    )
    rests = "This rests on the 28 queries that people judged having shown how much a query can lose"
    assert (few.outcome, few.assumption) == ("SHIP", rests)
    assert (many.outcome, many.assumption) == ("SHIP", "")
    assert f"{rests}." in few.sentence
    skewed = rare_losses(10, n=60, seed=0).verdict
    assert (skewed.outcome, skewed.assumption) == (
        "SHIP", "This rests on skewed differences having shown how much a query can lose",
    )  # fmt: skip


def test_a_calibrated_ship_that_needs_no_assumption_says_none() -> None:
    """The change is so large that people's differences show a gain without any, and not one above so high a margin."""
    people, judge, _ = world()
    rng = np.random.default_rng(5)
    old, new = (
        {q: {d: way * g + rng.normal(0, 0.5) for d, g in docs.items()} for q, docs in people.items()} for way in (-1, 1)
    )
    drawn = ir.sample(table_of(people), 40, seed=3)
    asked = {query: people[query] for query in drawn.drawn}
    found = {
        margin: ir.compare(
            asked, {"old": old, "new": new}, ["nDCG@10"], judge=judge, sampled=drawn, margin=margin
        ) for margin in (0.0, 0.7)
    }  # fmt: skip
    free = found[0.0]["nDCG@10"].unassuming
    assert free is not None
    assert 0 < free.low < 0.7
    assert [(each.verdict.outcome, bool(each.verdict.assumption)) for each in found.values()] == [
        ("SHIP", False), ("SHIP", True),
    ]  # fmt: skip


def test_what_nobody_judged_is_said_with_any_outcome() -> None:
    """The assumption of a verdict by a judge has what a SHIP rests on first, then what people left open."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 40, seed=3)
    asked = {query: dict(people[query]) for query in drawn.drawn}
    asked[next(q for q in drawn.drawn if systems["old"][q] != systems["new"][q])].pop("d0")
    left = "People left 1 result of 1 sampled query unjudged"
    both = f"This rests on the 28 queries that people judged having shown how much a query can lose. {left}"
    for margin, outcome, said in ((0.0, "SHIP", both), (0.1, "CAN'T TELL", left)):
        verdict = ir.compare(asked, systems, ["nDCG@10"], judge=judge, sampled=drawn, margin=margin).verdict
        assert verdict.outcome == outcome
        assert verdict.assumption.startswith(said)


def test_a_guardrail_stops_a_calibrated_system() -> None:
    """Guardrails are read by people alone: one that surely loses makes it DON'T, whatever the judge says."""
    people, judge, systems = world()
    drawn = ir.sample(table_of(people), 60, seed=3)
    # The new system puts everything below rank 10 last that the old one has there: recall at 15 falls.
    cut = {q: dict(sorted(docs.items(), key=lambda one: -one[1])[:10]) for q, docs in systems["new"].items()}
    found = ir.compare(people, {"old": systems["old"], "new": cut}, ["nDCG@10", "R@20"], judge=judge, sampled=drawn)
    assert found.calibration
    assert found.verdict.outcome == "DON'T"
    assert "R@20" in found.verdict.reason


@pytest.mark.parametrize("option", [{"weights": {f"q{i}": 1 for i in range(120)}}, {"only": "q1"}, {"hold_out": 0.5}])
def test_options_that_it_does_not_read_are_refused(option: dict[str, Any]) -> None:
    """Weights, a choice of queries and a hold-out have no meaning beside a random sample."""
    people, judge, systems = world()
    with pytest.raises(ir.UsageError, match="not with a judge that is calibrated"):
        ir.compare(people, systems, ["nDCG@10"], judge=judge, sampled=ir.sample(table_of(people), 40), **option)
