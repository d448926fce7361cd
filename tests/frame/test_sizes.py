"""Rooms, files and functions stay small enough to be known by heart."""

from __future__ import annotations

import ast
import re
import statistics
from collections.abc import Callable
from pathlib import Path

import pytest

from idealrank.measures import DEFINITIONS
from tests.frame.house import HOUSE, bodies, lengths

ENTRIES = 23
"""What lies in the package itself, at most."""

LONGEST_FILE, SHORTEST_FILE = 300, 30

LONG: dict[str, str] = {}
"""Longer files, each with its reason: none at present."""

SHORT = {
    "cli/schemas/outputs/flavors.py": "the outputs of one command a file",
    "comparison/roles.py": "which measure decides is read by pairing, contrasts, rule and exports",
    "data/formats/arrow.py": "one format a file",
    "data/formats/parquet.py": "one format a file",
    "data/writing/opensearch.py": "one format a file",
    "evaluation/bounds.py": "what a measure can be is read by means, comparisons and failed searches",
    "statistics/names.py": "written by docs/generate.py for type checkers",
    "integrations/trec_eval/stop.py": "what all files of trec_eval's command line end with",
    "data/formats/shapes/azure.py": "the documents of one tool a file",
    "data/formats/shapes/llama_index.py": "the documents of one tool a file",
    "data/formats/shapes/rankquest.py": "the documents of one tool a file",
    "data/formats/shapes/trec_json.py": "the documents of one tool a file",
    "evaluation/ledger/unit_facts.py": "the words of one kind of facts",
    "data/formats/shapes/vespa.py": "the documents of one tool a file",
    "reports/parts/compared.py": "one part of a report a file",
}
"""Shorter files that are neither a measure, a convention nor a face, each with its reason."""

MEDIAN, NINE_IN_TEN, LONGEST = 4, 12, 33
"""Lines of the bodies of functions, at most: of half of them, of nine in ten, of all."""


def of_a_kind(name: str) -> bool:
    """Whether a file is as long as its kind is: a face, a convention, or the file of a measure."""
    measures = {f"measures/{definition.module.replace('.', '/')}.py" for definition in DEFINITIONS}
    return Path(name).stem in ("__init__", "__main__") or name.startswith("conventions/tools/") or name in measures


def too_long(house: Path) -> set[str]:
    """Return the files that are longer than one should be."""
    return {name for name, lines in lengths(house).items() if lines > LONGEST_FILE}


def too_short(house: Path) -> set[str]:
    """Return the files that are too short to be one."""
    return {name for name, lines in lengths(house).items() if lines < SHORTEST_FILE and not of_a_kind(name)}


def wordless(house: Path) -> set[str]:
    """Return the packages that do not begin with a sentence of one line."""
    sentence = re.compile(r"[A-Za-z].{20,}[.](\s|$)")
    inits = {path.relative_to(house).as_posix(): path.read_text("utf-8") for path in house.rglob("__init__.py")}
    return {
        name
        for name, text in inits.items()
        if not sentence.match((ast.get_docstring(ast.parse(text)) or "").split("\n")[0])
    }


def long_bodies(house: Path) -> list[str]:
    """Return the functions that are longer than any should be."""
    return [f"{name}: {lines} lines" for name, lines in bodies(house).items() if lines > LONGEST]


def test_few_entries() -> None:
    """What lies in the package itself is seen at one look."""
    built = ("__pycache__", "*.so", "*.pyd")
    assert len([path for path in HOUSE.iterdir() if not any(map(path.match, built))]) <= ENTRIES


def test_files_are_not_long() -> None:
    """No file has more than 300 lines but those that say why; a file that no longer has so many says nothing."""
    assert too_long(HOUSE) == set(LONG)


def test_files_are_not_short() -> None:
    """A file of fewer than 30 lines is a measure, a convention or a face, or says why it is one."""
    assert too_short(HOUSE) == set(SHORT)


def test_functions_are_short() -> None:
    """Half of all bodies of functions have at most 4 lines, nine in ten at most 12, none more than 33."""
    lines = sorted(bodies(HOUSE).values())
    assert statistics.median(lines) <= MEDIAN
    assert lines[int(len(lines) * 0.9)] <= NINE_IN_TEN
    assert long_bodies(HOUSE) == []


def test_a_room_says_what_it_is() -> None:
    """Every package begins with a sentence: CONTRIBUTING.md has the map of the rooms from there."""
    assert wordless(HOUSE) == set()


BODY = "\n".join(f"    a = {number}" for number in range(LONGEST))


@pytest.mark.parametrize(
    ("guard", "name", "text", "seen"),
    [
        (too_long, "data/a.py", "a = 1\n" * 301, True),
        (too_long, "data/a.py", "a = 1\n" * 300, False),
        (too_short, "data/a.py", "a = 1\n" * 29, True),
        (too_short, "data/a.py", "a = 1\n" * 30, False),
        (too_short, "measures/graded/gains.py", "a = 1\n", True),
        (too_short, "measures/graded/dcg.py", "a = 1\n", False),
        (too_short, "conventions/tools/a.py", "a = 1\n", False),
        (long_bodies, "data/a.py", f'def f():\n    """Text.\n\n    More.\n    """\n{BODY}\n', False),
        (long_bodies, "data/a.py", f"def f():\n    def g():\n        pass\n{BODY}\n", True),
        (long_bodies, "data/a.py", f"class A:\n  async def f():\n{BODY}\n    a = 0\n", True),
        (wordless, "data/__init__.py", "", True),
        (wordless, "data/__init__.py", '"""Things."""', True),
        (wordless, "data/__init__.py", '"""Files go in and tables come\nout."""', True),
        (wordless, "data/__init__.py", '"""Files go in, tables come out."""', False),
    ],
)
def test_a_guard_sees_it(guard: Callable[[Path], set[str]], name: str, text: str, seen: bool, tmp_path: Path) -> None:
    """Each guard sees what breaks its rule, and nothing else."""
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text(text, "utf-8")
    assert bool(guard(tmp_path)) is seen
