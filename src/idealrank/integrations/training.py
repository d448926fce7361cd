"""Means over groups of predictions, as needed in each round of training a learning-to-rank model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from idealrank.conventions import parse_convention
from idealrank.data.shortcuts import from_groups
from idealrank.errors import DataError, UsageError
from idealrank.evaluation.joins import SystemUnderTest
from idealrank.evaluation.means import average
from idealrank.evaluation.requested_measures import measures_under
from idealrank.evaluation.scoring import refuse_unreached
from idealrank.measures.definition import Measure


class GroupMeans(NamedTuple):
    """Measures under a convention, computed from grades, predicted scores and groups.

    Examples
    --------
    >>> means = group_means("nDCG@10", "lightgbm")
    >>> means([0, 1, 0, 0], [0.5, 0.25, 0.75, 0.5], ["a", "a", "b", "b"])
    {'nDCG@10': 0.8154648767857288}
    """

    measures: tuple[Measure, ...]

    def __call__(self, grades: Any, scores: Any, groups: Any, weights: Any = None) -> dict[str, float]:
        """Return the mean of each measure over the groups, without a ledger, which nobody would see here.

        Parameters
        ----------
        grades, scores, groups
            Grade, predicted score and group of each row.
        weights
            The weight of each group, if the groups are 0, 1, 2 …
        """
        ground = SystemUnderTest(*from_groups(grades, scores, groups))
        return {measure.name: _group_mean(ground, measure, weights) for measure in self.measures}

    def single(self) -> GroupMeans:
        """Return itself.

        Raises
        ------
        UsageError
            If the name is several measures, such as nDCG@5,10.
        """
        if len(self.measures) != 1:
            raise UsageError(f"{len(self.measures)} measures given, but only one is allowed. Give one cutoff.")
        return self

    @property
    def higher(self) -> list[bool]:
        """For each measure, whether higher is better."""
        return [measure.definition.properties.direction != "lower" for measure in self.measures]


def _group_mean(ground: SystemUnderTest, measure: Measure, weights: Any) -> float:
    refuse_unreached(ground.lists_for(measure), measure)
    values, decisions = ground.values(measure), measure.decisions
    places = [] if weights is None else [int(group) for group in ground.queries(measure)]
    each = None if weights is None else np.asarray(weights, np.float64)[places]
    return average(values, decisions, measure.definition.total, each)


def group_means(measures: Sequence[str | Measure] | str, convention: str, **decisions: Any) -> GroupMeans:
    """Read measures under a convention and single decisions, as `idealrank.evaluate` takes them.

    Raises
    ------
    UsageError
        If a name or an answer is unknown, or the convention does not support the measure.
    """
    return GroupMeans(measures_under(parse_convention(convention, decisions), measures))


def refuse_arrays(data: Any, made_by: str, trained: str) -> None:
    """Refuse data without groups, as scikit-learn's wrappers pass to a metric.

    Raises
    ------
    UsageError
        If it is not a data set.
    """
    if not hasattr(data, "get_group"):
        raise UsageError(
            f"{made_by} was called with {type(data).__name__}, as by eval_metric= of a scikit-learn wrapper, which "
            f"passes no groups. Train with {trained}."
        )


def group_of_rows(sizes: Any, where: str) -> Any:
    """Return the number of the group each row belongs to, from the sizes of the groups.

    Raises
    ------
    DataError
        If there are no groups.

    Examples
    --------
    >>> group_of_rows([2, 1], "Dataset(group=…)").tolist()
    [0, 0, 1]
    """
    if sizes is None or not len(sizes):
        raise DataError(f"The evaluation data has no groups. Give them when you create it: {where}.")
    return np.repeat(np.arange(len(sizes)), np.asarray(sizes))
