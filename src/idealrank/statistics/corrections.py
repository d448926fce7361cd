"""Corrections of p-values for having tested many times, whatever the tests were."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from idealrank.arrays import Floats
from idealrank.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def holm(p: ArrayLike) -> Floats:
    """Adjust p-values so that the chance of any false rejection stays below the level (Holm 1979).

    The smallest is multiplied by the number of tests, the next by one less, and so on; none becomes smaller than one
    before it. Holds however the tests depend on each other.

    Parameters
    ----------
    p
        p-values, an array of any shape; NaN is no test, is not counted and stays.

    Returns
    -------
    Adjusted p-values, same shape.

    Raises
    ------
    DataError
        If a p-value lies outside 0 to 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    found, order, ranks = _ascending(p)
    adjusted = np.maximum.accumulate(found[order] * (len(order) - ranks + 1))
    return _put_back(p, order, adjusted)


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Adjust p-values so that the expected share of false ones among the rejected stays below the level.

    Holds for tests that are independent or rise together (Benjamini & Hochberg 1995; Benjamini & Yekutieli 2001).

    Parameters
    ----------
    p
        p-values, an array of any shape; NaN is no test, is not counted and stays.

    Returns
    -------
    Adjusted p-values, same shape.

    Raises
    ------
    DataError
        If a p-value lies outside 0 to 1.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """
    found, order, ranks = _ascending(p)
    adjusted = np.minimum.accumulate((found[order] * (len(order) / ranks))[::-1])[::-1]
    return _put_back(p, order, adjusted)


def _ascending(p: ArrayLike) -> tuple[Floats, np.ndarray, np.ndarray]:
    """Return all p-values in a row, the places of the tests from the smallest p up, and their ranks from 1 up."""
    found = np.asarray(p, dtype=np.float64).ravel()
    tests = np.flatnonzero(~np.isnan(found))
    if np.any((found[tests] < 0) | (found[tests] > 1)):
        raise DataError("p-values: one lies outside 0 to 1. Give p-values as tests return them.")
    order = tests[np.argsort(found[tests], kind="stable")]
    return found, order, np.arange(1, len(order) + 1)


def _put_back(p: ArrayLike, order: np.ndarray, adjusted: Floats) -> Floats:
    found = np.full(np.size(p), np.nan)
    found[order] = np.minimum(adjusted, 1.0)
    return found.reshape(np.shape(p))
