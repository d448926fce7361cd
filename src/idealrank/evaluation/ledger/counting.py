"""What is counted for the ledger in judgments, results and searches; and ranks or scores in doubt."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from idealrank._core import Column
from idealrank.arrays import Floats, Ints, Mask
from idealrank.data.ids import codes, id_text, present_ids
from idealrank.data.judgments import Judgments
from idealrank.data.latency_columns import STEMS, latency_column
from idealrank.data.results import Results
from idealrank.data.roles import says_relevant
from idealrank.data.search_queries import SearchJudgments, searched_steps
from idealrank.data.searches import whole_steps
from idealrank.data.units import AS_RETURNED
from idealrank.decisions.decisions import Decisions
from idealrank.engines.replay_record import read_record
from idealrank.errors import listed, plural
from idealrank.evaluation.buckets import BucketValues, per_query
from idealrank.evaluation.latency import time_counts
from idealrank.evaluation.ledger.counts import (
    Counts,
    Holes,
    JudgmentCounts,
    Pair,
    RankCounts,
    ResultCounts,
    ScoreCounts,
    SearchCounts,
)
from idealrank.evaluation.values import QueryValues, Values
from idealrank.judged_lists.join import Join, SystemLists, lists_key
from idealrank.judged_lists.lists import reaches
from idealrank.judged_lists.near_ids import candidates
from idealrank.judged_lists.searches import with_all_searches
from idealrank.judged_lists.spans import chunk_counts
from idealrank.judged_lists.units import judged_parts
from idealrank.measures.definition import Measure


def count(scores: BucketValues) -> Counts:
    """Count in a bucket all that the ledger says of its tables; one that is absent does not say what it is."""
    judged, whole = judgment_counts(scores), scores.meetings[0].judgments.whole
    returned = (result_counts(scores, s) for s in range(len(scores.systems)))
    tables = (meeting.results.whole for meeting in scores.meetings)
    return Counts(
        judged=judged.of_nothing() if whole is not None and whole.absent else judged,
        returned=tuple(
            counts.of_nothing() if table is not None and table.absent else counts
            for counts, table in zip(returned, tables, strict=True)
        ),
        lengths=np.array([met.judged.returned for met in scores.met]),
        texts=scores.texts,
    )


# Counts in the judgments what the ledger says of them.


def judgment_counts(scores: BucketValues) -> JudgmentCounts:
    """Count what the ledger says of the judgments."""
    met, decisions = scores.met[0], scores.setting.decisions
    whole, table = met.judgments, judged_parts(met.judgments, decisions)
    subtopics = table.subtopics(decisions.raters, decisions.duplicates)
    parts = table.pool(decisions.raters, decisions.duplicates)
    return JudgmentCounts(
        name=whole.name, columns=whole.columns, form=whole.form, read_as=whole.source.read_as,
        warned=whole.source.warnings, scale=dict(whole.scale or {}), raters=whole.raters, graded=bool(whole.grades),
        named_relevant=_named_relevant(whole), table_rows=whole.source.frame.rows,
        rated=0 if whole.grades else int(whole.ratings.size - np.isnan(whole.ratings).sum()),
        lowest=float(met.pool.grade.min(initial=math.inf)), highest=float(met.pool.grade.max(initial=-math.inf)),
        below_zero=int((parts.grade < 0).sum()), low=dict(_low(scores)), tops=dict(_tops(scores)),
        ungraded=parts.ungraded, ungraded_queries=tuple(parts.ungraded_queries), one_query=table.one_query,
        dropped=table.dropped(decisions.raters, decisions.duplicates),
        several=0 if subtopics is None else subtopics.with_several, missing_ratings=table.missing_ratings(),
        merged=len(parts.grade) - len(met.pool.grade), units=len(met.pool.grade),
        fractional=whole.like_results == "fractions", ranked=whole.like_results == "ranks",
        texts=whole.texts[0], differing=tuple(sorted(_differing(scores))), **_shared(scores),
    )  # fmt: skip


def _named_relevant(table: Judgments) -> bool:
    """Whether the documents are those of a list or a column that says by its name that they are relevant."""
    return table.source.part("judgments") is not None or says_relevant(table.roles.names[table.doc])


def reads_level(measure: Measure) -> float | None:
    """Return the level above 0 from which a measure counts a grade as relevant; None where it has none."""
    level = measure.decisions.relevant_from
    if "relevant_from" not in measure.definition.reads or isinstance(level, str) or level <= 0:
        return None
    return float(level)


def _low(scores: BucketValues) -> Iterator[tuple[tuple[str, float], int]]:
    """Yield, by measure and level, how many grades above 0 do not reach it."""
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        if (level := reads_level(measure)) is not None:
            grades = scores.meetings[0].lists(measure.decisions).pool.grade
            if count := int(((grades > 0) & (grades < level)).sum()):
                yield (label, level), count


def _tops(scores: BucketValues) -> Iterator[tuple[str, float]]:
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        if measure.reads_top:
            yield label, scores.meetings[0].lists(measure.decisions).max_grade


def _shared(scores: BucketValues) -> dict[str, bool]:
    """Say whether results come from the table of the judgments, so that measures cannot know what was missed."""
    table = scores.meetings[0].judgments
    mine = [each for each in (meeting.results for meeting in scores.meetings) if each.source is table.source]
    return {
        "inflated": any(not each.judged_only for each in mine),
        "score_graded": any(not each.shared and each.roles.find("score") in table.grades for each in mine),
    }


def _differing(scores: BucketValues) -> set[str]:
    """Return the ids of queries that have several texts."""
    ours, odd = scores.meetings[0].judgments.texts
    differing = set(odd)
    for texts, odd in (meeting.results.texts for meeting in scores.meetings):
        differing |= odd | {key for key, text in texts.items() if ours.get(key, text) != text}
    return differing


# Counts in one system's results what the ledger says of them.


def result_counts(scores: BucketValues, s: int) -> ResultCounts:
    """Count what the ledger says of one system's results."""
    met, name = scores.met[s], "" if scores.met[s].pooled else scores.met[s].system
    results = met.results
    tied = met.judged.tied[scores.in_scope]
    return ResultCounts(
        **_table(scores, s), **_account(scores, s), **order_counts(scores, s),
        results=met.run.results, kept=met.run.results - met.run.keeping_ranks, merged=met.run.merged,
        table_rows=results.source.frame.rows, rows=row_counts(met), nameless=met.nameless,
        judged_only=results.judged_only, excluded=len(results.left_out),
        lowest_rank=_lowest(met.parts.lowest_rank), errors=dict(met.failures),
        tied=int(tied.sum()), tied_queries=int((tied > 0).sum()), holes=hole_counts(scores, s),
        hits=int(met.judged.hit_start[-1]), longest=int(met.judged.returned.max(initial=0)),
        chunks=chunk_counts(met.judged), searches=search_counts(scores, s), record=_record(results),
        groups=group_counts(scores, s), aside=_aside(scores, s, name), candidates=tuple(candidates(met)),
        ranks=rank_counts(met), scores=score_counts(met), times=time_counts(met) if _timed(scores) else None,
    )  # fmt: skip


