"""A metric that XGBoost evaluates during training: any measure, under its own or any other convention."""

from collections.abc import Callable, Sequence
from typing import Any

from idealrank.integrations.training import group_means, group_of_rows, refuse_arrays
from idealrank.measures import Measure

__all__ = ["custom_metric"]


def custom_metric(
    measures: Sequence[str | Measure] | str = "nDCG@10", *, convention: str = "xgboost", **decisions: Any
) -> Callable[[Any, Any], list[tuple[str, float]]]:
    """Make the ``custom_metric`` of ``xgboost.train`` and ``xgboost.cv``.

    XGBoost stops early by the last metric of the last data set; also pass ``maximize=True``.

    Parameters
    ----------
    measures
        One or several names, such as ``nDCG@10``.
    convention
        The decisions to start from; ``xgboost`` reproduces its own ``ndcg@k``, ``xgboost-minus`` its ``ndcg@k-``.
    **decisions
        Answers to single decisions, such as ``gain="linear"``; they override the convention.

    Returns
    -------
    A function of predictions and a DMatrix with groups (``group=`` or ``qid=``); it returns name and mean.

    Raises
    ------
    UsageError
        If a name or an answer is unknown. When called: if it gets arrays, as from ``XGBRanker``.
    DataError
        When called: if the DMatrix has no groups.

    Examples
    --------
    >>> import numpy as np, xgboost
    >>> data = xgboost.DMatrix(np.zeros((2, 1)), label=[1, 0], qid=[7, 7])
    >>> custom_metric(["nDCG@10", "RR"], convention="trec_eval-9.0.8")(np.array([0.1, 0.9]), data)
    [('nDCG@10', 0.6309297535714575), ('RR', 0.5)]
    """
    means = group_means(measures, convention, **decisions)

    def evaluate(predictions: Any, data: Any) -> list[tuple[str, float]]:
        refuse_arrays(data, "custom_metric", "xgboost.train(…, custom_metric=custom_metric(…))")
        groups = group_of_rows(data.get_group(), "xgboost.DMatrix(…, qid=ids)")
        weights = data.get_weight()  # one a group; empty if all are 1
        averages = means(data.get_label(), predictions, groups, weights if len(weights) else None)
        return [(_xgboost_name(name), value) for name, value in averages.items()]

    return evaluate


def _xgboost_name(name: str) -> str:
    """Write a name so that XGBoost can read it back from its own line of results.

    Examples
    --------
    >>> _xgboost_name("nDCG(gain={0:0, 1:3}, ideal=local)@10")
    'nDCG(gain={0=0,1=3},ideal=local)@10'
    """
    return name.replace(" ", "").replace(":", "=")
