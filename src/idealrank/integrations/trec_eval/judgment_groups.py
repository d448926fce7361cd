"""The values of judgments in groups: preferences, and averages over the groups of -R qrels_jg."""

import itertools
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.integrations.trec_eval.arguments import ABORTED, CALCULATION, Arguments, Stop
from idealrank.integrations.trec_eval.files import GroupJudgment, TrecFiles
from idealrank.integrations.trec_eval.measures import Formulas, PrintedMeasure
from idealrank.judged_lists.join import JoinedLists
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.preference_pairs import (
    ContradictionError,
    Levels,
    PreferenceGroup,
    levels,
    pair_shares,
    partial,
)

_BY_GROUP = {"map_avgjg": "map", "P_avgjg": "P", "Rprec_mult_avgjg": "Rprec_mult"}


def preference_columns(
    joined: JoinedLists, files: TrecFiles, columns: list[PrintedMeasure], arguments: Arguments, order: list[int]
) -> tuple[list[Floats], Stop | None]:
    """Return the values of each column for topics in order, up to one at which trec_eval stops, and why."""
    rows: list[dict[str, float]] = []
    stop = None
    for place in order:
        try:
            rows.append(_topic_preferences(joined, files, arguments, place) if _need_preferences(columns) else {})
        except Stop as reason:
            stop = reason
            break
    return [np.array([row.get(column.measure, 1.0) for row in rows]) for column in columns], stop


def _need_preferences(columns: list[PrintedMeasure]) -> bool:
    return any(column.entry.form == "prefs" for column in columns)


def _topic_preferences(joined: JoinedLists, files: TrecFiles, arguments: Arguments, place: int) -> dict[str, float]:
    """Return the values of a topic by measure."""
    assert files.groups is not None
    lists = joined.part(place, place + 1)
    hits = lists.entry if arguments.most is None else lists.upto(arguments.most).entry
    first, last = joined.pool.start[place : place + 2]
    others = np.setdiff1d(np.arange(first, last), hits)
    docs = joined.pool.docs(np.concatenate((hits, others)))
    at = {doc: number for number, doc in enumerate(docs)}
    return dict(_preference_values(make_groups(files.groups[joined.pool.queries[place]], at, len(hits))))


def _preference_values(groups: list[PreferenceGroup]) -> Iterator[tuple[str, float]]:
    possible = np.array([group.possible for group in groups])
    fulfilled = np.array([[*group.fulfilled, 0] for group in groups])
    yield "prefs_num_prefs_poss", float(possible.sum())
    yield "prefs_num_prefs_ful", float(fulfilled.sum())
    yield "prefs_num_prefs_ful_ret", float(fulfilled[:, 0].sum())
    both, one, neither = pair_shares(groups)
    shares = np.concatenate((both, one))
    for ending, kinds, pairs, many in (
        ("", 3, shares, len(shares) + neither),
        ("_imp", 2, shares, len(shares)),
        ("_ret", 1, both, len(both)),
    ):
        above, below = fulfilled[:, :kinds].sum(axis=1), possible[:, :kinds].sum(axis=1)
        yield f"prefs_simp{ending}", _quotient(float(above.sum()), float(below.sum()))
        yield f"prefs_avgjg{ending}", _add_in_order(above / np.where(below, below, 1)) / len(groups)
        yield f"prefs_pair{ending}", _quotient(_add_in_order(pairs), many)
    for ending in ("", "_ret"):
        total = _add_in_order(np.array([group.balanced(bool(ending)) for group in groups]))
        yield f"prefs_avgjg_Rnonrel{ending}", total / len(groups) if total > 0 else 0.0


def _quotient(above: float, below: float) -> float:
    return above / below if below else 0.0


