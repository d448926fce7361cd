"""Changes: what became of each document of one query from one system to the other, and what that changed."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from idealrank.arrays import EQUAL
from idealrank.comparison.findings import ComparisonData
from idealrank.comparison.tables import extreme_queries
from idealrank.decisions.question import answer_text
from idealrank.display.blocks import Grid, Lines, TextColumn
from idealrank.display.columns import MeasureFingerprint
from idealrank.display.document import Described
from idealrank.display.numbers import decimal, signed
from idealrank.display.schema import Named, OrNull, Within
from idealrank.display.table import Table
from idealrank.evaluation.scoring import score_measure
from idealrank.evaluation.values import find_query
from idealrank.judged_lists.arrangement import arrange
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.definition import Measure
from idealrank.measures.steps import Steps, apply_rounding


@dataclass(frozen=True)
class Change(Described):
    """What happened to one document.

    It is always one of `Entered`, `Left`, `MovedUp`, `MovedDown` and `Kept`.

    Attributes
    ----------
    doc
        The document.
    before, after
        Its rank in the baseline's list and in the system's, be it beyond the cutoff; None where it is not.
    grade
        Its grade as the measure reads it; None where it is unjudged.
    contribution
        What it adds to the difference: its share of the system's value minus that of the baseline's. NaN where the
        measure is not a sum over results.
    """

    doc: Annotated[str, "Id of the document."]
    before: Annotated[int | None, Within(1), "Its rank in the list of the baseline; null if it was not returned."]
    after: Annotated[int | None, Within(1), "Its rank in the list of the system; null if it was not returned."]
    grade: Annotated[float | None, "Its grade as the measure reads it; null if it is unjudged."]
    contribution: Annotated[float, OrNull(), "What it adds to the difference; null if the measure is no such sum."]
    kind: ClassVar[
        Annotated[Literal["entered", "left", "moved up", "moved down", "kept"], Named("change"), "What happened."]
    ]


@dataclass(frozen=True)
class Entered(Change):
    """Within the cutoff of the system and not of the baseline."""

    kind = "entered"


@dataclass(frozen=True)
class Left(Change):
    """Within the cutoff of the baseline and not of the system."""

    kind = "left"


@dataclass(frozen=True)
class MovedUp(Change):
    """Within the cutoff of both, further up with the system."""

    kind = "moved up"


@dataclass(frozen=True)
class MovedDown(Change):
    """Within the cutoff of both, further down with the system."""

    kind = "moved down"


@dataclass(frozen=True)
class Kept(Change):
    """At the same rank within the cutoff of both."""

    kind = "kept"


@dataclass(frozen=True, eq=False, repr=False)
class Changes(Described):
    """What happened to each document of a query.

    Attributes
    ----------
    changes
        One for each document within the cutoff of either system.
    query, text
        Id of the query, and its text where there is one.
    baseline, system
        What is compared with what.
    measure
        The measure, as the scores label it.
    baseline_value, value
        The values of both.
    residue
        What of the difference no document has a share in; 0 where the contributions sum to it.
    reason
        Where the residue comes from; "" where there is none.
    fingerprint
        Of the measure.
    """

    changes: Annotated[tuple[Change, ...], "The documents within the cutoff now by rank, then those that left it."]
    query: Annotated[str, "Id of the query."]
    text: Annotated[str, "Its text; empty if there is none."]
    baseline: Annotated[str, "The system it is compared with."]
    system: Annotated[str, "Name of the system."]
    measure: Annotated[str, "Name of the measure."]
    baseline_value: Annotated[float, OrNull(), "Value of the baseline; null if the query is left out."]
    value: Annotated[float, OrNull(), "Value of the system; null if the query is left out."]
    residue: Annotated[float, OrNull(), "Part of the difference that no document has a share in."]
    reason: Annotated[str, "Where the residue comes from; empty if there is none."]
    fingerprint: MeasureFingerprint

    @property
    def difference(self) -> Annotated[float, OrNull(), "System minus baseline; null if one of them has no value."]:
        """The value of the system minus that of the baseline."""
        return self.value - self.baseline_value

    def __getitem__(self, place: int) -> Change:
        """Return one change by its place; a loop goes over all."""
        return self.changes[place]

    def __len__(self) -> int:
        return len(self.changes)

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    @property
    def table(self) -> Table:
        """One row per document: what happened to it, both ranks, grade, contribution."""
        return Table(
            {
                "change": [one.kind for one in self],
                "doc": [one.doc for one in self],
                "before": [one.before for one in self],
                "after": [one.after for one in self],
                "grade": np.array([math.nan if one.grade is None else one.grade for one in self], np.float64),
                "contribution": np.array([one.contribution for one in self], np.float64),
            },
            "changes",
            {"fingerprint": self.fingerprint},
        )

    @property
    def heading(self) -> str:
        """The query, both values and their difference, in one line."""
        text = f" ({self.text})" if self.text else ""
        values = f"{self.baseline} {decimal(self.baseline_value)}, {self.system} {decimal(self.value)}"
        return f"query {self.query}{text}, {self.measure}: {values}, difference {signed(self.difference)}"

    @property
    def footnote(self) -> str:
        """Why there is no difference, or what of it is no document's share; "" where documents make all of it."""
        if self.reason and math.isnan(self.difference):
            return f"no difference: {self.reason}"
        return f"no document's share: {signed(self.residue)} ({self.reason})" if self.reason else ""

    def __repr__(self) -> str:
        return "\n".join(filter(None, (self.heading, repr(self.table), self.footnote)))


