"""Count the lines of code of each room, without comments and docstrings; `make lint` prints them, to know."""

from __future__ import annotations

import ast
import sys
import tokenize
from collections import Counter
from pathlib import Path

LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
NO_CODE = {*LAYOUT, tokenize.ENDMARKER}


def code_lines(path: Path) -> int:
    """Return how many lines of a file contain code."""
    with tokenize.open(path) as file:
        text = file.read()
    lines = set[int]()
    with path.open("rb") as raw:
        for token in tokenize.tokenize(raw.readline):
            if token.type not in NO_CODE:
                lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):  # docstrings, and those below an attribute
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def main() -> None:
    """Print the lines of each folder below a folder, the largest first."""
    root = Path(sys.argv[1])
    rooms = Counter[str]()
    for path in root.rglob("*.py"):
        inside = path.relative_to(root).parts
        rooms[inside[0] if len(inside) > 1 else "."] += code_lines(path)
    print(f"lines of code in {root}: {rooms.total():,}")
    print("  " + ", ".join(f"{room} {many:,}" for room, many in rooms.most_common()))


if __name__ == "__main__":
    main()
