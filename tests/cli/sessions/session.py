"""Sessions as text: ``python -m tests.cli.sessions.session`` runs them and writes what is said now.

A line that begins with # is a fact, and begins a folder of its own, with the files of the command line's tests and
those that follow between lines of dashes. What is typed follows $; below it stand standard output after |, standard
error after !, and the exit code after = where it is not 0. A number has ten digits at most; cat shows a file.
"""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.cli.conftest import FILES
from tests.cli.terminal import run

HERE = Path(__file__).parent
SAID = ("|", "!", "=")
NUMBER = re.compile(r"-?\d+\.\d{10,}(?:e[+-]\d+)?")
"""More digits than every machine agrees on."""


def sessions() -> list[str]:
    """Return the names of the sessions."""
    return sorted(path.stem for path in HERE.glob("*.txt"))


def facts(name: str) -> dict[str, list[str]]:
    """Return the lines of each fact of a session, by its first line."""
    found: dict[str, list[str]] = {}
    fact, within = "", False  # within a file, whose lines are its own
    for line in (HERE / f"{name}.txt").read_text("utf-8").splitlines():
        within = line.startswith("--- ") or (within and line != "---")
        if line.startswith("# ") and not within:
            fact, found[line] = line, []
        elif line:
            found[fact].append(line)
    return found


def replayed(lines: list[str], folder: Path) -> Iterator[str]:
    """Write the files and run what was typed; yield the lines with what is said now."""
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    file: Path | None = None
    for line in lines:
        if line.startswith("--- "):
            file = folder / line.removeprefix("--- ")
            file.parent.mkdir(exist_ok=True)
            file.write_text("", "utf-8")
        elif line == "---":
            file = None
        elif file is not None:
            with file.open("a", encoding="utf-8", newline="") as open_file:
                open_file.write(f"{line}\n")
        if not line.startswith(SAID) or file is not None:
            yield line
        if line.startswith("$ ") and file is None:
            yield from _said(line, folder)


def _said(line: str, folder: Path) -> Iterator[str]:
    _, program, *words = shlex.split(line)
    if program == "cat":
        yield from (f"| {each}".rstrip() for each in (folder / words[0]).read_text("utf-8").splitlines())
        return
    done = run(*words, cwd=folder)
    assert "Traceback" not in done.err
    for sign, text in (("|", done.out), ("!", done.err)):
        rounded = NUMBER.sub(lambda found: f"{float(found[0]):.10g}", text.replace(str(folder), "FOLDER"))
        yield from (f"{sign} {each}".rstrip() for each in rounded.splitlines())
    if done.code:
        yield f"= {done.code}"


if __name__ == "__main__":
    for _name in sessions():
        _parts = []
        for _fact, _lines in facts(_name).items():
            with tempfile.TemporaryDirectory() as _folder:
                _parts.append("\n".join([_fact, *replayed(_lines, Path(_folder)), ""]))
        (HERE / f"{_name}.txt").write_text("\n".join(_parts), "utf-8")