def changes(baseline: Join, system: Join, measure: Measure, index: int, text: str = "") -> Changes:
    """Say what became of each document of a query, and what it adds to the difference.

    Parameters
    ----------
    baseline, system
        The two systems with the same judgments.
    measure
        The measure; its cutoff says what enters and what leaves.
    index
        The query's place among the judged.
    text
        The query's text.

    Returns
    -------
    Changes: contributions and residue sum to the difference within 1e-12.

    Notes
    -----
    A contribution is taken from the steps that make the value (see `explain`), each side divided by its own
    normaliser: where the ideal list is that of the system (``ideal=local``), a document kept at its rank may
    contribute, too. Documents without a rank of their own (``ties=average``) are in the order of the list.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"d": 1}}, {"old": {"q": {"x": 2, "d": 1}}, "new": {"q": {"d": 2, "x": 1}}}, ["RR"])
    >>> for one in changes(*scores.joins, scores.measures[0], 0):
    ...     print(one.kind, one.doc, one.before, one.after, one.grade, one.contribution)
    moved up d 2 1 1.0 0.5
    moved down x 1 2 None 0.0
    """
    sides = document_shares(baseline, measure, index), document_shares(system, measure, index)
    residue, reason = _residue(*sides)
    docs = dict.fromkeys([*sides[1].within, *sides[0].within])
    return Changes(
        changes=tuple(sorted((_change(doc, *sides) for doc in docs), key=_change_order)),
        query=sides[0].query,
        text=text,
        baseline=baseline.system,
        system=system.system,
        measure=measure.name,
        baseline_value=sides[0].value,
        value=sides[1].value,
        residue=residue,
        reason=reason,
        fingerprint=measure.fingerprint,
    )


def _residue(before: DocumentShares, after: DocumentShares) -> tuple[float, str]:
    """Return what no document has a share in, and why."""
    reasons = dict.fromkeys(side.reason for side in (before, after) if side.reason)
    if before.split and after.split:
        return after.residue - before.residue, "; ".join(reasons)
    return after.value - before.value, "; ".join(reasons)


def _change(doc: str, before: DocumentShares, after: DocumentShares) -> Change:
    ranks = before.ranks.get(doc), after.ranks.get(doc)
    if before.split and after.split:
        contribution = after.within.get(doc, 0.0) - before.within.get(doc, 0.0)
    else:
        contribution = math.nan
    grade = after.grades[doc] if doc in after.grades else before.grades[doc]
    return _change_type(doc, ranks, before, after)(doc, *ranks, grade, contribution)


def _change_type(
    doc: str, ranks: tuple[int | None, int | None], before: DocumentShares, after: DocumentShares
) -> type[Change]:
    if doc not in before.within:
        return Entered
    if doc not in after.within:
        return Left
    assert ranks[0] is not None
    assert ranks[1] is not None
    if ranks[0] == ranks[1]:
        return Kept
    return MovedUp if ranks[1] < ranks[0] else MovedDown


