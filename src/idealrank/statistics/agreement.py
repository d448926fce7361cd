"""Agreement of raters: how often they give the same grade, and how much of that is more than chance.

Every coefficient is computed from sums over units (a query and a document), in time and memory linear in the number of
ratings: no pair of ratings is looked at alone. The same formula gives the coefficient of all units and of every
resample of queries, since it takes sums (`AgreementSums`) of any shape.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, group_totals
from idealrank.errors import UsageError, unknown
from idealrank.statistics.draws import chunks, refuse_share, stream

MOST_GRADES = 100
"""More different grades than this are no scale of grades: the tables are grades × grades."""


LEAST_SHARED_OF_COPY = 30
"""Documents that two raters must share before equal grades mean that one copied the other."""

COPIED = 0.99
"""Share of equal grades from which a rater is taken for a copy of another."""


class RatedUnits(NamedTuple):
    """How many raters gave each grade to each unit.

    Attributes
    ----------
    counts
        (U, G) number of raters of the unit that gave the grade; units with at least one rating.
    grades
        (G,) the grades, the lowest first.
    """

    counts: Floats
    grades: Floats

    @property
    def raters(self) -> Floats:
        """(U,) number of ratings of each unit."""
        total: Floats = self.counts.sum(axis=1)
        return total


def count_grades(unit: Ints, grade: Floats) -> RatedUnits:
    """Count how many raters gave each grade to each unit.

    Parameters
    ----------
    unit
        (N,) the number of the unit of each rating, from 0 up, each used.
    grade
        (N,) the grade, no NaN.

    Raises
    ------
    UsageError
        If there are more than `MOST_GRADES` different grades.
    """
    grades, place = np.unique(grade, return_inverse=True)
    if len(grades) > MOST_GRADES:
        raise UsageError(
            f"{len(grades):,} different grades, {MOST_GRADES} at most. Round them to the steps that raters use."
        )
    units = int(unit.max(initial=-1)) + 1
    counts = np.bincount(unit * len(grades) + place, minlength=units * len(grades))
    return RatedUnits(counts.reshape(units, len(grades)).astype(np.float64), grades)


# How close two grades are: 1 for the same grade.


def closeness(scale: str, grades: Floats) -> Floats:
    """(G, G) how much of an agreement two grades are, 1 on the diagonal.

    ``nominal``: the same or not. ``ordinal``: 1 − M(k, l) / M(first, last), M the number of pairs of grades from k
    to l. ``interval``: 1 − (k − l)² / (last − first)². ``ratio``: 1 − ((k − l) / (k + l))² / ((last − first) /
    (last + first))². Source: Gwet (2021), Handbook of Inter-Rater Reliability, 5th edition, section 3.5: identity,
    ordinal, quadratic and ratio weights.

    Raises
    ------
    UsageError
        If there is no such scale, or a ratio of negative grades is asked for.

    Examples
    --------
    >>> closeness("ordinal", np.array([0.0, 1.0, 3.0])).round(3).tolist()
    [[1.0, 0.667, 0.0], [0.667, 1.0, 0.667], [0.0, 0.667, 1.0]]
    """
    refuse_scale(scale, grades)
    if scale == "nominal" or len(grades) < 2:
        return np.eye(len(grades))
    if scale == "ordinal":
        steps = np.abs(np.subtract.outer(np.arange(len(grades)), np.arange(len(grades)))).astype(np.float64)
        distance = steps * (steps + 1) / 2
    else:
        distance = _squared_distance(scale, grades)
    weights: Floats = 1 - distance / distance[0, -1]
    return weights


def _squared_distance(scale: str, grades: Floats) -> Floats:
    """(G, G) the squared distance of an interval or a ratio scale."""
    difference = np.subtract.outer(grades, grades)
    if scale == "ratio":
        total = np.add.outer(grades, grades)
        difference = np.divide(difference, total, out=np.zeros_like(total), where=total > 0)
    squared: Floats = difference**2
    return squared


SCALES = {
    "nominal": "grades are names: they are the same or they are not",
    "ordinal": "grades are in order: a step between the grades of many results counts more than one between few",
    "interval": "grades are numbers: the squared difference counts",
    "ratio": "grades are amounts with a true zero: the squared relative difference counts",
}
"""The scales, and what each means."""


def refuse_scale(scale: str, grades: Floats) -> None:
    """Refuse an unknown scale, and ratios of negative grades."""
    if scale not in SCALES:
        raise unknown("scale", scale, SCALES)
    if scale == "ratio" and (grades < 0).any():
        raise UsageError(f"scale='ratio': a grade is {grades.min():g}, and ratios need a true zero. Use interval.")


# What all coefficients are computed from.


@dataclass(frozen=True, eq=False)
class AgreementSums:
    """Sums over units, each with any number of leading axes: () for all units, (draws,) for resamples.

    Attributes
    ----------
    units, rated_twice
        Number of units with a rating, and with two or more.
    share
        (…, G) sum of each grade's share of the ratings of a unit.
    paired
        (…, G, G) sum of the share of each pair of grades among the pairs of ratings of a unit, each unit counting 1.
    coincidences
        (…, G, G) the same, each unit counting as many times as it has ratings: Krippendorff's coincidence matrix.
    """

    units: Floats
    rated_twice: Floats
    share: Floats
    paired: Floats
    coincidences: Floats


def agreement_sums(rated: RatedUnits, group: Ints | None = None) -> AgreementSums:
    """Add up the units, all together or by group.

    Parameters
    ----------
    group
        (U,) the number of the group of each unit, from 0 up; None: one group, and sums without leading axes.
    """
    where = np.zeros(len(rated.counts), np.int64) if group is None else group
    many = int(where.max(initial=0)) + 1
    sums = _sums_by_group(rated, where, many)
    return sums if group is not None else _at(sums, 0)


def _sums_by_group(rated: RatedUnits, group: Ints, many: int) -> AgreementSums:
    counts, raters = rated.counts, rated.raters
    twice = raters >= 2
    pairs = np.where(twice, raters * (raters - 1), 1.0)
    grades = counts.shape[1]
    paired, coincidences = np.zeros((many, grades, grades)), np.zeros((many, grades, grades))
    # A column of pairs at a time: all at once are units × grades × grades.
    for k in range(grades):
        for one in range(grades):
            found = counts[:, k] * (counts[:, one] - (k == one)) * twice
            paired[:, k, one] = group_totals(group, found / pairs, many)
            coincidences[:, k, one] = group_totals(group, found * raters / pairs, many)
    shares = counts / raters[:, None]
    share = np.stack([group_totals(group, shares[:, k], many) for k in range(grades)], axis=1)
    units = group_totals(group, np.ones(len(group)), many)
    return AgreementSums(units, group_totals(group, twice.astype(np.float64), many), share, paired, coincidences)


def _at(sums: AgreementSums, place: int) -> AgreementSums:
    return AgreementSums(
        sums.units[place], sums.rated_twice[place], sums.share[place], sums.paired[place], sums.coincidences[place]
    )


# The coefficients. NaN where a formula is 0/0: no unit was rated twice, or only one grade was given.

Coefficient = Callable[[AgreementSums, str, Floats], Floats]
"""From sums, a scale and the grades to a number for each of the leading axes."""


def percent_agreement(sums: AgreementSums, scale: str, grades: Floats) -> Floats:
    """The share of pairs of ratings of the same unit that are equal: the mean over units rated twice."""
    return _divide(np.einsum("...kk", sums.paired), sums.rated_twice)


def chance_agreement(sums: AgreementSums, scale: str, grades: Floats) -> Floats:
    """The base rate: the share of pairs that would be equal if grades were dealt out at random as often as given."""
    chance: Floats = np.sum(_prevalence(sums) ** 2, axis=-1)
    return chance


def fleiss_kappa(sums: AgreementSums, scale: str, grades: Floats) -> Floats:
    """Fleiss' kappa: percent agreement beyond the base rate; Scott's pi for two raters.

    Units may have different numbers of ratings. Sources: Fleiss (1971), Psychological Bulletin 76, 378–382; Gwet
    (2021), section 3.3, for missing ratings.
    """
    agreed, chance = percent_agreement(sums, scale, grades), chance_agreement(sums, scale, grades)
    return _beyond_chance(agreed, chance)


def krippendorff_alpha(sums: AgreementSums, scale: str, grades: Floats) -> Floats:
    """Krippendorff's alpha: 1 − observed / expected disagreement, over the ratings of units rated twice.

    Source: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability.
    """
    coincidences = sums.coincidences
    given = coincidences.sum(axis=-1)
    total = given.sum(axis=-1)
    distance = _alpha_distance(scale, grades, given)
    observed = _divide(np.sum(coincidences * distance, axis=(-1, -2)), total)
    pairs = np.einsum("...k,...l->...kl", given, given)
    expected = _divide(np.sum(pairs * distance, axis=(-1, -2)), total * (total - 1))
    return 1 - _divide(observed, expected)


def _alpha_distance(scale: str, grades: Floats, given: Floats) -> Floats:
    """(…, G, G) the squared distance of two grades; on an ordinal scale it depends on how often grades were given."""
    if scale == "nominal":
        return 1 - np.eye(len(grades))
    if scale != "ordinal":
        return _squared_distance(scale, grades)
    # The ratings from grade k to grade l, half of those at both ends: the difference of the mean ranks of the two.
    rank = np.cumsum(given, axis=-1) - given / 2
    squared: Floats = (rank[..., :, None] - rank[..., None, :]) ** 2
    return squared


def gwet_ac(sums: AgreementSums, scale: str, grades: Floats) -> Floats:
    """Gwet's agreement coefficient: AC1 on a nominal scale, AC2 with the closeness of any other.

    Source: Gwet (2008), British Journal of Mathematical and Statistical Psychology 61, 29–48; Gwet (2021), sections
    3.4 and 3.5.
    """
    weights = closeness(scale, grades)
    agreed = _divide(np.sum(sums.paired * weights, axis=(-1, -2)), sums.rated_twice)
    return _beyond_chance(agreed, _gwet_chance(_prevalence(sums), weights))


def _gwet_chance(prevalence: Floats, weights: Floats) -> Floats:
    grades = len(weights)
    if grades < 2:
        return np.full(prevalence.shape[:-1], np.nan)
    chance: Floats = np.sum(prevalence * (1 - prevalence), axis=-1) * weights.sum() / (grades * (grades - 1))
    return chance


def _prevalence(sums: AgreementSums) -> Floats:
    """(…, G) how often each grade was given, each unit counting 1."""
    return _divide(sums.share, np.asarray(sums.units)[..., None])


def _beyond_chance(agreed: Floats, chance: Floats) -> Floats:
    return _divide(agreed - chance, 1 - chance)


def _divide(above: Floats, below: Floats) -> Floats:
    """Divide; NaN where the divisor is 0, apart from rounding."""
    above, below = np.asarray(above, np.float64), np.asarray(below, np.float64)
    zero = np.abs(below) <= 1e-12
    with np.errstate(invalid="ignore"):
        quotient: Floats = np.where(zero, np.nan, above / np.where(zero, 1.0, below))
    return quotient


def gwet_error(rated: RatedUnits, scale: str) -> float:
    """Return Gwet's standard error of `gwet_ac`, which takes units as independent; NaN where it cannot be told.

    Source: Gwet (2021), section 5.4, with ratings missing.
    """
    weights, counts, raters = closeness(scale, rated.grades), rated.counts, rated.raters
    units, twice = len(counts), raters >= 2
    sums = agreement_sums(rated)
    prevalence = _prevalence(sums)
    chance, coefficient = float(_gwet_chance(prevalence, weights)), float(gwet_ac(sums, scale, rated.grades))
    if units < 2 or not math.isfinite(coefficient):
        return math.nan
    pairs = np.where(twice, raters * (raters - 1), 1.0)
    agreed = np.sum(counts * (counts @ weights - 1), axis=1) * twice / pairs
    own = (units / twice.sum()) * (agreed - chance * twice) / (1 - chance)
    grades = len(weights)
    own_chance = weights.sum() / (grades * (grades - 1)) * (counts @ (1 - prevalence)) / raters
    influence = own - 2 * (1 - coefficient) * (own_chance - chance) / (1 - chance)
    return math.sqrt(float(np.sum((influence - coefficient) ** 2)) / (units * (units - 1)))


COEFFICIENTS: dict[str, Coefficient] = {
    "percent": percent_agreement,
    "chance": chance_agreement,
    "alpha": krippendorff_alpha,
    "kappa": fleiss_kappa,
    "ac": gwet_ac,
}
"""The coefficients of any number of raters, by name."""


# Two raters.


class Kappa(NamedTuple):
    """Cohen's kappa and its standard error; NaN if only one grade was given."""

    value: float
    error: float


