"""Numbers with decimal commas, as European spreadsheets write them."""

from __future__ import annotations

import re

from idealrank._core import Column, from_columns

_DECIMAL = re.compile(r"\s*[-+]?\d*,\d+([eE][-+]?\d+)?\s*")

_POINT = re.compile(r"\s*[-+]?\d*\.\d")

GROUPED = re.compile(r"\s*[-+]?[1-9]\d{0,2}(,\d{3})+\s*")
"""A number that may as well be a whole one with commas between thousands."""


def with_points(column: Column) -> Column | None:
    """Return a column of text with points for commas, if every number has at most one comma and none has a point.

    Examples
    --------
    >>> from idealrank._core import from_columns
    >>> with_points(from_columns(["score"], [["0,73", None, "2"]]).column(0)).to_list()
    ['0.73', None, '2']
    >>> with_points(from_columns(["score"], [["0,73", "0.5"]]).column(0)) is None
    True

    What may be thousands is left alone.

    >>> with_points(from_columns(["score"], [["1,234", "2"]]).column(0)) is None
    True
    """
    values = column.to_list()
    commas = [value for value in values if value and "," in value]
    points = any(value and _POINT.match(value) for value in values)
    if points or not all(map(_DECIMAL.fullmatch, commas)) or all(map(GROUPED.fullmatch, commas)):
        return None
    return from_columns(["number"], [[value and value.replace(",", ".") for value in values]]).column(0)
