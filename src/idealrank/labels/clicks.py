"""clicks: what people clicked on as judgments, with how sure each is."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple, get_args

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments
from idealrank.display.blocks import Block, Lines, Points
from idealrank.display.columns import QueryId
from idealrank.display.document import Described, Shown
from idealrank.display.schema import Named, RowType, Share, Within
from idealrank.display.table import Table
from idealrank.errors import DataError, UsageError, either, listed, not_allowed, option, plural
from idealrank.labels.click_log import ClickLog, read_click_log
from idealrank.statistics.clicks import (
    LEAST_SHOWN,
    Attractiveness,
    Cells,
    attractiveness,
    last_clicks,
    position_attention,
    position_rates,
)
from idealrank.statistics.draws import refuse_share

ClickModel = Literal["coec", "pbm", "sdbn"]
"""Clicks over expected clicks, the position-based model, the simplified dynamic Bayesian network."""

MINIMUM = 50
"""Least evidence of a pair, in impressions that were looked at: below, grades say little (docs/clicks.md)."""

RATER = "clicks"
"""The rater of these judgments."""

_Evidence = Annotated[float, Within(0), "Impressions that were looked at: the sum of attention × impressions."]
CLICK_ROW = RowType(
    {
        "query": QueryId,
        "doc": Annotated[str, "Id of the document."],
        "grade": Annotated[
            float, Within(0), "Attractiveness, clicks over evidence, at most 1; or the grade made of it."
        ],
        "rater": Annotated[str, "clicks."],
        "low": Annotated[Share, "Lower end of the interval of the attractiveness."],
        "high": Annotated[Share, "Upper end of the interval of the attractiveness."],
        "evidence": _Evidence,
        "clicks": Annotated[int, Within(0), "Clicks, one per session."],
        "impressions": Annotated[int, Within(0), "How often it was shown."],
    },
    Annotated[
        float | None,
        "coec: clicks over expected clicks. satisfaction: share of clicks that were the last. attractiveness: what the "
        "grade was made of, where cut points were given.",
    ],
)
POSITION_ROW = RowType(
    {
        "position": Annotated[int, Within(1), "A position."],
        "impressions": Annotated[int, Within(0), "Impressions there."],
        "clicks": Annotated[int, Within(0), "Clicks there."],
        "rate": Annotated[Share, "Clicks per impression."],
        "attention": Annotated[
            float | None, "How often it is looked at, relative to the first; null where the log does not tell."
        ],
    }
)


@dataclass(frozen=True, eq=False, repr=False)
class Clicks(Shown, Described):
    """Judgments made of clicks.

    Attributes
    ----------
    log
        What was shown and clicked.
    model
        coec, pbm or sdbn.
    minimum
        Least evidence of a pair.
    level
        Level of the intervals.
    attention
        (P,) how often each position is looked at, relative to the first; NaN where the log does not tell.
    clicked, shown, evidence
        (A,) clicks, impressions and evidence of each pair that was shown.
    more
        The name of a further column and its values by pair.
    remarks
        What the model has to say, as sentences.
    cuts
        The attractiveness from which each grade is given, from grade 0 up; None: the grade is the attractiveness.
    """

    log: ClickLog
    model: Annotated[str, "The model of clicks: coec, pbm or sdbn."]
    minimum: Annotated[float, "Least evidence of a pair."]
    level: Annotated[Share, "Level of the intervals."]
    attention: Floats
    clicked: Floats
    shown_often: Floats
    evidence: Floats
    more: tuple[str, Floats] | None = None
    remarks: tuple[str, ...] = ()
    cuts: Annotated[
        tuple[Annotated[Share, "An attractiveness."], ...] | None,
        "The attractiveness from which each grade is given, from grade 0 up; null: the grade is the attractiveness.",
    ] = None

    @functools.cached_property
    def _enough(self) -> Ints:
        """The pairs with enough evidence, by query, the best first."""
        rows = np.flatnonzero(self.evidence >= self.minimum)
        value = self.clicked[rows] / self.evidence[rows]
        order: Ints = rows[np.lexsort((self.log.doc[rows], -value, self.log.query[rows]))]
        return order

    @property
    def table(self) -> Annotated[Table, Named("judgments"), CLICK_ROW, "A row per pair with enough evidence."]:
        """One row per pair with enough evidence: its attractiveness as grade, with interval, evidence and counts."""
        rows, log, found = self._enough, self.log, self._found
        columns: dict[str, Any] = {
            "query": [log.queries[place] for place in log.query[rows].tolist()],
            "doc": [log.docs[place] for place in log.doc[rows].tolist()],
            "grade": found.value if self.cuts is None else self._grade(found.value),
            "rater": [RATER] * len(rows),
            "low": found.low,
            "high": found.high,
            "evidence": self.evidence[rows],
            "clicks": self.clicked[rows].astype(np.int64),
            "impressions": self.shown_often[rows].astype(np.int64),
        }
        if self.cuts is not None:
            columns["attractiveness"] = found.value
        if self.more is not None:
            columns[self.more[0]] = self.more[1][rows]
        return Table(columns, "clicks", row=CLICK_ROW)

    @functools.cached_property
    def _found(self) -> Attractiveness:
        """The attractiveness of the pairs with enough evidence, a share: at most 1.

        More clicks than evidence are no share of looks above 1, but evidence that is too small: expected clicks are too
        few where an engine ranks well, and of few looks the interval of a rate reaches beyond all of them.
        """
        rows = self._enough
        found = attractiveness(self.clicked[rows], self.evidence[rows], self.level)
        return Attractiveness(*(np.minimum(share, 1.0) for share in found))

    def _grade(self, share: Floats) -> Ints:
        """(N,) the grade of each attractiveness by the cut points."""
        grades: Ints = np.searchsorted(np.array(self.cuts), share, side="right") - 1
        return grades

    @property
    def judgments(self) -> Judgments:
        """The same as judgments, for any function that takes some."""
        table = self.table
        return read_judgments({name: table.array(name) for name in ("query", "doc", "grade", "rater")})

    @property
    def positions(self) -> Annotated[Table, POSITION_ROW, "A row per position: its clicks, and its attention."]:
        """One row per position: impressions, clicks, clicks per impression, and attention."""
        log = self.log
        many = len(log.positions)
        shown = np.bincount(log.position, minlength=many)
        clicked = np.bincount(log.position[log.clicked], minlength=many)
        columns = {
            "position": log.positions,
            "impressions": shown,
            "clicks": clicked,
            "rate": clicked / shown,
            "attention": self.attention,
        }
        return Table(columns, "positions", row=POSITION_ROW)

    @property
    def below(self) -> Ints:
        """The pairs with less evidence than the minimum, those with the most impressions first."""
        rows = np.flatnonzero(~(self.evidence >= self.minimum))
        order: Ints = rows[np.lexsort((rows, -self.shown_often[rows]))]
        return order

    @functools.cached_property
    def notes(
        self,
    ) -> Annotated[tuple[Annotated[str, "A sentence."], ...], "What was left out, and what to know, as sentences."]:
        """What was left out and how often, and what the model has to say."""
        return (*self.log.notes, *self.remarks, *self._say_grades(), *self._say_above(), *self._say_below())

    def _say_grades(self) -> list[str]:
        """Say the cut points, how many pairs have each grade, and for how many that is unsure."""
        if self.cuts is None:
            return []
        found, many = self._found, len(self._enough)
        often = np.bincount(self._grade(found.value), minlength=len(self.cuts))
        levels = ", ".join(
            f"{grade} from {cut:g} ({plural(int(times), 'pair')})"
            for grade, (cut, times) in enumerate(zip(self.cuts, often, strict=True))
        )
        unsure = int((self._grade(found.low) != self._grade(found.high)).sum())
        return [
            f"Grades by the attractiveness of a pair: {levels}. The cut points are a decision: --grades (in Python, "
            "grades=…).",
            f"For {unsure:,} of {plural(many, 'pair')} the interval of the attractiveness reaches into another grade.",
        ]

    def _say_above(self) -> list[str]:
        """Say of how many pairs the share is above 1, which is no share."""
        rows = self._enough
        many = int((self.clicked[rows] > self.evidence[rows]).sum())
        if not many:
            return []
        return [
            f"{plural(many, 'pair')} with more clicks than evidence {'counts' if many == 1 else 'count'} as a share of "
            "1: no more than everybody who looks can click."
        ]

    def _say_below(self) -> list[str]:
        rows = self.below
        if not len(rows):
            return []
        log = self.log
        names = [f"{log.queries[log.query[row]]} / {log.docs[log.doc[row]]}" for row in rows[:3].tolist()]
        more = f" and {len(rows) - len(names):,} more" if len(rows) > len(names) else ""
        return [
            f"{plural(len(rows), 'pair')} of {len(log.query):,} with evidence below {self.minimum:g} "
            f"{'is' if len(rows) == 1 else 'are'} left out: {', '.join(names)}{more}."
        ]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand out the table through the Arrow capsule interface, so that any function takes this for judgments."""
        return self.table.__arrow_c_stream__(requested_schema)

    @property
    def _impressions(self) -> Annotated[int, Named("impressions"), "Impressions that count."]:
        return len(self.log.pair)

    @property
    def _clicks(self) -> Annotated[int, Named("clicks"), "Clicks that count, one per session and pair."]:
        return int(self.log.clicked.sum())

    @property
    def _pairs(self) -> Annotated[int, Named("pairs"), "Pairs of a query and a document that were shown."]:
        return len(self.log.query)

    @property
    def _left_out(
        self,
    ) -> Annotated[int, Named("below"), "Of these with less evidence than the minimum, which are left out."]:
        return len(self.below)

    @property
    def headline(self) -> str:
        """What was read, and how many judgments came out, in a sentence."""
        log = self.log
        return (
            f"{plural(len(log.pair), 'impression')} and {plural(int(log.clicked.sum()), 'click')} of "
            f"{plural(len(log.query), 'pair')}; {plural(len(self._enough), 'judgment')} for "
            f"{plural(len(np.unique(log.query[self._enough])), 'query')} by {_TITLES[self.model]}."
        )

    def shown(self) -> list[Block]:
        """Return what was read, the positions and the first judgments."""
        blocks: list[Block] = [Lines([("clicks", self.headline)], leads=True)]
        blocks += [*self.positions.shown(), *self.table.shown()]
        return [*blocks, *([Points(self.notes, "notes")] if self.notes else [])]


