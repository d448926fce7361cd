r"""Commands to type: broken at their arguments with `\` where the screen is narrow, so they can be copied."""

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

_WORD = re.compile(r"(?:'[^']*'|\"[^\"]*\"|\S)+")


def broken(command: str, width: int, indent: int = 2) -> list[str]:
    r"""Break a command at its arguments; an option stays with its value.

    Examples
    --------
    >>> broken("idealrank compare judgments.csv a.csv b.csv -m nDCG@10", 36)
    ['  idealrank compare judgments.csv \\', '    a.csv b.csv -m nDCG@10']
    """
    lines = [" " * indent]
    for part in _parts(_WORD.findall(command)):
        if lines[-1].strip() and len(lines[-1]) + len(part) + 3 > width:
            lines[-1] += "\\"
            lines.append(" " * (indent + 2))
        lines[-1] += f"{part} "
    return [line.rstrip(" ") for line in lines]


def _parts(words: list[str]) -> list[str]:
    """Join options with their values."""
    parts: list[str] = []
    for word in words:
        joined = parts and parts[-1].startswith("-") and " " not in parts[-1] and not word.startswith("-")
        parts = [*parts[:-1], f"{parts[-1]} {word}"] if joined else [*parts, word]
    return parts


def program() -> str:
    """Return how this program is called from here: by its name if that finds it, else by its path."""
    called = Path(sys.argv[0])
    if not (called.stem == "idealrank" and called.exists()):
        return f"{_nearest(Path(sys.executable))} -m idealrank"
    return _nearest(called)


def _nearest(file: Path) -> str:
    """Return the name of a program where PATH finds it, else its path: from here where it is below, else the whole."""
    path = os.path.abspath(file)
    found = shutil.which(file.name)
    if found is not None and os.path.abspath(found) == path:
        return file.name
    near = os.path.relpath(path)
    return shlex.quote(path if near.startswith(os.pardir) else near)
