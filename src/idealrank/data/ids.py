"""The ids that join tables, and the texts of queries."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, Self

import numpy as np

from idealrank._core import BadRow, Column, from_columns, natural_order as natural_places
from idealrank.arrays import Ints, Mask
from idealrank.data.formats.messages import half_character
from idealrank.data.formats.source import Source, SpelledSource
from idealrank.data.roles import ALIASES, Roles, fold
from idealrank.errors import DataError, listed, plural

_NAMELESS = {
    "trec-qrels": "TREC judgments",
    "trec-run": "TREC run",
    "dicts": "dict of dicts",
    "run-of-five": "TREC run without Q0 (5 fields)",
    "learning-to-rank": "learning-to-rank lines",
    "predictions": "predictions for the rows of the judgments",
}
"""Forms without column names."""

ONE_QUERY = "q"
"""Id of the query of a table that has no query column."""


class Keys(NamedTuple):
    """The query column, the column of the query's text if it is another, and whether the first was made up."""

    query: Column
    text: Column | None
    one_query: bool


_OTHERS = (tier for role, tiers in ALIASES.items() if role not in ("query", "text") for tier in tiers)
_NEVER_QUERIES = (
    frozenset({"cg", "dg", "dcg", "ndcg", "discount", "discountedgain", "idealrank"})
    .union(*_OTHERS)
    .difference(*ALIASES["doc"][3:])
)
"""Folded names of columns that mean something else: another role, or a measure."""


def query_keys(source: Source, roles: Roles) -> Keys:
    """Find the query column: ids, or else texts.

    A table of documents and numbers is one query if no column could be the query.

    Raises
    ------
    NoColumnError
        If there is none, but some column could be one.
    """
    key = _id_beside_text(source, roles)
    key = roles.key if key is None else key
    if key is None:
        _refuse_hidden_query(source, roles)
        made_up = from_columns(["query"], [[ONE_QUERY] * source.frame.rows])
        return Keys(made_up.column(0), None, True)
    return Keys(source.ids(key), source.column(roles.find("text", but=key)), False)


def _id_beside_text(source: Source, roles: Roles) -> int | None:
    """Return the column called id next to a text, if it is the query's: there are as many ids as texts; else None."""
    key, text = roles.find_query_id(), roles.find("text")
    if key is None or text is None:
        return None
    many = [len(source.frame.column(place).codes()[1]) for place in (key, text)]
    return key if many[0] == many[1] else None


def _refuse_hidden_query(source: Source, roles: Roles) -> None:
    ratings = roles.ratings()
    for index, name in enumerate(roles.names):
        if fold(name) not in _NEVER_QUERIES and index not in ratings and _could_be_ids(source, index, name):
            raise roles.missing_columns("query", way="; or add a column query_id that groups the rows by query")


def _could_be_ids(source: Source, index: int, name: str) -> bool:
    """Whether a column contains text or whole numbers, and does not just count the rows."""
    column = source.frame.column(index)
    if not could_be_numbers(column, name):
        return True
    numbers = column.number(name, True).floats()
    (there,) = np.nonzero(~np.isnan(numbers))
    numbers = numbers[there]
    return bool((numbers == np.floor(numbers)).all()) and len(np.unique(numbers - there)) > 1


def could_be_numbers(column: Column, name: str) -> bool:
    """Whether every value of a column is a number, or missing."""
    try:
        column.number(name, True)
    except BadRow:
        return False
    return True


def texts_by_id(keys: Keys) -> tuple[dict[str, str], set[str]]:
    """Return the first text of each query id, and the ids with more than one."""
    texts: dict[str, str] = {}
    differing: set[str] = set()
    if keys.text is not None:
        for key, words in _distinct_pairs(keys.query, keys.text):
            if texts.setdefault(id_text(key), str(words)) != str(words):
                differing.add(id_text(key))
    return texts, differing


def _distinct_pairs(left: Column, right: Column) -> Iterator[tuple[Any, Any]]:
    """Yield the distinct pairs of values in the rows, in order of appearance."""
    (a, lefts), (b, rights) = left.codes(), right.codes()
    (there,) = np.nonzero((a >= 0) & (b >= 0))
    pair = (a * len(rights) + b)[there]
    # Rows of one query mostly stand together, so most repeats are gone before the costly search for distinct pairs.
    fresh = there[np.flatnonzero(np.diff(pair, prepend=-1))]
    first = fresh[np.sort(np.unique((a * len(rights) + b)[fresh], return_index=True)[1])]
    return zip(lefts.to_list(a[first]), rights.to_list(b[first]), strict=True)


def id_text(key: object) -> str:
    """Write an id as text: 12, "12" and 12.0 are the same.

    Examples
    --------
    >>> id_text(12), id_text("12"), id_text(12.0)
    ('12', '12', '12')
    """
    return str(int(key)) if isinstance(key, float) and key.is_integer() else str(key)


