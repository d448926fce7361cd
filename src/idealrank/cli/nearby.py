"""What `idealrank` alone says: what is in this folder, and which command would come next."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from idealrank.errors import listed, plural

if TYPE_CHECKING:
    from idealrank.data.recognition.folder import Folder
    from idealrank.display.grid import Column

SHOWN = 12
"""Files that are shown; more are counted."""


def say_nearby() -> None:
    """Say what the current folder contains for idealrank, and what to type next."""
    from idealrank.cli.brief import folded
    from idealrank.cli.colours import show
    from idealrank.cli.output import screen
    from idealrank.data.recognition.folder import look_into
    from idealrank.display.grid import draw
    from idealrank.display.text import WIDE

    folder = look_into()
    table = draw(_columns(folder), screen()) if folder.files else []
    below = folded(list(_left_out(folder)), screen())
    width = screen() if sys.stdout.isatty() else WIDE
    steps = [line for label, text in _steps(folder) for line in _step(label, text, width)]
    show([table], [*below, *([""] if below else []), *steps])


def _step(label: str, text: str, width: int) -> list[str]:
    """Write a label and a command, or a sentence, beside it, within the width."""
    from idealrank.cli.typed import broken
    from idealrank.display.grid import labelled

    if not text.startswith("idealrank "):
        return labelled(label, text, width, 8)
    first, *more = broken(text, width, 8)
    return [f"{label:<8}{first[8:]}", *more]


def _columns(folder: Folder) -> list[Column]:
    from idealrank.data.recognition.folder import amount
    from idealrank.display.grid import Column

    files = folder.files[:SHOWN]
    return [
        Column("file", [file.name for file in files], False),
        Column("contains", [" and ".join(file.contains) for file in files], False),
        Column("", [amount(file) for file in files], False),
    ]


def _left_out(folder: Folder) -> Iterator[str]:
    """Say what is not in the table."""
    if not folder.files:
        yield "No file here contains judgments, results, queries or documents that idealrank can read."
    if (more := len(folder.files) - SHOWN) > 0:
        yield f"{plural(more, 'more file')}: {listed([file.name for file in folder.files[SHOWN:]])}."
    yield from (f"{file.name}: {file.faults[0].typed}" for file in folder.files if file.faults)
    if folder.baselines:
        yield f"Baselines of idealrank gate: {listed(folder.baselines)}."
    if folder.others:
        yield f"Not for idealrank, it seems: {listed(folder.others)}. idealrank peek FILE says why."
    if folder.unseen:
        yield f"Not looked into, too large or too many: {listed(folder.unseen)}."


def _steps(folder: Folder) -> Iterator[tuple[str, str]]:
    """Yield what is missing and the commands that come next, each with a label."""
    missing = [kind for kind in ("judgments", "results") if not folder.named(kind)] if folder.files else []
    yield from (("missing", _MISSING[kind]) for kind in missing)
    if command := folder.next or _replay(folder):
        yield "next", command
        yield from _report(command)
    yield from _baselines(folder)
    if not folder.files:
        yield "try", "idealrank demo"
    yield "help", "idealrank --help"


_MISSING = {
    "judgments": "judgments: which documents are good for a query (query, document, grade)",
    "results": "results: what your engine returns for a query (query, document, rank)",
}


def _replay(folder: Folder) -> str:
    """Return the command that asks an engine the queries there are; "" if there are none, or results are there."""
    judgments, results, queries = map(folder.named, ("judgments", "results", "queries"))
    asked = (queries or judgments)[:1]
    return " ".join(["idealrank replay", *asked, "ENGINE", *(f"-j {file}" for file in judgments[:1])]) * bool(
        asked and not results
    )


def _baselines(folder: Folder) -> Iterator[tuple[str, str]]:
    """Yield what to do with baselines: check the results against the last, or show several over time."""
    if folder.baselines:
        files = " ".join(
            [*(folder.named("judgments") or ["JUDGMENTS"])[:1], *(folder.named("results") or ["RESULTS"])[:1]]
        )
        yield "gate", f"idealrank gate {files} --baseline {folder.baselines[-1]}"
    if len(folder.baselines) > 1:
        yield "history", f"idealrank history {' '.join(folder.baselines)}"


def _report(command: str) -> Iterator[tuple[str, str]]:
    """Yield the same as a report, after a command that evaluates or compares."""
    program, name, *files = shlex.split(command)
    if name in ("evaluate", "compare"):
        yield "then", shlex.join([program, "report", *files, "-o", "report.html"])
