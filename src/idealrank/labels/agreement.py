"""agreement: how far raters agree, on what they disagree, and which of them stand out."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.display.blocks import Block, Grid, Lines, Points, TextColumn
from idealrank.display.document import Described, Shown
from idealrank.display.numbers import decimal, span_text
from idealrank.display.schema import Named, OrNull, RowType, Share, Within
from idealrank.display.table import Table
from idealrank.errors import UsageError, listed, option, plural
from idealrank.judged_lists.near_ids import fold_spellings, name_differences
from idealrank.labels.rater_scales import differing_scales, is_continuous, rater_scales, refuse_continuous
from idealrank.labels.rater_verdicts import VERDICT_ROW, rater_verdicts, verdicts_sentence
from idealrank.labels.ratings import Ratings, read_ratings
from idealrank.measures.definition import Measure
from idealrank.statistics.agreement import (
    COEFFICIENTS,
    COPIED,
    LEAST_SHARED_OF_COPY,
    MOST_GRADES,
    AgreementSums,
    RatedUnits,
    agreement_sums,
    bootstrap_coefficients,
    bootstrap_interval_alpha,
    cohen_kappa,
    count_grades,
    gwet_error,
    interval_alpha,
    kappa_weights,
    number_sums,
    refuse_scale,
)
from idealrank.statistics.correlations import rank_trend

MOST_RATERS_PAIRED = 50
"""Most raters who are compared two by two, and left out one by one; of more, each is compared with all others."""

DISPUTED = 10
"""How many of the pairs most disputed are listed."""

LEAST_RATINGS_ALIKE = 10
"""Ratings after which a single grade is worth a word."""

LEAST_QUERIES_OF_DRIFT = 12
"""Queries with times after which it is told whether a rater's grades drift: four in each third."""

LEAST_QUERIES_OF_INTERVAL = 20
"""Queries below which an interval over drawn queries is told to be too short: docs/agreement.md says by how much."""

DRIFTS = 0.01
"""The p-value of a rank test, times the number of raters tested, up to which a drift is told."""

DRAWS = 2000
"""Default number of resamples of queries."""

TITLES = {
    "percent": "equal grades",
    "chance": "by chance alone",
    "alpha": "Krippendorff's alpha",
    "kappa": "Fleiss' kappa",
    "ac": "Gwet's AC",
}
"""What the coefficients are called where people read them."""

