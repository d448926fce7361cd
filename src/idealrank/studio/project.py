"""A project: the tables and grades of a store, evaluated under what somebody asks of them."""

from __future__ import annotations

import json
import math
import os
import random
import shlex
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

import numpy as np

from idealrank.comparison.compare import compare
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.segments.attributes import refuse_unknown_attributes
from idealrank.conventions import parse_convention
from idealrank.data.documents import Documents, documents_in, read_documents
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries, add_segments, read_queries
from idealrank.data.read import read_judgments, read_results
from idealrank.data.results import Results
from idealrank.data.roles import has_column
from idealrank.data.systems import system_name
from idealrank.decisions.decisions import questions
from idealrank.engines.replay_record import read_record
from idealrank.errors import DataError, UsageError, unknown
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.scores import Scores
from idealrank.labels.label_next import DRAWS, LabelNext, label_next
from idealrank.labels.ratings import Ratings, read_ratings
from idealrank.measures import measure as one_measure
from idealrank.studio.foreign import SETTINGS, is_sha256, refuse_file_name, refuse_system_name, refuse_units
from idealrank.studio.joined import RESOLVER, ReadRows, join_ratings
from idealrank.studio.kept_files import FileToKeep, file_to_keep, write_kept
from idealrank.studio.scale import MOST_GRADES
from idealrank.studio.store import KeptTable, Rating, Store

Made = TypeVar("Made")

KEPT = 64
"""Tables, evaluations and comparisons that are kept: a way back is shown at once."""

KEPT_FILES = 16
"""Files of judgments with the grades given here that are kept: a report may still read an older one."""

SAMPLED = 2000
"""Queries that show which decisions matter; of more, so many drawn at random."""

COMMON = ("nDCG@10", "P@10", "R@100", "RR", "AP", "nDCG@5", "P@5", "RR@10", "ERR@10", "RBP(p=0.8)", "Success@1")
"""Measures that are offered."""

MEASURE, CONVENTION = COMMON[0], "idealrank-1"
"""What a project decides by as long as nobody said."""

JUDGMENTS, RESULTS, QUERIES, DOCUMENTS = "judgments", "results", "queries", "documents"
"""The roles of tables."""

WEIGHTS = "weights"
"""What a table of queries is called that is there for the weights."""


@dataclass(frozen=True)
class Look:
    """What somebody looks at: two systems under a measure and decisions. It is the address of the page.

    Attributes
    ----------
    baseline, system
        The two systems compared.
    measure
        What decides.
    answers
        Answers to decisions that differ from the project's convention, by name.
    """

    baseline: str
    system: str
    measure: str
    answers: Mapping[str, str] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, str]:
        """The look as parameters of an address."""
        return {"baseline": self.baseline, "system": self.system, "measure": self.measure, **self.answers}

    @property
    def address(self) -> str:
        """The look as the query of an address."""
        return urlencode(self.parameters)

    def but(self, decision: str, answer: str, usual: str) -> Look:
        """Return the look with another answer; the usual one is no answer at all."""
        answers = {name: value for name, value in self.answers.items() if name != decision}
        return replace(self, answers=answers if answer == usual else {**answers, decision: answer})


