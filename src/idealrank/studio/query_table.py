"""The table of queries of a look: which of them a filter keeps, in which order, and what their rows say."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from idealrank.arrays import EQUAL, Floats, Ints, Mask
from idealrank.comparison.segments.attributes import attributes
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.errors import unknown
from idealrank.evaluation.ledger.counting import DEFAULT_DEPTH, unjudged_per_query
from idealrank.evaluation.scores import Scores
from idealrank.studio.project import Look, StudioProject

OUTCOMES = {
    "gain": "▲ better", "loss": "▼ worse", "same": "= equal", "out": "left out", "state": "special handling",
    "unjudged": "has unjudged results", "disputed": "raters differ",
}  # fmt: skip
"""What a filter can ask for beside all queries, in words."""
COUNTED = {"gain": "▲ higher", "loss": "▼ lower"}
"""What gains and losses are called of a count, which is neither better nor worse."""

SEGMENT = "segment."
"""Begins the parameter of a segment; the name of the attribute follows."""

_WHY = {
    "no_results": "no results", "no_relevant": "no relevant document", "no_judgments": "no judgments",
    "failed": "search failed",
}  # fmt: skip


@dataclass(frozen=True)
class Filter:
    """What the address asks of the table.

    Attributes
    ----------
    find
        Part of an id or a text.
    outcome
        One of `OUTCOMES`; "": all queries.
    segments
        The segment asked for, by attribute.
    sort
        The key of a column, after a hyphen if the highest come first; "": the worst change first.
    everything
        Whether the values of all systems are shown.
    """

    find: str = ""
    outcome: str = ""
    segments: tuple[tuple[str, str], ...] = ()
    sort: str = ""
    everything: bool = False

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> Filter:
        """Read the parameters of an address.

        Raises
        ------
        UsageError
            If there is no such outcome.
        """
        outcome = parameters.get("outcome", "")
        if outcome and outcome not in OUTCOMES:
            raise unknown("outcome", outcome, list(OUTCOMES))
        segments = {
            name.removeprefix(SEGMENT): value
            for name, value in parameters.items()
            if name.startswith(SEGMENT) and value != ""
        }
        return cls(
            parameters.get("find", "").strip(), outcome, tuple(sorted(segments.items())), parameters.get("sort", ""),
            parameters.get("all", "") == "1",
        )  # fmt: skip

    @property
    def parameters(self) -> dict[str, str]:
        """The filter as parameters of an address."""
        segments = {f"{SEGMENT}{name}": value for name, value in self.segments}
        all_of_them = {"all": "1"} if self.everything else {}
        return {"find": self.find, "outcome": self.outcome, **segments, "sort": self.sort, **all_of_them}

    def but(self, **values: Any) -> dict[str, str]:
        """Return the parameters of a filter that differs in some values."""
        return replace(self, **values).parameters


@dataclass(frozen=True, eq=False)
class Column:
    """A column of the table.

    Attributes
    ----------
    key
        What the address calls it.
    title, group
        Its heading, and what is above that in words; "" for nothing.
    kind
        How its values are written: name, value, change, count, number, text or state.
    values
        (Q,) what is written.
    ranks
        (Q,) what is sorted by; NaN comes last.
    """

    key: str
    title: str
    kind: str
    values: Any
    ranks: Floats = field(repr=False)
    group: str = ""

    @property
    def look(self) -> str:
        """The classes of its cells: its kind, and whether it is of numbers."""
        return self.kind if self.kind in ("name", "number", "text", "state") else f"number {self.kind}"


class KnownQueries:
    """What is known of the queries whatever is graded or decided: names to search and sort by, and attributes.

    Parameters
    ----------
    scores
        Of any systems.
    segments
        The columns that make segments; none named: all that tell queries apart.
    """

    def __init__(self, scores: Scores, segments: Sequence[str] = ()) -> None:
        # The scores are not kept: those of many grades would be.
        ids, texts, table = scores.queries, scores.texts, scores.table
        self.titles = [texts.get(key) or key for key in ids]
        self._folded = [
            fold(key if title == key else f"{key}\n{title}") for key, title in zip(ids, self.titles, strict=True)
        ]
        self.attributes = attributes(scores, segments)
        self.columns = [
            _attribute_column(name, list(table.values(name, ids))) for name in table.attributes if name != table.text
        ]

    def with_part(self, text: str) -> Mask:
        """(Q,) which of them have a text in them, whatever its case and accents."""
        wanted = fold(text)
        return np.array([wanted in each for each in self._folded], np.bool_)

    @cached_property
    def ranks(self) -> Floats:
        """(Q,) their places in the order of their texts, numbers by their size."""
        return text_ranks(self.titles)


def _attribute_column(name: str, values: list[Any]) -> Column:
    numbers = _numbers(values)
    if numbers is None:
        return Column(f"{SEGMENT}{name}", name, "text", values, text_ranks([_text(value) for value in values]))
    return Column(f"{SEGMENT}{name}", name, "number", numbers, numbers)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def fold(text: str) -> str:
    """Return a text without case and accents."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in parts if not unicodedata.category(sign).startswith("M")).lower()


