"""Finished scores at a gate: their setting, and those of the measures that a condition names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from idealrank.conventions import Setting
from idealrank.errors import UsageError
from idealrank.evaluation.scores import Scores


def setting_of(scores: Scores, baseline: Any, results: Any, options: Mapping[str, Any]) -> Setting:
    """Return the setting of finished scores.

    Raises
    ------
    UsageError
        If something is given that they have already.
    """
    if baseline is not None or results is not None or options:
        raise UsageError("Finished scores have their results, measures and decisions. Leave the others out.")
    return scores.setting


def with_measures(scores: Scores, places: Sequence[int]) -> Scores:
    """Return the scores of some of the measures, in this order."""
    chosen = list(places)
    measures = tuple(scores.measures[m] for m in chosen)
    some = replace(scores, measures=measures, values=scores.values[:, chosen], states=scores.states[:, chosen])
    return some if some.parts else Scores.from_values(some)
