"""How much the lists of two systems share, query by query, as they met the judgments."""

import itertools
from collections.abc import Sequence

import numpy as np

from idealrank._core import Judged, Run
from idealrank.arrays import Floats, Ints, offsets, segment_counts
from idealrank.comparison.pairing import Pair
from idealrank.decisions import Decisions
from idealrank.display.table import Table
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.judged_spans import JudgedSpans
from idealrank.judged_lists.meeting import Meeting
from idealrank.statistics.list_overlap import ListOverlap, Ranked, part_of_longer


def overlap_at(meetings: Sequence[Meeting], pair: Pair, decisions: Decisions, k: int | None) -> Floats:
    """Return the overlap@k of two systems for each judged query.

    Documents among the first k of both / documents among the first k of the one that has more; 1 where neither
    returned anything. Judged or not, all results count, as they were returned: `unjudged` removes none.

    Parameters
    ----------
    meetings
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
    >>> overlap_at(scores.meetings, Pair(0, 1), scores.setting.decisions, 2).tolist()
    [0.5]
    """
    met = [meetings[place].met(decisions, "dense") for place in pair]
    first, second = (_documents(each.judged, each.run, k) for each in met)
    overlaps = [part_of_longer(len(a & b), len(a), len(b)) for a, b in zip(first, second, strict=True)]
    return np.array(overlaps, np.float64)


def same_lists(scores: Scores, pair: Pair) -> bool:
    """Whether two systems returned the same documents at the same ranks for every judged query; not known in parts.

    As far as the deciding measure reads: below its cutoff only a tie across it matters, and nothing where it leaves
    unjudged results out, so that those below move up.
    """
    if scores.parts:
        return False
    first = scores.measures[0]
    k = None if first.decisions.unjudged == "filter" else first.cutoff
    met = [scores.meetings[place].met(scores.setting.decisions, "dense") for place in pair]
    lists = [_first(each.judged, k, whole_ties=True) for each in met]
    (start, (rank, row, *_)), (other_start, (other_rank, other_row, *_)) = lists
    if start != other_start or not np.array_equal(rank, other_rank):
        return False
    return bool(met[0].run.docs(row) == met[1].run.docs(other_row))


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
    met = [scores.meetings[place].met(scores.setting.decisions, "dense") for place in pair]
    pairs = list(map(ListOverlap, *(ranked(each.judged, each.run, depth) for each in met)))
    columns = {
        "jaccard": np.array([each.jaccard for each in pairs], np.float64),
        "rbo": np.array([each.rbo.extrapolated for each in pairs], np.float64),
        "churn": np.array([each.churn for each in pairs], np.float64),
    }
    return Table({"query": scores.queries, **columns}, "overlap")


def ranked(judged: Judged | JudgedSpans, run: Run, k: int | None) -> list[Ranked]:
    """Return the first k results of each query; of a tie across rank k the documents listed before it."""
    start, (rank, row, first, last) = _first(judged, k)
    docs, last = run.docs(row), last if k is None else np.minimum(last, k)
    return [Ranked(docs[i:j], rank[i:j], first[i:j], last[i:j]) for i, j in itertools.pairwise(start)]


def _documents(judged: Judged | JudgedSpans, run: Run, k: int | None) -> list[set[str]]:
    """Return the documents among the first k results of each query."""
    start, (_, row, _, _) = _first(judged, k)
    docs = run.docs(row)
    return [set(docs[i:j]) for i, j in itertools.pairwise(start)]


def _first(judged: Judged | JudgedSpans, k: int | None, *, whole_ties: bool = False) -> tuple[list[int], list[Ints]]:
    """Return where the first k results of each query begin, and their ranks, rows, and the spans of their ties.

    Of a tie across rank k the documents listed before it, or with `whole_ties` all.
    """
    rank, _, _, row, first, last = judged.hits(0, len(judged.returned))
    within = np.ones(len(rank), np.bool_) if k is None else (first if whole_ties else rank) <= k
    start: list[int] = offsets(segment_counts(within, judged.hit_start)).tolist()
    return start, [each[within] for each in (rank, row, first, last)]
