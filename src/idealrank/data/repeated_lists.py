"""Several lists of results for one query, which must not be run together."""

from __future__ import annotations

import numpy as np

from idealrank.data.formats.messages import quoted
from idealrank.data.ids import codes, id_text
from idealrank.data.results import Results
from idealrank.errors import DataError


def refuse_repeated_lists(results: Results) -> Results:
    """Return results whose documents contain one list for each query.

    Raises
    ------
    DataError
        If a query has several lists, as a log does in which it was asked twice; the message names the query.
    """
    if not results.source.tables or results.rank is None:
        return results
    first = np.flatnonzero(results.rank.floats() == 1)
    systems = results.systems_column()
    lists = np.column_stack((codes(results.keys.query)[first], codes(systems)[first] if systems else first * 0))
    _, place, counts = np.unique(lists, axis=0, return_index=True, return_counts=True)
    if (counts > 1).any():
        earliest = min(np.flatnonzero(counts > 1), key=lambda group: place[group])
        row, times = int(first[place[earliest]]), int(counts[earliest])
        (key,) = results.keys.query.to_list(np.array([row], np.int64))
        raise DataError(
            f"{results.name}: {times} lists of results for query {quoted(id_text(key))} (first: "
            f"{results.source.where(row)}), as if it was asked {times} times. Keep one list per query, or "
            "give each search an id of its own."
        )
    return results
