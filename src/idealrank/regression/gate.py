"""gate: conditions that a new system must meet, as a build checks them."""

from __future__ import annotations

import itertools
import os
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from idealrank.comparison.compare import compare, refuse_with_scores, scores_from, with_measures
from idealrank.comparison.conditions import KINDS, Condition, Kind, as_argument, read_conditions
from idealrank.comparison.contrasts import LEAST_ALPHA, Methods
from idealrank.comparison.verdict.rule import refuse_beyond
from idealrank.conventions import Setting, parse_convention
from idealrank.data.formats.head import is_baseline, is_saved_scores
from idealrank.data.results import Results
from idealrank.data.systems import system_name
from idealrank.decisions.decisions import naming, refuse_unknown
from idealrank.errors import DataError, UsageError, either, listed, option, quoted_option
from idealrank.evaluation.evaluate import EvaluationOptions, evaluate, source_file, split_weights
from idealrank.evaluation.requested_measures import measures_under
from idealrank.evaluation.scores import Scores, read_scores
from idealrank.measures import DEFAULT_MEASURES
from idealrank.measures.definition import Measure
from idealrank.regression.baseline import Baseline, baseline_of, read_baseline
from idealrank.regression.checks import check_conditions
from idealrank.regression.outcome import Gate
from idealrank.regression.reference import Reference, SystemReference, baseline_reference, default_drops, refuse_changed

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
        to compare with. The baseline may also be the file that `bless` wrote, or scores that were saved with their
        lists: then no measure in it may drop by its tolerance, and judgments, decisions and documents must be the same.
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
    kept, saved = _read_baseline(baseline)
    if isinstance(results, Scores):
        raise UsageError(
            "The new results are finished scores. Give them in place of judgments: ir.gate(new, baseline)."
        )
    if isinstance(judgments, Scores):
        refuse_with_scores(options, baseline=None if kept is not None else baseline, results=results)
        setting = judgments.setting
    else:
        decisions = {name: value for name, value in options.items() if name not in _NO_DECISIONS}
        weights, _ = split_weights(options.get("weights"))
        setting = parse_convention(options.get("convention", "idealrank-1"), decisions | weights)
    conditions = _conditions(setting, fail_if, minimum, max_unjudged)
    level = 0.95 if alpha is None else 1 - alpha
    if kept is not None:
        asked = [fail_if] if isinstance(fail_if, str) else fail_if
        guard = default_drops(kept, [measure.name for measure in _measures_of(conditions, "drop")], tolerance)
        conditions = _conditions(setting, [*asked, *guard], minimum, max_unjudged)
    elif tolerance is not None:
        raise UsageError(
            f"{option('tolerance')}: only for a baseline's file. Give {as_argument('fail_if', 'nDCG@10 drops 0.01')}."
        )
    one_system = len(judgments.systems) == 1 if isinstance(judgments, Scores) else baseline is None
    alone = one_system and kept is None
    values_alone = kept is not None and saved is None
    _refuse_conditions(conditions, alone, values_alone, alpha)
    if saved is not None and isinstance(judgments, Scores):
        if not judgments.lists.in_memory:
            raise UsageError(
                "Results that are evaluated in parts (--memory, or files larger than memory) are not compared with "
                "saved scores. Make a baseline of the old results, whose file keeps hashes of their lists: "
                f"{either('ir.bless(scores, path)', 'idealrank gate JUDGMENTS OLD --baseline FILE --bless')}."
            )
        names = _distinct_names([saved.systems[0], judgments.systems[0]])
        judgments = scores_from(dict(zip(names, (saved, judgments), strict=True)), None, None, {})
    systems = results
    if not values_alone:
        systems = _name_systems(baseline if saved is None else saved.joins[0].results, results)
    unguarded = kept is not None and saved is not None and not isinstance(judgments, Scores) and not options.get("only")
    if kept is not None and unguarded:
        options["only"] = list(kept.queries)
    scores = _scores_of(judgments, systems, _measures_of(conditions) or [_default_measure(setting)], options)
    _refuse_several(scores, 1 if alone or values_alone else 2)
    methods = Methods(level=1 - (1 - level) / looks if looks > 1 else level, seed=seed)
    with scores.lists.open():
        # Those that may not drop are the first of all; the first is compared where there are none.
        guarded = with_measures(scores, range(len(_measures_of(conditions, "drop")) or 1))
        reference: Reference | None = None
        changed = None
        if kept is not None and saved is not None:
            now = baseline_of(guarded, scores.systems[1])
            if unguarded:  # what was not asked for here is what was added
                now = replace(now, unjudged=len(scores.unjudged_queries(1, everything=True)))
            added = itertools.compress(scores.queries, ~scores.in_scope) if unguarded else ()
            changed = replace(refuse_changed(kept, now), added=tuple(added))
        if kept is not None and saved is None:
            reference = baseline_reference(kept, guarded, methods)
        elif not alone:
            compared = compare(guarded, baseline=scores.systems[0], level=level, looks=looks, seed=seed)
            reference = SystemReference(compared, changed)
        return Gate(check_conditions(conditions, scores, reference, methods, alpha), scores, reference, strict, alpha)


