"""The house is built in layers."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.frame.house import HOUSE, ROOT, arrows, circles, contract, floors, parsed

FACES = {"__init__", "__main__"}
"""Above all rooms: the face of the package, and the program."""


@pytest.mark.heavy
def test_imports_run_one_way() -> None:
    """Every import runs from a room to one on a floor below it, as import-linter sees it."""
    command = [sys.executable, "-c", "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 kept, 0 broken" in done.stdout


def test_no_import_is_excepted() -> None:
    """The contract leaves no import out, not even one for the sake of types alone."""
    assert contract()["exclude_type_checking_imports"] is False
    assert "ignore_imports" not in contract()


def test_every_room_has_a_floor() -> None:
    """Every folder and file of Python in the package stands on a floor of the contract, which looks at its imports."""
    rooms = {path.stem for path in HOUSE.iterdir() if path.suffix == ".py" or any(path.rglob("*.py"))}
    assert rooms - FACES == set().union(*floors())


def upward(house: Path) -> list[str]:
    """Return the imports of a room on the same floor or above, of the face from below it, and of no room at all."""
    ground = {"_core": -1, "__main__": len(floors()) + 1, "": len(floors())}
    floor = ground | {room: number for number, rooms in enumerate(floors()) for room in rooms}
    return [
        f"{module} imports {other}"
        for module, others in arrows(house).items()
        for other in sorted(others)
        if (here := room_of(module)) != (there := room_of(other)) and floor[here] <= floor[there]
    ]


def room_of(module: str) -> str:
    """Return the room a module lies in; empty for the face."""
    return f"{module}.".split(".")[1]


def test_no_import_runs_up() -> None:
    """No file imports one of a room beside or above its own, nor the face: neither lazily nor for types alone."""
    seen = upward(HOUSE)
    assert not seen, "\n".join(seen)


def test_no_circle_of_files() -> None:
    """No file leads back to itself by imports, lazy ones and those for types alone included."""
    seen = circles(arrows(HOUSE))
    assert not seen, "\n".join(map(" ".join, seen))


@pytest.mark.parametrize(
    "line",
    [
        "from idealrank.cli.output import shown",
        "from idealrank import cli",
        "def lazily():\n    import idealrank.cli.output",
        "if TYPE_CHECKING:\n    from idealrank.cli.output import Shown",
        "import idealrank",
        "from idealrank.statistics import means",
    ],
    ids=["an import", "of a room", "within a function", "for types alone", "of the face", "of a room beside"],
)
def test_an_import_upwards_is_seen(line: str, tmp_path: Path) -> None:
    """An import of a room above or beside, or of the face, is seen wherever it stands in a file."""
    built(tmp_path, {"data/queries": line, "cli/output": "", "statistics/means": "", "statistics/__init__": ""})
    assert [said.split()[0] for said in upward(tmp_path / "idealrank")] == ["idealrank.data.queries"]


def test_a_circle_is_seen(tmp_path: Path) -> None:
    """A circle is seen that closes by a lazy import and one for types alone; a file beside it is not of it."""
    lines = {
        "data/a": "def f():\n    from idealrank.data.b import B",
        "data/b": "from idealrank.data import c",
        "data/c": "if TYPE_CHECKING:\n    from idealrank.data.a import A",
        "data/d": "from idealrank.data.a import A",
    }
    built(tmp_path, lines)
    assert circles(arrows(tmp_path / "idealrank")) == [["idealrank.data.a", "idealrank.data.b", "idealrank.data.c"]]


def built(folder: Path, lines: dict[str, str]) -> None:
    """Build a house of some files."""
    for name, text in {"__init__": "", "cli/__init__": "", "data/__init__": "", **lines}.items():
        path = folder / "idealrank" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", "utf-8")


def test_every_class_name_exists_once() -> None:
    """A class is found by its name, and its name says which class it is."""
    places: dict[str, list[str]] = {}
    for path in sorted(HOUSE.rglob("*.py")):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(path.relative_to(HOUSE).as_posix())
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
