"""A project: the tables and grades of a store, evaluated under what somebody asks of them."""

from __future__ import annotations

import random
import shlex
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import urlencode

import numpy as np

from idealrank.comparison.compare import compare
from idealrank.comparison.comparison import Comparison
from idealrank.data.documents import Documents, documents_in, read_documents
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries, read_queries
from idealrank.data.read import read_judgments, read_results
from idealrank.data.results import Results
from idealrank.decisions.decisions import questions
from idealrank.errors import DataError, UsageError, unknown
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.scores import Scores
from idealrank.labels.label_next import DRAWS, NO_LABEL, LabelNext, label_next
from idealrank.labels.ratings import Ratings, read_ratings
from idealrank.studio.store import Rating, Store

Made = TypeVar("Made")

Pair = tuple[str, str]
"""A query and a document."""

KEPT = 64
"""Tables, evaluations and comparisons that are kept: a way back is shown at once."""

SAMPLED = 2000
"""Queries that show which decisions matter; of more, so many drawn at random."""

COMMON = ("nDCG@10", "P@10", "R@100", "RR", "AP", "nDCG@5", "P@5", "RR@10", "ERR@10", "RBP(p=0.8)", "Success@1")
"""Measures that are offered."""

MOST_GRADES = 10
"""Of more different grades no scale is made: there is a digit for each of ten."""

JUDGMENTS, RESULTS, QUERIES, DOCUMENTS = "judgments", "results", "queries", "documents"
"""The roles of tables."""

