"""What the promises of the measures are tried on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from idealrank.measures import Definition
from idealrank.measures.steps import Steps
from tests.properties.answers import SWEEP, Answer
from tests.properties.choice import CHOSEN, Pair
from tests.properties.ranked import scores


def tried(config: pytest.Config) -> list[Pair]:
    """Return the chosen pairs; all of them in the last ring, or where one measure is asked for."""
    return SWEEP if config.getoption("ring") != "first" or config.getoption("measure") else CHOSEN


@pytest.fixture(scope="session")
def answers_of(pytestconfig: pytest.Config) -> dict[str, list[Answer]]:
    """The answers each measure is tried under, the default first."""
    found: dict[str, list[Answer]] = {}
    for definition, answer in tried(pytestconfig):
        found.setdefault(definition.name, []).append(answer)
    return found


@pytest.fixture
def computed_by(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Definition, Callable[..., Steps]], None]]:
    """Let a measure be computed by another function; what was computed before and by it is forgotten."""

    def replace(definition: Definition, function: Callable[..., Steps]) -> None:
        monkeypatch.setitem(definition.__dict__, "compute", function)
        scores.cache_clear()

    yield replace
    scores.cache_clear()
