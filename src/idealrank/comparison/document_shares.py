"""One value of one system with the share each document has in it."""

import math
from dataclasses import dataclass

from idealrank.arrays import SAME
from idealrank.evaluation.scoring import scored
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.lists import JudgedLists
from idealrank.judged_lists.meeting import Meeting, Met
from idealrank.measures import Measure
from idealrank.measures.steps import Steps, rounded


@dataclass(frozen=True, eq=False)
class DocumentShares:
    """A value and the shares of documents in it.

    Attributes
    ----------
    query
        Id of the query.
    value
        The value; NaN where the query is left out.
    within
        By document within the cutoff, its share in the value: 0 where the measure is no sum.
    ranks, grades
        By document returned, its rank and its grade (None: unjudged).
    split
        Whether the value is a sum over results.
    residue
        What of the value is no document's share.
    reason
        Why there is a residue; "" where there is none.
    """

    query: str
    value: float
    within: dict[str, float]
    ranks: dict[str, int]
    grades: dict[str, float | None]
    split: bool
    residue: float
    reason: str


def document_shares(meeting: Meeting, measure: Measure, index: int) -> DocumentShares:
    """Return the value of one query (by index) of one system with the share of each document."""
    met = meeting.met_alone(measure.on_lists, index)
    lists = arranged(met.lists, measure.on_lists)  # whole, where a measure's own end at its cutoff
    steps, value = measure.steps(lists), float(scored(meeting.met_for(measure.on_lists), measure)[0][index])
    rows = lists.row.tolist()
    names = _names(met, lists)
    shares = _shares(steps, measure)
    cut = lists if measure.cutoff is None else lists.upto(measure.cutoff)
    within = {names[row]: shares.get(row, 0.0) for row in cut.row.tolist() if row in names}
    residue = value - math.fsum(within.values())
    if abs(residue) <= SAME * max(1.0, abs(value)):
        residue = 0.0
    graded = zip(rows, lists.grade.tolist(), lists.entry.tolist(), strict=True)
    return DocumentShares(
        query=met.pool.queries[index],
        value=value,
        within=within,
        ranks={names[row]: rank for row, rank in zip(rows, lists.rank.tolist(), strict=True) if row in names},
        grades={
            names[row]: None if entry < 0 or grade != grade else grade for row, grade, entry in graded if row in names
        },
        split=not steps.unsplit,
        residue=residue,
        reason="" if residue == 0 and not steps.unsplit else _reason(meeting, measure, steps, index, value),
    )


def _names(met: Met, lists: JudgedLists) -> dict[int, str]:
    """Return the document of each row; a rank that was left out has none."""
    rows = lists.row[lists.row >= 0]
    return dict(zip(rows.tolist(), met.run.docs(rows), strict=True))


def _shares(steps: Steps, measure: Measure) -> dict[int, float]:
    """Return by row what it adds to the value; nothing where the value is no quotient of a sum."""
    divisor = float(steps.normaliser[0])
    if steps.unsplit or not divisor > 0:
        return {}
    shares = rounded(steps.contribution, measure.decisions.rounding, "term") / divisor
    return dict(zip(steps.lists.row.tolist(), shares.tolist(), strict=True))


def _reason(meeting: Meeting, measure: Measure, steps: Steps, index: int, value: float) -> str:
    """Say why contributions do not sum to the value."""
    decisions, name = measure.decisions, meeting.system
    met = meeting.met_for(measure.on_lists)
    if message := met.failures.get(met.queries[index]):
        return f"the search of {name} failed ({message}): failed={decisions.failed}"
    if steps.unsplit:
        return f"{measure.definition.name} is not a sum over results: {steps.unsplit}"
    if not steps.lists.returned[0]:
        return f"{name} returned nothing: no_results={decisions.no_results}"
    if not steps.normaliser[0] > 0:
        return f"0/0 for {name}: no_relevant={decisions.no_relevant}"
    if any(step.stage == "query" for step in decisions.rounding):
        return f"rounding={decisions.text('rounding')}"
    if value != value:
        return f"{name} has no value"
    return f"ranks left out count as results: rank_gaps={decisions.rank_gaps}"
