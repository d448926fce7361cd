"""A run: systems are asked all queries, each into its journal; a run that was interrupted goes on where it stopped."""

from __future__ import annotations

import contextlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NotRequired

from idealrank.data.formats.source import BESIDE, Origin
from idealrank.data.ids import id_text
from idealrank.data.latency_columns import PREFIX, WHOSE
from idealrank.display.columns import SystemName
from idealrank.display.schema import RowType, Within
from idealrank.display.table import Table
from idealrank.display.terminal import step_counter
from idealrank.engines.engine import Engine, SearchError, SearchHits, SearchOptions, Values
from idealrank.engines.journal import Journal, SearchAnswer, SystemAnswers, make_entry, run_identity
from idealrank.engines.queries import ReplayQueries, judged_ids
from idealrank.engines.replay_files import (
    file_name,
    read_written_documents,
    write_documents,
    write_explained,
    write_raw,
    write_record,
    write_results,
)
from idealrank.engines.replay_record import (
    IDENTITY,
    STATES,
    ReplayedQueries,
    ReplayedTemplate,
    ReplayRecord,
    index_differences,
    index_identity,
    sha256,
    utc_now,
)
from idealrank.engines.scheduler import Limits, Scheduler, SearchJob, jobs
from idealrank.engines.systems import System, refuse_unknown
from idealrank.errors import DataError, UsageError, either, option, plural, some
from idealrank.statistics.quantiles import QUANTILES, quantile


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
    def text(self) -> str:
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
class ReplayRun:
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
    questions: ReplayQueries
    wishes: SearchOptions
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

    def values(self, job: SearchJob) -> Values:
        """Return the values for the template of a search."""
        return self.questions.values(job.place, self.wishes.k, self.systems[job.system].settings)

    def first_requests(self) -> list[tuple[str, str]]:
        """Return each system's name and its first request."""
        return [
            (system.name, system.engine.describe_request(self.values(SearchJob(place, 0, 0))))
            for place, system in enumerate(self.systems)
        ]

    @contextlib.contextmanager
    def ask(self, folder: Path, progress: bool | None) -> Iterator[list[SystemAnswers]]:
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
            read_written_documents(
                folder / "documents.csv"
            )  # what cannot be added to is refused before anything is asked
        with contextlib.ExitStack() as stack:
            journals = [
                stack.enter_context(contextlib.closing(self._open_journal(folder, one))) for one in self.systems
            ]
            notes: dict[int, list[str]] = {place: [] for place in range(len(journals))}
            asking = self._run_scheduler(journals, notes, progress)
            for place, about in asking.about.items():
                if found := index_differences(index_identity(about), index_identity(asking.after.get(place, {}))):
                    notes[place].append(f"the index changed while it was asked: {'; '.join(found.values())}")
            yield [
                self._make_answers(asking, i, journals[i], notes[i])
                for i in range(len(journals))
                if i not in asking.stopped
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

    def _index_check(self, journals: Sequence[Journal], notes: dict[int, list[str]]) -> Callable[..., None]:
        """Return what looks at each index before it is asked: it is to be the one that an earlier run asked."""

        def check_index(place: int, about: Mapping[str, Any]) -> None:
            journal, now = journals[place], index_identity(about)
            states = (index_differences(state, now) for state in journal.indexes if journal.before)
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

        return check_index

    def _run_scheduler(
        self, journals: Sequence[Journal], notes: dict[int, list[str]], progress: bool | None
    ) -> Scheduler:
        total = len(self.systems) * len(self.questions.keys) * self.repeat
        with step_counter("replaying", total, sum(journal.before for journal in journals), progress) as tell:
            write, check = self._outcome_writer(journals, tell), self._index_check(journals, notes)
            asking = Scheduler(self.systems, self.limits, self.values, write, check)
            asking.run(lambda places: self._remaining_jobs(places, journals))
        return asking

    def _make_answers(self, asking: Scheduler, place: int, journal: Journal, notes: Sequence[str]) -> SystemAnswers:
        about = asking.about[place]
        return SystemAnswers(self.systems[place], journal, self.questions, self.wishes.k, self.repeat, about, notes)

    def _refuse_stopped(self, asking: Scheduler, journals: Sequence[Journal]) -> None:
        """Say which system was asked no more; what was answered is kept, and no results of it are written."""
        for place, (error, hopeless) in asking.stopped.items():
            system, message = self.systems[place], self.systems[place].engine.without_secrets(str(error))
            why = "every query would fail" if hopeless else f"{self.limits.stop_after} failures in a row"
            raise DataError(
                f"{system.name}: stopped, {why}; the last: {message}. {self._describe_kept(journals[place])}"
            )

    def _describe_kept(self, journal: Journal) -> str:
        """Say what is kept of a run that was stopped."""
        kept = journal.answered
        if not self.keeps:
            return "Nothing is kept; with output=FOLDER the same call would go on from where it stopped."
        return (
            f"{plural(kept, 'answer')} of {journal.size} {'is' if kept == 1 else 'are'} kept in {journal.path}: once "
            "the engine answers, the same call goes on from there."
        )

    def _remaining_jobs(self, places: Sequence[int], journals: Sequence[Journal]) -> Iterator[list[SearchJob]]:
        def answered(job: SearchJob) -> bool:
            return journals[job.system].has(job.place, job.again)

        return jobs(places, len(self.questions.keys), self.repeat, self.limits.batch, answered)

    def _open_journal(self, folder: Path, system: System) -> Journal:
        path = folder / f"{file_name(system.name)}.journal.jsonl"
        header = run_identity(system, self.questions, self.wishes, self.limits, self.repeat, self.raw)
        return Journal(path, header, len(self.questions.keys), self.repeat, self.anew)

    def _outcome_writer(self, journals: Sequence[Journal], tell: Callable[[], None]) -> Callable[..., None]:
        def write_outcome(job: SearchJob, outcome: SearchHits | SearchError, tries: int) -> None:
            journal, engine = journals[job.system], self.systems[job.system].engine
            entry = make_entry(outcome, tries, self.raw, journal.documents)
            secret_prone = ("error", "raw", "documents", "explained")  # ids stay as the judgments have them
            shown = engine.without_secrets({name: entry[name] for name in secret_prone if name in entry})
            journal.add(job.place, job.again, {**entry, **shown})
            tell()

        return write_outcome

    def fetch_judged(self, every: Sequence[SystemAnswers], beside: Path, judgments: Any) -> Fetched:
        """Fetch the judged documents that no system returned by their ids, for the fields that were asked for.

        Those that an earlier replay into the same folder has written are not fetched again. Each engine is asked for
        what the ones before it did not have.
        """
        if judgments is None or not self.wishes.fields or not every:
            return Fetched()
        known = {} if self.anew else read_written_documents(beside / "documents.csv")[1]
        here = {id_text(key) for answers in every for key, _ in answers.documents()} | known.keys()
        wanted = [key for key in judged_ids(judgments, self.questions) if key not in here]
        found: dict[str, Mapping[str, Any]] = {}
        errors, engines = [], {_location(answers.system.engine): answers.system.engine for answers in every}
        asking = Scheduler(self.systems, self.limits, self.values, lambda *_: None, lambda *_: None)
        for engine in engines.values():
            left = [key for key in wanted if key not in found]
            if left and engine.fetches:
                try:
                    got = asking.fetch(engine, left)
                except SearchError as error:
                    errors.append(engine.without_secrets(str(error)))
                    continue
                found |= {key: engine.without_secrets(dict(fields)) for key, fields in got.items() if key in wanted}
        able = any(engine.fetches for engine in engines.values())
        return Fetched(
            found, tuple(wanted), errors[0] if errors else "" if able else "no engine here returns them by id"
        )

    def write(
        self,
        folder: Path,
        beside: Path,
        every: Sequence[SystemAnswers],
        more: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> list[ReplayCounts]:
        """Write what every system answered; journals of whole runs without failures are not needed any more.

        Parameters
        ----------
        more
            Further documents by their ids, which no system returned.
        """
        accounts = []
        for answers in every:
            count, name = answers.about.get("documents"), file_name(answers.system.name)
            account = ReplayCounts(self.wishes.k, count if isinstance(count, int) else None, answers.notes)
            write_results(folder / f"{name}.csv", account.count(answers))
            if self.raw:
                write_raw(beside / f"{name}.raw.jsonl", answers)
            if self.wishes.explain:
                write_explained(beside / f"{name}.explain.jsonl", answers)
            write_record(beside / f"{name}.json", self._make_record(answers, account, folder / f"{name}.csv"))
            accounts.append(account)
        if self.wishes.fields:
            documents = [pair for answers in every for pair in answers.documents()] + list((more or {}).items())
            write_documents(beside / "documents.csv", documents, self.wishes.fields, self.anew)
        for answers, account in zip(every, accounts, strict=True):
            answers.journal.close()
            if not account.counts["failed"] and not account.lost:
                answers.journal.path.unlink()
        return accounts

    def _make_record(self, answers: SystemAnswers, counts: ReplayCounts, results: Path) -> ReplayRecord:
        """Return all that is kept of a run, without anything secret."""
        from importlib.metadata import version

        engine, questions, limits, wishes = answers.system.engine, answers.questions, self.limits, self.wishes
        identity: dict[str, Any] = {name: answers.about.get(name) for name in ("engine", *IDENTITY)}
        return ReplayRecord(
            **engine.without_secrets(identity),  # also the name of an index may contain a secret
            system=answers.system.name,
            address=engine.without_secrets(engine.address),
            template=ReplayedTemplate(engine.origin, sha256(engine.template), engine.template),
            settings=answers.system.settings,
            queries=ReplayedQueries(
                questions.name,
                questions.sha256 or questions.hash(engine.takes),
                len(questions.keys),
                questions.without_text,
            ),
            k=wishes.k,
            fields=wishes.fields,
            begun=answers.journal.begun,
            ended=utc_now(),
            concurrency=1 if engine.alone else limits.concurrency,
            rate=limits.rate,
            batch=limits.batch,
            retries=limits.retries,
            timeout=wishes.timeout,
            tls=wishes.tls,
            results_sha256=Origin.of(str(results)).sha256() or "",
            answered=counts.counts["answered"],
            empty=counts.counts["empty"],
            failed=counts.counts["failed"],
            retried=counts.retried,
            from_an_earlier_run=answers.journal.before,
            notes=counts.notes,
            idealrank=version("idealrank"),
            repeat=self.repeat,
            changed=counts.changed,
            lost=counts.lost,
        )


def _location(engine: Engine) -> str:
    """Return where an engine is, without its template: several templates may ask one index."""
    return str(getattr(engine, "url", engine.address)).partition("?")[0]


# The account of a replay.


_ENOUGH = 5
"""Lists from which on their lengths say something."""

_DIGITS = 3
"""Decimals of milliseconds: no clock of a search is finer."""


REPLAY_ROW = RowType(
    {
        "system": SystemName,
        **{state: Annotated[int, f"Number of queries that are {state}."] for state in STATES},
        **{
            f"{before}{name} ms": NotRequired[
                Annotated[float | None, Within(0), f"The {name} of {WHOSE[clock]}, in milliseconds; null if not known."]
            ]
            for clock, before in PREFIX.items()
            for name in QUANTILES
        },
    }
)


class ReplayCounts:
    """Counts of the answers of one system, without keeping the answers.

    Attributes
    ----------
    counts
        How many queries are in each state.
    changed
        The queries whose list was another when they were asked again.
    failed
        The queries that failed, with their errors.
    lost
        The queries of which a call failed, while another was answered.
    retried
        The queries that were answered after being refused at first.
    notes
        What else a reader should know, in sentences.
    """

    def __init__(self, k: int, documents: int | None = None, notes: Iterable[str] = ()) -> None:
        self._k, self._documents, self._notes = k, documents, tuple(notes)
        self._lengths: Counter[int] = Counter()
        self._twice: list[str] = []
        self._cut: list[str] = []
        self.counts = dict.fromkeys(STATES, 0)
        self.changed: list[str] = []
        self.failed: list[tuple[str, str]] = []
        self.retried: list[str] = []
        self.lost: list[str] = []
        self._latency, self._took = array("d"), array("d")

    def count(self, answers: Iterable[SearchAnswer]) -> Iterable[SearchAnswer]:
        """Yield answers and count them."""
        for answer in answers:
            self.counts[answer.state] += 1
            if answer.state == "failed":
                self.failed.append((id_text(answer.key), answer.error))
            else:
                self._latency.extend(() if answer.latency is None else (answer.latency,))
                self._took.extend(() if answer.took is None else (answer.took,))
            if answer.hits:
                self._lengths[len(answer.hits)] += 1
                keys = [id_text(key) for key, _ in answer.hits]
                self._twice.extend([id_text(answer.key)] if len(set(keys)) < len(keys) else ())
            if answer.cut:
                self._cut.append(id_text(answer.key))
            if answer.tries > 1 and answer.state != "failed":
                self.retried.append(id_text(answer.key))
            if answer.lost:
                self.lost.append(id_text(answer.key))
            if answer.changed:
                self.changed.append(id_text(answer.key))
            yield answer

    @property
    def notes(self) -> list[str]:
        """What a reader should know: of its index, of lists all cut at one length, of ids that came back twice."""
        return [*self._notes, *self._short_lists_note(), *self._repeated_ids_note(), *self._early_end_note()]

    def _short_lists_note(self) -> Iterable[str]:
        """Say that lists end where something other than -k ends them: most are equally long, and none is longer."""
        longest, full = max(self._lengths.items(), default=(0, 0))
        every = self._lengths.total()
        if longest >= min(self._k, self._documents or self._k) or every < _ENOUGH or 2 * full <= every:
            return
        yield (
            f"no list is longer than {longest}, and {full} of {every} are just as long, though {self._k} were asked "
            "for: does the template or the address say how many?"
        )

    def _repeated_ids_note(self) -> Iterable[str]:
        if self._twice:
            yield (
                f"one id came back twice in a list for {plural(len(self._twice), 'query')}: {some(self._twice)}, which "
                "evaluate refuses. Of several indices, join the names: id=_index/_id in the address"
            )

    def _early_end_note(self) -> Iterable[str]:
        if self._cut:
            yield (
                f"the engine stopped before it had seen all documents (terminated early) for "
                f"{plural(len(self._cut), 'query')}: {some(self._cut)}"
            )

    def row(self, system: str) -> dict[str, Any]:
        """Return the account as a row of a table: counts, and quantiles of milliseconds."""
        times = {"": self._latency, "took ": self._took}
        quantiles = {
            f"{name}{shown} ms": round(quantile(values, q), _DIGITS) if values else None
            for name, values in times.items()
            for shown, q in QUANTILES.items()
        }
        return {"system": system, **self.counts, **quantiles}


def accounts(rows: Iterable[dict[str, Any]]) -> Table:
    """Return the accounts of all systems as a table, without times that nobody said."""
    table = list(rows)
    columns = {name: [row[name] for row in table] for name in table[0]}
    kept = {name: values for name, values in columns.items() if any(value is not None for value in values)}
    return Table(kept, "replay", row=REPLAY_ROW)