def _timed(scores: BucketValues) -> bool:
    """Whether any table of results has a column of times."""
    names = (meeting.results.roles.names for meeting in scores.meetings)
    return any(latency_column(each, clock) is not None for each in names for clock in STEMS)


def _table(scores: BucketValues, s: int) -> dict[str, Any]:
    """Return what the table is, and what it was read as."""
    met = scores.met[s]
    results = met.results
    orders = {str(m.decisions.order_by): results.order(m.decisions.order_by) for m in scores.measures}
    return {
        "name": results.name, "columns": results.columns, "form": results.form, "read_as": results.source.read_as,
        "warned": results.source.warnings, "orders": orders, "format": results.source.frame.format,
        "systems": len(results.systems), "order": met.order,
        "pooled": met.pooled, "shared": results.shared, "one_query": results.one_query,
        "like_judgments": results.like_judgments,
        "reads_ranks": reads_ranks(met), "shown_depths": tuple(depths(scores)),
    }  # fmt: skip


def _account(scores: BucketValues, s: int) -> dict[str, Any]:
    """Sort the queries on either side by what became of them."""
    met, in_scope = scores.met[s], scores.in_scope
    returned, failed = met.judged.returned, met.failed
    empty = (returned == 0) & ~failed & in_scope
    never = empty & ~met.judged.listed if met.results.column("step") is not None else np.zeros_like(empty)
    return {
        "judged_and_returned": int(((returned > 0) & in_scope).sum()),
        "empty": _named(scores, empty & ~never), "never_asked": _named(scores, never),
        "failed": _named(scores, failed & in_scope), "unjudged": met.unjudged_queries,
        "in_scope": tuple(itertools.compress(met.unjudged_queries, scores.asked(met.unjudged_queries))),
        "left_out": int((~in_scope).sum()),
    }  # fmt: skip


