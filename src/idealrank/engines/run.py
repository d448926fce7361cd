"""A run: systems are asked all queries, each into its journal; a run that was interrupted goes on where it stopped."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from idealrank.data.formats.origin import Origin
from idealrank.data.ids import id_text
from idealrank.data.replayed import BESIDE
from idealrank.display.progress import counted
from idealrank.engines.account import Account
from idealrank.engines.answers import Answers
from idealrank.engines.asking import Asking, Job, Limits, jobs
from idealrank.engines.engine import Engine, Failed, Found, Values, Wishes
from idealrank.engines.journal import Journal, entry_of
from idealrank.engines.questions import Questions, judged_ids
from idealrank.engines.record import asked, differences, identity, record
from idealrank.engines.systems import System, refuse_unknown
from idealrank.engines.written import (
    file_name,
    read_documents_of,
    write_documents,
    write_explained,
    write_raw,
    write_record,
    write_results,
)
from idealrank.errors import DataError, UsageError, either, option, plural, some


@dataclass(frozen=True)
class Fetched:
    """Judged documents that no system returned.

    Attributes
    ----------
    documents
        The fields of those that were fetched, by id.
    wanted
        The ids of all of them.
    error
        Why some could not be fetched; "" if the engines answered.
    """

    documents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    wanted: Sequence[str] = ()
    error: str = ""

    @property
    def said(self) -> str:
        """Say how many were fetched, and which were not; "" if there was nothing to fetch."""
        if not self.wanted:
            return ""
        lacking = [key for key in self.wanted if key not in self.documents]
        many = f"{plural(len(self.wanted), 'judged document')} came back for no query"
        if not lacking:
            return f"{many}: fetched by {'its id' if len(self.wanted) == 1 else 'their ids'}."
        why = self.error or "not there"
        return f"{many}: {len(self.documents)} fetched by id, {len(lacking)} not ({why}): {some(lacking)}."


@dataclass(frozen=True)
class Run:
    """What a replay does.

    Attributes
    ----------
    repeat
        How often each query is asked.
    raw
        Whether answers are kept as they came.
    anew
        Whether to start over where an earlier run was interrupted.
    keeps
        Whether the journals stay where a run is interrupted.
    """

    systems: Sequence[System]
    questions: Questions
    wishes: Wishes
    limits: Limits
    repeat: int = 1
    raw: bool = False
    anew: bool = False
    keeps: bool = True

    def check(self) -> None:
        """Refuse what cannot be asked, before anything is.

        Raises
        ------
        UsageError
            If a template names a value there is not, or an engine has no batches.
        """
        refuse_unknown(self.systems, self.questions)
        self._refuse_one_file()
        silent = next((system for system in self.systems if not system.engine.explains), None)
        if self.wishes.explain and silent is not None:
            raise UsageError(
                f"{either('explain=True', '--explain')}: {silent.engine.kind} does not say how a score came about. "
                "OpenSearch, Elasticsearch and Solr do. Leave it out, or ask that engine apart."
            )
        single = next((system for system in self.systems if not system.engine.batches), None)
        if self.limits.batch > 1 and single is not None:
            raise UsageError(
                f"{option('batch', str(self.limits.batch))}: {single.engine.kind} answers one query per request. "
                "Leave it out, or ask that engine apart."
            )

    def _refuse_one_file(self) -> None:
        """Refuse two systems whose results would be one file: some characters are not for names of files."""
        files: dict[str, str] = {}
        for name in (system.name for system in self.systems):
            if (other := files.setdefault(file_name(name), name)) != name:
                raise UsageError(
                    f"The results of {other!r} and {name!r} would be one file, {file_name(name)}.csv. Name the systems "
                    "before their addresses, or choose other values."
                )

    def values(self, job: Job) -> Values:
        """Return the values for the template of a search."""
        return self.questions.values(job.place, self.wishes.k, self.systems[job.system].settings)

    def shown(self) -> list[tuple[str, str]]:
        """Return each system's name and its first request."""
        return [
            (system.name, system.engine.shown(self.values(Job(place, 0, 0))))
            for place, system in enumerate(self.systems)
        ]

    @contextlib.contextmanager
    def answered(self, folder: Path, progress: bool | None) -> Iterator[list[Answers]]:
        """Ask every system every query; give the answers of each that was asked to the end.

        The journals are closed at the end. Where a system was stopped, that is said after the others were written.

        Parameters
        ----------
        folder
            Where the journals are.

        Raises
        ------
        DataError
            At the end, if a system was stopped.
        """
        self.check()
        self._refuse_others(folder.parent)
        if self.wishes.fields and not self.anew:
            read_documents_of(folder / "documents.csv")  # what cannot be added to is refused before anything is asked
        with contextlib.ExitStack() as stack:
            journals = [stack.enter_context(contextlib.closing(self._journal(folder, one))) for one in self.systems]
            notes: dict[int, list[str]] = {place: [] for place in range(len(journals))}
            asking = self._ask(journals, notes, progress)
            for place, about in asking.about.items():
                if found := differences(identity(about), identity(asking.after.get(place, {}))):
                    notes[place].append(f"the index changed while it was asked: {'; '.join(found.values())}")
            yield [
                self._answers(asking, i, journals[i], notes[i]) for i in range(len(journals)) if i not in asking.stopped
            ]
            self._refuse_stopped(asking, journals)

    def _refuse_others(self, folder: Path) -> None:
        """Refuse to write over a table that no replay wrote, as the documents or the judgments."""
        for system in self.systems:
            name = file_name(system.name)
            if (folder / f"{name}.csv").exists() and not (folder / BESIDE / f"{name}.json").exists():
                raise UsageError(
                    f"{folder / name}.csv is there, and no replay wrote it. Give another -o, or name the system: "
                    f"NAME={system.engine.address}"
                )

    def _beginning(self, journals: Sequence[Journal], notes: dict[int, list[str]]) -> Callable[..., None]:
        """Return what looks at each index before it is asked: it is to be the one that an earlier run asked."""

        def begun(place: int, about: Mapping[str, Any]) -> None:
            journal, now = journals[place], identity(about)
            states = (differences(state, now) for state in journal.indexes if journal.before)
            found = next(filter(None, states), {})
            if {"version", "index", "uuid"} & set(found):
                raise UsageError(
                    f"{journal.path}: {plural(journal.before, 'answer')} of an interrupted run are of another index or "
                    f"engine: {'; '.join(found.values())}. Start over: {either('anew=True', '--anew')}, or give "
                    "another -o."
                )
            if found:
                notes[place].append(
                    f"the index has changed since {plural(journal.before, 'answer')} of an earlier run: "
                    f"{'; '.join(found.values())}. To ask everything of one state: --anew (in Python, anew=True)"
                )
            journal.identify(now)

        return begun

    def _ask(self, journals: Sequence[Journal], notes: dict[int, list[str]], progress: bool | None) -> Asking:
        total = len(self.systems) * len(self.questions.keys) * self.repeat
        with counted("replaying", total, sum(journal.before for journal in journals), progress) as tell:
            told, begun = self._telling(journals, tell), self._beginning(journals, notes)
            asking = Asking(self.systems, self.limits, self.values, told, begun)
            asking.run(lambda places: self._left(places, journals))
        return asking

    def _answers(self, asking: Asking, place: int, journal: Journal, notes: Sequence[str]) -> Answers:
        about = asking.about[place]
        return Answers(self.systems[place], journal, self.questions, self.wishes.k, self.repeat, about, notes)

    def _refuse_stopped(self, asking: Asking, journals: Sequence[Journal]) -> None:
        """Say which system was asked no more; what was answered is kept, and no results of it are written."""
        for place, (error, hopeless) in asking.stopped.items():
            system, said = self.systems[place], self.systems[place].engine.without_secrets(str(error))
            why = "every query would fail" if hopeless else f"{self.limits.stop_after} failures in a row"
            raise DataError(f"{system.name}: stopped, {why}; the last: {said}. {self._kept(journals[place])}")

    def _kept(self, journal: Journal) -> str:
        """Say what is kept of a run that was stopped."""
        kept = journal.answered
        if not self.keeps:
            return "Nothing is kept; with output=FOLDER the same call would go on from where it stopped."
        return (
            f"{plural(kept, 'answer')} of {journal.size} {'is' if kept == 1 else 'are'} kept in {journal.path}: once "
            "the engine answers, the same call goes on from there."
        )

    def _left(self, places: Sequence[int], journals: Sequence[Journal]) -> Iterator[list[Job]]:
        def answered(job: Job) -> bool:
            return journals[job.system].has(job.place, job.again)

        return jobs(places, len(self.questions.keys), self.repeat, self.limits.batch, answered)

    def _journal(self, folder: Path, system: System) -> Journal:
        path = folder / f"{file_name(system.name)}.journal.jsonl"
        header = asked(system, self.questions, self.wishes, self.limits, self.repeat, self.raw)
        return Journal(path, header, len(self.questions.keys), self.repeat, self.anew)

    def _telling(self, journals: Sequence[Journal], tell: Callable[[], None]) -> Callable[..., None]:
        def told(job: Job, outcome: Found | Failed, tries: int) -> None:
            journal, engine = journals[job.system], self.systems[job.system].engine
            entry = entry_of(outcome, tries, self.raw, journal.documents)
            for name in ("error", "raw", "documents", "explained"):
                if name in entry:
                    entry[name] = _without_secrets(engine, entry[name])
            journal.add(job.place, job.again, entry)
            tell()

        return told

    def fetched(self, every: Sequence[Answers], beside: Path, judgments: Any) -> Fetched:
        """Fetch the judged documents that no system returned by their ids, for the fields that were asked for.

        Those that an earlier replay into the same folder has written are not fetched again. Each engine is asked for
        what the ones before it did not have.
        """
        if judgments is None or not self.wishes.fields or not every:
            return Fetched()
        known = {} if self.anew else read_documents_of(beside / "documents.csv")[1]
        here = {id_text(key) for answers in every for key, _ in answers.documents()} | known.keys()
        wanted = [key for key in judged_ids(judgments, self.questions) if key not in here]
        found: dict[str, Mapping[str, Any]] = {}
        errors, engines = [], {_place(answers.system.engine): answers.system.engine for answers in every}
        asking = Asking(self.systems, self.limits, self.values, lambda *_: None, lambda *_: None)
        for engine in engines.values():
            left = [key for key in wanted if key not in found]
            if left and engine.fetches:
                try:
                    got = asking.fetched(engine, left)
                except Failed as error:
                    errors.append(engine.without_secrets(str(error)))
                    continue
                found |= {key: _without_secrets(engine, dict(fields)) for key, fields in got.items() if key in wanted}
        able = any(engine.fetches for engine in engines.values())
        return Fetched(
            found, tuple(wanted), errors[0] if errors else "" if able else "no engine here returns them by id"
        )

    def write(
        self,
        folder: Path,
        beside: Path,
        every: Sequence[Answers],
        begun: datetime,
        more: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> list[Account]:
        """Write what every system answered; journals of whole runs without failures are not needed any more.

        Parameters
        ----------
        more
            Further documents by their ids, which no system returned.
        """
        accounts = []
        for answers in every:
            count, name = answers.about.get("documents"), file_name(answers.system.name)
            account = Account(self.wishes.k, count if isinstance(count, int) else None, answers.notes)
            write_results(folder / f"{name}.csv", account.counting(answers))
            if self.raw:
                write_raw(beside / f"{name}.raw.jsonl", answers)
            if self.wishes.explain:
                write_explained(beside / f"{name}.explain.jsonl", answers)
            write_record(beside / f"{name}.json", self._record(answers, account, begun, folder / f"{name}.csv"))
            accounts.append(account)
        if self.wishes.fields:
            documents = [pair for answers in every for pair in answers.documents()] + list((more or {}).items())
            write_documents(beside / "documents.csv", documents, self.wishes.fields, self.anew)
        for answers, account in zip(every, accounts, strict=True):
            answers.journal.close()
            if not account.counts["failed"] and not account.lost:
                answers.journal.path.unlink()
        return accounts

    def _record(self, answers: Answers, account: Account, begun: datetime, file: Path) -> dict[str, Any]:
        counts: dict[str, Any] = {
            "results_sha256": Origin.of(str(file)).sha256(),
            **account.counts,
            "retried": account.retried,
            "from_an_earlier_run": answers.journal.before,
            "notes": account.notes,
        }
        if self.repeat > 1:
            counts |= {"repeat": self.repeat, "changed": account.changed, "lost": account.lost}
        begun = datetime.fromisoformat(answers.journal.begun) if answers.journal.begun else begun
        return record(answers.system, self.questions, self.wishes, self.limits, answers.about, counts, begun)


def _place(engine: Engine) -> str:
    """Return where an engine is, without its template: several templates may ask one index."""
    return str(getattr(engine, "url", engine.address)).partition("?")[0]


def _without_secrets(engine: Engine, value: Any) -> Any:
    """Return a value of JSON without passwords and tokens in any of its texts."""
    if isinstance(value, str):
        return engine.without_secrets(value)
    if isinstance(value, dict):
        return {_without_secrets(engine, name): _without_secrets(engine, each) for name, each in value.items()}
    return [_without_secrets(engine, each) for each in value] if isinstance(value, (list, tuple)) else value
