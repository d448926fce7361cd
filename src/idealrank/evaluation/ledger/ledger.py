"""The ledger: every query in exactly one state of each of two accounts, and what would move a mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple

import numpy as np

from idealrank.arrays import Ints
from idealrank.decisions.decisions import questions
from idealrank.display.blocks import Block, Grid, Lines, TextColumn
from idealrank.display.columns import MeasureName, SystemName
from idealrank.display.document import Described, Shown
from idealrank.display.schema import Named, OneOf, Shared
from idealrank.display.table import Table, fingerprint_columns
from idealrank.errors import listed, plural
from idealrank.evaluation.ledger.counts import ResultCounts
from idealrank.evaluation.ledger.oddities import Oddity

# The entries of a ledger: two accounts, what was found in the data, and what would move a mean.


RETURNED, EMPTY, NEVER, FAILED, UNJUDGED, LEFT_OUT = (
    "judged and returned",
    "judged, nothing returned",
    "judged, never asked",
    "judged, search failed",
    "returned, not judged",
    "left out on request",
)
"""States of the first account."""


class SystemAccount(NamedTuple):
    """What became of the queries of a system.

    Each query on either side is in exactly one of the six states.

    Attributes
    ----------
    never_asked
        Judged queries without a search, where a column of steps says which searches were made; else they are among
        those for which nothing was returned.
    """

    system: SystemName
    judged_and_returned: Annotated[int, "Judged queries with results."]
    judged_nothing_returned: Annotated[tuple[str, ...], "Judged queries without results."]
    returned_not_judged: Annotated[tuple[str, ...], "Queries with results and without judgments."]
    left_out: Annotated[int, "Queries left out on request."]
    results: Annotated[int, "Results of judged queries."]
    counts: Annotated[
        dict[str, Annotated[int, "How many."]], "What was counted among the results, such as unjudged or tied ones."
    ]
    failed: Annotated[tuple[str, ...], "Judged queries whose search failed."] = ()
    never_asked: Annotated[
        tuple[str, ...], "Judged queries without a search, where a column says which searches were made."
    ] = ()

    @property
    def line(self) -> str:
        """The account in one line; queries that are not simply judged and returned are named."""
        parts = [f"{self.judged_and_returned} {RETURNED}"]
        for state, names in (
            (EMPTY, self.judged_nothing_returned),
            (NEVER, self.never_asked),
            (FAILED, self.failed),
            (UNJUDGED, self.returned_not_judged),
        ):
            parts += [f"{len(names)} {state} ({listed(names)})"] if names else []
        return "; ".join(parts + ([f"{self.left_out} {LEFT_OUT}"] if self.left_out else []))

    @property
    def counted(self) -> str:
        """What was counted among the results, in one line."""
        unjudged, tied = self.counts.get("unjudged results", 0), self.counts.get("tied results", 0)
        by_depth = [f"{n:,} in {name.removeprefix('holes in ')}" for name, n in self.counts.items() if "holes" in name]
        elsewhere = [text for text in by_depth if text.split()[0] != f"{unjudged:,}"]
        places = f" ({', '.join(elsewhere)})" if elsewhere else ""
        parts = [f"{plural(unjudged, 'unjudged result')}{places}"] if unjudged else []
        parts += (
            [f"{plural(tied, 'tied result')} in {plural(self.counts['queries with ties'], 'query')}"] if tied else []
        )
        return "; ".join(parts)


class MeasureAccount(NamedTuple):
    """What became of the judged queries of a system under a measure. All counts but the last sum to the judged queries.

    `added_no_judgments` counts queries without judgments that enter the mean as 0.
    """

    system: SystemName
    measure: MeasureName
    computed: Annotated[int, "Queries whose value was computed."]
    filled_no_results: Annotated[int, "Queries without results that count with a fixed value."]
    skipped_no_results: Annotated[int, "Queries without results that are left out of the mean."]
    filled_no_relevant: Annotated[int, "Queries without relevant documents that count with a fixed value."]
    skipped_no_relevant: Annotated[int, "Queries without relevant documents that are left out of the mean."]
    left_out: Annotated[int, "Queries left out on request."]
    filled_failed: Annotated[int, "Queries whose search failed that count with a fixed value."] = 0
    skipped_failed: Annotated[int, "Queries whose search failed that are left out of the mean."] = 0
    added_no_judgments: Annotated[int, "Queries without judgments that count as 0."] = 0


class Fact(NamedTuple):
    """Something found in the data.

    Attributes
    ----------
    warns
        Whether it is a warning, said even where only the numbers are asked for.
    """

    system: Annotated[str, "The system it was found in; empty for all."]
    text: Annotated[str, "What was found, as a sentence."]
    queries: Annotated[tuple[str, ...], "The queries it concerns; empty if it does not concern single queries."] = ()
    warns: Annotated[bool, "Whether it is a warning."] = False
    kind: Annotated[str, "What it is about, if a check of its own knows more of it, as near ids; else empty."] = ""


class MovedMean(NamedTuple):
    """A mean under the other answer."""

    measure: MeasureName
    mean: Annotated[float, "The mean as it is."]
    other: Annotated[float, "The mean under the other answer."]


class MeanShift(NamedTuple):
    """What the means of a system would be under another answer to one decision."""

    system: SystemName
    cause: Annotated[str, "What in the data makes the answer matter."]
    decision: Annotated[str, "The decision."]
    answer: Annotated[str, "The other answer."]
    means: tuple[tuple[str, float, float], ...]
    """``(measure, mean, mean under the other answer)``, where they differ."""

    @property
    def _moved(self) -> Annotated[tuple[MovedMean, ...], Named("means"), "The means that move notably."]:
        return tuple(MovedMean(*each) for each in self.means)

    @property
    def text(self) -> str:
        """The move as a sentence."""
        moved = ", ".join(f"{measure} {mean:.4f} → {other:.4f}" for measure, mean, other in self.means)
        return f"{self.cause}; with {self.decision}={self.answer}: {moved}"


@dataclass(frozen=True, eq=False, repr=False)
class Ledger(Shown, Described):
    """The ledger: what became of every query, what was found, and what would move a mean.

    Attributes
    ----------
    judged
        Number of judged queries.
    systems, measures
        The two accounts.
    facts, moves
        What was found; what the means would be under other answers.
    """

    _internal = frozenset({"at", "shown"})

    judged: Annotated[int, Named("judged_queries"), "Number of judged queries."]
    systems: Annotated[tuple[SystemAccount, ...], "What became of the queries, by system."]
    measures: Annotated[tuple[MeasureAccount, ...], "What became of the judged queries, by system and measure."]
    facts: Annotated[tuple[Fact, ...], "What was found in the data."] = ()
    moves: Annotated[tuple[MeanShift, ...], "What would move a mean."] = ()
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each measure the words for its states, by code; the one for queries without judgments last."""
    ids: Sequence[str] = ()
    returned: Any = None
    """(S, Q) bool: whether the system returned anything for the judged query."""
    states: Any = None
    """(S, M, Q) codes of `QueryState`."""
    unjudged: tuple[tuple[str, ...], ...] = ()
    """Queries returned without judgments, those left out on request too, for each system."""
    tables: Annotated[
        tuple[Annotated[ColumnsRead, "A table and what it was read as."], ...],
        "What each table was read as: the judgments first, then the results.",
    ] = ()
    """The judgments, then the results: which columns were read, and by what the results were ordered."""
    fingerprints: dict[str, str] = field(default_factory=dict)
    """The fingerprint of each measure."""
    unranked: tuple[Fact, ...] = ()
    """What is to be said of results whose rows are ranked as they stand, without ranks and scores."""
    found: tuple[ResultCounts, ...] = ()
    """What was counted in the results of each system."""
    odd: tuple[Oddity, ...] = ()
    """What is odd about the judgments and the results: the warnings that a verdict may hang on."""

    def at(self, places: Ints) -> Ledger:
        """Return the account with the rows of some of the judged queries, by their places, and of no others."""
        return replace(
            self, ids=[self.ids[q] for q in places.tolist()], returned=self.returned[:, places],
            states=self.states[..., places], unjudged=((),) * len(self.systems),
        )  # fmt: skip

    @property
    def row_order(self) -> tuple[str, ...]:
        """What is to be said of results whose rows are ranked as they stand, each once."""
        return tuple(dict.fromkeys(self._name_system(fact.system, fact.text) for fact in self.unranked))

    @property
    def line(self) -> str:
        """The account in one line."""
        several = len(self.systems) > 1
        lines = [(account.system, "; ".join(filter(None, (account.line, account.counted)))) for account in self.systems]
        parts = [f"{system}: {text}" if several else text for system, text in lines]
        return "; ".join([plural(self.judged, "judged query"), *parts])

    @property
    def read(self) -> tuple[str, ...]:
        """What the tables were read as, one sentence each; tables read alike share one."""
        alike: dict[str, list[str]] = {}
        for table in self.tables:
            names = alike.setdefault(table.text, [])
            names += [table.table] if table.table not in names else []
        return tuple(f"{listed(names)}: {text}" for text, names in alike.items())

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings among what was found."""
        return tuple(dict.fromkeys(self._name_system(fact.system, fact.text) for fact in self.facts if fact.warns))

    def _name_system(self, system: str, text: str) -> str:
        return f"{system}: {text}" if system and len(self.systems) > 1 else text

    @property
    def notes(self) -> Annotated[tuple[str, ...], "What was found, and what would move a mean: a sentence each."]:
        """What was found and what it changes, one sentence each."""
        facts = [self._name_system(fact.system, fact.text) for fact in self.facts]
        return tuple(dict.fromkeys(facts + [self._name_system(move.system, move.text) for move in self.moves]))

    @property
    def queries(self) -> Table:
        """Both accounts, query by query: one row per system and query, the state under each measure last."""
        rows = [row for s in range(len(self.systems)) for row in self._rows(s)]
        names = ("system", "query", "state", *self.words)
        columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
        return Table(columns, stated=fingerprint_columns(self.fingerprints))

    def _rows(self, s: int) -> Iterator[tuple[str, ...]]:
        account, words = self.systems[s], list(self.words.values())
        absent = dict.fromkeys(account.never_asked, NEVER) | dict.fromkeys(account.failed, FAILED)
        for q, query in enumerate(self.ids):
            states = [of[code] for of, code in zip(words, self.states[s, :, q].tolist(), strict=True)]
            returned = RETURNED if self.returned[s, q] else absent.get(query, EMPTY)
            state = LEFT_OUT if LEFT_OUT in states else returned
            yield (account.system, query, state, *states)
        in_scope = set(account.returned_not_judged)
        for query in self.unjudged[s]:
            states = [UNJUDGED, *(of[-1] for of in words)] if query in in_scope else [LEFT_OUT] * (len(words) + 1)
            yield (account.system, query, *states)

    @property
    def exceptions(self) -> Table:
        """The rows of `queries` that are not simply judged, returned and computed."""
        every = self.queries
        plain = (RETURNED, COMPUTED)
        return every.take([i for i, row in enumerate(every) if any(v not in plain for v in list(row.values())[2:])])

    @property
    def per_measure(self) -> Table:
        """The second account: one row per system and measure."""
        columns = {name: [getattr(row, name) for row in self.measures] for name in MeasureAccount._fields}
        counts = {n: c if n in ("system", "measure") else np.array(c, np.int64) for n, c in columns.items()}
        return Table(counts, stated={"fingerprint": [*self.fingerprints.values()] * len(self.systems)})

    def __str__(self) -> str:
        return "\n".join([self.line, *(f"- {note}" for note in (*self.read, *self.notes))])

    def shown(self) -> list[Block]:
        """Return the account by system, by measure, and the queries that are not simply computed."""
        return [*self.account(), *self.accounts_in_full()]

    def account(self) -> list[Block]:
        """Return the account of every system, what was found, and what would move a mean."""
        several = len(self.systems) > 1
        rows = [
            (f"  {a.system}" if several else "", "; ".join(filter(None, (a.line, a.counted)))) for a in self.systems
        ]
        facts = dict.fromkeys(self._name_system(fact.system, fact.text) for fact in self.facts)
        for label, texts in (("  tables", self.read), ("  found", facts)):
            rows += [("" if i else label, text) for i, text in enumerate(texts)]
        moves = [moves_grid(self.moves, self.words, len(self.systems))] if self.moves else []
        return [Lines([("ledger", plural(self.judged, "judged query")), *rows]), *moves]

    def accounts_in_full(self) -> list[Block]:
        """Return the account by measure, and the queries that are not simply computed."""
        exceptions = self.exceptions
        rest = len(self.queries) - len(exceptions)
        title = f"queries with special handling (not the other {rest})"
        return [_without_zero_columns(self.per_measure), *([exceptions.grid(title=title)] if len(exceptions) else [])]


SharedLedger = Annotated[Ledger, Shared("ledger")]


def _without_zero_columns(table: Table) -> Grid:
    """Show a table without the columns of counts that are all 0."""
    columns = [name for name in table.columns if not table.numeric(name) or any(table[name])]
    return Table({name.replace("_", " "): table.array(name) for name in columns}, stated=table.stated).grid()


# Moves: the means under other answers, as a grid.


MOVES_TITLE = "How much each choice matters (changes above 0.0005):"
"""Legend of the means under other answers."""


def moves_grid(moves: Sequence[MeanShift], measures: Iterable[str], systems: int) -> Grid:
    """Return one row per answer, one column per measure, and why the answer matters; `systems` is their number."""
    answers = [f"{move.decision}={move.answer}" for move in moves]
    means = [{name: f"{other:.4f}" for name, _, other in move.means} for move in moves]
    columns = [
        *([_system_column([move.system for move in moves])] if systems > 1 else []),
        TextColumn("answer", answers, numeric=False, whole=True),
        TextColumn("because", [move.cause for move in moves], numeric=False, whole=True, spare=True),
    ]
    moved = [name for name in measures if any(name in row for row in means)]
    columns += [TextColumn(name, [row.get(name, "") for row in means], numeric=True) for name in moved]
    return Grid(columns, MOVES_TITLE, instead=_reasons(moves, systems))


def _system_column(names: list[str]) -> TextColumn:
    """Name each system once in text, and in every row on a page."""
    first = [name if i == 0 or names[i - 1] != name else "" for i, name in enumerate(names)]
    return TextColumn("system", first, numeric=False, page=names)


def _reasons(moves: Sequence[MeanShift], systems: int) -> Lines:
    """Say why each answer matters, one entry per answer."""
    causes: dict[str, dict[str, list[str]]] = {}
    for move in moves:
        causes.setdefault(f"{move.decision}={move.answer}", {}).setdefault(move.cause, []).append(move.system)
    rows = [
        (f"  {answer}", "; ".join(_cause_text(cause, names, systems) for cause, names in reasons.items()))
        for answer, reasons in causes.items()
    ]
    return Lines(rows, "because", max(map(len, causes)) + 4)


def _cause_text(cause: str, names: list[str], systems: int) -> str:
    return cause if len(names) == systems else f"{', '.join(names)}: {cause}"


COMPUTED = "computed"
"""The state of the second account that needs no decision; the others are named by the answer that made them."""


_ORDERS = [answer for answer in questions()["order_by"].answers if answer != "auto"]


class ColumnsRead(NamedTuple):
    """What a table was read as.

    Attributes
    ----------
    table
        What the table is called in messages.
    columns
        ``{role: its column, or columns}``; empty for TREC text and dicts of dicts.
    form
        ``TREC judgments``, ``TREC run``, ``dict of dicts``; "" for a table with columns.
    order
        By what results were ordered: rank, score or given; "" for judgments.
    grades
        The lowest and the highest grade of judgments, in words; "" for results.
    what
        What a document of a tool is, and how it was read; "" for a table.
    """

    table: Annotated[str, "What the table is called in messages."]
    columns: Annotated[
        dict[str, Annotated[str, "A column."]],
        "The column, or columns, of each role; empty for formats without columns.",
    ]
    form: Annotated[str, "The format, such as TREC run; empty for a table with columns."] = ""
    order: Annotated[str, OneOf((*_ORDERS, "")), "What results were ordered by; empty for judgments."] = ""
    grades: Annotated[str, "Lowest and highest grade of judgments, in words; empty for results."] = ""
    what: Annotated[str, "Which tool wrote the document, and how it was read; empty for a table."] = ""

    @property
    def text(self) -> str:
        """What it was read as, without its name."""
        roles = self.form or " ".join(f"{role}={_quoted(name)}" for role, name in self.columns.items())
        order = "as in the table" if self.order == "given" else f"by {self.order}"
        roles = f"{self.what}: {roles}" if self.what else roles
        roles = f"{roles}, {self.grades}" if self.grades else roles
        return f"{roles}, ordered {order}" if self.order else roles


def _quoted(name: str) -> str:
    """Quote a name that is blank, or contains a character that would seem to end it."""
    return name if name.strip() and not set(name) & set(" ;='\t\n") else repr(name)