_Coefficient = Annotated[float | None, "Its value; null where it cannot be told."]
COEFFICIENT_ROW = RowType(
    {
        "coefficient": Annotated[str, "Its name."],
        "value": _Coefficient,
        "low": Annotated[float | None, "Lower end of the interval by queries; null if there is none."],
        "high": Annotated[float | None, "Upper end of the interval by queries; null if there is none."],
    }
)
RATER_ROW = RowType(
    {
        "rater": Annotated[str, "Name of the rater."],
        "ratings": Annotated[int, "Documents rated."],
        "shared": Annotated[int, "Of these rated by others, too."],
        "agreement": Annotated[Share | None, "Share of the others' ratings that are equal; null if none is shared."],
        "mean": Annotated[float | None, "Mean grade; null if there is none."],
        "above others": Annotated[float | None, "Mean grade minus the others', on the shared documents."],
        "alpha without": Annotated[float | None, "Krippendorff's alpha of the others; null if it cannot be told."],
        "no grade": Annotated[int, "Documents looked at and not graded: cannot tell, later, or no answer of a model."],
        "rated again": Annotated[int, "Ratings of a document that the rater had rated before."],
        "same again": Annotated[Share | None, "Share of these with the same grade; null if there are none."],
    }
)
PAIR_ROW = RowType(
    {
        "first": Annotated[str, "A rater."],
        "second": Annotated[str, "Another rater."],
        "shared": Annotated[int, "Documents both rated."],
        "agreement": Annotated[Share | None, "Share of equal grades."],
        "by chance": Annotated[Share | None, "The share if both dealt out their grades at random."],
        "kappa": Annotated[float | None, "Cohen's kappa; null where it cannot be told."],
        "weighted kappa": Annotated[
            float | None, "Weighted kappa: linear in the grades' values on an ordinal scale, else quadratic."
        ],
    }
)
GROUP_ROW = RowType(
    {
        "first": Annotated[str, "A group of raters."],
        "second": Annotated[str, "Another group, or the same: raters of one group among themselves."],
        "shared": Annotated[int, "Documents rated by both, or by two of the group."],
        "agreement": Annotated[Share | None, "Share of equal grades, each document counting once."],
        "by chance": Annotated[Share | None, "The share if both dealt out their grades at random."],
        "kappa": Annotated[float | None, "How much of what is more than chance is reached: Cohen's kappa of groups."],
        "above": Annotated[
            float | None, "Mean grade of the first minus the second's, on the shared documents; null within a group."
        ],
    }
)
DRIFT_ROW = RowType(
    {
        "rater": Annotated[str, "Name of the rater."],
        "queries": Annotated[int, "Queries rated at a known time, with documents that others rated, too."],
        "first third": Annotated[float | None, "Mean grade minus the others', in the first third of these queries."],
        "last third": Annotated[float | None, "The same in the last third."],
        "correlation": Annotated[float | None, "Rank correlation of time and difference, by queries."],
        "p": Annotated[Share | None, "Its p-value, if there is no drift."],
    }
)
DISPUTED_ROW = RowType(
    {
        "query": Annotated[str, "Id of the query."],
        "doc": Annotated[str, "Id of the document."],
        "spread": Annotated[float, Within(0), "Highest minus lowest grade."],
        "ratings": Annotated[str, "Who gave which grade, with comments."],
    }
)
SEGMENT_ROW = RowType(
    {
        "segment": Annotated[str, "Name of the segment."],
        "ratings": Annotated[int, "Ratings in it."],
        "shared": Annotated[int, "Documents rated twice or more."],
        "percent": Annotated[Share | None, "Share of equal grades."],
        "chance": Annotated[Share | None, "The share by chance alone."],
        "alpha": _Coefficient,
        "kappa": _Coefficient,
        "ac": _Coefficient,
    }
)
GRADE_ROW = RowType(
    {
        "grade": Annotated[float, "A grade."],
        "ratings": Annotated[int, "How often it was given."],
        "agreement": Annotated[Share | None, "If one rater gives it, how often another gives it, too."],
    },
    Annotated[Share | None, "How often another rater gave the grade of the column."],
)


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Shown, Described):
    """How far raters agree.

    Attributes
    ----------
    ratings
        The ratings.
    scale
        How grades are compared: nominal, ordinal, interval or ratio.
    level
        Level of the intervals.
    values
        Each coefficient by name: percent, chance, alpha, kappa, ac; NaN where it cannot be told.
    intervals
        Its interval over queries, by name.
    standard_error
        Gwet's standard error of AC, which takes documents as independent; NaN where it cannot be told.
    verdicts
        The verdict on the systems under each rater alone and without each; None if no systems were given.
    """

    ratings: Ratings
    scale: Annotated[str, "The scale of the grades: nominal, ordinal, interval or ratio."]
    level: Annotated[Share, "Level of the intervals."]
    values: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    standard_error: Annotated[float, OrNull(), "Gwet's standard error of AC, which takes documents as independent."]
    verdicts: Annotated[Table | None, VERDICT_ROW, "The verdict on systems by rater, if systems were given."] = None

    def __getitem__(self, coefficient: str) -> float:
        """Return a coefficient by name."""
        return self.values[coefficient]

    @functools.cached_property
    def units(self) -> RatedUnits:
        """How many raters gave each grade to each query and document."""
        return count_grades(self.ratings.unit, self.ratings.grade)

    @property
    def shared(self) -> Annotated[int, "Of these with two ratings or more."]:
        """Pairs of a query and a document with two ratings or more."""
        return int((self._ratings_of_unit >= 2).sum())

    @functools.cached_property
    def _ratings_of_unit(self) -> Ints:
        return np.bincount(self.ratings.unit)

    @functools.cached_property
    def is_continuous(self) -> bool:
        """Whether a rater's grades have no steps, as shares of clicks, so that only alpha of numbers can be told."""
        return is_continuous(self.ratings)

    @property
    def untold(self) -> Annotated[str, "Why coefficients cannot be told; empty if they can."]:
        """Why coefficients cannot be told; "" if they can."""
        if not self.shared:
            return "Cannot be told: no document was rated by two raters."
        if (self.ratings.grade == self.ratings.grade[0]).all():
            return f"Cannot be told: only one grade was given, {self.ratings.grade[0]:g}."
        return ""

    @property
    def interval_note(self) -> Annotated[str, "That the intervals are too short, with few queries; empty otherwise."]:
        """That few queries make the intervals too short; "" where they do not."""
        found = self.ratings
        twice = np.flatnonzero(self._ratings_of_unit >= 2)
        queries = len(np.unique(found.query[found.first_of_unit[twice]]))
        if self.untold or not 2 <= queries < LEAST_QUERIES_OF_INTERVAL:
            return ""
        return (
            f"{plural(queries, 'query')} with documents rated twice: with fewer than {LEAST_QUERIES_OF_INTERVAL}, "
            "intervals by queries are too short"
        )

    @property
    def table(
        self,
    ) -> Annotated[Table, Named("coefficients"), COEFFICIENT_ROW, "The coefficients, with intervals by queries."]:
        """One row per coefficient: its value, and its interval over queries."""
        ends = [self.intervals[name] for name in COEFFICIENTS]
        return Table(
            {
                "coefficient": list(COEFFICIENTS),
                "value": [self.values[name] for name in COEFFICIENTS],
                "low": [low for low, _ in ends],
                "high": [high for _, high in ends],
            },
            "agreement",
            row=COEFFICIENT_ROW,
        )

    @functools.cached_property
    def by_rater(self) -> Annotated[Table, RATER_ROW, "A row per rater."]:
        """One row per rater: how much was rated, how far others agree, and alpha without the rater."""
        return Table(
            _columns(map(self._rater_row, range(len(self.ratings.raters))), RATER_ROW), "raters", row=RATER_ROW
        )

    def _rater_row(self, rater: int) -> dict[str, Any]:
        found = self.ratings
        rows = np.flatnonzero(found.rater == rater)
        grade, unit = found.grade[rows], found.unit[rows]
        others = self._ratings_of_unit[unit] - 1
        shared = others > 0
        rest = (self._sum_of_unit[unit] - grade)[shared] / others[shared]
        again = found.repeats.get(rater)
        return {
            "rater": found.raters[rater],
            "ratings": len(rows),
            "shared": int(shared.sum()),
            "agreement": math.nan if self.is_continuous else _mean(self._equal_others[rows][shared] / others[shared]),
            "mean": _mean(grade),
            "above others": _mean(grade[shared] - rest),
            "alpha without": self._alpha_without(rater),
            "no grade": sum(found.withheld_by.get(rater, {}).values()),
            "rated again": again.ratings if again else 0,
            "same again": again.same / again.ratings if again else math.nan,
        }

    @functools.cached_property
    def _sum_of_unit(self) -> Floats:
        return np.bincount(self.ratings.unit, self.ratings.grade).astype(np.float64, copy=False)

    @functools.cached_property
    def _equal_others(self) -> Floats:
        """(N,) how many other raters gave the same grade to the same document."""
        counts = self.units.counts
        equal: Floats = counts[self.ratings.unit, np.searchsorted(self.units.grades, self.ratings.grade)] - 1
        return equal

    def _alpha_without(self, rater: int) -> float:
        if len(self.ratings.raters) > MOST_RATERS_PAIRED or len(self.ratings.raters) < 3:
            return math.nan
        rest = self.ratings.take(np.flatnonzero(self.ratings.rater != rater))
        return _coefficients(rest, self.scale)["alpha"] if len(rest) else math.nan

    @functools.cached_property
    def by_pair(
        self,
    ) -> Annotated[Table, PAIR_ROW, "A row per two raters who share documents; empty for more than 50 raters."]:
        """One row per two raters who share documents: equal grades, by chance, and kappa; see `MOST_RATERS_PAIRED`."""
        return Table(_columns(self._pair_rows(), PAIR_ROW), "pairs of raters", row=PAIR_ROW)

    def _pair_rows(self) -> Iterator[dict[str, Any]]:
        found = self.ratings
        if len(found.raters) > MOST_RATERS_PAIRED:
            return
        continuous = {scale.rater for scale in rater_scales(found) if scale.is_continuous}
        for (first, second), (one, other) in _shared_ratings(found).items():
            names = {"first": found.raters[first], "second": found.raters[second], "shared": len(one)}
            # Of these two alone: a grade that a third rater gives must not change their kappa.
            grades, code = np.unique(np.concatenate([found.grade[one], found.grade[other]]), return_inverse=True)
            if len(grades) > MOST_GRADES or continuous & {*names.values()}:
                yield names | dict.fromkeys(("agreement", "by chance", "kappa", "weighted kappa"), math.nan)
                continue
            table = np.zeros((len(grades), len(grades)))
            np.add.at(table, (code[: len(one)], code[len(one) :]), 1)
            total = table.sum()
            yield names | {
                "agreement": float(np.trace(table) / total),
                "by chance": float(table.sum(axis=1) @ table.sum(axis=0) / total**2),
                "kappa": cohen_kappa(table, np.eye(len(grades))).value,
                "weighted kappa": cohen_kappa(table, kappa_weights(self.scale, grades)).value,
            }

    @functools.cached_property
    def by_grade(self) -> Annotated[Table, GRADE_ROW, "A row per grade: what another rater gave."]:
        """One row per grade: how often it was given, and what another rater gave to the same document."""
        if self.is_continuous:
            return Table({name: [] for name in GRADE_ROW.columns}, "grades", row=GRADE_ROW)
        sums, grades = agreement_sums(self.units), self.units.grades
        given = sums.paired.sum(axis=-1)
        shares = np.divide(sums.paired, given[:, None], out=np.full_like(sums.paired, np.nan), where=given[:, None] > 0)
        columns: dict[str, Any] = {
            "grade": grades,
            "ratings": self.units.counts.sum(axis=0).astype(np.int64),
            "agreement": np.diagonal(shares).copy(),
        }
        others = {f"{grade:g}": shares[:, place] for place, grade in enumerate(grades)}
        return Table(columns | others, "grades", row=GRADE_ROW)

    @functools.cached_property
    def by_segment(self) -> Annotated[Table, SEGMENT_ROW, "A row per segment, if one was asked for."]:
        """One row per segment: its coefficients."""
        return Table(_columns(self._segment_rows(), SEGMENT_ROW), "segments", row=SEGMENT_ROW)

    def _segment_rows(self) -> Iterator[dict[str, Any]]:
        for place, name in enumerate(self.ratings.segments):
            rows = np.flatnonzero(self.ratings.segment == place)
            if name and len(rows):
                part = self.ratings.take(rows)
                shared = int((np.bincount(part.unit) >= 2).sum())
                yield {"segment": name, "ratings": len(rows), "shared": shared, **_coefficients(part, self.scale)}

    @functools.cached_property
    def by_group(
        self,
    ) -> Annotated[Table, GROUP_ROW, "A row per two groups of raters, and per group, if there are groups."]:
        """One row per group of raters among themselves, and one per two groups; none if there are no groups."""
        return Table(_columns(self._group_rows(), GROUP_ROW), "groups of raters", row=GROUP_ROW)

    def _group_rows(self) -> Iterator[dict[str, Any]]:
        found, names = self.ratings, self.ratings.groups
        if not names or self.is_continuous:
            return
        grades = self.units.grades
        cell = (found.unit * len(names) + found.group[found.rater]) * len(grades) + np.searchsorted(grades, found.grade)
        units = len(found.first_of_unit)
        counts = np.bincount(cell, minlength=units * len(names) * len(grades)).reshape(units, len(names), len(grades))
        many = counts.sum(axis=2)
        for first, second in _group_pairs(len(names)):
            one, other = counts[:, first].astype(np.float64), counts[:, second].astype(np.float64)
            shared = (many[:, first] >= 2) if first == second else (many[:, first] > 0) & (many[:, second] > 0)
            row = {"first": names[first], "second": names[second], "shared": int(shared.sum())}
            one, other = one[shared], other[shared]
            if not shared.any():
                yield row | dict.fromkeys(("agreement", "by chance", "kappa", "above"), math.nan)
                continue
            # Each document counts 1: the pairs of ratings of it share that.
            pairs = one.sum(axis=1) * (other.sum(axis=1) - (first == second))
            table = (one / pairs[:, None]).T @ other
            if first == second:
                table -= np.diag((one / pairs[:, None]).sum(axis=0))
            total = table.sum()
            means = [each @ grades / each.sum(axis=1) for each in (one, other)]
            yield row | {
                "agreement": float(np.trace(table) / total),
                "by chance": float(table.sum(axis=1) @ table.sum(axis=0) / total**2),
                "kappa": cohen_kappa(table, np.eye(len(grades))).value,
                "above": math.nan if first == second else float(np.mean(means[0] - means[1])),
            }

    @functools.cached_property
    def drift(self) -> Annotated[Table, DRIFT_ROW, "A row per rater whose ratings have times."]:
        """One row per rater whose ratings have times: whether the grades rise or fall against those of others."""
        return Table(_columns(self._drift_rows(), DRIFT_ROW), "drift", row=DRIFT_ROW)

    def _drift_rows(self) -> Iterator[dict[str, Any]]:
        found = self.ratings
        if not len(found.time):
            return
        others = self._ratings_of_unit[found.unit] - 1
        # The documents of a query are alike and rated together, so a query is one observation.
        kept = np.flatnonzero((others > 0) & ~np.isnan(found.time))
        above = found.grade[kept] - (self._sum_of_unit[found.unit[kept]] - found.grade[kept]) / others[kept]
        for rater, name in enumerate(found.raters):
            own = found.rater[kept] == rater
            queries, place, many = np.unique(found.query[kept][own], return_inverse=True, return_counts=True)
            if len(queries) < LEAST_QUERIES_OF_DRIFT:
                continue
            time, value = (np.bincount(place, values[own]) / many for values in (found.time[kept], above))
            trend, order = rank_trend(time, value), np.argsort(time, kind="stable")
            third = len(queries) // 3
            yield {
                "rater": name,
                "queries": len(queries),
                "first third": float(value[order[:third]].mean()),
                "last third": float(value[order[-third:]].mean()),
                "correlation": trend.correlation,
                "p": trend.p,
            }

    @functools.cached_property
    def disputed(self) -> Annotated[Table, DISPUTED_ROW, "The documents most disputed."]:
        """The documents whose grades are furthest apart, with who gave which."""
        found, unit = self.ratings, self.ratings.unit
        order = np.argsort(unit, kind="stable")
        start = np.flatnonzero(np.diff(unit[order], prepend=-1))
        grade = found.grade[order]
        spread = np.maximum.reduceat(grade, start) - np.minimum.reduceat(grade, start)
        many = np.diff(np.append(start, len(grade)))
        worst = np.lexsort((np.arange(len(spread)), -many, -spread))[:DISPUTED]
        rows = []
        for place in worst[spread[worst] > 0].tolist():
            those = order[start[place] : start[place] + many[place]]
            descriptions = [found.describe(row) for row in those[:MOST_RATERS_PAIRED].tolist()]
            first = those[0]
            rows.append(
                {
                    "query": found.queries[found.query[first]],
                    "doc": found.docs[found.doc[first]],
                    "spread": float(spread[place]),
                    "ratings": ", ".join(descriptions),
                }
            )
        return Table(_columns(rows, DISPUTED_ROW), "most disputed", row=DISPUTED_ROW)

    @functools.cached_property
    def findings(self) -> Annotated[tuple[Annotated[str, "A sentence."], ...], "What stands out, as sentences."]:
        """What stands out: ids spelled in two ways, scales that differ, raters of one grade, copies, drift."""
        return (
            *self._spellings(), *differing_scales(self.ratings), *self._one_grade(), *self._copies(), *self._drifts(),
            *self._contradictions(), *self._hardly_any(),
        )  # fmt: skip

    def _spellings(self) -> Iterator[str]:
        found = self.ratings
        for names, code, what in ((found.queries, found.query, "query"), (found.docs, found.doc, "document")):
            folded: dict[str, list[int]] = {}
            for place, key in enumerate(fold_spellings(names)):
                folded.setdefault(key, []).append(place)
            several = [places for places in folded.values() if len(places) > 1]
            if not several:
                continue
            raters = _raters_by_code(code, found.rater, {place for places in several for place in places})
            # Two ids that one rater used are two things; of different raters, one of them is misspelt.
            alike = [
                places for places in several if not any(raters[a] & raters[b] for a in places for b in places if a < b)
            ]
            if alike:
                one, other = alike[0][0], alike[0][1]
                who, whom = (found.raters[min(raters[place])] for place in (one, other))
                yield (
                    f"{plural(len(alike), f'{what} id')} of raters differ only in "
                    f"{name_differences(names[one], names[other])}: {names[one]!r} of {who}, {names[other]!r} of "
                    f"{whom}. They count as different, so write them alike: a spreadsheet keeps 007 only as text."
                )

    def _one_grade(self) -> Iterator[str]:
        for name, (grade, many) in self._constant_raters().items():
            without = self._alpha_without(self.ratings.raters.index(name))
            alpha = "" if math.isnan(without) else f" (alpha without {name}: {decimal(without)})"
            yield (
                f"{name} gave grade {grade:g} to all {many:,} documents: such ratings say nothing. Leave {name} "
                f"out{alpha}, or ask how the rating was done."
            )

    def _constant_raters(self) -> dict[str, tuple[float, int]]:
        """Return the raters of one grade, where others give more: the grade, and how often they gave it."""
        if (self.ratings.grade == self.ratings.grade[0]).all():
            return {}
        by_rater = {name: self.ratings.grade[self.ratings.rater == r] for r, name in enumerate(self.ratings.raters)}
        return {
            name: (float(grade[0]), len(grade))
            for name, grade in by_rater.items()
            if len(grade) >= LEAST_RATINGS_ALIKE and (grade == grade[0]).all()
        }

    def _copies(self) -> Iterator[str]:
        for first, second, share, shared in self.copied:
            yield (
                f"{first} and {second} gave the same grade to {share:.0%} of {shared:,} documents, far more than "
                "others agree: one may be a copy, and counts twice."
            )

    @property
    def copied(self) -> list[tuple[str, str, float, int]]:
        """Two raters of whom one may have copied the other: their names, the share of equal grades, and of how many."""
        # Where everybody agrees, equal grades are no sign of a copy; neither are they of a rater of one grade.
        if self.values["percent"] >= COPIED:
            return []
        constant = self._constant_raters()
        return [
            (row["first"], row["second"], row["agreement"], row["shared"])
            for row in self.by_pair
            if row["shared"] >= LEAST_SHARED_OF_COPY
            and row["agreement"] >= COPIED
            and not {row["first"], row["second"]} & constant.keys()
        ]

    def _drifts(self) -> Iterator[str]:
        clear = sorted((row for row in self.drift if row["p"] * len(self.drift) <= DRIFTS), key=lambda row: row["p"])
        # If one rises against the others, these fall against the one: only who moves like the clearest is told.
        for row in [row for row in clear if row["correlation"] * clear[0]["correlation"] > 0]:
            ends = [_above(row[end]) for end in ("first third", "last third")]
            yield (
                f"{row['rater']}'s grades {'rise' if row['correlation'] > 0 else 'fall'} with time against those of "
                f"others: {ends[0]} in the first third of {row['queries']:,} queries, {ends[1]} in the last (rank "
                f"correlation {decimal(row['correlation'])}, p = {row['p']:.2g}). Let {row['rater']} rate some early "
                "documents again."
            )

    def _contradictions(self) -> Iterator[str]:
        for row in self.by_rater:
            again = row["rated again"]
            if again:
                yield (
                    f"{row['rater']} rated {plural(again, 'document')} again and gave the same grade to "
                    f"{row['same again']:.0%}; the first rating counts."
                )
        if self.ratings.out_of_order:
            yield (
                f"{plural(self.ratings.out_of_order, 'document')} rated again in a row above the first rating: the "
                "times say which was first, not the rows."
            )

    def _hardly_any(self) -> Iterator[str]:
        few = [row["rater"] for row in self.by_rater if row["ratings"] == 1]
        if few:
            yield f"{plural(len(few), 'rater')} with a single rating: {listed(few)}."

    @property
    def _raters(self) -> Annotated[int, Named("raters"), "Number of raters."]:
        return len(self.ratings.raters)

    @property
    def _ratings(self) -> Annotated[int, Named("ratings"), "Number of ratings."]:
        return len(self.ratings)

    @property
    def _units(self) -> Annotated[int, Named("units"), "Pairs of a query and a document with a rating."]:
        return len(self._ratings_of_unit)

    @property
    def _withheld(
        self,
    ) -> Annotated[
        Mapping[str, Annotated[int, "How many."]], Named("withheld"), "Ratings that say cannot tell or later."
    ]:
        return self.ratings.withheld

    def shown(self) -> list[Block]:
        """Return how far raters agree in a sentence and in coefficients, then the tables."""
        # Columns of what nobody did would only make the table wider than a terminal.
        unused = set() if any(self.by_rater["rated again"]) else {"rated again", "same again"}
        unused |= set() if any(self.by_rater["no grade"]) else {"no grade"}
        by_rater = self.by_rater[[name for name in self.by_rater.columns if name not in unused]]
        tables = (
            by_rater, self.by_pair, self.by_group, self.by_grade, self.by_segment, self.drift, self.disputed,
        )  # fmt: skip
        detail = [block for table in tables if len(table) for block in table.shown()]
        return [*self._first_blocks(), *detail, *self._stands_out()]

    def brief(self) -> list[Block]:
        """Return the sentence, the coefficients, the verdict by rater if systems were given, and what stands out."""
        return [*self._first_blocks(), *self._stands_out()]

    def _first_blocks(self) -> list[Block]:
        first: list[Block] = [Lines([("agreement", self.headline)], leads=True), self._coefficient_grid()]
        if self.verdicts is None:
            return first
        return [*first, Lines([("verdict", verdicts_sentence(self.verdicts))]), *self.verdicts.shown()]

    def _stands_out(self) -> list[Block]:
        return [Points(self.findings, "stands out")] if self.findings else []

    @property
    def headline(self) -> str:
        """How many ratings there are, and how far they agree, in sentences."""
        found = self.ratings
        counts = f"{plural(len(found), 'rating')} by {plural(len(found.raters), 'rater')}"
        shared = f"{plural(self.shared, 'document')} of {len(self._ratings_of_unit):,} rated by two or more"
        withheld = [f"{many:,} {word}" for word, many in found.withheld.items()]
        first = "; ".join([counts, shared, *withheld])
        if self.untold:
            return f"{first}. {self.untold}"
        if self.is_continuous:
            return (
                f"{first}. Grades are continuous numbers, which are hardly ever equal: only alpha can be told of them."
            )
        return (
            f"{first}. Two raters give the same grade in {self.values['percent']:.0%} of cases; chance alone would "
            f"make it {self.values['chance']:.0%}."
        )

    def _coefficient_grid(self) -> Grid:
        rows = [(TITLES[name], self.values[name], self.intervals[name]) for name in COEFFICIENTS]
        level = f"{self.level:.0%} interval by queries"
        return Grid(
            [
                TextColumn("coefficient", [title for title, _, _ in rows], numeric=False),
                TextColumn("value", [decimal(value) for _, value, _ in rows], numeric=True),
                TextColumn(level, [span_text(low, high, "") for _, _, (low, high) in rows], numeric=True),
            ],
            note="; ".join(filter(None, (f"on a scale that is {self.scale}", self.interval_note))),
        )


