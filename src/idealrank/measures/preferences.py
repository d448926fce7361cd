"""Measures of preferences: which pairs of documents are in the order of their grades."""

from __future__ import annotations

import functools
import math
import textwrap
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.decisions.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.definition import SHARE, Family
from idealrank.measures.novelty import judged_subtopic_counts, judgments_by_subtopic
from idealrank.measures.steps import Steps, ones, unsplit

if TYPE_CHECKING:
    from idealrank.measures.preference_pairs import PreferenceGroup

FAMILY = Family(__doc__, holes=("does not count", "do not count"))
measure = FAMILY.measure


class PreferenceKinds(NamedTuple):
    """The preferences that count in a measure.

    Attributes
    ----------
    kinds
        How many kinds: between two returned documents, also with one returned, also with none.
    ending
        The end of the measure's name.
    title, formula, pairs
        What is counted, as titles say it; as formulas say it; the pairs of documents.
    others
        What becomes of the documents that were not returned.
    undefined
        When nothing is counted: a key of `UNDEFINED`.
    """

    kinds: int
    ending: str
    title: str
    formula: str
    pairs: str
    others: str
    undefined: str


ALL = PreferenceKinds(
    kinds=3,
    ending="",
    title="of the preferences",
    formula="",
    pairs="the pairs of documents",
    others="A returned document comes before one that was not; "
    "a preference between two that were not is not fulfilled.",
    undefined="no pair judged",
)
IMPLIED = PreferenceKinds(
    kinds=2,
    ending="_imp",
    title="of the preferences with a returned document",
    formula=" with a returned document",
    pairs="the pairs of documents with a returned one",
    others="A returned document comes before one that was not; preferences between two that were not do not count.",
    undefined="no pair with a result",
)
RETURNED = PreferenceKinds(
    kinds=1,
    ending="_ret",
    title="of the preferences between returned documents",
    formula=" between returned documents",
    pairs="the pairs of returned documents",
    others="Preferences with a document that was not returned do not count.",
    undefined="no pair of judged results",
)


# Each function serves several measures, which differ in the kinds of preferences that count.


