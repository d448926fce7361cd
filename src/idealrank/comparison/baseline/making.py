"""From scores to a baseline."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from importlib import metadata

import numpy as np

from idealrank.comparison.baseline.baseline import Baseline, BaselineQuery, Corpus
from idealrank.comparison.baseline.dates import date_of_results
from idealrank.comparison.baseline.hashes import digest, judgment_rows, list_hashes, returned_documents, sketch_of
from idealrank.data.replayed import record_of
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.meeting import Met


def baseline_of(scores: Scores, system: str | None = None) -> Baseline:
    """Return the values, hashes and decisions of one system, as a baseline keeps them.

    Parameters
    ----------
    system
        One of several systems; None where there is one.
    """
    s, decisions = scores.system_place(system), scores.setting.decisions
    met = scores.meetings[s].met(decisions, "dense")
    documents = returned_documents(met)
    lists, judged = list_hashes(met, decisions, documents), judgment_rows(met)
    return Baseline(
        system=scores.systems[s],
        convention=scores.setting.text,
        measures=scores.fingerprints,
        max_grade=met.max_grade,
        queries={
            scores.queries[q]: _query(scores, s, q, met, lists[q], judged[q])
            for q in np.flatnonzero(scores.in_scope).tolist()
        },
        unjudged=len(scores.unjudged_queries(s)),
        corpus=_corpus(met, list(itertools.compress(documents, scores.in_scope))),
        version=metadata.version("idealrank"),
        date=date_of_results(met.results),
    )


def _query(scores: Scores, s: int, q: int, met: Met, returned: str, judged: list[list[str]]) -> BaselineQuery:
    values = dict(zip(scores.labels, scores.values[s, :, q].tolist(), strict=True))
    grades = Counter(row[1] for row in judged)
    return BaselineQuery(
        values={label: None if math.isnan(value) else value for label, value in values.items()},
        list=returned,
        results=int(met.judged.returned[q]),
        judgments=digest(judged),
        grades=dict(sorted(grades.items(), key=lambda each: float(each[0]))),
        weight=None if scores.weights is None else float(scores.weights[q]),
        failed=bool(met.failed[q]),
    )


def _corpus(met: Met, documents: list[list[str]]) -> Corpus:
    seen, record = set(itertools.chain.from_iterable(documents)), record_of(met.results) or {}
    return Corpus(len(seen), sketch_of(seen), str(record.get("index") or ""), record.get("documents"))
