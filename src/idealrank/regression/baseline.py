"""A baseline: the value of every query, what its list and judgments were, and the decisions behind all of it."""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats
from idealrank.data.filters import query_mask
from idealrank.data.formats.folders import refuse_endless
from idealrank.data.formats.head import BASELINE_FORM
from idealrank.decisions.decisions import Decisions
from idealrank.errors import DataError, IdealrankError, either
from idealrank.evaluation.buckets import map_buckets
from idealrank.evaluation.means import average
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.measures import parse
from idealrank.measures.definition import Measure
from idealrank.regression.dates import date_of_results
from idealrank.regression.list_hashes import digest, hashed, judgment_rows, list_hashes, returned_documents, sketch_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


class CollectionSketch(NamedTuple):
    """What a baseline keeps of lists and judgments, of all queries or of some.

    Attributes
    ----------
    queries
        By id, what is known of each query besides its values.
    documents
        The hashes of the documents that the queries asked for returned.
    max_grade, date, record
        The highest grade on the scale; the day of the results; what a replay recorded, nothing of some queries or
        without one.
    """

    queries: dict[str, dict[str, Any]]
    documents: NDArray[np.uint64]
    max_grade: float
    date: str
    record: Mapping[str, Any] = {}


def baseline_of(scores: Scores, system: str | None = None) -> Baseline:
    """Return the values, hashes and decisions of one system, as a baseline keeps them.

    Parameters
    ----------
    system
        One of several systems; None where there is one.
    """
    s = scores.system_place(system)
    seen = _sketch_collection(scores, s)
    return Baseline(
        system=scores.systems[s],
        convention=scores.setting.text,
        measures=scores.fingerprints,
        max_grade=seen.max_grade,
        queries={
            (query := scores.queries[q]): BaselineQuery(**_values_and_weight(scores, s, q), **seen.queries[query])
            for q in np.flatnonzero(scores.in_scope).tolist()
        },
        unjudged=len(scores.unjudged_queries(s)),
        corpus=_corpus_of(seen),
        version=metadata.version("idealrank"),
        date=seen.date,
    )


def _sketch_collection(scores: Scores, s: int) -> CollectionSketch:
    look = partial(seen_in, s=s, decisions=scores.setting.decisions, only=scores.only)
    every, record = [seen for _, seen in map_buckets(scores, look)], scores.counts.returned[s].record
    return CollectionSketch(
        {query: facts for seen in every for query, facts in seen.queries.items()},
        np.unique(np.concatenate([seen.documents for seen in every])),
        max(seen.max_grade for seen in every),
        next(filter(None, (seen.date for seen in every)), str((record or {}).get("begun", ""))[:10]),
        record or {},
    )


def seen_in(joins: list[Join], s: int, decisions: Decisions, only: Any) -> CollectionSketch:
    """Return what a baseline keeps of the lists of a system, where it meets the judgments.

    Parameters
    ----------
    s
        The place of the system.
    only
        The queries asked for, as the caller named them; None: all.
    """
    joined = joins[s].lists(decisions, "dense")
    documents = returned_documents(joined)
    facts = map(
        partial(_query_facts, joined),
        range(joined.size),
        list_hashes(joined, decisions, documents),
        judgment_rows(joined),
    )
    asked = itertools.compress(documents, query_mask(only, joined.queries, least=0))
    return CollectionSketch(
        dict(zip(joined.queries, facts, strict=True)), hashed(itertools.chain.from_iterable(asked)), joined.max_grade,
        date_of_results(joined.results),
    )  # fmt: skip


def _query_facts(joined: SystemLists, q: int, returned: str, judged: list[list[str]]) -> dict[str, Any]:
    grades = Counter(row[1] for row in judged)
    return {
        "list": returned,
        "results": int(joined.judged.returned[q]),
        "judgments": digest(judged),
        "grades": dict(sorted(grades.items(), key=lambda each: float(each[0]))),
        "failed": bool(joined.failed[q]),
    }


def _values_and_weight(scores: Scores, s: int, q: int) -> dict[str, Any]:
    values = dict(zip(scores.labels, scores.values[s, :, q].tolist(), strict=True))
    weight = None if scores.weights is None else float(scores.weights[q])
    return {"values": {label: None if math.isnan(x) else x for label, x in values.items()}, "weight": weight}


def _corpus_of(seen: CollectionSketch) -> Corpus:
    index, documents = str(seen.record.get("index") or ""), seen.record.get("documents")
    return Corpus(len(seen.documents), sketch_of(seen.documents), index, documents)


# Reading a baseline's file: one that is cut off, edited or newer is refused with its line.


_ANEW = either("Get it back from version control, or write it anew: ir.bless(scores, path)",
               "Get it back from version control, or write it anew with --bless")  # fmt: skip
_OLD_RESULTS = "If it contains the old results, give them before the new ones: " + either(
    "ir.gate(judgments, old, new, fail_if='nDCG@10 drops 0.01')",
    "idealrank gate JUDGMENTS OLD NEW --fail-if 'nDCG@10 drops 0.01'",
)


