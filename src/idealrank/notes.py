"""What the decisions did to one value, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from idealrank.decisions import Decisions, answer_text
from idealrank.measures import Measure
from idealrank.measures.steps import Steps

if TYPE_CHECKING:
    from idealrank.judge import Meeting

IDEALS = {
    "global": "all judged documents, best first: it also asks whether the known good documents were found",
    "returned": "the returned documents in their best order: documents that were missed cost nothing",
    "local": "the top k in its best order: only the order inside the top k counts",
    "max": "the scale's top grade at every rank: it also asks whether the collection has enough good documents",
}
"""What each ideal measures, in words."""


def notes_on(meeting: Meeting, measure: Measure, steps: Steps, index: int) -> Iterator[str]:
    """Yield the notes on the value of one query."""
    decisions = measure.decisions
    met = meeting.met(decisions)
    returned = int(met.judged.returned[index])
    if returned == 0:
        yield f"The system returned nothing for this query: no_results={decisions.no_results}."
        return
    if steps.ideal is not None:
        yield _ideal_note(decisions, steps, index)
    if steps.score is None and steps.normaliser[index] == 0:
        yield f"0/0: nothing to divide by. no_relevant={decisions.no_relevant} answers."
    yield from _unjudged_note(decisions, steps, returned, index)
    yield from _gain_note(measure, steps)
    yield from _order_note(meeting, decisions, int(met.judged.tied[index]), steps)
    if steps.unsplit:
        yield f"No sum of steps: {steps.unsplit}."


def _ideal_note(decisions: Decisions, steps: Steps, index: int) -> str:
    ideal = steps.ideal() if steps.ideal is not None else None
    deep = 0 if ideal is None else int((ideal.query == index).sum())
    return f"The ideal is {IDEALS[decisions.ideal]}. It is {deep} deep and worth {steps.normaliser[index]:.6g}."


def _unjudged_note(decisions: Decisions, steps: Steps, returned: int, index: int) -> Iterator[str]:
    if decisions.unjudged == "filter":
        removed = returned - int(steps.lists.returned[index])
        if removed:
            yield f"{removed} of {returned} results were unjudged and removed; the ranks closed up."
        return
    holes = int(np.isnan(steps.lists.grade[steps.lists.query == index]).sum())
    if holes:
        yield f"{holes} of {returned} results are unjudged; they count as grade 0 and keep their ranks."


def _gain_note(measure: Measure, steps: Steps) -> Iterator[str]:
    if measure.decisions.gain != "exp2" or "gain" not in measure.definition.reads:
        return
    if steps.lists.max_grade <= 1:
        yield (
            "gain=exp2 on grades from 0 to 1 is nearly linear (2^0.5 - 1 = 0.414): it does not favour high grades much."
        )


def _order_note(meeting: Meeting, decisions: Decisions, tied: int, steps: Steps) -> Iterator[str]:
    order = meeting.results.order(decisions.order_by)
    said = {"score": "score, highest first", "rank": "rank, lowest first", "given": "the order of the rows"}[order]
    yield f"Ordered by {said}" + (
        f"; {tied} results are tied, ties={decisions.ties}." if tied and order != "given" else "."
    )
    if steps.lists.ranks == "averaged":
        yield "A tied result takes the mean over all places of its span."
    if decisions.max_grade != "highest":
        yield f"The scale's top grade is {answer_text(decisions.max_grade)}, as declared."
