"""The meetings of an evaluation: the systems of its results, chosen and checked."""

from collections.abc import Iterable
from typing import Any

from idealrank.data.judgments import Judgments
from idealrank.data.systems import read_systems
from idealrank.errors import DataError, UsageError, either, option, some, unsaid
from idealrank.judged_lists.meeting import Meeting


def meetings_of(
    judgments: Judgments, results: Any, systems: str = "separate", system: str | Iterable[str] | None = None
) -> list[Meeting]:
    """Let each system of the results, or those named, meet the judgments.

    Parameters
    ----------
    systems
        ``separate``, or ``pooled`` to one list.

    Raises
    ------
    UsageError
        If there is no system of the name, or sources of their own would be pooled.
    DataError
        If two systems have one name.
    """
    if systems not in ("separate", "pooled"):
        raise unsaid("systems", systems, __name__)
    sources = read_systems(results)
    if len(sources) > 1 and systems == "pooled":
        raise UsageError(
            f"{option('systems', 'pooled')} pools the systems of one table, and there are {len(sources)} sources. "
            "Put their rows into one table with a system column."
        )
    meetings = [
        Meeting(judgments, source, name)
        for source in sources
        for name in (source.systems if systems == "separate" else (source.label or "pooled",))
    ]
    if system is not None:
        meetings = only_system(meetings, system)
    _refuse_namesakes(meetings)
    return meetings


def only_system(meetings: list[Meeting], system: str | Iterable[str]) -> list[Meeting]:
    """Return the meetings of one system, or of several in the order asked for.

    Raises
    ------
    UsageError
        If there is no system of a name.
    """
    chosen: list[Meeting] = []
    for name in dict.fromkeys([system] if isinstance(system, str) else system):
        found = [meeting for meeting in meetings if meeting.system == name]
        if not found:
            raise UsageError(f"No system called {name!r}. Found: {', '.join(meeting.system for meeting in meetings)}.")
        chosen += found
    return chosen


def _refuse_namesakes(meetings: list[Meeting]) -> None:
    names = [meeting.system for meeting in meetings]
    for name in names:
        if names.count(name) > 1:
            where = some(dict.fromkeys(m.results.name for m in meetings if m.system == name))
            way = either(
                "Pass {name: results, …}, or evaluate one at a time", "Rename a file, or evaluate one at a time"
            )
            raise DataError(f"{names.count(name)} systems are called {name!r} (in {where}). {way}.")
