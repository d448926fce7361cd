"""Attributes: the ways to put queries into segments, each query in one segment of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.comparison.pairing import Pair
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, UsageError, either, nearest, some
from idealrank.evaluation.query_tables import NO_VALUE, query_groups
from idealrank.evaluation.scores import Scores

MOST_VALUES = 20
"""A column of more values makes no segments unless it is asked for: it would be ids or texts."""


@dataclass(frozen=True, eq=False)
class Attribute:
    """One way to put queries into segments.

    Attributes
    ----------
    name
        The column, or one of `BUILT_IN`.
    made
        How the segments are made, in words.
    segments
        (Q,) mask of the queries of each segment, in the order they are shown; every query is in exactly one.
    """

    name: str
    made: str
    segments: dict[str, Mask]

    def label(self, place: int) -> str:
        """Return the segment of a query."""
        return next(name for name, mask in self.segments.items() if mask[place])


def attributes(scores: Scores, names: Sequence[str] = ()) -> tuple[Attribute, ...]:
    """Return the attributes asked for, but for `results`; none named: all that tell queries apart.

    These are the columns of the queries table that have 2 to 20 values, not the texts and not the frequencies, and
    `BUILT_IN`, as far as there are texts and frequencies.

    Raises
    ------
    UsageError
        If there is no such attribute, or it cannot be made of what is there.
    """
    if names:
        every = (_attribute_named(scores, name) for name in names)
        return tuple(attribute for attribute in every if attribute is not None)
    left_out = (scores.table.text, *_frequency_columns(scores))
    columns = [_column_attribute(scores, name) for name in scores.table.attributes if name not in left_out]
    few = [attribute for attribute in columns if _count_segments(scores, attribute) <= MOST_VALUES]
    taken = [attribute.name for attribute in columns]
    made = [_BUILDERS[name](scores) for name in _BUILDERS if name not in taken and not _missing_input(scores, name)]
    return tuple(attribute for attribute in [*few, *made] if _count_segments(scores, attribute) > 1)


def results_attribute(scores: Scores, pair: Pair, names: Sequence[str] = ()) -> tuple[Attribute, ...]:
    """Return the attribute `results` of two systems: asked for, or because it tells queries apart; else nothing."""
    if scores.table.column_called("results") or (names and "results" not in names):
        return ()
    count = np.sum([scores.lengths(s) > 0 for s in pair], axis=0)
    labels = [_RESULTS[2 - n] for n in count]  # two systems returned results: the first label, "both"
    attribute = Attribute("results", _RESULTS_MADE, _masks(labels, _RESULTS))
    return (attribute,) if names or _count_segments(scores, attribute) > 1 else ()


def refuse_unknown_attributes(scores: Scores, names: Sequence[str]) -> None:
    """Refuse an attribute that is not known or cannot be made, before anything is computed.

    Raises
    ------
    UsageError
        With what is known.
    """
    for name in names:
        _attribute_named(scores, name)


def _attribute_named(scores: Scores, name: str) -> Attribute | None:
    """Return the attribute of a name; None for `results`, which differs from pair to pair."""
    column = scores.table.column_called(name)
    counts = column in _frequency_columns(scores)
    if column and not counts:
        return _column_attribute(scores, column)
    kind = "traffic" if counts else name  # every frequency is its own value: as a column it would make no segments
    if kind not in BUILT_IN:
        names = dict.fromkeys([*scores.table.attributes, *BUILT_IN])
        raise UsageError(f"No query attribute called {name!r}.{nearest(name, names)} Known: {', '.join(names)}.")
    if wanting := _missing_input(scores, kind):
        raise UsageError(f"Segments by {name} need {wanting}.")
    return _BUILDERS[kind](scores) if kind in _BUILDERS else None


def _count_segments(scores: Scores, attribute: Attribute) -> int:
    """Count the segments that contain a query asked for."""
    return sum(bool((mask & scores.in_scope).any()) for mask in attribute.segments.values())


def _frequency_columns(scores: Scores) -> list[str]:
    """Return the columns of the queries table that say how often a query is asked."""
    aliases = frozenset[str]().union(*ALIASES["weight"])
    return [name for name in scores.table.attributes if fold(name) in aliases]


def _column_attribute(scores: Scores, name: str) -> Attribute:
    if all(value is None for value in scores.table.values(name, scores.queries)):
        raise DataError(
            f"{scores.table.name}: column {name} has no value for any judged query. "
            f"Are the ids spelt alike? The judged ones are {some(scores.queries, 3)}."
        )
    return Attribute(name, f"column {name} of the queries table", query_groups(name, scores.queries, scores.table))


def _missing_input(scores: Scores, name: str) -> str:
    """Say what is not there to make a built-in attribute of; "" where nothing is wanting."""
    if name in ("length", "digit") and not any(_query_texts(scores)):
        return f"the texts of the queries. Give {either('queries=…', '--queries-table FILE')} with a column of texts"
    if name == "traffic" and scores.table.weight is None and not _frequency_columns(scores):
        way = either("queries=… with a column frequency, or weights=…", "--queries-table FILE with a column frequency")
        return f"to know how often each query is asked. Give {way}"
    return ""


def _query_texts(scores: Scores) -> list[str]:
    """Return the text of each query; ids stand for texts where no table has any and one id is of several words."""
    if scores.texts:
        return [scores.texts.get(key) or "" for key in scores.queries]
    return list(scores.queries) if any(" " in key.strip() for key in scores.queries) else []


def _text_attribute(
    name: str, made: str, label: Callable[[str], str], order: Sequence[str]
) -> Callable[[Scores], Attribute]:
    def build(scores: Scores) -> Attribute:
        labels = [label(text) if text.strip() else NO_VALUE for text in _query_texts(scores)]
        return Attribute(name, made, _masks(labels, order))

    return build


def _length_label(text: str) -> str:
    count = len(text.split())
    return _LENGTHS[min(count, len(_LENGTHS)) - 1]


def _digit_label(text: str) -> str:
    return _DIGITS[0] if any(letter.isdigit() for letter in text) else _DIGITS[1]


def _traffic_attribute(scores: Scores) -> Attribute:
    """Queries by frequency, the most frequent first: each third of all traffic is a segment."""
    frequency = scores.table.frequencies(scores.queries, scores.in_scope)
    return Attribute("traffic", _TRAFFIC_MADE, _masks(_traffic_thirds(frequency), _BANDS))


def _traffic_thirds(frequency: Floats) -> list[str]:
    """Return the third of the traffic in which each query begins; equally frequent ones begin together."""
    each, place, count = np.unique(np.nan_to_num(frequency), return_inverse=True, return_counts=True)
    mass = each * count
    before = np.maximum(mass.sum() - np.cumsum(mass), 0.0)[place]
    third = np.minimum(3 * before / (mass.sum() or 1.0), 2.0).astype(np.int64)
    return [NO_VALUE if np.isnan(f) else _BANDS[t] for f, t in zip(frequency, third, strict=True)]


def _masks(labels: Sequence[str], order: Sequence[str]) -> dict[str, Mask]:
    masks = {name: np.array([label == name for label in labels], np.bool_) for name in (*order, NO_VALUE)}
    return {name: mask for name, mask in masks.items() if mask.any()}


_LENGTHS = ("1", "2", "3+")
_DIGITS = ("yes", "no")
_BANDS = ("head", "torso", "tail")
_TRAFFIC_MADE = "a third of all traffic each, most frequent queries first; a query is in the third where it begins"
_RESULTS = ("both", "one", "neither")
_RESULTS_MADE = "which of the two systems returned any results: both, one, or neither"
_BUILDERS: dict[str, Callable[[Scores], Attribute]] = {
    "length": _text_attribute("length", "number of words of the query's text", _length_label, _LENGTHS),
    "digit": _text_attribute("digit", "whether the query's text contains a digit", _digit_label, _DIGITS),
    "traffic": _traffic_attribute,
}
BUILT_IN = (*_BUILDERS, "results")
"""Attributes made of texts, frequencies and results."""
