"""Progress: who is told how far a report is."""

import os
from collections.abc import Callable

from idealrank.errors import UsageError

Progress = Callable[[int, int, str], None]
"""Is told the parts done, the parts in all, and the name of the next."""


def told(progress: Progress | None) -> Progress:
    """Return who is told; nobody for None, and an error for the name of a file."""
    if isinstance(progress, str | os.PathLike):
        path = os.fspath(progress)
        raise UsageError(
            f"progress={path!r}: it is a function that is told how far the report is, not a file. "
            f"To write the report to a file: report.save({path!r})."
        )
    return progress or _unheard


def _unheard(done: int, total: int, step: str) -> None:
    """Let progress pass that nobody asked for."""