def plain_ids(keys: Iterable[object]) -> tuple[str, ...]:
    """Write typed ids as tables store them: text that spells a whole float is that number, too.

    Examples
    --------
    >>> plain_ids(["12.0", 12.0, "v1.0"])
    ('12', '12', 'v1.0')
    """
    texts = [id_text(key) for key in keys]
    try:
        return tuple(from_columns(["id"], [texts]).column(0).plain_ids().to_list())
    except UnicodeEncodeError as error:
        raise half_character("query ids", "the id", error.object) from None


def codes(column: Column) -> Ints:
    """(N,) a number for each value, equal for equal values; -1 if there is none."""
    return column.codes()[0]


def present_ids(column: Column, rows: Ints) -> Mask:
    """Which of these rows have an id in the column, not a missing value or empty text."""
    return np.array([value is not None and value != "" for value in column.to_list(rows)], np.bool_)


def missing_system(place: str, systems: Column) -> DataError:
    """Build the error for a row that names none of its table's systems."""
    names = [id_text(name) for name in systems.distinct(1 << 20) if name != ""]
    return DataError(
        f"{place}: the system is missing, and the table has {plural(len(names), 'system')}: {listed(names)}. "
        "Name the system in every row."
    )


@dataclass(frozen=True, eq=False)
class Keyed:
    """A table whose queries are known: the common part of judgments and results."""

    source: Source
    roles: Roles

    @property
    def name(self) -> str:
        """The table's name in messages."""
        return self.source.name

    @functools.cached_property
    def keys(self) -> Keys:
        """The query column and the text column."""
        return query_keys(self.source, self.roles)

    def checked(self) -> Self:
        """Return the table itself, once its query column is found.

        Raises
        ------
        NoColumnError
            If it has none.
        """
        _ = self.keys
        return self

    def as_spelt(self) -> Self:
        """Return the table with ids as spelled, for tools that treat ids as text."""
        source = SpelledSource(**{part.name: getattr(self.source, part.name) for part in fields(self.source)})
        return replace(self, source=source)

    @property
    def one_query(self) -> bool:
        """Whether the table has no query column, so that all rows are one query."""
        return self.keys.one_query

    @functools.cached_property
    def texts(self) -> tuple[dict[str, str], set[str]]:
        """First text of each query id, and the ids whose texts differ."""
        return texts_by_id(self.keys)

    @property
    def form(self) -> str:
        """The name of a form without column names."""
        if self.source.headerless_form == "headerless":
            meant = [name.removesuffix("_id").replace("doc", "document") for name in self.roles.names]
            return f"{len(meant)} columns without names ({', '.join(meant)})"
        return _NAMELESS.get(self.source.headerless_form or self.source.frame.format, "")

    def _column_names(self, *roles: str) -> dict[str, str]:
        """Return the column of each of these roles ("" if none); empty for forms without column names."""
        if self.form:
            return {}
        key = _id_beside_text(self.source, self.roles)
        key = self.roles.key if key is None else key
        places = {role: self.roles.find(role) for role in roles if role}
        if key is not None:
            places |= {"query": key, "text": self.roles.find("text", but=key)}
        return {role: self.roles.names[place] for role, place in places.items() if place is not None}

    def column(self, role: str) -> Column | None:
        """Return the column of a role, or None."""
        return self.source.column(self.roles.find(role))

    @property
    def iteration(self) -> Column | None:
        """The second field of TREC judgments, where it differs and was not said to be a subtopic."""
        names = self.source.frame.names
        if not self.form or names[-1:] != ["iteration"] or self.roles.find("subtopic") is not None:
            return None
        return self.source.column(len(names) - 1)

    def systems_column(self) -> Column | None:
        """Return the system column of a table with several systems, else None."""
        column = self.column("system")
        return column if column is not None and len(column.distinct(2)) > 1 else None

    def pairs(self, doc: int) -> Ints:
        """(N,) a number for each query and document; rows without one of them each have their own."""
        return self.pairs_with(self.source.ids(doc))

    def pairs_with(self, documents: Column) -> Ints:
        """(N,) a number for each query and document of a column; rows without one of them each have their own."""
        return number_pairs(codes(self.keys.query), codes(documents))


def number_pairs(query: Ints, document: Ints) -> Ints:
    """(N,) a number for each pair of codes, from 0 on; rows without one of them, −1, each have their own."""
    return np.unique(pair_codes(query, document), return_inverse=True)[1]


def pair_codes(query: Ints, document: Ints) -> Ints:
    """(N,) the same with numbers of any size."""
    whole = (query >= 0) & (document >= 0)
    pair: Ints = query * (document.max(initial=0) + 1) + document
    pair[~whole] = pair.max(initial=0) + 1 + np.flatnonzero(~whole)
    return pair


def natural_order(names: Sequence[str]) -> tuple[Ints, list[str]]:
    """Return the order of different names, and the names in it: q9 before q10.

    Examples
    --------
    >>> order, names = natural_order(["q10", "q9"])
    >>> order.tolist(), names
    ([1, 0], ['q9', 'q10'])
    """
    order = natural_places(list(names))
    return order, [names[place] for place in order]
