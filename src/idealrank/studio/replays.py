"""Systems asked again: a search that came from a replay, with another template or setting, becomes a new system."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from idealrank.engines.replay import replay
from idealrank.errors import DataError, IdealrankError, UsageError
from idealrank.studio.project import QUERIES, RESULTS, StudioProject

_LIMITS = ("concurrency", "rate", "retries", "timeout", "batch", "tls")
"""What a record says of how politely an engine was asked; a replay asks as politely."""
_TEMPLATE = re.compile(r"([?&]template=)[^&]*")


@dataclass(frozen=True)
class Replayable:
    """A system that can be asked again.

    Attributes
    ----------
    system
        Its name.
    address
        Of the engine, without secrets: these come from the environment or the netrc.
    template
        The text of its template; "" for the engine's own.
    settings, k
        What filled the template, and how many results were kept.
    limits
        How it is asked.
    """

    system: str
    address: str
    template: str
    settings: Mapping[str, Any]
    k: int
    limits: Mapping[str, Any]


@dataclass(frozen=True)
class ReplayState:
    """How far a replay is.

    Attributes
    ----------
    system
        The name of the new system.
    done, total
        Queries answered, and all.
    over
        Whether it has ended.
    error
        Why it failed; "" if it did not.
    """

    system: str
    total: int
    journal: Path = field(repr=False)
    over: bool = False
    error: str = ""
    answered: int | None = None

    @property
    def done(self) -> int:
        """Queries answered so far: the lines of the journal after its first."""
        if self.answered is not None:
            return self.answered
        with contextlib.suppress(OSError):
            return max(0, self.journal.read_bytes().count(b"\n") - 1)
        return 0


class Replays:
    """The replays of a project, one at a time.

    Parameters
    ----------
    project
        Its systems are asked again, and a new one is added to it.
    """

    def __init__(self, project: StudioProject) -> None:
        self.project = project
        self.state: ReplayState | None = None
        self._lock = threading.Lock()

    @property
    def systems(self) -> list[Replayable]:
        """The systems that came from a replay and can be asked again."""
        kept = [one for one in self.project.store.sources(RESULTS) if one.options.get("replay")]
        return [_replayable(one.options["systems"][0], one.options["replay"]) for one in kept]

    def start(self, system: str, name: str, template: str, settings: Mapping[str, Any], k: int) -> None:
        """Ask an engine every query, beside everything else.

        Parameters
        ----------
        system
            Whose engine is asked.
        name
            What the new system is called.
        template, settings, k
            As for `replay`.

        Raises
        ------
        UsageError
            If another replay runs, the system did not come from one, or the name is taken.
        """
        found = next((one for one in self.systems if one.system == system), None)
        if found is None:
            raise UsageError(f"{system!r} did not come from a replay, so nothing says how to ask it.")
        if not name or name in self.project.systems:
            raise UsageError(f"A system called {name!r} is there already. Give the new one a name of its own.")
        queries, table = self.project.queries_file(), self.project.queries()
        if queries is None or table is None:
            raise DataError(f"The project has no table of {QUERIES}, so nothing says what to ask. Add one.")
        with self._lock:
            if self.state is not None and not self.state.over:
                raise UsageError(f"{self.state.system} is being asked. Wait until it has ended.")
            folder = Path(tempfile.mkdtemp(prefix="idealrank-replay-"))
            journal = folder / "replay" / f"{name}.journal.jsonl"
            self.state = ReplayState(name, len(table.ids), journal)
        asked = replace(found, system=name, template=template, settings=dict(settings), k=k)
        threading.Thread(target=self._run, args=(asked, queries, folder), daemon=True).start()

    def _run(self, asked: Replayable, queries: str, folder: Path) -> None:
        assert self.state is not None
        error = ""
        try:
            answers = replay(
                queries, _address(asked, folder), k=asked.k, name=asked.system, output=folder,
                settings=[dict(asked.settings)] if asked.settings else None, progress=False, **asked.limits,
            )  # fmt: skip
            (file,) = (path for path in folder.glob("*.csv") if path.name != "documents.csv")
            self.project.add(RESULTS, file, answers.systems[0])
        except IdealrankError as found:
            error = str(found)
        except Exception as found:  # whatever it was, whoever waits is told
            error = f"{type(found).__name__}: {found}"
        answered = self.state.done
        shutil.rmtree(folder, ignore_errors=True)
        self.state = replace(self.state, over=True, error=error, answered=answered)


def _replayable(system: str, record: Mapping[str, Any]) -> Replayable:
    limits = {name: record[name] for name in _LIMITS if record.get(name) is not None}
    template = (record.get("template") or {}).get("text") or ""
    return Replayable(system, record["address"], template, record.get("settings") or {}, int(record["k"]), limits)


def _address(asked: Replayable, folder: Path) -> str:
    """Return the engine's address with the template as a file.

    Raises
    ------
    UsageError
        If it would run code that the project names: a project may come from anybody.
    """
    if asked.address.startswith("python:"):
        raise UsageError(f"{asked.address}: the studio calls no Python function that a project names. Use `replay`.")
    if not asked.template:
        return asked.address
    endings = {"sqlite": ".sql", "postgresql": ".sql"}
    file = folder / f"template{endings.get(asked.address.partition(':')[0], '.json')}"
    file.write_text(asked.template, "utf-8")
    joined = _TEMPLATE.sub(lambda found: f"{found[1]}{file}", asked.address)
    return (
        joined if joined != asked.address else f"{asked.address}{'&' if '?' in asked.address else '?'}template={file}"
    )


def read_settings(text: str) -> dict[str, Any]:
    """Read settings as people write them, NAME=VALUE separated by blanks; numbers become numbers.

    Raises
    ------
    UsageError
        If a word has no =.

    Examples
    --------
    >>> read_settings("boost=2 mode=any")
    {'boost': 2, 'mode': 'any'}
    """
    found: dict[str, Any] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise UsageError(f"Settings: {word!r} is not NAME=VALUE, as boost=2.")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found
