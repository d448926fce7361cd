"""The examples in the docstrings of the package."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

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


@pytest.mark.parametrize("name", ["idealrank", *MODULES])
def test_examples_run(name: str) -> None:
    """Every example of a module prints what its docstring says."""
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed == 0


@pytest.mark.parametrize("name", COMPOSED)
def test_composed_examples_run(name: str) -> None:
    """The example of a measure whose docstring is put together prints what it says."""
    example = doctest.DocTestParser().get_doctest(COMPOSED[name], {}, name, None, None)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
