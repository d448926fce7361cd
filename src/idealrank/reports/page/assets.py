"""The scripts and styles of the page, as they are in this folder."""

import re
from functools import cache
from importlib.resources import files
from posixpath import dirname, join, normpath

from idealrank.display.palette import properties

ENTRY = "main.js"
STYLES = ("base", "front", "method", "charts", "table", "query", "print")
_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.{1,2}/[a-z_./]+\.js)";\n', re.MULTILINE)
_COMMENT = re.compile(r"^ *(//[^\n]*|/\*\*.*?\*/)\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?=(async )?function|const|class)", re.MULTILINE)


def read(name: str) -> str:
    """Return the text of a file of this folder."""
    return (files(__package__) / name).read_text("utf-8")


@cache
def script() -> str:
    """Return all modules as one, each after those it imports.

    A module imports by lines ``import { name } from "../other.js";`` and exports functions, constants and classes
    where they are declared. So they run as they lie here, and joined without these words. Comments that are lines of
    their own are left out: they are an eighth of the bytes, and a page is mailed.
    """
    whole = "\n".join(_IMPORT.sub("", _EXPORT.sub("", text)) for text in _in_order(ENTRY, {}).values())
    return _COMMENT.sub("", whole)


def _in_order(path: str, modules: dict[str, str]) -> dict[str, str]:
    """Add a module, by its path among the scripts, after those it imports."""
    text = read(f"scripts/{path}")
    for other in _IMPORT.findall(text):
        imported = normpath(join(dirname(path), other))
        if imported not in modules:
            _in_order(imported, modules)
    modules[path] = text
    return modules


def chart_library() -> str:
    """Return the vendored chart library, under its licence: a page is passed on."""
    return f"/*!\n{read('vendor/uPlot.LICENSE')}*/\n{read('vendor/uPlot.iife.min.js')}"


@cache
def style() -> str:
    """Return the styles, those of the chart library first, then the colours."""
    sheets = [read(f"styles/{name}.css") for name in STYLES]
    return "\n".join([read("vendor/uPlot.min.css"), properties(), *sheets])