def _conditions(
    setting: Setting, fail_if: Sequence[str] | str, minimum: Sequence[str] | str, max_unjudged: float | None
) -> dict[Condition, Measure | None]:
    """Read conditions, drops first, each with its measure under a convention; refuse what can never fail or pass."""
    every = (*read_conditions(fail_if, "fail_if"), *read_conditions(minimum, "minimum"))
    found = {each: _measure(setting, each) if each.measure else None for each in every}
    if max_unjudged is not None:
        if not 0 <= max_unjudged <= 1:
            raise UsageError(f"{option('max_unjudged', str(max_unjudged))}: a share is between 0 and 1, as 0.2.")
        depth = next(filter(None, found.values()), _default_measure(setting)).cutoff
        found[Condition("unjudged", "unjudged" if depth is None else f"unjudged@{depth}", "<=", max_unjudged)] = None
    return dict(sorted(found.items(), key=lambda item: KINDS.index(item[0].kind)))


def _measure(setting: Setting, condition: Condition) -> Measure:
    asked = as_argument("fail_if" if condition.kind == "drop" else "minimum", condition.measure)
    try:
        measures = measures_under(setting, [condition.measure])
    except UsageError as error:
        raise UsageError(f"{asked}: {error}") from None
    if len(measures) != 1:
        raise UsageError(f"{asked}: {len(measures)} measures. Give one cutoff per condition.")
    measure = measures[0]
    if condition.kind == "drop" and measure.definition.properties.direction == "lower":
        raise UsageError(
            f"{as_argument('fail_if', str(condition))}: lower {measure} is better, so a drop is a gain. "
            f"Give it a limit: {as_argument('minimum', f'{measure}<=…')}."
        )
    if condition.against == "baseline":
        refuse_beyond("fail_if", -condition.bound, measure)
    return measure


def _default_measure(setting: Setting) -> Measure:
    """Return the measure where none is named."""
    return measures_under(setting, [DEFAULT_MEASURES[0]])[0]


def _scores_of(judgments: Any, results: Any, measures: Sequence[Measure], options: Mapping[str, Any]) -> Scores:
    """Evaluate, or take the measures out of finished scores; refuse judgments in the place of results."""
    if isinstance(judgments, Scores):
        scores = with_measures(judgments, [judgments.place_of(measure) for measure in measures])
    else:
        scores = evaluate(judgments, results, list(measures), **options)
    # evaluate warns of results that have grades and no order, which may be meant; nobody reads the warnings of a gate.
    ordered = scores.setting.overrides.get("order_by") == "given"
    for counts in () if ordered else scores.counts.returned:
        if counts.like_judgments:
            raise DataError(
                f"{counts.name}: given as results, and has grades but neither ranks nor scores, so it looks "
                f"like judgments. If it does contain results, in their order: {option('order_by', 'given')}."
            )
    return scores