def copied_raters(found: Ratings) -> list[tuple[str, str, float, int]]:
    """Return two raters each of whom one may have copied the other, as `Agreement.copied`."""
    values = _coefficients(found, "nominal")
    return Agreement(found, "nominal", 0.95, values, {}, math.nan).copied


def _columns(rows: Any, row: RowType) -> dict[str, list[Any]]:
    """Turn rows into columns; those of the type, if there are no rows."""
    found = list(rows)
    return {name: [one[name] for one in found] for name in (found[0] if found else row.columns)}


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else math.nan


def _above(difference: float) -> str:
    return f"{decimal(abs(difference))} {'above' if difference >= 0 else 'below'}"


def _group_pairs(groups: int) -> list[tuple[int, int]]:
    return [(first, second) for first in range(groups) for second in range(first, groups)]


def _raters_by_code(code: Ints, rater: Ints, wanted: set[int]) -> dict[int, set[int]]:
    """Return who used each of some ids."""
    raters: dict[int, set[int]] = {place: set() for place in wanted}
    rows = np.flatnonzero(np.isin(code, list(wanted)))
    for place, who in np.unique(np.column_stack([code[rows], rater[rows]]), axis=0).tolist():
        raters[place].add(who)
    return raters


def _coefficients(found: Ratings, scale: str) -> dict[str, float]:
    if is_continuous(found):
        sums = number_sums(found.unit, found.grade, np.zeros(len(found.first_of_unit), np.int64))
        return dict.fromkeys(COEFFICIENTS, math.nan) | {"alpha": float(interval_alpha(sums[0]))}
    units = count_grades(found.unit, found.grade)
    return _values(agreement_sums(units), scale, units.grades)


