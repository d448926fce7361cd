"""The sections of a report about lists: results of every query, arithmetic, unjudged results, overlap."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from idealrank.arrays import EQUAL, Floats, Ints, Mask, offsets, segment_counts
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.overlap import overlap_table
from idealrank.comparison.pairing import Pair
from idealrank.comparison.types import ToJudge
from idealrank.data.documents import Documents, title_of_text
from idealrank.data.filters import query_mask
from idealrank.decisions.decisions import Decisions
from idealrank.display.numbers import number, numbers
from idealrank.evaluation.ledger.counting import unjudged_within
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import steps_of
from idealrank.judged_lists.arrangement import arrange
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.judged_lists.lists import JudgedLists
from idealrank.judged_lists.spans import SpanText
from idealrank.measures.definition import Measure
from idealrank.measures.steps import Ideal, Steps, apply_rounding
from idealrank.reports.sections.shown_queries import ShownQueries
from idealrank.reports.types import DocumentsPart, UnjudgedPart
from idealrank.statistics.sample import make_sample

# Ranked lists.


@dataclass(frozen=True, eq=False)
class RankedLists:
    """The first results of Q judged queries, H in all, as one system returned them.

    Attributes
    ----------
    start
        (Q + 1,) the results of query q are ``start[q]:start[q + 1]``, by rank.
    rank, grade
        (H,) 1-based rank; grade, NaN where nobody judged the document.
    row
        (H,) place in the results table.
    documents
        (H,) ids.
    returned
        (Q,) results in all, those below the depth too; ranks that were left out are none.
    step
        (H,) the step of the search that returned each result; None if no query has several.
    """

    start: Ints
    rank: Ints
    grade: Floats
    row: Ints
    documents: list[str]
    returned: Ints
    step: Ints | None = None


Coder = Callable[[list[str]], list[int]]
"""Gives each document its number."""


# Arithmetic.


def arithmetic(scores: Scores, lists: dict[str, RankedLists], shown: Mask, depth: int, coded: Coder) -> dict[str, Any]:
    """Return the arithmetic by measure: of each system, and of the ideal list.

    Parameters
    ----------
    shown
        (Q,) which queries the lists are of.

    Returns
    -------
    ``{label: {"unsplit", "systems": {system: {"columns", "contribution", "total", "normaliser", "rest"}}, "ideal"}}``

    Columns and contribution have a value for each result of `lists`, None where the measure does not count it;
    total, normaliser and rest one for each query. The value is total / normaliser; rest is what results add that
    are not shown. A measure that is no such sum says so in `unsplit`.
    """
    return {
        label: _measure_arithmetic(scores, measure, lists, shown, depth, coded)
        for label, measure in zip(scores.labels, scores.measures, strict=True)
    }


def _measure_arithmetic(
    scores: Scores, measure: Measure, lists: dict[str, RankedLists], shown: Mask, depth: int, coded: Coder
) -> dict[str, Any]:
    computed = {join.system: _compute_steps(join, measure) for join in scores.joins}
    steps = next(iter(computed.values()))[0]
    shared = measure.decisions.ideal == "global" and measure.decisions.ideal_depth != "returned"
    ideals = {
        "" if shared else system: _ideal_rows(made.ideal(), joined, measure, depth, shown, coded)
        for system, (made, joined) in list(computed.items())[: 1 if shared else None]
        if made.ideal is not None
    }
    systems = {
        system: _system_arithmetic(made, measure, lists[system], shown) for system, (made, _) in computed.items()
    }
    return {"unsplit": steps.unsplit, "systems": systems, "ideal": ideals or None}


def _compute_steps(join: Join, measure: Measure) -> tuple[Steps, SystemLists]:
    joined = join.lists_for(measure.on_lists, "dense")
    return steps_of(joined.lists, measure), joined


def _system_arithmetic(steps: Steps, measure: Measure, lists: RankedLists, shown: Mask) -> dict[str, Any]:
    share = apply_rounding(steps.contribution, measure.decisions.rounding, "term")
    place = _find_rows(steps.lists.row, lists.row)
    there = place >= 0
    columns = {name: _values_at(values, place) for name, values in steps.columns.items()}
    query = np.repeat(np.arange(len(lists.returned)), np.diff(lists.start))
    total = steps.lists.per_query(share)[shown]
    seen = np.bincount(query[there], weights=share[place[there]], minlength=len(lists.returned))
    split = not steps.unsplit
    return {
        "columns": {name: numbers(values) for name, values in columns.items()},
        "contribution": numbers(_values_at(share, place)),
        "total": numbers(total) if split else None,
        "normaliser": numbers(steps.normaliser[shown]) if split else None,
        "rest": numbers(_remainder(total, seen)) if split else None,
    }


def _find_rows(rows: Ints, wanted: Ints) -> Ints:
    """Return where each wanted row is among the rows, -1 where it is not."""
    place_of = np.full(int(max(rows.max(initial=-1), wanted.max(initial=-1))) + 2, -1, np.int64)
    place_of[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
    return place_of[wanted]


def _values_at(values: Any, place: Ints) -> Floats:
    if not len(values):
        return np.full(len(place), np.nan)
    return np.where(place >= 0, np.asarray(values, np.float64)[np.maximum(place, 0)], np.nan)


def _ideal_rows(
    ideal: Ideal, joined: SystemLists, measure: Measure, depth: int, shown: Mask, coded: Coder
) -> dict[str, Any]:
    ideal = _sort_ideal(ideal, joined, measure)
    share = apply_rounding(ideal.contribution, measure.decisions.rounding, "term")
    keep = (ideal.rank <= depth) & shown[ideal.query]
    entry = ideal.entry[keep]
    codes = np.full(len(entry), -1, np.int64)
    codes[entry >= 0] = coded(joined.pool.docs(entry[entry >= 0]))
    start = offsets(np.bincount(ideal.query[keep], minlength=joined.size)[shown])
    total = np.bincount(ideal.query, weights=share, minlength=joined.size)
    seen = np.bincount(ideal.query[keep], weights=share[keep], minlength=joined.size)
    return {
        "start": start.tolist(),
        "document": [None if code < 0 else code for code in codes.tolist()],
        "grade": numbers(ideal.grade[keep]),
        "gain": numbers(ideal.gain[keep]),
        "discount": numbers(ideal.discount[keep]),
        "contribution": numbers(share[keep]),
        "rest": numbers(_remainder(total[shown], seen[shown])),
    }


def _sort_ideal(ideal: Ideal, joined: SystemLists, measure: Measure) -> Ideal:
    """Put the rows by query and rank; documents of equal gain are in the order of the judgments."""
    by_rank = np.lexsort((ideal.rank, ideal.query))
    ordered = ideal._replace(**{name: getattr(ideal, name)[by_rank] for name in ideal._fields})
    if measure.decisions.ideal != "global":
        return ordered
    by_gain = np.lexsort((joined.pool.row[ordered.entry], -ordered.gain, ordered.query))
    return ordered._replace(grade=ordered.grade[by_gain], gain=ordered.gain[by_gain], entry=ordered.entry[by_gain])


def _remainder(total: Floats | Ints, seen: Floats | Ints) -> Floats:
    """What a total has beyond the rows that are seen; what rounding leaves is nothing."""
    return np.where(np.abs(total - seen) <= EQUAL * np.abs(total), 0.0, total - seen)


# Unjudged results.


MOST = 10
"""So many documents to judge are named for each system."""


def unjudged(
    lists: dict[str, RankedLists], queries: ShownQueries, comparison: Comparison | None, depth: int
) -> UnjudgedPart:
    """Return how many results shown are unjudged, (Q,) by system, None for queries not asked for; what to judge."""
    scores = queries.scores
    asked = scores.in_scope[queries.places]
    counts = {system: numbers(np.where(asked, _unjudged_counts(each), np.nan)) for system, each in lists.items()}
    shown = {system: int(np.diff(each.start)[asked].sum()) for system, each in lists.items()}
    every = {system: int(_unjudged_counts(each)[asked].sum()) for system, each in lists.items()}
    if not queries.all:
        found = {system: unjudged_within(scores, s, depth) for s, system in enumerate(scores.systems)}
        every, shown = ({system: pair[n] for system, pair in found.items()} for n in (0, 1))
    return {
        "depth": depth,
        "shown": shown,
        "unjudged": every,
        "counts": counts,
        "to_judge": [] if comparison is None else _to_judge(comparison),
    }


def _unjudged_counts(lists: RankedLists) -> Ints:
    before = np.concatenate(([0], np.cumsum(np.isnan(lists.grade))))
    return np.diff(before[lists.start])


def _to_judge(comparison: Comparison) -> list[ToJudge]:
    """Name the documents whose label would move the first measure most, where that is known."""
    measure = comparison.scores.measures[0]
    if measure.on_lists.unjudged != "zero" or not measure.definition.is_plain:
        return []
    named = [comparison.to_judge(MOST, system=name).rows() for name in comparison.verdict]
    return cast("list[ToJudge]", [row for each in named for row in each])


def ranked_lists(scores: Scores, depth: int = 10, shown: Mask | None = None) -> dict[str, RankedLists]:
    """Return the first results of judged queries, for each system.

    They are in the order the decisions of the evaluation give them, with the grades these make of the judgments;
    unjudged results are among them, regardless of `unjudged`.

    Parameters
    ----------
    depth
        The last rank that is returned.
    shown
        (Q,) which queries; None: every one.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 2}}, {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}, ["RR"])
    >>> lists = ranked_lists(scores, 2)["results"]
    >>> lists.documents, lists.grade.tolist(), lists.returned.tolist()
    (['x', 'a'], [nan, 2.0], [3])
    """
    decisions, shown = scores.setting.decisions, _full_mask(scores, shown)
    return {m.system: _first_results(m.lists(decisions, "dense"), decisions, depth, shown) for m in scores.joins}


def _full_mask(scores: Scores, shown: Mask | None) -> Mask:
    return np.ones(len(scores.queries), np.bool_) if shown is None else shown


def _first_results(joined: SystemLists, decisions: Decisions, depth: int, shown: Mask) -> RankedLists:
    lists = _arrange(joined, decisions)
    returned = np.diff(lists.hit_start)
    keep = (lists.rank <= depth) & (lists.row >= 0) & np.repeat(shown, returned)
    start = offsets(segment_counts(keep, lists.hit_start)[shown])
    row = lists.row[keep]
    step = None if joined.searches is None else joined.searches.step[row]
    return RankedLists(start, lists.rank[keep], lists.grade[keep], row, joined.run.docs(row), returned[shown], step)


def _arrange(joined: SystemLists, decisions: Decisions) -> JudgedLists:
    return arrange(joined.lists, decisions.but(unjudged="zero"))


@dataclass(frozen=True, eq=False)
class BestJudged:
    """The judged documents of every query, highest grade first, equal ones as the judgments name them.

    Attributes
    ----------
    start
        (Q + 1,) offsets by query.
    grade
        (J,) grades.
    documents
        (J,) ids.
    """

    start: Ints
    grade: Floats
    documents: list[str]


def best_judged(scores: Scores, depth: int = 10, shown: Mask | None = None) -> BestJudged:
    """Return the best `depth` judged documents of the queries that are shown; None: of every one."""
    joined = scores.joins[0].lists(scores.setting.decisions, "dense")
    lists = _arrange(joined, scores.setting.decisions)
    order = np.lexsort((joined.pool.row[lists.pool_entry], -lists.pool_grade, lists.pool_query))
    shown = _full_mask(scores, shown)
    kept = order[(lists.pool_place <= depth) & shown[lists.pool_query]]
    counts = np.minimum(np.diff(lists.pool_start)[shown], depth)
    return BestJudged(offsets(counts), lists.pool_grade[kept], joined.pool.docs(lists.pool_entry[kept]))


def list_values(
    lists: dict[str, RankedLists], best: BestJudged, depth: int, coded: Coder, scores: Scores, shown: Mask | None = None
) -> dict[str, Any]:
    """Return the lists as plain values; each document is the number that `coded` gives it.

    Parameters
    ----------
    scores, shown
        Of the lists: where documents have several ratings, each has them in words.
    """
    systems = {
        system: {
            "start": each.start.tolist(),
            "rank": numbers(each.rank),
            "document": coded(each.documents),
            "grade": numbers(each.grade),
            "returned": numbers(each.returned),
            **({} if each.step is None else {"step": numbers(each.step)}),
        }
        for system, each in lists.items()
    }
    best_values = {"start": best.start.tolist(), "document": coded(best.documents), "grade": numbers(best.grade)}
    rated = _add_ratings(scores, shown, [*((each, systems[name]) for name, each in lists.items()), (best, best_values)])
    return {"depth": depth, "systems": systems, "best": best_values, **rated}


def _add_ratings(
    scores: Scores, shown: Mask | None, lists: Sequence[tuple[RankedLists | BestJudged, dict[str, Any]]]
) -> dict[str, list[str]]:
    """Add the ratings of each document to lists in which any has several; return the texts they are places of."""
    judgments = scores.joins[0].judgments
    if len(judgments.raters) < 2:
        return {}
    from idealrank.data.raters import ratings_of

    queries = np.array(scores.queries, object)[_full_mask(scores, shown)]
    pairs = [
        list(zip(np.repeat(queries, np.diff(each.start)).tolist(), each.documents, strict=True)) for each, _ in lists
    ]
    found = ratings_of(judgments, (pair for some in pairs for pair in some))
    texts = {text: place for place, text in enumerate(dict.fromkeys(each.text for each in found.values()))}
    if not texts:
        return {}
    for some, (_, values) in zip(pairs, lists, strict=True):
        values["ratings"] = [texts[found[pair].text] if pair in found else None for pair in some]
    return {"ratings": list(texts)}


class Codes:
    """Numbers documents in the order they are first seen."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, documents: Sequence[str]) -> list[int]:
        """Return the number of each document."""
        numbers = self.numbers
        return [numbers.setdefault(doc, len(numbers)) for doc in documents]


