"""Run the code blocks of the documentation and renew what stands under them.

``python -m tests.docs.blocks`` writes every page with the output of today, or those that are named, as
docs/gate.md; a test fails where a page and its output differ. A ``console`` block is run on a terminal
100 columns wide, in the root of the repository; a last line ``…`` leaves out the rest of an output. A
``python`` block is a doctest; the blocks of one page share their names. A page that says
``<!-- run in a new folder -->`` has a folder to itself, and may say ``$ cd FOLDER``. Below
``<!-- times vary -->`` a block keeps the times of one run. The tutorials ask an engine:
``python -m tests.heavy.engines.tutorials`` renews them.

An error is shown where the page declares it, and nowhere else: above the block stands ``<!-- exit 1 -->``, the exit
code of each command that ends with another than 0, or ``<!-- raises DataError -->``, the name of each error that the
Python raises. A page whose blocks end otherwise is not written, and the traceback of a command never is.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from idealrank import IdealrankError
from tests.cli.terminal import COMMAND, begun, copied, drawn
from tests.docs.times import MARK, timeless

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *sorted(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")),
)
TUTORIALS = {
    "docs/tune-opensearch.md": ("opensearch", "http://localhost:9200"),
    "docs/tune-solr.md": ("solr", "http://localhost:8983/solr"),
}
"""Pages whose commands ask an engine: which one, and the address that stands for it."""

LANGUAGES = {"console", "python", "sh", "text", "toml", "pycon"}
"""console and python are run; sh holds chores of make; pycon is a docstring, run where it stands in the package."""

COLUMNS, LINES = 100, 40
WRITTEN = "target/eval"
"""The folder that a page may write to."""

LEFT_OUT = "…"
NEW_FOLDER = "<!-- run in a new folder -->"
"""What a page says whose blocks are not run in the root of the repository."""

TRACEBACK = "Traceback (most recent call last)"

_MARKS = r"(?:<!-- (?:times vary|exit \d+(?:, \d+)*|raises \w+(?:, \w+)*) -->\n)*"
_FENCE = re.compile(rf"^({_MARKS})```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_DECLARED = re.compile(r"<!-- (?:exit|raises) (.*) -->")


class UndeclaredError(Exception):
    """A block of a page ended otherwise than the page declares."""


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield language and content of every fenced block."""
    yield from ((language, content) for language, content in blocks_with_prose(text) if language is not None)


def blocks_with_prose(text: str) -> Iterator[tuple[str | None, str]]:
    """Yield language and content of every fenced block, and the text between them with None."""
    end = 0
    for match in _FENCE.finditer(text):
        yield None, text[end : match.start()]
        yield match[2], match[3]
        end = match.end()
    yield None, text[end:]


def renewed(text: str, names: dict[str, Any] | None = None) -> str:
    """Return a page with the output its blocks give now; the names that its Python defines are added to those given."""
    names = {} if names is None else names
    names["__name__"] = "__main__"
    if NEW_FOLDER not in text:
        return _renewed(text, Place(ROOT), names)
    with tempfile.TemporaryDirectory() as folder:
        return _renewed(text, Place(Path(folder)), names)


@dataclass
class Place:
    """Where the blocks of a page are run; `cd` goes elsewhere."""

    folder: Path


def _renewed(text: str, place: Place, names: dict[str, Any]) -> str:
    if WRITTEN in text:  # what the page writes is not there before
        shutil.rmtree(ROOT / WRITTEN, ignore_errors=True)

    def renew(match: re.Match[str]) -> str:
        marks, language, block = match[1], match[2], match[3]
        if language not in ("console", "python"):
            return match[0]
        ends: list[str] = []
        if language == "console":
            found = console(block, place, MARK in marks, ends)
        else:
            found = _python(block, place, names, ends)
        declared = ", ".join(_DECLARED.findall(marks))
        if declared != ", ".join(ends):
            raise UndeclaredError(_undeclared(language, declared, ends, found))
        return f"{marks}```{language}\n{found}```"

    return _FENCE.sub(renew, text)


def _undeclared(language: str, declared: str, ends: Sequence[str], found: str) -> str:
    kind = "exit" if language == "console" else "raises"
    declare = f"write <!-- {kind} {', '.join(ends)} --> above it" if ends else "remove the comment above it"
    return (
        f"this block declares {declared or 'no error'} and ended with {', '.join(ends) or 'none'}. "
        f"Mend the program or the page; or, if the page is to show this, {declare}.\n\n{found}"
    )