_TITLES = {
    "coec": "clicks over expected clicks",
    "pbm": "the position-based model",
    "sdbn": "the simplified dynamic Bayesian network",
}


def clicks(
    events: Any,
    *,
    model: ClickModel = "coec",
    minimum: float = MINIMUM,
    shown: str | None = None,
    queries: Any = None,
    level: float = 0.95,
    grades: str | Sequence[float] | None = None,
    **columns: str | None,
) -> Clicks:
    """Make judgments of clicks: how attractive each document is for each query, and how sure that is.

    Each session counts once: one impression of a pair of query and document at a position, and one click on a pair.
    The order of rows does not matter.

    Parameters
    ----------
    events
        A log: UBI events (JSON lines, a list of dicts, Parquet); or a table with a row per impression (query, doc,
        position, clicked, and session if known); or with a row per event (query, doc, position, action).
    model
        ``coec``: clicks over expected clicks, where each position is expected to be clicked as often as it was over
        all documents. ``pbm``: the position-based model, which learns the attention of positions from documents that
        were shown at several. ``sdbn``: the simplified dynamic Bayesian network, in which people look down to their
        last click.
    minimum
        Least evidence of a pair, in impressions that were looked at. Pairs with less are left out and counted.
    shown
        The action of events that says that a document was shown: ``view``, ``impression``, or another. None: whichever
        of these two is there; if both are, they are asked for.
    queries
        The UBI queries, or a table of queries, with the text that each id of a search asked for.
    level
        Level of the intervals.
    grades
        The attractiveness from which each grade is given, from grade 0 up: with ``(0, .1, .3, .6)`` or
        ``"0,.1,.3,.6"``, a share of .25 is grade 1, so that clicks can be compared with people's grades. None: the
        grade is the attractiveness itself, 0 to 1.
    **columns
        Names of columns not found by themselves: query, doc, position, clicked, session, action, time.

    Returns
    -------
    Clicks: judgments of the rater ``clicks`` (the grade is the attractiveness, clicks over evidence, or what `grades`
    makes of it), with intervals and evidence; the attention of positions; and what was left out.

    Raises
    ------
    DataError
        If the log cannot be read, or does not say what the model needs.
    UsageError
        If there is no such model, or a decision is missing.

    Examples
    --------
    Of 100 searches, 40 clicked the first result and 10 the second.

    >>> log = {"query": ["shoes"] * 200, "doc": ["a", "b"] * 100, "position": [1, 2] * 100}
    >>> found = clicks(log | {"clicked": [1, 0] * 40 + [0, 1] * 10 + [0, 0] * 50}, minimum=20)
    >>> [(row["doc"], round(row["grade"], 4), row["evidence"]) for row in found.table]
    [('a', 0.4, 100.0), ('b', 0.4, 25.0)]

    No document was seen at two positions, so this cannot tell a bad document from a position nobody looks at.
    """
    if model not in get_args(ClickModel):
        raise not_allowed("model", model, get_args(ClickModel))
    if isinstance(minimum, bool) or not isinstance(minimum, int | float) or not 0 < minimum < np.inf:
        raise UsageError(f"{option('minimum', str(minimum))}: the least evidence is a number above 0.")
    refuse_share("level", level)
    cuts = None if grades is None else _check_cuts(grades)
    log = read_click_log(events, shown=shown, queries=queries, searches=model == "sdbn", **columns)
    shares = _MODELS[model](log)
    many = len(log.query)
    found = Clicks(
        log, model, float(minimum), level, shares.attention,
        np.bincount(log.pair[log.clicked], minlength=many).astype(float),
        np.bincount(log.pair, minlength=many).astype(float), shares.evidence, shares.more, shares.remarks, cuts,
    )  # fmt: skip
    if not len(found._enough):
        raise DataError(f"{log.name}: {_no_judgment(found)}")
    return found