def cohen_kappa(table: Floats, weights: Floats) -> Kappa:
    """Return Cohen's kappa of two raters, weighted by how close two grades are.

    Parameters
    ----------
    table
        (G, G) number of units by the grades of the first and of the second rater.
    weights
        (G, G) closeness, 1 on the diagonal: the identity for plain kappa, `kappa_weights` else.

    Sources: Cohen (1960, 1968); Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72, 323–327, for the error.

    Examples
    --------
    >>> kappa = cohen_kappa(np.array([[20.0, 5.0], [10.0, 15.0]]), np.eye(2))
    >>> round(kappa.value, 4), round(kappa.error, 6)
    (0.4, 0.126996)
    """
    total = table.sum()
    if not total:
        return Kappa(math.nan, math.nan)
    shares = table / total
    first, second = shares.sum(axis=1), shares.sum(axis=0)
    agreed, chance = float(np.sum(weights * shares)), float(first @ weights @ second)
    if 1 - chance <= 1e-12:
        return Kappa(math.nan, math.nan)
    kappa = (agreed - chance) / (1 - chance)
    of_first, of_second = weights @ second, first @ weights
    moves = weights - np.add.outer(of_first, of_second) * (1 - kappa)
    variance = float(np.sum(shares * moves**2)) - (kappa - chance * (1 - kappa)) ** 2
    return Kappa(kappa, math.sqrt(max(variance, 0.0) / total) / (1 - chance))


