"""Queries to learn from: documents with four features and a grade from 0 to 3 that follows from them, with noise."""

from typing import NamedTuple

import numpy as np


class Queries(NamedTuple):
    """Rows of one query after another."""

    features: np.ndarray
    grades: np.ndarray
    sizes: np.ndarray

    @property
    def groups(self) -> np.ndarray:
        """The number of each row's query."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


def made(seed: int, queries: int = 60) -> Queries:
    """Make queries of 2 to 40 documents; one in ten has no relevant document."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 41, queries)
    features = random.normal(size=(sizes.sum(), 4)).round(1)
    grades = np.clip(np.round(features[:, 0] + features[:, 1] / 2 + random.normal(size=sizes.sum())), 0, 3)
    grades[np.repeat(np.arange(queries) % 10 == 0, sizes)] = 0
    return Queries(features, grades, sizes)
