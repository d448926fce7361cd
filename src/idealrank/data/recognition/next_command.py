"""What would come next for files that were recognised: a command, or what is missing before there is one."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from idealrank.data.recognition.recognized import Recognized


@dataclass(frozen=True)
class Command:
    """A command of idealrank; its text can be typed as it is.

    Examples
    --------
    >>> str(Command("evaluate", ("j.csv", "my results.csv")))
    "idealrank evaluate j.csv 'my results.csv'"
    """

    verb: str
    files: tuple[str, ...]
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the command as it is typed."""
        return shlex.join(["idealrank", self.verb, *self.files, *self.options])


def next_command(files: Sequence[Recognized]) -> Command | None:
    """Return the command that the files are meant for; None if judgments, grades or results are missing."""
    judgments = [file for file in files if file.judgments is not None]
    results = [file for file in files if file.results is not None and file not in judgments]
    shared = [file for file in judgments if file.results is not None]
    named = tuple(dict.fromkeys(file.name for file in (*judgments[:1], *results)))
    tables = [("--queries-table", file.name) for file in files if file.contains == ("queries",)]
    systems = sum(len(file.results.systems) for file in (*results, *shared[:1]) if file.results is not None)
    if judgments:
        meant = (results or shared) and not missing_grades(files)
        return Command("compare" if systems > 1 else "evaluate", named, *tables[:1]) if meant else None
    return Command("overlap", named) if len(results) == 2 else None


def missing_grades(files: Sequence[Recognized]) -> str:
    """Say that the first judgments have no grade, so that no query is judged; "" if one has."""
    first = next((file for file in files if file.judgments is not None), None)
    if first is None or first.judgments is None or first.judgments.grades:
        return ""
    return f"grades: no query of {first.name} is judged yet. Give at least one row a grade."
