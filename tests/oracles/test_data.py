"""The random data hold what the oracle tests say they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from tests.oracles.data import Data, random_data


def tied(data: Data, precision: type[np.floating]) -> int:
    """Count the queries with two equal scores."""
    return sum(max(Counter(precision(score) for score in docs.values()).values()) > 1 for docs in data.results.values())


PRESENT: dict[str, Callable[[Data], int]] = {
    "ties": lambda data: tied(data, np.float64),
    "holes": lambda data: sum(not set(data.results[q]) <= set(data.judgments[q]) for q in data.both()),
    "judged documents not returned": lambda data: sum(
        not set(data.judgments[q]) <= set(data.results[q]) for q in data.both()
    ),
    "one result": lambda data: sum(len(docs) == 1 for docs in data.results.values()),
    "long lists": lambda data: sum(len(docs) == 60 for docs in data.results.values()),
    "only grade 0": lambda data: sum(set(grades.values()) == {0} for grades in data.judgments.values()),
    "judged, nothing returned": lambda data: len(set(data.judgments) - set(data.results)),
    "returned, not judged": lambda data: len(set(data.results) - set(data.judgments)),
}


@pytest.mark.parametrize("what", PRESENT)
def test_present(what: str) -> None:
    """Ties, holes, short and long lists, zero-only queries and queries missing either way are all there."""
    assert sum(PRESENT[what](random_data(seed)) for seed in range(3)) >= 3


def test_close_scores() -> None:
    """Close scores are ties as float32 and none as float64."""
    data = random_data(200, close=1e-12)
    assert tied(data, np.float32) > tied(data, np.float64)


def test_seeded() -> None:
    """The same seed gives the same data, another seed others."""
    assert random_data(7) == random_data(7) != random_data(8)