def kappa_weights(scale: str, grades: Floats) -> Floats:
    """(G, G) the weights of weighted kappa: linear in the grades' values on an ordinal scale, else quadratic.

    Kappa takes only ratios of these weights' distances from 1, so a grade that neither rater gave changes nothing.
    Source: Cohen (1968); Cicchetti and Allison (1971) for linear ones.

    Examples
    --------
    >>> kappa_weights("ordinal", np.array([0.0, 1.0, 4.0])).tolist()
    [[1.0, 0.75, 0.0], [0.75, 1.0, 0.25], [0.0, 0.25, 1.0]]
    """
    refuse_scale(scale, grades)
    if scale == "nominal" or len(grades) < 2:
        return np.eye(len(grades))
    distance = np.abs(np.subtract.outer(grades, grades)) if scale == "ordinal" else _squared_distance(scale, grades)
    weights: Floats = 1 - distance / distance.max()
    return weights


# Intervals: ratings of a query are not independent, so queries are drawn, with all that was rated for them.


def bootstrap_coefficients(
    sums: AgreementSums, scale: str, grades: Floats, *, level: float, draws: int, seed: int
) -> dict[str, tuple[float, float]]:
    """Return the percentile interval of each coefficient, over queries drawn with replacement.

    Parameters
    ----------
    sums
        Sums by query: (Q, …).

    Returns
    -------
    Both ends by name; NaN with fewer than two queries, or if most draws have no value. Draws without a value (only one
    grade in them) are left out. Source: Field and Welsh (2007), Bootstrapping clustered data, JRSS B 69.
    """
    refuse_share("level", level)
    queries = len(sums.units)
    if queries < 2:
        return dict.fromkeys(COEFFICIENTS, (math.nan, math.nan))
    drawn: dict[str, list[Floats]] = {name: [] for name in COEFFICIENTS}
    for resample in _resamples(sums, stream(seed, "agreement"), draws):
        for name, coefficient in COEFFICIENTS.items():
            drawn[name].append(np.atleast_1d(coefficient(resample, scale, grades)))
    return {name: _percentiles(np.concatenate(values), level) for name, values in drawn.items()}


