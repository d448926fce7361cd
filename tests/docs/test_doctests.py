"""The examples in the docstrings of the package."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import idealrank

MODULES = [
    module.name
    for module in pkgutil.walk_packages(idealrank.__path__, "idealrank.")
    if not module.name.endswith("._core")
]


@pytest.mark.parametrize("name", ["idealrank", *MODULES])
def test_examples_run(name: str) -> None:
    """Every example of a module prints what its docstring says."""
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed == 0
