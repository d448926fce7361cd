"""Several ratings of one document become one grade: the decision `raters`."""

import warnings
from collections.abc import Callable

import numpy as np

from idealrank.arrays import Floats
from idealrank.errors import unsaid


def combine(ratings: Floats, rule: str) -> Floats:
    """Combine ratings row by row.

    Parameters
    ----------
    ratings
        (N, raters) grades, NaN if a rater gave none.
    rule
        An answer to the decision `raters`.

    Returns
    -------
    (N,) grades; NaN if nobody rated.

    Examples
    --------
    >>> import numpy as np
    >>> combine(np.array([[1.0, 2.0], [3.0, np.nan]]), "median").tolist()
    [1.5, 3.0]
    """
    if rule not in _RULES:
        raise unsaid("raters", rule, __name__)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a row without any rating stays NaN
        return _RULES[rule](ratings)


def _majority(ratings: Floats) -> Floats:
    """Return the most frequent rating of each row, the lowest if several are."""
    counts = np.sum([ratings == ratings[:, [rater]] for rater in range(ratings.shape[1])], axis=0)
    most = counts == counts.max(axis=1, keepdims=True)
    lowest: Floats = np.nanmin(np.where(most, ratings, np.nan), axis=1)
    return lowest


_RULES: dict[str, Callable[[Floats], Floats]] = {
    "median": lambda ratings: np.nanmedian(ratings, axis=1),
    "mean": lambda ratings: np.nanmean(ratings, axis=1),
    "max": lambda ratings: np.nanmax(ratings, axis=1),
    "min": lambda ratings: np.nanmin(ratings, axis=1),
    "majority": _majority,
}