def _refuse_conditions(conditions: Collection[Condition], alone: bool, kept: bool, alpha: float | None) -> None:
    if not conditions:
        raise UsageError(
            "A gate without a condition lets everything through. Give "
            f"{as_argument('fail_if', 'nDCG@10 drops 0.01')}, {as_argument('minimum', 'nDCG@10>=0.45')} or "
            f"{option('max_unjudged', '0.2')}."
        )
    beside = next((each for each in conditions if not each.own and (each.kind == "latency" or alone)), None)
    if beside is not None and (alone or kept):
        if not alone:
            why = f"the file of a baseline contains no times. Give a limit such as {beside.of}<=200ms."
        elif beside.kind == "drop":
            why = "nothing to drop from. Give the baseline's results before the new ones."
        else:
            why = "nothing to be slower than. Give the baseline's results before the new ones, or a limit of their "
            why += f"own, as {as_argument('minimum', f'{beside.of}<=200ms')}."
        raise UsageError(f"{beside}: {why}")
    if alpha is not None and not (isinstance(alpha, float) and LEAST_ALPHA <= alpha < 1):
        raise UsageError(f"{option('alpha', str(alpha))}: it is between 0 and 1, as 0.05.")


def _name_systems(baseline: Any, results: Any) -> Any:
    """Put both side by side, each under its own name where it has one."""
    for several in (baseline, results):
        if isinstance(several, (list, tuple)) and len(several) > 1 and all(map(_is_one_system, several)):
            raise UsageError(
                f"A gate checks one system, and {len(several)} are given as one. Give the baseline and the new results "
                "one by one: ir.gate(judgments, baseline, results, …)."
            )
    if baseline is None:
        return results
    if _file_of(baseline) and _file_of(baseline) == _file_of(results):
        raise DataError(
            "The same file is given twice, as the baseline and as the new results. Give those of the new system."
        )
    names = _distinct_names([_name_of(baseline) or "baseline", _name_of(results) or "results"])
    return dict(zip(names, (baseline, results), strict=True))


def _distinct_names(names: list[str]) -> list[str]:
    return names if names[0] != names[1] else ["baseline", "results"]


def _is_one_system(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike, Results))


def _file_of(source: Any) -> str:
    """Return the file that results come from; "" for tables in memory."""
    if isinstance(source, Results):
        return source_file(source.source)
    return os.path.realpath(source) if isinstance(source, (str, os.PathLike)) and os.path.exists(source) else ""


def _name_of(source: Any) -> str:
    return source.label if isinstance(source, Results) else system_name(source)


def _refuse_several(scores: Scores, most: int) -> None:
    if len(scores.systems) > most:
        raise UsageError(
            f"A gate checks one system, and there are {len(scores.systems)}: {', '.join(scores.systems)}. "
            "Give the results of the baseline, then those of one new system."
        )


def _measures_of(conditions: Mapping[Condition, Measure | None], *kinds: Kind) -> list[Measure]:
    """Return the measures of conditions, of some kinds or all, each once: those that may not drop first."""
    measures = [measure for each, measure in conditions.items() if measure and (not kinds or each.kind in kinds)]
    return list({measure.fingerprint: measure for measure in measures}.values())


def _refuse_several_kept(systems: Sequence[str], file: str) -> None:
    """Refuse scores of several systems as a baseline."""
    if len(systems) > 1:
        system = quoted_option("system", systems[0])
        alone = f"Save one alone: idealrank evaluate {shlex.quote(file)} {system} --save FILE."
        raise UsageError(
            f"{file or 'the baseline'} contains {len(systems)} systems: {listed(systems)}. A gate compares with one. "
            f"{either('Evaluate its results alone.', alone)}"
        )


def _read_baseline(baseline: Any) -> tuple[Baseline | None, Scores | None]:
    """Return the values of a baseline, and the scores that they are from, if it is saved scores; neither of others."""
    if isinstance(baseline, (str, Path)) and is_saved_scores(baseline):
        saved = read_scores(baseline)
        _refuse_several_kept(saved.systems, str(baseline))
        return replace(baseline_of(saved), file=str(baseline)), saved
    if isinstance(baseline, Scores):
        _refuse_several_kept(baseline.systems, "")
        return baseline_of(baseline), baseline
    if isinstance(baseline, (str, Path)) and is_baseline(baseline):
        return read_baseline(baseline), None
    return (baseline, None) if isinstance(baseline, Baseline) else (None, None)
