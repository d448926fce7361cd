"""Who is told how far a report is."""

from __future__ import annotations

import os
from collections.abc import Callable

from idealrank.errors import UsageError

Progress = Callable[[int, int, str], None]
"""Is told the parts done, the parts in all, and the name of the next."""


def told(progress: Progress | str | os.PathLike[str] | None) -> Progress:
    """Return who is told; nobody for None.

    Raises
    ------
    UsageError
        If it is the name of a file: reports are written by `Report.save`.

    Examples
    --------
    >>> told(None)(1, 2, "lists") is None
    True
    """
    if isinstance(progress, str | os.PathLike):
        what = f"progress={str(progress)!r}: it is a function that is told how far the report is, not a file."
        raise UsageError(f"{what} To write the report to a file: report.save({str(progress)!r}).")
    return progress or (lambda done, total, step: None)
