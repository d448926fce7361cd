"""The house as its files say: its floors, which file imports which, how long files and functions are."""

from __future__ import annotations

import ast
import functools
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "src" / "idealrank"

Arrows = Mapping[str, set[str]]
"""For each module those it imports."""

Node = ast.FunctionDef | ast.AsyncFunctionDef


def contract(root: Path = ROOT) -> dict[str, object]:
    """Return what pyproject.toml tells import-linter, with its one contract in place of the list."""
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    (only,) = settings.pop("contracts")
    return {**settings, **only}


def floors() -> list[set[str]]:
    """Return the rooms of each floor, from the ground up."""
    layers = contract()["layers"]
    assert isinstance(layers, list)
    return [set(layer.split(" | ")) for layer in reversed(layers)]


def files(house: Path = HOUSE) -> dict[str, Path]:
    """Return every module with its file; a package is its ``__init__.py``."""
    found = {}
    for path in sorted([*house.rglob("*.py"), *house.rglob("*.pyi")]):
        parts = path.relative_to(house.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@functools.cache
def arrows(house: Path = HOUSE) -> dict[str, set[str]]:
    """Return what each module imports: at its top, within functions, and for the sake of types alone."""
    modules = files(house)
    return {
        name: {home for said in _imported(parsed(path)) if (home := _home(said, modules))} - {name}
        for name, path in modules.items()
    }


@functools.cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield the dotted names a module imports; a relative one is refused, for nothing here is imported so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import in line {node.lineno}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _home(name: str, modules: Mapping[str, Path]) -> str:
    """Return the module a dotted name is or lies in; empty if it is none of the house."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


def circles(arrows: Arrows) -> list[list[str]]:
    """Return the groups of modules each of which leads to all the others of its group (Tarjan, 1972)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(module: str) -> None:
        number[module] = low[module] = len(number)
        stack.append(module)
        for other in sorted(arrows[module]):
            if other not in number:
                visit(other)
            if other in stack:
                low[module] = min(low[module], low[other])
        if low[module] == number[module]:
            place = stack.index(module)
            groups.append(sorted(stack[place:]))
            del stack[place:]

    for module in arrows:
        if module not in number:
            visit(module)
    return [group for group in groups if len(group) > 1]


def bodies(house: Path = HOUSE) -> dict[str, int]:
    """Return the lines of the body of every function, methods and inner ones too, without its docstring."""
    return {
        f"{path.relative_to(house)}:{node.lineno} {node.name}": _body(node)
        for path in sorted(house.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, Node)
    }


def _body(node: Node) -> int:
    statements = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return statements[-1].end_lineno - statements[0].lineno + 1 if statements else 0  # type: ignore[operator]


def lengths(house: Path = HOUSE) -> dict[str, int]:
    """Return the number of lines of every file."""
    return {
        path.relative_to(house).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in sorted(house.rglob("*.py"))
    }