def _change_order(change: Change) -> tuple[bool, int, str]:
    gone = isinstance(change, Left)
    return gone, (change.before if gone else change.after) or 0, change.doc


def query_changes(
    findings: ComparisonData, query: object = None, measure: str | None = None, system: str | None = None
) -> Changes:
    """Return the changes of one query of a comparison.

    Parameters
    ----------
    query
        A query id, or a query's text; None where only one query is judged.
    measure
        One of the measures; None: the first.
    system
        One of the systems compared; None where there is one.

    Raises
    ------
    UsageError
        If a name is not known, or there are several and none is named.
    """
    pair, m = findings.key(measure, system)
    scores = findings.scores
    index = find_query(query, scores.queries, scores.texts)
    text = scores.texts.get(scores.queries[index], "")
    before, after = pair
    (first, place), (second, _) = (scores.join_of(s, index) for s in (before, after))
    both = changes(first, second, scores.measures[m], place, text)
    return replace(both, baseline=scores.systems[before], system=scores.systems[after], measure=scores.labels[m])


@dataclass(frozen=True, eq=False)
class DocumentShares:
    """A value and the shares of documents in it.

    Attributes
    ----------
    query
        Id of the query.
    value
        The value; NaN where the query is left out.
    within
        By document within the cutoff, its share in the value: 0 where the measure is no sum.
    ranks, grades
        By document returned, its rank and its grade (None: unjudged).
    split
        Whether the value is a sum over results.
    residue
        What of the value is no document's share.
    reason
        Why there is a residue; "" where there is none.
    """

    query: str
    value: float
    within: dict[str, float]
    ranks: dict[str, int]
    grades: dict[str, float | None]
    split: bool
    residue: float
    reason: str


def document_shares(join: Join, measure: Measure, index: int) -> DocumentShares:
    """Return the value of one query (by index) of one system with the share of each document."""
    joined = join.lists_of_query(measure.on_lists, index)
    lists = arrange(joined.lists, measure.on_lists)  # whole, where a measure's own end at its cutoff
    steps, value = measure.steps(lists), float(score_measure(join.lists_for(measure.on_lists), measure)[0][index])
    rows = lists.row.tolist()
    names = _document_names(joined, lists)
    shares = _shares_by_row(steps, measure)
    cut = lists if measure.cutoff is None else lists.upto(measure.cutoff)
    within = {names[row]: shares.get(row, 0.0) for row in cut.row.tolist() if row in names}
    residue = value - math.fsum(within.values())
    # Shares are rounded one by one: what is left of their sum is no reason to name.
    if abs(residue) <= EQUAL * max(1.0, abs(value)):
        residue = 0.0
    graded = zip(rows, lists.grade.tolist(), lists.entry.tolist(), strict=True)
    return DocumentShares(
        query=joined.pool.queries[index],
        value=value,
        within=within,
        ranks={names[row]: rank for row, rank in zip(rows, lists.rank.tolist(), strict=True) if row in names},
        grades={
            names[row]: None if entry < 0 or grade != grade else grade for row, grade, entry in graded if row in names
        },
        split=not steps.unsplit,
        residue=residue,
        reason="" if residue == 0 and not steps.unsplit else _residue_reason(join, measure, steps, index, value),
    )


def _document_names(joined: SystemLists, lists: JudgedLists) -> dict[int, str]:
    """Return the document of each row; a rank that was left out has none."""
    rows = lists.row[lists.row >= 0]
    return dict(zip(rows.tolist(), joined.run.docs(rows), strict=True))


def _shares_by_row(steps: Steps, measure: Measure) -> dict[int, float]:
    """Return by row what it adds to the value; nothing where the value is no quotient of a sum."""
    divisor = float(steps.normaliser[0])
    if steps.unsplit or not divisor > 0:
        return {}
    shares = apply_rounding(steps.contribution, measure.decisions.rounding, "term") / divisor
    return dict(zip(steps.lists.row.tolist(), shares.tolist(), strict=True))