def _resamples(sums: AgreementSums, rng: np.random.Generator, draws: int) -> Iterator[AgreementSums]:
    queries, grades = sums.share.shape
    columns = np.concatenate(
        [
            sums.units[:, None],
            sums.rated_twice[:, None],
            sums.share,
            sums.paired.reshape(queries, -1),
            sums.coincidences.reshape(queries, -1),
        ],
        axis=1,
    )
    for times in _times_drawn(queries, rng, draws):
        total = times @ columns
        units, twice, rest = total[:, 0], total[:, 1], total[:, 2:]
        share, pairs = rest[:, :grades], rest[:, grades:].reshape(-1, 2, grades, grades)
        yield AgreementSums(units, twice, share, pairs[:, 0], pairs[:, 1])


def _times_drawn(queries: int, rng: np.random.Generator, draws: int) -> Iterator[Ints]:
    """Yield (draws, queries) how many times each query is drawn, some draws at a time."""
    for rows in chunks(draws, queries):
        chosen = rng.integers(queries, size=(rows, queries))
        chosen += np.arange(rows)[:, None] * queries
        yield np.bincount(chosen.ravel(), minlength=rows * queries).reshape(rows, queries)


def _percentiles(values: Floats, level: float) -> tuple[float, float]:
    values = values[~np.isnan(values)]
    if not len(values):
        return math.nan, math.nan
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


# Numbers without steps, as shares of clicks: only alpha on an interval scale can be told, and needs no table of grades.


