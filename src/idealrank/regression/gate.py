"""gate: conditions that a new system must meet, as a build checks them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from idealrank.comparison.changes import losses_grid
from idealrank.comparison.compare import compare, refuse_with_scores, with_measures
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Methods
from idealrank.comparison.exports import WORST
from idealrank.comparison.latency_limits import about_latency, read_limits
from idealrank.comparison.verdict.rule import refuse_beyond
from idealrank.conventions import Setting, parse_convention
from idealrank.data.results import Results
from idealrank.data.systems import system_name
from idealrank.decisions.decisions import naming, refuse_unknown
from idealrank.display.blocks import Block, Heading
from idealrank.display.table import Table
from idealrank.display.text import lines
from idealrank.errors import DataError, UsageError, listed, named, option, plural
from idealrank.evaluation.evaluate import EvaluationOptions, evaluate, file_of
from idealrank.evaluation.requested_measures import measures_under
from idealrank.evaluation.scores import Scores
from idealrank.measures import DEFAULT_MEASURES
from idealrank.measures.definition import Measure
from idealrank.regression.baseline import Baseline, baseline_of, read_baseline
from idealrank.regression.baseline_diff import differences
from idealrank.regression.checks import (
    BaselineComparison,
    Conditions,
    LatencyTest,
    baseline_findings,
    baseline_values,
    default_drops,
    findings,
    paired_with,
    refuse_other,
)
from idealrank.regression.conditions import FAILED, ConditionResult, Drop, Unjudged, read_drop, read_level
from idealrank.regression.outcome import BaselineGate, Gate

# What dropped, and the queries that lose most: against results, or against values that were kept.


Regression = tuple[ConditionResult, Table]
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
    method = LatencyTest(alpha, 0.95 if alpha is None else 1 - alpha)
    found = against(name, kept, scores, conditions, method, strict=False)
    failed = (f for f in found.findings if f.outcome == FAILED or f.failed)
    return [(f, found.worst(measure=f.measure) if f.measure else found.worst(0)) for f in failed]


def regressions_text(regressions: Iterable[Regression]) -> str:
    """Write what dropped, and the queries that lose most; "" where nothing did."""
    blocks: list[Block] = []
    for finding, losses in regressions:
        blocks += [Heading("{}", (finding.sentence,)), *([losses_grid(losses)] if len(losses) else [])]
    return "\n".join(lines(blocks, 100))


_OWN = (
    "fail_if", "minimum", "max_unjudged", "tolerance", "alpha", "strict", "looks", "seed", "convention", "queries",
    "weights", "only",
)  # fmt: skip
_NO_DECISIONS = ("convention", "queries", "weights", "only")


@naming(EvaluationOptions)
def gate(
    judgments: Any,
    baseline: Any = None,
    results: Any = None,
    *,
    fail_if: Sequence[str] | str = (),
    minimum: Sequence[str] | str = (),
    max_unjudged: float | None = None,
    tolerance: float | Mapping[str, float] | None = None,
    alpha: float | None = None,
    strict: bool = False,
    looks: int = 1,
    seed: int = 0,
    **options: Unpack[EvaluationOptions],
) -> Gate:
    """Check that new results meet conditions: no drop, means high enough, enough of it judged, searches fast enough.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``. Or finished scores, of the new system or of the baseline
        and the new one, with all measures that the conditions name; beside scores `baseline` can only be a file.
    baseline, results
        One system each: a path, a dataframe, or ``{query: {document: score}}``; `baseline` None: there is nothing
        to compare with. The baseline may also be the file that `bless` wrote: then no measure in it may drop by its
        tolerance, and judgments, decisions and documents must be those of the file.
    fail_if
        ``MEASURE drops X``: fails where the mean difference is −X or less; ``MEASURE drops X%``: of the baseline's
        mean. Several as a list.
    minimum
        ``MEASURE>=X`` (or ``>``, ``<=``, ``<``): what the mean of the new results must be. Of latencies:
        ``latency_p95 <= +10%`` or ``latency_p95 <= +20ms`` than the baseline's, or ``latency_p95 <= 200ms``, with p50,
        p95 or p99; ``took_p95`` is the engine's own time.
    max_unjudged
        The largest share of the new results, 0 to 1, that may have no judgment: in the top k of the first measure
        named, of all results where it has no cutoff; of the top 10 where none is named.
    tolerance
        What a measure may lose against the file of a baseline: one number, or by measure. None: 0.01, or 1% of
        measures whose values may exceed 1. A condition under `fail_if` goes before it.
    alpha
        A drop fails only if its interval at the level 1 − alpha is wholly below 0. Each measure has this level to
        itself, as in `compare`. None: the mean difference alone makes it fail.
    strict
        Whether a drop that can be neither seen nor ruled out with these queries is an outcome of its own: the
        interval includes 0 where the drop is there, or the drop where it is not (95% without an alpha).
    looks
        How often one looks in all, with more queries each time; each look has its share of alpha.
    seed
        Of what is drawn for the correction.
    **options
        `convention`, `queries`, `weights`, `only` and answers to decisions, as for `evaluate`.

    Returns
    -------
    Gate: outcome, exit code, what came of every condition.

    Raises
    ------
    DataError
        If the data cannot be used: where, what, and what to do.
    UsageError
        If a condition cannot be read, a name is not known, or there is no condition.

    Examples
    --------
    >>> qrels = {f"q{i}": {"d": 1} for i in range(8)}
    >>> before = {f"q{i}": {"d": 2.0, "x": 1.0} for i in range(8)}
    >>> after = before | {"q3": {"x": 2.0, "d": 1.0}}
    >>> found = gate(qrels, before, after, fail_if="RR drops 0.05", minimum="RR>=0.9")
    >>> found.outcome, found.code
    ('failed', 1)
    >>> for finding in found.findings:
    ...     print(finding.outcome, "-", finding.sentence)
    failed - RR drops by 0.0625, from 1.0000 to 0.9375; the limit is 0.05
    passed - RR is 0.9375 over 8 queries, >= 0.9
    """
    refuse_unknown((name for name in options if name not in _OWN), _OWN)
    if isinstance(judgments, Scores):
        refuse_with_scores(options, baseline=None if baseline_values(baseline) else baseline, results=results)
        setting = judgments.setting
    else:
        decisions = {name: value for name, value in options.items() if name not in _NO_DECISIONS}
        setting = parse_convention(options.get("convention", "idealrank-1"), decisions)
    conditions = conditions_under(setting, fail_if, minimum, max_unjudged)
    level = 0.95 if alpha is None else 1 - alpha
    method = LatencyTest(alpha, 1 - (1 - level) / looks if looks > 1 else level, seed)
    if baseline_values(baseline):
        guard = default_drops(kept := _read(baseline), _named(conditions), tolerance)
        conditions = conditions_under(setting, [*_listed(fail_if), *guard], minimum, max_unjudged)
        _refuse(conditions, False, alpha)
        scores = _scored(judgments, results, _measures(conditions, setting), options)
        return against(kept.file or "the baseline", kept, scores, conditions, method, strict)
    if tolerance is not None:
        raise UsageError(
            f"{option('tolerance')}: only for a baseline's file. Give {named('fail_if', 'nDCG@10 drops 0.01')}."
        )
    alone = len(judgments.systems) == 1 if isinstance(judgments, Scores) else baseline is None
    _refuse(conditions, alone, alpha)
    scores = _scored(judgments, _systems(baseline, results), _measures(conditions, setting), options)
    _refuse_several(scores, alone)
    comparison = None if alone else _compared(scores, conditions, level, looks, seed)
    return Gate(findings(conditions, scores, comparison, method), scores, comparison, strict, alpha)


def _scored(judgments: Any, results: Any, measures: Sequence[Measure], options: Mapping[str, Any]) -> Scores:
    """Evaluate, or take the measures out of finished scores; refuse judgments in the place of results."""
    if isinstance(judgments, Scores):
        scores = with_measures(judgments, [judgments.place_of(measure) for measure in measures])
    else:
        scores = evaluate(judgments, results, list(measures), **options)
    # evaluate warns of results that have grades and no order, which may be meant; nobody reads the warnings of a gate.
    ordered = scores.setting.overrides.get("order_by") == "given"
    for meeting in () if scores.parts or ordered else scores.meetings:
        if meeting.results.like_judgments:
            raise DataError(
                f"{meeting.results.name}: given as results, and has grades but neither ranks nor scores, so it looks "
                f"like judgments. If it does contain results, in their order: {option('order_by', 'given')}."
            )
    return scores


def _read(baseline: Baseline | str | Path) -> Baseline:
    return baseline if isinstance(baseline, Baseline) else read_baseline(baseline)


def _named(conditions: Conditions) -> list[str]:
    return [measure.name for _, measure in conditions.drops]


def against(
    name: str, baseline: Baseline, scores: Scores, conditions: Conditions, method: LatencyTest, strict: bool
) -> BaselineGate:
    """Check conditions against a baseline's file."""
    _refuse_several(scores, True)
    relative = next((limit for limit in conditions.latencies if limit.relative), None)
    if relative is not None:
        raise UsageError(
            f"{relative}: the file of a baseline contains no times. Give a limit such as {relative.name}<=200ms."
        )
    guarded = _guarded(scores, conditions)
    now = baseline_of(guarded)
    changed = differences(baseline, now)
    refuse_other(name, changed, baseline.convention)
    methods = Methods("t", "student_t", "max_t", method.level, 10_000, method.seed)
    kept = BaselineComparison(name, baseline, now, changed, *paired_with(baseline, guarded, methods))
    others = findings(replace(conditions, drops=()), scores, None, method)
    found = (*baseline_findings(kept, conditions.drops, method.alpha), *others)
    return BaselineGate(found, scores, None, strict, method.alpha, kept=kept)


