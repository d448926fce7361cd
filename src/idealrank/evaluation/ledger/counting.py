"""Counts for the ledger: in judgments, results and searches; and doubts about ranks or scores."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from idealrank._core import Run
from idealrank.arrays import Floats, Ints, Mask
from idealrank.data.ids import codes, present_ids
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.data.roles import says_relevant
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.fields import AS_RETURNED
from idealrank.errors import DataError, option
from idealrank.evaluation.buckets import BucketValues, compute_per_query
from idealrank.evaluation.ledger.counts import (
    Counts,
    JudgmentCounts,
    Nothing,
    RankCounts,
    ResultCounts,
    ScoreCounts,
    SearchCounts,
    TaskDocument,
    TimeCounts,
)
from idealrank.evaluation.values import QueryValues, Values
from idealrank.judged_lists.join import Join, SystemLists, lists_key
from idealrank.judged_lists.lists import reaches
from idealrank.judged_lists.searches import with_all_searches
from idealrank.judged_lists.units import judged_parts
from idealrank.measures.definition import Measure


def count_bucket(scores: BucketValues) -> Counts:
    """Count in a bucket what the ledger says about its tables; a table without rows here does not know what it is."""
    judged, whole = count_judgments(scores), scores.joins[0].judgments.whole
    returned = (count_results(scores, s, scores.has_times) for s in range(len(scores.systems)))
    tables = (join.results.whole for join in scores.joins)
    return Counts(
        judged=judged.without_table() if whole is not None and whole.absent else judged,
        returned=tuple(
            counts.without_table() if table is not None and table.absent else counts
            for counts, table in zip(returned, tables, strict=True)
        ),
        texts=scores.texts,
    )


# Counts of the judgments.


def count_judgments(scores: BucketValues) -> JudgmentCounts:
    """Count what the ledger says about the judgments."""
    joined, decisions = scores.joined[0], scores.setting.decisions
    whole, table = joined.judgments, judged_parts(joined.judgments, decisions)
    subtopics = table.subtopics(decisions.raters, decisions.duplicates)
    parts = table.pool(decisions.raters, decisions.duplicates)
    return JudgmentCounts(
        name=whole.name, columns=whole.columns, form=whole.form, read_as=whole.source.read_as,
        warned=whole.source.warnings, scale=dict(whole.scale or {}), raters=whole.raters, graded=bool(whole.grades),
        named_relevant=_is_named_relevant(whole), table_rows=whole.source.frame.rows,
        rated=0 if whole.grades else int(whole.ratings.size - np.isnan(whole.ratings).sum()),
        lowest=float(joined.pool.grade.min(initial=math.inf)), highest=float(joined.pool.grade.max(initial=-math.inf)),
        below_zero=int((parts.grade < 0).sum()), low=dict(_count_low_grades(scores)), tops=dict(_top_grades(scores)),
        ungraded=parts.ungraded, ungraded_queries=tuple(parts.ungraded_queries), one_query=table.one_query,
        dropped=table.dropped(decisions.raters, decisions.duplicates),
        several=0 if subtopics is None else subtopics.with_several, missing_ratings=table.missing_ratings(),
        merged=len(parts.grade) - len(joined.pool.grade), units=len(joined.pool.grade),
        fractional=whole.like_results == "fractions", ranked=whole.like_results == "ranks",
        texts=whole.texts[0], differing=tuple(sorted(_differing_texts(scores))), **_shared_table(scores),
    )  # fmt: skip


def _is_named_relevant(table: Judgments) -> bool:
    """Whether the documents are those of a list or a column that says by its name that they are relevant."""
    return table.source.part("judgments") is not None or says_relevant(table.roles.names[table.doc])


def reads_level(measure: Measure) -> float | None:
    """Return the level above 0 from which a measure counts a grade as relevant; None where it has none."""
    level = measure.decisions.relevant_from
    if "relevant_from" not in measure.definition.reads or isinstance(level, str) or level <= 0:
        return None
    return float(level)


def _count_low_grades(scores: BucketValues) -> Iterator[tuple[tuple[str, float], int]]:
    """Yield, by measure and level, how many grades above 0 do not reach it."""
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        if (level := reads_level(measure)) is not None:
            grades = scores.joins[0].lists(measure.decisions).pool.grade
            if count := int(((grades > 0) & (grades < level)).sum()):
                yield (label, level), count


def _top_grades(scores: BucketValues) -> Iterator[tuple[str, float]]:
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        if measure.reads_top:
            yield label, scores.joins[0].lists(measure.decisions).max_grade


def _shared_table(scores: BucketValues) -> dict[str, bool]:
    """Say whether results come from the table of the judgments, so that measures cannot know what was missed."""
    table = scores.joins[0].judgments
    mine = [each for each in (join.results for join in scores.joins) if each.source is table.source]
    return {
        "inflated": any(not each.judged_only for each in mine),
        "score_graded": any(not each.shared and each.roles.find("score") in table.grades for each in mine),
    }


def _differing_texts(scores: BucketValues) -> set[str]:
    """Return the ids of queries that have several texts."""
    ours, odd = scores.joins[0].judgments.texts
    differing = set(odd)
    for texts, odd in (join.results.texts for join in scores.joins):
        differing |= odd | {key for key, text in texts.items() if ours.get(key, text) != text}
    return differing


# Counts of one system's results.


def count_results(scores: BucketValues, s: int, timed: bool) -> ResultCounts:
    """Count what the ledger says about one system's results; of the times of its searches if any table has some."""
    joined, name = scores.joined[s], "" if scores.joined[s].pooled else scores.joined[s].system
    results = joined.results
    return ResultCounts(
        **_table_facts(scores, s), **_query_states(scores, s), **count_orders(scores, s),
        results=joined.run.results, kept=joined.run.results - joined.run.keeping_ranks, merged=joined.run.merged,
        table_rows=results.source.frame.rows, rows=count_rows(joined), nameless=joined.nameless,
        judged_only=results.judged_only, excluded=len(results.left_out),
        lowest_rank=math.inf if math.isnan(joined.parts.lowest_rank) else joined.parts.lowest_rank,
        errors=dict(joined.failures),
        lengths=joined.judged.returned.astype(np.int32), tied=(joined.judged.tied * scores.in_scope).astype(np.int32),
        holes=count_unjudged(scores, s), hits=int(joined.judged.hit_start[-1]), chunks=_count_chunks(joined),
        searches=count_searches(scores, s), record=_record(results), groups=count_groups(scores, s),
        aside=_count_set_aside(scores, s, name),
        ranks=count_ranks(joined), scores=count_scores(joined), times=_count_times(joined) if timed else None,
    )  # fmt: skip