def _named(scores: BucketValues, which: Mask) -> tuple[str, ...]:
    return tuple(itertools.compress(scores.queries, which))


def _aside(scores: BucketValues, s: int, name: str) -> int:
    failed = _named(scores, scores.met[s].failed & scores.in_scope)
    return scores.met[s].results.set_aside(name, failed) if failed else 0


def _lowest(rank: float) -> float:
    return math.inf if math.isnan(rank) else rank


def _record(results: Results) -> dict[str, Any] | None:
    record = read_record(results)
    return None if record is None else dict(record)


# Counts the searches of queries that were searched for several times, and what they did not return.


Pairs = dict[Pair, int | None]
"""Tasks and documents, with the step that needs the document; None if the task does as a whole."""


def search_counts(scores: BucketValues, s: int) -> SearchCounts | None:
    """Count the searches of a system; None if no column says which search a row belongs to."""
    met = scores.met[s]
    if met.results.column("step") is None:
        return None
    tasks = _tasks(met)
    made = searched_steps(met.results, "" if met.pooled else met.system)
    if apart := isinstance(met.judgments, SearchJudgments):
        made = _by_task(made, tasks)
    missing = _not_returned(scores, s, tasks)
    never = {key for key, step in missing.items() if not made.get(key[0]) or (step and step not in made[key[0]])}
    return SearchCounts(
        apart=apart, searches=sum(map(len, made.values())), tasks=len(made),
        most=max(map(len, made.values()), default=0), missed=tuple(key for key in missing if key not in never),
        never_asked=tuple(key for key in missing if key in never), never_found=_never_found(scores, s),
    )  # fmt: skip


def _tasks(met: SystemLists) -> Mapping[str, str]:
    """Return the task of each search that is a query of its own; none if queries are tasks."""
    if not isinstance(met.judgments, SearchJudgments):
        return {}
    return {name: task for task, steps in met.judgments.made.items() for name in steps.values()}


