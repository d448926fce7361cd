"""Endless sums in closed form: what readers who might go on for ever weigh all ranks with."""

from __future__ import annotations

import numpy as np

from idealrank.lists import Floats

FAR = 32
"""From here on the series below are exact to the last digit of float64."""


def squares_from(x: Floats) -> Floats:
    """Sum of 1 / (x + i)^2 over i = 0, 1, 2 … for x above 0; 0 at infinity.

    The first terms are added up, the rest follows from Euler and Maclaurin's series.

    Examples
    --------
    >>> import math
    >>> math.isclose(squares_from(np.array(1.0)), math.pi**2 / 6)
    True
    """
    near = sum(1.0 / (x + i) ** 2 for i in range(FAR))
    y = 1.0 / (x + FAR)
    square = y * y
    rest = y * (1.0 + y / 2 + square * (1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30))))
    total: Floats = near + rest
    return total


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
