"""Infinite sums in closed form: the weights of all ranks for readers who might never stop."""

import numpy as np

from idealrank.arrays import Floats

FAR = 32
"""From this value on, the series below are exact to the last digit of float64."""


def squares(x: Floats, terms: Floats, scale: float = 1.0) -> Floats:
    """Sum of (scale / (x + i))^2 over i = 0, 1, 2 … for x above 0; `terms`, how many, may be infinite.

    The first terms are added up; the rest is the Euler-Maclaurin series. If one sum is subtracted from another,
    the terms they share are left out first, so that a few small terms keep all their digits.

    Examples
    --------
    >>> import math
    >>> math.isclose(squares(np.array(1.0), np.array(np.inf)), math.pi**2 / 6)
    True
    >>> math.isclose(squares(np.array(1e20), np.array(3.0), 1e20), 3)
    True
    """
    shares = [_share(x + i, terms) for i in range(FAR)]
    near = sum((scale / (x + i)) ** 2 * share * (2.0 - share) for i, share in enumerate(shares))
    share = _share(x + FAR, terms)
    y = 1.0 / (x + FAR)
    total: Floats = near + (scale * y) * (scale * share) + _behind(y, scale) - _behind(y * (1.0 - share), scale)
    return total


def _share(x: Floats, terms: Floats) -> Floats:
    """The relative decrease from 1 / x to 1 / (x + terms)."""
    endless = np.isinf(terms)
    few = np.where(endless, 1.0, terms)
    lost: Floats = np.where(endless, 1.0, few / (x + few))
    return lost


def _behind(y: Floats, scale: float) -> Floats:
    """The series after its first term."""
    square = y * y
    rest: Floats = (scale * y) ** 2 * (0.5 + y * (1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30))))
    return rest


def harmonic(n: Floats) -> Floats:
    """Sum of 1 / i over i = 1 … n.

    Examples
    --------
    >>> bool(np.allclose(harmonic(np.array([0.0, 4.0])), [0, 25 / 12], atol=1e-15))
    True
    """
    near = sum(1.0 / (n + i) for i in range(1, FAR + 1))
    y = n + FAR
    square = 1.0 / (y * y)
    series = (
        np.log(y)
        + np.euler_gamma
        + 0.5 / y
        - square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
    )
    total: Floats = series - near
    return total
