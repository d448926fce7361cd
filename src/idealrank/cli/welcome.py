"""The output of `idealrank` without a command: what is in this folder, and which command comes next."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from idealrank.data.recognition.peek import SuggestedCommand, missing_grades
from idealrank.errors import DataError, listed, plural

if TYPE_CHECKING:
    from idealrank.data.recognition.folder import Folder
    from idealrank.display.blocks import TextColumn
    from idealrank.regression.baseline import Baseline

MOST_FILES = 12
"""Files that are shown; more are counted."""

MOST_GATED = 3
"""Files of results that each get a command; of more, one is to be chosen."""


def welcome() -> None:
    """Say what the current folder contains for idealrank, and what to type next."""
    from idealrank.cli.options import column_names
    from idealrank.cli.output import screen_width, show
    from idealrank.conventions.project import project_defaults
    from idealrank.data.recognition.folder import look_into
    from idealrank.display.blocks import draw, wrap

    names = column_names({}, project_defaults().columns)
    folder = look_into(columns=names.by_kind(""))
    width = screen_width()
    table = draw(_file_columns(folder), width) if folder.files else []
    below = wrap(_folder_notes(folder), width)
    show([table], [*below, *([""] if below else []), *_step_lines(list(_next_steps(folder)), width)])


def _step_lines(steps: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Write each label with its command, or its sentence, beside it, within the width."""
    from idealrank.cli.help import wrap_command
    from idealrank.display.blocks import label_lines

    wide = max(len(label) for label, _ in steps) + 2
    for label, text in steps:
        if text.startswith("idealrank "):
            first, *more = wrap_command(text, width, wide)
            yield from [f"{label:<{wide}}{first[wide:]}", *more]
        else:
            yield from label_lines(label, text, width, wide)


def _file_columns(folder: Folder) -> list[TextColumn]:
    from idealrank.data.recognition.folder import describe_amount
    from idealrank.display.blocks import TextColumn

    files = folder.files[:MOST_FILES]
    return [
        TextColumn("file", [file.name for file in files], False),
        TextColumn("contains", [" and ".join(file.contains) for file in files], False),
        TextColumn("", [describe_amount(file) for file in files], False),
    ]


def _folder_notes(folder: Folder) -> Iterator[str]:
    """Say what is not in the table."""
    if not folder.files:
        yield "No file here contains judgments, results, queries or documents that idealrank can read."
    if (more := len(folder.files) - MOST_FILES) > 0:
        yield f"{plural(more, 'more file')}: {listed([file.name for file in folder.files[MOST_FILES:]])}."
    yield from (file.faults[0].typed for file in folder.files if file.faults)
    if folder.baselines:
        yield f"Baselines of idealrank gate: {listed(folder.baselines)}."
    if folder.others:
        yield f"Not read: {listed(folder.others)}. idealrank peek FILE says why."
    if folder.unseen:
        yield f"Not looked into, too large or too many: {listed(folder.unseen)}."


def _next_steps(folder: Folder) -> Iterator[tuple[str, str]]:
    """Yield what is missing and the commands that come next, each with a label."""
    missing = [kind for kind in ("judgments", "results") if not folder.containing(kind)] if folder.files else []
    yield from (("missing", _MISSING[kind]) for kind in missing)
    if ungraded := missing_grades(folder.files):
        yield "missing", ungraded
    if command := folder.command or _suggest_replay(folder):
        yield "next", str(command)
    if command and command.verb in ("evaluate", "compare"):
        yield "then", str(replace(command, verb="report", options=(*command.options, "-o", "report.html")))
    yield from _baseline_steps(folder)
    if not folder.files:
        yield "try", "idealrank demo"
    yield "help", "idealrank --help"


_MISSING = {
    "judgments": "judgments: which documents are good for a query (query, document, grade)",
    "results": "results: what your engine returns for a query (query, document, rank)",
}


def _names(folder: Folder, kind: str) -> list[str]:
    return [file.name for file in folder.containing(kind)]


def _suggest_replay(folder: Folder) -> SuggestedCommand | None:
    """Return the command that asks an engine the queries there are; None if there are none, or results are there."""
    judgments, results, queries = (_names(folder, kind) for kind in ("judgments", "results", "queries"))
    asked = queries or judgments
    if results or not asked:
        return None
    return SuggestedCommand("replay", (asked[0], "ENGINE"), ("-j", judgments[0]) if judgments else ())


def _baseline_steps(folder: Folder) -> Iterator[tuple[str, str]]:
    """Yield what to do with baselines: check results against the newest, or show all over time."""
    found = _sort_by_date(folder.baselines)
    if found:
        judgments = (_names(folder, "judgments") or ["JUDGMENTS"])[0]
        for results in _results_to_gate(folder, found[-1]):
            files = tuple(dict.fromkeys((judgments, results)))
            yield "gate", str(SuggestedCommand("gate", files, ("--baseline", found[-1].file)))
    if len(found) > 1:
        yield "history", str(SuggestedCommand("history", tuple(baseline.file for baseline in found)))


def _sort_by_date(files: Sequence[str]) -> list[Baseline]:
    """Read the baselines that are not damaged, the newest last; of one date, the file that was written last."""
    from idealrank.regression.baseline import read_baseline
    from idealrank.regression.dates import begin_of, date_in

    dated: list[tuple[str, float, Baseline]] = []
    for file in files:
        with contextlib.suppress(DataError):
            baseline = read_baseline(file)
            date = date_in(os.path.basename(file)) or baseline.date
            dated.append((str(begin_of(date)) if date else "", os.path.getmtime(file), baseline))
    return [baseline for *_, baseline in sorted(dated, key=lambda one: one[:2])]


def _results_to_gate(folder: Folder, baseline: Baseline) -> list[str]:
    """Return the results to check: those of the baseline's system, or else of every system; a word if they are many."""
    systems = {file.name: file.results.systems for file in folder.containing("results") if file.results}
    alone = [name for name, found in systems.items() if len(found) == 1]
    chosen = [name for name in alone if systems[name] == (baseline.system,)] or alone
    return chosen if 0 < len(chosen) <= MOST_GATED else ["RESULTS"]