def _values(sums: AgreementSums, scale: str, grades: Floats) -> dict[str, float]:
    return {name: float(coefficient(sums, scale, grades)) for name, coefficient in COEFFICIENTS.items()}


def _intervals(found: Ratings, scale: str, level: float, draws: int, seed: int) -> dict[str, tuple[float, float]]:
    """Return the interval of each coefficient, over queries drawn with replacement."""
    by_query = np.unique(found.query[found.first_of_unit], return_inverse=True)[1]
    if is_continuous(found):
        sums = number_sums(found.unit, found.grade, by_query)
        alpha = bootstrap_interval_alpha(sums, level=level, draws=draws, seed=seed)
        return dict.fromkeys(COEFFICIENTS, (math.nan, math.nan)) | {"alpha": alpha}
    units = count_grades(found.unit, found.grade)
    return bootstrap_coefficients(
        agreement_sums(units, by_query), scale, units.grades, level=level, draws=draws, seed=seed
    )


def _shared_ratings(found: Ratings) -> dict[tuple[int, int], tuple[Ints, Ints]]:
    """Return the rows of each two raters on the documents both rated."""
    rows = {rater: np.flatnonzero(found.rater == rater) for rater in range(len(found.raters))}
    shared = {}
    for first in rows:
        for second in range(first + 1, len(found.raters)):
            _, one, other = np.intersect1d(
                found.unit[rows[first]], found.unit[rows[second]], assume_unique=True, return_indices=True
            )
            if len(one):
                shared[first, second] = (rows[first][one], rows[second][other])
    return shared


