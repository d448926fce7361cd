"""A scorer for scikit-learn's cross-validation and searches, which routes the groups to it."""

from dataclasses import dataclass
from typing import Any

from idealrank.errors import DataError
from idealrank.integrations.training import GroupMeans, group_means
from idealrank.measures import Measure

__all__ = ["scorer"]


@dataclass(frozen=True)
class _Score:
    """The score function: a mean over the groups of the rows."""

    means: GroupMeans

    @property
    def __name__(self) -> str:
        return str(self.means.measures[0])

    def __call__(self, y_true: Any, y_pred: Any, *, groups: Any = None) -> float:
        if groups is None:
            raise DataError(
                "The scorer got no groups. Call sklearn.set_config(enable_metadata_routing=True), and pass "
                "params={'groups': ids} to cross_validate or cross_val_score, or groups=ids to fit of a search."
            )
        (mean,) = self.means(y_true, y_pred, groups).values()
        return mean


def scorer(
    measure: str | Measure = "nDCG@10",
    *,
    convention: str = "sklearn",
    response_method: str | list[str] = "predict",
    **decisions: Any,
) -> Any:
    """Make a scorer for ``scoring=`` of cross_val_score, cross_validate, GridSearchCV and the like.

    It requests metadata called ``groups``, the query of each row, which scikit-learn routes to it if
    ``enable_metadata_routing`` is on.

    Parameters
    ----------
    measure
        A name, such as ``nDCG@10``.
    convention
        The decisions to start from; ``sklearn`` reproduces the mean of its own ``ndcg_score``.
    response_method
        The method of the model that scores the rows, as in ``sklearn.metrics.make_scorer``.
    **decisions
        Answers to single decisions, such as ``gain="exp2"``; they override the convention.

    Raises
    ------
    UsageError
        If a name or an answer is unknown.
    DataError
        When called: if no groups were routed to it.

    Examples
    --------
    >>> import numpy as np, sklearn
    >>> from sklearn.linear_model import LinearRegression
    >>> X, y, groups = np.array([[1.0], [2.0], [2.0], [1.0]]), np.array([0, 1, 0, 1]), ["a", "a", "b", "b"]
    >>> model = LinearRegression().fit(X[:2], y[:2])
    >>> with sklearn.config_context(enable_metadata_routing=True):
    ...     scorer("RR", convention="trec_eval-9.0.8")(model, X, y, groups=groups)
    0.75
    """
    import sklearn
    from sklearn.metrics import make_scorer

    means = group_means([measure], convention, **decisions).single()
    (higher,) = means.higher
    with sklearn.config_context(enable_metadata_routing=True):
        made = make_scorer(_Score(means), greater_is_better=higher, response_method=response_method)
        return made.set_score_request(groups=True)
