"""explain: the arithmetic behind one value, from the same steps that gave it."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.ids import id_text, plain_ids
from idealrank.display.table import Table
from idealrank.errors import UsageError, either, named, nearest, some
from idealrank.evaluation.answers import Answers
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.explanation.notes import notes_on
from idealrank.evaluation.scoring import State, scored
from idealrank.judged_lists.arrangement import arranged
from idealrank.measures import Measure
from idealrank.measures.steps import Ideal, Steps, rounded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from idealrank.judged_lists.meeting import Meeting, Met


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
    answers
        The answer to every decision the measure reads.
    unsplit
        Why the score is no sum of contributions; empty where it is one. Then there is no total.
    judged
        How many queries are judged; this is one of them.
    answered
        The decision that gave the score where nothing was computed: no_results or no_relevant; else "".
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
    answers: Answers
    unsplit: str = ""
    judged: int = 1
    answered: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "query": self.query,
            "text": self.text,
            "system": self.system,
            "measure": self.measure.name,
            "decisions": self.measure.fingerprint,
            "score": _finite(self.score),
            "total": _finite(self.total),
            "normaliser": _finite(self.normaliser),
            "unsplit": self.unsplit,
            "steps": self.steps.rows(),
            "ideal": self.ideal.rows(),
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """Return the explanation as JSON in full precision."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def __repr__(self) -> str:
        from idealrank.display.text import render_explanation

        return render_explanation(self)

    def _repr_html_(self) -> str:
        from idealrank.display.html import explanation_html

        return explanation_html(self)


