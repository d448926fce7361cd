"""Nothing bad may raise a score: a crash, a dropped query, a shorter list, a row twice, a repeated chunk."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

import idealrank as ir
from idealrank.measures import DEFINITIONS
from tests.amounts import costly
from tests.properties.promises.counterexamples import CLOSE
from tests.properties.ranked import SERVES

Columns = dict[str, list[Any]]


class Result(NamedTuple):
    """One row: a chunk, or a document that is its own unit."""

    query: str
    chunk: str
    doc: str
    score: float
    status: str = "ok"


class World(NamedTuple):
    """Judgments (query, document, grade, subtopic), and results."""

    judgments: list[tuple[str, str, int, int]]
    results: list[Result]


SEEDS: Sequence[int] = range(60)
QUERIES = 4
if costly(2) == 1:  # the first six, and those in which what may raise a score does: computed from all sixty
    SEEDS = (0, 1, 2, 3, 4, 5, 9, 12, 15, 43, 50, 52, 58)


def at_random(seed: int, chunks: int) -> World:
    """Four queries of up to nine results, each document in up to so many chunks; some documents are not judged."""
    rng = random.Random(seed)
    judged: list[tuple[str, str, int, int]] = []
    results: list[Result] = []
    for query in (f"{seed}-{number}" for number in range(QUERIES)):
        docs = rng.sample(range(10, 40), 12)
        for doc in (*docs[:8], 99):
            grade = rng.choice((0, 1, 1, 2, 3))
            judged += [(query, f"d{doc}", grade, subtopic) for subtopic in SERVES.get(float(grade), (0,))]
        parts = [(doc, number) for doc in docs for number in range(rng.randint(1, chunks))]
        chosen = rng.sample(parts, rng.randint(3, 9))
        results += [Result(query, f"d{d}#{n}", f"d{d}", 100.0 - place) for place, (d, n) in enumerate(chosen)]
    return World(judged, results)


def _dropped(rows: list[Result], rng: random.Random) -> list[Result]:
    query = rng.choice(rows).query
    return [row for row in rows if row.query != query]


def _crashed(rows: list[Result], rng: random.Random) -> list[Result]:
    query = rng.choice(rows).query
    return [*(row for row in rows if row.query != query), Result(query, "", "", math.nan, "error")]


def _shorter(rows: list[Result], rng: random.Random) -> list[Result]:
    query = rng.choice(rows).query
    mine = [row for row in rows if row.query == query]
    cut = set(mine[rng.randint(1, len(mine)) :])
    return [row for row in rows if row not in cut]


def _row_again(rows: list[Result], rng: random.Random) -> list[Result]:
    row = rng.choice(rows)
    return [*rows, row._replace(score=row.score - rng.choice((0.0, 0.5, 20.5)))]


def _empty_id(rows: list[Result], rng: random.Random) -> list[Result]:
    return [*rows, Result(rng.choice(rows).query, "", "", 100.5 - rng.randint(0, 9))]


def _chunk_again(rows: list[Result], rng: random.Random) -> list[Result]:
    """Another chunk of a document that was returned, anywhere behind its first."""
    row = rng.choice(rows)
    first = max(other.score for other in rows if (other.query, other.doc) == (row.query, row.doc))
    return [*rows, row._replace(chunk=f"{row.doc}#77", score=first - rng.choice((0.5, 1.5, 3.5, 50.5)))]


class Harm(NamedTuple):
    """Something bad that happens to results, and the decisions under which the two means are taken."""

    done: Callable[[list[Result], random.Random], list[Result]]
    decisions: dict[str, Any]


UNITS = {"unit": "source"}
HARMS: dict[str, Harm] = {
    "a dropped query": Harm(_dropped, {}),
    "a crash": Harm(_crashed, {"failed": "0"}),
    "a shorter list": Harm(_shorter, {}),
    "a row twice": Harm(_row_again, {"duplicates": "first"}),
    "an empty id": Harm(_empty_id, {}),
    "a dropped query of units": Harm(_dropped, UNITS),
    "a shorter list of units": Harm(_shorter, UNITS),
    "a repeated chunk": Harm(_chunk_again, UNITS),
    "a repeated chunk that keeps its rank": Harm(_chunk_again, UNITS | {"counts": "returned"}),
    "a repeated chunk by the highest score": Harm(_chunk_again, UNITS | {"roll_up": "max"}),
    "a repeated chunk by the mean of one": Harm(_chunk_again, UNITS | {"roll_up": "mean(1)"}),
}

_LOST, _SHORT = "a dropped query, a crash, a dropped query of units", "a shorter list, a shorter list of units"
_KEPT = "a repeated chunk that keeps its rank"
RAISED: dict[tuple[str, str], str] = {
    (_LOST, "ARP NumNonRelRet Fallout Fallout@3"): "lower is better, and a query without results counts 0, the best",
    (_LOST, "yaap Utility"): "bad lists are below 0, which a query without results counts",
    (_SHORT, "P F1 F SetAP P_IA P_avgjg AverageGain"): "without a cutoff it is divided by what came back",
    (_SHORT, "BPM"): "the reader stops at the end of the list, with what he has spent so far",
    (_SHORT, "Utility"): "what is not relevant costs, and is no longer there",
    (_SHORT, "NumNonRelRet ARP Fallout Fallout@3"): "lower is better, and what is not relevant is no longer there",
    (_SHORT, "OPA AUC prefs_simp_imp prefs_pair_imp prefs_avgjg_imp prefs_simp_ret prefs_pair_ret prefs_avgjg_ret"): (
        "it compares pairs of results, and the pairs in the wrong order are no longer there"
    ),
    ("a shorter list of units", "prefs_avgjg_Rnonrel_ret"): "it compares pairs of results",
    ("a shorter list", "RnDCG"): "divided by the ideal of as many results as came back",
    (_SHORT, "NERR8 NERR9"): "divided by what the results could give in their best order",
    (_SHORT, "Compat RBOToIdeal"): "what lies behind the end is taken to agree as the list did before",
    (_KEPT, "Compat RBOToIdeal"): "the list is longer, and what lies behind its end weighs less",
    (_KEPT, "OPA AUC"): "the repeat is a result without a grade, and results above it are in the right order with it",
    (_KEPT, "Fallout@3"): "lower is better, and the repeat pushes what is not relevant out of the top 3",
    (_KEPT, "RnDCG"): "divided by the ideal of as many results as came back, of which the repeat is one more",
}
"""(harms, measures): why they may raise them all the same."""

MEASURES = {
    name: definition
    for definition in DEFINITIONS
    if definition.properties.direction != "count" and not definition.by_span
    for name in (definition.name, *([f"{definition.name}@3"] if definition.cutoff == "optional" else []))
}


def _values(worlds: list[World], rows: list[Result], decisions: dict[str, Any]) -> np.ndarray:
    """(measures, worlds) the means of each world, all worlds evaluated at once."""
    judged = [row for world in worlds for row in world.judgments]
    judgments = dict(
        zip(("query_id", "doc_id", "grade", "subtopic"), map(list, zip(*judged, strict=True)), strict=True)
    )
    results: Columns = {"query_id": [row.query for row in rows], "score": [row.score for row in rows]}
    results |= {"status": [row.status for row in rows]}
    if "unit" in decisions:
        results |= {"chunk_id": [row.chunk for row in rows], "source": [row.doc for row in rows]}
    else:
        results |= {"doc_id": [row.doc for row in rows]}
    scores = ir.evaluate(judgments, results, list(MEASURES), **decisions)
    order = [scores.queries.index(f"{seed}-{number}") for seed in SEEDS for number in range(QUERIES)]
    by_world: np.ndarray = scores.values[0][:, order].reshape(len(MEASURES), len(SEEDS), QUERIES).mean(axis=2)
    return by_world


@functools.cache
def _unharmed(chunks: int, decisions: tuple[tuple[str, Any], ...]) -> np.ndarray:
    """The means of the worlds as they are; several harms are done to the same."""
    worlds = [at_random(seed, chunks) for seed in SEEDS]
    return _values(worlds, [row for world in worlds for row in world.results], dict(decisions))


@functools.cache
def raised_by(harm: str) -> dict[str, str]:
    """The measures that a harm improves in one of many worlds, each with what it was and became."""
    done, decisions = HARMS[harm]
    worlds = [at_random(seed, 3 if "unit" in decisions else 1) for seed in SEEDS]
    before = _unharmed(3 if "unit" in decisions else 1, tuple(decisions.items()))
    harmed = [
        row for seed, world in zip(SEEDS, worlds, strict=True) for row in done(world.results, random.Random(seed))
    ]
    after = _values(worlds, harmed, decisions)
    better = after - before
    lower = np.array([definition.properties.direction == "lower" for definition in MEASURES.values()])
    better[lower] *= -1
    found = {}
    for place, name in enumerate(MEASURES):
        world = int(np.nanargmax(better[place]))
        if better[place, world] > CLOSE:
            found[name] = f"{name} in world {SEEDS[world]}: {before[place, world]} became {after[place, world]}"
    return found


@pytest.mark.parametrize("harm", HARMS)
def test_nothing_bad_raises_a_mean(harm: str) -> None:
    """No mean gets better by what went wrong, save those declared with their reason; and these do."""
    declared = {name for (harms, names) in RAISED if harm in harms.split(", ") for name in names.split()}
    raised = raised_by(harm)
    assert set(raised) == declared, [said for name, said in raised.items() if name not in declared]
