"""Random judgments and results with everything that makes tools disagree."""

from __future__ import annotations

import random
from typing import NamedTuple

import idealrank as ir

Grades = dict[str, dict[str, float]]
Scores = dict[str, dict[str, float]]

# Ids that order differently as text, as numbers, without case, as UTF-16 and as UTF-8.
ODD_IDS = ("d9", "d10", "D9", "d-1", "Z", "a", "é", "z", "～", "😀", "0", "00")


class Data(NamedTuple):
    """Judgments and results as dicts of dicts, by query and document."""

    judgments: Grades
    results: Scores

    def grades(self, query: str) -> list[float]:
        """Grades of the results in the order they were made; an unjudged one has 0."""
        return [self.judgments[query].get(doc, 0) for doc in self.results[query]]

    def scores(self, query: str) -> list[float]:
        """Scores of the results in the same order."""
        return list(self.results[query].values())

    def both(self) -> list[str]:
        """Queries that are judged and have results."""
        return [query for query in self.results if query in self.judgments]

    def subset(self, queries: list[str]) -> Data:
        """Keep some queries of the results."""
        return Data(self.judgments, {query: self.results[query] for query in queries})


def random_data(
    seed: int,
    scale: tuple[float, ...] = (0, 1, 2, 3),
    *,
    queries: int = 40,
    depth: int = 60,
    missing: bool = True,
    close: float = 0.0,
) -> Data:
    """Make judgments and results: ties, holes, short lists, zero-only queries, queries missing either way.

    Parameters
    ----------
    scale
        The grades, drawn with equal chance but for the first, which is as frequent as all others.
    depth
        Most results a query has.
    missing
        Whether some queries lack results and some lack judgments.
    close
        Added to half of the scores: below the resolution of float32 it makes ties there and only there.
    """
    rng = random.Random(seed)
    data = Data({}, {})
    for number in range(queries):
        query = f"{number}" if number % 3 else f"query {number}"
        docs = rng.sample([*ODD_IDS, *(f"D{i:03d}" for i in range(depth * 2))], rng.choice([1, 2, 5, depth]))
        others = [f"X{i}" for i in range(rng.choice([0, 1, 30]))]
        kind = rng.random()
        judged = [doc for doc in docs if rng.random() < 0.6] + others
        if missing and kind < 0.08:
            docs = []
        if not (missing and 0.08 <= kind < 0.16):
            weights = [len(scale) - 1, *([1] * (len(scale) - 1))]
            drawn = rng.choices(scale, weights, k=len(judged))
            grades = dict(zip(judged, drawn, strict=True)) or {"X": scale[-1]}
            data.judgments[query] = dict.fromkeys(grades, 0) if 0.16 <= kind < 0.24 else grades
        if docs:
            levels = rng.choice([1, 3, 10, 1000])
            data.results[query] = {doc: rng.randrange(levels) / 8 + rng.choice([0.0, close]) for doc in docs}
    return data


def values(scores: ir.Scores, place: int = 0) -> dict[str, float]:
    """Return the values per query of one measure of a one-system evaluation."""
    return dict(zip(scores.queries, scores.values[0, place].tolist(), strict=True))