class StudioProject:
    """The tables and grades of a store.

    Parameters
    ----------
    store
        Of which this is the project. Judgments and two results are needed before anything can be looked at.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._units: set[str] = set()
        self._folder = tempfile.TemporaryDirectory(prefix="idealrank-")
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._remembered: set[Any] = set()
        self._current: Any = None
        self._written = 0
        self._lock = Lock()

    def close(self) -> None:
        """Close the store, and remove what was unpacked."""
        self.store.close()
        self._folder.cleanup()

    def allow_units(self, convention: str, measure: str = MEASURE) -> None:
        """Let the project tell units as a convention and a measure do: the owner of the studio gave them."""
        for one in (parse_convention(convention), one_measure(measure)):
            if isinstance(unit := one.decisions.unit, str):
                self._units.add(unit)

    def damage(self) -> list[str]:
        """Look at everything the project keeps but its contents, and say what of it is damaged."""
        for name in SETTINGS:
            self.store[name]
        self.store.sources()
        self.store.ratings()
        self.store.looks()
        return self.store.damage

    # What there is.

    def add(self, role: str, file: str | Path, name: str = "", table: Any = None, **columns: Any) -> None:
        """Read a file or a folder into the project, and keep its content.

        Parameters
        ----------
        role
            `JUDGMENTS`, `RESULTS`, `QUERIES` or `DOCUMENTS`; there is one table of judgments and of documents.
        name
            What the system is called, "": as the file; or what a further table of queries is there for.
        table
            What was read of it already, with these columns.
        **columns
            Names of columns, as the reader of the table takes them.

        Raises
        ------
        DataError
            If it cannot be read as what it is meant to be: nothing is kept then.
        UsageError
            If a system of that name came from another file.
        """
        path = os.fspath(file)
        refuse_file_name(os.path.basename(path.rstrip("/")))
        kept = file_to_keep(path)
        table = self._read(role, path, columns) if table is None else table
        if role == JUDGMENTS and np.isinf(table.ratings).any():  # words are refused as they are read
            raise DataError(f"{path}: a grade is infinite. Give finite numbers.")
        systems = self._systems_in(table, name or system_name(path)) if role == RESULTS else []
        options: dict[str, Any] = {"columns": columns, **({"systems": systems} if systems else {})}
        if role == RESULTS and (record := read_record(table)) is not None:
            options["replay"] = dict(record)
        if kept.part:
            options["part"] = kept.part
        own = systems[0] if systems else name if role == QUERIES and name else role
        self.store.keep(role, own, kept.content, kept.name, options)

    def _systems_in(self, results: Results, name: str) -> list[str]:
        """Return the systems of a table, which is called so if it is of one."""
        found = _systems_of(results, name)
        for each in found:
            refuse_system_name(each)
        others = [one for one in self.store.sources(RESULTS) if one.name != found[0]]
        twice = sorted(set(found) & {each for one in others for each in one.systems})
        if twice:
            raise UsageError(f"The project has a system called {twice[0]!r} of another file. Name this one otherwise.")
        return found

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in the order they came in."""
        return [name for source in self.store.sources(RESULTS) for name in source.systems]

    @property
    def version(self) -> tuple[Any, ...]:
        """What all numbers rest on: the same as long as nobody grades, and no table, weight or convention changes."""
        return self.store.state, self.tables_version, self.convention, self.store["weights"]

    @property
    def tables_version(self) -> tuple[tuple[str, ...], ...]:
        """The same as long as no table changes; what nobody's grade changes is kept by it."""
        return tuple(one.version for one in self.store.sources())

    @property
    def name(self) -> str:
        """What the project is called: its file without the path, or its database."""
        return self.store.name if self.store.is_server else Path(self.store.name).name

    @property
    def is_ready(self) -> bool:
        """Whether there is something to look at: two systems, and grades of somebody."""
        graded = bool(self.store.sources(JUDGMENTS)) or any(one.grade is not None for one in self.store.ratings())
        return graded and len(self.systems) > 1

    @property
    def measures(self) -> tuple[str, ...]:
        """Measures to choose from: the project's own first."""
        return tuple(dict.fromkeys([self.measure, *COMMON]))

    @property
    def measure(self) -> str:
        """The measure that decides where an address names none."""
        return str(self.store["measure"] or MEASURE)

    @property
    def convention(self) -> str:
        """The convention of the project."""
        return str(self.store["convention"] or CONVENTION)

    def look(self, parameters: Mapping[str, str] | None = None) -> Look:
        """Return the look that an address names; other parameters are the page's own.

        What it does not name is usual: the first two systems, and the measure of the project.

        Raises
        ------
        UsageError
            If a system is not known, or there are not two systems.
        """
        given, systems = dict(parameters or {}), self.systems
        if len(systems) < 2:
            raise UsageError(f"A comparison needs two systems, and the project has {len(systems)}. Add results.")
        baseline, system = given.pop("baseline", systems[0]), given.pop("system", systems[1])
        for name in (baseline, system):
            if name not in systems:
                raise unknown("system", name, systems)
        if baseline == system:
            system = next(name for name in systems if name != baseline)
        measure = given.pop("measure", self.measure)
        answers = {name: value for name, value in given.items() if name in questions()}
        asked = one_measure(measure)  # refuses what is none, and a list of them
        for one in (parse_convention(self.convention, answers), asked):  # a measure has answers of its own
            refuse_units(one.decisions.unit, self._units)
        return Look(baseline, system, measure, answers)

    # What it says.

    def judgments(self) -> Judgments:
        """Return the judgments: those that were read, and what raters said here, each a rating by its rater.

        What a rater says here counts instead of what the file says of the same rater. Of a pair that was resolved, only
        the resolving grade counts.
        """
        return self.now(("judgments",), lambda: self._joined(self.store.ratings()))

    def given(self, without: str = "") -> Judgments:
        """Return what every rater gave, as if nothing had been resolved: how far raters agree is read from these.

        Parameters
        ----------
        without
            A rater who is left out.
        """
        return self.now(
            ("given", without),
            lambda: self._joined(
                [one for one in self.store.ratings() if one.rater not in (RESOLVER, without)], without
            ),
        )

    def _joined(self, ratings: list[Rating], without: str = "") -> Judgments:
        if self.store.sources(JUDGMENTS) and not without and all(one.grade is None for one in ratings):
            return self._read_file_of_judgments()
        found = self.ratings_read()
        kept, read = self.store.sources(JUDGMENTS), None
        if found is not None:
            read = self.once(("rows", kept[0].version), lambda: ReadRows(found))
        name = f"{kept[0].file} and the grades given here" if kept else "the grades given here"
        return cast(Judgments, _called(join_ratings(read, ratings, self._next_file("judgments.csv"), without), name))

    def _next_file(self, name: str) -> Path:
        """Return a place for a file of what counts now; of those before, the last few stay for whoever reads them."""
        with self._lock:
            self._written += 1
            number = self._written
        shutil.rmtree(Path(self._folder.name, f"{number - KEPT_FILES}"), ignore_errors=True)
        folder = Path(self._folder.name, f"{number}")
        folder.mkdir()
        return folder / name

    def refuse_grading(self) -> None:
        """Refuse a grade where the judgments are of more than documents: a grade of a whole document would replace it.

        Raises
        ------
        UsageError
            If the judgments are of subtopics, or of spans of text.
        """
        if self.store.sources(JUDGMENTS):
            roles = self._read_file_of_judgments().roles
            finer = [what for what, needed in _FINER.items() if all(roles.find(role) is not None for role in needed)]
            if finer:
                raise UsageError(
                    f"The judgments are of {finer[0]}, and a grade given here would be of the whole document. Nothing "
                    "was saved. Grade in a table with their columns, and add it to the project."
                )

    def ratings_read(self) -> Ratings | None:
        """Return who gave which grade in the file of judgments, None if there is none.

        A grade without a rater is by the file.
        """
        if not (kept := self.store.sources(JUDGMENTS)):
            return None
        return self.once(("ratings", kept[0].version), self._read_ratings)

    def _read_ratings(self) -> Ratings:
        read = self._read_file_of_judgments()
        if not read.grades:  # a list of what is relevant: each row is a grade of 1
            rows = read.rows_to_write()
            read = read_judgments({"query": rows.query, "doc": rows.doc, "grade": rows.grade})
        return read_ratings({JUDGMENTS: read})

    def _read_file_of_judgments(self) -> Judgments:
        found: Judgments = self.table(self.store.sources(JUDGMENTS)[0])
        return found

    def table(self, source: KeptTable) -> Any:
        """Read a table that is kept, once."""
        role, columns = source.role, source.columns
        alike = sum(one.file == source.file for one in self.store.sources(role))
        name = source.file if alike < 2 else f"{source.file} ({source.name})"
        judged = [one.sha256 for one in self.store.sources(JUDGMENTS)] if role == RESULTS else []
        key = ("table", role, source.sha256, json.dumps(dict(source.options)), name, *judged)
        found = self.once(key, lambda: _called(self._read(role, self._unpacked(source), columns), name))
        if role == RESULTS and _systems_of(found, source.name) != source.systems:
            raise DataError(f"{name}: the project says that it is of other systems than it has. Add the file again.")
        return found

    def _read(self, role: str, path: str, columns: Mapping[str, Any]) -> Any:
        """Read a table; predictions are of the rows of the judgments."""
        judged = role == RESULTS and bool(self.store.sources(JUDGMENTS))
        also = {"judgments": self._read_file_of_judgments()} if judged else {}
        return _READERS[role](path, **columns, **also)

    def tables(self) -> dict[str, Results]:
        """Return the tables of results, each by the name of its first system."""
        return {source.name: self.table(source) for source in self.store.sources(RESULTS)}

    def scores(self, look: Look) -> Scores:
        """Evaluate all systems: this is quick, a comparison takes longer."""
        asked = (look.measure, tuple(sorted(look.answers.items())))
        return self.now(("scores", asked), lambda: self._evaluate(look))

    def _evaluate(self, look: Look, **chosen: Any) -> Scores:
        asked: Any = {**self.asked(look), **chosen}
        return evaluate(self.judgments(), self.tables(), [look.measure], **asked)

    def refuse_what_cannot_be_shown(self) -> None:
        """Refuse what cannot be evaluated, or put into the segments asked for, before there is a page.

        Raises
        ------
        IdealrankError
            If it cannot.
        """
        refuse_unknown_attributes(self.scores(self.look()), self.segments)

    def sampled_scores(self, look: Look) -> Scores:
        """Evaluate both systems, over some of the queries where there are very many."""
        whole = self.scores(replace(look, answers={}))
        few = len(whole.queries) <= SAMPLED
        only = None if few else random.Random(1).sample(sorted(whole.queries), SAMPLED)
        return self._evaluate(look, system=[look.baseline, look.system], only=only)

    def comparison(self, look: Look, remember: bool = True) -> Comparison:
        """Compare both systems; what was used and found is remembered, unless nobody opened its page."""
        compared, key = self._compared(look), (self.version, look.address)
        if remember and key not in self._remembered:
            self._remembered.add(key)
            used = {
                **{name: look.parameters[name] for name in ("baseline", "system", "measure")},
                "answers": dict(look.answers),
                "convention": self.convention,
                "ratings": list(self.store.state),
                "tables": {f"{one.role} {one.name}": one.sha256 for one in self.store.sources()},
            }
            self.store.remember(used, _found_in(compared))
        return compared

    def found(self, look: Look) -> dict[str, Any]:
        """Return what a comparison comes to in a few numbers, as it is remembered; this one is not."""
        return _found_in(self._compared(look))

    def has_comparison(self, look: Look) -> bool:
        """Whether the comparison is there already, so that nobody waits for it."""
        with self._lock:
            promised = self._kept.get((self.version, "comparison", look.address))
        return promised is not None and promised.done()

    def _compared(self, look: Look) -> Comparison:
        return self.now(("comparison", look.address), lambda: self._compare(look))

    def _compare(self, look: Look) -> Comparison:
        scores = self._evaluate(look, system=[look.baseline, look.system])
        return compare(scores, baseline=look.baseline, segments=list(self.segments) or None)

    def documents(self) -> Documents | None:
        """Return what is known of documents: their own table, else what judgments and results say of them."""
        if kept := self.store.sources(DOCUMENTS):
            return cast(Documents, self.table(kept[0]))
        # Not of `judgments`: a grade given here has no title beside it.
        sources = [*self.store.sources(JUDGMENTS), *self.store.sources(RESULTS)]
        key = ("documents", tuple(one.version for one in sources))
        return self.once(key, lambda: documents_in([self.table(one) for one in sources]))

    def queries(self) -> Queries | None:
        """Return what is known of queries, with the columns of tables of segments; None if there is no such table."""
        kept = [self.table(one) for one in self._tables_of_queries if one.name != WEIGHTS]
        return add_segments(kept[0], kept[1:])[0] if kept else None

    def queries_file(self) -> str | None:
        """Return where the table of queries can be read; None if there is none."""
        kept = self._tables_of_queries
        return self._unpacked(kept[0]) if kept else None

    def documents_file(self) -> str | None:
        """Return where the table of documents can be read; None if there is none."""
        kept = self.store.sources(DOCUMENTS)
        return self._unpacked(kept[0]) if kept else None

    @property
    def _tables_of_queries(self) -> list[KeptTable]:
        """The tables of queries: what describes them first, then segments and weights."""
        return sorted(self.store.sources(QUERIES), key=lambda one: one.name != QUERIES)

    @property
    def segments(self) -> tuple[str, ...]:
        """The columns that make segments; none named: all that tell queries apart."""
        return tuple(map(str, self.store["segments"] or ()))

    def asked(self, look: Look) -> dict[str, Any]:
        """Return what `evaluate` is asked beside the tables and the measure."""
        (weights,) = [self.table(one) for one in self._tables_of_queries if one.name == WEIGHTS] or [
            self._column_of_weights
        ]
        return {"convention": self.convention, "queries": self.queries(), "weights": weights, **look.answers}

    @property
    def _column_of_weights(self) -> str | None:
        """The column of the table of queries that weights; a file of that name is not the project's."""
        name, queries = self.store["weights"], self.queries()
        known = queries is not None and has_column(list(queries.attributes), name)
        return str(name) if name and known and not os.path.exists(name) else None

    def label_next(self, look: Look, draws: int | None = None, without: str = "") -> LabelNext:
        """Return what to label next to decide between both systems, and whether labelling may stop.

        Queries without a label count only where no file says which queries are judged.

        Parameters
        ----------
        draws
            How often the missing labels are drawn; None: as usual.
        without
            A rater whose grades are taken for none.
        """
        top = max((grade for grade, _ in self.scale), default=0.0)
        key = ("next", look.address, draws, without, top)
        return self.now(key, lambda: self._label_next(look, draws, without, top))

    def _label_next(self, look: Look, draws: int | None, without: str, top: float) -> LabelNext:
        judged = self.given(without) if without else self.judgments()
        setting = parse_convention(self.convention, look.answers).decisions
        # A grade nobody gave yet can still be given: without this, nothing could change after a first grade of 0.
        beyond = setting.max_grade == "highest" and top > np.nanmax(judged.ratings, initial=-np.inf)
        asked: Any = {
            **self.asked(look), "system": [look.baseline, look.system],
            "only": None if self.store.sources(JUDGMENTS) else self.queries_returned,
            **({"max_grade": top} if beyond else {}),
        }  # fmt: skip
        drawn = DRAWS if draws is None else draws
        return label_next(
            judged, self.tables(), look.measure, rows=None, draws=drawn, documents=self.documents(), **asked
        )

    @property
    def queries_returned(self) -> list[str]:
        """The queries that any system has results for, in the order of their ids."""
        key = ("returned", tuple(one.version for one in self.store.sources(RESULTS)))
        return self.once(
            key, lambda: sorted({id_text(one) for each in self.tables().values() for one in _queries(each)})
        )

    @property
    def scale(self) -> tuple[tuple[float, str], ...]:
        """The grades that can be given, lowest first, each with its word: as set, else those of the judgments.

        Empty where neither says them: then they are asked.
        """
        given = self.store["scale"]
        if given:
            return tuple((float(grade), str(word)) for grade, word in given)
        if not self.store.sources(JUDGMENTS):
            return ()
        return self.once(("scale", self.store.sources(JUDGMENTS)[0].version), self._scale_of_judgments)

    def _scale_of_judgments(self) -> tuple[tuple[float, str], ...]:
        found = np.unique(self._read_file_of_judgments().ratings)
        grades = found[np.isfinite(found)]
        if len(grades) > MOST_GRADES or not len(grades):
            return ()
        if np.all(grades == np.floor(grades)):  # a grade nobody gave yet may be between two that were
            grades = np.arange(min(0, grades[0]), grades[-1] + 1)
        return tuple((float(grade), "") for grade in grades)

    def command(self, look: Look) -> str:
        """Return the command line that gives the same; grades that were given here have to be exported first."""
        pair = (look.baseline, look.system)
        sources = [one for name in pair for one in self.store.sources(RESULTS) if name in one.systems]
        files = list(dict.fromkeys(one.file for one in sources))
        judged = self.store.sources(JUDGMENTS)
        words = ["exported.csv" if any(self.store.state) or not judged else judged[0].file, *files, "-m", look.measure]
        if any(len(one.systems) > 1 for one in sources):
            words += [word for name in pair for word in ("--system", name)]
        if self.convention != CONVENTION:
            words += ["--as", self.convention]
        for name, answer in look.answers.items():
            words += [f"--{name.replace('_', '-')}", answer]
        for one in self._tables_of_queries:
            words += ["--queries-table" if one.name == QUERIES else f"--{one.name.partition(' ')[0]}", one.file]
        if column := self._column_of_weights:
            words += ["--weights", column]
        if judged and judged[0].file in words:
            words += _column_words(judged[0].options["columns"], JUDGMENTS)
        for one in (*sources, *self._tables_of_queries):
            words += _column_words(one.options["columns"], one.file if one.role == RESULTS else QUERIES)
        return f"idealrank compare {' '.join(map(shlex.quote, words))}"

    # Helpers.

    def _unpacked(self, source: KeptTable) -> str:
        """Return the path at which a table that is kept can be read.

        Only a content of the store is ever read: it is known by its hash, which the store checks.
        """
        if not is_sha256(source.sha256):
            what = repr(source.sha256[:12])
            raise DataError(f"{source.file}: {what} names no content of the project. Add the file again.")
        kept = FileToKeep(self.store.content(source.sha256), source.file, source.part)
        return write_kept(kept, Path(self._folder.name, source.sha256))

    def now(self, key: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """Return what is kept under a key, or make it, as long as nobody grades and no table changes."""
        version = self.version
        with self._lock:
            if version != self._current:
                old, self._current = self._current, version
                for each in [each for each in self._kept if each[0] == old]:
                    del self._kept[each]
        return self.once((version, *key), make)

    def once(self, key: Any, make: Callable[[], Made]) -> Made:
        """Return what is kept under a key, or make it; whoever asks meanwhile waits. The longest unused goes first."""
        with self._lock:
            promised: Future[Made] | None = self._kept.get(key)
            if mine := promised is None:
                promised = self._kept[key] = Future()
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        assert promised is not None
        if mine:
            try:
                promised.set_result(make())
            except BaseException as error:  # whoever waits is told, and the next one tries again
                with self._lock:
                    self._kept.pop(key, None)
                promised.set_exception(error)
        return promised.result()


_FINER = {"subtopics": ("subtopic",), "spans of text": ("begin", "end")}
"""What judgments can be of that is finer than a document, and the columns that say so."""


def _called(table: Any, name: str) -> Any:
    """Return a table under the name its owner knows: what it was unpacked to is no file of theirs, and soon gone."""
    if isinstance(table, Judgments | Results):
        return replace(table, source=replace(table.source, name=name))
    if isinstance(table, Queries):
        return replace(table, name=name, tables=tuple(replace(one, name=name) for one in table.tables))
    return replace(table, name=name)


def _column_words(columns: Mapping[str, Any], of: str) -> list[str]:
    """Return the options that name the columns of a table."""
    words = []
    for role, given in columns.items():
        if role == "grades":
            words += ["--grades", str(given)]
        elif given:
            names = [given] if isinstance(given, str) else given
            words += [word for name in names for word in (f"--{role}-col", f"{of}:{name}")]
    return words


def _found_in(comparison: Comparison) -> dict[str, Any]:
    """Return what of a comparison is remembered."""
    first = comparison[comparison.scores.labels[0]]
    # Of few queries an interval has no ends, and a database takes no infinite number.
    low, high = (end if math.isfinite(end) else None for end in (first.corrected.low, first.corrected.high))
    return {
        "outcome": comparison.verdict.outcome, "difference": first.difference, "low": low, "high": high,
        "queries": first.queries,
    }  # fmt: skip


def _read_documents(file: str, **columns: Any) -> Documents:
    return read_documents(file, duplicates="first", **columns)


_READERS: Mapping[str, Callable[..., Any]] = {
    JUDGMENTS: read_judgments, RESULTS: read_results, QUERIES: read_queries, DOCUMENTS: _read_documents,
}  # fmt: skip


def _systems_of(results: Results, name: str) -> list[str]:
    """Return the systems of a table, which is called so if it is of one."""
    return list(results.systems) if len(results.systems) > 1 else [name]


def _queries(results: Results) -> list[Any]:
    """Return the ids of the queries of a table."""
    return results.keys.query.codes()[1].to_list()
