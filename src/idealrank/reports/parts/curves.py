"""A measure at every cutoff: its mean at k = 1, 2 … for each system."""

from dataclasses import replace
from typing import Any

import numpy as np

from idealrank.arrays import Floats
from idealrank.display.numbers import numbers
from idealrank.display.table import Table
from idealrank.errors import UsageError, refuse_count
from idealrank.evaluation.computation import Task
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import scored_each
from idealrank.measures import Measure

DEPTH = 10
"""How deep lists are looked at where nothing else is asked for."""


def curve(scores: Scores, measure: str | None = None, depth: int = DEPTH) -> Table:
    """Return the mean of a measure at k = 1 to `depth`: the column k, and one a system.

    Every mean is taken under the measure's own decisions; only its cutoff is another.

    Parameters
    ----------
    measure
        One of the measures; None: the first. Its own cutoff does not matter.
    depth
        The last k.

    Raises
    ------
    UsageError
        If the measure takes no cutoff, or `depth` is no whole number from 1 up.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}, ["P@2"])
    >>> curve(scores, depth=3).to_dict()
    {'k': [1, 2, 3], 'results': [1.0, 0.5, 0.6666666666666666]}
    """
    m = 0 if measure is None else scores.place_of(measure)
    means = means_at(scores, m, depth)
    columns: dict[str, Any] = {"k": np.arange(1, depth + 1)} | dict(zip(scores.systems, means, strict=True))
    return Table(columns, "curve", {"fingerprint": replace(scores.measures[m], cutoff=None).fingerprint})


def means_at(scores: Scores, m: int, depth: int) -> Floats:
    """(S, K) mean of the measure in a place, cut at k = 1 to K, for each system.

    Raises
    ------
    UsageError
        As `curve`.
    """
    measure = scores.measures[m]
    if measure.definition.cutoff == "none":
        raise UsageError(
            f"{measure} takes no cutoff, so it has no curve over k. Name one that does, such as nDCG or P."
        )
    refuse_count("depth", depth, "how deep")
    cuts = [replace(measure, cutoff=k) for k in range(1, depth + 1)]
    return np.array([_means(scores, s, cuts) for s in range(len(scores.systems))])


def _means(scores: Scores, s: int, cuts: list[Measure]) -> list[float]:
    keep, meeting = scores.in_scope, scores.meetings[s]
    values = scored_each([Task.on(meeting, cut) for cut in cuts])
    return [scores.average(s, cut, np.where(keep, each, np.nan)) for cut, each in zip(cuts, values, strict=True)]


def curves(scores: Scores, depth: int) -> dict[str, Any]:
    """Return ``{measure: {"k", "systems": {system: (K,)}}}`` of the measures that take a cutoff and are no counts."""
    parts = {}
    for m, label in enumerate(scores.labels):
        definition = scores.measures[m].definition
        if definition.cutoff != "none" and definition.properties.direction != "count":
            means = zip(scores.systems, means_at(scores, m, depth), strict=True)
            parts[label] = {"k": list(range(1, depth + 1)), "systems": {name: numbers(each) for name, each in means}}
    return parts
