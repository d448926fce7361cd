"""Lost value: how much of what a query could be worth its users do not get."""

from dataclasses import replace

import numpy as np

from idealrank.arrays import Floats, Mask, offsets, places, segment_counts
from idealrank.display.table import Table
from idealrank.errors import UsageError
from idealrank.evaluation.query_tables import ByQuery, query_table, sorted_places
from idealrank.evaluation.scoring import without_relevant
from idealrank.evaluation.values import Values
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.lists import JudgedLists, reaches
from idealrank.judged_lists.meeting import Met
from idealrank.measures import Measure
from idealrank.measures.gains import gains


def lost_value_table(scores: Values, m: int, systems: list[int], n: int | None) -> Table:
    """Rank queries by lost value = frequency x (ideal - actual), the greatest first: see `Scores.lost_value`.

    Raises
    ------
    UsageError
        If there are no frequencies, or more is not better under the measure.
    """
    measure = scores.measures[m]
    if not measure.definition.properties.has_best_list or not measure.definition.is_plain:
        raise UsageError(f"{measure} has no ideal value, so nothing can be lost. Use nDCG@10 or DCG@10.")
    frequency = scores.table.frequencies(scores.queries, scores.in_scope)
    unknown = np.flatnonzero(np.isnan(frequency) & scores.in_scope)
    rows: list[ByQuery] = []
    for s in systems:
        ideal, actual = at_ideal(scores.met_for(s, measure), measure), scores.values[s, m]
        lost = frequency * (ideal - actual)
        columns = {"frequency": frequency, scores.labels[m]: actual, "ideal": ideal, "lost": lost}
        rows.append(ByQuery(s, np.concatenate([sorted_places(-lost), unknown])[:n], columns))
    return query_table(scores, m, rows, "lost value")


def at_ideal(met: Met, measure: Measure) -> Floats:
    """Return (Q,) the value of a measure when just the good documents are returned, best first.

    Good are the relevant ones, for graded measures those of a gain above 0. A query for which the
    measure is 0/0 then has the value `no_relevant` gives it, NaN if it is left out.
    """
    decisions = measure.decisions
    values = measure.steps(ideal_lists(met, measure)).scores(decisions)
    return np.where(np.isnan(values), without_relevant(decisions), values)


def ideal_lists(met: Met, measure: Measure) -> JudgedLists:
    """Return lists of just the good documents, best first."""
    # Nothing is unjudged in an ideal list.
    lists = arranged(met.lists, measure.decisions.but(unjudged="zero", ties="given"))
    grade = lists.pool_grade
    order = np.lexsort((-grade, -worth(grade, measure), lists.pool_query))
    good = is_good(grade, measure)
    start, chosen = offsets(segment_counts(good, lists.pool_start)), order[good[order]]
    rank = places(start)
    return replace(
        lists, returned=np.diff(start), hit_start=start, rank=rank, grade=grade[chosen], entry=lists.pool_entry[chosen],
        row=np.full(len(rank), -1), tie_first=rank, tie_last=rank, form="sparse", ranks="exact",
    )  # fmt: skip


def worth(grade: Floats, measure: Measure) -> Floats:
    """Return what orders documents of these grades in the ideal list: their gain, or their grade."""
    return gains(grade, measure.decisions) if "gain" in measure.definition.reads else grade


def is_good(grade: Floats, measure: Measure) -> Mask:
    """Whether documents of these grades are relevant; for graded measures, whether they have a gain above 0."""
    if "relevant_from" in measure.definition.reads:
        return reaches(grade, measure.decisions.relevant_from)
    return worth(grade, measure) > 0
