"""The data all tools are given, and the table their numbers go to; nothing here but the standard library.

`python given.py` draws the data anew: ties, holes, short lists, queries of zeros only, negative and
fractional grades, queries missing either way.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
WHOLE = (0, 0, 0, 0, 1, 1, 2, 3, -1)
FRACTIONS = (0, 0, 0, 0.25, 0.5, 1, 1.7, 2.5, -0.5)
CUTOFFS = (1, 3, 10)

Grades = dict[str, dict[str, Any]]
Lists = dict[str, tuple[list[str], list[str]]]
"""For each query the ids of its relevant documents, and those of its results, best first."""

REPEATED: Lists = {
    "twice": (["A"], ["A", "A"]),
    "and another": (["A"], ["A", "A", "X"]),
    "half of two": (["A", "B"], ["A", "A"]),
    "later": (["A", "B"], ["X", "X", "A", "A", "B"]),
}
"""Results returned a second time: the lists of truera/trulens#2746 and deepset-ai/haystack#11959, and a longer one."""


class Ranked(NamedTuple):
    """What one query got: the grade of each result (None: unjudged) and its score, in the order of the file."""

    query: str
    docs: list[str]
    grades: list[float | None]
    scores: list[float]


def read(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of this folder."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def judgments(column: str = "grade") -> Grades:
    """Return the grades by query and document: of the column grade or fraction."""
    found: Grades = {}
    for row in read("judgments.tsv"):
        found.setdefault(row["query"], {})[row["doc"]] = _number(row[column])
    return found


def results(column: str = "score") -> Grades:
    """Return the scores by query and document: of the column score or untied."""
    found: Grades = {}
    for row in read("results.tsv"):
        found.setdefault(row["query"], {})[row["doc"]] = float(row[column])
    return found


def ranked(grades: str, scores: str) -> Iterator[Ranked]:
    """Go through the queries that are judged and have results."""
    judged = judgments(grades)
    for query, docs in results(scores).items():
        if query in judged:
            yield Ranked(query, list(docs), [judged[query].get(doc) for doc in docs], list(docs.values()))


def listed() -> Lists:
    """Return the lists of every query that is judged or has results; either may be empty. Fractions are relevant."""
    judged, found = judgments("fraction"), results()
    return {
        query: ([doc for doc, grade in judged.get(query, {}).items() if grade > 0], _best_first(found.get(query, {})))
        for query in {**judged, **found}
    }


def _best_first(scores: dict[str, float]) -> list[str]:
    return sorted(scores, key=lambda doc: -scores[doc])


def write(tool: str, packages: str, rows: Iterable[tuple[str, str, str, str, float]]) -> None:
    """Write a tool's numbers: the columns of the data it took, its measure, the query (all: its mean), its number.

    `packages` are the tool's and those that do its arithmetic; all versions are kept.
    """
    first, *others = packages.split()
    versions = ", ".join([version(first), *(f"{package} {version(package)}" for package in others)])
    found = [(versions, *row, repr(float(value))) for *row, value in rows]
    _put(f"{tool}.tsv", ("version", "grades", "scores", "measure", "query", "value"), found)
    print(f"{tool} {versions}: {len(found)} numbers")


def _number(text: str) -> float | int:
    return float(text) if "." in text else int(text)


def draw(seed: int) -> None:
    """Write judgments.tsv, results.tsv and subtopics.tsv."""
    rng = random.Random(seed)
    graded: list[tuple[Any, ...]] = []
    ranking: list[tuple[Any, ...]] = []
    served: list[tuple[Any, ...]] = []
    for number in range(24):
        query, kind = f"q{number:02}", number % 8
        docs = [f"d{rng.randrange(1000):03}{letter}" for letter in "abcdefghijklmnopqrstuvwxy"]
        found = [] if kind == 6 else docs[: (1, 2, 7, 20, 20)[number % 5]]
        levels = (1, 3, 1000)[number % 3]
        scores = [(rng.randrange(levels) + 1) / 8 for _ in found]
        untied = [place + 0.5 for place in rng.sample(range(100), len(found))]
        ranking += [(query, *row) for row in zip(found, scores, untied, strict=True)]
        for doc in [] if kind == 7 else docs:
            if rng.random() < 0.7:
                place = 0 if kind == 5 else rng.randrange(9)
                graded.append((query, doc, WHOLE[place], FRACTIONS[place]))
                subtopics = rng.sample("rstuv", rng.choice((1, 1, 2, 3)))
                served += [(query, topic, doc, 0 if kind == 5 else rng.randrange(2)) for topic in subtopics]
    _put("judgments.tsv", ("query", "doc", "grade", "fraction"), graded)
    _put("results.tsv", ("query", "doc", "score", "untied"), ranking)
    _put("subtopics.tsv", ("query", "subtopic", "doc", "grade"), served)


def _put(name: str, header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows([header, *rows])


if __name__ == "__main__":
    draw(3)
