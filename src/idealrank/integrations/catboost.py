"""A metric that CatBoost evaluates during training: any measure, under its own or any other convention."""

from typing import Any, NamedTuple

import numpy as np

from idealrank.errors import DataError, UsageError
from idealrank.integrations.training import group_means
from idealrank.measures import Measure

__all__ = ["CustomMetric"]


class _PoolRows(NamedTuple):
    """What is known about the rows of a pool.

    Attributes
    ----------
    targets, groups
        (N,) target, as CatBoost stores it, and number of the group.
    weighted
        Whether the rows have their own weights, which CatBoost's ranking metrics ignore.
    """

    targets: Any
    groups: Any
    weighted: bool


class CustomMetric:
    """A custom metric for ``eval_metric`` of CatBoost.

    CatBoost passes a custom metric the targets but not the groups, so these are taken from the pools, which are
    recognised by their targets. Group weights count, as they do in its own metrics.

    Parameters
    ----------
    measure
        A name, such as ``nDCG@10``.
    *pools
        Every Pool used for training or evaluation, with ``group_id``.
    convention
        The decisions to start from; ``catboost`` reproduces its own ``NDCG:top=k``, ``catboost-exp`` that with
        ``type=Exp``.
    **decisions
        Answers to single decisions, such as ``gain="exp2"``; they override the convention.

    Raises
    ------
    UsageError
        If a name or an answer is unknown, or two pools with the same targets have different groups.
    DataError
        If a pool has no targets or no groups. When called: if no pool has these targets.

    Examples
    --------
    >>> import catboost, numpy as np
    >>> pool = catboost.Pool([[0.0], [1.0]], [1, 0], group_id=[7, 7])
    >>> metric = CustomMetric("RR", pool, convention="trec_eval-9.0.8")
    >>> metric.evaluate([np.array([0.1, 0.9])], np.array([1.0, 0.0]), None)
    (0.5, 1.0)
    """

    no_jit = True  # CatBoost would compile the methods with numba

    def __init__(self, measure: str | Measure, *pools: Any, convention: str = "catboost", **decisions: Any) -> None:
        self._means = group_means([measure], convention, **decisions).single()
        self._pools: list[_PoolRows] = []
        for pool in pools:
            self._add_pool(_read_pool(pool))

    def _add_pool(self, rows: _PoolRows) -> None:
        before = self._find_pool(rows.targets)
        if before is not None and not np.array_equal(before.groups, rows.groups):
            raise UsageError(
                "Two pools have the same targets but different groups, and CatBoost passes only the targets. "
                "Make a metric for each, and train twice."
            )
        self._pools.append(rows)

    def _find_pool(self, targets: Any) -> _PoolRows | None:
        return next((rows for rows in self._pools if np.array_equal(rows.targets, targets)), None)

    def is_max_optimal(self) -> bool:
        """Whether higher is better."""
        return self._means.higher[0]

    def evaluate(self, approxes: Any, target: Any, weight: Any) -> tuple[float, float]:
        """Return the mean over the groups, and the weight CatBoost divides it by: 1."""
        rows = self._find_pool(np.asarray(target, np.float32))
        if rows is None:
            raise DataError(
                f"No pool given to CustomMetric has these {len(target)} targets. "
                "Give it every pool used for training or evaluation."
            )
        weights = None
        if weight is not None and not rows.weighted:
            weights = np.asarray(weight)[np.unique(rows.groups, return_index=True)[1]]
        (mean,) = self._means(target, approxes[0], rows.groups, weights).values()
        return mean, 1.0

    def get_final_error(self, error: float, weight: float) -> float:
        """Return the mean."""
        return error / weight


def _read_pool(pool: Any) -> _PoolRows:
    targets, group = pool.get_label(), pool.get_group_id_hash()
    if targets is None or group is None or not len(group):
        raise DataError("A pool has no targets or no groups. Create it with both: catboost.Pool(X, y, group_id=ids).")
    number = np.cumsum(np.r_[0, group[1:] != group[:-1]])
    return _PoolRows(np.asarray(targets, np.float32), number, bool((np.asarray(pool.get_weight()) != 1).any()))