def conditions_under(
    setting: Setting, fail_if: Sequence[str] | str, minimum: Sequence[str] | str, max_unjudged: float | None
) -> Conditions:
    """Read conditions, and their measures under a convention.

    Raises
    ------
    UsageError
        If one cannot be read, its measure is not known, or it can never fail or never pass.
    """
    drops = [(read_drop(text), _measure(setting, read_drop(text).measure, "fail_if")) for text in _listed(fail_if)]
    latencies = read_limits([text for text in _listed(minimum) if about_latency(text)], "minimum", "min")
    means = [read_level(text) for text in _listed(minimum) if not about_latency(text)]
    levels = [(level, _measure(setting, level.measure, "minimum", "min")) for level in means]
    for drop, measure in drops:
        if measure.definition.properties.direction == "lower":
            raise UsageError(
                f"{named('fail_if', str(drop))}: lower {measure} is better, so a drop is a gain. "
                f"Give it a limit: {named('minimum', f'{measure}<=…', 'min')}."
            )
    if max_unjudged is not None and not 0 <= max_unjudged <= 1:
        raise UsageError(f"{option('max_unjudged', str(max_unjudged))}: a share is between 0 and 1, as 0.2.")
    first = next((measure for _, measure in (*drops, *levels)), _default(setting))
    unjudged = None if max_unjudged is None else Unjudged(max_unjudged, first.cutoff)
    return Conditions(drops, levels, unjudged, latencies)


