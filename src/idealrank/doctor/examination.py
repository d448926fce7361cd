"""doctor: what is wrong with judgments and results, how far it moves a mean, and what mends it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Unpack

from idealrank.conventions import parse_convention
from idealrank.data.exclusion import read_excluded
from idealrank.data.queries import read_queries
from idealrank.data.query_texts import joined_by_text, refuse_shifted
from idealrank.data.systems import read_systems
from idealrank.data.units import judgments_of_units
from idealrank.decisions.answers import DecisionAnswers
from idealrank.decisions.keywords import naming, refuse_unknown
from idealrank.doctor.diagnosis import Diagnosis
from idealrank.doctor.finding import Finding, Shift
from idealrank.doctor.findings import FINDINGS
from idealrank.doctor.inputs import Inputs
from idealrank.errors import IdealrankError
from idealrank.evaluation.evaluate import queries_beside
from idealrank.evaluation.measure_names import measures_under
from idealrank.measures import Measure


@naming(DecisionAnswers)
def doctor(
    judgments: Any,
    *results: Any,
    measures: Sequence[str | Measure] | str | None = None,
    convention: str = "idealrank-1",
    queries: Any = None,
    exclude: Any = None,
    by: float = 0.0005,
    **decisions: Unpack[DecisionAnswers],
) -> Diagnosis:
    """Say what is wrong with judgments and results, how far it moves a mean, and what mends it.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``.
    *results
        Results of one or several systems, as for `evaluate`; none: the judgments' table contains them.
    measures
        The measures whose means count, the headline first; None: nDCG@10, P@10, R@100, RR, AP.
    convention
        The decisions to start from, with overrides.
    queries
        A table of query texts, by query id.
    exclude
        Results that must not be counted: a table of queries and documents, as BEIR's ``ignore_identical_ids`` and
        BRIGHT's excluded ids.
    by
        A mean that moves by more than this has moved.
    **decisions
        Answers to single decisions; they win over the convention.

    Raises
    ------
    DataError
        If a table cannot be read, or if answers numbered in their order are not as many as the queries.
    UsageError
        If a name or an answer is not known.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {"q1": {"d1": 3, "d2": 0}, "q2": {"d3": 2}}
    >>> run = {"q1": {"D1": 9.0, "x": 8.0}, "q2": {"x": 2.0, "d3": 1.0}}
    >>> found = ir.doctor(qrels, run, measures="RR")
    >>> found.findings[0].name, found.findings[0].headline.text, found.moves
    ('ids spelled differently', '0.2500 → 0.7500', True)
    """
    refuse_unknown(decisions, ("measures", "convention", "queries", "exclude", "by"))
    under = measures_under(parse_convention(convention, decisions), measures)
    table = judgments_of_units(judgments, parse_convention(convention, decisions).decisions.unit)
    sources = read_systems(list(results) if len(results) > 1 else results[0] if results else table, table)
    asked = read_queries(queries_beside(table, sources) if queries is None else queries)
    refuse_shifted(sources, asked)
    joined, asked = joined_by_text(table, sources, asked)
    excluded = None if exclude is None else read_excluded(exclude)
    inputs = Inputs(
        judgments=table, results=tuple(joined), measures=tuple(measure.name for measure in under),
        convention=convention, answers=decisions, queries=asked, excluded=excluded, by=by,
    )  # fmt: skip
    ground = inputs.grounded
    refused = inputs.outcome if isinstance(inputs.outcome, IdealrankError) else None
    found = [_shifted(ground, finding) for look in FINDINGS.values() for finding in look(ground)]
    mended, log = _mended(ground) if any(finding.mends for finding in found) else (ground, [])
    found.sort(key=lambda finding: -finding.largest)
    return Diagnosis(tuple(found), refused, by, tuple(log), mended)


def _shifted(inputs: Inputs, finding: Finding) -> Finding:
    """Add the means as they are and after the mend."""
    if not finding.mends and not finding.answers:
        return finding
    before, after = inputs.means, inputs.means_after(finding.mends, finding.answers)
    keys = [key for key in _keys(inputs, finding.system) if key in before or key in after]
    return replace(finding, shifts=tuple(Shift(*key, before.get(key), after.get(key)) for key in keys))


def _keys(inputs: Inputs, system: str) -> Iterator[tuple[str, str]]:
    """Yield every measure with the system, or with all."""
    for measure in inputs.measures:
        for meeting in inputs.meetings:
            if system in ("", meeting.system):
                yield measure, meeting.system


def _mended(inputs: Inputs) -> tuple[Inputs, list[str]]:
    """Mend the tables, finding by finding; return them with the list of changes."""
    log: list[str] = []
    for name, look in FINDINGS.items():
        for mend in [mend for finding in look(inputs) for mend in finding.mends]:
            log += [f"{name}: {line}" for line in mend.log()]
            inputs = inputs.mended([mend], {})
    return inputs, log
