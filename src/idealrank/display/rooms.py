"""Packages called like a public function: calling the package calls the function."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


def make_callable(package: str, function: Callable[..., Any]) -> None:
    """Let a package be called: importing it has put it in the place of the public function of its name.

    Parameters
    ----------
    package
        The name of a package that is imported.
    function
        What a call of it calls.

    Examples
    --------
    >>> import idealrank as ir
    >>> import idealrank.measures
    >>> ir.measures is idealrank.measures, len(ir.measures()) == len(ir.DEFINITIONS)
    (True, True)
    """
    # A module cannot be called, but its class can be replaced by one that can.
    members = {"__call__": staticmethod(function), "__signature__": inspect.signature(function)}
    sys.modules[package].__class__ = type("CallableModule", (ModuleType,), members)
