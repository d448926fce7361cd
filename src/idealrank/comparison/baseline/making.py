"""From scores to a baseline."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from idealrank.comparison.baseline.baseline import Baseline, BaselineQuery, Corpus
from idealrank.comparison.baseline.dates import date_of_results
from idealrank.comparison.baseline.hashes import (
    digest,
    hashed,
    judgment_rows,
    list_hashes,
    returned_documents,
    sketch_of,
)
from idealrank.data.replayed import record_of
from idealrank.data.selection import chosen
from idealrank.decisions import Decisions
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.meeting import Meeting, Met

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Seen(NamedTuple):
    """What a baseline keeps of lists and judgments, of all queries or of some.

    Attributes
    ----------
    queries
        By id, what is known of each query besides its values.
    documents
        The hashes of the documents that the queries asked for returned.
    max_grade, date, record
        The highest grade on the scale; the day of the results; what a replay recorded, nothing without one.
    """

    queries: dict[str, dict[str, Any]]
    documents: NDArray[np.uint64]
    max_grade: float
    date: str
    record: Mapping[str, Any]


def baseline_of(scores: Scores, system: str | None = None) -> Baseline:
    """Return the values, hashes and decisions of one system, as a baseline keeps them.

    Parameters
    ----------
    system
        One of several systems; None where there is one.
    """
    s = scores.system_place(system)
    seen = _seen(scores, s)
    return Baseline(
        system=scores.systems[s],
        convention=scores.setting.text,
        measures=scores.fingerprints,
        max_grade=seen.max_grade,
        queries={
            (query := scores.queries[q]): BaselineQuery(**_numbers(scores, s, q), **seen.queries[query])
            for q in np.flatnonzero(scores.in_scope).tolist()
        },
        unjudged=len(scores.unjudged_queries(s)),
        corpus=_corpus(seen),
        version=metadata.version("idealrank"),
        date=seen.date,
    )


def _seen(scores: Scores, s: int) -> Seen:
    look, parts = partial(seen_in, decisions=scores.setting.decisions, only=scores.only), scores.parts
    if parts is None:
        return look(scores.meetings, s)
    every: list[Seen] = parts.rows.each(partial(look, s=parts.place_of(s)))
    return Seen(
        {query: facts for seen in every for query, facts in seen.queries.items()},
        np.unique(np.concatenate([seen.documents for seen in every])),
        max(seen.max_grade for seen in every),
        next(filter(None, (seen.date for seen in every)), ""),
        next(filter(None, (seen.record for seen in every)), {}),
    )


def seen_in(meetings: list[Meeting], s: int, decisions: Decisions, only: Any) -> Seen:
    """Return what a baseline keeps of the lists of a system, where it meets the judgments.

    Parameters
    ----------
    s
        The place of the system.
    only
        The queries asked for, as the caller named them; None: all.
    """
    met = meetings[s].met(decisions, "dense")
    documents = returned_documents(met)
    facts = map(partial(_facts, met), range(met.size), list_hashes(met, decisions, documents), judgment_rows(met))
    asked = itertools.compress(documents, chosen(only, met.queries, least=0))
    return Seen(
        dict(zip(met.queries, facts, strict=True)), hashed(itertools.chain.from_iterable(asked)), met.max_grade,
        date_of_results(met.results), record_of(met.results) or {},
    )  # fmt: skip


def _facts(met: Met, q: int, returned: str, judged: list[list[str]]) -> dict[str, Any]:
    grades = Counter(row[1] for row in judged)
    return {
        "list": returned,
        "results": int(met.judged.returned[q]),
        "judgments": digest(judged),
        "grades": dict(sorted(grades.items(), key=lambda each: float(each[0]))),
        "failed": bool(met.failed[q]),
    }


def _numbers(scores: Scores, s: int, q: int) -> dict[str, Any]:
    values = dict(zip(scores.labels, scores.values[s, :, q].tolist(), strict=True))
    weight = None if scores.weights is None else float(scores.weights[q])
    return {"values": {label: None if math.isnan(x) else x for label, x in values.items()}, "weight": weight}


def _corpus(seen: Seen) -> Corpus:
    index, documents = str(seen.record.get("index") or ""), seen.record.get("documents")
    return Corpus(len(seen.documents), sketch_of(seen.documents), index, documents)
