"""What dropped, and the queries that lose most: against results, or against values that were kept."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from idealrank.comparison.exports import WORST
from idealrank.comparison.gate.baseline_file import Kept
from idealrank.comparison.gate.conditions import Drop
from idealrank.comparison.gate.finding import FAILED, Finding, of_drop
from idealrank.comparison.gate.gate import gate
from idealrank.comparison.moves import losses_grid
from idealrank.display.blocks import Block, Heading
from idealrank.display.table import Table
from idealrank.display.text import lines
from idealrank.errors import UsageError, plural, some
from idealrank.evaluation.bounds import difference_bounds
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.scores import Scores
from idealrank.statistics.intervals import interval
from idealrank.statistics.sample import sampled

Regression = tuple[Finding, Table]
"""A drop that fails, and the queries that lose most, as `Comparison.losses` gives them."""


def against_results(
    judgments: Any, baseline: Any, results: Any, drops: Sequence[Drop], alpha: float | None, options: dict[str, Any]
) -> list[Regression]:
    """Return what dropped against the baseline's results."""
    outcome = gate(judgments, baseline, results, fail_if=[str(drop) for drop in drops], alpha=alpha, **options)
    failed = [(f, outcome.worst(WORST, f.measure)) for f in outcome.findings if f.outcome == FAILED]
    return [(finding, table) for finding, table in failed if table is not None]


def scored(judgments: Any, results: Any, drops: Sequence[Drop], options: dict[str, Any]) -> Scores:
    """Evaluate one system under the measures that may not drop.

    Raises
    ------
    UsageError
        If there are several systems, a name means several measures, or less of a measure is better.
    """
    scores = evaluate(judgments, results, [drop.measure for drop in drops], **options)
    if len(scores.systems) > 1:
        raise UsageError(f"One system at a time, and there are {len(scores.systems)}: {', '.join(scores.systems)}.")
    if len(scores.measures) != len(drops):
        raise UsageError(f"Give one cutoff per measure, and each measure once; found {', '.join(scores.labels)}.")
    for measure in scores.measures:
        if measure.definition.properties.direction == "lower":
            raise UsageError(f"Lower {measure} is better, so a drop is a gain. Assert a limit for its mean instead.")
    return scores


def unlike(scores: Scores, kept: Kept) -> list[str]:
    """Say why values that were kept cannot be compared with these: other measures, decisions or queries."""
    return [text for m in range(len(scores.measures)) for text in _unlike(scores, m, kept)]


def _unlike(scores: Scores, m: int, kept: Kept) -> Iterator[str]:
    label, fingerprint = scores.labels[m], scores.measures[m].fingerprint
    if label not in kept.fingerprints:
        yield f"The baseline has no values of {label}."
        return
    if kept.fingerprints[label] != fingerprint:
        yield f"The baseline's {label} is {kept.fingerprints[label]}, and this is {fingerprint}."
    now = {scores.queries[q] for q in np.flatnonzero(~np.isnan(scores.values[0, m]))}
    gone, new = sorted(set(kept.values[label]) - now), sorted(now - set(kept.values[label]))
    if gone:
        yield f"{plural(len(gone), 'query')} of the baseline without a value of {label} now: {some(gone)}."
    if new:
        yield f"{plural(len(new), 'query')} with a value of {label} that the baseline does not have: {some(new)}."


def against_kept(scores: Scores, kept: Kept, drops: Sequence[Drop], alpha: float | None) -> list[Regression]:
    """Return what dropped against values that were kept of the same queries.

    The interval is Student's t at the level 1 - alpha / (number of measures): Bonferroni's correction.
    """
    level = 1 - (0.05 if alpha is None else alpha) / len(drops)
    regressions = [_compared(scores, m, kept, drop, alpha, level) for m, drop in enumerate(drops)]
    return [(finding, table) for finding, table in regressions if finding.outcome == FAILED]


def _compared(scores: Scores, m: int, kept: Kept, drop: Drop, alpha: float | None, level: float) -> Regression:
    label = scores.labels[m]
    places = np.flatnonzero(~np.isnan(scores.values[0, m]))
    queries = [scores.queries[q] for q in places]
    weights = None if scores.weights is None else scores.weights[places]
    before, after = np.array([kept.values[label][query] for query in queries]), scores.values[0, m, places]
    was, now, change = (sampled(x, weights).mean for x in (before, after, after - before))
    bounds = difference_bounds(scores, m)
    span = interval("student_t", after - before, weights, level, seed=0, bounds=bounds)
    finding = of_drop(drop, was, now, change, span, alpha)
    order = sorted(np.flatnonzero(after < before), key=lambda i: (after[i] - before[i], queries[i]))[:WORST]
    columns: dict[str, Any] = {"query": [queries[i] for i in order], "measure": [label] * len(order)}
    columns |= {"text": [scores.texts.get(queries[i]) for i in order]} if scores.texts else {}
    numbers = {"baseline value": before, "value": after, "difference": after - before}
    return finding, Table(columns | {name: values[order] for name, values in numbers.items()})


def regressions_text(regressions: Iterable[Regression]) -> str:
    """Write what dropped, and the queries that lose most; "" where nothing did."""
    blocks: list[Block] = []
    for finding, losses in regressions:
        blocks += [Heading("{}", (finding.sentence,)), losses_grid(losses)]
    return "\n".join(lines(blocks, 100))