def text_ranks(texts: Sequence[str | None]) -> Floats:
    """(Q,) the places of texts in their order, numbers within them by size; NaN where there is none."""
    keys = {text: re.sub(r"\d+", _padded, fold(text)) for text in set(texts) if text}
    place = {key: float(rank) for rank, key in enumerate(sorted(set(keys.values())))}
    return np.array([place[keys[text]] if text else np.nan for text in texts], np.float64)


def _padded(digits: re.Match[str]) -> str:
    return digits[0].zfill(12)


class LookTable:
    """The queries of a look.

    Parameters
    ----------
    scores
        Of all systems under one measure.
    look
        Which two are compared.
    known
        What is known of the queries.
    """

    def __init__(self, scores: Scores, look: Look, known: KnownQueries) -> None:
        self.scores, self.known = scores, known
        self.measure = scores.measures[0]
        self.label = scores.labels[0]
        self.direction = self.measure.definition.properties.direction
        self.depth = self.measure.cutoff or DEFAULT_DEPTH
        self.baseline = scores.systems.index(look.baseline)
        self.system = scores.systems.index(look.system)
        self.values = scores.values[:, 0]
        self.place_of = {query: q for q, query in enumerate(scores.queries)}
        self.order = lru_cache(8)(self._order)  # a window after the other is asked of the same order

    def __len__(self) -> int:
        return len(self.scores.queries)

    def change(self, s: int) -> Floats:
        """(Q,) what a system changes against the baseline; NaN where either has no value."""
        change: Floats = self.values[s] - self.values[self.baseline]
        return change

    @property
    def _sides(self) -> list[int]:
        return [self.baseline, self.system]

    # What a filter can ask for.

    @cached_property
    def signs(self) -> Ints:
        """(Q,) 1 where the system gains, -1 where it loses, 0 where it does neither or has no value."""
        change = np.nan_to_num(self.change(self.system))
        up = np.where(np.abs(change) <= EQUAL, 0, np.sign(change)).astype(np.int64)
        return -up if self.direction == "lower" else up

    @cached_property
    def unjudged(self) -> Ints:
        """(S, Q) how many of the first results of each system nobody judged."""
        return np.stack([unjudged_per_query(self.scores, s, self.depth)[0] for s in range(len(self.scores.systems))])

    @cached_property
    def disputes(self) -> dict[str, set[str]]:
        """The documents that raters gave different grades, by query."""
        return disputed_documents(self.scores.joins[0].judgments)

    @cached_property
    def _disputed(self) -> Mask:
        return np.array([query in self.disputes for query in self.scores.queries], np.bool_)

    @cached_property
    def special(self) -> Mask:
        """(Q,) which are not simply computed for either system."""
        special: Mask = (self.scores.states[self._sides, 0] != 0).any(axis=0)
        return special

    @cached_property
    def _has_both(self) -> Mask:
        """(Q,) which have a value for both systems."""
        return ~np.isnan(self.change(self.system))

    def with_outcome(self, outcome: str) -> Mask:
        """(Q,) which queries have one of `OUTCOMES`."""
        signs = {"gain": 1, "loss": -1, "same": 0}
        found: Mask
        if outcome in signs:
            found = self._has_both & (self.signs == signs[outcome])
        elif outcome == "unjudged":
            found = np.logical_or.reduce(self.unjudged[self._sides])
        else:
            found = {"out": ~self._has_both, "state": self.special, "disputed": self._disputed}[outcome]
        return found

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many queries have each of `OUTCOMES`."""
        return {outcome: int(self.with_outcome(outcome).sum()) for outcome in OUTCOMES}

    @property
    def outcomes(self) -> dict[str, str]:
        """The outcomes in words, as the measure has them."""
        return OUTCOMES | (COUNTED if self.direction == "count" else {})

    def _order(self, asked: Filter) -> Ints:
        """Return the places of the queries that a filter keeps, in its order."""
        keep = np.ones(len(self), np.bool_) if not asked.outcome else self.with_outcome(asked.outcome).copy()
        if asked.find:
            keep &= self.known.with_part(asked.find)
        for name, value in asked.segments:
            keep &= self._segments(name).get(value, np.zeros(len(self), np.bool_))
        places = np.flatnonzero(keep)
        column, descending = self.sorted_by(asked)
        ranks = column.ranks[places]
        known = ~np.isnan(ranks)
        # Equal ones stay in the order of the judgments, either way.
        order = np.argsort(-ranks[known] if descending else ranks[known], kind="stable")
        return np.concatenate((places[known][order], places[~known]))

    def _segments(self, name: str) -> dict[str, Mask]:
        found = {attribute.name: attribute.segments for attribute in self.known.attributes}
        if name not in found:
            raise unknown("segment", name, list(found))
        return found[name]

    # Columns and rows.

    def sorted_by(self, asked: Filter) -> tuple[Column, bool]:
        """Return the column that a filter sorts by, and whether the highest come first.

        Raises
        ------
        UsageError
            If there is no such column.
        """
        if not asked.sort:
            gains_first = not (self.signs < 0).any()
            return self._change_column(self.system), (self.direction == "lower") != gains_first
        key = asked.sort.removeprefix("-")
        columns = {column.key: column for column in self.columns(everything=True)}
        if key not in columns:
            raise unknown("column", key, list(columns))
        return columns[key], asked.sort.startswith("-")

    def columns(self, everything: bool = False) -> list[Column]:
        """Return the columns: of the baseline and the system, or of all systems with their changes."""
        systems = self.scores.systems
        others = [s for s in range(len(systems)) if s not in self._sides] if everything else []
        values = [self._value_column(s) for s in self._sides]
        found = [Column("query", "query", "name", self.known.titles, self.known.ranks), *values]
        found.append(self._change_column(self.system))
        for s in others:
            found += [self._value_column(s), self._change_column(s)]
        found += [
            Column(f"unjudged:{systems[s]}", systems[s], "count", self.unjudged[s], self.unjudged[s].astype(float),
                   "unjudged")
            for s in (*self._sides, *others)
        ]  # fmt: skip
        if self.scores.weights is not None:
            found.append(Column("weight", "weight", "number", self.scores.weights, self.scores.weights))
        found += self.known.columns
        if self.special.any():
            ranks = np.where(self.special, self.scores.states[self._sides, 0].max(axis=0), np.nan)
            found.append(Column("state", "special handling", "state", None, ranks))
        return found

    def _value_column(self, s: int) -> Column:
        name = self.scores.systems[s]
        return Column(f"value:{name}", name, "value", self.values[s], self.values[s], self.label)

    def _change_column(self, s: int) -> Column:
        name, main = self.scores.systems[s], s == self.system
        key, title = ("change", "change") if main else (f"change:{name}", name)
        return Column(key, title, "change", self.change(s), self.change(s), "" if main else "change")

    def states(self, places: Ints) -> dict[int, str]:
        """Return what is special about some queries, in words; nothing for those that are simply computed."""
        special = places[self.special[places]]
        if not len(special):
            return {}
        texts: dict[str, list[str]] = {}
        names = [self.scores.systems[s] for s in self._sides]
        for row in self.scores.ledger.at(special).exceptions:
            if row["system"] in names:
                words = state_words(row[self.label], row["state"])
                texts.setdefault(row["query"], []).append(f"{row['system']}: {words}")
        return {q: "; ".join(texts.get(self.scores.queries[q], [])) for q in special.tolist()}


def state_words(state: str, whole: str) -> str:
    """Write a state of a query as a sentence's part: ``no_results=0`` is "no results, counts 0".

    Examples
    --------
    >>> state_words("no_relevant=skip", ""), state_words("computed", "judged, search failed")
    ('no relevant document, left out', 'judged, search failed')
    """
    why, _, answer = state.partition("=")
    if why not in _WHY:
        return whole if state == "computed" else state
    return f"{_WHY[why]}, {'left out' if answer.startswith('skip') else f'counts {answer}'}"


def _numbers(values: Sequence[Any]) -> Floats | None:
    """(Q,) values as numbers, NaN for none; None if one of them is a text."""
    try:
        return np.array([np.nan if value in (None, "") else float(value) for value in values], np.float64)
    except (TypeError, ValueError):
        return None


def disputed_documents(judgments: Judgments) -> dict[str, set[str]]:
    """Return the documents that raters gave different grades, by query."""
    if len(judgments.raters) < 2:
        return {}
    rows = judgments.rows_to_count()
    who, _ = judgments.rater_cells()
    given = np.flatnonzero((rows.doc >= 0) & (who >= 0) & ~np.isnan(rows.grade))
    unit = rows.query[given] * len(rows.docs) + rows.doc[given]
    # The first that a rater says of a document counts, as everywhere.
    first = np.unique(unit * (int(who.max(initial=0)) + 1) + who[given], return_index=True)[1]
    unit, grade = unit[first], rows.grade[given][first]
    order = np.lexsort((grade, unit))
    differ = (np.diff(unit[order]) == 0) & (np.diff(grade[order]) != 0)
    query, doc = np.divmod(np.unique(unit[order][1:][differ]), max(1, len(rows.docs)))
    found: dict[str, set[str]] = {}
    for name, document in zip(rows.queries.to_list(query), rows.docs.to_list(doc), strict=True):
        found.setdefault(id_text(name), set()).add(id_text(document))
    return found


def query_table(project: StudioProject, look: Look) -> LookTable:
    """Return the table of a look; it is made once, until somebody grades."""
    return project.now(("query table", look.address), lambda: _query_table(project, look))


def _query_table(project: StudioProject, look: Look) -> LookTable:
    scores = project.scores(look)
    key = ("queries", project.tables_version, tuple(scores.queries), project.segments)
    known = project.once(key, lambda: KnownQueries(scores, project.segments))
    return LookTable(scores, look, known)