def _count_chunks(joined: SystemLists) -> dict[str, int]:
    """Count chunks by whether they hit judged spans; nothing where no spans are judged."""
    if joined.spans is None:
        return {}
    from idealrank.judged_lists.spans import chunk_counts

    return chunk_counts(joined.judged)


def _count_times(joined: SystemLists) -> TimeCounts:
    from idealrank.evaluation.latency import count_times

    return count_times(joined)


def _table_facts(scores: BucketValues, s: int) -> dict[str, Any]:
    """Return what the table is, and what it was read as."""
    joined = scores.joined[s]
    results = joined.results
    orders = {str(m.decisions.order_by): results.order(m.decisions.order_by) for m in scores.measures}
    return {
        "name": results.name, "columns": results.columns, "form": results.form, "read_as": results.source.read_as,
        "warned": results.source.warnings, "orders": orders, "format": results.source.frame.format,
        "systems": len(results.systems), "order": joined.order,
        "pooled": joined.pooled, "shared": results.shared, "one_query": results.one_query,
        "like_judgments": results.like_judgments,
        "reads_ranks": reads_ranks(joined), "shown_depths": tuple(unjudged_depths(scores)),
    }  # fmt: skip


def _query_states(scores: BucketValues, s: int) -> dict[str, Any]:
    """Sort judged and returned queries by what became of them."""
    joined, in_scope = scores.joined[s], scores.in_scope
    nothing = np.where((joined.judged.returned == 0) & in_scope, np.int8(Nothing.EMPTY), np.int8(Nothing.RETURNED))
    # Only a table with a column of searches names queries that were searched for in vain; else nobody knows.
    if joined.results.column("step") is not None:
        nothing[(nothing == Nothing.EMPTY) & ~joined.judged.listed] = Nothing.NEVER_ASKED
    nothing[joined.failed & in_scope] = Nothing.FAILED
    asked = scores.scope_of(joined.unjudged_queries)
    return {
        "nothing": nothing, "unjudged": joined.unjudged_queries,
        "in_scope": tuple(itertools.compress(joined.unjudged_queries, asked)),
    }  # fmt: skip


