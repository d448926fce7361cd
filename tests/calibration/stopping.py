"""How often labelling that stops where the outcome is likely stops too early: python -m tests.calibration.stopping.

Of each simulated comparison every label is known. Labels are revealed in the order of `label_next`, one at a time, with
a look after each, until the outcome is likely; it is wrong if it is not that of all labels. A comparison takes about a
minute. `python -m tests.calibration.stopping 60 crossing` simulates what is hardest to foresee:
one system is better in the first three ranks, which are labelled first, and the other below. With a folder of TREC's
(qrels.txt, and runs in runs/*.gz) in place of `crossing`, the comparisons are those of pairs of its runs under nDCG@10
and P@10: of nine runs, 72.
"""

from __future__ import annotations

import functools
import gzip
import itertools
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

import idealrank as ir
from idealrank.labels.label_next import Order
from idealrank.labels.stopping import LEAST_LABELLED

POOLS, K = 54, 10
MEASURES = ("nDCG@10", "P@10", "DCG@10")
QUERIES = (25, 50, 100)
DOCUMENTS = 40


class World(NamedTuple):
    """Two systems and every label of their first ten documents."""

    grades: dict[str, dict[str, float]]
    results: dict[str, dict[str, dict[str, float]]]
    measure: str


class Stop(NamedTuple):
    """Where labelling stopped: the share of the labels, the outcome there, and that of all labels."""

    labelled: float
    outcome: str
    truth: str


def world(seed: int) -> World:
    """Draw a comparison: how large the gain is, how alike both lists are, how alike documents of a query are."""
    rng = np.random.default_rng([seed, 33])
    n = int(rng.choice(QUERIES))
    rates = rng.dirichlet([6, 2, 1.5, 1])
    alike = float(rng.choice([1.0, 3.0, 10.0]))
    shared, gain = float(rng.choice([0.3, 0.6, 0.85])), float(rng.choice([0.0, 0.0, 0.03, 0.06, 0.1, 0.2]))
    grades: dict[str, dict[str, float]] = {}
    results: dict[str, dict[str, dict[str, float]]] = {"a": {}, "b": {}}
    for q in range(n):
        grade = rng.choice(4, DOCUMENTS, p=rng.dirichlet(alike * rates + 1e-3)).astype(float)
        both, own = rng.normal(size=DOCUMENTS), rng.normal(size=(2, DOCUMENTS))
        better = rng.normal(gain, 0.3)  # systems differ by query, too
        kept = set()
        for name, noise, skill in (("a", own[0], 0.5), ("b", own[1], 0.5 + better)):
            score = skill * grade + shared**0.5 * both + (1 - shared) ** 0.5 * noise
            first = np.argsort(-score)[:K]
            results[name][f"q{q:03}"] = {f"d{d:02}": float(score[d]) for d in first}
            kept |= set(first.tolist())
        grades[f"q{q:03}"] = {f"d{d:02}": grade[d] for d in sorted(kept)}
    return World(grades, results, str(rng.choice(MEASURES)))


def crossing(seed: int) -> World:
    """Draw a comparison of two systems of which one has the better documents in the first three ranks, and worse below.

    Grades fall with the rank, and differ by query. Documents that both return have about the same rank in both.
    """
    rng = np.random.default_rng([seed, 34])
    shared, cross = float(rng.choice([0.3, 0.6, 0.85])), float(rng.choice([0.4, 0.8]) * rng.choice([-1, 1]))
    grades: dict[str, dict[str, float]] = {}
    results: dict[str, dict[str, dict[str, float]]] = {"a": {}, "b": {}}
    for q in range(int(rng.choice(QUERIES))):
        both, ranks = int((rng.random(K) < shared).sum()), dict[str, list[int]]()
        for name in results:
            order = [f"{name}{place}" for place in range(K)]
            for place, rank in enumerate(np.sort(rng.choice(K, both, replace=False)).tolist()):
                order[rank] = f"both{place}"
            results[name][f"q{q:03}"] = {doc: float(K - place) for place, doc in enumerate(order)}
            for place, doc in enumerate(order):
                ranks.setdefault(doc, []).append(place + 1)
        level, favour = rng.normal(0, 0.7), rng.normal(0, 0.5)
        of_query = {}
        for doc, where in ranks.items():
            rank = float(np.mean(where))
            own = {"a": -0.5, "b": 0.5}.get(doc[0], 0.0) if len(where) == 1 else 0.0
            value = level - 0.5 * np.log(rank) + own * (favour + cross * (1 if rank <= 3 else -1.3)) + rng.normal()
            of_query[doc] = float((value > np.array([0.3, 1.0, 1.7])).sum())
        grades[f"q{q:03}"] = of_query
    return World(grades, results, str(rng.choice(MEASURES)))


