"""explain: the arithmetic behind one value, from the same steps that gave it."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.errors import UsageError, nearest, some
from idealrank.evaluation import evaluate
from idealrank.lists import Floats, Ints
from idealrank.measures import Measure
from idealrank.measures.steps import Ideal, Steps, rounded
from idealrank.notes import notes_on
from idealrank.scoring import scored
from idealrank.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from idealrank.judge import Meeting, Met


@dataclass(frozen=True, eq=False)
class Explanation:
    """One value and where it comes from.

    Attributes
    ----------
    steps
        One row a result: rank, doc, grade, the measure's own columns, contribution, running sum.
    ideal
        The ideal list with the same columns; empty where the measure has none.
    score, total, normaliser
        The value; the sum of the contributions; what it is divided by.
    notes
        What the decisions did here, in plain words.
    """

    query: str
    text: str
    system: str
    measure: Measure
    steps: Table
    ideal: Table
    score: float
    total: float
    normaliser: float
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "query": self.query,
            "text": self.text,
            "system": self.system,
            "measure": self.measure.name,
            "decisions": self.measure.fingerprint,
            "score": _finite(self.score),
            "total": self.total,
            "normaliser": self.normaliser,
            "steps": json.loads(self.steps.to_json()),
            "ideal": json.loads(self.ideal.to_json()),
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """Return the explanation as JSON in full precision."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def __repr__(self) -> str:
        from idealrank.report.text import render_explanation

        return render_explanation(self)

    def _repr_html_(self) -> str:
        from idealrank.report.html import explanation_html

        return explanation_html(self)


def explain(
    judgments: Any,
    results: Any = None,
    measure: str = "nDCG@10",
    *,
    query: str,
    system: str | None = None,
    **options: Any,
) -> Explanation:
    """Explain the value of one measure for one query.

    Parameters
    ----------
    judgments, results, system, options
        As for `evaluate`.
    measure
        One measure.
    query
        A query id, or a query's text.

    Raises
    ------
    UsageError
        If the query is not judged, or its text belongs to several ids.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2])
    >>> e = ir.explain(judgments, results, "DCG@2", query="q")
    >>> e.steps["contribution"], e.score
    ([3.0, 1.2618595071429148], 4.261859507142915)
    """
    scores = evaluate(judgments, results, [measure], system=system, **options)
    if len(scores.measures) != 1:
        raise UsageError(f"{measure}: explain takes one measure with one cutoff.")
    found: Explanation = scores.explain(
        scores.measures[0].name, query, system or (scores.systems[0] if len(scores.systems) == 1 else None)
    )
    return found


def find_query(query: object, ids: Sequence[str], texts: Mapping[str, str]) -> int:
    """Return the index of a query given by id or, failing that, by its text.

    Raises
    ------
    UsageError
        If there is none, or several ids have this text.
    """
    key = str(query)
    if key in ids:
        return ids.index(key)
    known = set(ids)
    named = [i for i, text in texts.items() if text == key and i in known]
    if len(named) == 1:
        return ids.index(named[0])
    if named:
        raise UsageError(f"{key!r} is the text of {len(named)} queries: {some(named)}. Give one of these ids.")
    raise UsageError(
        f"No judged query {key!r}.{nearest(key, [*ids[:10000], *texts.values()])} Queries: {some(ids, 3)}."
    )


def explain_value(meeting: Meeting, measure: Measure, query: object, texts: Mapping[str, str]) -> Explanation:
    """Explain one value of one system."""
    met = meeting.met(measure.decisions)
    index = find_query(query, met.pool.queries, texts)
    steps, dense = _steps_of(meeting, measure, index)
    table = _table(steps, dense, None)
    shares = rounded(steps.contribution, measure.decisions.rounding, "term")
    score = float(scored(meeting, measure)[0][index])
    ideal = _ideal_table(steps, dense) if steps.ideal is not None else Table({})
    key = met.pool.queries[index]
    return Explanation(
        key,
        texts.get(key, ""),
        meeting.system,
        measure,
        table,
        ideal,
        score,
        math.fsum(shares.tolist()),
        float(steps.normaliser[index]),
        tuple(notes_on(meeting, measure, steps, index)),
    )


def steps_table(meeting: Meeting, measure: Measure, index: int | None) -> Table:
    """Return the steps of one query, or of all with a query column first."""
    steps, dense = _steps_of(meeting, measure, index)
    return _table(steps, dense, dense.pool.queries)


def _steps_of(meeting: Meeting, measure: Measure, index: int | None) -> tuple[Steps, Met]:
    only = None if index is None else np.array([index], np.int64)
    lists = meeting.lists(measure.decisions, "dense", only)
    return measure.steps(lists), meeting.met(measure.decisions, "dense", only)


def _table(steps: Steps, met: Met, queries: list[str] | None) -> Table:
    lists = steps.lists
    columns: dict[str, Any] = {}
    if queries is not None:
        columns["query"] = [queries[q] for q in lists.query]
    columns |= {"rank": lists.rank, "doc": met.run.docs(lists.row), "grade": lists.grade}
    if lists.ranks == "averaged":
        columns |= {"tie_first": lists.tie_first, "tie_last": lists.tie_last}
    return Table(columns | steps.columns | {"contribution": steps.contribution, "running": _running(steps)}, "steps")


def _running(steps: Steps) -> Floats:
    return steps.lists.before(steps.contribution) + steps.contribution


def _ideal_table(steps: Steps, met: Met) -> Table:
    if steps.ideal is None:
        return Table({})
    ideal = _in_returned_order(steps.ideal(), steps)
    chosen = ideal.query == (steps.lists.query[0] if len(steps.lists.query) else -1)
    if not chosen.any():
        chosen = np.ones(len(ideal.query), np.bool_)
    named = ideal.entry[chosen]
    docs: list[str | None] = [None] * len(named)
    for place, doc in zip(np.flatnonzero(named >= 0), met.pool.docs(named[named >= 0]), strict=True):
        docs[int(place)] = doc
    share = ideal.contribution[chosen]
    return Table(
        {
            "rank": ideal.rank[chosen],
            "doc": docs,
            "grade": ideal.grade[chosen],
            "grade_rank": _dense_ranks(ideal.grade[chosen]),
            "gain": ideal.gain[chosen],
            "discount": ideal.discount[chosen],
            "contribution": share,
            "running": np.cumsum(share),
        },
        "ideal",
    )


def _dense_ranks(grade: Floats) -> Ints:
    return np.searchsorted(np.unique(-np.nan_to_num(grade)), -np.nan_to_num(grade)) + 1


def _in_returned_order(ideal: Ideal, steps: Steps) -> Ideal:
    """Among documents of equal gain, name those first that were returned first."""
    place = np.full(len(steps.lists.pool_entry) + int(ideal.entry.max(initial=0)) + 1, np.iinfo(np.int64).max)
    hits = steps.lists.entry >= 0
    place[steps.lists.entry[hits]] = steps.lists.rank[hits]
    order = np.lexsort((place[ideal.entry], -ideal.gain, ideal.query))
    return Ideal(
        ideal.query,
        ideal.rank,
        ideal.grade[order],
        ideal.gain[order],
        ideal.discount,
        ideal.contribution,
        ideal.entry[order],
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