def _by_task(made: dict[str, set[int]], tasks: Mapping[str, str]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for query, steps in made.items():
        found.setdefault(tasks.get(query, query), set()).update(steps)
    return found


def _not_returned(scores: BucketValues, s: int, tasks: Mapping[str, str]) -> Pairs:
    """Return the relevant documents that no search of a task returned."""
    decisions = with_all_searches(scores.setting.decisions)
    met = scores.meetings[s].lists(decisions)
    lists = met.lists
    wanted = reaches(lists.pool_grade, decisions.relevant_from) & scores.in_scope[lists.pool_query]
    wanted &= ~met.failed[lists.pool_query]
    names = [tasks.get(query, query) for query in met.queries]
    steps = _needed_by(met.judgments, decisions, met.pool.row[lists.pool_entry])
    hits = lists.entry >= 0
    found = set(zip((names[q] for q in lists.query[hits]), met.pool.docs(lists.entry[hits]), strict=True))
    rows = np.flatnonzero(wanted)
    pairs = zip((names[q] for q in lists.pool_query[rows]), met.pool.docs(lists.pool_entry[rows]), strict=True)
    return {key: steps[row] for key, row in zip(pairs, rows.tolist(), strict=True) if key not in found}


def _needed_by(judgments: Judgments, decisions: Decisions, rows: Ints) -> list[int | None]:
    """Return the step that each judged row is for; None if it is for the task as a whole."""
    table = judged_parts(judgments, decisions)
    column = table.column("step")
    if column is None:
        return [None] * len(rows)
    given = codes(column) >= 0
    step = whole_steps(table, column, given)
    return [int(step[row]) if given[row] else None for row in rows]


def _never_found(scores: BucketValues, s: int) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for m, measure in enumerate(scores.measures):
        most = dict(measure.parameters).get("most")
        lost = None if most is None else scores.values[s, m] > most
        if lost is not None and lost.any():
            found[scores.labels[m]] = tuple(itertools.compress(scores.queries, lost))
    return found


# Counts by group of measures that read the same lists: those of one convention may be ordered by different columns.


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


def group_counts(scores: BucketValues, s: int) -> dict[tuple[str, int], int]:
    """Count in the lists of each group of measures what another answer would read otherwise."""
    results = scores.meetings[s].results
    orders = {str(m.decisions.order_by): results.order(m.decisions.order_by) for m in scores.measures}
    found: dict[tuple[str, int], int] = {}
    for g, measures in enumerate(groups_of(scores.measures, orders)):
        found |= {(name, g): count for name, count in _of_group(scores, s, measures).items()}
    return found


def _of_group(scores: BucketValues, s: int, measures: Sequence[Measure]) -> dict[str, int]:
    decisions = measures[0].decisions
    met = scores.meetings[s].lists(decisions)
    tied = met.judged.tied[scores.in_scope].sum()
    return {
        "holes": int(_unjudged(met, decisions, None)[0, scores.in_scope].sum()), "keeping": met.run.keeping_ranks,
        "merged": met.run.merged, "tied": int(tied), **_by_precision(scores, s, decisions, met),
    }  # fmt: skip


def _by_precision(scores: BucketValues, s: int, decisions: Decisions, met: SystemLists) -> dict[str, int]:
    """Count tied results under either precision of scores, where they may differ."""
    column = met.results.score
    if met.order != "score" or column is None or _ties_nothing_in_float32(column.floats(), met.results.keys.query):
        return {}
    under = {precision: decisions.but(score_precision=precision) for precision in PRECISIONS}
    return {name: int(scores.meetings[s].lists(one).judged.tied[scores.in_scope].sum()) for name, one in under.items()}


PRECISIONS = {"float64": "float32", "float32": "float64"}
"""The other answer to each precision of scores."""


def _ties_nothing_in_float32(values: Floats, query: Column) -> bool:
    """Whether single precision ties nothing, as far as that is seen without joining again.

    It is seen where the values are the same, and where they fall within each query from row to row.
    """
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if (values == single).all():
        return True
    code, queries = query.codes()
    within = code[1:] == code[:-1]
    begun = len(code) - int(within.sum())
    falls = single[1:] < single[:-1]
    equal = values[1:] == values[:-1]
    return begun == len(queries) and bool((falls | equal)[within].all())


# Counts of holes: results that nobody judged.


ASKED = 10
"""Depth to which holes are counted where the first measure has no cutoff."""


def hole_counts(scores: BucketValues, s: int) -> Holes:
    """Count the holes of one system, by depth."""
    met, first = scores.met[s], scores.measures[0].cutoff or ASKED
    found: Holes = {}
    for depth in (None, *sorted({*depths(scores), first})):
        every = _unjudged(met, scores.setting.decisions, depth)
        unjudged, results = every[:, scores.in_scope].sum(axis=1).tolist()
        found[depth] = unjudged, results
    return found


def depths(scores: QueryValues) -> list[int]:
    """Return the cutoffs of the measures for which it matters whether a result is judged."""
    return sorted({m.cutoff for m in scores.measures if m.cutoff and "unjudged" in m.definition.reads})


def holes_within(scores: Values, s: int, depth: int | None) -> tuple[int, int]:
    """Count a system's results within a depth that nobody judged, and all results there."""
    if known := scores.counts.returned[s].holes.get(depth):
        return known
    work = partial(_holes_within, s=s, decisions=scores.setting.decisions, depth=depth)
    unjudged, results = per_query(scores, work)[:, scores.in_scope].sum(axis=1).tolist()
    return unjudged, results


def _holes_within(meetings: list[Join], s: int, decisions: Decisions, depth: int | None) -> Ints:
    return _unjudged(meetings[s].lists(decisions), decisions, depth)


def _unjudged(met: SystemLists, decisions: Decisions, depth: int | None) -> Ints:
    """(2, Q) results that nobody judged, or with a grade below zero that does not count; and all results."""
    deep = met.judged.returned if depth is None else np.minimum(met.judged.returned, depth)
    results = deep - met.repeated_within(depth)
    return np.stack([results - met.judged.judged_within(depth, decisions.negative != "unjudged"), results])


# Scores that can hardly order results from best to worst: all equal, or rising down the list as distances do.


MOST = 0.9
"""Share of the lists in which scores must rise to say that those of a system do."""

FEWEST = 3
"""Scores of a list that must differ, at least, before their order says anything."""


class ScoreOrders(NamedTuple):
    """How the scores of lists run from row to row.

    Attributes
    ----------
    first
        (L,) the place of the first row of each list.
    level, distinct, rising
        (L,) whether it has several scores, and all are the same; whether at least `FEWEST` follow one another that
        differ; and whether these rise, and with the ranks.
    """

    first: Ints
    level: Mask
    distinct: Mask
    rising: Mask

    @property
    def mostly_rising(self) -> bool:
        """Whether the scores of nearly every list rise."""
        return bool(self.distinct.any()) and int(self.rising.sum()) >= MOST * int(self.distinct.sum())


def score_orders(lists: Ints, values: Floats, ranks: Floats | None) -> ScoreOrders:
    """Look how the scores of lists run from row to row.

    Parameters
    ----------
    lists
        (N,) the list of each row.
    values, ranks
        (N,) their scores, and their ranks if there are any.
    """
    order = np.argsort(lists, kind="stable")
    lists, values = lists[order], values[order]
    starts = np.flatnonzero(np.diff(lists, prepend=-2) != 0)
    place = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(lists)))
    within = lists[1:] == lists[:-1]
    up, change = values[1:] >= values[:-1], values[1:] != values[:-1]
    if ranks is not None:
        up &= ranks[order][1:] >= ranks[order][:-1]

    def number(which: Mask) -> Ints:
        return np.bincount(place[1:][within & which], minlength=len(starts))

    changes = number(change)
    distinct = changes >= FEWEST - 1
    level = (changes == 0) & (number(np.ones_like(up)) > 0)
    return ScoreOrders(order[starts], level, distinct, distinct & (number(~up) == 0))