def share_of_preferences(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """Preferences fulfilled / preferences."""
    values = preference_values(lists, decisions)
    return _preference_steps(
        lists, values, values.fulfilled[:, :kinds].sum(axis=1), values.possible[:, :kinds].sum(axis=1)
    )


def mean_over_pairs(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """Mean over pairs of documents of the share of their preferences that is fulfilled."""
    values = preference_values(lists, decisions)
    return _preference_steps(lists, values, values.shared[:, :kinds].sum(axis=1), values.pairs[:, :kinds].sum(axis=1))


def mean_over_groups(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """Mean over judgment groups of preferences fulfilled / preferences; 0/0 if no group has one."""
    values = preference_values(lists, decisions)
    some = values.possible[:, :kinds].sum(axis=1) > 0
    return _preference_steps(lists, values, values.averaged[:, kinds - 1], np.where(some, values.groups, 0.0))


def fulfilled_count(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """Number of preferences fulfilled."""
    values = preference_values(lists, decisions)
    return _preference_steps(lists, values, values.fulfilled[:, :kinds].sum(axis=1), ones(lists))


def _preference_steps(lists: JudgedLists, values: PreferenceValues, share: Floats, normaliser: Floats) -> Steps:
    return Steps(lists, {"better_than": values.better, "fulfilled": values.fulfilled.sum(axis=1)}, share, normaliser)


def preference_count(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """Number of preferences, regardless of what was returned."""
    del kinds
    values = preference_values(lists, decisions)
    return unsplit(
        lists, {"better_than": values.better}, values.possible.sum(axis=1), "it counts judgments, not results"
    )


def mean_over_balanced_groups(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """As `mean_over_groups`, with equal numbers of relevant and other documents; 0/0 if a group has no preference."""
    score, groups = np.full(lists.size, np.nan), _group_counts(lists)
    for topic in topics(lists, decisions):
        if len(topic.groups) == groups[topic.query]:
            score[topic.query] = np.mean([group.balanced(kinds == RETURNED.kinds) for group in topic.groups])
    columns = {"better_than": preference_values(lists, decisions).better}
    return unsplit(lists, columns, score, "it adds non-relevant documents, or leaves some out")


class PreferenceValues(NamedTuple):
    """Preferences in Q queries and those fulfilled, by H hits; a preference belongs to its better document.

    Attributes
    ----------
    better, fulfilled
        (H,) documents the hit is preferred to, in each group; (H, 2) the preferences that the order fulfils,
        over another returned document and over one that was not returned.
    shared
        (H, 2) the same as shares of the groups with a preference between the two.
    averaged
        (H, 3) fulfilled ones as shares of the preferences of their groups: RETURNED, IMPLIED, ALL.
    possible, pairs
        (Q, 3) preferences, and pairs of documents with one: both returned, one, none.
    groups
        (Q,) judgment groups.
    """

    better: Floats
    fulfilled: Floats
    shared: Floats
    averaged: Floats
    possible: Floats
    pairs: Floats
    groups: Floats


def preference_values(lists: JudgedLists, decisions: Decisions) -> PreferenceValues:
    """Return what the results fulfil; kept for the next measure."""

    def build() -> PreferenceValues:
        many, size = len(lists.rank), lists.size
        counts = PreferenceValues(
            better=np.zeros(many), fulfilled=np.zeros((many, 2)), shared=np.zeros((many, 2)),
            averaged=np.zeros((many, 3)), possible=np.zeros((size, 3)), pairs=np.zeros((size, 3)),
            groups=_group_counts(lists),
        )  # fmt: skip
        for topic in topics(lists, decisions):
            _add_groups(counts, topic)
            _add_pairs(counts, topic)
        return counts

    return lists.kept.once(("preference values", decisions.negative), build)


def _add_groups(counts: PreferenceValues, topic: PreferenceTopic) -> None:
    n, q = len(topic.hits), topic.query
    for group in topic.groups:
        better, possible = group.better[:n], np.array(group.possible, np.float64)
        right = np.column_stack(((better[:, :n] * topic.ahead).sum(axis=1), better[:, n:].sum(axis=1)))
        counts.possible[q] += possible
        counts.better[topic.hits] += better.sum(axis=1)
        counts.fulfilled[topic.hits] += right
        below = np.cumsum(possible)
        above = np.column_stack((right[:, 0], right.sum(axis=1), right.sum(axis=1)))
        counts.averaged[topic.hits] += above / np.where(below > 0, below, 1.0)


def _add_pairs(counts: PreferenceValues, topic: PreferenceTopic) -> None:
    n = len(topic.hits)
    if len(topic.groups) == 1:  # a pair has one preference, or none
        counts.shared[topic.hits] = counts.fulfilled[topic.hits]
        counts.pairs[topic.query] = counts.possible[topic.query]
        return
    total = topic.groups[0].better.astype(np.float64)
    for group in topic.groups[1:]:
        total += group.better
    judged = total + total.T
    share = np.divide(total, judged, out=np.zeros_like(total), where=judged > 0)
    counts.shared[topic.hits] = np.column_stack(((share[:n, :n] * topic.ahead).sum(axis=1), share[:n, n:].sum(axis=1)))
    both, neither = (np.count_nonzero(part) // 2 for part in (judged[:n, :n], judged[n:, n:]))
    counts.pairs[topic.query] = both, np.count_nonzero(judged[:n, n:]), neither


class PreferenceTopic(NamedTuple):
    """A query's preferences.

    Attributes
    ----------
    query, hits
        Index of the query; (n,) of its judged hits.
    groups
        Its judgment groups, over places that begin with the judged hits.
    ahead
        (n, n) probability that the hit in the row comes before the one in the column.
    """

    query: int
    hits: Ints
    groups: list[PreferenceGroup]
    ahead: Floats


def topics(lists: JudgedLists, decisions: Decisions) -> Iterator[PreferenceTopic]:
    """Return the preferences of each query that has a judgment.

    A judgment group is a subtopic if the judgments name any, else the query. A result without a
    judgment makes no preference, regardless of its grade.
    """
    from idealrank.measures.preference_pairs import levels

    rows, key, level = _group_judgments(lists, decisions)
    place, hits = _number_places(lists)
    order = np.lexsort((place[rows], -level, key))
    place, key, level = place[rows[order]], key[order], level[order]
    query = lists.pool_query[rows[order]]
    per_query, per_pool = _split_by_query(hits, lists.query[hits], lists.size), np.diff(lists.pool_start)
    for run in _runs(query):
        q = int(query[run[0]])
        mine = per_query[q]
        size, n = int(per_pool[q]), len(mine)
        groups: list[PreferenceGroup] = [levels(place[run[one]], level[run[one]], size, n) for one in _runs(key[run])]
        yield PreferenceTopic(q, mine, groups, _chances_ahead(lists, mine))


def _group_judgments(lists: JudgedLists, decisions: Decisions) -> tuple[Ints, Ints, Floats]:
    """Return the judgment in the pool, a number for the query and group, and the grade of each judgment of a group."""
    if lists.read_subtopics() is None:
        return np.arange(len(lists.pool_grade)), lists.pool_query, lists.pool_grade
    return judgments_by_subtopic(lists, lists.pool_entry, lists.pool_query, decisions)


def _number_places(lists: JudgedLists) -> tuple[Ints, Ints]:
    """Return (J,) the place of each judgment within its query, and the hits that are judged, by query and rank."""
    (hits,) = np.nonzero(np.isin(lists.entry, lists.pool_entry))
    order = np.argsort(lists.pool_entry)
    at = order[np.searchsorted(lists.pool_entry, lists.entry[hits], sorter=order)]
    place = np.full(len(lists.pool_entry), -1)
    place[at] = _number_within(lists.query[hits])
    (others,) = np.nonzero(place < 0)
    returned = np.bincount(lists.query[hits], minlength=lists.size)
    place[others] = returned[lists.pool_query[others]] + _number_within(lists.pool_query[others])
    return place, hits


def _number_within(query: Ints) -> Ints:
    """Number the elements of each query from 0; queries rise."""
    return np.arange(len(query)) - np.searchsorted(query, query)


def _split_by_query(values: Ints, query: Ints, size: int) -> list[Ints]:
    return np.split(values, np.searchsorted(query, np.arange(1, size)))


def _runs(values: Ints) -> list[Ints]:
    """Return the places of each run of equal values."""
    return np.split(np.arange(len(values)), np.flatnonzero(np.diff(values)) + 1) if len(values) else []


def _chances_ahead(lists: JudgedLists, hits: Ints) -> Floats:
    """Return the probability that each hit comes before each other; 1/2 within a span of ties in average order."""
    if lists.ranks == "exact":
        return np.triu(np.ones((len(hits), len(hits))), 1)
    span = lists.tie_first[hits]
    chance: Floats = (span[:, None] < span) + 0.5 * (span[:, None] == span)
    return chance


def _group_counts(lists: JudgedLists) -> Floats:
    """(Q,) judgment groups, including those with only grades below zero, which have no preference."""
    return np.ones(lists.size) if lists.read_subtopics() is None else judged_subtopic_counts(lists)


# The declarations. With several judgment groups a document's grade does not say what each of them prefers, so no range
# over the orders of ties is computed.

_READS = ("negative", "no_relevant")
_SHARE = SHARE._replace(at_ideal="1", undefined="no pair judged", depth="all", tie_range="none", in_pairs=True)
_BALANCED = _SHARE._replace(at_ideal="best", average="none")
_COUNT = _SHARE._replace(highest=math.inf, at_ideal="best", undefined="never")
_POSSIBLE = _COUNT._replace(at_ideal="none", depth="nothing", direction="count")

_UNJUDGED = "A result without a judgment does not count."
_PREFERRED = "A group prefers the document with the higher grade of two"
_ONE_PREFERRED = (
    "The document with the higher grade of two is preferred, and the preference is fulfilled if it comes first."
)
_ALL_GROUPS = (
    "A judgment group is a subtopic or a user if the judgments name any; else the query is one group. Preferences "
    "by subgroups (trec_eval ``-R prefs``) are not read. The promises below hold for one group: if several contradict "
    "each other, no order fulfils them all."
)
_EXAMPLE = """\
Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``{name}``.

Examples
--------
>>> import idealrank as ir
{tables}
>>> round(ir.evaluate(judgments, results, ["{name}"])["{name}"], 4)
{value}"""
_ONE_GROUP = """\
>>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
>>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)"""
_TWO_GROUPS = """\
>>> users, grades = ["ann"] * 4 + ["bo"] * 2, [2, 1, 0, 1, 0, 1]
>>> judgments = {"query": ["q"] * 6, "subtopic": users, "doc": [*"ABCDAB"], "grade": grades}
>>> results = {"q": {"A": 2.0, "B": 1.0}}"""


def _declare(
    name: str,
    function: Callable[..., Steps],
    preferences: PreferenceKinds,
    value: float,
    formula: str,
    *paragraphs: str,
    tables: str = _ONE_GROUP,
    **declared: Any,
) -> None:
    """Declare a measure whose description is composed; the value is that of its example."""
    wrapped = [textwrap.fill(text, 106) for text in (*paragraphs, _ALL_GROUPS)]
    about = "\n\n".join([formula, *wrapped, _EXAMPLE.format(name=name, tables=tables, value=value)])
    measure(name, about=about, **declared)(functools.partial(function, kinds=preferences.kinds))


def _declare_shares(
    preferences: PreferenceKinds, simple_value: float, paired_value: float, averaged_value: float
) -> None:
    """Declare the shares of these preferences that are fulfilled; the values are those of the examples."""
    title = f"The share {preferences.title} that the results fulfil"
    shared: dict[str, Any] = {"reads": _READS, "properties": _SHARE._replace(undefined=preferences.undefined)}
    _declare(
        f"prefs_simp{preferences.ending}", share_of_preferences, preferences, simple_value,
        f"Preferences fulfilled / preferences{preferences.formula}, over all judgment groups together.",
        f"{_ONE_PREFERRED} {preferences.others} {_UNJUDGED}",
        title=title, **shared,
    )  # fmt: skip
    _declare(
        f"prefs_pair{preferences.ending}", mean_over_pairs, preferences, paired_value,
        f"Mean over {preferences.pairs} of preferences fulfilled / preferences between the two.",
        f"Pairs in which no group prefers either document do not count. {_PREFERRED}. {preferences.others} {_UNJUDGED}",
        tables=_TWO_GROUPS, title=f"{title}, averaged over the pairs", **shared,
    )  # fmt: skip
    _declare(
        f"prefs_avgjg{preferences.ending}", mean_over_groups, preferences, averaged_value,
        f"Mean over the judgment groups of preferences fulfilled / preferences{preferences.formula}.",
        "A group without a preference counts 0; 0/0 if no group has one. "
        f"{_PREFERRED}. {preferences.others} {_UNJUDGED}",
        tables=_TWO_GROUPS, title=f"{title}, averaged over the judgment groups", **shared,
    )  # fmt: skip


def _declare_balanced(preferences: PreferenceKinds, value: float, *, undefined: str, last: str) -> None:
    """Declare the mean over groups with equal numbers of relevant and other documents."""
    _declare(
        f"prefs_avgjg_Rnonrel{preferences.ending}", mean_over_balanced_groups, preferences, value,
        f"prefs_avgjg{preferences.ending}, each group with equal numbers of relevant and non-relevant documents.",
        "Here a grade above 0 is relevant, and a query is 0/0 if one of its groups has no preference left. "
        f"If a group has more other documents than relevant ones, only that many count, the first ones{last}; the "
        "lowest grade is then also compared with itself, as in trec_eval. If it has fewer, documents that were not "
        "returned are added, each worse than every relevant one.",
        f"{preferences.others} {_UNJUDGED}",
        title=f"prefs_avgjg{preferences.ending} with equal numbers of relevant and non-relevant documents",
        reads=_READS, properties=_BALANCED._replace(undefined=undefined),
    )  # fmt: skip


_declare_shares(ALL, 0.375, 0.7, 0.4)
_declare_shares(IMPLIED, 0.4286, 0.875, 0.5)
_declare_shares(RETURNED, 0.6667, 0.5, 0.5)
_declare_balanced(ALL, 0.45, undefined="nothing of worth", last=", those not returned last")
_declare_balanced(RETURNED, 0.5714, undefined="nothing of worth returned", last="")

_FULFILLED = f"{_PREFERRED}, and the preference is fulfilled if that document comes first."
_count = functools.partial(_declare, reads=("negative",), total="sum")

_count(
    "prefs_num_prefs_poss", preference_count, ALL, 8.0,
    "Number of preferences: pairs of documents of different grades in a judgment group; "
    "the line for all queries is the sum.",
    title="Number of preferences judged", properties=_POSSIBLE,
)  # fmt: skip
_count(
    "prefs_num_prefs_ful", fulfilled_count, IMPLIED, 3.0,
    "Number of preferences fulfilled; the line for all queries is the sum.",
    f"{_FULFILLED} A returned document comes before one that was not returned. {_UNJUDGED}",
    title="Number of preferences that the results fulfil", properties=_COUNT,
)  # fmt: skip
_count(
    "prefs_num_prefs_ful_ret", fulfilled_count, RETURNED, 2.0,
    "Number of preferences between returned documents that are fulfilled; the line for all queries is the sum.",
    f"{_FULFILLED} {_UNJUDGED}",
    title="Number of preferences between returned documents that the results fulfil", properties=_COUNT,
)  # fmt: skip