def read_baseline(path: str | Path, *, anew: str = "") -> Baseline:
    """Read the baseline that `bless` wrote.

    Parameters
    ----------
    path
        Its file.
    anew
        How to write it anew, for messages; "": by `bless`.

    Raises
    ------
    DataError
        If there is no such file, or it is not a whole baseline that nobody edited: with the line.

    Examples
    --------
    >>> import idealrank as ir, pathlib, tempfile
    >>> scores = ir.evaluate({"q": {"d": 1}}, {"q": {"x": 2.0, "d": 1.0}}, ["RR"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = ir.bless(scores, pathlib.Path(folder, "base.json"))
    ...     ir.read_baseline(pathlib.Path(folder, "base.json"))
    Baseline('results', 1 queries, RR 0.5000)
    """
    way = anew or _ANEW
    try:
        refuse_endless(str(path))
        text = Path(path).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not a baseline: byte {error.start} is not UTF-8. {way}.") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}. {way}.") from None
    if not anew and text.lstrip()[:1] not in ("", "{", "[", "<"):
        way = f"{way}. {_OLD_RESULTS}"
    try:
        return replace(_parse_baseline(text), file=str(path))
    except _BrokenError as broken:
        raise DataError(f"{path}{broken}. {broken.way or way}.") from None


class _BrokenError(Exception):
    """What is wrong with a file, after its name: its line, and words."""

    def __init__(self, line: int, what: str, way: str = "") -> None:
        super().__init__(f" line {line}: {what}" if line else f": {what}")
        self.way = way


def _parse_baseline(text: str) -> Baseline:
    whole = _parse_json(text)
    _refuse_form(whole)
    rows = whole.pop("queries", None)
    if not isinstance(rows, dict):
        raise _BrokenError(_line_number(text, '  "queries"'), "not a baseline: it has no queries")
    queries = {query: _read_query(text, query, row) for query, row in rows.items()}
    _refuse_edited(text, whole, [row["check"] for row in rows.values()])
    return _build_baseline(whole, queries)


def _parse_json(text: str) -> dict[str, Any]:
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip())
        what = "it ends in the middle" if cut else f"{error.msg} in column {error.colno}"
        raise _BrokenError(error.lineno, f"not a baseline: {what}") from None
    except RecursionError:
        raise _BrokenError(0, "not a baseline: it is nested too deeply") from None
    if not isinstance(whole, dict):
        raise _BrokenError(1, "not a baseline: it does not begin with {")
    return whole


def _refuse_form(whole: Mapping[str, Any]) -> None:
    name, _, version = str(whole.get("form", "")).rpartition(" ")
    if name != BASELINE_FORM or not version.isdecimal():
        raise _BrokenError(2, f'not a baseline: "form" is not {f"{BASELINE_FORM} {VERSION}"!r}')
    if int(version) > VERSION:
        newer = f"version {version} of the schema, written by idealrank {whole.get('idealrank', '?')}"
        raise _BrokenError(2, f"{newer}; this idealrank reads up to {VERSION}", "Install a newer idealrank")


def _read_query(text: str, query: str, row: Any) -> BaselineQuery:
    line = _line_number(text, f"    {json.dumps(query, ensure_ascii=False)}: ")
    if not isinstance(row, dict) or row.get("check") != check_of(query, {k: v for k, v in row.items() if k != "check"}):
        raise _BrokenError(line, f"query {query!r} was edited after it was blessed, or merged by hand")
    try:
        return BaselineQuery(
            values={name: None if value is None else float(value) for name, value in row["values"].items()},
            list=row["list"],
            results=row["results"],
            judgments=row["judgments"],
            grades=row["grades"],
            weight=row.get("weight"),
            failed=row.get("failed", False),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _BrokenError(line, f"query {query!r} cannot be read: {error!r}") from None


def _refuse_edited(text: str, head: Mapping[str, Any], checks: list[str]) -> None:
    if head.get("check") != digest([{k: v for k, v in head.items() if k != "check"}, checks]):
        what = "edited after it was blessed, or merged: what is above the queries, or which queries there are"
        raise _BrokenError(_line_number(text, '  "check"'), what)


def _build_baseline(head: Mapping[str, Any], queries: dict[str, BaselineQuery]) -> Baseline:
    try:
        corpus = head["corpus"]
        made = Baseline(
            system=head["system"],
            convention=head["convention"],
            measures=head["measures"],
            max_grade=head["max_grade"],
            queries=queries,
            unjudged=head["unjudged_queries"],
            corpus=Corpus(
                corpus["seen"], tuple(corpus["sketch"].split()), corpus.get("index", ""), corpus.get("documents")
            ),
            version=head["idealrank"],
            date=head.get("date", ""),
        )
        for name in made.measures:
            made.measure(name)
    except (KeyError, TypeError, ValueError, AttributeError, IdealrankError) as error:
        raise _BrokenError(0, f"not a baseline that can be read: {error}") from None
    return made


def _line_number(text: str, begin: str) -> int:
    """Return the line that begins so, from 1; 0 where there is none."""
    return next((number for number, line in enumerate(text.split("\n"), 1) if line.startswith(begin)), 0)


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
        The lowest hashes of their ids, at most `idealrank.regression.list_hashes.SKETCH`.
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
        return average(np.array([*of.values()]), meant.decisions, meant.definition.total, known, unjudged)

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
        lines = ",\n".join(f"    {_as_json(query)}: {_as_json(row)}" for query, row in checked.items())
        top = "".join(f"  {_as_json(name)}: {_indented(value)},\n" for name, value in head.items())
        return f'{{\n{top}  "queries": {{\n{lines}\n  }}\n}}\n'

    def _head(self) -> dict[str, object]:
        corpus = {"seen": self.corpus.seen, "sketch": " ".join(self.corpus.sketch)}
        corpus |= {"index": self.corpus.index} if self.corpus.index else {}
        corpus |= {} if self.corpus.documents is None else {"documents": self.corpus.documents}
        means = {name: None if math.isnan(mean := self.mean(name)) else mean for name in self.measures}
        return {
            "form": f"{BASELINE_FORM} {VERSION}",
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


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _indented(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=4).replace("\n}", "\n  }")
