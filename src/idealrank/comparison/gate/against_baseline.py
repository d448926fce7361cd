"""From a baseline and scores to findings: a drop of each measure, and queries that went missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from idealrank.arrays import SAME
from idealrank.comparison.advice import more_queries
from idealrank.comparison.baseline.baseline import Baseline
from idealrank.comparison.baseline.differences import Differences
from idealrank.comparison.contrasts import Contrast, contrasts
from idealrank.comparison.gate.checking import failed_searches
from idealrank.comparison.gate.conditions import Drop
from idealrank.comparison.gate.finding import CANT_TELL, FAILED, Finding, of_drop
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Key, Pairing
from idealrank.comparison.roles import DECIDES, GUARDS
from idealrank.comparison.rule import Rule
from idealrank.data.recognition.baselines import is_baseline
from idealrank.display.amounts import amount
from idealrank.errors import DataError, UsageError, either, listed, named, option, plural
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import State
from idealrank.measures import Measure

TOLERANCE = 0.01
"""What a measure may lose where nobody says so: in its own units, or as a share where its values may exceed 1."""


@dataclass(frozen=True, eq=False)
class AgainstBaseline:
    """Scores beside the values of a baseline.

    Attributes
    ----------
    name, baseline, now
        The baseline's file, what it contains, and the same of the scores.
    differences
        What differs between the two.
    pairing, contrasts
        Both values of each query side by side under the measures that may not drop, and their differences.
    """

    name: str
    baseline: Baseline
    now: Baseline
    differences: Differences
    pairing: Pairing
    contrasts: tuple[Contrast, ...]


def kept_in(baseline: Any) -> bool:
    """Whether it is a baseline, or the file of one."""
    return isinstance(baseline, Baseline) or (isinstance(baseline, (str, Path)) and is_baseline(baseline))


def default_drops(
    baseline: Baseline, named_already: Sequence[str], tolerance: float | Mapping[str, float] | None
) -> list[str]:
    """Return a condition for each measure of a baseline that has none: it may not lose its tolerance.

    Raises
    ------
    UsageError
        If a tolerance is negative, or names a measure that the baseline does not have.
    """
    tolerances = tolerance if isinstance(tolerance, Mapping) else {}
    for name in tolerances:
        if name not in baseline.measures:
            raise UsageError(
                f"{named('tolerance', name)}: the baseline has no such measure: {listed(baseline.measures)}."
            )
    amounts = {name: tolerances.get(name, tolerance if isinstance(tolerance, (int, float)) else None)
               for name in baseline.measures if name not in named_already}  # fmt: skip
    return [f"{name} drops {_amount(baseline.measure(name), lost)}" for name, lost in amounts.items()]


def _amount(measure: Measure, tolerance: float | None) -> str:
    if tolerance is None:
        return f"{TOLERANCE:g}" if measure.definition.properties.highest <= 1 else f"{TOLERANCE:.0%}"
    if not tolerance >= 0:
        raise UsageError(f"{option('tolerance', str(tolerance))}: a measure may lose 0 or more.")
    return repr(float(tolerance))


def refuse_other(name: str, differences: Differences, convention: str) -> None:
    """Refuse a baseline of other judgments, decisions, queries or documents.

    Raises
    ------
    DataError
        With everything that differs, and what to do.
    """
    if differences.refusals:
        bless = either("ir.bless(scores, path)", "--bless")
        raise DataError(
            f"{name}: the baseline cannot be compared with these results.",
            *(f"  {text}" for text in differences.refusals),
            f"Give what the baseline was made from ({convention}), or accept the current values with {bless}.",
        )


def paired_with(baseline: Baseline, scores: Scores, methods: Methods) -> tuple[Pairing, tuple[Contrast, ...]]:
    """Put the baseline's values beside scores of the same measures, and contrast them."""
    before = np.array([_values_of(baseline, query, scores.labels) for query in scores.queries], np.float64).T
    left_out = np.where(np.isnan(before), State.LEFT_OUT, State.COMPUTED).astype(np.int8)
    names = ("baseline", scores.systems[0] if scores.systems[0] != "baseline" else "results")
    both = scores.of_systems(
        [0, 0], names, values=np.stack([before, scores.values[0]]), states=np.stack([left_out, scores.states[0]])
    )
    pairing = Pairing(both, names[0], (DECIDES, *[GUARDS] * (len(scores.measures) - 1)))
    by_key = contrasts(pairing, methods)
    return pairing, tuple(by_key[Key(pairing.pairs[0], m)] for m in range(len(scores.measures)))


def _values_of(baseline: Baseline, query: str, labels: Sequence[str]) -> list[float | None]:
    row = baseline.queries.get(query)
    return [None if row is None else row.values.get(label) for label in labels]


def baseline_findings(
    kept: AgainstBaseline, drops: Sequence[tuple[Drop, Measure]], alpha: float | None
) -> list[Finding]:
    """Return what came of every drop, then of queries that had a value and have none."""
    labels = [kept.pairing.scores.labels[kept.pairing.scores.place_of(measure)] for _, measure in drops]
    found = [_drop(kept, drop, label, alpha) for (drop, _), label in zip(drops, labels, strict=True)]
    return [*found, *_missing(kept, labels)]


def _drop(kept: AgainstBaseline, drop: Drop, label: str, alpha: float | None) -> Finding:
    contrast = next(contrast for contrast in kept.contrasts if contrast.measure == label)
    finding = of_drop(drop, contrast.baseline_mean, contrast.mean, contrast.difference, contrast.corrected, alpha)
    doubted = failed_searches(drop, kept.pairing, contrast, kept.pairing.failed(1), finding, alpha)
    if doubted is not None or finding.outcome != CANT_TELL:
        return doubted or finding
    bar = 0.0 if drop.reached(contrast.baseline_mean, contrast.difference) else -finding.limit
    return replace(finding, sentence=f"{finding.sentence}. {more_queries(contrast, Rule(bar, 'not_worse'))}")


def _missing(kept: AgainstBaseline, labels: Sequence[str]) -> Iterator[Finding]:
    """Fail on a query that had a value and is left out of the mean now, unless its search failed."""
    now = {query: row for query, row in kept.now.queries.items() if not row.failed}
    was = {query for label in labels for query in kept.baseline.values(label) if now.get(query) and (
        now[query].values[label] is None)}  # fmt: skip
    lost = sorted(was)
    if lost:
        sentence = f"{plural(len(lost), 'query')} with a value in the baseline and none now: {listed(lost)}"
        yield Finding("queries", "no query goes missing", "", FAILED, float(len(lost)), 0.0, sentence)


def headroom(findings: Sequence[Finding]) -> str:
    """Say which measures are so far above the baseline that a loss beyond the tolerance would pass; "" if none is."""
    above = [f for f in findings if f.kind == "drop" and f.value > -f.limit + SAME]
    said = [
        f"{f.measure} is {amount(f.value, 4)} above the baseline, and could lose {amount(f.value - f.limit, 4)} "
        "before this gate fails"
        for f in above
    ]
    return f"{listed(said, 2, '; ')}. Bless again: --bless, or ir.bless(scores, path)" if said else ""


def options_of(baseline: Baseline) -> dict[str, Any]:
    """Return what identifies a baseline in JSON."""
    return {"system": baseline.system, "date": baseline.date, "idealrank": baseline.version}
