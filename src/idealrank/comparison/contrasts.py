"""Contrasts: one system against another under one measure, tested, then corrected over all of them."""

import functools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np

from idealrank.arrays import EQUAL, Floats
from idealrank.comparison.pairing import DECIDES, SHOWN, Key, Pairing, Role, unpaired_error
from idealrank.display.document import Described, Meant
from idealrank.display.numbers import p_text, percent, signed
from idealrank.display.schema import OneOf, Share, Shared, Within
from idealrank.errors import UsageError, not_allowed, option
from idealrank.evaluation.values import difference_bounds
from idealrank.statistics import all_pairs, max_t
from idealrank.statistics.corrections import CORRECTIONS, Hypotheses
from idealrank.statistics.draws import Progress
from idealrank.statistics.intervals import INTERVALS, Interval, interval
from idealrank.statistics.paired_tests import TESTS, Test, paired_test
from idealrank.statistics.power import detectable, effect_size
from idealrank.statistics.sample import LEAST_DEGREES, UNBOUNDED, Bounds, Sample, make_sample, skewness

MOST_PAIRS = 45
"""Of more pairs without a baseline no interval assumes nothing."""

LEAST_ALPHA = 1e-12
"""Error rates are no smaller: their critical values are beyond what a number tells apart."""

SIMULTANEOUS = ("max_t", "tukey")
"""Corrections that make the intervals of differences themselves."""

_INSTEAD = {
    **dict.fromkeys(("p_value", "pvalue"), "contrast.p"),
    **dict.fromkeys(("ci", "confidence_interval"), "contrast.corrected"),
    **dict.fromkeys(("delta", "diff", "change"), "contrast.difference"),
    **dict.fromkeys(("significant", "verdict", "outcome"), "comparison.verdict"),
    "effect_size": "contrast.effect",
}
"""What to call, by the name people try on a contrast."""


@dataclass(frozen=True, eq=False)
class Betting:
    """Gains and their weights, of which an interval by betting is found when it is first read: few verdicts need it.

    Attributes
    ----------
    confidence, level
        Of this interval, and of all that are to hold at once.
    """

    gains: Floats
    weights: Floats | None
    bounds: Bounds
    confidence: float
    level: float

    @functools.cached_property
    def interval(self) -> Interval:
        """The interval that assumes nothing but the bounds."""
        found = interval("betting", self.gains, self.weights, self.confidence, seed=0, bounds=self.bounds)
        return replace(found, level=self.level)