def documents_part(
    ids: list[str], known: Documents | None, pictures: bool, spans: Mapping[str, SpanText]
) -> DocumentsPart:
    """Return ids, titles, addresses, texts; pictures where they are asked for; None where none are known.

    Parameters
    ----------
    spans
        Of ids that are spans, what they are of: they have its title and address, and the text between their ends.
    """
    if known is None:
        return {"id": ids, "title": None, "url": None, "picture": None, "text": None}
    shown, texts = known.pictures if pictures else {}, known.texts()
    docs = [spans[key].doc if key in spans else key for key in ids]
    titles = [known.titles.get(doc) for doc in docs]
    own = [spans[key].within(texts) if key in spans else texts.get(key) for key in ids]
    for place, (key, text) in enumerate(zip(ids, own, strict=True)):
        # Of a document without a title, its text is one: a span has its own.
        whole = texts.get(docs[place]) if key in spans else None
        if text is not None and whole is not None and titles[place] == title_of_text(whole):
            titles[place] = title_of_text(text)
    previews = [_beginning(text, title) for text, title in zip(own, titles, strict=True)]
    return {
        "id": ids,
        "title": titles,
        "url": [known.urls.get(doc) for doc in docs] if known.urls else None,
        "picture": [shown.get(doc) for doc in docs] if shown else None,
        "text": previews if any(previews) else None,
    }


