"""overlap: how much two result lists share, before anybody asks which is better."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Unpack

import numpy as np

from idealrank._core import Judged, Pool, Run, from_columns, judge
from idealrank.arrays import Floats, Ints, Mask, offsets, segment_counts
from idealrank.comparison.pairing import Pair
from idealrank.data.formats.messages import quoted
from idealrank.data.ids import natural_order
from idealrank.data.results import Results
from idealrank.data.systems import read_systems
from idealrank.decisions.answers import DecisionAnswers
from idealrank.decisions.decisions import Decisions, naming, refuse_unknown
from idealrank.display.columns import QueryId
from idealrank.display.numbers import decimal
from idealrank.display.schema import RowType, Share, Within
from idealrank.display.table import Table
from idealrank.errors import UsageError, option, plural, refuse_cutoff
from idealrank.evaluation.buckets import compute_per_query, map_buckets
from idealrank.evaluation.ledger.ledger import ColumnsRead
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.join import Join
from idealrank.judged_lists.near_ids import match_spellings
from idealrank.judged_lists.units import order_of, run_of
from idealrank.statistics.rank_overlap import (
    PERSISTENCE,
    ListOverlap,
    Ranked,
    extrapolate_untied,
    part_of_longer,
    refuse_persistence,
    refuse_ties,
)

if TYPE_CHECKING:
    from idealrank.judged_lists.spans import JudgedSpans

LIST_DECISIONS = ("duplicates", "unit", "order_by", "rank_gaps", "roll_up", "counts", "ties", "score_precision")
"""The decisions that shape a list of documents."""

NUMBER_COLUMNS = {
    "jaccard": Annotated[
        Share | None, "Documents in both, as a share of the documents in either; null if both lists are empty."
    ],
    "overlap": Annotated[Share | None, "Documents in both, as a share of the longer list; null if both are empty."],
    "rbo": Annotated[Share | None, "Rank-biased overlap, extrapolated; null if both are empty."],
    "rbo_low": Annotated[Share | None, "Lower bound of rank-biased overlap; null if both are empty."],
    "rbo_high": Annotated[Share | None, "Upper bound of rank-biased overlap; null if both are empty."],
    "churn": Annotated[Share | None, "Share of the second list that the first does not contain; null if it is empty."],
    "rank_move": Annotated[
        float | None, Within(0), "Mean number of ranks that shared documents move; null if there are none."
    ],
    "tau": Annotated[
        float | None,
        Within(-1, 1),
        "Kendall's tau-b of the documents that both returned, -1 to 1; null for fewer than two.",
    ],
    "tau_ap": Annotated[
        float | None,
        Within(-1, 1),
        "AP correlation with ties of the documents that both returned, -1 to 1; null for fewer than two.",
    ],
}
"""The columns of numbers."""

SET_COLUMNS = {
    "intersection": Annotated[list[str], "Ids of the documents that both returned."],
    "union": Annotated[list[str], "Ids of the documents that one of them returned."],
    "note": Annotated[str, "What is odd about the query, as only one system returned anything; else empty."],
}
"""The columns after the two lists."""

OVERLAP_ROW = RowType(
    {"query": QueryId, **NUMBER_COLUMNS, **SET_COLUMNS},
    Annotated[list[str], "Ids of the documents that the system returned."],
)


@naming(DecisionAnswers)
def overlap(
    results_a: Any,
    results_b: Any = None,
    *,
    k: int | None = None,
    p: float = PERSISTENCE,
    rbo_ties: str = "a",
    **decisions: Unpack[DecisionAnswers],
) -> Table:
    """Compare the documents two systems returned, query by query, without judgments.

    Parameters
    ----------
    results_a, results_b
        One system each: a path, a dataframe, or ``{query: {document: score}}``; or the first contains both.
    k
        Only the first k results of each; None for all.
    p
        Persistence of rank-biased overlap: how likely a reader goes on from a rank to the next.
    rbo_ties
        How rank-biased overlap reads results of equal scores: ``a``, ``b`` or ``w``, as in `rbo`.
    **decisions
        Answers that shape a list: `duplicates`, `unit`, `order_by`, `rank_gaps`, `roll_up`, `counts`, `ties`,
        `score_precision`.

    Returns
    -------
    One row per query, in natural order; what has no value (churn of an empty list, the order of one document) is
    missing:

    - jaccard: intersection / union; overlap: intersection / the longer list
    - rbo: extrapolated rank-biased overlap; rbo_low, rbo_high: its bounds, regardless of what follows the lists' ends
    - churn: the share of the second list that the first has not
    - rank_move: by how many ranks the shared documents differ, on average
    - tau, tau_ap: Kendall's tau-b of the shared documents, and their AP correlation with ties
    - both sets under the names of the systems (a and b where these do not tell them apart), intersection, union
    - note: a query that only one system answered has Jaccard 0 and a note that says so

    Raises
    ------
    UsageError
        If there are not two systems, a decision needs grades, or p or `rbo_ties` is not allowed.

    Examples
    --------
    >>> t = overlap({"q": {"d1": 2, "d2": 1}}, {"q": {"d1": 2, "d3": 1}})
    >>> t["jaccard"], t["union"]
    ([0.3333333333333333], [('d1', 'd2', 'd3')])
    >>> round(t["rbo"][0], 4), t["churn"], t["rank_move"]
    (0.55, [0.5], [0.0])
    """
    if k is not None:
        refuse_cutoff(k)
    refuse_persistence(p)
    refuse_ties("rbo_ties", rbo_ties)
    refuse_unknown(decisions, ("k", "p", "rbo_ties"))
    decisions_of_lists = _list_decisions(decisions)
    sides = _two_systems(results_a, results_b)
    orders = [order_of(results, decisions_of_lists) for results, _ in sides]
    runs = [
        run_of(results, system, decisions_of_lists, order)
        for (results, system), order in zip(sides, orders, strict=True)
    ]
    pool = _every_query(runs)
    a, b = (
        ranked_lists(_join_queries(pool, run, order, decisions_of_lists), run, k)
        for run, order in zip(runs, orders, strict=True)
    )
    side_names = _side_names(*(system for _, system in sides))
    alike = _spelling_notes(runs, side_names)
    pairs = [ListOverlap(left, right, p, rbo_ties) for left, right in zip(a, b, strict=True)]
    rows = [
        _set_cells(query, set(left.docs), set(right.docs), side_names, alike)
        for query, left, right in zip(pool.queries, a, b, strict=True)
    ]
    numbers = np.array([_number_cells(one) for one in pairs], np.float64).reshape(-1, len(NUMBER_COLUMNS))
    columns: dict[str, Any] = {"query": pool.queries, **dict(zip(NUMBER_COLUMNS, numbers.T, strict=True))}
    return Table(
        columns | {name: [row[i] for row in rows] for i, name in enumerate((*side_names, *SET_COLUMNS))},
        "overlap",
        row=OVERLAP_ROW,
    )


def _number_cells(pair: ListOverlap) -> tuple[float, ...]:
    rbo = (pair.rbo.extrapolated, pair.rbo.low, pair.rbo.high)
    return (pair.jaccard, pair.overlap, *rbo, pair.churn, pair.rank_move, pair.tau, pair.tau_ap)


def _list_decisions(answers: Mapping[str, Any]) -> Decisions:
    decisions = Decisions().but(**answers)
    for name in answers:
        if name not in LIST_DECISIONS:
            fault = f"{name} does not change which documents a list contains"
            raise UsageError(f"{fault}. overlap reads {', '.join(LIST_DECISIONS)}.")
    if decisions.ties in ("average", "best", "worst"):
        way = f"Use {option('ties', 'docid_desc')}, docid_asc or given."
        raise UsageError(f"ties={decisions.ties} needs grades, and overlap has none. {way}")
    return decisions


def _two_systems(results_a: Any, results_b: Any) -> list[tuple[Results, str]]:
    sides = [results_a] if results_b is None else [results_a, results_b]
    named = [[(table, name) for table in read_systems(side) for name in table.systems] for side in sides]
    if [len(side) for side in named] in ([2], [1, 1]):
        return [pair for side in named for pair in side]
    counts = " and ".join(f"{len(side)} ({', '.join(name for _, name in side)})" for side in named)
    raise UsageError(f"overlap compares two systems, one on each side or both in one table; found {counts}.")


def _side_names(a: str, b: str) -> tuple[str, str]:
    """Call the systems by their names, if these tell them apart and are no name of another column."""
    taken = {"query", *NUMBER_COLUMNS, *SET_COLUMNS}
    return (a, b) if a != b and not {a, b} & taken else ("a", "b")


def _every_query(runs: Sequence[Run]) -> Pool:
    """Return every query, in natural order, as a pool that judges nothing these lists hold: the join ranks them."""
    names = list(dict.fromkeys(query for run in runs for query in run.queries))
    # A pool lists its queries by their judgments: each gets one, of a document that no system returned.
    frame = from_columns(["query", "doc", "grade"], [names, ["–"] * len(names), np.zeros(len(names))])
    return Pool(frame.column(0), frame.column(1), frame.column(2), "error")


def _join_queries(pool: Pool, run: Run, order: Any, decisions: Decisions) -> Judged:
    ties: Any = decisions.ties
    precision: Any = decisions.score_precision
    gaps: Any = decisions.rank_gaps
    return judge(pool, run, order, ties, precision, gaps, True)


def _spelling_notes(runs: Sequence[Run], side_names: tuple[str, str]) -> dict[str, str]:
    """Return a note for each of the two queries whose ids differ only in spelling."""
    theirs, ours = (set(run.queries) for run in runs)
    alike = match_spellings(sorted(theirs - ours), ours - theirs)
    if alike is None:
        return {}
    example = f"{quoted(alike.theirs)} in {side_names[0]}, {quoted(alike.ours)} in {side_names[1]}"
    text = f"{ALIKE}query ids differ by {alike.by} ({example})"
    return {alike.theirs: text, alike.ours: text}


def _set_cells(
    query: str, left: set[str], right: set[str], side_names: tuple[str, str], alike: dict[str, str]
) -> tuple[Any, ...]:
    sets = (tuple(sorted(docs)) for docs in (left, right, left & right, left | right))
    notes = (_note(left, right, side_names), alike.get(query, ""))
    return (*sets, "; ".join(filter(None, notes)))


ALIKE = "not the same: "
"""Begins a note on ids that differ only in spelling; `spelling_warnings` finds these notes by it."""


def _note(left: set[str], right: set[str], side_names: tuple[str, str]) -> str:
    if not left and not right:
        return "neither returned anything"
    if not left or not right:
        return f"only {side_names[0] if left else side_names[1]} returned anything"
    alike = match_spellings(sorted(left - right), right - left)
    if alike is None:
        return ""
    example = f"{quoted(alike.theirs)} in {side_names[0]}, {quoted(alike.ours)} in {side_names[1]}"
    return f"{ALIKE}document ids differ by {alike.by} ({example})"


def spelling_warnings(table: Table) -> list[str]:
    """Return a warning for ids that differ only in spelling, with the number of queries it concerns."""
    by_kind: dict[str, list[str]] = {}
    for note in table["note"]:
        _, here, text = note.partition(ALIKE)
        if here:
            by_kind.setdefault(text.split(" (")[0], []).append(text)
    return [f"{texts[0]}; taken as different in {plural(len(texts), 'query')}" for texts in by_kind.values()]


def describe_reading(results: Sequence[Results], p: float, rbo_ties: str, **decisions: Any) -> dict[str, str]:
    """Say under which decisions lists were made, which columns were taken, and by what they were ordered."""
    decisions_of_lists = _list_decisions(decisions)
    read = [ColumnsRead(r.name, r.columns, r.form, r.order(decisions_of_lists.order_by)) for r in results]
    answers = (
        " ".join(f"{name}={decisions_of_lists.text(name)}" for name in decisions_of_lists.asked(LIST_DECISIONS))
        + f" p={p:g} rbo_ties={rbo_ties}"
    )
    return {"decisions": answers, "tables": "; ".join(f"{table.table}: {table.text}" for table in read)}


def _system_columns(table: Table) -> list[str]:
    place = table.columns.index("intersection")
    return table.columns[place - 2 : place]


def overlap_row(table: Table) -> Table:
    """Return the overlap for a terminal: what both returned as a count, what only one returned by name."""
    both = [len(docs) for docs in table["intersection"]]
    alone = {
        f"only in {side}": [tuple(doc for doc in docs if doc not in shared) for docs, shared in pairs]
        for side in _system_columns(table)
        for pairs in [list(zip(table[side], map(set, table["intersection"]), strict=True))]
    }
    columns: dict[str, Any] = {"query": table["query"]}
    columns |= {name.replace("_", " "): table.array(name) for name in ("jaccard", "rbo", "churn", "rank_move")}
    columns |= {"in both": np.array(both, np.int64), **alone}
    return Table(columns | ({"note": table["note"]} if any(table["note"]) else {}), "overlap")


def overlap_summary(table: Table) -> str:
    """Say how much two systems share on average, and how many queries only one of them answered."""
    notes, many = table["note"], plural(len(table), "query")
    if not notes:
        return "no queries"
    mean = {name: _mean_of_numbers(table[name]) for name in NUMBER_COLUMNS}
    parts = [f"Jaccard {mean['jaccard']:.4f}", f"overlap {mean['overlap']:.4f}"]
    parts.append(f"RBO {mean['rbo']:.4f} ({mean['rbo_low']:.4f} to {mean['rbo_high']:.4f})")
    titles = {"churn": "churn", "rank_move": "rank move", "tau": "tau", "tau_ap": "AP correlation"}
    parts += [f"{title} {decimal(mean[name])}" for name, title in titles.items() if not math.isnan(mean[name])]
    alone = [
        f"{sum(n.startswith(f'only {s} returned anything') for n in notes)} answered by {s} alone"
        for s in _system_columns(table)
    ]
    line = f"mean {', '.join(parts)} over {many}"
    return "; ".join([line, *(text for text in alone if not text.startswith("0 "))])


def _mean_of_numbers(values: Sequence[float]) -> float:
    numbers = [value for value in values if not math.isnan(value)]
    return math.fsum(numbers) / len(numbers) if numbers else math.nan


def pair_of_systems(results: Any) -> list[tuple[Results, str]]:
    """Return two systems, each its table and its name: of a list of two, a dict by name, or a table with both.

    Raises
    ------
    UsageError
        If there are not two.
    """
    both = list(results.values()) if isinstance(results, Mapping) else results
    first, *others = both if isinstance(both, Sequence) and not isinstance(both, str) else [both]
    if len(others) > 1:
        raise UsageError(f"{len(others) + 1} systems, and a change is from one to another. Give two.")
    sides = _two_systems(first, others[0] if others else None)
    names = list(results) if isinstance(results, Mapping) and len(results) == 2 else [name for _, name in sides]
    return [(table, str(name)) for (table, _), name in zip(sides, names, strict=True)]


def unchanged_queries(sides: Sequence[tuple[Results, str]], k: int | None) -> dict[str, bool]:
    """Return of each query that two systems were asked whether both return the same first k documents in order.

    Whatever the grades are, such a query differs by exactly 0 under a measure with this cutoff.

    Parameters
    ----------
    sides
        Two systems, as `pair_of_systems` returns them.
    k
        The cutoff; None: all results.

    Examples
    --------
    >>> old, new = {"q": {"a": 2, "b": 1}, "r": {"a": 1}}, {"q": {"a": 2, "c": 1}, "r": {"a": 1}}
    >>> unchanged_queries(pair_of_systems([old, new]), 1)
    {'q': True, 'r': True}
    """
    queries, (first, second) = _first_lists(sides, k)
    return {query: _is_same_list(a, b) for query, a, b in zip(queries, first, second, strict=True)}


def first_documents(sides: Sequence[tuple[Results, str]], k: int | None) -> dict[str, list[str]]:
    """Return for each query the documents among the first k of any system, in the order of their ids.

    Parameters
    ----------
    sides
        Systems, each its table and its name, as `pair_of_systems` returns two.
    k
        The cutoff; None: all results.

    Examples
    --------
    >>> found = first_documents(pair_of_systems([{"q": {"d10": 2, "d2": 1}}, {"q": {"d9": 2, "d10": 1}}]), 1)
    >>> found["q"]
    ['d9', 'd10']
    """
    queries, lists = _first_lists(sides, k)
    found = ({doc for one in each for doc in one.docs} for each in zip(*lists, strict=True))
    return {query: list(natural_order(sorted(docs))[1]) for query, docs in zip(queries, found, strict=True)}


def _first_lists(sides: Sequence[tuple[Results, str]], k: int | None) -> tuple[list[str], list[list[Ranked]]]:
    """Return every query, and the first k results of each system for it."""
    decisions = Decisions()
    runs = [run_of(table, system, decisions, order_of(table, decisions)) for table, system in sides]
    pool = _every_query(runs)
    lists = [
        ranked_lists(_join_queries(pool, run, order_of(table, decisions), decisions), run, k)
        for run, (table, _) in zip(runs, sides, strict=True)
    ]
    return pool.queries, lists


def _is_same_list(a: Ranked, b: Ranked) -> bool:
    alike = (np.array_equal(mine, theirs) for mine, theirs in zip(a[1:], b[1:], strict=True))
    return list(a.docs) == list(b.docs) and all(alike)


# How much the lists of two systems share, query by query, as they met the judgments.


def overlap_at(joins: Sequence[Join], pair: Pair, decisions: Decisions, k: int | None) -> Floats:
    """Return the overlap@k of two systems for each judged query.

    Documents among the first k of both / documents among the first k of the one that has more; 1 where neither
    returned anything. Judged or not, all results count, as they were returned: `unjudged` removes none.

    Parameters
    ----------
    joins
        The systems with the judgments they share.
    pair
        The places of two of them.
    decisions
        Of them those count that shape a list: `duplicates`, `order_by`, `rank_gaps`, `ties`, `score_precision`.
    k
        The cutoff; None: all results.

    Returns
    -------
    (Q,) overlaps from 0 to 1.

    Examples
    --------
    >>> import idealrank as ir
    >>> from idealrank.comparison.pairing import Pair
    >>> scores = ir.evaluate({"q": {"d": 1}}, {"old": {"q": {"d": 2, "x": 1}}, "new": {"q": {"d": 2, "y": 1}}}, ["RR"])
    >>> overlap_at(scores.joins, Pair(0, 1), scores.setting.decisions, 2).tolist()
    [0.5]
    """
    joined = [joins[place].lists(decisions, "dense") for place in pair]
    first, second = (_document_sets(each.judged, each.run, k) for each in joined)
    overlaps = [part_of_longer(len(a & b), len(a), len(b)) for a, b in zip(first, second, strict=True)]
    return np.array(overlaps, np.float64)


def same_lists(scores: Scores, pair: Pair, *, whole: bool = False) -> bool:
    """Whether two systems returned the same documents at the same ranks for every judged query.

    As far as the deciding measure reads: below its cutoff only a tie across it matters, and nothing where it leaves
    unjudged results out, so that those below move up.

    Parameters
    ----------
    whole
        Whether the lists are read down to their ends, whatever the measure reads.
    """
    first = scores.measures[0]
    k = None if whole or first.decisions.unjudged == "filter" else first.cutoff
    work = functools.partial(_has_same_lists, pair=pair, decisions=scores.setting.decisions, k=k)
    return all(alike for _, alike in map_buckets(scores, work))


def _has_same_lists(joins: list[Join], pair: Pair, decisions: Decisions, k: int | None) -> bool:
    joined = [joins[place].lists(decisions, "dense") for place in pair]
    lists = [_first_results(each.judged, k, whole_ties=True) for each in joined]
    (start, (rank, row, *_)), (other_start, (other_rank, other_row, *_)) = lists
    if start != other_start or not np.array_equal(rank, other_rank):
        return False
    return bool(joined[0].run.docs(row) == joined[1].run.docs(other_row))


def same_lists_by_query(scores: Scores, pair: Pair) -> dict[str, bool]:
    """Return of each judged query whether two systems returned the same documents in the same order.

    As far as the deciding measure reads, as `same_lists` does.
    """
    first = scores.measures[0]
    k = None if first.decisions.unjudged == "filter" else first.cutoff
    work = functools.partial(_same_lists_of_queries, pair=pair, decisions=scores.setting.decisions, k=k)
    (same,) = compute_per_query(scores, work)
    return {query: bool(alike) for query, alike in zip(scores.queries, same, strict=True)}


def _same_lists_of_queries(joins: list[Join], pair: Pair, decisions: Decisions, k: int | None) -> Floats:
    """(1, Q) 1 where both lists are the same."""
    joined = [joins[place].lists(decisions, "dense") for place in pair]
    (start, (rank, row, *_)), (other_start, (other_rank, other_row, *_)) = (
        _first_results(each.judged, k, whole_ties=True) for each in joined
    )
    lengths, other_lengths = np.diff(start), np.diff(other_start)
    same: Floats = (lengths == other_lengths).astype(np.float64)
    # Only lists of equal lengths are compared document by document.
    kept, other_kept = np.repeat(same > 0, lengths), np.repeat(same > 0, other_lengths)
    docs, other_docs = (
        np.array(joined[side].run.docs(rows), object) for side, rows in enumerate((row[kept], other_row[other_kept]))
    )
    differ = (docs != other_docs) | (rank[kept] != other_rank[other_kept])
    query = np.repeat(np.arange(len(same)), np.where(same > 0, lengths, 0))
    same[query[differ]] = 0.0
    return same[None]


def overlap_table(scores: Scores, pair: Pair, depth: int) -> Table:
    """Compare the first results of two systems: one row per judged query, with Jaccard, RBO and churn.

    Judged or not, all results count, as they were returned: `unjudged` removes none.

    Parameters
    ----------
    pair
        Places of the baseline and the system.
    depth
        Compare only this many first results of each.

    Returns
    -------
    jaccard: documents of both / documents of either, 1 where neither returned anything; rbo: rank-biased overlap at
    persistence 0.9, extrapolated; churn: the share of the system's documents that the baseline has not.

    Examples
    --------
    >>> import idealrank as ir
    >>> from idealrank.comparison.pairing import Pair
    >>> scores = ir.evaluate({"q": {"d": 1}}, {"old": {"q": {"d": 2, "x": 1}}, "new": {"q": {"d": 2, "y": 1}}}, ["RR"])
    >>> (row,) = overlap_table(scores, Pair(0, 1), 10)
    >>> round(row["jaccard"], 4), round(row["rbo"], 4), row["churn"]
    (0.3333, 0.55, 0.5)
    """
    numbers = compute_per_query(
        scores, functools.partial(_overlap_numbers, pair=pair, decisions=scores.setting.decisions, k=depth)
    )
    columns = dict(zip(("jaccard", "rbo", "churn"), numbers, strict=True))
    return Table({"query": scores.queries, **columns}, "overlap")


def _overlap_numbers(joins: list[Join], pair: Pair, decisions: Decisions, k: int) -> Floats:
    """(3, Q) jaccard, rbo and churn of the first k results."""
    joined = [joins[place].lists(decisions, "dense") for place in pair]
    one, other = (_flat_lists(each.judged, each.run, k) for each in joined)
    mine, theirs = _shared_places(one, other)
    both = np.bincount(one.query[mine], minlength=len(one.counts))
    either = one.counts + other.counts - both
    with np.errstate(invalid="ignore"):
        jaccard, churn = np.where(either > 0, both / either, 1.0), (other.counts - both) / other.counts
    return np.stack([jaccard, _extrapolated_overlaps(one, other, mine, theirs), churn])


class _FlatLists(NamedTuple):
    """The first results of Q queries.

    Attributes
    ----------
    query, docs, rank, ends
        The query, document and rank of each result; the first and the last rank of its tie.
    start
        (Q + 1,) where the results of each query begin.
    """

    query: Ints
    docs: list[str]
    rank: Ints
    ends: tuple[Ints, Ints]
    start: Ints

    @property
    def counts(self) -> Ints:
        """(Q,) results of each query."""
        return np.diff(self.start)

    @property
    def sizes(self) -> Ints:
        """(Q,) the last rank of each query."""
        sizes = np.zeros(len(self.start) - 1, np.int64)
        some = np.flatnonzero(self.counts)
        sizes[some] = self.rank[self.start[some + 1] - 1]
        return sizes

    @property
    def tied(self) -> Mask:
        """(Q,) which queries have a tie."""
        first, last = self.ends
        return np.bincount(self.query, first != last, len(self.start) - 1) > 0

    def ranked(self, q: int) -> Ranked:
        """Return one query."""
        some = slice(int(self.start[q]), int(self.start[q + 1]))
        return Ranked(self.docs[some], self.rank[some], *(ends[some] for ends in self.ends))


def _flat_lists(judged: Judged | JudgedSpans, run: Run, k: int) -> _FlatLists:
    start, (rank, row, first, last) = _first_results(judged, k)
    bounds = np.array(start, np.int64)
    query = np.repeat(np.arange(len(start) - 1), np.diff(bounds))
    return _FlatLists(query, run.docs(row), rank, (first, np.minimum(last, k)), bounds)


def _shared_places(one: _FlatLists, other: _FlatLists) -> tuple[Ints, Ints]:
    """(x,) places of the documents in both lists of a query, in the first side and in the second."""
    numbers: dict[str, int] = {}
    codes = [np.array([numbers.setdefault(doc, len(numbers)) for doc in side.docs], np.int64) for side in (one, other)]
    mine, theirs = (side.query * len(numbers) + code for side, code in zip((one, other), codes, strict=True))
    order = np.argsort(theirs, kind="stable")
    place = np.searchsorted(theirs[order], mine, side="right") - 1
    found = np.flatnonzero((place >= 0) & (theirs[order][place] == mine)) if len(theirs) else np.zeros(0, np.int64)
    return found, order[place[found]]


def _extrapolated_overlaps(one: _FlatLists, other: _FlatLists, mine: Ints, theirs: Ints) -> Floats:
    """(Q,) the extrapolated rank-biased overlap of the two lists of each query."""
    found = np.empty(len(one.counts))
    sizes, tied = np.stack([one.sizes, other.sizes]), one.tied | other.tied
    for q in np.flatnonzero(tied).tolist():
        found[q] = ListOverlap(one.ranked(q), other.ranked(q)).rbo.extrapolated
    query, end = one.query[mine], np.maximum(one.rank[mine], other.rank[theirs])
    shapes, shape = np.unique(np.sort(sizes, axis=0), axis=1, return_inverse=True)
    row = np.empty(len(found), np.int64)
    for place, (short, long) in enumerate(shapes.T.tolist()):
        queries = np.flatnonzero((shape.ravel() == place) & ~tied)
        row[queries] = np.arange(len(queries))
        here = np.flatnonzero((shape.ravel()[query] == place) & ~tied[query])
        cells = np.bincount(row[query[here]] * (long + 1) + end[here], minlength=len(queries) * (long + 1))
        found[queries] = extrapolate_untied(cells.reshape(len(queries), long + 1)[:, 1:], short, PERSISTENCE)
    return found


def ranked_lists(judged: Judged | JudgedSpans, run: Run, k: int | None) -> list[Ranked]:
    """Return the first k results of each query; of a tie across rank k the documents listed before it."""
    start, (rank, row, first, last) = _first_results(judged, k)
    docs, last = run.docs(row), last if k is None else np.minimum(last, k)
    return [Ranked(docs[i:j], rank[i:j], first[i:j], last[i:j]) for i, j in itertools.pairwise(start)]


def _document_sets(judged: Judged | JudgedSpans, run: Run, k: int | None) -> list[set[str]]:
    """Return the documents among the first k results of each query."""
    start, (_, row, _, _) = _first_results(judged, k)
    docs = run.docs(row)
    return [set(docs[i:j]) for i, j in itertools.pairwise(start)]


def _first_results(
    judged: Judged | JudgedSpans, k: int | None, *, whole_ties: bool = False
) -> tuple[list[int], list[Ints]]:
    """Return where the first k results of each query begin, and their ranks, rows, and the spans of their ties.

    Of a tie across rank k the documents listed before it, or with `whole_ties` all.
    """
    rank, _, _, row, first, last = judged.hits(0, len(judged.returned))
    within = np.ones(len(rank), np.bool_) if k is None else (first if whole_ties else rank) <= k
    start: list[int] = offsets(segment_counts(within, judged.hit_start)).tolist()
    return start, [each[within] for each in (rank, row, first, last)]
