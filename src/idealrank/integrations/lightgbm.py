"""A metric that LightGBM evaluates during training: any measure, under its own or any other convention."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from idealrank.integrations.training import group_means, group_of_rows
from idealrank.measures import Measure

__all__ = ["feval"]


def feval(
    measures: Sequence[str | Measure] | str = "nDCG@10", *, convention: str = "lightgbm", **decisions: Any
) -> Callable[..., list[tuple[str, float, bool]]]:
    """Make the ``feval`` of ``lightgbm.train`` and ``lightgbm.cv``, and the ``eval_metric`` of ``LGBMRanker``.

    Parameters
    ----------
    measures
        One or several names, such as ``nDCG@10``.
    convention
        The decisions to start from; ``lightgbm`` reproduces its own ``ndcg@k``.
    **decisions
        Answers to single decisions, such as ``gain="linear"``; they override the convention.

    Returns
    -------
    A function of predictions and a Dataset with groups, or of grades, predictions, weights and group sizes, as
    ``LGBMRanker`` calls it; it returns name, mean and whether higher is better.

    Raises
    ------
    UsageError
        If a name or an answer is unknown.
    DataError
        When called: if there are no groups.

    Examples
    --------
    >>> import lightgbm, numpy as np
    >>> data = lightgbm.Dataset(np.array([[0.0], [1.0]]), [1, 0], group=[2], params={"verbosity": -1})
    >>> feval(["nDCG@10", "RR"], convention="trec_eval-9.0.8")(np.array([0.1, 0.9]), data.construct())
    [('nDCG@10', 0.6309297535714575, True), ('RR', 0.5, True)]
    """
    means = group_means(measures, convention, **decisions)

    # The scikit-learn wrapper counts the arguments: it passes the groups to a function of four.
    def evaluate(one: Any, two: Any, weights: Any = None, sizes: Any = None) -> list[tuple[str, float, bool]]:
        grades, predictions = one, two
        if hasattr(two, "get_group"):
            grades, predictions, weights, sizes = two.get_label(), one, two.get_weight(), two.get_group()
        groups = group_of_rows(sizes, "lightgbm.Dataset(…, group=sizes)")
        averages = means(grades, predictions, groups, _group_weights(weights, groups))
        return [(*pair, higher) for pair, higher in zip(averages.items(), means.higher, strict=True)]

    return evaluate


def _group_weights(weights: Any, groups: Any) -> Any:
    """Return the weight of each group, which is the mean over its rows (LightGBM's metadata.cpp); None if all are 1."""
    return None if weights is None else np.bincount(groups, weights) / np.bincount(groups)
