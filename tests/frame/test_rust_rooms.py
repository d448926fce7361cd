"""The Rust core is built in layers too."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "rust" / "src"

FLOORS = (
    ("errors",),
    ("columns",),
    ("read", "arrays", "sums", "pairs", "flips"),
    ("rows", "judge", "holes", "python"),
    ("fuzzing", "lib"),
)
"""The rooms, the lowest first; those on one floor do not know each other."""

Module = tuple[str, ...]

GROUP = re.compile(r"((?:\w+::)+)\{([^{}]*)\}")


def modules() -> dict[Module, Path]:
    """Return the file of each module by its path from the crate's root; a room's own is its mod.rs."""
    files = {file.relative_to(SOURCES).with_suffix("").parts: file for file in SOURCES.rglob("*.rs")}
    return {path[:-1] if path[-1] == "mod" else path: file for path, file in files.items()}


def spelled_out(match: re.Match[str]) -> str:
    """Return `a::b, a::c` for `a::{b, c}`."""
    return ", ".join(match[1] + item.strip() for item in match[2].split(",") if item.strip())


def imported(module: Module, source: str, known: set[Module]) -> set[Module]:
    """Return the modules that a source names by `crate::` or `super::`, its tests aside."""
    code = re.sub(r"//.*", "", source.split("#[cfg(test)]")[0])
    while GROUP.search(code):
        code = GROUP.sub(spelled_out, code)
    paths = set()
    for start, rest in re.findall(r"\b(crate|super)::(\w+(?:::\w+)*)", code):
        path = (*(module[:-1] if start == "super" else ()), *rest.split("::"))
        paths.add(next(path[:size] for size in range(len(path), -1, -1) if path[:size] in known or not size))
    return paths - {module, ()}


def imports() -> dict[Module, set[Module]]:
    """Return what each module of the core imports."""
    files = modules()
    return {module: imported(module, file.read_text("utf-8"), set(files)) for module, file in files.items()}


def test_rust_imports_run_one_way() -> None:
    """A room of the Rust core imports rooms below it only."""
    floor = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
    graph = imports()
    assert {module[0] for module in graph} == set(floor)
    pairs = [(module, other) for module, others in graph.items() for other in others if module[0] != other[0]]
    assert len(pairs) > len(graph)
    assert [pair for pair in pairs if floor[pair[1][0]] >= floor[pair[0][0]]] == []


def test_no_rust_files_form_a_circle() -> None:
    """No files of the Rust core import each other in a circle."""
    assert len(list(TopologicalSorter(imports()).static_order())) == len(modules())


def test_a_rust_room_says_what_it_is_for() -> None:
    """The mod.rs of a room says what the room is for and names its files, and nothing else."""
    for face in SOURCES.rglob("mod.rs"):
        says, names = face.read_text("utf-8").split("\n\n", 1)
        assert all(line.startswith("//!") for line in says.splitlines())
        rooms = {inner.parent for inner in face.parent.glob("*/mod.rs")}
        files = sorted(file.stem for file in {*face.parent.glob("*.rs"), *rooms} - {face})
        given = names.splitlines()
        # A build without a feature has a file in the place of another.
        instead = [match[1] for line in given if (match := re.search(r'^#\[cfg_attr\(.*path = "(\w+)\.rs"\)]$', line))]
        assert [line for line in given if not line.startswith("#[")] == [
            f"pub mod {name};" for name in files if name not in instead
        ]


def test_every_way_to_write_an_import_is_seen() -> None:
    """Nested groups, names in the middle of code and paths from the room count; comments and tests do not."""
    source = """
        // use crate::d;
        use crate::{a::{self, b::{C, D as E}}, d::F};
        use super::g;
        fn h() -> crate::a::i::J {}
        #[cfg(test)]
        mod tests { use crate::k; }
    """
    known = {("a",), ("a", "b"), ("a", "i"), ("d",), ("r", "g"), ("k",)}
    assert imported(("r", "here"), source, known) == known - {("k",)}
