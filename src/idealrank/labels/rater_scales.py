"""The scale each rater used, told by the grades given: from where to where, in whole steps or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from idealrank.errors import UsageError, listed, option
from idealrank.labels.ratings import Ratings
from idealrank.statistics.agreement import MOST_GRADES

LEAST_RATINGS_OF_SCALE = 3
"""Ratings after which a rater's grades say something about the scale."""

LEAST_RATED_BY_OTHERS = 30
"""Documents rated by others, too, after which a highest grade that others exceed is a sign of another scale."""

BEYOND = 0.1
"""Share of the others' grades beyond a rater's highest or lowest that is such a sign."""

MOST_COMPARED = 50
"""Most raters whose highest and lowest grades are compared with the others' one by one."""

MOST_STEPS = 20
"""More different grades, most of them no whole numbers, are no steps but a continuous number, such as a share."""


class RaterScale(NamedTuple):
    """The grades of one rater: how many, the lowest and the highest, how many differ, the share of fractions."""

    rater: str
    ratings: int
    low: float
    high: float
    steps: int
    fractions: float

    @property
    def is_continuous(self) -> bool:
        """Whether the grades are a continuous number, as shares of clicks are."""
        return self.steps > MOST_STEPS and self.fractions > 0.5

    @property
    def text(self) -> str:
        """The range in words."""
        how = ", most of them no whole numbers" if self.fractions > 0.5 else ""
        return f"{self.rater} from {self.low:.3g} to {self.high:.3g}{how}"


def rater_scales(found: Ratings) -> list[RaterScale]:
    """Return the scale of each rater with a rating."""
    order = np.argsort(found.rater, kind="stable")
    raters, start = np.unique(found.rater[order], return_index=True)
    return [
        RaterScale(
            found.raters[place], len(grade), float(grade.min()), float(grade.max()), len(np.unique(grade)),
            float(np.mean(grade % 1 != 0)),
        )
        for place, grade in zip(raters.tolist(), np.split(found.grade[order], start[1:]), strict=True)
    ]  # fmt: skip


def is_continuous(found: Ratings) -> bool:
    """Whether a rater's grades are continuous, or more different ones were given than a table of grades can have."""
    return any(scale.is_continuous for scale in rater_scales(found)) or len(np.unique(found.grade)) > MOST_GRADES


def refuse_continuous(found: Ratings, scale: str) -> None:
    """Refuse continuous grades where the scale asks for steps.

    Raises
    ------
    UsageError
        The message names the rater with most different grades, the range, and what to do.
    """
    if scale == "interval" or not is_continuous(found):
        return
    scales = sorted(rater_scales(found), key=lambda one: (not one.is_continuous, -one.steps))
    first, others = scales[0], [one for one in scales[1:] if one.ratings >= LEAST_RATINGS_OF_SCALE] or scales[1:]
    beside = f" (beside {listed([one.text for one in others], 3)})" if others else ""
    how = f", most of them no whole numbers{beside}" if first.is_continuous else beside
    raise UsageError(
        f"{found.name}: {first.rater} gave {first.steps:,} different grades, from {first.low:.3g} to {first.high:.3g}"
        f"{how}, and {option('scale', scale)} compares steps. Put them into whole grades first (clicks: idealrank "
        f"clicks --grades), leave {first.rater} out, or, if all grades are on one scale, compare them as numbers: "
        f"{option('scale', 'interval')}."
    )


def differing_scales(found: Ratings) -> Iterator[str]:
    """Yield a sentence if raters seem to have used different scales, with what says so."""
    # A rater of one grade is told of otherwise.
    scales = [one for one in rater_scales(found) if one.ratings >= LEAST_RATINGS_OF_SCALE and one.low < one.high]
    if len(scales) < 2:
        return
    fractions = [one for one in scales if one.fractions > 0.5]
    fractional = fractions if any(one.fractions < 0.1 for one in scales) else []
    near = [] if len(scales) > MOST_COMPARED else [one for one in scales if one not in fractional]
    evidence = [sentence for one in near for sentence in _beyond(found, one)]
    if not fractional and not evidence:
        return
    ranges = "; ".join(one.text for one in scales[:MOST_STEPS])
    clicks = " (clicks: idealrank clicks --grades)" if any(one.high <= 1 for one in fractional) else ""
    way = f"Grades are compared as they are: bring all to one scale first{clicks}."
    yield " ".join([f"Scales may differ: grades of {ranges}.", *evidence[:1], way])


def _beyond(found: Ratings, one: RaterScale) -> Iterator[str]:
    """Yield how often others go beyond the highest or the lowest grade of a rater, on the documents the rater rated."""
    own = found.rater == found.raters.index(one.rater)
    rated = np.zeros(len(found.first_of_unit), bool)
    rated[found.unit[own]] = True
    others = found.grade[rated[found.unit] & ~own]
    if len(others) < LEAST_RATED_BY_OTHERS:
        return
    for beyond, what in ((others > one.high, f"above {one.high:.3g}"), (others < one.low, f"below {one.low:.3g}")):
        share = float(beyond.mean())
        if share >= BEYOND:
            yield f"{one.rater} never goes {what}, as others do for {share:.0%} of the same documents."