def queries_without(scores: QueryValues, counts: ResultCounts, why: Nothing) -> tuple[str, ...]:
    """Return the queries asked for that have no results, for one reason."""
    return tuple(itertools.compress(scores.queries, counts.nothing == why))


def _count_set_aside(scores: BucketValues, s: int, name: str) -> int:
    failed = tuple(itertools.compress(scores.queries, scores.joined[s].failed & scores.in_scope))
    return scores.joined[s].results.set_aside(name, failed) if failed else 0


def _record(results: Results) -> dict[str, Any] | None:
    origin = results.source.origin
    if origin is None or not os.path.isdir(origin.beside):
        return None
    from idealrank.engines.replay_record import read_record

    record = read_record(results)
    return None if record is None else dict(record)


# Counts of searches, if a query was searched for several times, and the relevant documents they did not return.


Pairs = dict[TaskDocument, int | None]
"""Tasks and documents, with the step that needs the document; None if the task does as a whole."""


def count_searches(scores: BucketValues, s: int) -> SearchCounts | None:
    """Count the searches of a system; None if no column says which search a row belongs to."""
    joined = scores.joined[s]
    if joined.results.column("step") is None:
        return None
    from idealrank.data.search_queries import SearchJudgments, searched_steps

    tasks = _task_of_search(joined)
    made = searched_steps(joined.results, "" if joined.pooled else joined.system)
    if by_search := isinstance(joined.judgments, SearchJudgments):
        made = _group_by_task(made, tasks)
    missing = _documents_not_returned(scores, s, tasks)
    never = {key for key, step in missing.items() if not made.get(key[0]) or (step and step not in made[key[0]])}
    return SearchCounts(
        by_search=by_search, searches=sum(map(len, made.values())), tasks=len(made),
        most=max(map(len, made.values()), default=0), missed=tuple(key for key in missing if key not in never),
        never_asked=tuple(key for key in missing if key in never), never_found=_queries_never_found(scores, s),
    )  # fmt: skip


def _task_of_search(joined: SystemLists) -> Mapping[str, str]:
    """Return the task of each search that is a query of its own; none if queries are tasks."""
    from idealrank.data.search_queries import SearchJudgments

    if not isinstance(joined.judgments, SearchJudgments):
        return {}
    return {name: task for task, steps in joined.judgments.made.items() for name in steps.values()}