def score_counts(met: SystemLists) -> ScoreCounts | None:
    """Count what is odd about the scores that order a system's results; None where nobody reads them.

    The order of a dict's entries says nothing, unless their scores count them from 0 or 1, as ranks do.
    """
    results = met.results
    if results.score is None or met.order != "score" or met.searches is not None or len(results.left_out):
        return None
    rows = results.rows("" if met.pooled else met.system)
    values = results.score.floats()[rows]
    known = ~np.isnan(values) & _of_documents(met, rows)
    rows, values = rows[known], values[known]
    ranks = None if results.rank is None else results.rank.floats()[rows]
    code, names = results.keys.query.codes()
    query = code[rows]
    found = score_orders(query, values, ranks)
    if results.source.frame.format == "dicts":
        found = found._replace(rising=found.rising & _counting(query, values))

    def named(which: Mask) -> tuple[str, ...]:
        return tuple(sorted(map(id_text, names.to_list(query[found.first[which]]))))

    return ScoreCounts(
        several=int((np.bincount(query) > 1).sum()), distinct=int(found.distinct.sum()), level=named(found.level),
        rising=named(found.rising),
        same=float(values[found.first[found.level]].min(initial=np.inf)),
    )  # fmt: skip


def _counting(lists: Ints, values: Floats) -> Mask:
    """(L,) whether the scores of each list count its rows from 0 or from 1."""
    order = np.argsort(lists, kind="stable")
    starts = np.flatnonzero(np.diff(lists[order], prepend=-2) != 0)
    sizes = np.diff(starts, append=len(lists))
    number = np.arange(len(lists)) - np.repeat(starts, sizes)
    first = values[order][starts]
    right = values[order] == number + np.repeat(first, sizes)
    return np.isin(first, (0, 1)) & np.logical_and.reduceat(right, starts) if len(starts) else np.zeros(0, dtype=bool)


