"""pytrec_eval's interface: code written for it runs unchanged with this module instead.

Import it as ``from idealrank.integrations import pytrec_eval``.
Grades may be fractional here. The values are those of the convention ``pytrec_eval`` (trec_eval 9.0.8).
Source: pytrec_eval-terrier 0.5.11.
"""

import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats
from idealrank.conventions import parse_convention
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments, read_results
from idealrank.decisions.decisions import Decisions
from idealrank.errors import DataError, UsageError, unknown
from idealrank.evaluation.means import LOWEST_IN_LOG
from idealrank.evaluation.scoring import MeasureTask, Outcome, compute
from idealrank.integrations.trec_eval.arguments import MEASURES, NICKNAMES
from idealrank.judged_lists.join import Join
from idealrank.measures import parse
from idealrank.measures.definition import Measure

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

Nested = Mapping[str, Mapping[str, float]]

supported_measures = {n for n, entry in MEASURES.items() if entry.form == "qrels" and not entry.only} - {"yaap"}
"""The names of its measures, without parameters."""

supported_nicknames = {
    name: {measure for measure in measures if MEASURES[measure].is_in("9.0.8")} for name, measures in NICKNAMES.items()
}
"""Names for several measures; as there, those of preferences and judgment groups cannot be evaluated."""

_CONSTANT = {"runid": 0.0, "num_q": 1.0, "relstring": 0.0}
_PARAMETERS = r"[._]([-+\d.]+(?:,[-+\d.]+)*)$"


class _OutputKey(NamedTuple):
    """A key of the output and its measures: their mean is the value; none for a constant."""

    key: str
    measures: tuple[Measure, ...]