def number_sums(unit: Ints, grade: Floats, group: Ints) -> Floats:
    """Add up the ratings of units rated twice, by group: how many, spread within units, sum, and sum of squares.

    Parameters
    ----------
    unit, grade
        (N,) the unit, from 0 up, each used, and the grade of each rating.
    group
        (U,) the number of the group of each unit, from 0 up, each used.

    Returns
    -------
    (groups, 4).
    """
    many = np.bincount(unit).astype(np.float64)
    twice = many >= 2
    centred = grade - grade.mean()  # squares of large numbers would lose the small differences
    first, squares = np.bincount(unit, centred), np.bincount(unit, centred**2)
    within: Floats = 2 * (many * squares - first**2) / np.where(twice, many - 1, 1)
    columns: list[Floats] = [np.where(twice, column, 0.0) for column in (many, within, first, squares)]
    return np.column_stack([group_totals(group, column, int(group.max()) + 1) for column in columns])


def interval_alpha(sums: Floats) -> Floats:
    """Krippendorff's alpha on an interval scale, as `krippendorff_alpha`, from (..., 4) sums of `number_sums`.

    Examples
    --------
    >>> unit, grade = np.array([0, 0, 1, 1]), np.array([0.25, 0.5, 1.75, 2.0])
    >>> round(float(interval_alpha(number_sums(unit, grade, np.zeros(2, np.int64)).sum(axis=0))), 6)
    0.959459
    """
    many, within, first, squares = np.moveaxis(sums, -1, 0)
    expected = _divide(2 * (many * squares - first**2), many * (many - 1))
    return 1 - _divide(_divide(within, many), expected)


def bootstrap_interval_alpha(sums: Floats, *, level: float, draws: int, seed: int) -> tuple[float, float]:
    """Return the percentile interval of `interval_alpha` over queries drawn with replacement: (Q, 4) sums by query."""
    refuse_share("level", level)
    if len(sums) < 2:
        return math.nan, math.nan
    rng = stream(seed, "agreement")
    return _percentiles(
        np.concatenate([interval_alpha(times @ sums) for times in _times_drawn(len(sums), rng, draws)]), level
    )


# Dawid and Skene: what each rater's grade says about the true one, learnt from the ratings alone.


class TrueGrades(NamedTuple):
    """The probable grades of units, and the errors of raters.

    Attributes
    ----------
    chances
        (U, G) probability of each grade.
    errors
        (R, G, G) probability that a rater gives the second grade to a unit whose true one is the first.
    """

    chances: Floats
    errors: Floats


ROUNDS, CLOSE = 200, 1e-9
"""Most rounds of expectation and maximisation, and the change of a probability at which they stop."""


def dawid_skene(unit: Ints, rater: Ints, grade: Ints, grades: int) -> TrueGrades:
    """Estimate the true grade of each unit and the errors of each rater, beginning with the shares of the ratings.

    A rater who copies another counts as an independent voice: look for copies first. Source: Dawid and Skene (1979),
    Applied Statistics 28, 20–28.

    Parameters
    ----------
    unit, rater, grade
        (N,) numbers from 0 up.
    grades
        Number of grades.
    """
    units, raters = int(unit.max(initial=-1)) + 1, int(rater.max(initial=-1)) + 1
    given = np.bincount(unit * grades + grade, minlength=units * grades)
    chances: Floats = given.reshape(units, grades).astype(np.float64)
    chances /= chances.sum(axis=1, keepdims=True)
    for _ in range(ROUNDS):
        prior = chances.mean(axis=0)
        cell = rater * grades + grade
        # How often each rater gave each grade to units of each probable true one.
        counts = np.stack([group_totals(cell, chances[unit, k], raters * grades) for k in range(grades)], axis=1)
        errors: Floats = counts.reshape(raters, grades, grades).transpose(0, 2, 1)
        errors = np.divide(errors, errors.sum(axis=2, keepdims=True), out=np.zeros_like(errors), where=errors > 0)
        with np.errstate(divide="ignore"):
            logs, log_prior = np.log(errors), np.log(prior)
        logs_of_unit = logs.transpose(0, 2, 1).reshape(raters * grades, grades)[cell]
        likely = np.stack(
            [group_totals(unit, np.maximum(logs_of_unit[:, k], -700.0), units) for k in range(grades)], axis=1
        )
        likely += np.maximum(log_prior, -700.0)
        likely -= likely.max(axis=1, keepdims=True)
        new = np.exp(likely)
        new /= new.sum(axis=1, keepdims=True)
        moved = float(np.abs(new - chances).max(initial=0.0))
        chances = new
        if moved < CLOSE:
            break
    return TrueGrades(chances, errors)