def _check_cuts(grades: str | Sequence[float]) -> tuple[float, ...]:
    """Return the cut points of grades as numbers, which begin with 0 and rise to 1 at most."""
    given: Sequence[str | float] = grades.split(",") if isinstance(grades, str) else grades
    try:
        cuts = tuple(float(cut) for cut in given)
    except (TypeError, ValueError):
        cuts = ()
    if len(cuts) < 2 or cuts[0] != 0 or cuts[-1] > 1 or not all(low < high for low, high in pairwise(cuts)):
        text = grades if isinstance(grades, str) else ",".join(map(str, cuts)) or str(grades)
        raise UsageError(
            f"{option('grades', text)}: these are no cut points. Give the share from which each grade is given, from "
            f"grade 0 up: rising numbers from 0 to 1, the first of them 0, as {option('grades', '0,0.1,0.3,0.6')}."
        )
    return cuts


def _no_judgment(found: Clicks) -> str:
    """Say why nothing is left."""
    log = found.log
    text = (
        f"none of {plural(len(log.query), 'pair')} of query and document has evidence of {found.minimum:g}; the most "
        f"is {np.nanmax(found.evidence, initial=0):.1f}. Give a longer log, or take a smaller {option('minimum')}."
    )
    if log.by_search:
        way = either("queries=…", "--queries FILE")
        text += f" If each search has an id of its own, give the UBI queries, which say what was asked for: {way}."
    return text


