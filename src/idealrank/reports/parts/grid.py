"""Systems that are named by their settings, and what the best of many was chosen by: plain values."""

from __future__ import annotations

from typing import Any

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.grid import settings_in
from idealrank.reports.parts.kinds import GridPart


def grid(comparison: Comparison | None) -> GridPart | None:
    """Return the settings with their values in order, and a row per point; None where systems are on no grid.

    Examples
    --------
    >>> import idealrank as ir
    >>> runs = {f"q boost={boost}": {"a": {"d": 1.0}, "b": {"d": 1.0}} for boost in (10, 9)}
    >>> found = grid(ir.compare({"a": {"d": 1}, "b": {"d": 1}}, runs, ["RR"]))
    >>> found["settings"], found["points"][0]["system"], found["points"][0]["RR"]
    ({'boost': [9, 10]}, 'q boost=9', 1.0)
    """
    found = None if comparison is None else comparison.grid
    if found is None or comparison is None:
        return None
    names = settings_in(found)
    values = {name: list(dict.fromkeys(found[name])) for name in names}
    settings = {name: sorted(each) if found.numeric(name) else each for name, each in values.items()}
    about = comparison.tuning.pairing if comparison.tuning else comparison.pairing
    return {"settings": settings, "measure": about.scores.labels[0], "points": found.rows()}


def tuning(comparison: Comparison | None) -> dict[str, Any] | None:
    """Return how a system was chosen on other queries; None where nothing was held out."""
    found = None if comparison is None else comparison.tuning
    return None if found is None else {"text": found.text, **found.to_dict()}