def score_doubts(
    system: str, counts: ScoreCounts | None, columns: Mapping[str, str], answered: Mapping[str, object]
) -> Iterator[RankDoubt]:
    """Say why the scores of a system can hardly order its results, if that is so in several queries.

    Not where somebody said what orders them (`order_by`), or, of equal scores, what becomes of ties (`ties`).

    Parameters
    ----------
    columns
        The columns that were read.
    answered
        The answers to decisions that were given.
    """
    if counts is None or "order_by" in answered:
        return
    other = answer("order_by", "rank" if "rank" in columns else "given")
    if len(counts.level) > 1 and "ties" not in answered and 2 * len(counts.level) > counts.several:
        share = f"{len(counts.level):,} of {plural(counts.several, 'query')}"
        text = f"{system}: the results of a query all have score {counts.same:g} in {share}"
        way = f"Give scores that differ, or order the results by their {_ORDERS['rank' in columns]}: {other}"
        yield RankDoubt(
            "level scores", f"{text}, so the scores do not say which comes first", way, tuple(sorted(counts.level))
        )
    if len(counts.rising) > 1 and len(counts.rising) >= MOST * counts.distinct:
        share = f"{len(counts.rising):,} of {plural(counts.distinct, 'query')}"
        text = f"{system}: scores rise from the first result to the last in {share}, as distances and ranks do"
        way = (
            f"If a lower score is better, order the results by their {_ORDERS['rank' in columns]}: {other}. If a "
            f"higher one is, say so: {answer('order_by', 'score')}"
        )
        yield RankDoubt(
            "rising scores", f"{text}, and the highest counts as the best", way, tuple(sorted(counts.rising))
        )


_ORDERS = {True: "ranks", False: "rows"}
"""What else can order results, by whether there are ranks."""

# Ranks that can hardly be right: all equal, with fractions, without the first, with gaps.


MANY = 0.05
"""The share of queries above which what is odd about them is no accident of a few."""

FAR = 100
"""Ranks beyond this that a list begins with are counted as one: they are numbers of rows, not ranks of results."""


def many(queries: int, of: int) -> bool:
    """Whether so many queries are odd that it is no accident of a few."""
    return queries > 1 and queries > MANY * of