def _residue_reason(join: Join, measure: Measure, steps: Steps, index: int, value: float) -> str:
    """Say why contributions do not sum to the value."""
    decisions, name = measure.decisions, join.system
    joined = join.lists_for(measure.on_lists)
    if message := joined.failures.get(joined.queries[index]):
        return f"the search of {name} failed ({message}): failed={decisions.failed}"
    if steps.unsplit:
        return f"{measure.definition.name} is not a sum over results: {steps.unsplit}"
    if not steps.lists.returned[0]:
        return f"{name} returned nothing: no_results={decisions.no_results}"
    if not steps.normaliser[0] > 0:
        return f"0/0 for {name}: no_relevant={decisions.no_relevant}"
    if any(step.stage == "query" for step in decisions.rounding):
        return f"rounding={decisions.text('rounding')}"
    if value != value:
        return f"{name} has no value"
    return f"ranks left out count as results: rank_gaps={decisions.rank_gaps}"


MOST_MOVES = 5
"""Moves of a query that are listed; of the others only the number is given."""

MOST_LETTERS = 36
"""Letters of a query that a line of text has room for."""

MOVE_LEGEND = "document (grade) rank before→after"
"""How a move is written."""


def losses_with_moves(
    findings: ComparisonData, n: int = 10, measure: str | None = None, system: str | None = None
) -> Table:
    """Return `Comparison.losses` with a last column: what moved in the top k, as text."""
    table = extreme_queries(findings, n, findings.key(measure, system), gain=False)
    findings.scores.fetch(list(table["query"]))
    moves = [moves_text(query_changes(findings, query, measure, system)) for query in table["query"]]
    columns: dict[str, Any] = {name: table.array(name) for name in table.columns}
    return Table(columns | {"moves": moves}, table.title, table.stated)


def losses_grid(losses: Table) -> Grid:
    """Show the queries that lose most under a heading with their measure; the rank moves, where known, below."""
    names = [name for name in ("query", "text", "baseline value", "value", "difference") if name in losses.columns]
    grid = Table({name: losses.array(name) for name in names}).grid(
        title=f"queries that lose most under {losses['measure'][0]}"
    )
    grid = grid._replace(columns=[_shorten_column(column) for column in grid.columns])
    if "moves" not in losses.columns:
        return grid
    moves = Lines(
        list(zip(map(_shorten, losses["query"]), losses["moves"], strict=True)), f"in their lists: {MOVE_LEGEND}", 12
    )
    return grid._replace(on_page=[TextColumn(MOVE_LEGEND, losses["moves"], numeric=False)], instead=moves)


def _shorten_column(column: TextColumn) -> TextColumn:
    """Shorten a column of words in text; a page has room for all."""
    return column if column.numeric else replace(column, cells=[*map(_shorten, column.cells)], page=column.cells)


def _shorten(words: Any) -> str:
    return textwrap.shorten(str(words), MOST_LETTERS, placeholder="…") if len(str(words)) > MOST_LETTERS else str(words)


def losses_text(losses: Table, why: str = "moves") -> str:
    """Write the queries that lose most, one a line, each with what a column says of why."""
    return "\n".join(loss_line(row, why) for row in losses)


def loss_line(row: Mapping[str, Any], why: str = "moves") -> str:
    """Write a query that loses."""
    numbers = f"{decimal(row['baseline value'])} → {decimal(row['value'])} ({signed(row['difference'])})"
    return f"{row['query']}: {numbers}" + (f"; {row[why]}" if row[why] else "")


def moves_text(changes: Changes) -> str:
    """Write the first moves, the highest grade first, then by the better of both ranks; count the rest."""
    moved = sorted((change for change in changes if not isinstance(change, Kept)), key=_move_order)
    shown = [_move_text(change) for change in moved[:MOST_MOVES]]
    return "; ".join([*shown, *([f"{len(moved) - MOST_MOVES} more"] if len(moved) > MOST_MOVES else [])])


def _ranks_within(change: Change) -> tuple[int | None, int | None]:
    """Return both ranks within the cutoff, None beyond it."""
    before = None if isinstance(change, Entered) else change.before
    return before, None if isinstance(change, Left) else change.after


def _move_text(change: Change) -> str:
    before, after = _ranks_within(change)
    grade = "–" if change.grade is None else answer_text(change.grade)
    return f"{change.doc} ({grade}) {before or 'out'}→{after or 'out'}"


def _move_order(change: Change) -> tuple[float, int, str]:
    grade = -math.inf if change.grade is None else change.grade
    return -grade, min(rank for rank in _ranks_within(change) if rank), change.doc