def pair_of_runs(place: int, folder: str) -> World:
    """Return the comparison of a pair of TREC runs: their first ten results, with grade 0 where nobody judged one."""
    qrels = ir.read_judgments(f"{folder}/qrels.txt")
    paths = sorted(Path(folder, "runs").iterdir())
    pairs = [(*pair, measure) for pair in itertools.combinations(paths, 2) for measure in MEASURES[:2]]
    first, second, measure = pairs[place]
    results: dict[str, dict[str, dict[str, float]]] = {}
    for name, path in (("a", first), ("b", second)):
        results[name] = {}
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for query, _, doc, _, score, *_ in map(str.split, file):
                results[name].setdefault(query, {})[doc] = float(score)
        for query, of in results[name].items():
            best = sorted(of.items(), key=lambda one: (one[1], one[0]), reverse=True)
            results[name][query] = dict(best[:K])
    pool = qrels.pool("median", "error")
    queries = np.repeat(pool.queries, np.diff(pool.start)).tolist()
    judged = dict(
        zip(zip(queries, pool.docs(np.arange(len(pool.grade))), strict=True), pool.grade.tolist(), strict=True)
    )
    both = [query for query in pool.queries if query in results["a"] and query in results["b"]]
    grades = {
        query: {doc: max(judged.get((query, doc), 0.0), 0.0) for of in results.values() for doc in of[query]}
        for query in both
    }
    return World(grades, {name: {query: of[query] for query in both} for name, of in results.items()}, measure)


def stop(
    seed: int,
    order: Order = "weight",
    draws: int = 200,
    level: float = 0.95,
    draw_world: Callable[[int], World] = world,
    looks: int = 1,
) -> Stop:
    """Label a comparison until its outcome is likely, with a look after so many labels."""
    grades, results, measure = draw_world(seed)
    queries, size = list(grades), sum(map(len, grades.values()))
    # A label 0 of a document that nobody returned gives each query a place, and changes nothing; ids must meet once.
    known = {query: {"-": 0.0} for query in queries}
    for of_system in results.values():
        top = next(iter(of_system[queries[0]]))
        known[queries[0]][top] = grades[queries[0]][top]
    first = ir.label_next(known, results, measure, order=order, rows=None, draws=0, seed=seed)
    todo = list(zip(first.rows["query"], first.rows["doc"], strict=True))
    truth = ir.label_next(grades, results, measure, draws=0).outcome
    for labelled, (query, doc) in enumerate(todo, 1):
        known[query][doc] = grades[query][doc]
        if labelled < LEAST_LABELLED * size or (labelled % looks and labelled < len(todo)):
            continue
        found = ir.label_next(known, results, measure, rows=1, draws=draws, level=level, seed=seed)
        if found.likely:
            break
    return Stop(found.labelled_share, str(found.outcome), str(truth))


def stops(pools: int, draw_world: Callable[[int], World] = world, first: int = 70_000) -> list[Stop]:
    """Label several comparisons, on two cores."""
    work = functools.partial(stop, draw_world=draw_world)
    with ProcessPoolExecutor(2) as workers:
        return list(workers.map(work, range(first, first + pools), chunksize=1))


def main() -> None:
    """Print the share of wrong stops, and of the labels."""
    pools, first, draw_world = int(sys.argv[1]) if len(sys.argv) > 1 else POOLS, 70_000, world
    if len(sys.argv) > 2 and sys.argv[2] != "crossing":
        first = 0  # the place of a pair
    if len(sys.argv) > 2:
        draw_world = crossing if sys.argv[2] == "crossing" else functools.partial(pair_of_runs, folder=sys.argv[2])
    found = stops(pools, draw_world, first)
    labelled = np.array([one.labelled for one in found])
    wrong = np.array([one.outcome != one.truth for one in found])
    opposite = sum({one.outcome, one.truth} == {"SHIP", "DON'T"} for one in found)
    decided = np.array([one.outcome != "CAN'T TELL" for one in found])
    print(f"{len(found)} comparisons: {wrong.sum()} wrong, {wrong.mean():.2%} ({opposite} opposite)")
    print(f"stopped at another outcome than CAN'T TELL: {decided.sum()}, {wrong[decided].sum()} of them wrong")
    settled = sum(one.truth != "CAN'T TELL" for one in found)
    print(f"with all labels another outcome than CAN'T TELL: {settled}")
    tenths = np.quantile(labelled, [0.5, 0.75, 0.9])
    print(f"labelled at the stop: mean {labelled.mean():.1%}, median {tenths[0]:.1%}, 90 % quantile {tenths[2]:.1%}")


if __name__ == "__main__":
    main()