def rank_counts(met: SystemLists) -> RankCounts | None:
    """Count what is odd about the ranks of a system; None where nobody reads them."""
    results = met.results
    if results.rank is None or met.searches is not None or len(results.left_out) or not reads_ranks(met):
        return None
    rows = results.rows("" if met.pooled else met.system)
    ranks = results.rank.floats()[rows]
    ranks = np.where(np.isfinite(ranks), ranks, np.nan)  # an infinite rank is none, as in the core
    known = ~np.isnan(ranks) & _of_documents(met, rows)
    code, names = results.keys.query.codes()
    query, ranks = code[rows[known]], ranks[known]
    size = np.bincount(query, minlength=len(names))
    lists, several = int((size > 0).sum()), int((size > 1).sum())
    fractions = ranks % 1 != 0
    # The reader counts gaps and repeats as it groups rows: where there are none, each list begins with the table's
    # lowest rank, 0 or 1, which are alike to those who read this. Healthy tables are not looked through once more.
    if not (met.parts.rank_gaps or met.parts.rank_repeats or fractions.any()):
        return RankCounts(lists=lists, several=several, first={1: lists})
    low, high = np.full(len(names), np.inf), np.full(len(names), -np.inf)
    np.minimum.at(low, query, ranks)
    np.maximum.at(high, query, ranks)
    odd = np.bincount(query, fractions, minlength=len(names)) > 0
    level = (low == high) & (size > 1)
    late = ~odd & ~level & (low > 1) & (low <= FAR)
    gapped = ~odd & ~level & (high - low + 1 > size)
    begins, counts = np.unique(np.minimum(np.floor(low[size > 0]), FAR + 1), return_counts=True)
    return RankCounts(
        lists=lists, several=several, first=dict(zip(begins.astype(int).tolist(), counts.tolist(), strict=True)),
        level=_names_at(names, level), fractional=_names_at(names, odd), late=_names_at(names, late),
        gapped=_names_at(names, gapped), same=float(low[level].min(initial=np.inf)),
        fraction=float(ranks[fractions].min(initial=np.inf)),
    )  # fmt: skip


def _of_documents(met: SystemLists, rows: Ints) -> Mask:
    """Return which rows name a document: the reader counted those that do not, of which there mostly are none."""
    if not met.parts.placeholders:
        return np.ones(len(rows), np.bool_)
    return present_ids(met.results.source.ids(met.results.doc), rows)


def _names_at(names: Column, which: Mask) -> tuple[str, ...]:
    """Return the queries that are marked, sorted."""
    return tuple(sorted(map(id_text, names.to_list(np.flatnonzero(which)))))


class RankDoubt(NamedTuple):
    """Why the ranks or the scores of a system can hardly be right.

    Attributes
    ----------
    kind
        ``level``, ``fractional``, ``late`` or ``gapped`` of ranks; ``level scores`` or ``rising scores``.
    text, advice
        What is odd, and what to do about it.
    queries
        The queries it is about.
    """

    kind: Literal["level", "fractional", "late", "gapped", "level scores", "rising scores"]
    text: str
    advice: str
    queries: tuple[str, ...]


def rank_doubts(
    system: str, counts: RankCounts | None, order: str, columns: Mapping[str, str], answered: Mapping[str, object]
) -> Iterator[RankDoubt]:
    """Say why the ranks of a system can hardly be right.

    A doubt that a decision answers is not raised where somebody gave that answer: `order_by` for ranks that are equal
    or have fractions, `rank_gaps` for those that are missing.

    Parameters
    ----------
    order, columns
        What orders the results, and the columns that were read.
    answered
        The answers to decisions that were given.
    """
    if counts is None:
        return
    if order == "rank" and "order_by" not in answered:
        if counts.level and 2 * len(counts.level) > counts.several:
            text = f"{system}: the results of a query all have rank {counts.same:g} in {_of(counts.level, counts)}"
            way = (
                f"Order the results by their scores: {answer('order_by', 'score')}"
                if "score" in columns
                else "Give ranks that differ"
            )
            yield RankDoubt(
                "level", f"{text}, so the ranks do not say which comes first", way, tuple(sorted(counts.level))
            )
        if many(len(counts.fractional), counts.lists):
            text = f"{system}: ranks with fractions, such as {counts.fraction:g}, in {_of(counts.fractional, counts)}"
            text += ", as if the columns of ranks and scores were swapped" if "score" in columns else ""
            way = f"Check which column is the rank. If it is the right one, say so: {answer('order_by', 'rank')}"
            yield RankDoubt("fractional", text, way, tuple(sorted(counts.fractional)))
    if "rank_gaps" in answered or not counts.lists:
        return
    way = f"Check that no row is missing. If none is, say so: {answer('rank_gaps', 'close')}"
    begin, most = max(sorted(counts.first.items()), key=lambda each: each[1])
    if 1 < begin <= FAR and 2 * most > counts.lists > 1:
        text = f"{system}: the results of {_of(counts.late, counts)} begin at rank {begin}, so the first are missing"
        yield RankDoubt("late", text, way, tuple(sorted(counts.late)))
        return
    # Ranks that run on from one query to the next begin anywhere; where most lists begin at 1, the others lost results.
    lost = counts.late if 2 * (counts.first.get(0, 0) + counts.first.get(1, 0)) > counts.lists else ()
    gapped = tuple(sorted({*lost, *counts.gapped}))
    if many(len(gapped), counts.lists):
        text = f"{system}: ranks are left out in {_of(gapped, counts)} ({listed(gapped)}), as if results were missing"
        yield RankDoubt("gapped", text, way, gapped)


