"""Finished scores at a gate: their setting, and those of the measures that a condition names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from idealrank.comparison.baseline.baseline import Baseline
from idealrank.conventions import Setting
from idealrank.data.recognition.baselines import is_baseline
from idealrank.errors import UsageError
from idealrank.evaluation.scores import Scores


def setting_of(scores: Scores, baseline: Any, results: Any, options: Mapping[str, Any]) -> Setting:
    """Return the setting of finished scores; their baseline can only be a baseline's file, or what is in it.

    Raises
    ------
    UsageError
        If something is given that they have already.
    """
    if (baseline is not None and not kept_in(baseline)) or results is not None or options:
        raise UsageError("Finished scores have their results, measures and decisions. Leave the others out.")
    return scores.setting


def kept_in(baseline: Any) -> bool:
    """Whether it is a baseline, or the file of one."""
    return isinstance(baseline, Baseline) or (isinstance(baseline, (str, Path)) and is_baseline(baseline))


def with_measures(scores: Scores, places: Sequence[int]) -> Scores:
    """Return the scores of some of the measures, in this order."""
    chosen = list(places)
    measures = tuple(scores.measures[m] for m in chosen)
    some = replace(scores, measures=measures, values=scores.values[:, chosen], states=scores.states[:, chosen])
    return some if some.parts else Scores.from_values(some)
