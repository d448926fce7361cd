"""Finished scores in the place of judgments: what cannot be given beside them, and those of some measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from idealrank.errors import UsageError, listed
from idealrank.evaluation.scores import Scores


def refuse_beside(options: Mapping[str, Any], **given: Any) -> None:
    """Refuse what finished scores have already.

    Parameters
    ----------
    options
        Decisions and other options, of which none can be given.
    **given
        Arguments, which must be None.

    Raises
    ------
    UsageError
        With the names of what is given.
    """
    names = [*(name for name, value in given.items() if value is not None), *options]
    if names:
        raise UsageError(
            f"Finished scores have their results, measures and decisions already. Leave out {listed(names)}."
        )


def with_measures(scores: Scores, places: Sequence[int]) -> Scores:
    """Return the scores of some of the measures, in this order."""
    chosen = list(places)
    measures = tuple(scores.measures[m] for m in chosen)
    some = replace(scores, measures=measures, values=scores.values[:, chosen], states=scores.states[:, chosen])
    return some if some.parts else Scores.from_values(some)