@dataclass(frozen=True)
class Contrast(Meant):
    """What a system changes against another under one measure.

    Attributes
    ----------
    system, baseline, measure
        What is compared with what; `measure` as the scores label it.
    queries
        Number of paired queries: those with a value in both.
    unpaired
        Queries asked for that one or both have no value for.
    mean, baseline_mean, difference
        (Weighted) means over the paired queries, and of their differences.
    interval, test
        Of the difference, before any correction.
    p, corrected
        Corrected p and simultaneous interval, ``corrected p`` and ``corrected low`` to ``corrected high`` of the table
        of differences; those of the test and the interval where nothing is corrected. `test.p` is ``uncorrected p``.
    effect
        Mean difference over the standard deviation of the differences.
    wins, ties, losses
        Paired queries in which the system is better, equal (within 1e-12) and worse.
    deviation
        Standard error of the difference times the root of the number of queries.
    direction
        Whether more is better: a word of `idealrank.measures.definition.DIRECTION`.
    role
        Whether the measure decides, guards, or is shown: a word of `idealrank.comparison.pairing.Role`.
    skewness
        Of the gains: below 0 where few queries lose much and many gain a little.
    largest
        The largest difference there can be; infinite where the values have no bound.
    detectable
        The difference that this number of queries detects with power 0.8 at the level of the corrected interval.
    critical
        Half the corrected interval in standard errors, before it was cut to the range of the measure; NaN where the
        differences have no spread.
    worst, best
        The smallest and the largest gain of a query.
    effective
        How many queries of equal weight say as much: (Σ w)² / Σ w² (Kish 1965); `queries` without weights.
    betting
        What `unassuming` is found from; None where there is none.
    """

    _instead = _INSTEAD
    _internal = Meant._internal | {"betting"}

    system: str
    baseline: str
    measure: str
    queries: int
    unpaired: tuple[str, ...]
    mean: float
    baseline_mean: float
    difference: float
    interval: Interval
    test: Test
    p: float
    corrected: Interval
    effect: float
    wins: int
    ties: int
    losses: int
    deviation: float
    direction: str
    role: Role
    skewness: float
    largest: float
    effective: float
    detectable: float = math.inf
    critical: float = math.nan
    worst: float = 0.0
    best: float = 0.0
    betting: Betting | None = field(default=None, repr=False, compare=False)

    @property
    def unassuming(self) -> Interval | None:
        """The interval of the gain that assumes nothing but the range of the measure.

        Corrected for the number of pairs by Bonferroni; None of other measures than the deciding one, where there is
        no range, and where all pairs of more than ten systems are compared, since it then says next to nothing, and
        slowly.
        """
        return None if self.betting is None else self.betting.interval

    def __repr__(self) -> str:
        low, high = signed(self.corrected.low), signed(self.corrected.high)
        change = f"{signed(self.difference)} ({low} to {high}, corrected p {p_text(self.p)})"
        return f"Contrast({self.measure} of {self.system} instead of {self.baseline}: {change})"

    @property
    def gain(self) -> Interval:
        """The corrected interval, turned where less is better, so that more is better."""
        return self.corrected.negated if self.direction == "lower" else self.corrected

    @property
    def improvement(self) -> float:
        """The difference, turned where less is better."""
        return -self.difference if self.direction == "lower" else self.difference

    @property
    def alpha(self) -> float:
        """The error rate of the corrected interval, as one interval for itself."""
        from scipy.special import stdtr

        wide = self.wide
        if self.queries < 2 or not math.isfinite(wide):
            return math.nan
        return min(max(float(2 * stdtr(self._degrees, -wide)), LEAST_ALPHA), 1 - LEAST_ALPHA)

    @property
    def wide(self) -> float:
        """Half the corrected interval, in standard errors of the difference; Student's t where these are 0."""
        if self.queries < 2:
            return math.inf
        if not math.isnan(self.critical):
            return self.critical
        from scipy.special import stdtrit

        return float(stdtrit(self._degrees, (1 + self.corrected.level) / 2))

    @property
    def _degrees(self) -> float:
        return max(self.effective - 1, LEAST_DEGREES)

    @property
    def same(self) -> bool:
        """Whether every paired query has the same value in both."""
        return self.wins == self.losses == 0


def interval_about(contrast: Contrast, low: float, high: float, error: float) -> Interval:
    """Return the interval from low to high, wider on both sides by as many standard errors as the corrected one."""
    half = contrast.wide * error if error else 0.0  # of few queries `wide` is infinite, and inf * 0 is NaN
    return Interval(low - half, high + half, contrast.corrected.level, contrast.corrected.method)


def gain_interval(contrast: Contrast, gains: Sample) -> Interval:
    """Return the interval of other gains under a contrast, as many standard errors wide as the corrected one."""
    return interval_about(contrast, gains.mean, gains.mean, gains.error if gains.error > EQUAL else 0.0)