def console(block: str, place: Place, times: bool = False, ends: list[str] | None = None) -> str:
    """Return a block of commands with the output they give now; to `ends` come the exit codes other than 0."""
    parts = re.split(r"^(\$ (?:.*\\\n)*.*\n)", block, flags=re.MULTILINE)
    found = ""
    for command, old in zip(parts[1::2], parts[2::2], strict=True):
        output, code = _ran(command, place)
        if TRACEBACK in output:
            raise UndeclaredError(f"{command}{output}")
        if code and ends is not None:
            ends.append(str(code))
        kept = old.rstrip("\n").split("\n")
        if kept[-1] == LEFT_OUT:
            output = "\n".join([*output.split("\n")[: len(kept) - 1], LEFT_OUT])
        if times and timeless(output) == timeless("\n".join(kept)):
            output = "\n".join(kept)
        found += command + (f"{output}\n" if output else "")
    return found


def _ran(command: str, place: Place) -> tuple[str, int]:
    """Return what a command prints, and its exit code; `cd` prints nothing."""
    if not command.startswith("$ cd "):
        return on_terminal(_words(command), place.folder)
    place.folder /= command.removeprefix("$ cd ").strip()
    return "", 0


def _words(command: str) -> list[str]:
    words = shlex.split(command[2:].replace("\\\n", " "))
    if words[0] == "python":
        return [sys.executable, *words[1:]]
    if words[0] != "idealrank":
        raise ValueError(f"{command!r}: a console block runs idealrank or python only")
    return [COMMAND, *words[1:]]


_FORECAST = re.compile(r"(idealrank: )?comparing takes about \d+ s")


def on_terminal(words: list[str], folder: Path = ROOT) -> tuple[str, int]:
    """Run a command in a folder and return what its user sees, and its exit code."""
    path = os.pathsep.join([os.path.dirname(COMMAND), os.environ["PATH"]])
    env = {"TERM": "dumb", "COLUMNS": str(COLUMNS), "LINES": str(LINES), "PATH": path}
    said = drawn(words, begun if words[0] == sys.executable else copied, COLUMNS, folder, env, apart=False)
    # A busy machine says beforehand how long a comparison takes; no page shows that.
    lines = [line.rstrip() for line in said.out.split("\n") if not _FORECAST.fullmatch(line.rstrip())]
    return "\n".join(lines).strip("\n"), said.code


def _python(block: str, place: Place, names: dict[str, Any], raised: list[str]) -> str:
    found = ""
    for said, source, old in statements(block):
        if not source:
            found += old
            continue
        blank = re.search(r"\n*\Z", said + old)
        space = "\n" * (len(blank[0]) - 1 if blank else 0)
        found += said + _output(source, place, names, raised) + space
    return found


def statements(block: str) -> Iterator[tuple[str, str, str]]:
    """Yield each statement of a Python block: as it is written there, its source, and the output below it."""
    for chunk in re.split(r"^(?=>>> )", block, flags=re.MULTILINE):
        match = re.match(r"(?:>>> .*\n|\.\.\.(?: .*)?\n)*", chunk)
        said = match[0] if match else ""
        yield said, "".join(line[4:] or "\n" for line in said.splitlines(True)), chunk[len(said) :]


def _output(source: str, place: Place, names: dict[str, Any], raised: list[str]) -> str:
    printed = io.StringIO()
    settings = {"COLUMNS": str(COLUMNS)}
    here = os.getcwd()
    with contextlib.redirect_stdout(printed), mock.patch.dict(os.environ, settings):
        os.chdir(place.folder)
        try:
            exec(compile(source, "<page>", "single"), names)
        except IdealrankError as error:  # any other error is a fault of the page or the program
            raised.append(type(error).__name__)
            print(f"{TRACEBACK}:\n    ...")
            print("".join(traceback.format_exception_only(error)).rstrip())
        finally:
            os.chdir(here)
    return "".join(line if line.strip() else "<BLANKLINE>\n" for line in printed.getvalue().splitlines(True))


def asked(names: Sequence[str], known: Sequence[str]) -> Sequence[str]:
    """Return the pages that are named on the command line, or all.

    Raises
    ------
    SystemExit
        If there is no page of a name.
    """
    if strangers := [name for name in names if name not in known]:
        raise SystemExit(f"no page {strangers[0]!r}. Allowed: {', '.join(known)}.")
    return names or known


if __name__ == "__main__":
    for page in asked(sys.argv[1:], [page for page in PAGES if page not in TUTORIALS]):
        path = ROOT / page
        before = path.read_text("utf-8")
        try:
            after = renewed(before)
        except UndeclaredError as error:
            raise SystemExit(f"{page}: {error}") from None
        if after != before:
            path.write_text(after, "utf-8")
            print(f"renewed {page}")