def _listed(texts: Sequence[str] | str) -> list[str]:
    return [texts] if isinstance(texts, str) else list(dict.fromkeys(texts))


def _measure(setting: Setting, text: str, name: str, flag: str = "") -> Measure:
    try:
        measures = measures_under(setting, [text])
    except UsageError as error:
        raise UsageError(f"{named(name, text, flag)}: {error}") from None
    if len(measures) != 1:
        raise UsageError(f"{named(name, text, flag)}: {len(measures)} measures. Give one cutoff per condition.")
    return measures[0]


def _default(setting: Setting) -> Measure:
    return measures_under(setting, [DEFAULT_MEASURES[0]])[0]


def _refuse(conditions: Conditions, alone: bool, alpha: float | None) -> None:
    given = (conditions.drops, conditions.levels, conditions.latencies)
    if not any(given) and conditions.unjudged is None:
        raise UsageError(
            "A gate without a condition lets everything through. Give "
            f"{named('fail_if', 'nDCG@10 drops 0.01')}, {named('minimum', 'nDCG@10>=0.45', 'min')} or "
            f"{option('max_unjudged', '0.2')}."
        )
    if conditions.drops and alone:
        raise UsageError(
            f"{conditions.drops[0][0]}: nothing to drop from. Give the baseline's results before the new ones."
        )
    if alone and (limit := next((limit for limit in conditions.latencies if limit.relative), None)) is not None:
        raise UsageError(
            f"{limit}: nothing to be slower than. Give the baseline's results before the new ones, or a limit of their "
            f"own, as {named('minimum', f'{limit.name}<=200ms', 'min')}."
        )
    for drop, measure in conditions.drops:
        if not drop.relative:
            refuse_beyond("fail_if", drop.amount, measure)
    if alpha is not None and not (isinstance(alpha, float) and 0 < alpha < 1):
        raise UsageError(f"{option('alpha', str(alpha))}: it is between 0 and 1, as 0.05.")


def _systems(baseline: Any, results: Any) -> Any:
    """Put both side by side, each under its own name where it has one."""
    if baseline is None:
        return results
    if _file(baseline) and _file(baseline) == _file(results):
        raise DataError(
            "The same file is given twice, as the baseline and as the new results. Give those of the new system."
        )
    names = [_name(baseline) or "baseline", _name(results) or "results"]
    if names[0] == names[1]:
        names = ["baseline", "results"]
    return dict(zip(names, (baseline, results), strict=True))


def _file(source: Any) -> str:
    """Return the file that results come from; "" for tables in memory."""
    if isinstance(source, Results):
        return file_of(source.source)
    return os.path.realpath(source) if isinstance(source, (str, os.PathLike)) and os.path.exists(source) else ""


def _name(source: Any) -> str:
    return source.label if isinstance(source, Results) else system_name(source)


def _refuse_several(scores: Scores, alone: bool) -> None:
    if len(scores.systems) > (1 if alone else 2):
        raise UsageError(
            f"A gate checks one system, and there are {len(scores.systems)}: {', '.join(scores.systems)}. "
            "Give the results of the baseline, then those of one new system."
        )


def _measures(conditions: Conditions, setting: Setting) -> list[Measure]:
    """Return the measures to evaluate: those that may not drop first."""
    measures = [measure for _, measure in (*conditions.drops, *conditions.levels)] or [_default(setting)]
    return list({measure.fingerprint: measure for measure in measures}.values())


def _compared(scores: Scores, conditions: Conditions, level: float, looks: int, seed: int) -> Comparison:
    """Compare under the measures that may not drop, and no others."""
    return compare(_guarded(scores, conditions), baseline=scores.systems[0], level=level, looks=looks, seed=seed)


def _guarded(scores: Scores, conditions: Conditions) -> Scores:
    """Return the scores of the measures that may not drop, or of the first; they are the first of all."""
    count = len({measure.fingerprint for _, measure in conditions.drops}) or 1
    return with_measures(scores, list(range(count)))
