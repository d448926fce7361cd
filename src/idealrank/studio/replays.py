"""Systems asked again: a search that came from a replay, with another template or setting, becomes a new system."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from idealrank.data.formats.source import BESIDE
from idealrank.engines.address import Address
from idealrank.engines.replay import replay
from idealrank.engines.replay_files import file_name
from idealrank.errors import DataError, IdealrankError, UsageError
from idealrank.studio.foreign import Replayable, refuse_inner_host, refuse_system_name, replayable
from idealrank.studio.project import DOCUMENTS, QUERIES, RESULTS, StudioProject


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
    secrets_to
        The engines, as ``https://HOST:PORT``, to which its owner sends what is secret.
    """

    def __init__(self, project: StudioProject, secrets_to: Collection[str] = ()) -> None:
        self.project, self.secrets_to = project, secrets_to
        self.state: ReplayState | None = None
        self._lock = threading.Lock()

    @property
    def systems(self) -> list[Replayable]:
        """The systems that came from a replay, each with how it is asked again, or why it is not."""
        kept = [one for one in self.project.store.sources(RESULTS) if one.options.get("replay")]
        return [replayable(one.systems[0], one.options["replay"], self.secrets_to) for one in kept]

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
            If another replay runs, the system did not come from one or may not be asked, or the name is taken.
        """
        found = next((one for one in self.systems if one.system == system), None)
        if found is None:
            raise UsageError(f"{system!r} did not come from a replay, so nothing says how to ask it.")
        if found.refused:
            raise UsageError(found.refused)
        refuse_system_name(name)
        if not name or name in self.project.systems:
            raise UsageError(f"A system called {name!r} is there already. Give the new one a name of its own.")
        queries, table = self.project.queries_file(), self.project.queries()
        if queries is None or table is None:
            raise DataError(f"The project has no table of {QUERIES}, so nothing says what to ask. Add one.")
        with self._lock:
            if self.state is not None and not self.state.over:
                raise UsageError(f"{self.state.system} is being asked. Wait until it has ended.")
            folder = Path(tempfile.mkdtemp(prefix="idealrank-replay-"))
            journal = folder / BESIDE / f"{file_name(name)}.journal.jsonl"
            self.state = ReplayState(name, len(table.ids), journal)
        asked = replace(found, system=name, template=template, settings=dict(settings), k=k)
        threading.Thread(target=self._run, args=(asked, queries, folder), daemon=True).start()

    def _run(self, asked: Replayable, queries: str, folder: Path) -> None:
        assert self.state is not None
        error = ""
        try:
            address = _asked_address(asked, folder, self.project.documents_file())
            refuse_inner_host(address)
            answers = replay(
                queries, address, k=asked.k, name=asked.system, output=folder,
                settings=[dict(asked.settings)] if asked.settings else None, progress=False, **(asked.limits or {}),
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


def _asked_address(asked: Replayable, folder: Path, documents: str | None) -> Address:
    """Return the engine's address with files of the project's own: its template, and its documents.

    Raises
    ------
    UsageError
        If documents are to be read, and the project has none.
    """
    address = asked.address
    assert address is not None
    options = {name: value for name, value in address.options.items() if name != "template"}
    if asked.template:
        file = folder / "template"
        file.write_text(asked.template, "utf-8")
        options["template"] = str(file)
    url = address.url
    if address.kind == "sqlite":
        if documents is None:
            raise UsageError(f"The project has no table of {DOCUMENTS}, in which {asked.system} could search. Add one.")
        url = documents
    return replace(address, url=url, options=options, secrets=asked.secrets)


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
