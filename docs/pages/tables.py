"""Tables inside pages written by hand."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

from docstrings import cell, code

from idealrank.cli.schemas import catalogue
from idealrank.data.formats.shapes import SHAPES
from idealrank.data.latency_columns import STEMS, UNIT_NEEDED
from idealrank.data.roles import ALIASES
from idealrank.data.writing import WRITERS
from idealrank.doctor.findings import FINDINGS

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
HOUSE = ROOT / "src" / "idealrank"


def aliases_table() -> str:
    """The accepted column names of every role."""
    lines = ["| role | names; the first group with a match is used |", "|---|---|"]
    for role, tiers in ALIASES.items():
        groups = ["; ".join(", ".join(f"`{name}`" for name in sorted(tier)) for tier in tiers)]
        lines.append(f"| {role} | {''.join(groups)} |")
    for clock, stems in STEMS.items():
        names = "; ".join(f"`{stem}{'_ms' if stem in UNIT_NEEDED else ''}`" for stem in stems)
        lines.append(f"| {clock} | {names}; with a unit at the end, as `_ms`, `_s` or `_us`, else milliseconds |")
    return "\n".join(lines)


def documents_table() -> str:
    """Every tool whose documents are read, and which of them."""
    lines = ["| tool | documents |", "|---|---|"]
    for shape in SHAPES:
        tool, _, documents = (shape.__doc__ or "").partition("\n")[0].partition(": ")
        if not documents:
            raise ValueError(f"{shape.__qualname__}: its docstring begins with neither a tool nor its documents")
        lines.append(f"| {tool} | {code(documents.removesuffix('.'))} |")
    return "\n".join(lines)


def behaviours_table() -> str:
    """Every behaviour of the notebooks with the test that shows it."""
    lines = ["| id | here | shown by |", "|---|---|---|"]
    for row in (DOCS / "behaviours.tsv").read_text("utf-8").splitlines()[1:]:
        identity, said, test = row.split("\t")
        shown = ", ".join(f"`{one.removeprefix('tests/')}`" for one in test.split()) if "::" in test else test
        lines.append(f"| {identity} | {cell(said)} | {shown} |")
    return "\n".join(lines)


def outputs_table() -> str:
    """Every schema with what prints it."""
    lines = ["| schema | printed by | what it describes |", "|---|---|---|"]
    for name, output in catalogue().items():
        where = "a file" if output.of_file else f"`idealrank {output.call}`"
        lines.append(f"| `{name}` | {where} | {cell(output.title)} |")
    return "\n".join(lines)


def findings_table() -> str:
    """Every finding of the doctor with what is wrong."""
    lines = ["| finding | what is wrong |", "|---|---|"]
    return "\n".join([*lines, *(f"| {name} | {cell(_first_line(look))} |" for name, look in FINDINGS.items())])


def _first_line(look: object) -> str:
    return code((look.__doc__ or "").partition("\n")[0])


def rooms_table() -> str:
    """Every room, from the top down, with the rooms in it and the sentence it begins with."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    rooms = [room for floor in settings["contracts"][0]["layers"] for room in floor.split(" | ")]
    lines = ["| room | what goes in, what comes out |", "|---|---|"]
    for room in rooms:
        files = sorted((HOUSE / room).rglob("__init__.py")) or [HOUSE / f"{room}.py"]
        lines += [f"| {_room(file)} | {cell(_begins(file))} |" for file in files]
    return "\n".join(lines)


def _room(file: Path) -> str:
    """A link to a room; one within another is set back."""
    path = (file.parent if file.name == "__init__.py" else file).relative_to(HOUSE)
    name = f"`{path.as_posix()}{'' if path.suffix else '/'}`"
    return "&emsp;" * (len(path.parts) - 1) + f"[{name}](src/idealrank/{path.as_posix()})"


def _begins(file: Path) -> str:
    """The first sentence of a file."""
    said = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return code(re.split(r"(?<=\.)\s", said, maxsplit=1)[0])


_PLACES = ("fractions", "rater", "subtopic", "system", "ungraded", "unanswered", "texts", "titles", "others")
_NAMED = {
    "rater": "raters",
    "subtopic": "subtopics",
    "system": "several systems",
    "ungraded": "missing grades",
    "unanswered": "queries without documents",
    "texts": "texts of queries",
    "titles": "titles",
    "others": "other columns",
}


def formats_table() -> str:
    """Every format that is written, and what it has a place for besides whole grades."""
    lines = ["| format | is | chosen by the ending | contains | has a place for |", "|---|---|---|---|---|"]
    for writer in WRITERS:
        endings = ", ".join(f"`{ending}`" for ending in writer.endings).replace("`/`", "a folder") or "–"
        held = ", ".join(_NAMED.get(one, one) for one in _PLACES if one in writer.supports) or "–"
        lines.append(f"| `{writer.name}` | {writer.title} | {endings} | {', '.join(writer.layouts)} | {held} |")
    return "\n".join(lines)