class _Shares(NamedTuple):
    """What a model makes of a log.

    Attributes
    ----------
    attention
        (P,) of positions.
    evidence
        (A,) of pairs.
    """

    attention: Floats
    evidence: Floats
    more: tuple[str, Floats] | None = None
    remarks: tuple[str, ...] = ()


DENSE = 8
"""Cells per row up to which all pairs at all positions are counted, without looking for those there are."""


def _count_cells(log: ClickLog) -> Cells:
    """Count impressions and clicks by pair and position."""
    positions = len(log.positions)
    cell = log.pair.astype(np.int64) * positions + log.position
    size = len(log.query) * positions
    if size <= DENSE * len(cell):
        shown = np.bincount(cell, minlength=size)
        there = np.flatnonzero(shown)
        clicked = np.bincount(cell[log.clicked], minlength=size)[there]
        return Cells(there // positions, there % positions, shown[there].astype(float), clicked.astype(float))
    there, shown = np.unique(cell, return_counts=True)
    clicked = np.bincount(np.searchsorted(there, cell[log.clicked]), minlength=len(there))
    return Cells(there // positions, there % positions, shown.astype(float), clicked.astype(float))


def _evidence(cells: Cells, attention: Floats, pairs: int) -> Floats:
    """(A,) the sum of attention × impressions; a position of unknown attention adds nothing."""
    evidence = np.bincount(cells.pair, cells.shown * np.nan_to_num(attention[cells.position]), pairs)
    return evidence.astype(np.float64, copy=False)


def _by_rates(log: ClickLog) -> _Shares:
    """Clicks over expected clicks."""
    cells = _count_cells(log)
    attention = position_rates(cells, len(log.positions))
    if np.isnan(attention).any():
        raise DataError(
            f"{log.name}: no click at position {log.positions[0]}, the first, so that what is expected further down "
            f"has no measure. Give a longer log.{''.join(f' {note}' for note in log.notes)}"
        )
    evidence = _evidence(cells, attention, len(log.query))
    first = cells.position == 0
    rate = cells.clicked[first].sum() / cells.shown[first].sum()
    clicked = np.bincount(cells.pair, cells.clicked, len(log.query))
    over = np.divide(clicked, evidence * rate, out=np.full(len(evidence), np.nan), where=evidence > 0)
    return _Shares(attention, evidence, ("coec", over))


def _by_positions(log: ClickLog) -> _Shares:
    """The position-based model."""
    cells = _count_cells(log)
    positions = len(log.positions)
    found = position_attention(cells, positions)
    if not found.pairs:
        several = bool((np.bincount(cells.pair, minlength=len(log.query)) >= 2).any())
        few = f" with {LEAST_SHOWN} impressions and a click" if several else ""
        raise DataError(
            f"{log.name}: no document{few} was seen at two positions, so a position nobody looks at cannot be told "
            f"from documents nobody wants. Take {option('model', 'coec')}, which supposes that documents at all "
            "positions are equally good, or give a log in which some results were swapped."
        )
    if np.isnan(found.theta).all():
        raise DataError(
            f"{log.name}: no click at position {log.positions[found.reference]}, the first that can be compared with "
            "others. Give a longer log."
        )
    remarks = []
    unknown = np.flatnonzero(np.isnan(found.theta))
    if len(unknown):
        lost = int(cells.shown[np.isin(cells.position, unknown)].sum())
        names = listed(map(str, log.positions[unknown].tolist()))
        remarks.append(
            f"{plural(lost, 'impression')} at {'position' if len(unknown) == 1 else 'positions'} {names} "
            f"{'is' if lost == 1 else 'are'} no evidence: no document was seen there and at one of the other "
            "positions, so their attention is not known."
        )
    if log.positions[found.reference] != 1:
        remarks.append(
            f"Attention is relative to position {log.positions[found.reference]}, whose attention is set to 1."
        )
    return _Shares(found.theta, _evidence(cells, found.theta, len(log.query)), None, tuple(remarks))


def _by_last_clicks(log: ClickLog) -> _Shares:
    """The simplified dynamic Bayesian network."""
    if log.search is None:
        raise UsageError(
            f"{log.name}: no sessions, and {option('model', 'sdbn')} needs the results of each search together, in "
            f"order. Name the column: {option('session', flag='session-col')}; or take {option('model', 'coec')} or "
            "pbm."
        )
    found = last_clicks(log.search, log.position, log.clicked)
    many, positions = len(log.query), len(log.positions)
    evidence = np.bincount(log.pair[found.examined], minlength=many).astype(float)
    clicked = np.bincount(log.pair[log.clicked], minlength=many)
    last = np.bincount(log.pair[found.last], minlength=many)
    satisfied = np.divide(last, clicked, out=np.full(many, np.nan), where=clicked > 0)
    examined = np.bincount(log.position[found.examined], minlength=positions)
    attention = examined / np.bincount(log.position, minlength=positions)
    return _Shares(attention, evidence, ("satisfaction", satisfied))


_MODELS = {"coec": _by_rates, "pbm": _by_positions, "sdbn": _by_last_clicks}
