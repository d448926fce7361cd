"""What dropped, and the queries that lose most: against results, or against values that were kept."""

from collections.abc import Iterable, Sequence
from typing import Any

from idealrank.comparison.baseline.baseline import Baseline
from idealrank.comparison.baseline.differences import differences
from idealrank.comparison.baseline.making import baseline_of
from idealrank.comparison.exports import WORST
from idealrank.comparison.gate.checking import Conditions
from idealrank.comparison.gate.conditions import Drop
from idealrank.comparison.gate.finding import FAILED, Finding
from idealrank.comparison.gate.gate import against, gate
from idealrank.comparison.gate.latency import Method
from idealrank.comparison.moves import losses_grid
from idealrank.display.blocks import Block, Heading
from idealrank.display.table import Table
from idealrank.display.text import lines
from idealrank.errors import UsageError, listed, plural
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.scores import Scores

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


def unlike(scores: Scores, kept: Baseline) -> list[str]:
    """Say why values that were kept cannot be compared with these: other measures, decisions, queries or judgments."""
    found = differences(kept, baseline_of(scores))
    added = f"{plural(len(found.added), 'query')} that the baseline does not have: {listed(found.added)}."
    return [*found.refusals, *([added] if found.added else [])]


def against_kept(
    name: str, scores: Scores, kept: Baseline, drops: Sequence[Drop], alpha: float | None
) -> list[Regression]:
    """Return what dropped against values that were kept of the same queries, and what failed searches leave open.

    Each measure has the level 1 - alpha to itself, as in `gate`.
    """
    conditions = Conditions(list(zip(drops, scores.measures, strict=True)), [], None)
    method = Method(alpha, 0.95 if alpha is None else 1 - alpha)
    found = against(name, kept, scores, conditions, method, strict=False)
    failed = (f for f in found.findings if f.outcome == FAILED or f.failed)
    return [(f, found.worst(measure=f.measure) if f.measure else found.worst(0)) for f in failed]


def regressions_text(regressions: Iterable[Regression]) -> str:
    """Write what dropped, and the queries that lose most; "" where nothing did."""
    blocks: list[Block] = []
    for finding, losses in regressions:
        blocks += [Heading("{}", (finding.sentence,)), *([losses_grid(losses)] if len(losses) else [])]
    return "\n".join(lines(blocks, 100))
