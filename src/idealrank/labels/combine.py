"""combine: one grade per document out of several ratings, by what raters are worth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, NotRequired, get_args

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments
from idealrank.data.roles import CHOSEN_FOR
from idealrank.display.blocks import Block, Lines, Points
from idealrank.display.columns import QueryId
from idealrank.display.document import Described, Shown
from idealrank.display.schema import Named, RowType, Within
from idealrank.display.table import Table
from idealrank.errors import DataError, UsageError, either, listed, nearest, not_allowed, option, plural, quoted_option
from idealrank.labels.agreement import MOST_RATERS_PAIRED, copied_raters
from idealrank.labels.rater_scales import differing_scales, is_continuous, rater_scales
from idealrank.labels.ratings import Ratings, read_ratings
from idealrank.statistics.agreement import dawid_skene

CombiningRule = Literal["dawid_skene", "weighted"]
"""The likeliest true grade, or a mean weighted by rater."""

COMBINED_ROW = RowType(
    {
        "query": QueryId,
        "doc": Annotated[str, "Id of the document."],
        "grade": Annotated[float, "The one grade."],
        "ratings": Annotated[int, Within(1), "How many raters rated it."],
        "chosen for": NotRequired[
            Annotated[str | None, "The two systems whose comparison needed the label; null if it was not chosen."]
        ],
    },
    Annotated[float, "probability: that of the grade, by Dawid and Skene. weight: the sum of the raters' weights."],
)
WORTH_ROW = RowType(
    {"rater": Annotated[str, "Name of the rater."], "ratings": Annotated[int, "Documents rated."]},
    Annotated[
        float | None,
        "right: how often the rater gives the grade that is probably true, by Dawid and Skene. weight: as given.",
    ],
)


@dataclass(frozen=True, eq=False, repr=False)
class Combined(Shown, Described):
    """One grade per document.

    It is made of several ratings.

    Attributes
    ----------
    ratings
        The ratings.
    rule
        dawid_skene or weighted.
    table
        One row per query and document: the grade, how many rated it, and the probability of the grade or the sum of
        the weights.
    raters
        One row per rater: how often it gives the grade that is probably true, or its weight.
    notes
        What was left out, as sentences.
    """

    ratings: Ratings
    rule: Annotated[str, "dawid_skene or weighted."]
    table: Annotated[Table, Named("judgments"), COMBINED_ROW, "A row per query and document."]
    raters: Annotated[Table, WORTH_ROW, "A row per rater."]
    notes: Annotated[tuple[Annotated[str, "A sentence."], ...], "What was left out, as sentences."] = ()

    @property
    def judgments(self) -> Judgments:
        """The same as judgments, for any function that takes some."""
        names = [name for name in ("query", "doc", "grade", CHOSEN_FOR) if name in self.table.columns]
        return read_judgments({name: self.table.array(name) for name in names})

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand out the table through the Arrow capsule interface, so that any function takes this for judgments."""
        return self.table.__arrow_c_stream__(requested_schema)

    def shown(self) -> list[Block]:
        """Return how many grades there are, what raters are worth, and the first grades."""
        return [*self.brief(), *self.table.shown(), *self._notes()]

    def brief(self) -> list[Block]:
        """Return how many grades there are, and what raters are worth."""
        title = "Dawid and Skene" if self.rule == "dawid_skene" else "weighted means"
        line = (
            f"{plural(len(self.table), 'grade')} of {plural(len(self.ratings), 'rating')} by "
            f"{plural(len(self.ratings.raters), 'rater')}: {title}."
        )
        return [Lines([("combined", line)], leads=True), *self.raters.shown()]

    def _notes(self) -> list[Block]:
        return [Points(self.notes, "notes")] if self.notes else []


def combine(
    ratings: Any,
    rule: CombiningRule = "dawid_skene",
    *,
    weights: Mapping[str, float] | None = None,
    copies: Literal["refuse", "keep"] = "refuse",
) -> Combined:
    """Make one grade of several ratings, by what raters are worth.

    The decision `raters` (median, mean, majority, max, min) does without this: it treats all raters alike.

    Parameters
    ----------
    ratings
        Ratings by several raters, as `agreement` takes them.
    rule
        ``dawid_skene``: the likeliest true grade, where each rater's errors are learnt from the ratings alone.
        ``weighted``: the mean of the grades, weighted by rater.
    weights
        The weight of each rater, for ``weighted``.
    copies
        Whether raters who copy another are refused, or kept as if they were voices of their own. Dawid and Skene
        believe who agrees, so a copy makes two of one.

    Returns
    -------
    Combined: judgments with the probability of each grade, or the sum of its weights.

    Raises
    ------
    DataError
        If nothing says who rated, grades are words without a scale, or one rater copies another.
    UsageError
        If there is no such rule, or weights do not fit the raters.

    Examples
    --------
    >>> people = {"ana": {"q": {"a": 3, "b": 0}}, "ben": {"q": {"a": 1, "b": 1}}}
    >>> found = combine(people, "weighted", weights={"ana": 2, "ben": 1})
    >>> [(row["doc"], round(row["grade"], 4), row["weight"]) for row in found.table]
    [('a', 2.3333, 3.0), ('b', 0.3333, 3.0)]
    """
    if rule not in get_args(CombiningRule):
        raise not_allowed("rule", rule, get_args(CombiningRule))
    if copies not in ("refuse", "keep"):
        raise not_allowed("copies", copies, ("refuse", "keep"))
    found = read_ratings(ratings)
    if rule == "weighted":
        return _with_scales(_weighted(found, _refuse_weights(found, weights)))
    if weights is not None:
        raise UsageError(
            f"Dawid and Skene learn what raters are worth. Leave weights out, or take {option('rule', 'weighted')}."
        )
    if len(found.raters) < 2:
        raise DataError(
            f"{found.name}: one rater, {found.raters[0]}. There is nothing to combine: give ratings of others."
        )
    if is_continuous(found):
        raise DataError(
            f"{found.name}: grades of {listed([one.text for one in rater_scales(found)], 4)}. Dawid and Skene ask how "
            "often each grade is given for each: put them into the same few grades first (clicks: idealrank clicks "
            "--grades)."
        )
    if copies == "refuse":
        _refuse_copies(found)
    return _with_scales(_likeliest(found))


