"""What raters disagree on: how far they agree, the verdict under each, and the pairs most disputed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from idealrank.comparison.compare import compare
from idealrank.errors import DataError
from idealrank.evaluation.evaluate import evaluate
from idealrank.labels.ratings import Ratings, read_ratings
from idealrank.reports.sections.grades import grades
from idealrank.reports.types import RatersPart
from idealrank.studio.joined import RESOLVER, Pair
from idealrank.studio.project import JUDGMENTS, Look, StudioProject
from idealrank.studio.store import Rating

MOST_DISPUTES = 20
"""Pairs that are listed."""


@dataclass(frozen=True)
class Voice:
    """What one rater says of a pair.

    Attributes
    ----------
    grade
        None for none; then `state` says why.
    """

    rater: str
    grade: float | None
    state: str
    comment: str


@dataclass(frozen=True)
class Dispute:
    """A pair that raters gave different grades.

    Attributes
    ----------
    spread
        The highest grade minus the lowest.
    """

    query: str
    doc: str
    spread: float
    ratings: int

    @property
    def pair(self) -> Pair:
        """The query and the document."""
        return self.query, self.doc


@dataclass(frozen=True)
class Tally:
    """What a rater gave in this project."""

    rater: str
    graded: int
    cannot_tell: int
    later: int
    last: str


def tallies(ratings: list[Rating]) -> list[Tally]:
    """Return how much each rater said, whoever said most first."""
    by_rater: dict[str, list[Rating]] = {}
    for one in ratings:
        by_rater.setdefault(one.rater, []).append(one)
    found = [_tally(rater, given) for rater, given in by_rater.items() if rater != RESOLVER]
    return sorted(found, key=lambda each: -each.graded)


def _tally(rater: str, given: list[Rating]) -> Tally:
    states = [one.state for one in given]
    counts = (states.count("graded"), states.count("cannot tell"), states.count("later"))
    return Tally(rater, *counts, max(one.at for one in given))


def agreement_part(project: StudioProject, look: Look) -> RatersPart | None:
    """Return how far raters agree and the verdict under each, as the report has it; None for fewer than two.

    What was resolved counts as it was graded before: else raters would agree more, the more disputes are settled.
    The list of the most disputed is left empty: it is `disputes`, which is shown to nobody who is still to grade.
    """
    return project.now(("agreement", look.address), lambda: _agreement(project, look))


def _agreement(project: StudioProject, look: Look) -> RatersPart | None:
    pair = [look.baseline, look.system]
    scores = evaluate(project.given(), project.tables(), [look.measure], system=pair, **project.asked(look))
    found = grades(scores, compare(scores, baseline=look.baseline))
    if found is None or found["raters"] is None:
        return None
    part = found["raters"]
    return {**part, "agreement": {**part["agreement"], "disputed": []}}


def disputes(project: StudioProject) -> list[Dispute]:
    """Return the pairs whose grades are furthest apart, those that were resolved left out."""
    return project.now(("disputes",), lambda: _disputes(project))


def _disputes(project: StudioProject) -> list[Dispute]:
    found = _ratings(project)
    if found is None:
        return []
    resolved = {(one.query, one.doc) for one in project.store.ratings(RESOLVER) if one.grade is not None}
    low, high = np.full(len(found.first_of_unit), np.inf), np.full(len(found.first_of_unit), -np.inf)
    np.minimum.at(low, found.unit, found.grade)
    np.maximum.at(high, found.unit, found.grade)
    many, spread = np.bincount(found.unit), high - low
    listed: list[Dispute] = []
    for unit in np.lexsort((np.arange(len(many)), -many, -spread)).tolist():
        first = found.first_of_unit[unit]
        pair = found.queries[found.query[first]], found.docs[found.doc[first]]
        if spread[unit] <= 0 or len(listed) == MOST_DISPUTES:
            break
        if pair not in resolved:
            listed.append(Dispute(*pair, float(spread[unit]), int(many[unit])))
    return listed


def _ratings(project: StudioProject) -> Ratings | None:
    """Return all ratings, as they were given; None where there are none."""
    try:
        judged = project.given()
    except DataError:
        return None
    return project.now(("all ratings",), lambda: read_ratings({JUDGMENTS: judged}))


def voices(project: StudioProject, pair: Pair) -> list[Voice]:
    """Return who says what of a pair, the resolving grade last."""
    here = {one.rater: one for one in project.store.ratings(query=pair[0]) if one.doc == pair[1]}
    read = [one for one in _read_voices(project, pair) if one.rater not in here]
    given = [Voice(one.rater, one.grade, one.state, one.comment) for one in here.values()]
    return sorted([*read, *given], key=lambda one: one.rater == RESOLVER)


def _read_voices(project: StudioProject, pair: Pair) -> list[Voice]:
    found = project.ratings_read()
    if found is None or pair[0] not in found.queries or pair[1] not in found.docs:
        return []
    query, doc = found.queries.index(pair[0]), found.docs.index(pair[1])
    rows = np.flatnonzero((found.query == query) & (found.doc == doc)).tolist()
    return [
        Voice(
            found.raters[found.rater[row]], float(found.grade[row]), "graded",
            found.comments[found.comment[row]] if len(found.comment) and found.comment[row] >= 0 else "",
        )
        for row in rows
    ]  # fmt: skip


def suggestion(project: StudioProject, pair: Pair, rater: str) -> Voice | None:
    """Return what one rater says of a pair; None where it says nothing."""
    found = [one for one in voices(project, pair) if one.rater == rater and one.grade is not None]
    return found[0] if found else None