def _add_in_order(values: Floats) -> float:
    """Add in the order given, as trec_eval does; `np.sum` adds pairs of pairs, and may end in another last digit."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def average_columns(
    joined: JoinedLists, files: TrecFiles, columns: list[PrintedMeasure], formulas: Formulas
) -> list[Floats]:
    """Return (Q,) values of each column: the means over the groups of a topic, each judged separately."""
    topic, lists = _lists_by_group(joined, files)
    lists = formulas.prepare(lists)
    many = np.bincount(topic, minlength=joined.size)

    def mean(column: PrintedMeasure) -> Floats:
        if column.measure not in _BY_GROUP:
            return np.ones(joined.size)
        values = formulas.values(column._replace(measure=_BY_GROUP[column.measure]), lists)
        return np.bincount(topic, weights=values, minlength=joined.size) / many

    return [mean(column) for column in columns]


def _lists_by_group(joined: JoinedLists, files: TrecFiles) -> tuple[Ints, JudgedLists]:
    """Return the judged lists of each topic and group, by their names, and (P,) the topic of each."""
    assert files.groups is not None
    lists, names = joined.lists, joined.pool.queries
    docs = joined.pool.docs(lists.pool_entry)
    entries = {(names[q], doc): e for e, (q, doc) in enumerate(zip(lists.pool_query.tolist(), docs, strict=True))}
    rows = sorted(row for topic in names for row in files.groups[topic])
    entry = np.array([entries[row.topic, row.doc] for row in rows])
    grade = np.array([row.level for row in rows])
    begins = np.array([True, *(one[:2] != other[:2] for one, other in pairwise(rows))])
    pair, topic = np.cumsum(begins) - 1, lists.pool_query[entry[begins]]
    hit = np.full(len(docs), -1)
    hit[lists.entry] = np.arange(len(lists.entry))
    pool = np.lexsort((-grade, pair))
    returned = np.flatnonzero(hit[entry] >= 0)
    returned = returned[np.lexsort((lists.rank[hit[entry[returned]]], pair[returned]))]
    by_hit = {name: getattr(lists, name)[hit[entry[returned]]] for name in ("rank", "row", "tie_first", "tie_last")}
    starts = np.arange(len(topic) + 1)
    return topic, JudgedLists(
        returned=lists.returned[topic], hit_start=np.searchsorted(pair[returned], starts), grade=grade[returned],
        entry=entry[returned], **by_hit, pool_start=np.searchsorted(pair, starts), pool_grade=grade[pool],
        pool_entry=entry[pool], max_grade=float(grade.max()),
    )  # fmt: skip


# Groups.


NO_LEVEL = -3.0
"""trec_eval's mark for no level yet: if the highest level is this, its lowest one is skipped."""


def make_groups(rows: Iterable[GroupJudgment], place: dict[str, int], returned: int) -> list[PreferenceGroup]:
    """Return the groups of a topic in the order of their names.

    Parameters
    ----------
    rows
        Its judgments.
    place
        Place of each document.
    returned
        Number of returned documents.

    Raises
    ------
    Stop
        If the preferences of a group contradict each other.
    """
    ordered = sorted(rows, key=lambda row: (row.group, row.subgroup, -row.level, place[row.doc]))
    by_group = [list(members) for _, members in itertools.groupby(ordered, lambda row: row.group)]
    flat = [len({row.subgroup for row in members}) == 1 for members in by_group]
    kept = np.array(
        [place[r.doc] for members, one in zip(by_group, flat, strict=True) if one for r in members], np.int64
    )
    groups: list[PreferenceGroup] = []
    behind = 0
    for members, one in zip(by_group, flat, strict=True):
        try:
            groups.append(
                _flat_group(members, place, returned, kept[behind:]) if one else _nested_group(members, place, returned)
            )
        except ContradictionError as reason:
            raise _contradiction_stop(members, place, reason) from None
        behind += len(members) if one else 0
    return groups


def _flat_group(members: list[GroupJudgment], place: dict[str, int], returned: int, kept: Ints) -> Levels:
    """Make a group of what trec_eval keeps from its first judgment on; after its last it reads on."""
    level = np.array([row.level for row in members])
    if level[0] == NO_LEVEL:
        level = level[level != level[-1]]
    return levels(kept[: len(level)], level, len(place), returned, kept[len(level) :])


def _nested_group(members: list[GroupJudgment], place: dict[str, int], returned: int) -> PreferenceGroup:
    level = np.array([row.level for row in members])
    names = {name: number for number, name in enumerate(dict.fromkeys(row.subgroup for row in members))}
    places, subgroup = (
        np.array(numbers, np.int64)
        for numbers in zip(*((place[row.doc], names[row.subgroup]) for row in members), strict=True)
    )
    return partial(places, level, subgroup, len(place), returned)


def _contradiction_stop(members: list[GroupJudgment], place: dict[str, int], reason: ContradictionError) -> Stop:
    """Describe the contradiction; trec_eval aborts if preferences form a circle."""
    where = f"topic {members[0].topic}, group {members[0].group}"
    if reason.place < 0:
        return Stop(ABORTED, f"{where}: {reason.what} by its subgroups. Take one out.")
    doc = next(row.doc for row in members if place[row.doc] == reason.place)
    return Stop(CALCULATION, f"{where}: document {doc} {reason.what}. Give it one.")