def _with_scales(found: Combined) -> Combined:
    """Add what says that raters used different scales."""
    return replace(found, notes=(*differing_scales(found.ratings), *found.notes))


def _refuse_weights(found: Ratings, weights: Mapping[str, float] | None) -> Floats:
    """(R,) the weights of raters."""
    if weights is None:
        way = either(f"weights={{{found.raters[0]!r}: 1, …}}", f"{quoted_option('weight', f'{found.raters[0]}=1')} …")
        raise UsageError(f"weights are missing. Give one for each rater: {way}.")
    for name, weight in weights.items():
        if name not in found.raters:
            raise UsageError(
                f"weights: no rater called {name!r}.{nearest(name, found.raters)} Found: {listed(found.raters, 20)}."
            )
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < math.inf:
            raise UsageError(f"weights: {name} has {weight!r}. A weight is a number from 0 up.")
    missing = [name for name in found.raters if name not in weights]
    if missing:
        raise UsageError(f"weights: none for {listed(missing, 20)}. Give 0 to a rater who should not count.")
    return np.array([float(weights[name]) for name in found.raters])


def _weighted(found: Ratings, weights: Floats) -> Combined:
    """Return weighted means; documents rated only by raters of weight 0 have no grade."""
    units = len(found.first_of_unit)
    total = np.bincount(found.unit, weights[found.rater], units).astype(np.float64)
    grade = np.bincount(found.unit, weights[found.rater] * found.grade, units) / np.where(total > 0, total, np.nan)
    kept = np.flatnonzero(total > 0)
    if not len(kept):
        raise DataError(f"{found.name}: every rating has weight 0. Give one rater a weight above 0.")
    lost = units - len(kept)
    notes = (f"{plural(lost, 'document')} rated only by raters of weight 0 {'has' if lost == 1 else 'have'} no grade.",)
    return Combined(
        found, "weighted", _grade_table(found, kept, grade, "weight", total), _rater_table(found, "weight", weights),
        notes if lost else (),
    )  # fmt: skip


def _likeliest(found: Ratings) -> Combined:
    grades, code = np.unique(found.grade, return_inverse=True)
    true = dawid_skene(found.unit, found.rater, code, len(grades))
    best = np.argmax(true.chances, axis=1)
    units = np.arange(len(best))
    table = _grade_table(found, units, grades[best], "probability", true.chances[units, best])
    # How often a rater is right over the documents rated, by the chance that each grade given is the true one.
    right = np.bincount(found.rater, true.chances[found.unit, code], len(found.raters))
    worth = right / np.bincount(found.rater, minlength=len(found.raters))
    notes: tuple[str, ...] = ()
    if len(found.raters) > MOST_RATERS_PAIRED:
        notes = (f"Copies were not looked for: there are more than {MOST_RATERS_PAIRED} raters.",)
    return Combined(found, "dawid_skene", table, _rater_table(found, "right", worth), notes)


def _grade_table(found: Ratings, units: Ints, grade: Floats, beside: str, values: Floats) -> Table:
    rows = found.first_of_unit[units]
    columns: dict[str, Any] = {
        "query": [found.queries[place] for place in found.query[rows].tolist()],
        "doc": [found.docs[place] for place in found.doc[rows].tolist()],
        "grade": grade[units].astype(np.float64),
        "ratings": np.bincount(found.unit)[units],
        beside: values[units],
    }
    if found.pairs:
        columns[CHOSEN_FOR] = [found.pairs[place] if place >= 0 else None for place in _chosen(found)[units].tolist()]
    return Table(columns, "combined", row=COMBINED_ROW)


def _chosen(found: Ratings) -> Ints:
    """(U,) the place of the pair of systems that each document was chosen for, by any of its ratings; -1 for none."""
    chosen = np.full(len(found.first_of_unit), -1, np.int64)
    np.maximum.at(chosen, found.unit, found.chosen)
    return chosen


def _rater_table(found: Ratings, beside: str, values: Floats) -> Table:
    columns: dict[str, Any] = {
        "rater": list(found.raters),
        "ratings": np.bincount(found.rater, minlength=len(found.raters)),
        beside: values,
    }
    return Table(columns, "raters", row=WORTH_ROW)


def _refuse_copies(found: Ratings) -> None:
    alike = copied_raters(found)
    if alike:
        first, second, share, shared = alike[0]
        more = f", and {plural(len(alike) - 1, 'other pair')}" if len(alike) > 1 else ""
        raise DataError(
            f"{found.name}: {first} and {second} gave the same grade to {share:.0%} of {shared:,} documents{more}, far "
            "more than others agree. One may be a copy, which Dawid and Skene believe as a second voice. Leave one "
            f"out, or, if both rated on their own: {option('copies', 'keep')}."
        )
