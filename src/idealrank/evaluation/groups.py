"""Groups of queries, and statistics of their values."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.data.queries import Queries
from idealrank.data.selection import key_range
from idealrank.errors import UsageError

By = str | Mapping[str, str] | Sequence[str] | None
NO_VALUE, OTHERS = "(none)", "(others)"
"""Groups of the queries without the attribute, and of those outside every range."""


def groups(by: By, ids: Sequence[str], table: Queries) -> dict[str, Mask]:
    """Return (Q,) masks of the queries of each group; every query is in at least one.

    Parameters
    ----------
    by
        None (all), a query attribute, a range of ids such as ``"1..50"``, several, joined by commas or
        in a list, or ``{label: range}``.

    Raises
    ------
    UsageError
        If the attribute or the range is not known.
    """
    if by is None:
        return {"all": np.ones(len(ids), np.bool_)}
    if isinstance(by, str):
        parts = [part.strip() for part in by.split(",")]
        if not any(map(key_range, parts)):
            return _by_label([_label(value) for value in table.values(by, ids)])
        by = parts
    ranges = by if isinstance(by, Mapping) else {text: text for text in by}
    masks = {label: _within(ids, text) for label, text in ranges.items()}
    outside = ~np.logical_or.reduce([*masks.values(), np.zeros(len(ids), np.bool_)])
    return masks | ({OTHERS: outside} if outside.any() else {})


def _by_label(labels: list[str]) -> dict[str, Mask]:
    names = sorted(set(labels), key=natural)
    codes = {name: code for code, name in enumerate(names)}
    coded = np.array([codes[label] for label in labels], np.int64)
    return {name: coded == code for name, code in codes.items()}


def _label(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)) or value == "":
        return NO_VALUE
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def natural(label: str) -> tuple[int, float, str]:
    """Numbers by size, then words, then the group without a value."""
    if label == NO_VALUE:
        return (2, 0.0, label)
    try:
        return (0, float(label), label)
    except ValueError:
        return (1, 0.0, label)


def _within(ids: Sequence[str], text: str) -> Mask:
    span = key_range(text)
    if span is None:
        raise UsageError(f"{text!r} is no range of query ids. Write 1..50.")
    return np.array([key.lstrip("-").isdigit() and span[0] <= int(key) <= span[1] for key in ids], np.bool_)


def statistics(values: Floats) -> dict[str, float]:
    """Return count, mean, sd (n - 1), min, quartiles (interpolated) and max of the values that are not NaN."""
    kept = values[~np.isnan(values)]
    names = ("min", "25%", "50%", "75%", "max")
    if not len(kept):
        return {"count": 0, **dict.fromkeys(("mean", "sd", *names), math.nan)}
    quartiles = np.percentile(kept, [0, 25, 50, 75, 100])
    sd = float(np.std(kept, ddof=1)) if len(kept) > 1 else math.nan
    mean = math.fsum(kept.tolist()) / len(kept)
    return {"count": len(kept), "mean": mean, "sd": sd, **dict(zip(names, quartiles.tolist(), strict=True))}
