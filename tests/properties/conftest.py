"""Each promise is a test of its own for every pair of measure and answer that is tried."""

from __future__ import annotations

import pytest

from tests.properties.answers import SWEEP, named
from tests.properties.choice import chosen


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Try the chosen pairs; all of them with --all-answers, or where one measure is asked for.

    All promises of a pair are tried one after the other: they share what was computed.
    """
    if {"definition", "answer"} <= set(metafunc.fixturenames):
        everything = metafunc.config.getoption("all_answers") or metafunc.config.getoption("measure")
        pairs = [pytest.param(*pair, id=named(pair)) for pair in (SWEEP if everything else chosen())]
        metafunc.parametrize(("definition", "answer"), pairs, scope="module")
