"""The examples in the docstrings of the package."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from collections.abc import Iterable

import pytest

import idealrank
from idealrank.measures import DEFINITIONS

MODULES = [
    module.name
    for module in pkgutil.walk_packages(idealrank.__path__, "idealrank.")
    if not module.name.endswith("._core")
]

COMPOSED = {each.name: each.documentation for each in DEFINITIONS if each.name.startswith("prefs_")}
"""The descriptions of measures that share a function."""


OF_LIBRARIES = re.compile(
    r"idealrank\.(reports\.plots|integrations\.(catboost|ir_measures|lightgbm|sklearn|xgboost)|measures\.grammar$)"
)
"""Modules whose examples call a library that the first ring does not install."""


def failing(names: Iterable[str]) -> list[str]:
    """Run every example of these modules, and return those with one that fails, which doctest prints."""
    modules = map(importlib.import_module, names)
    return [each.__name__ for each in modules if doctest.testmod(each, optionflags=doctest.ELLIPSIS).failed]


@pytest.mark.parametrize("room", sorted({name.split(".")[1] for name in MODULES}))
def test_examples_run(room: str) -> None:
    """Every example of a package prints what its docstring says."""
    names = (name for name in MODULES if name.split(".")[1] == room)
    assert failing(name for name in names if not OF_LIBRARIES.match(name)) == []


@pytest.mark.heavy
def test_examples_with_libraries_run() -> None:
    """So does every example that calls another library."""
    assert failing(filter(OF_LIBRARIES.match, MODULES)) == []


def test_examples_of_the_whole_run() -> None:
    """The examples of the package itself print what its docstring says."""
    assert failing(["idealrank"]) == []


def test_composed_examples_run() -> None:
    """The example of a measure whose docstring is put together prints what it says."""
    for name, text in COMPOSED.items():
        example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
        assert example.examples, name
        assert doctest.DocTestRunner().run(example).failed == 0, name