def _group_by_task(made: dict[str, set[int]], tasks: Mapping[str, str]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for query, steps in made.items():
        found.setdefault(tasks.get(query, query), set()).update(steps)
    return found


def _documents_not_returned(scores: BucketValues, s: int, tasks: Mapping[str, str]) -> Pairs:
    """Return the relevant documents that no search of a task returned."""
    decisions = with_all_searches(scores.setting.decisions)
    joined = scores.joins[s].lists(decisions)
    lists = joined.lists
    wanted = reaches(lists.pool_grade, decisions.relevant_from) & scores.in_scope[lists.pool_query]
    wanted &= ~joined.failed[lists.pool_query]
    names = [tasks.get(query, query) for query in joined.queries]
    steps = _needed_by_step(joined.judgments, decisions, joined.pool.row[lists.pool_entry])
    hits = lists.entry >= 0
    found = set(zip((names[q] for q in lists.query[hits]), joined.pool.docs(lists.entry[hits]), strict=True))
    rows = np.flatnonzero(wanted)
    pairs = zip((names[q] for q in lists.pool_query[rows]), joined.pool.docs(lists.pool_entry[rows]), strict=True)
    return {key: steps[row] for key, row in zip(pairs, rows.tolist(), strict=True) if key not in found}


def _needed_by_step(judgments: Judgments, decisions: Decisions, rows: Ints) -> list[int | None]:
    """Return the step that each judged row is for; None if it is for the task as a whole."""
    table = judged_parts(judgments, decisions)
    column = table.column("step")
    if column is None:
        return [None] * len(rows)
    from idealrank.data.searches import whole_steps

    given = codes(column) >= 0
    step = whole_steps(table, column, given)
    return [int(step[row]) if given[row] else None for row in rows]


def _queries_never_found(scores: BucketValues, s: int) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for m, measure in enumerate(scores.measures):
        most = dict(measure.parameters).get("most")
        lost = None if most is None else scores.values[s, m] > most
        if lost is not None and lost.any():
            found[scores.labels[m]] = tuple(itertools.compress(scores.queries, lost))
    return found


# Counts by group of measures that read the same lists: a convention may order results by another column for some.


def groups_of(measures: Sequence[Measure], orders: Mapping[str, str]) -> list[list[Measure]]:
    """Group measures by the lists they read.

    Parameters
    ----------
    orders
        By answer to `order_by`, what orders the results.
    """
    groups: dict[Any, list[Measure]] = {}
    for measure in measures:
        decisions = measure.decisions
        key = (lists_key(decisions, orders[str(decisions.order_by)]), decisions.negative)
        groups.setdefault(key, []).append(measure)
    return list(groups.values())


def count_groups(scores: BucketValues, s: int) -> dict[tuple[str, int], int]:
    """Count in the lists of each group of measures what another answer would read otherwise."""
    results = scores.joins[s].results
    orders = {str(m.decisions.order_by): results.order(m.decisions.order_by) for m in scores.measures}
    found: dict[tuple[str, int], int] = {}
    for g, measures in enumerate(groups_of(scores.measures, orders)):
        found |= {(name, g): count for name, count in _count_group(scores, s, measures).items()}
    return found


def _count_group(scores: BucketValues, s: int, measures: Sequence[Measure]) -> dict[str, int]:
    decisions = measures[0].decisions
    joined = scores.joins[s].lists(decisions)
    tied = joined.judged.tied[scores.in_scope].sum()
    return {
        "holes": int(_count_unjudged(joined, decisions, None)[0, scores.in_scope].sum()),
        "keeping": joined.run.keeping_ranks,
        "merged": joined.run.merged, "tied": int(tied), **_count_ties_by_precision(scores, s, decisions, joined),
    }  # fmt: skip


def _count_ties_by_precision(scores: BucketValues, s: int, decisions: Decisions, joined: SystemLists) -> dict[str, int]:
    """Count tied results under either precision of scores, where they differ."""
    if joined.order != "score" or not joined.run.single_ties():
        return {}
    under = {precision: decisions.but(score_precision=precision) for precision in PRECISIONS}
    return {name: int(scores.joins[s].lists(one).judged.tied[scores.in_scope].sum()) for name, one in under.items()}


PRECISIONS = {"float64": "float32", "float32": "float64"}
"""The other answer to each precision of scores."""


# Counts of holes: results that nobody judged.


DEFAULT_DEPTH = 10
"""Depth to which holes are counted where the first measure has no cutoff."""


def count_unjudged(scores: BucketValues, s: int) -> dict[int | None, Ints]:
    """(2, Q) results that nobody judged, and all results, of each query asked for, by depth."""
    joined, first = scores.joined[s], scores.measures[0].cutoff or DEFAULT_DEPTH
    found: dict[int | None, Ints] = {}
    for depth in (None, *sorted({*unjudged_depths(scores), first})):
        every = _count_unjudged(joined, scores.setting.decisions, depth)
        found[depth] = (every * scores.in_scope).astype(np.int32)
    return found


def unjudged_depths(scores: QueryValues) -> list[int]:
    """Return the cutoffs of the measures for which it matters whether a result is judged."""
    return sorted({m.cutoff for m in scores.measures if m.cutoff and "unjudged" in m.definition.reads})


def unjudged_within(scores: Values, s: int, depth: int | None) -> tuple[int, int]:
    """Count a system's results within a depth that nobody judged, and all results there."""
    known = scores.counts.returned[s].holes.get(depth)
    found = unjudged_per_query(scores, s, depth) * scores.in_scope if known is None else known
    unjudged, results = found.sum(axis=1).tolist()
    return unjudged, results


def unjudged_per_query(scores: Values, s: int, depth: int | None) -> Ints:
    """(2, Q) a system's results within a depth that nobody judged, and all results there, of each judged query."""
    work = partial(_unjudged_in_bucket, s=s, decisions=scores.setting.decisions, depth=depth)
    return compute_per_query(scores, work)


def _unjudged_in_bucket(joins: list[Join], s: int, decisions: Decisions, depth: int | None) -> Ints:
    return _count_unjudged(joins[s].lists(decisions), decisions, depth)


def _count_unjudged(joined: SystemLists, decisions: Decisions, depth: int | None) -> Ints:
    """(2, Q) results that nobody judged, or with a grade below zero that does not count; and all results.

    Where the judgments are assumed to be complete, all results count as judged.
    """
    deep = joined.judged.returned if depth is None else np.minimum(joined.judged.returned, depth)
    results = deep - joined.repeated_within(depth)
    if decisions.unjudged == "complete":
        return np.stack([np.zeros_like(results), results])
    return np.stack([results - joined.judged.judged_within(depth, decisions.negative != "unjudged"), results])


# Scores that can hardly order results from best to worst: all equal, or rising down the list as distances do.


FEWEST_SCORES = 3
"""Scores of a list that must differ, at least, before their order says anything."""


class ScoreOrders(NamedTuple):
    """How the scores of the lists of a run go from row to row.

    Attributes
    ----------
    known, first
        (L,) how many results of a list have a score, and the first of these scores.
    level, distinct, rising
        (L,) whether it has several scores, and all are the same; whether at least `FEWEST_SCORES` follow one another
        that differ; and whether these rise, and with the ranks.
    counting
        (L,) whether its scores count its rows from 0 or from 1.
    """

    known: Ints
    first: Floats
    level: Mask
    distinct: Mask
    rising: Mask
    counting: Mask


def score_orders(run: Run) -> ScoreOrders:
    """Look how the scores of each list of a run go from row to row; they are there."""
    known, changes, falls, first, counting = run.score_sequence()
    distinct = changes >= FEWEST_SCORES - 1
    return ScoreOrders(known, first, (changes == 0) & (known > 1), distinct, distinct & (falls == 0), counting)


def count_scores(joined: SystemLists) -> ScoreCounts | None:
    """Count what is odd about the scores that order a system's results; None if they order nothing.

    Scores that rise in a dict are no oddity, as its entries may be in any order, unless they count from 0 or 1.
    """
    results = joined.results
    if results.score is None or joined.order != "score" or joined.searches is not None or len(results.left_out):
        return None
    found = score_orders(joined.parts)
    rising = found.rising & found.counting if results.source.frame.format == "dicts" else found.rising
    return ScoreCounts(
        several=int((found.known > 1).sum()), distinct=int(found.distinct.sum()),
        level=_marked_queries(joined.parts, found.level), rising=_marked_queries(joined.parts, rising),
        swapped=_marked_queries(joined.parts, found.counting & found.distinct & _have_no_ranks(joined)),
        same=float(found.first[found.level].min(initial=np.inf)),
    )  # fmt: skip


def _have_no_ranks(joined: SystemLists) -> Mask:
    """Whether the rank column of each list has other numbers than 1, 2, 3 and so on; not where there is none."""
    if joined.results.rank is None:
        return np.zeros(len(joined.parts.queries), np.bool_)
    known, low, high, fractions, _ = joined.parts.rank_sequence()
    odd: Mask = (fractions > 0) | ((low != 0) & (low != 1)) | (high - low + 1 != known)
    return odd


# Ranks that can hardly be right: all equal, with fractions, without the first, with gaps.


FAR_RANK = 100
"""Ranks beyond this that a list begins with are counted as one: they are numbers of rows, not ranks of results."""


def count_ranks(joined: SystemLists) -> RankCounts | None:
    """Count what is odd about the ranks of a system; None if they are not read."""
    results = joined.results
    if results.rank is None or joined.searches is not None or len(results.left_out) or not reads_ranks(joined):
        return None
    run = joined.parts
    if run.dropped:  # whose ranks are no gaps: the rows were there
        run = results.returned("" if joined.pooled else joined.system, "keep")
    known, low, high, fractions, fraction = run.rank_sequence()
    lists, several = int((known > 0).sum()), int((known > 1).sum())
    # The reader counts gaps and repeats as it groups rows: where there are none, each list begins with the table's
    # lowest rank, 0 or 1, which are alike to those who read this.
    if not (joined.parts.rank_gaps or joined.parts.rank_repeats or fractions.any()):
        return RankCounts(lists=lists, several=several, first={1: lists})
    odd = fractions > 0
    level = (low == high) & (known > 1)
    late = ~odd & ~level & (low > 1) & (low <= FAR_RANK)
    gapped = ~odd & ~level & (high - low + 1 > known)
    begins, counts = np.unique(np.minimum(np.floor(low[known > 0]), FAR_RANK + 1), return_counts=True)
    return RankCounts(
        lists=lists, several=several, first=dict(zip(begins.astype(int).tolist(), counts.tolist(), strict=True)),
        level=_marked_queries(run, level), fractional=_marked_queries(run, odd), late=_marked_queries(run, late),
        gapped=_marked_queries(run, gapped), same=float(low[level].min(initial=np.inf)),
        fraction=float(fraction.min(initial=np.inf)),
    )  # fmt: skip


def _marked_queries(run: Run, which: Mask) -> tuple[str, ...]:
    """Return the queries that are marked, sorted."""
    return tuple(sorted(itertools.compress(run.queries, which))) if which.any() else ()


# Counts of what decides the order of results, and of rows that are not plain results.


def count_orders(scores: BucketValues, s: int) -> dict[str, Any]:
    """Count the queries in which rank and score disagree, and what either leaves tied."""
    join, decisions, joined = scores.joins[s], scores.setting.decisions, scores.joined[s]
    results = join.results
    if results.rank is None or results.score is None:
        return {}
    counted: dict[str, Any] = {"unscored": bool(joined.parts.missing_scores) and _has_unscored_query(results)}
    if decisions.unit == AS_RETURNED or decisions.roll_up == "first":  # else units are ordered by their own scores
        conflict, _ = joined.parts.order_conflict()
        counted |= {"conflicting": int((conflict > 0).sum()), "opposite": int((conflict == 2).sum())}
        counted["compared"] = len(conflict)
    if not counted.get("conflicting"):  # where rank and score disagree, that is said instead of ties
        counted["tied_by"] = _count_ties_by_order(join, decisions, scores.in_scope)
    return counted


def _tie_orders(results: Results, decisions: Decisions) -> tuple[str, ...]:
    """Return the orders in which ties are looked for: the ranks of a TREC run break ties of its scores only."""
    trec = results.source.frame.format == "trec-run" and results.order(decisions.order_by) == "score"
    return ("score",) if trec else ("score", "rank")


def _count_ties_by_order(join: Join, decisions: Decisions, in_scope: Mask) -> dict[str, int]:
    """Count the results tied by score, or else by rank."""
    for order in _tie_orders(join.results, decisions):
        tied = int(join.lists(decisions.but(order_by=order)).judged.tied[in_scope].sum())
        if tied:
            return {order: tied}
    return {}


def _has_unscored_query(results: Results) -> bool:
    """Whether a query has results, but no score for any, so that scores could not order it."""
    assert results.score is not None
    query = codes(results.keys.query)
    rows = np.flatnonzero(present_ids(results.source.ids(results.doc), np.arange(len(query))))
    scored = rows[~np.isnan(results.score.floats()[rows])]
    return len(np.setdiff1d(query[rows], query[scored])) > 0


def count_rows(joined: SystemLists) -> dict[str, int]:
    """Count the rows that are not plain results, by what they are."""
    run, trec = joined.parts, joined.results.source.frame.format == "trec-run"
    # A TREC run without a score is refused, and its rank column is not read where the score counts.
    scored, ranked = joined.results.score is not None and not trec, reads_ranks(joined)
    return {
        "placeholder rows": run.placeholders,
        "duplicates dropped": run.dropped,
        "results without a score": run.missing_scores if scored else 0,
        "results without a rank": run.missing_ranks if ranked else 0,
        "queries with repeated ranks": run.rank_repeats if ranked else 0,
        "queries with gaps in the ranks": run.rank_gaps if ranked else 0,
    }


def reads_ranks(joined: SystemLists) -> bool:
    """Whether the rank column is read: that of a TREC run only if results are ordered by it."""
    return joined.results.rank is not None and (
        joined.order == "rank" or joined.results.source.frame.format != "trec-run"
    )


def refuse_opposite(counts: ResultCounts, decisions: Decisions) -> None:
    """Refuse a table in which rank and score run against each other, unless something says which counts.

    Raises
    ------
    DataError
        With the number of queries, and what to say.
    """
    # A TREC run is ordered by score, by definition: its ranks say nothing.
    automatic = decisions.order_by == "auto" and counts.format != "trec-run"
    if automatic and counts.opposite > counts.compared / 2:
        raise DataError(
            f"{counts.name}: rank and score run in opposite directions in {counts.opposite} "
            f"of {counts.compared} queries (does a lower score mean better here?). "
            f"Say which counts: {option('order_by', 'rank')} or {option('order_by', 'score')}."
        )
