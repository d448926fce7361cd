"""A provider for ir_measures: importing this module registers it there under the name ``idealrank``.

``ir_measures.providers.registry["idealrank"]`` then has `calc_aggregate`, `iter_calc`, `calc` and
`evaluator`. Values are those of the convention ``ir_measures``; equal scores are ordered as by the
provider that computes a measure there. Source: ir_measures 0.4.3.

>>> import ir_measures
>>> from ir_measures import AP, nDCG
>>> provider.calc_aggregate([nDCG @ 10, AP], {"q": {"a": 2, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}})
{nDCG@10: 0.8597186998521972, AP: 1.0}
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import ir_measures
import numpy as np
from ir_measures import providers
from ir_measures.util import Metric, QrelsConverter, RunConverter

from idealrank.conventions import parse_convention
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments, read_results
from idealrank.errors import UsageError
from idealrank.evaluation.requested_measures import measures_under
from idealrank.evaluation.variants import list_variants, values_of
from idealrank.judged_lists.join import Join
from idealrank.measures.definition import Measure
from idealrank.measures.grammar import measure_text

__all__ = ["IdealrankEvaluator", "IdealrankProvider", "provider"]

_BY_SUBTOPIC = ("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall")
_NAMES = frozenset(
    (
        *("P", "RR", "Rprec", "AP", "nDCG", "R", "Bpref", "NumRet", "NumQ", "NumRel", "SetAP", "SetF", "SetP", "SetR"),
        *("Success", "IPrec", "infAP", "Judged", "Compat", "ERR", "RBP", "BPM", "SDCG", "NERR8", "NERR9", "NERR10"),
        *_BY_SUBTOPIC,
    )
)
"""Its measures that have the same value here: all but INST, INSQ and NERR11, which cwl_eval cuts at rank 1,000."""

_SUBTOPIC = "iteration"


class IdealrankProvider(providers.Provider):
    """idealrank, for all of ir_measures' measures that have the same value here."""

    NAME = "idealrank"
    SUPPORTED_MEASURES = [ir_measures.measures.registry[name] for name in sorted(_NAMES)]  # noqa: RUF012 # as there

    def supports(self, measure: Any) -> bool:
        """Whether a measure, with its parameters, is computed here."""
        measure.validate_params()
        try:
            _translate(measure, ())
        except UsageError:
            return False
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> IdealrankEvaluator:
        return IdealrankEvaluator(measures, qrels)

    def qrel_inputs(self, measures: Iterable[Any]) -> list[str]:
        """Return the columns of judgments that measures need."""
        by_subtopic = any(measure.NAME in _BY_SUBTOPIC for measure in measures)
        return ["query_id", "doc_id", "relevance", *(["iteration"] if by_subtopic else [])]


class IdealrankEvaluator(providers.Evaluator):
    """Measures and judgments, read once; evaluates one run after another.

    Raises
    ------
    UsageError
        If a measure is not supported (a ValueError, as there).
    """

    def __init__(self, measures: Iterable[Any], qrels: Any) -> None:
        asked = list(dict.fromkeys(measures))
        plain, by_subtopic = QrelsConverter(qrels).tee(2)
        parts = (
            _Part.of([measure for measure in asked if measure.NAME not in _BY_SUBTOPIC], plain),
            _Part.of([measure for measure in asked if measure.NAME in _BY_SUBTOPIC], by_subtopic, _SUBTOPIC),
        )
        self._parts = [part for part in parts if part is not None]
        super().__init__(asked, {query for part in self._parts for query in part.queries})

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        """Yield the values of the queries that are judged and have results; ir_measures fills in the others."""
        table, names = _read_source(RunConverter(run), "score")
        if len(table):
            results = read_results(table, **names).as_spelt()
            for part in self._parts:
                yield from part.metrics(Join(part.judgments, results, "run"))