def agreement(
    ratings: Any,
    *,
    scale: str = "ordinal",
    by: str | None = None,
    groups: str | Mapping[str, Sequence[str]] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
    results: Any = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    **options: Any,
) -> Agreement:
    """Measure how far raters agree, and by how much that is more than chance.

    Parameters
    ----------
    ratings
        A table with a column of raters, or with a column of grades for each rater, as `read_judgments` reads it; a
        list of tables, each of which is a rater; or ``{rater: judgments}``.
    scale
        How grades are compared by alpha, AC and weighted kappa: ``nominal``, ``ordinal``, ``interval`` or ``ratio``.
        Percent, chance and plain kappa ask only whether grades are equal. Continuous numbers, such as shares of
        clicks, need ``interval``.
    by
        The column of segments, such as a language, each of which gets its own coefficients.
    groups
        Groups of raters, such as people and models: ``{group: [raters]}``, or the column that says the group. Groups
        are compared with each other and, with systems, each has its own verdict.
    level, draws, seed
        Level of the intervals, number of resamples of queries, and their random seed. Ratings of a query are not
        independent, so whole queries are drawn.
    results, measures
        Two systems, and measures, as for `compare`: what disagreement does to their verdict.
    **options
        Of that comparison, as for `compare`.

    Returns
    -------
    Agreement: coefficients with intervals; tables by rater, by pair of raters, by grade and by segment; the documents
    most disputed; what stands out; and, if systems were given, their verdict by rater.

    Raises
    ------
    DataError
        If nothing says who rated, or there is no rating.
    UsageError
        If there is no such scale, or a rater's grades are a continuous number where steps are asked for.

    Examples
    --------
    >>> found = agreement({"ana": {"q": {"a": 3, "b": 0, "c": 1}}, "ben": {"q": {"a": 3, "b": 1, "c": 1}}})
    >>> round(found["percent"], 4), round(found["alpha"], 4)
    (0.6667, 0.7778)
    """
    found = read_ratings(ratings, by, groups)
    refuse_scale(scale, found.grade)
    refuse_continuous(found, scale)
    intervals = _intervals(found, scale, level, draws, seed)
    values = _coefficients(found, scale)
    error = math.nan if is_continuous(found) else gwet_error(count_grades(found.unit, found.grade), scale)
    if results is None and (options or measures is not None):
        raise UsageError(
            f"A measure and options of a comparison need systems: {option('results', 'a.csv')}. Give them, or leave "
            "it out."
        )
    verdicts = None if results is None else rater_verdicts(found, results, measures, **options)
    return Agreement(found, scale, level, values, intervals, error, verdicts)
