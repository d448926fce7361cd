"""The meetings of an evaluation: the systems of its results, chosen and checked."""

from collections.abc import Iterable, Sequence

from idealrank.conventions import Setting
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.errors import DataError, UsageError, either, some
from idealrank.judged_lists.meeting import Meeting


def meetings_of(
    judgments: Judgments, sources: Sequence[Results], systems: str = "auto", system: str | Iterable[str] | None = None
) -> list[Meeting]:
    """Let each system of the tables of results, or those named, meet the judgments.

    Parameters
    ----------
    systems
        What is one system in a table of several: an answer to the decision. Tables of their own are always systems
        of their own.

    Raises
    ------
    UsageError
        If there is no system of the name.
    DataError
        If two systems have one name.
    """
    meetings = [Meeting(judgments, source, name) for source in sources for name in source.lists(systems)]
    if system is not None:
        meetings = only_system(meetings, system)
    _refuse_namesakes(meetings)
    return meetings


def systems_of(
    sources: Sequence[Results], systems: str, system: str | Iterable[str] | None
) -> list[tuple[Results, str]]:
    """Return the systems that are scored, each with its table; "" for all systems of a table as one."""
    names = {system} if isinstance(system, str) else set(system or ())
    every = ((source, name) for source in sources for name in source.lists(systems))
    chosen = [(source, name) for source, name in every if not names or name in names]
    return [(source, name if name in source.systems else "") for source, name in chosen]


def named_apart(system: str | Iterable[str] | None, *sources: Results) -> bool:
    """Whether a system that is asked for is one of several in a table."""
    names = {system} if isinstance(system, str) else set(system or ())
    return any(len(source.systems) > 1 and not names.isdisjoint(source.systems) for source in sources)


def kept_apart(setting: Setting) -> Setting:
    """Answer ``systems=separate`` where a convention pools: whoever names a system of several asks for it alone."""
    if "systems" in setting.overrides or setting.decisions.systems == "separate":
        return setting
    return setting._replace(overrides={**setting.overrides, "systems": "separate"})


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
            raise DataError(f"{names.count(name)} systems are called {name!r} (in {where}). {_way(meetings, name)}.")


def _way(meetings: list[Meeting], name: str) -> str:
    """Say how to tell systems of one name apart; the same file given twice is to be given once."""
    sources = [meeting.results.source for meeting in meetings if meeting.system == name]
    files = [source.origin.path for source in sources if source.origin]
    if len(files) > len(set(files)):
        return "The same file is given twice. Give it once"
    return either("Pass {name: results, …}, or evaluate one at a time", "Rename a file, or evaluate one at a time")
