"""Results that must not be counted: a query's own source document, and those of a list to exclude."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from idealrank.data.exclusion import excluded_rows
from idealrank.doctor.finding import Finding, of_mends
from idealrank.doctor.ids import documents_of, queries_of
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.mend import Mend

SHARE, FEWEST = 0.5, 3
"""Share of the queries that return the document of their own id, and their number, from which it is no chance."""


def sources(inputs: Inputs) -> Iterator[Finding]:
    """Half of the queries or more return the document of their own id, which a query made of a document does."""
    for results in inputs.results:
        query, doc = queries_of(results), documents_of(results)
        same = {name: i for i, name in enumerate(doc.names)}
        own = np.array([same.get(name, -2) for name in query.names] or [-2])
        rows = np.flatnonzero((own[query.code] == doc.code) & (query.code >= 0))
        if len(rows) >= max(FEWEST, SHARE * len(query.names)):
            text = f"of {results.name} with the id of the query itself, as if the query was made of the document"
            yield from of_mends("a query's own document", "result", text, [Mend(results, dropped=rows.tolist())])


def excluded(inputs: Inputs) -> Iterator[Finding]:
    """Results are on the list of --exclude: pairs of a query and a document that must not be counted."""
    if inputs.excluded is None:
        return
    for results in inputs.results:
        rows = excluded_rows(results, inputs.excluded).tolist()
        text = f"of {results.name} on the list to exclude ({inputs.excluded.name})"
        yield from of_mends("excluded documents", "result", text, [Mend(results, dropped=rows)])