def answer(decision: str, value: str) -> str:
    """Write the answer to a decision as it is typed, and as it is passed."""
    return f"--{decision.replace('_', '-')} {value} ({decision}={value} in Python)"


def _of(queries: Sequence[str], counts: RankCounts) -> str:
    return f"{len(queries):,} of {plural(counts.lists, 'query')}"


# Counts of what the order of results rests on, and of rows that are no plain results.


def order_counts(scores: BucketValues, s: int) -> dict[str, Any]:
    """Count the queries in which rank and score disagree, and what either leaves tied."""
    meeting, decisions, met = scores.meetings[s], scores.setting.decisions, scores.met[s]
    results = meeting.results
    if results.rank is None or results.score is None:
        return {}
    counted: dict[str, Any] = {"unscored": bool(met.parts.missing_scores) and _without_scores(results)}
    if decisions.unit == AS_RETURNED or decisions.roll_up == "first":  # else units are ordered by their own scores
        conflict, _ = met.parts.order_conflict()
        counted |= {"conflicting": int((conflict > 0).sum()), "opposite": int((conflict == 2).sum())}
        counted["compared"] = len(conflict)
    return counted if counted.get("conflicting") else counted | {"tied_by": _tied(meeting, decisions, scores.in_scope)}


def _orders(results: Results, decisions: Decisions) -> tuple[str, ...]:
    """Return the orders in which ties are looked for: the ranks of a TREC run break ties of its scores only."""
    trec = results.source.frame.format == "trec-run" and results.order(decisions.order_by) == "score"
    return ("score",) if trec else ("score", "rank")


def _tied(meeting: Join, decisions: Decisions, in_scope: Mask) -> dict[str, int]:
    """Count the results tied by score, or else by rank."""
    for order in _orders(meeting.results, decisions):
        tied = int(meeting.lists(decisions.but(order_by=order)).judged.tied[in_scope].sum())
        if tied:
            return {order: tied}
    return {}


def _without_scores(results: Results) -> bool:
    """Whether a query has results, but no score for any, so that scores could not order it."""
    assert results.score is not None
    query = codes(results.keys.query)
    rows = np.flatnonzero(present_ids(results.source.ids(results.doc), np.arange(len(query))))
    scored = rows[~np.isnan(results.score.floats()[rows])]
    return len(np.setdiff1d(query[rows], query[scored])) > 0


def row_counts(met: SystemLists) -> dict[str, int]:
    """Count the rows that are no plain results, by what they are."""
    run, trec = met.parts, met.results.source.frame.format == "trec-run"
    # A TREC run without a score is refused, and its rank column is not read where the score counts.
    scored, ranked = met.results.score is not None and not trec, reads_ranks(met)
    return {
        "placeholder rows": run.placeholders,
        "duplicates dropped": run.dropped,
        "results without a score": run.missing_scores if scored else 0,
        "results without a rank": run.missing_ranks if ranked else 0,
        "queries with repeated ranks": run.rank_repeats if ranked else 0,
        "queries with gaps in the ranks": run.rank_gaps if ranked else 0,
    }


def reads_ranks(met: SystemLists) -> bool:
    """Whether the rank column says anything: that of a TREC run does only where results are ordered by it."""
    return met.results.rank is not None and (met.order == "rank" or met.results.source.frame.format != "trec-run")
