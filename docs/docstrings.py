"""Docstrings of NumPy style as Markdown, and what a page needs to write text and links."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

_SECTIONS = ("Parameters", "Attributes", "Returns", "Raises", "Examples")


def docstring(text: str) -> Iterator[str]:
    """Turn a NumPy docstring into Markdown; its examples are run where they stand, in the package."""
    parts = re.split(rf"^({'|'.join(_SECTIONS)})\n-+\n", text, flags=re.MULTILINE)
    yield code(parts[0].strip())
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        if title == "Examples":
            runs = body.lstrip().startswith(">>>")
            yield from ("", "```pycon", body.strip(), "```") if runs else ("", code(body.strip()))
            continue
        yield from ("", f"*{title}*", "")
        for names, said in re.findall(r"^(\S.*)\n?((?:    .*(?:\n|\Z)|\n)*)", body, flags=re.MULTILINE):
            yield f"- `{names.strip()}`: {code(' '.join(said.split()))}" if said.strip() else code(names.strip())


def code(text: str) -> str:
    """Write literals as Markdown does."""
    return text.replace("``", "`")


def cell(text: str) -> str:
    """Write text so that it fits into a cell of a table."""
    return text.replace("|", r"\|")


def anchor(heading: str) -> str:
    """Return what a link to a heading ends with."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


_UNSAID = {"__getitem__": "Return a column as a list.", "__arrow_c_stream__": "Hand the columns out as Arrow."}


def members(kind: type) -> Iterator[str]:
    """Yield the rows of a class's table: every public method and property."""
    for name in dict.fromkeys(name for base in reversed(kind.__mro__[:-1]) for name in vars(base)):
        member = inspect.getattr_static(kind, name)
        text = inspect.getdoc(member) if not isinstance(member, (str, int, float, tuple)) else ""
        public = not name.startswith("_") or name in ("__getitem__", "__arrow_c_stream__")
        public = public and name not in getattr(kind, "_internal", ())
        described = callable(getattr(member, "__get__", None)) and (inspect.isfunction(member) or _property(member))
        if public and described:
            shape = "" if _property(member) else "()"
            yield f"| `{name}{shape}` | {cell(code((text or _UNSAID[name]).splitlines()[0]))} |"


def _property(member: Any) -> bool:
    return isinstance(member, property) or type(member).__name__ == "cached_property"


def signature(function: FunctionType) -> str:
    """Write the parameters of a function without their types."""
    function = inspect.unwrap(function)  # the function that says which keyword was meant stands around it
    own = FunctionType(function.__code__, {}, argdefs=function.__defaults__)  # without the keywords behind **options
    own.__kwdefaults__ = function.__kwdefaults__
    parameters = [p.replace(annotation=p.empty) for p in inspect.signature(own).parameters.values()]
    return str(inspect.Signature(parameters))
