"""Judged queries that the results do not name."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from idealrank.doctor.finding import SHOWN, Finding
from idealrank.doctor.inputs import Inputs
from idealrank.errors import plural


def unreturned(inputs: Inputs) -> Iterator[Finding]:
    """Judged queries are not in the results: no row says that nothing was found, or that the search failed."""
    for met in inputs.mets:
        missing = np.flatnonzero(~(met.judged.listed | met.failed))
        if len(missing):
            rows = met.pool.row[met.pool.start[missing[:SHOWN]]].tolist()
            place = inputs.judgments.source.place
            yield Finding(
                name="judged queries without results",
                text=f"{plural(len(missing), 'judged query')} without results of {met.system} "
                f"(no_results={inputs.decisions.no_results})",
                count=len(missing),
                system=met.system,
                examples=tuple(
                    f"{place(row)}: query {met.queries[q]}" for row, q in zip(rows, missing.tolist(), strict=False)
                ),
                way="Search for them and add their results; where nothing was found, a row without a document says so.",
            )
