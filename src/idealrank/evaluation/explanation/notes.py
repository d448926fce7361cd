"""What the decisions did to one value, in plain words."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from idealrank.decisions import Decisions, answer_text
from idealrank.errors import plural
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.lists import JudgedLists
from idealrank.judged_lists.meeting import Met
from idealrank.measures import Measure
from idealrank.measures.steps import Steps

IDEALS = {
    "global": "all judged documents, best first: it also asks whether the known good documents were found",
    "returned": "the returned documents in their best order: documents that were missed cost nothing",
    "local": "the top k in its best order: only the order inside the top k counts",
    "max": "the scale's top grade at every rank: it also asks whether the collection has enough good documents",
}
"""What each ideal measures, in words."""

_GREEDY = "judged documents, at each rank the one that adds most to the subtopics served before"


def notes_on(measure: Measure, steps: Steps, met: Met, index: int) -> Iterator[str]:
    """Yield the notes on the value of one query.

    Parameters
    ----------
    steps, met
        What `explain` made of this query alone, every result a hit.
    index
        Its place among the judged queries.
    """
    decisions, reads = measure.decisions, measure.definition.reads
    lists = arranged(met.lists, decisions)
    returned = int(met.judged.returned[index])
    if returned == 0:
        note = _failed_note(met, index, decisions) if met.failed[index] else _empty_note(met, index, decisions)
        computed = measure.definition.if_empty == "computed"
        yield note.replace("it counts 0 (", "it counts as one where nothing was found (") if computed else note
        return
    yield from _ideal_note(measure, steps)
    if dropped := met.nameless.get(met.queries[index]):
        yield f"{plural(dropped, 'row')} without a document {'was' if dropped == 1 else 'were'} dropped."
    if steps.score is None and steps.normaliser[0] <= 0:
        why = "0/0: nothing to divide by" if steps.normaliser[0] == 0 else "An ideal below zero measures nothing"
        yield f"{why}. no_relevant={decisions.no_relevant} decides."
    if "unjudged" in reads:
        yield from _unjudged_note(measure, met, lists, returned)
    if "gain" in reads:
        yield from _gain_note(decisions, lists)
    if "relevant_from" in reads:
        yield from _relevant_note(decisions, lists)
    yield from _cutoff_note(measure, int(lists.returned[0]), float(steps.normaliser[0]))
    yield from _order_note(met.order, decisions, int(met.judged.tied[index]), lists)
    if steps.unsplit:
        yield f"The score is not a sum over results: {steps.unsplit}."


_EFFECTS = {"0": "counts 0", "skip": "is left out of the mean", "error": "is an error", "refuse": "is an error"}
"""What an answer makes of a query without results."""


def _empty_note(met: Met, index: int, decisions: Decisions) -> str:
    named = {"skip_missing": "0" if met.judged.listed[index] else "skip"}
    effect = _EFFECTS[named.get(decisions.no_results, decisions.no_results)]
    return f"The system returned nothing for this query: it {effect} (no_results={decisions.no_results})."


def _failed_note(met: Met, index: int, decisions: Decisions) -> str:
    said = met.failures[met.queries[index]]
    return f"The search failed for this query ({said}): it {_EFFECTS[decisions.failed]} (failed={decisions.failed})."


def _ideal_note(measure: Measure, steps: Steps) -> Iterator[str]:
    decisions = measure.decisions
    if steps.ideal is None:
        return
    if steps.lists.ranks == "averaged" and decisions.ideal == "local":
        yield (
            f"The ideal is {IDEALS['local']}. If tied results cross the cutoff, chance decides which are in the top k, "
            "and so what the ideal is: the contributions are averages, already divided by it."
        )
        return
    ideal = steps.ideal()
    worth = float(ideal.contribution.sum())
    meaning = _GREEDY if measure.definition.by_subtopic else IDEALS[decisions.ideal]
    yield f"The ideal is {meaning}. It is {len(ideal.rank)} deep and worth {worth:.4f}."


def _unjudged_note(measure: Measure, met: Met, lists: JudgedLists, returned: int) -> Iterator[str]:
    decisions = measure.decisions
    negative = int((met.lists.grade < 0).sum())
    if negative and decisions.negative != "keep":
        kind = "as unjudged" if decisions.negative == "unjudged" else "as grade 0"
        yield f"{_results(negative, returned)} a grade below zero; it counts {kind} (negative={decisions.negative})."
    if decisions.unjudged == "filter":
        if removed := returned - int(lists.returned[0]):
            was = "was" if removed == 1 else "were"
            yield (
                f"{removed} of {plural(returned, 'result')} {was} unjudged and removed; "
                "the ranks closed up (unjudged=filter)."
            )
        return
    unjudged = np.isnan(met.lists.grade) | ((met.lists.grade < 0) & (decisions.negative == "unjudged"))
    counted = _in_reach(measure, met.lists, returned)
    holes = int(unjudged[counted].sum())
    of = plural(returned, "result") if counted.all() else f"the first {plural(int(counted.sum()), 'result')}"
    grade = 0.0 if decisions.unjudged == "zero" else decisions.unjudged
    if holes:
        one, many = measure.definition.holes or ("", "")
        if decisions.unjudged != "zero" or not one:
            as_grade = f"as grade {answer_text(float(grade))}"
            one, many = f"counts {as_grade} and keeps its rank", f"count {as_grade} and keep their ranks"
        effect = f"is unjudged; it {one}" if holes == 1 else f"are unjudged; they {many}"
        yield f"{holes} of {of} {effect}."


def _in_reach(measure: Measure, lists: JudgedLists, returned: int) -> npt.NDArray[np.bool_]:
    """Return which results a cutoff leaves; all where ties may be put in another order."""
    free = measure.decisions.ties in ("best", "worst", "average")
    if measure.cutoff is None or free or len(lists.rank) != returned:
        return np.ones(len(lists.rank), bool)
    return np.asarray(lists.rank <= measure.cutoff)


def _results(count: int, returned: int) -> str:
    return f"{count} of {plural(returned, 'result')} {'has' if count == 1 else 'have'}"


def _gain_note(decisions: Decisions, lists: JudgedLists) -> Iterator[str]:
    if decisions.gain == "exp2" and lists.max_grade <= 1:
        yield (
            "gain=exp2 on grades from 0 to 1 is nearly linear (2^0.5 - 1 = 0.414): it does not favour high grades much."
        )
    if decisions.max_grade != "highest":
        yield f"The scale's top grade is {answer_text(decisions.max_grade)}, as declared."


def _relevant_note(decisions: Decisions, lists: JudgedLists) -> Iterator[str]:
    level = decisions.relevant_from
    relevant = int(lists.judged_relevant(level)[0])
    returned = int(np.count_nonzero(lists.relevant(level)))
    from_grade = "above 0" if isinstance(level, str) else f"{answer_text(level)} or more"
    was = "was" if returned == 1 else "were"
    yield f"{returned} of {plural(relevant, 'relevant document')} (grade {from_grade}) {was} returned."


def _cutoff_note(measure: Measure, returned: int, divisor: float) -> Iterator[str]:
    k, decisions = measure.cutoff, measure.decisions
    if k is None:
        return
    if decisions.cutoff == "below_k" and "cutoff" in measure.definition.reads:
        yield f"Rank {k} does not count (cutoff=below_k)."
    if "short_list" in measure.definition.reads and returned < k:
        yield f"Fewer than {plural(k, 'result')} came back; divided by {divisor:g} (short_list={decisions.short_list})."


def _order_note(order: str, decisions: Decisions, tied: int, lists: JudgedLists) -> Iterator[str]:
    by = {"score": "score, highest first", "rank": "rank, lowest first", "given": "the order of the rows"}[order]
    ties = (
        f"; {plural(tied, 'result')} {'is' if tied == 1 else 'are'} tied, ties={decisions.ties}"
        if tied and order != "given"
        else ""
    )
    yield f"Ordered by {by}{ties}."
    if lists.ranks == "averaged":
        yield "A tied result takes the mean over all places of its span."
