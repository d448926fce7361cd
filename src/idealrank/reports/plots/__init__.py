"""Plots for papers and notebooks: scores or a comparison go in, a matplotlib figure comes out.

A notebook shows the figure; ``figure.savefig("means.svg")`` writes it. Its footnote says which measure it shows, under
which convention, and how many of the judged queries are in it. matplotlib is imported when the first plot is drawn:
``pip install '.[plot]'`` in a clone, ``pip install 'idealrank[plot]'`` once released.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from idealrank.errors import NoAttributeError, unknown

if TYPE_CHECKING:
    from idealrank.reports.plots.pairs import (
        differences as differences,
        intervals as intervals,
        overlap as overlap,
        scatter as scatter,
    )
    from idealrank.reports.plots.queries import distribution as distribution, grades as grades, segments as segments
    from idealrank.reports.plots.systems import (
        curve as curve,
        history as history,
        latency as latency,
        leaderboard as leaderboard,
        means as means,
        thresholds as thresholds,
    )

OF_SCORES = {
    "means": "means with 95 % intervals",
    "distribution": "how the values of queries are distributed",
    "curve": "the mean at every cutoff",
    "grades": "the grades of the results, query by rank",
    "segments": "means by segment of the queries",
    "thresholds": "the mean at every threshold of overlap",
    "latency": "the mean against the 95th percentile of the latency",
}
"""The plots that one system is enough for, and what each shows."""

OF_COMPARISONS = {
    "leaderboard": "means with intervals, and the ranks each system can have",
    "differences": "the difference of every query, sorted",
    "scatter": "one system's values against another's",
    "overlap": "how much the lists of two systems share",
    "intervals": "the corrected intervals of the differences",
}
"""The plots that need two systems, and what each shows."""

OF_HISTORIES = {"history": "the mean over dates, and where labels changed"}
"""The plots of a history, and what each shows."""

_HOMES = {
    "pairs": ("differences", "intervals", "overlap", "scatter"),
    "queries": ("distribution", "grades", "segments"),
    "systems": ("curve", "history", "latency", "leaderboard", "means", "thresholds"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

NAMES = {**OF_SCORES, **OF_COMPARISONS}

__all__ = [*NAMES, *OF_HISTORIES]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise NoAttributeError(str(unknown("plot", name, NAMES)))
    importlib.import_module(f"{__name__}.picture")  # without matplotlib it says which command brings it
    plot = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = plot
    return plot


def __dir__() -> list[str]:
    return sorted(__all__)