@dataclass(frozen=True)
class Methods(Described):
    """How differences are tested.

    Attributes
    ----------
    test, interval, correction
        Names out of `TESTS`, `INTERVALS` and `CORRECTIONS`.
    level
        Confidence of the intervals; 1 - level is the rate of errors the corrections keep.
    draws
        Flips, permutations or samples where something is drawn.
    seed
        Of all that is drawn.
    looks
        How often one looks in all; `level` is that of each look.

    Raises
    ------
    UsageError
        If a name is not known, a number is not allowed, or the interval would decide nothing.
    """

    test: Annotated[str, OneOf(TESTS), "The test."] = "t"
    interval: Annotated[str, OneOf(INTERVALS), "The interval."] = "student_t"
    correction: Annotated[str, OneOf(CORRECTIONS), "The correction for several comparisons."] = "max_t"
    level: Annotated[Share, "Confidence of the intervals."] = 0.95
    draws: Annotated[int, Within(100), "Permutations or samples, where something is drawn."] = 10_000
    seed: Annotated[int, "Random seed."] = 0
    looks: Annotated[int, Within(1), "How often one looks in all."] = 1

    def __post_init__(self) -> None:
        for name, words in (("test", TESTS), ("interval", INTERVALS), ("correction", CORRECTIONS)):
            if getattr(self, name) not in words:
                raise not_allowed(name, getattr(self, name), tuple(words))
        if self.interval == "betting" and self.correction in SIMULTANEOUS:
            raise UsageError(
                f"{option('interval', 'betting')}: the correction {self.correction} makes intervals of its own, so no "
                f"verdict would read those by betting. Add {option('correction', 'holm')}."
            )
        for name, least in (("draws", 100), ("seed", 0), ("looks", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise UsageError(f"{option(name, str(value))}: a whole number from {least} up.")

    @property
    def together(self) -> bool:
        """Whether the intervals of all differences hold together, and not each by itself."""
        return self.correction in (*SIMULTANEOUS, "holm")

    def test_of(self, d: Floats, weights: Floats | None) -> Test:
        """Test the differences of queries."""
        return paired_test(self.test, d, weights, seed=self.seed, draws=self.draws)

    def interval_of(
        self, values: Floats, weights: Floats | None, *, level: float | None = None, bounds: Bounds = UNBOUNDED
    ) -> Interval:
        """Return the interval of the mean of values, or of differences, of queries; at another level if given."""
        at = self.level if level is None else level
        return interval(self.interval, values, weights, at, seed=self.seed, draws=self.draws, bounds=bounds)

    @property
    def text(self) -> str:
        """The methods in one line."""
        choice = f"{self.test} test, {self.interval} interval at {percent(self.level)}"
        choice += f" (one of {self.looks} planned looks)" if self.looks > 1 else ""
        correction = f"correction: {CORRECTIONS[self.correction].title}; measures that are only shown together"
        return f"{choice}; {correction}; {self.draws} draws, seed {self.seed}"

    @property
    def p_corrected_by(self) -> Annotated[str, "By what corrected p is corrected."]:
        """By what corrected p is corrected; that of intervals need not be the same."""
        return CORRECTIONS[self.correction].of_p

    @property
    def interval_corrected_by(
        self,
    ) -> Annotated[str, "By what corrected intervals are corrected, which may differ from p."]:
        """By what corrected intervals are corrected."""
        return CORRECTIONS[self.correction].of_intervals


SharedMethods = Annotated[Methods, Shared("methods")]


def contrasts(pairing: Pairing, methods: Methods, progress: Progress | None = None) -> dict[Key, Contrast]:
    """Return the contrast of every pair under every measure.

    The measure that decides and those that guard are corrected each for itself, over the systems: a guardrail can only
    refuse a SHIP, so none has to share its error rate, as in an intersection-union test (Berger 1982, Multiparameter
    hypothesis testing and acceptance sampling, Technometrics 24). Measures that are only shown are corrected together.
    """
    corrected: dict[Key, Contrast] = {}
    for family in _families(pairing):
        corrected |= _correct_family(pairing, methods, family, progress)
    return {key: corrected[key] for key in pairing.keys}


def _families(pairing: Pairing) -> list[list[Key]]:
    """Return the contrasts that are corrected together."""
    alone = [m for m, role in enumerate(pairing.roles) if role != SHOWN]
    together = [key for key in pairing.keys if pairing.roles[key.measure] == SHOWN]
    return [[Key(pair, m) for pair in pairing.pairs] for m in alone] + ([together] if together else [])


def _correct_family(
    pairing: Pairing, methods: Methods, family: list[Key], progress: Progress | None
) -> dict[Key, Contrast]:
    plain = {key: _contrast(pairing, methods, key) for key in family}
    correct = CORRECTIONS[methods.correction]
    hypotheses = _hypotheses(pairing, methods, plain)
    corrected = correct(hypotheses, methods.level, methods.draws, methods.seed, progress)
    return {
        key: _with_correction(contrast, *each) for (key, contrast), each in zip(plain.items(), corrected, strict=True)
    }


def _contrast(pairing: Pairing, methods: Methods, key: Key) -> Contrast:
    scores, (baseline, system) = pairing.scores, key.pair
    places, d, weights = pairing.paired_differences(key)
    if not len(d):
        raise unpaired_error(scores.systems[baseline], scores.systems[system], scores.labels[key.measure])
    before, after = (scores.values[s, key.measure, places] for s in key.pair)
    changed, bounds = make_sample(d, weights), difference_bounds(scores, key.measure)
    direction, role = scores.measures[key.measure].definition.properties.direction, pairing.roles[key.measure]
    better = -d if direction == "lower" else d
    test, span = methods.test_of(d, weights), methods.interval_of(d, weights, bounds=bounds)
    free = (
        _betting_on(better, weights, methods, len(pairing.pairs), bounds) if _needs_unassuming(pairing, role) else None
    )
    return Contrast(
        system=scores.systems[system],
        baseline=scores.systems[baseline],
        measure=scores.labels[key.measure],
        queries=len(d),
        unpaired=pairing.unpaired(key),
        mean=make_sample(after, weights).mean,
        baseline_mean=make_sample(before, weights).mean,
        difference=changed.mean,
        interval=span,
        test=test,
        p=test.p,
        corrected=span,
        effect=effect_size(d, weights),
        **_count_changes(better),
        deviation=changed.error * math.sqrt(changed.n),
        direction=direction,
        role=role,
        skewness=skewness(make_sample(better, weights)),
        largest=bounds[1],
        effective=changed.effective,
        betting=free,
    )


def _count_changes(better: Floats) -> dict[str, Any]:
    """Return how many queries gain and lose, and the smallest and largest gain of one."""
    kinds = {"wins": better > 0, "ties": better == 0, "losses": better < 0}
    ends = {"worst": float(better.min()), "best": float(better.max())}
    return {name: int(each.sum()) for name, each in kinds.items()} | ends


def _needs_unassuming(pairing: Pairing, role: Role) -> bool:
    """Whether an interval without assumptions can tell anything: the measure decides, and pairs are not too many."""
    return role == DECIDES and (bool(pairing.baseline) or len(pairing.pairs) <= MOST_PAIRS)


def _betting_on(better: Floats, weights: Floats | None, methods: Methods, pairs: int, bounds: Bounds) -> Betting | None:
    """Return what gives the interval of gains that assumes nothing but their bounds; None where they have none.

    All of them hold at once at the level (Bonferroni), unless nothing is corrected.
    """
    if not all(math.isfinite(end) for end in bounds):
        return None
    alpha = (1 - methods.level) / (1 if methods.correction == "none" else pairs)
    return Betting(better, weights, bounds, 1 - alpha, methods.level)


def _hypotheses(pairing: Pairing, methods: Methods, plain: Mapping[Key, Contrast]) -> Hypotheses:
    def intervals(level: float) -> list[Interval]:
        if level == methods.level:
            return [contrast.interval for contrast in plain.values()]
        samples = ((pairing.paired_differences(key), difference_bounds(pairing.scores, key.measure)) for key in plain)
        return [methods.interval_of(d, weights, level=level, bounds=bounds) for (_, d, weights), bounds in samples]

    return Hypotheses(
        keys=list(plain),
        means=[contrast.difference for contrast in plain.values()],
        p=np.array([contrast.p for contrast in plain.values()]),
        intervals=intervals,
        differences=lambda: (differences(pairing, plain), pairing.weights_of(pairing.by_id)),
        complete=pairing.complete,
    )


def _with_correction(contrast: Contrast, p: float, corrected: Interval) -> Contrast:
    error, bounds = contrast.deviation / math.sqrt(contrast.queries), (-contrast.largest, contrast.largest)
    critical = (corrected.high - corrected.low) / 2 / error if error > 0 else math.nan
    whole = replace(contrast, p=p, corrected=corrected.within(bounds), critical=critical)
    if math.isnan(whole.alpha):
        return whole
    return replace(whole, detectable=detectable(whole.deviation, whole.queries, whole.alpha))


def differences(pairing: Pairing, keys: Iterable[Key]) -> Floats:
    """(H, Q) differences, queries by id; NaN where a query is not paired."""
    rows = (np.where(pairing.paired(*key), pairing.difference(*key), np.nan) for key in keys)
    return np.array([row[pairing.by_id] for row in rows])


SMALL_JOB = 2_000_000_000
"""Differences times draws that take no time worth announcing."""


def expected_seconds(pairing: Pairing, correction: str, draws: int) -> float:
    """Return how long the correction will take here, from a few draws made and timed; 0 for a small job.

    Parameters
    ----------
    correction
        A key of `CORRECTIONS`; those that draw nothing take no time.
    """
    systems, measures, queries = pairing.scores.values.shape
    drawn = {"max_t": len(pairing.keys), "tukey": 10 * systems * measures}.get(correction, 0)
    if drawn * queries * draws <= SMALL_JOB:
        return 0.0
    if correction == "max_t":
        return float(max_t.expected_max_t_seconds(differences(pairing, pairing.keys), draws=draws))
    return float(measures * all_pairs.expected_tukey_seconds(pairing.complete(0)[0], draws=draws))
