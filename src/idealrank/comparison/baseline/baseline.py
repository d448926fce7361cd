"""A baseline: the value of every query, what its list and judgments were, and the decisions behind all of it."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from idealrank.arrays import Floats
from idealrank.comparison.baseline.hashes import digest
from idealrank.data.recognition.baselines import FORM
from idealrank.evaluation.means import averaged
from idealrank.measures import Measure, parse

VERSION = 1
"""The newest version of the file's schema."""


@dataclass(frozen=True)
class BaselineQuery:
    """What a baseline knows of one judged query.

    Attributes
    ----------
    values
        Its value by measure; None where a decision leaves it out of the mean.
    list, judgments
        Hashes of the documents in their order, and of the documents with their grades; an empty list has none.
    results
        How many results came back.
    grades
        How many documents were judged with each grade.
    weight
        How much it counts; None where all queries count alike.
    failed
        Whether the search failed.
    """

    values: Mapping[str, float | None]
    list: str
    results: int
    judgments: str
    grades: Mapping[str, int]
    weight: float | None = None
    failed: bool = False

    @property
    def judged(self) -> int:
        """How many documents were judged."""
        return sum(self.grades.values())


@dataclass(frozen=True)
class Corpus:
    """What is known of the collection that was searched.

    Attributes
    ----------
    seen
        How many different documents the results for judged queries contain.
    sketch
        The lowest hashes of their ids, at most `idealrank.comparison.baseline.hashes.SKETCH`.
    index, documents
        The name of the index and its number of documents, where a replay recorded them.
    """

    seen: int
    sketch: tuple[str, ...]
    index: str = ""
    documents: int | None = None


@dataclass(frozen=True, repr=False)
class Baseline:
    """The values of one system that were accepted, query by query.

    Made by `idealrank.bless`, which writes it to a file, and read by `idealrank.read_baseline`.

    Attributes
    ----------
    system, convention
        The name of the system, and the convention with overrides.
    measures
        The fingerprint of each measure, by its name.
    max_grade
        The highest grade on the scale.
    queries
        What is known of each judged query, by id.
    unjudged
        How many queries have results but no judgments.
    corpus
        What is known of the collection.
    version
        The version of idealrank that computed the values.
    date
        The day of the results where their file's name or a replay says it, as 2026-11-23; "" otherwise.
    file
        Where it was read from; "" if it was not.
    """

    system: str
    convention: str
    measures: Mapping[str, str]
    max_grade: float
    queries: Mapping[str, BaselineQuery]
    unjudged: int
    corpus: Corpus
    version: str
    date: str = ""
    file: str = field(default="", compare=False)

    def values(self, measure: str) -> dict[str, float]:
        """Return the value of each query that has one."""
        return {q: value for q, row in self.queries.items() if (value := row.values.get(measure)) is not None}

    def measure(self, measure: str) -> Measure:
        """Return a measure with its decisions, by its name here."""
        (found,) = parse(self.measures[measure])
        return found

    def mean(self, measure: str, values: Mapping[str, float] | None = None) -> float:
        """Return the mean as the measure's decisions say, of all values here or of others by query."""
        of = self.values(measure) if values is None else values
        weights = [self.queries[q].weight if q in self.queries else None for q in of]
        meant = self.measure(measure)
        unjudged = self.unjudged if values is None and meant.decisions.no_judgments == "0" and of else 0
        known = _weights(weights, unjudged)
        return averaged(np.array([*of.values()]), meant.decisions, meant.definition.total, known, unjudged)

    @functools.cached_property
    def weighted(self) -> bool:
        """Whether queries have weights."""
        return any(row.weight is not None for row in self.queries.values())

    def text(self) -> str:
        """Write the file: JSON, one line per query, by id; the same bytes for the same values."""
        rows = {query: row_of(self.queries[query]) for query in sorted(self.queries)}
        checked = {query: row | {"check": check_of(query, row)} for query, row in rows.items()}
        head = self._head()
        head["check"] = digest([head, [row["check"] for row in checked.values()]])
        lines = ",\n".join(f"    {_json(query)}: {_json(row)}" for query, row in checked.items())
        top = "".join(f"  {_json(name)}: {_indented(value)},\n" for name, value in head.items())
        return f'{{\n{top}  "queries": {{\n{lines}\n  }}\n}}\n'

    def _head(self) -> dict[str, object]:
        corpus = {"seen": self.corpus.seen, "sketch": " ".join(self.corpus.sketch)}
        corpus |= {"index": self.corpus.index} if self.corpus.index else {}
        corpus |= {} if self.corpus.documents is None else {"documents": self.corpus.documents}
        means = {name: None if math.isnan(mean := self.mean(name)) else mean for name in self.measures}
        return {
            "form": f"{FORM} {VERSION}",
            "idealrank": self.version,
            **({"date": self.date} if self.date else {}),
            "system": self.system,
            "convention": self.convention,
            "measures": dict(self.measures),
            "means": means,
            "max_grade": self.max_grade,
            "unjudged_queries": self.unjudged,
            "corpus": corpus,
        }

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {self.mean(name):.4f}" for name in self.measures)
        return f"Baseline({self.system!r}, {len(self.queries)} queries, {means})"


def row_of(query: BaselineQuery) -> dict[str, object]:
    """Return what the file says of a query, without its checksum."""
    return {
        "values": dict(query.values),
        **({} if query.weight is None else {"weight": query.weight}),
        **({"failed": True} if query.failed else {}),
        "results": query.results,
        "list": query.list,
        "grades": dict(query.grades),
        "judgments": query.judgments,
    }


def check_of(query: str, row: Mapping[str, object]) -> str:
    """Return the checksum of a line, which shows that nobody edited it."""
    return digest([query, row])[:8]


def _weights(weights: list[float | None], unjudged: int) -> Floats | None:
    known = [weight for weight in weights if weight is not None]
    return np.array([*known, *[1.0] * unjudged]) if known and len(known) == len(weights) else None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _indented(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=4).replace("\n}", "\n  }")
