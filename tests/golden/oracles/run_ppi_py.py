"""Prediction-powered means at a given weight, by the package ppi-python."""

import numpy as np
import ratings
from ppi_py import ppi_mean_pointestimate


def rows():
    """People's and the judge's differences of sampled queries, the judge's of the others, and the estimate.

    The package sets the judge's mean of sampled queries against that of the others; with the weight times (N - n) / N
    that is its mean of sampled queries against that of all.
    """
    rng = np.random.default_rng(34)
    for _ in range(12):
        n, others = int(rng.integers(10, 40)), int(rng.integers(40, 90))
        people = np.round(rng.normal(0.05, 0.2, n), 4)
        judge = np.round(0.6 * people + rng.normal(0, 0.1, n), 4)
        rest = np.round(rng.normal(0.03, 0.15, others), 4)
        weight = min(max(np.cov(people, judge)[0, 1] / np.var(judge, ddof=1), 0.0), 1.0)
        estimate = ppi_mean_pointestimate(people, judge, rest, lam=weight * others / (n + others))
        yield {"people": people.tolist(), "judge": judge.tolist(), "others": rest.tolist(),
               "estimate": float(np.ravel(estimate)[0])}  # fmt: skip


if __name__ == "__main__":
    ratings.write("ppi_py", "ppi-python", list(rows()))
