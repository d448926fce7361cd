"""The steps behind values as tables: one row per result, or one row per place of the ideal list."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.display.table import Table
from idealrank.judged_lists.meeting import Met
from idealrank.measures import Measure
from idealrank.measures.steps import Ideal, Steps, rounded


def steps_table(steps: Steps, met: Met, measure: Measure, queries: Sequence[str] | None = None) -> Table:
    """Return the steps, one row per result; with the ids of the queries a query column first."""
    lists, share = steps.lists, shares(steps.contribution, measure)
    columns: dict[str, Any] = {}
    if queries is not None:
        columns["query"] = [queries[q] for q in lists.query]
    if met.searches is not None:
        columns["step"] = np.where(lists.row < 0, 0, met.searches.step[lists.row])
    columns |= {"rank": lists.rank, "doc": _docs(met, lists.row)}
    columns |= {} if met.spans is None else {"span": _spans(met, lists.entry)}
    columns |= {"grade": lists.grade}
    if lists.ranks == "averaged":
        columns |= {"tie_first": lists.tie_first, "tie_last": lists.tie_last}
    columns |= steps.columns | {"contribution": share, "running": lists.before(share) + share}
    return Table(columns, "steps", {"fingerprint": measure.fingerprint})


def _docs(met: Met, rows: Ints) -> list[str | None]:
    """Name the document of each row; None where a rank was left out."""
    there = rows >= 0
    names = iter(met.run.docs(rows[there]))
    return [next(names) if named else None for named in there]


def _spans(met: Met, entries: Ints) -> list[str | None]:
    """Name the judged span of each entry; None where a chunk brings none."""
    names = iter(met.pool.docs(entries[entries >= 0]))
    return [next(names) if judged else None for judged in entries >= 0]


def shares(contribution: Floats, measure: Measure) -> Floats:
    """Round contributions where the decisions say so, as the score does."""
    return rounded(contribution, measure.decisions.rounding, "term")


def ideal_table(steps: Steps, met: Met, measure: Measure) -> Table:
    """Return the ideal list with the same columns; an empty table where the measure has none."""
    if steps.ideal is None:
        return Table({})
    ideal = _in_given_order(steps.ideal(), met) if measure.decisions.ideal == "global" else steps.ideal()
    entries = ideal.entry
    docs: list[str | None] = [None] * len(entries)
    for place, doc in zip(np.flatnonzero(entries >= 0), met.pool.docs(entries[entries >= 0]), strict=True):
        docs[int(place)] = doc
    share = shares(ideal.contribution, measure)
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
    """Documents of equal gain are in the order of the judgments."""
    order = np.lexsort((met.pool.row[ideal.entry], -ideal.gain, ideal.query))
    return ideal._replace(grade=ideal.grade[order], gain=ideal.gain[order], entry=ideal.entry[order])