RESOLVER = "resolved"
"""The rater whose grade alone counts for a pair: it is given where others disagree."""


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
        self._folder = tempfile.TemporaryDirectory(prefix="idealrank-")
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._lock = Lock()

    def close(self) -> None:
        """Close the store, and remove what was unpacked."""
        self.store.close()
        self._folder.cleanup()

    # What there is.

    def add(self, role: str, file: str | Path, name: str = "", **options: Any) -> None:
        """Read a file into the project, and keep its content.

        Raises
        ------
        DataError
            If it cannot be read as what it is meant to be: nothing is kept then.
        """
        path = Path(file)
        if role == JUDGMENTS:
            _ = read_judgments(path, **options).ratings  # grades are numbers
        elif role == RESULTS:
            read_results(path, **options)
        self.store.keep(role, name or path.stem, path.read_bytes(), path.name, options)

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in the order they came in."""
        return [source.name for source in self.store.sources(RESULTS)]

    @property
    def is_ready(self) -> bool:
        """Whether there is something to look at: two systems, and grades of somebody."""
        graded = bool(self.store.sources(JUDGMENTS)) or any(one.grade is not None for one in self.store.ratings())
        return graded and len(self.systems) > 1

    @property
    def measures(self) -> tuple[str, ...]:
        """Measures to choose from: the project's own first."""
        own = str(self.store["measure"] or "nDCG@10")
        return tuple(dict.fromkeys([own, *COMMON]))

    @property
    def convention(self) -> str:
        """The convention of the project."""
        return str(self.store["convention"] or "idealrank-1")

    def look(self, parameters: Mapping[str, str] | None = None) -> Look:
        """Return the look that an address names; what it does not name is usual: first system, last system, nDCG@10.

        Raises
        ------
        UsageError
            If a system or a decision is not known, or there are not two systems.
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
        measure = given.pop("measure", str(self.store["measure"] or "nDCG@10"))
        answers = {name: value for name, value in given.items() if name in questions()}
        return Look(baseline, system, measure, answers)

    # What it says.

    def judgments(self) -> Judgments:
        """Return the judgments: those that were read, and what raters said here, each a rating by its rater.

        What a rater says here counts instead of what the file says of the same rater. Of a pair that was resolved, only
        the resolving grade counts.
        """
        return self.once(("judgments", self.store.state), lambda: self._joined(self.store.ratings()))

    def given(self, without: str = "") -> Judgments:
        """Return what every rater gave, as if nothing had been resolved: how far raters agree is read from these.

        Parameters
        ----------
        without
            A rater who is left out.
        """
        left_out = {RESOLVER, without}
        return self.once(
            ("given", self.store.state, without),
            lambda: self._joined([one for one in self.store.ratings() if one.rater not in left_out], without),
        )

    def _joined(self, ratings: Iterable[Rating], without: str = "") -> Judgments:
        said = [one for one in ratings if one.grade is not None]
        read = self._read_file_of_judgments() if self.store.sources(JUDGMENTS) else None
        if not said and not without and read is not None:
            return read
        resolved = {(one.query, one.doc) for one in said if one.rater == RESOLVER}
        said = [one for one in said if one.rater == RESOLVER or (one.query, one.doc) not in resolved]
        names = ("query", "doc", "rater", "grade", "comment")
        columns = {name: [getattr(one, name) for one in said] for name in names}
        if read is not None:
            _add_in_front(columns, self.ratings_read(), resolved, without)
        if not any(columns["comment"]):
            del columns["comment"]
        if not columns["query"]:
            raise DataError("The project has no judgments: add a file of them, or grade.")
        return read_judgments(columns)

    def ratings_read(self) -> Ratings | None:
        """Return who gave which grade in the file of judgments; a grade without a rater is by the file.

        None where no file was read.
        """
        tables = self.store.sources(JUDGMENTS)
        if not tables:
            return None
        return self.once(
            ("ratings", tables[0].sha256), lambda: read_ratings({JUDGMENTS: self._read_file_of_judgments()})
        )

    def _read_file_of_judgments(self) -> Judgments:
        table = self.store.sources(JUDGMENTS)[0]
        return self.once(
            ("file", table.sha256, tuple(sorted(table.options.items()))),
            lambda: read_judgments(self._unpacked(table.sha256, table.file), **table.options),
        )

    def results(self, name: str) -> Results:
        """Return the results of a system."""
        (source,) = (each for each in self.store.sources(RESULTS) if each.name == name)
        key = ("results", source.sha256, tuple(sorted(source.options.items())))
        return self.once(key, lambda: read_results(self._unpacked(source.sha256, source.file), **source.options))

    def scores(self, look: Look) -> Scores:
        """Evaluate all systems: this is quick, a comparison takes longer."""
        asked = (look.measure, tuple(sorted(look.answers.items())))
        return self.once(("scores", self.store.state, asked), lambda: self._evaluate(look))

    def _evaluate(self, look: Look) -> Scores:
        tables = {name: self.results(name) for name in self.systems}
        return evaluate(
            self.judgments(), tables, [look.measure], convention=self.setting(look), queries=self._file_of(QUERIES)
        )

    def sampled_means(self, look: Look) -> list[float]:
        """Return the mean of each of both systems, over some of the queries where there are very many."""
        scores = self.scores(replace(look, answers={}))
        few = len(scores.queries) <= SAMPLED
        only = None if few else random.Random(1).sample(sorted(scores.queries), SAMPLED)
        tables = {name: self.results(name) for name in (look.baseline, look.system)}
        found = evaluate(
            self.judgments(), tables, [look.measure], convention=self.setting(look), queries=self._file_of(QUERIES),
            only=only,
        )  # fmt: skip
        return [float(means[0]) for means in found.all_means]

    def setting(self, look: Look) -> str:
        """Return the convention with the answers of a look."""
        return ", ".join([self.convention, *(f"{name}={answer}" for name, answer in look.answers.items())])

    def comparison(self, look: Look) -> Comparison:
        """Compare both systems; what was used and found is remembered."""
        return self.once(("comparison", self.store.state, look.address), lambda: self._compare(look))

    def has_comparison(self, look: Look) -> bool:
        """Whether the comparison is there already, so that nobody waits for it."""
        with self._lock:
            promised = self._kept.get(("comparison", self.store.state, look.address))
        return promised is not None and promised.done()

    def _compare(self, look: Look) -> Comparison:
        scores = self.scores(look)
        pair = [look.baseline, look.system]
        found = compare(
            scores.select_systems([scores.systems.index(name) for name in pair], pair), baseline=look.baseline
        )
        verdict, first = found.verdict, found[look.measure]
        used = {
            **look.parameters,
            "convention": self.convention,
            "ratings": list(self.store.state),
            "tables": {f"{one.role} {one.name}": one.sha256 for one in self.store.sources()},
        }
        told = {
            "outcome": verdict.outcome, "difference": first.difference, "low": first.corrected.low,
            "high": first.corrected.high, "queries": first.queries,
        }  # fmt: skip
        self.store.remember(used, told)
        return found

    def documents(self) -> Documents | None:
        """Return what is known of documents: their own table, else what judgments and results say of them."""
        file = self._file_of(DOCUMENTS)
        if file is not None:
            return self.once(("documents", file.name), lambda: read_documents(file, duplicates="first"))
        tables = tuple(one.sha256 for one in (*self.store.sources(JUDGMENTS), *self.store.sources(RESULTS)))
        return self.once(("documents", tables), self._documents_beside)

    def _documents_beside(self) -> Documents | None:
        """Return the titles that stand beside judgments and results."""
        judged = [self._read_file_of_judgments()] if self.store.sources(JUDGMENTS) else []
        return documents_in([*judged, *(self.results(name) for name in self.systems)])

    def queries(self) -> Queries:
        """Return what is known of queries: their own table, else the texts beside judgments and results."""
        file = self._file_of(QUERIES)
        if file is not None:
            return self.once(("queries", file.name), lambda: read_queries(file))
        tables = tuple(one.sha256 for one in (*self.store.sources(JUDGMENTS), *self.store.sources(RESULTS)))
        return self.once(("queries", tables), self._queries_beside)

    def _queries_beside(self) -> Queries:
        judged = [self._read_file_of_judgments()] if self.store.sources(JUDGMENTS) else []
        tables: list[Judgments | Results] = [*judged, *(self.results(name) for name in self.systems)]
        texts = {query: text for table in reversed(tables) for query, text in table.texts[0].items()}
        return Queries({"text": texts}, text="text")

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
        key = ("next", self.store.state, look.address, draws, without)
        return self.once(key, lambda: self._label_next(look, draws, without))

    def _label_next(self, look: Look, draws: int | None, without: str) -> LabelNext:
        tables = {name: self.results(name) for name in (look.baseline, look.system)}
        only = None if self.store.sources(JUDGMENTS) else sorted(self.queries_returned())
        try:
            judged = self.given(without) if without else self.judgments()
        except DataError:  # nobody graded anything yet: a label of 0 for no document changes nothing
            only = sorted(self.queries_returned())
            judged = read_judgments({only[0]: {NO_LABEL: 0}})
        return label_next(
            judged, tables, look.measure, rows=None, draws=DRAWS if draws is None else draws, only=only,
            convention=self.setting(look), queries=self._file_of(QUERIES), documents=self._file_of(DOCUMENTS),
        )  # fmt: skip

    def queries_returned(self) -> frozenset[str]:
        """Return the queries that any system has results for."""
        return self.once(
            ("returned", tuple(one.sha256 for one in self.store.sources(RESULTS))),
            lambda: frozenset(id_text(key) for name in self.systems for key in _distinct_queries(self.results(name))),
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
        return self.once(("scale", self.store.sources(JUDGMENTS)[0].sha256), self._scale_of_judgments)

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
        files = {source.name: source.file or source.name for source in self.store.sources(RESULTS)}
        judged = [source.file or source.name for source in self.store.sources(JUDGMENTS)]
        said = ["exported.csv"] if any(self.store.state) or not judged else judged[:1]
        flags = [part for name, answer in look.answers.items() for part in (f"--{name.replace('_', '-')}", answer)]
        convention = [] if self.convention == "idealrank-1" else ["--convention", self.convention]
        words = [*said, files[look.baseline], files[look.system], "-m", look.measure, *convention, *flags]
        return f"idealrank compare {' '.join(map(shlex.quote, words))}"

    # Helpers.

    def _file_of(self, role: str) -> Path | None:
        """Return the one table of a role as a file; None if there is none."""
        tables = self.store.sources(role)
        return self._unpacked(tables[0].sha256, tables[0].file) if tables else None

    def _unpacked(self, sha256: str, file: str) -> Path:
        """Return a file with a content of the store, under the ending by which it is read."""
        path = Path(self._folder.name, f"{sha256}{Path(file).suffix.lower()}")
        if not path.exists():
            path.write_bytes(self.store.content(sha256))
        return path

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


def _add_in_front(columns: dict[str, list[Any]], read: Ratings, resolved: Container[Pair], without: str) -> None:
    """Put the ratings that were read before those given here, except for those that these take the place of."""
    said = set(zip(columns["query"], columns["doc"], columns["rater"], strict=True))
    touched = {query for query, *_ in said}
    place = np.flatnonzero([query in touched for query in read.queries])
    kept = np.array([rater != without for rater in read.raters])[read.rater]
    for row in np.flatnonzero(np.isin(read.query, place)).tolist():
        query, doc, rater = read.queries[read.query[row]], read.docs[read.doc[row]], read.raters[read.rater[row]]
        kept[row] &= (query, doc) not in resolved and (query, doc, rater) not in said
    comments = np.array([*read.comments, ""], object)
    comment = comments[read.comment[kept]] if len(read.comment) else np.full(int(kept.sum()), "", object)
    columns["query"][:0] = np.array(read.queries, object)[read.query[kept]].tolist()
    columns["doc"][:0] = np.array(read.docs, object)[read.doc[kept]].tolist()
    columns["rater"][:0] = np.array(read.raters, object)[read.rater[kept]].tolist()
    columns["grade"][:0] = read.grade[kept].tolist()
    columns["comment"][:0] = comment.tolist()


def _distinct_queries(results: Results) -> list[Any]:
    """Return the ids of the queries of a table."""
    return results.keys.query.codes()[1].to_list()
