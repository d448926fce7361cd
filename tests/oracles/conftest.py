"""The comparison every oracle test makes, and the account it keeps."""

from __future__ import annotations

import importlib.metadata
import math
from collections.abc import Callable, Mapping

import pytest

from tests.conftest import COMPARED

Compare = Callable[..., None]


@pytest.fixture
def compare(request: pytest.FixtureRequest) -> Compare:
    """Return a function that compares values by query with an oracle's and counts them."""
    compared = request.config.stash[COMPARED]

    def check(
        package: str, found: Mapping[str, float], oracle: Mapping[str, float], about: str, tolerance: float = 1e-12
    ) -> None:
        """Compare; a query the oracle leaves out has no value here either."""
        valued = {query for query, value in found.items() if not math.isnan(value)}
        assert valued == set(oracle), f"{about}: queries {sorted(valued ^ set(oracle))}"
        for query, value in oracle.items():
            difference = abs(found[query] - value)
            assert difference <= tolerance, f"{about} of {query!r}: {found[query]!r}, {package} says {value!r}"
        version = "" if " " in package else f" {importlib.metadata.version(package)}"
        compared[f"{package}{version}"] += len(oracle)

    return check
