"""Rows: what a statement in SQL returned, as hits."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from idealrank.data.ids import id_text
from idealrank.engines.engine import Failed, Found
from idealrank.engines.fields import number
from idealrank.engines.hits import NAMES, sound
from idealrank.errors import some


def found_rows(names: Sequence[str], rows: Sequence[Sequence[Any]], fields: Sequence[str]) -> Found:
    """Return the hits of rows, and the fields of their documents.

    The id is the column called id, doc_id or the like, else the first; the score is the column called score.

    Raises
    ------
    Failed
        If a field that was asked for is no column, a row has no id, or a score is not finite.
    """
    if not names:
        raise Failed("the statement returns no rows: write a SELECT", hopeless=True)
    low = [name.lower() for name in names]
    key = next((low.index(name) for name in NAMES if name in low), 0)
    score = low.index("score") if "score" in low else None
    lacking = [field for field in fields if field not in names]
    if lacking:
        raise Failed(f"the statement selects no column {some(lacking)}, only {some(names)}", hopeless=True)
    if any(row[key] is None for row in rows):
        raise Failed(f"a row without an id, in the column {names[key]}", hopeless=True)
    hits = [(_id(row[key]), None if score is None else number(_plain(row[score]))) for row in rows]
    places = [(field, list(names).index(field)) for field in fields]
    documents = {_id(row[key]): {field: row[place] for field, place in places} for row in rows} if fields else {}
    return sound(Found(hits, documents))


def _id(value: Any) -> str | int:
    """Return an id of a database, as a UUID, as text or a whole number."""
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else id_text(value)


def _plain(value: Any) -> Any:
    """Return a number of a database, as Decimal, as a float."""
    return float(value) if isinstance(value, Decimal) else value
