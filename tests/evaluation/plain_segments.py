"""Segments of documents in plain Python: lists of grades, sums, and every order of equally good documents."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

TYPES = ("html", "pdf", "wiki", None)


class World(NamedTuple):
    """Judgments, results (best first) and the type of documents; some documents are in no table."""

    judged: dict[str, dict[str, int]]
    lists: dict[str, list[str]]
    types: dict[str, str | None]

    def of(self, doc: str) -> str:
        """Return the segment of a document."""
        return self.types.get(doc) or "(none)"


def world(seed: int) -> World:
    """Draw a small world: up to 5 queries with up to 5 judged documents, of grades 0 to 3."""
    draw = random.Random(seed)
    docs = [f"d{i}" for i in range(9)]
    judged = {
        f"q{q}": {doc: draw.choice((0, 1, 1, 2, 3)) for doc in draw.sample(docs, draw.randint(1, 5))} for q in range(5)
    }
    judged["q0"][docs[0]] = 1  # something is relevant, and has a type
    lists = {query: draw.sample(docs, draw.randint(0, 7)) for query in judged}
    lists["q0"] = draw.sample(docs, 7)
    types = {doc: draw.choice(TYPES) for doc in docs if draw.random() < 0.9}
    return World(judged, lists, types | {docs[0]: "html"})


Adds = Callable[[list[int], list[int]], list[float]]
"""What each result adds to the value, from the grades of the results and of all judged documents."""


def ndcg_at_3(grades: list[int], pool: list[int]) -> list[float]:
    """Järvelin and Kekäläinen: grade / log2(rank + 1), over the best sum that three documents give."""
    best = sum(grade / math.log2(i + 2) for i, grade in enumerate(sorted(pool, reverse=True)[:3]))
    return [grade / math.log2(i + 2) / best if best and i < 3 else 0.0 for i, grade in enumerate(grades)]


def precision_at_3(grades: list[int], pool: list[int]) -> list[float]:
    """One third per relevant document in the first three."""
    return [float(Fraction(grade > 0, 3)) if i < 3 else 0.0 for i, grade in enumerate(grades)]


def recall_at_3(grades: list[int], pool: list[int]) -> list[float]:
    """1 / R per relevant document in the first three."""
    relevant = sum(grade > 0 for grade in pool)
    return [1 / relevant if i < 3 and grade > 0 else 0.0 for i, grade in enumerate(grades)]


def reciprocal_rank(grades: list[int], pool: list[int]) -> list[float]:
    """1 / rank of the first relevant document."""
    first = next((i for i, grade in enumerate(grades) if grade > 0), -1)
    return [1 / (i + 1) if i == first else 0.0 for i in range(len(grades))]


def average_precision(grades: list[int], pool: list[int]) -> list[float]:
    """The precision at each relevant document, over R."""
    relevant = sum(grade > 0 for grade in pool)
    return [
        sum(g > 0 for g in grades[: i + 1]) / (i + 1) / relevant if grade > 0 else 0.0 for i, grade in enumerate(grades)
    ]


MEASURES: dict[str, tuple[Adds, int | None, bool]] = {
    "nDCG@3": (ndcg_at_3, 3, True),
    "P@3": (precision_at_3, 3, False),
    "R@3": (recall_at_3, 3, False),
    "RR": (reciprocal_rank, None, False),
    "AP": (average_precision, None, False),
}
"""By name: what results add, the cutoff, and whether grades above 0 differ."""


def mean_by_type(found: World, adds: Adds, kind: str) -> tuple[int, float | None]:
    """Return to how many queries a type applies, and the mean of the values in which only it is relevant."""
    values = []
    for query, judged in found.judged.items():
        only = {doc: grade if found.of(doc) == kind else 0 for doc, grade in judged.items()}
        if any(only.values()):
            grades = [only.get(doc, 0) for doc in found.lists[query]]
            values.append(sum(adds(grades, list(only.values()))))
    return len(values), sum(values) / len(values) if values else None


def recall_of_type(found: World, cutoff: int | None, kind: str) -> tuple[int, float | None]:
    """Return the number of relevant documents of a type, and the share of them within the cutoff."""
    pairs = [(q, doc) for q, judged in found.judged.items() for doc, g in judged.items() if g and found.of(doc) == kind]
    inside = sum(doc in found.lists[query][:cutoff] for query, doc in pairs)
    return len(pairs), inside / len(pairs) if pairs else None


def earned(found: World, adds: Adds) -> dict[str, float]:
    """Add up what the results of each type add to the values."""
    sums: dict[str, float] = {}
    for query, judged in found.judged.items():
        grades = [judged.get(doc, 0) for doc in found.lists[query]]
        if any(judged.values()):
            for doc, share in zip(found.lists[query], adds(grades, list(judged.values())), strict=True):
                sums[found.of(doc)] = sums.get(found.of(doc), 0.0) + share
    return sums


def ideal(found: World, adds: Adds, graded: bool) -> dict[str, float]:
    """Add up what each type earns in the ideal lists, as the mean over every order of equally good documents."""
    sums: dict[str, float] = {}
    for judged in found.judged.values():
        orders = list(_best_orders(judged, graded)) if any(judged.values()) else []
        for order in orders:
            for doc, share in zip(order, adds([judged[doc] for doc in order], list(judged.values())), strict=True):
                sums[found.of(doc)] = sums.get(found.of(doc), 0.0) + share / len(orders)
    return sums


def _best_orders(judged: dict[str, int], graded: bool) -> Iterator[tuple[str, ...]]:
    """Yield every list of just the relevant documents, best first."""
    for order in itertools.permutations(doc for doc, grade in judged.items() if grade):
        grades = [judged[doc] for doc in order]
        if not graded or grades == sorted(grades, reverse=True):
            yield order
