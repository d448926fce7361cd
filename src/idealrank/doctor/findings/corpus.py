"""Judgments of another corpus: hardly any returned document was judged for any query, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from idealrank.arrays import Mask
from idealrank.doctor.finding import SHOWN, Finding
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.lists import DEEP, top_rows
from idealrank.errors import plural
from idealrank.judged_lists.meeting import Met

MOST = 0.9
"""Share of documents that are not known to the other side, above which the sides are of different corpora."""

FEWEST = 10
"""Documents on either side, at least."""


def corpus(inputs: Inputs) -> Iterator[Finding]:
    """Over 90% of the top 10 were never judged for any query, and over 90% of judged documents never came back."""
    for met in inputs.mets:
        judged, rows = set(met.pool.docs(np.arange(len(met.pool.row)))), top_rows(met, DEEP)
        returned = met.run.docs(np.array(rows, np.int64))
        unknown = np.array([doc not in judged for doc in returned])
        if min(len(rows), len(judged)) >= FEWEST and unknown.mean() > MOST:
            missed = len(judged.difference(_documents(met))) / len(judged)
            if missed > MOST:
                yield _strange(met, rows, returned, unknown, missed)


def _documents(met: Met) -> list[str]:
    """Return what came back for any query, judged or not."""
    every = np.concatenate([met.run.rows_of(query) for query in range(len(met.run.queries))])
    return met.run.docs(every)


def _strange(met: Met, rows: list[int], returned: list[str], unknown: Mask, missed: float) -> Finding:
    lines = [f"{met.results.source.place(row)}: {doc}" for row, doc in zip(rows, returned, strict=True)]
    return Finding(
        name="judgments of another corpus",
        text=f"{unknown.mean():.0%} of the {plural(len(rows), 'result')} in the top {DEEP} of {met.system} were never "
        f"judged for any query, and {missed:.0%} of the judged documents were never returned",
        count=int(unknown.sum()),
        system=met.system,
        examples=tuple(line for line, new in zip(lines, unknown, strict=True) if new)[:SHOWN],
        way="Check that judgments and results are of the same collection, and that their ids are of the same kind.",
    )
