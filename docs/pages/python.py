"""The page of every public name in Python."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from docstrings import anchor, docstring, members, signature

import idealrank as ir


def python_page() -> str:
    """Every public name with its docstring."""
    lines = [
        "# Python",
        "",
        "`import idealrank as ir`. Judgments, results, measures and a query may be positional; all else is a keyword.",
        "Values are immutable, inputs are never changed, and importing the package imports no dataframe library.",
        "",
        ", ".join(f"[`{name}`](#{anchor(name)})" for name in sorted(ir.__all__, key=str.lower)),
    ]
    for name in sorted(ir.__all__, key=lambda name: (inspect.isclass(getattr(ir, name)), name.lower())):
        value = getattr(ir, name)
        lines += ["", f"## {name}", "", *_public(name, getattr(value, name) if _called(value) else value)]
    return "\n".join([*lines, ""])


def _called(value: Any) -> bool:
    """Whether this is a package that is called like a function, and stands for it."""
    return inspect.ismodule(value) and callable(value)


_CONSTANTS = {
    "CONVENTIONS": "Every [convention](conventions.md) by name: a dict of [`Convention`](#convention).",
    "DEFINITIONS": "Every kind of [measure](measures.md), in the order in which `idealrank measures` lists them.",
}


def _public(name: str, value: Any) -> Iterator[str]:
    if name in _CONSTANTS:
        yield _CONSTANTS[name]
        return
    if inspect.isfunction(value):
        yield from ("```text", f"{name}{signature(value)}", "```", "")
    yield from docstring(inspect.getdoc(value) or "")
    if inspect.ismodule(value):
        for function in value.__all__:
            yield from ("", f"### {name}.{function}", "", *_public(f"{name}.{function}", getattr(value, function)))
    if inspect.isclass(value) and (rows := list(members(value))):
        yield from ("", "| member | |", "|---|---|", *rows)