class _Part(NamedTuple):
    """Measures that read one kind of judgments, as they are there and here."""

    asked: list[Any]
    ours: list[Measure]
    judgments: Judgments

    @classmethod
    def of(cls, theirs: list[Any], source: QrelsConverter, *subtopic: str) -> _Part | None:
        """Read judgments for measures; None if there is nothing to do."""
        table, names = _read_source(source, "relevance", *subtopic) if theirs else ({}, {})
        if not len(table):
            return None
        judgments = read_judgments(table, **names).as_spelt()
        grades = judgments.pool("median", "last").grade
        return cls(
            theirs, [_translate(measure, np.unique(grades[grades > 0]).tolist()) for measure in theirs], judgments
        )

    @property
    def queries(self) -> list[str]:
        return self.judgments.pool("median", "last").queries

    def metrics(self, join: Join) -> Iterator[Any]:
        """Yield every value of every query that has results."""
        columns = [values_of(found) for found in list_variants(join, self.ours)]
        returned = np.flatnonzero(join.lists(self.ours[0].decisions).judged.returned)
        queries = self.queries
        for place in returned.tolist():
            for measure, column in zip(self.asked, columns, strict=True):
                yield Metric(queries[place], measure, float(column[place]))


_ROLES = {"query_id": "query", "doc_id": "doc", "relevance": "grade", "score": "score", _SUBTOPIC: "subtopic"}


def _read_source(source: QrelsConverter | RunConverter, *numbers: str) -> tuple[Any, dict[str, Any]]:
    """Return judgments or a run as they are or as a dict of columns, and which column is what."""
    kind, _ = source.predict_type()
    data = source.qrels if isinstance(source, QrelsConverter) else source.run
    if kind == "dict_of_dict" and _SUBTOPIC not in numbers:
        return {query: row for query, row in data.items() if row}, {}
    names = ["query_id", "doc_id", *numbers]
    roles = {_ROLES[name]: name for name in names}
    if kind == "pd_dataframe" and all(name in data.columns for name in names):
        return data[names], roles
    rows = list(source.as_namedtuple_iter())
    return ({name: [getattr(row, name) for row in rows] for name in names} if rows else {}), roles


def _translate(measure: Any, grades: Iterable[float]) -> Measure:
    """Return a measure as it is here, if the judgments contain these grades above 0; refuse unsupported ones."""
    graded = measure.NAME == "RBP" and "rel" not in measure.params
    if measure.NAME not in _NAMES or graded or hasattr(measure, "runtime_impl"):  # defined by the user
        raise UsageError(f"The provider idealrank does not compute {measure}.")
    answers = {"duplicates": "last", **_order_answers(measure)}
    text = measure_text(_complete_gains(measure, grades))
    if measure.NAME == "SetF":  # beta is the square of beta there, as in trec_eval
        beta = math.sqrt(measure["beta"])
        text = measure_text(measure(beta=beta)).replace("SetF", "F", 1)
    return measures_under(parse_convention("ir_measures", answers), [text])[0]


def _order_answers(measure: Any) -> dict[str, str]:
    """How results are ordered, if that depends on more than the measure's name."""
    if measure.NAME == "RR" and "cutoff" in measure.params:
        return {"ties": "docid_asc", "score_precision": "float64"}  # msmarco_provider.py
    if measure.NAME == "SDCG":
        return {"ties": "given", "score_precision": "float64"}  # cwl_eval.py, as_sorted_namedtuple_iter
    by_gdeval = measure.NAME == "nDCG" and measure["dcg"] == "exp-log2"
    return {"score_precision": "float64"} if by_gdeval else {}


def _complete_gains(measure: Any, grades: Iterable[float]) -> Any:
    """Give each grade a gain; grades that are not named keep theirs."""
    gains = measure.params.get("gains")
    if gains is None:
        return measure
    if any(gain < 0 or grade < 0 or gain > grade == 0 for grade, gain in gains.items()):
        raise UsageError(f"{measure}: the provider idealrank only takes gains of 0 or more, for grades above 0.")
    return measure(gains={grade: gains.get(grade, grade) for grade in grades} or {0: 0})


provider = providers.register(IdealrankProvider())
"""The registered provider."""
