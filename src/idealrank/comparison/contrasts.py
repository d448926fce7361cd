"""From paired systems to contrasts: a test and an interval for each, then the correction over all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from idealrank.arrays import Floats
from idealrank.comparison.contrast import Contrast
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Pairing
from idealrank.errors import DataError, option
from idealrank.statistics.corrections import benjamini_hochberg, holm
from idealrank.statistics.draws import Progress
from idealrank.statistics.effect_size import effect_size
from idealrank.statistics.intervals import Interval, interval
from idealrank.statistics.max_t import max_t
from idealrank.statistics.paired_tests import paired_test
from idealrank.statistics.power import detectable
from idealrank.statistics.sample import sampled
from idealrank.statistics.tukey import randomised_tukey

Key = tuple[tuple[int, int], int]
"""A pair of systems and the place of a measure."""


def contrasts(pairing: Pairing, methods: Methods, progress: Progress | None = None) -> dict[Key, Contrast]:
    """Return the contrast of every pair under every measure, corrected over all of them."""
    keys = [(pair, m) for pair in pairing.pairs for m in range(len(pairing.scores.measures))]
    found = {key: _contrast(pairing, methods, key) for key in keys}
    corrected = _CORRECT[methods.correction](pairing, methods, found, progress)
    return {key: _with(contrast, *corrected[key]) for key, contrast in found.items()}


def _contrast(pairing: Pairing, methods: Methods, key: Key) -> Contrast:
    pair, m = key
    scores = pairing.scores
    keep = np.flatnonzero(pairing.paired(pair, m))
    weights = None if pairing.weights is None else pairing.weights[keep]
    d = pairing.difference(pair, m)[keep]
    if not len(d):
        raise DataError(
            f"{scores.systems[pair[0]]} and {scores.systems[pair[1]]} have no query in common with a value of "
            f"{scores.labels[m]}. Answer {option('no_results', '0')}, or leave the measure out."
        )
    before, after, changed = (sampled(x, weights) for x in (*(scores.values[s, m, keep] for s in pair), d))
    measured = ~np.isnan(scores.values[:, m]).all(axis=0)
    measured &= True if pairing.weights is None else pairing.weights > 0
    unpaired = np.setdiff1d(np.flatnonzero(measured), keep)
    better = -d if scores.measures[m].definition.properties.direction == "lower" else d
    test = paired_test(methods.test, d, weights, seed=methods.seed, draws=methods.draws)
    span = interval(methods.interval, d, weights, methods.level, seed=methods.seed, draws=methods.draws)
    deviation = changed.error * math.sqrt(changed.n)
    return Contrast(
        scores.systems[pair[1]], scores.systems[pair[0]], scores.labels[m],
        len(d), tuple(scores.queries[q] for q in unpaired),
        after.mean, before.mean, changed.mean, span, test, test.p, span, effect_size(d, weights),
        int((better > 0).sum()), int((d == 0).sum()), int((better < 0).sum()),
        math.inf, deviation,
        scores.measures[m].definition.properties.direction,
    )  # fmt: skip


def _with(contrast: Contrast, p: float, corrected: Interval) -> Contrast:
    found = replace(contrast, p=p, corrected=corrected)
    if math.isnan(found.alpha):
        return found
    return replace(found, detectable=detectable(found.deviation, found.queries, found.alpha))


Found = dict[Key, Contrast]
Corrected = dict[Key, tuple[float, Interval]]


def differences(pairing: Pairing, keys: Iterable[Key]) -> Floats:
    """(H, Q) differences, queries by id; NaN where a query is not paired."""
    rows = (np.where(pairing.paired(pair, m), pairing.difference(pair, m), np.nan) for pair, m in keys)
    return np.array([row[pairing.by_id] for row in rows])


def _by_max_t(pairing: Pairing, methods: Methods, found: Found, progress: Progress | None) -> Corrected:
    weights = None if pairing.weights is None else pairing.weights[pairing.by_id]
    made = max_t(
        differences(pairing, found),
        weights,
        draws=methods.draws,
        seed=methods.seed,
        level=methods.level,
        progress=progress,
    )
    ends = zip(made.p, made.low, made.high, strict=True)
    return {
        key: (float(p), Interval(float(low), float(high), methods.level, made.method))
        for key, (p, low, high) in zip(found, ends, strict=True)
    }


def _by_tukey(pairing: Pairing, methods: Methods, found: Found, progress: Progress | None) -> Corrected:
    scores = pairing.scores
    corrected: Corrected = {}
    for m in range(len(scores.measures)):
        made = randomised_tukey(
            *pairing.complete(m), draws=methods.draws, seed=methods.seed, level=methods.level, progress=progress
        )
        for key in (key for key in found if key[1] == m):
            (a, b), middle = key[0], found[key].difference
            span = Interval(middle - made.half_width, middle + made.half_width, methods.level, made.method)
            corrected[key] = (float(made.p[a, b]), span)
    return corrected


def _by_holm(pairing: Pairing, methods: Methods, found: Found, progress: Progress | None) -> Corrected:
    known = sum(not math.isnan(c.p) for c in found.values())
    return _by_steps(pairing, methods, found, holm, (1 - methods.level) / max(known, 1))


def _by_bh(pairing: Pairing, methods: Methods, found: Found, progress: Progress | None) -> Corrected:
    p = np.array([c.p for c in found.values()])
    known, rejected = int((~np.isnan(p)).sum()), int((benjamini_hochberg(p) <= 1 - methods.level).sum())
    # Benjamini and Yekutieli 2005: the intervals of those selected miss at the rate of false discoveries.
    alpha = (1 - methods.level) * max(rejected, 1) / max(known, 1)
    return _by_steps(pairing, methods, found, benjamini_hochberg, alpha)


def _by_steps(
    pairing: Pairing, methods: Methods, found: Found, adjust: Callable[[Floats], Floats], alpha: float
) -> Corrected:
    adjusted = adjust(np.array([c.p for c in found.values()]))
    narrow = replace(methods, level=1 - alpha)
    return {key: (float(p), _contrast(pairing, narrow, key).interval) for key, p in zip(found, adjusted, strict=True)}


def _uncorrected(pairing: Pairing, methods: Methods, found: Found, progress: Progress | None) -> Corrected:
    return {key: (contrast.p, contrast.interval) for key, contrast in found.items()}


_CORRECT = {"max_t": _by_max_t, "tukey": _by_tukey, "holm": _by_holm, "bh": _by_bh, "none": _uncorrected}
