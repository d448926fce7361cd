"""What documents of each group add to values and to what the ideal lists are worth, query by query."""

from dataclasses import dataclass, replace

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.evaluation.document_groups import DocumentGroups
from idealrank.evaluation.explanation.steps_tables import shares
from idealrank.evaluation.lost_value import ideal_lists, is_good, worth
from idealrank.evaluation.scoring import State, States, settled
from idealrank.evaluation.values import Values
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.lists import JudgedLists, OfPool
from idealrank.judged_lists.meeting import Met
from idealrank.measures import Measure
from idealrank.measures.gains import taken
from idealrank.measures.steps import Steps


@dataclass(frozen=True, eq=False)
class DocumentSums:
    """Sums over the documents of each group, for one system and measure: (Q, G) each.

    Attributes
    ----------
    relevant, returned
        Number of relevant documents, and of those of them that are within the cutoff.
    values
        The measure where only the documents of the group are relevant; None if it reads judgments by subtopic.
    earned
        What the results of the group add to the value; None if the value is no sum over results.
    ideal
        What the ideal list would earn from the group; None if there is none, or its value is no such sum.
    unsplit
        Why `earned` is None.
    """

    relevant: Floats
    returned: Floats
    values: Floats | None
    earned: Floats | None
    ideal: Floats | None
    unsplit: str


def document_sums(scores: Values, s: int, m: int, groups: DocumentGroups) -> DocumentSums:
    """Sum by group what a system's results are worth under a measure."""
    measure, met = scores.measures[m], scores.met_for(s, scores.measures[m])
    lists = arranged(met.lists, measure.on_lists)
    judged, hits = groups.judgments(met), groups.hits(met, lists)
    good, steps = is_good(lists.pool_grade, measure), measure.steps(lists)
    earned = None if steps.unsplit else _earned(met, measure, steps, groups, scores.states[s, m])
    definition = measure.definition
    best = earned is not None and definition.properties.has_best_list and definition.is_plain
    return DocumentSums(
        relevant=_summed(lists.pool_query, judged[lists.pool_entry], good, lists.size, groups),
        returned=_returned(measure, lists, judged, good, groups),
        values=None if definition.by_subtopic else _restricted(met, measure, lists, judged, hits, len(groups.names)),
        earned=earned,
        ideal=_ideal(met, measure, judged, groups) if best else None,
        unsplit=steps.unsplit,
    )


def _summed(query: Ints, group: Ints, amount: Floats | Mask, size: int, groups: DocumentGroups) -> Floats:
    """(Q, G) sum amounts by query and group."""
    many = len(groups.names)
    sums = np.bincount(query * many + group, weights=amount, minlength=size * many)
    return sums.astype(np.float64, copy=False).reshape(size, many)


def _returned(measure: Measure, lists: JudgedLists, judged: Ints, good: Mask, groups: DocumentGroups) -> Floats:
    """Count the relevant documents within the cutoff; the share of the orders in which they are, if averaged."""
    relevant = np.zeros(len(judged), np.bool_)
    relevant[lists.pool_entry] = good
    (hits,) = np.nonzero((lists.entry >= 0) & relevant[lists.entry])
    within = taken(lists, measure.cutoff, measure.decisions)[hits]
    return _summed(lists.query[hits], judged[lists.entry[hits]], within, lists.size, groups)


def _earned(met: Met, measure: Measure, steps: Steps, groups: DocumentGroups, states: States) -> Floats:
    """(Q, G) what the results of each group add; nothing where the value is not computed from results."""
    lists, amount = steps.lists, _amounts(steps, measure)
    hits = groups.hits(met, lists)
    (graded,) = np.nonzero((hits >= 0) & (states == State.COMPUTED)[lists.query])
    return _summed(lists.query[graded], hits[graded], amount[graded], lists.size, groups)


def _amounts(steps: Steps, measure: Measure) -> Floats:
    """(H,) what each hit adds to the value of its query."""
    divisor = np.where(steps.normaliser > 0, steps.normaliser, np.inf)
    return shares(steps.contribution, measure) / divisor[steps.lists.query]


def _ideal(met: Met, measure: Measure, judged: Ints, groups: DocumentGroups) -> Floats | None:
    """(Q, G) what the ideal list earns; documents that are equally good have equal parts of what their places earn."""
    lists = ideal_lists(met, measure)
    steps = measure.steps(lists)
    if steps.unsplit:
        return None
    amount = np.zeros(len(lists.rank))
    amount[lists.hit_start[steps.lists.query] + steps.lists.rank - 1] = _amounts(steps, measure)
    alike = _alike(lists, measure)
    mean = np.bincount(alike, weights=amount) / np.maximum(np.bincount(alike), 1)
    return _summed(lists.query, judged[lists.entry], mean[alike], lists.size, groups)


def _alike(lists: JudgedLists, measure: Measure) -> Ints:
    """(H,) number of each hit's run of equally good documents, counting over all queries."""
    binary = "relevant_from" in measure.definition.reads and "gain" not in measure.definition.reads
    level = np.zeros(len(lists.grade)) if binary else worth(lists.grade, measure)
    new = np.ones(len(level), np.bool_)
    new[1:] = (np.diff(level) != 0) | (np.diff(lists.query) != 0)
    return np.cumsum(new, dtype=np.int64) - 1


def _restricted(met: Met, measure: Measure, lists: JudgedLists, judged: Ints, hits: Ints, many: int) -> Floats:
    """(Q, G) the measure where documents of the other groups count as not relevant, at unchanged ranks."""
    columns = []
    for group in range(many):
        only = _only(lists, (judged[lists.pool_entry] != group), (hits != group), measure)
        values, _ = settled(met, measure, measure.steps(only).scores(measure.decisions))
        columns.append(values)
    return np.stack(columns, axis=1)


def _only(lists: JudgedLists, others: Mask, other_hits: Mask, measure: Measure) -> JudgedLists:
    """Return the lists with the grade of a document that is not relevant for some judgments and hits."""
    nothing, kept = _not_relevant(measure), measure.definition.below_zero == "kept"

    def graded(grade: Floats, other: Mask) -> Floats:
        changed = other & ~np.isnan(grade) & ((grade >= 0) | (not kept))
        return np.where(changed, nothing, grade)

    pool_grade = graded(lists.pool_grade, others)
    order = np.lexsort((-pool_grade, lists.pool_query))
    return replace(
        lists, grade=graded(lists.grade, other_hits), pool_grade=pool_grade[order],
        pool_entry=lists.pool_entry[order], of_pool=OfPool(),
    )  # fmt: skip


def _not_relevant(measure: Measure) -> float:
    """Return the grade of a document that is not relevant: 0, unless that is relevant, too."""
    level = measure.decisions.relevant_from
    return level - 1.0 if isinstance(level, float) and level <= 0 else 0.0