def explain(
    judgments: Any,
    results: Any = None,
    measure: str = "nDCG@10",
    *,
    query: object = None,
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
        A query id, or a query's text; None where only one query is judged.

    Raises
    ------
    UsageError
        If the query is not judged, its text belongs to several ids, or it is needed and not given.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2])
    >>> e = ir.explain(judgments, results, "DCG@2", query="q")
    >>> [round(share, 4) for share in e.steps["contribution"]], round(e.score, 4)
    ([3.0, 1.2619], 4.2619)
    """
    scores = evaluate(judgments, results, [measure], system=system, **options)
    if len(scores.measures) != 1:
        raise UsageError(f"{measure}: explain takes one measure with one cutoff.")
    found: Explanation = scores.explain(scores.labels[0], query, system)
    return found


def find_query(query: object, ids: Sequence[str], texts: Mapping[str, str], unjudged: Sequence[str] = ()) -> int:
    """Return the index of a query given by id or, failing that, by its text.

    Raises
    ------
    UsageError
        If there is none, or several ids have this text.
    """
    if query is None:
        if len(ids) == 1:
            return 0
        raise UsageError(f"Which of the {len(ids)} queries? Name one by id or by text, as {named('query', ids[0])}.")
    key, plain = id_text(query), plain_ids([query])[0]
    if plain in ids:
        return ids.index(plain)
    known = set(ids)
    alike = [i for i, text in texts.items() if text == key and i in known]
    if len(alike) == 1:
        return ids.index(alike[0])
    if alike:
        raise UsageError(f"{key!r} is the text of {len(alike)} queries: {some(alike)}. Give one of these ids.")
    if key in unjudged:
        raise UsageError(f"Query {key!r} has results but no judgments, so there is nothing to explain.")
    hint = (
        "" if texts else f" No table has texts of queries: give one with {either('queries=…', '--queries-table FILE')}."
    )
    raise UsageError(
        f"No judged query {key!r}.{nearest(key, [*ids[:10000], *texts.values()])} Queries: {some(ids, 3)}.{hint}"
    )


def explain_value(meeting: Meeting, measure: Measure, index: int, text: str, setting: str) -> Explanation:
    """Explain the value of one query (by index) of one system."""
    steps, met = _steps_of(meeting, measure, index)
    shares = _share(steps.contribution, measure)
    values, states = scored(meeting, measure)
    return Explanation(
        met.pool.queries[index],
        text,
        meeting.system,
        measure,
        _table(steps, met, measure, None),
        _ideal_table(steps, met, measure).stating({"fingerprint": measure.fingerprint}),
        float(values[index]),
        math.nan if steps.unsplit else math.fsum(shares.tolist()),
        math.nan if steps.unsplit else float(steps.normaliser[0]),
        tuple(notes_on(meeting, measure, steps, met, index)),
        Answers.to([measure], setting),
        steps.unsplit,
        met.size,
        _ANSWERED.get(State(int(states[index])), ""),
    )


_ANSWERED = {State.FILLED_NO_RESULTS: "no_results", State.FILLED_NO_RELEVANT: "no_relevant"}


def steps_table(meeting: Meeting, measure: Measure, index: int | None) -> Table:
    """Return the steps of one query, or of all with a query column first."""
    steps, dense = _steps_of(meeting, measure, index)
    queries = dense.pool.queries
    return _table(steps, dense, measure, queries if index is None else [queries[index]])


def _steps_of(meeting: Meeting, measure: Measure, index: int | None) -> tuple[Steps, Met]:
    """Compute the steps of all queries, or of one alone; the lists are then cut down to it."""
    if index is None:
        met = meeting.met_for(measure.on_lists, "dense")
    else:
        met = replace(meeting.met_for(measure.on_lists, "dense", np.array([index], np.int64)), span=(index, index + 1))
    return measure.steps(arranged(met.lists, measure.on_lists)), met


def _table(steps: Steps, met: Met, measure: Measure, queries: list[str] | None) -> Table:
    lists, share = steps.lists, _share(steps.contribution, measure)
    columns: dict[str, Any] = {}
    if queries is not None:
        columns["query"] = [queries[q] for q in lists.query]
    columns |= {"rank": lists.rank, "doc": _docs(met, lists.row), "grade": lists.grade}
    if lists.ranks == "averaged":
        columns |= {"tie_first": lists.tie_first, "tie_last": lists.tie_last}
    columns |= steps.columns | {"contribution": share, "running": lists.before(share) + share}
    return Table(columns, "steps", {"fingerprint": measure.fingerprint})


def _docs(met: Met, rows: Ints) -> list[str | None]:
    """Name the document of each row; None where a rank was left out."""
    there = rows >= 0
    names = iter(met.run.docs(rows[there]))
    return [next(names) if known else None for known in there]


def _share(contribution: Floats, measure: Measure) -> Floats:
    """Round contributions where the decisions say so, as the score does."""
    return rounded(contribution, measure.decisions.rounding, "term")


def _ideal_table(steps: Steps, met: Met, measure: Measure) -> Table:
    if steps.ideal is None:
        return Table({})
    ideal = _in_given_order(steps.ideal(), met) if measure.decisions.ideal == "global" else steps.ideal()
    entries = ideal.entry
    docs: list[str | None] = [None] * len(entries)
    for place, doc in zip(np.flatnonzero(entries >= 0), met.pool.docs(entries[entries >= 0]), strict=True):
        docs[int(place)] = doc
    share = _share(ideal.contribution, measure)
    return Table(
        {
            "rank": ideal.rank,
            "doc": docs,
            "grade": ideal.grade,
            "grade_rank": _dense_ranks(ideal.grade),
            "gain": ideal.gain,
            "discount": ideal.discount,
            "contribution": share,
            "running": np.cumsum(share),
        },
        "ideal",
    )


def _dense_ranks(grade: Floats) -> Ints:
    return np.searchsorted(np.unique(-np.nan_to_num(grade)), -np.nan_to_num(grade)) + 1


def _in_given_order(ideal: Ideal, met: Met) -> Ideal:
    """Documents of equal gain stand in the order of the judgments."""
    order = np.lexsort((met.pool.row[ideal.entry], -ideal.gain, ideal.query))
    return ideal._replace(grade=ideal.grade[order], gain=ideal.gain[order], entry=ideal.entry[order])


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