class RelevanceEvaluator:
    """Evaluates runs against judgments, like pytrec_eval's class with this name.

    Parameters
    ----------
    query_relevance
        ``{query: {document: grade}}``.
    measures
        Names, nicknames, or names with parameters: ``map``, ``official``, ``ndcg_cut.10``, ``P_5,10``.
    relevance_level
        The grade from which a document is relevant.
    judged_docs_only_flag
        Whether unjudged results are removed.

    Raises
    ------
    UsageError
        If a measure is not supported (a ValueError, as there).

    Examples
    --------
    >>> evaluator = RelevanceEvaluator({"q": {"a": 1, "b": 0}}, {"map", "P.1"})
    >>> evaluator.evaluate({"q": {"b": 2.0, "a": 1.0}})
    {'q': {'P_1': 0.0, 'map': 0.5}}
    """

    def __init__(
        self,
        query_relevance: Nested,
        measures: Iterable[str],
        relevance_level: float = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        answers = {"relevant_from": relevance_level, "unjudged": "filter" if judged_docs_only_flag else "zero"}
        decisions = parse_convention("pytrec_eval", answers).decisions
        judged = {query: grades for query, grades in query_relevance.items() if grades}
        self._judgments = read_judgments(judged).as_spelt() if judged else None
        self._keys = sorted(_read_measures(measures, decisions), key=lambda one: one.key)
        self._decisions = decisions

    def evaluate(self, scores: Nested) -> dict[str, dict[str, float]]:
        """Evaluate a run.

        Parameters
        ----------
        scores
            ``{query: {document: score}}``.

        Returns
        -------
        ``{query: {measure: value}}`` for the judged queries of the run, in its order; a query without documents is
        evaluated as an empty list.
        """
        if not scores or self._judgments is None:
            return {}
        join = _join(self._judgments, scores, self._decisions)
        names = join.lists(self._decisions).pool.queries
        columns = [column.tolist() for column in self._columns(join, len(names))]
        rows = dict(zip(names, zip(*columns, strict=True) if columns else ((),) * len(names), strict=True))
        keys = [one.key for one in self._keys]
        return {query: dict(zip(keys, rows[str(query)], strict=True)) for query in scores if str(query) in rows}

    def _columns(self, join: Join, size: int) -> Iterator[Floats]:
        measures = [measure for key in self._keys for measure in key.measures]
        values = iter(compute([MeasureTask.on(join, measure) for measure in measures]))
        for key in self._keys:
            parts = [_zero_if_undefined(next(values)) for _ in key.measures] or [np.full(size, _CONSTANT[key.key])]
            mean = np.mean(parts, axis=0)
            yield np.log(np.maximum(mean, LOWEST_IN_LOG)) if key.key.startswith("gm_") else mean


def _join(judgments: Judgments, scores: Nested, decisions: Decisions) -> Join:
    """Join a run to the judgments; infinite scores are handled only if that is refused."""
    join = Join(judgments, read_results(scores).as_spelt(), "run")
    try:
        join.lists(decisions)
    except DataError:
        join = Join(judgments, read_results(_bound_scores(scores)).as_spelt(), "run")
    return join


def _bound_scores(scores: Nested) -> Nested:
    return {query: {doc: _bound_score(score) for doc, score in row.items()} for query, row in scores.items()}


def _bound_score(score: float) -> float:
    """Replace an infinite score with the highest or lowest double: as float32, which is compared, both are equal."""
    infinite = isinstance(score, float | np.floating) and math.isinf(score)
    return math.copysign(sys.float_info.max, score) if infinite else score


def _zero_if_undefined(values: Outcome) -> Floats:
    """Count 0 if a measure has no value."""
    if not isinstance(values, np.ndarray):
        raise values
    return np.where(np.isnan(values), 0.0, values)


def _read_measures(measures: Iterable[str], decisions: Decisions) -> list[_OutputKey]:
    """Read the measures; if one is named several times, its parameters are joined."""
    parameters_of: dict[str, list[str]] = defaultdict(list)
    for text in measures:
        for name in supported_nicknames.get(text, {text}):
            base, parameters = _split_parameters(name)
            parameters_of[base] += [one for one in parameters if one not in parameters_of[base]]
    return [one for base, parameters in parameters_of.items() for one in _output_keys(base, parameters, decisions)]


def _split_parameters(text: str) -> tuple[str, list[str]]:
    if text in supported_measures:
        return text, []
    for name in supported_measures:
        if match := re.fullmatch(re.escape(name) + _PARAMETERS, text):
            return name, match[1].split(",")
    raise unknown("measure", text, supported_measures)


def _output_keys(base: str, parameters: Sequence[str], decisions: Decisions) -> list[_OutputKey]:
    if base in _CONSTANT:
        return [_OutputKey(base, ())]
    kind, numbers = MEASURES[base].kind, [float(one) for one in parameters]
    if kind == "cuts":
        cuts = sorted(int(k) for k in numbers or MEASURES[base].default)
        return [_OutputKey(f"{base}_{k}", tuple(parse(f"{base}_{k}", decisions))) for k in cuts]
    if kind == "shares":
        levels = sorted(numbers or MEASURES[base].default)
        return [_OutputKey(f"{base}_{x:.2f}", tuple(parse(f"{base}@{x!r}", decisions))) for x in levels]
    if base == "11pt_avg" and numbers:
        return [_OutputKey(base, tuple(parse(f"IPrec@{x!r}", decisions)[0] for x in numbers))]
    return [_OutputKey(base, (_parse_plain(base, numbers, decisions),))]


def _parse_plain(base: str, numbers: Sequence[float], decisions: Decisions) -> Measure:
    measure = parse(base, decisions)[0]
    if base == "set_F" and len(numbers) == 1 and numbers[0] > 0:  # x there is the square of beta
        return parse(f"F(beta={math.sqrt(numbers[0])!r})", decisions)[0]
    if base == "utility" and len(numbers) == 4:
        weights = (*zip("abcd", numbers, strict=True), ("docs", 0.0))
        return replace(measure, parameters=weights)
    if numbers:
        raise UsageError(f"{base} does not take the parameters {', '.join(map(str, numbers))} here. Leave them out.")
    return measure


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Read the lines of a TREC run: ``{query: {document: score}}``.

    Parameters
    ----------
    f_run
        Lines of ``query Q0 document rank score system``.
    """
    run: dict[str, dict[str, float]] = defaultdict(dict)
    for line in f_run:
        query, _, document, _, score, _ = line.split()
        _refuse_repeat(run[query], query, document)
        run[query][document] = float(score)
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, float]]:
    """Read the lines of TREC judgments: ``{query: {document: grade}}``, with grades as whole numbers if written so.

    Parameters
    ----------
    f_qrel
        Lines of ``query 0 document grade``.
    """
    judged: dict[str, dict[str, float]] = defaultdict(dict)
    for line in f_qrel:
        query, _, document, grade = line.split()
        _refuse_repeat(judged[query], query, document)
        judged[query][document] = int(grade) if re.fullmatch(r"[-+]?\d+", grade) else float(grade)
    return judged


def _refuse_repeat(row: Mapping[str, float], query: str, document: str) -> None:
    if document in row:
        raise AssertionError(f"document {document!r} appears twice for query {query!r}")


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """Sum the values of counts, average those of other measures, geometrically for gm_ measures.

    Parameters
    ----------
    measure
        Its name, such as ``map`` or ``num_ret``.
    values
        One value per query.
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    return float(np.exp(np.mean(values))) if measure.startswith("gm_") else float(np.mean(values))