TEXT_LENGTH = 600
"""So many letters of a document's text are in the report."""


def _beginning(text: str | None, title: str | None) -> str | None:
    """Return the beginning of a text; None where its title already says all of it."""
    if text is None or text == title:
        return None
    return text if len(text) <= TEXT_LENGTH else f"{text[:TEXT_LENGTH]}…"


# Overlap.


NUMBERS = ("jaccard", "rbo", "churn")


def overlaps(comparison: Comparison, shown: ShownQueries, depth: int) -> list[dict[str, Any]]:
    """Return one entry per pair: its systems, the numbers of the queries shown, and the (weighted) means of all."""
    return [_overlap_entry(shown.scores, pair, depth, shown.places) for pair in comparison.pairing.pairs]


def _overlap_entry(scores: Scores, pair: Pair, depth: int, shown: Ints) -> dict[str, Any]:
    table = overlap_table(scores, pair, depth)
    mask = query_mask(scores.only, scores.queries)
    values = {name: np.where(mask, table.array(name), np.nan) for name in NUMBERS}
    named = {name: scores.systems[s] for name, s in zip(("baseline", "system"), pair, strict=True)}
    means = {name: number(_weighted_mean(each, scores.weights)) for name, each in values.items()}
    return {**named, **{name: numbers(each[shown]) for name, each in values.items()}, "summary": means}


def _weighted_mean(values: Floats, weights: Floats | None) -> float:
    """Average the values there are, in the weights of their queries; NaN where there are none, or of no weight."""
    there = ~np.isnan(values) if weights is None else ~np.isnan(values) & (weights > 0)
    return make_sample(values[there], None if weights is None else weights[there]).mean if there.any() else math.nan
