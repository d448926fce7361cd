"""Means, recall and shares of the loss by segment of the documents, such as their type or language."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any

import numpy as np

from idealrank.arrays import EQUAL, Cache, Floats, Ints, Mask, exact_sum
from idealrank.data.documents import Documents, read_documents
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.objects import is_row
from idealrank.data.ids import id_text
from idealrank.data.spans import spans_of
from idealrank.display.blocks import SHOWN_ROWS, Block, Lines
from idealrank.display.document import Described, Shown
from idealrank.display.schema import Named
from idealrank.display.table import Table
from idealrank.errors import DataError, UsageError, either, plural
from idealrank.evaluation.buckets import BucketValues, map_bucket_values, query_order
from idealrank.evaluation.explanation import round_contributions
from idealrank.evaluation.mean_tables import measure_table
from idealrank.evaluation.means import average
from idealrank.evaluation.query_tables import NO_VALUE, gain_of_user, ideal_lists, is_good, label_order
from idealrank.evaluation.scoring import QueryState, States, apply_fills
from idealrank.evaluation.types import DOCUMENT_SEGMENT_ROW
from idealrank.evaluation.values import Values
from idealrank.judged_lists.arrangement import arrange
from idealrank.judged_lists.join import SystemLists
from idealrank.judged_lists.lists import JudgedLists, PoolCache
from idealrank.measures.definition import Measure
from idealrank.measures.gains import within_cutoff
from idealrank.measures.steps import Steps

MEANING = (
    "mean: over the queries with a relevant document of the segment; other results keep their ranks and count as not "
    "relevant. recall: share of the segment's relevant documents that are within the cutoff. Shares add up to 1 over "
    "the segments."
)


@dataclass(frozen=True, eq=False, repr=False)
class DocumentSegments(Shown, Described):
    """Segments of the documents.

    The table has one row per measure, system and segment:

    ``relevant``
        The number of relevant documents of the segment, over the queries counted; for graded measures, of documents
        with a gain above 0. A document that is relevant to two queries counts twice.
    ``queries``, ``not applicable``, ``left out``
        The number of queries with a relevant document of the segment, of those without one, which have no value here,
        and of those that have one, but no value under the decisions, as after a failed search. Together they are the
        judged queries asked for; the last column is missing if no query is left out.
    ``mean``
        The (weighted) mean of the measure over `queries` if only documents of this segment are relevant: all other
        results keep their ranks and count as not relevant.
    ``recall``
        The share of `relevant` that was returned within the cutoff of the measure.
    ``share of score``
        The share of the segment's results in what all results add to the (weighted) sum of the values.
    ``share of loss``
        What the ideal list earns from documents of the segment minus what the system earned from them, as a share of
        the whole loss. Where equally good documents compete for places in the ideal list, each has an equal part. It
        is below 0 if the system earned more from the segment than the ideal list does.

    Both shares add up to 1 over the segments. A share is missing if there is nothing to share, and for measures whose
    value is no sum over results, the second also for measures without an ideal list; `notes` names them.

    Attributes
    ----------
    column
        The column of the documents table.
    table
        The numbers.
    notes
        How many documents have no segment, and which measures have no shares.

    Examples
    --------
    >>> import idealrank as ir
    >>> types = {"a": "page", "b": "page", "f": "pdf"}
    >>> judged = {"q1": {"a": 1, "f": 1}, "q2": {"b": 1}}
    >>> scores = ir.evaluate(judged, {"q1": {"x": 2.0, "a": 1.0}, "q2": {"b": 1.0}}, ["R"])
    >>> found = scores.by_document("type", types)
    >>> for row in found.table:
    ...     row["segment"], row["queries"], row["not applicable"], row["mean"], row["share of loss"]
    ('page', 2, 0, 1.0, 0.0)
    ('pdf', 1, 1, 0.0, 1.0)
    """

    column: Annotated[str, "The column of the documents table."]
    table: Annotated[Table, Named("rows"), DOCUMENT_SEGMENT_ROW, "A row per measure, system and segment."]
    notes: tuple[str, ...]

    @property
    def _account(self) -> Annotated[list[str], Named("notes"), "What the numbers are, and what is missing."]:
        return [*self.notes, MEANING]

    def shown(self) -> list[Block]:
        """Return one row per measure, system and segment, and the notes."""
        return [self.table.grid(SHOWN_ROWS), *self.account()]

    def account(self) -> list[Block]:
        """Say what the numbers are, and the notes."""
        first, *others = self._account
        return [Lines([("segments", first), *(("", note) for note in others)])]


def document_segments(scores: Values, column: str, documents: Any) -> DocumentSegments:
    """Return means, recall and shares of the loss by segment of the documents: see `Scores.by_document`.

    Raises
    ------
    UsageError
        If the column is not named by a text.
    """
    if not isinstance(column, str) or not column:
        raise UsageError(f"by_document: {column!r} names no column. Name one column of the documents, such as 'type'.")
    duplicates = scores.setting.decisions.duplicates
    table = _with_column(column, documents) if isinstance(documents, Mapping) else documents
    known = read_documents(table, duplicates=duplicates, column=column)
    groups = document_groups(scores, known, column)
    rows: list[dict[str, Any]] = []
    missing: dict[str, list[str]] = {}
    for m, label in enumerate(scores.labels):
        for s, (system, sums) in enumerate(zip(scores.systems, document_sums(scores, m, groups), strict=True)):
            key = {"measure": label} | ({"system": system} if len(scores.systems) > 1 else {})
            rows += [key | row for row in _segment_rows(scores, s, m, sums, groups)]
            missing[label] = _explain_missing(sums, label)
    if not any(row["left out"] for row in rows):
        rows = [{name: value for name, value in row.items() if name != "left out"} for row in rows]
    table = measure_table(scores, rows, "segments of documents")
    notes = (*_describe_groups(groups, column, known.name), *itertools.chain(*missing.values()))
    return DocumentSegments(column, table, notes)


def _with_column(column: str, documents: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Name the values of ``{id: value}`` after the column; other dicts name their columns themselves."""
    return {doc: {column: value} for doc, value in documents.items()} if is_row(documents) else documents


def _segment_rows(scores: Values, s: int, m: int, sums: DocumentSums, groups: DocumentGroups) -> list[dict[str, Any]]:
    """Return one row per segment."""
    there = ~np.isnan(scores.values[s, m])
    of_score, of_loss = (_group_shares(scores, amounts, there, groups) for amounts in (sums.earned, _loss(sums)))
    rows = []
    for g, name in enumerate(groups.names):
        applies = (sums.relevant[:, g] > 0) & scores.in_scope
        values = scores.values[s, m] if sums.values is None else sums.values[:, g]
        counted = applies & ~np.isnan(values)
        mean = math.nan if sums.values is None else _segment_mean(scores, m, np.where(counted, values, math.nan))
        rows.append(
            {
                "segment": name,
                **_query_counts(scores, sums, g, applies, counted),
                "mean": mean,
                "recall": _ratio(sums.returned[counted, g].sum(), sums.relevant[counted, g].sum()),
                "share of score": float(of_score[g]),
                "share of loss": float(of_loss[g]),
            }
        )
    return rows


def _query_counts(scores: Values, sums: DocumentSums, g: int, applies: Mask, counted: Mask) -> dict[str, int]:
    return {
        "relevant": int(sums.relevant[counted, g].sum()),
        "queries": int(counted.sum()),
        "not applicable": int((scores.in_scope & ~applies).sum()),
        "left out": int((applies & ~counted).sum()),
    }


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else math.nan


def _segment_mean(scores: Values, m: int, values: Floats) -> float:
    """Average the queries to which the segment applies; NaN without one."""
    if np.isnan(values).all():
        return math.nan
    measure = scores.measures[m]
    return average(values, measure.decisions, measure.definition.total, scores.weights)


def _loss(sums: DocumentSums) -> Floats | None:
    return None if sums.ideal is None or sums.earned is None else sums.ideal - sums.earned


def _group_shares(scores: Values, amounts: Floats | None, there: Mask, groups: DocumentGroups) -> Floats:
    """(G,) the share of each group in (Q, G) amounts; NaN if they are unknown, or add up to nothing."""
    if amounts is None:
        return np.full(len(groups.names), math.nan)
    weights = np.ones(len(there)) if scores.weights is None else scores.weights
    weighed = weights[there, None] * amounts[there]
    whole = exact_sum(weighed.ravel())
    parts = np.array([exact_sum(column.copy()) for column in weighed.T])
    nothing = EQUAL * np.abs(weighed).sum()  # a sum below this is what rounding left of 0
    return np.where(np.abs(parts) > nothing, parts, 0.0) / (whole if abs(whole) > nothing else math.nan)


def _describe_groups(groups: DocumentGroups, column: str, table: str) -> Iterator[str]:
    """Say what the segments are, and how many judged documents have none."""
    yield f"column {column} of {table}; {plural(groups.judged, 'judged document')}"
    if groups.absent or groups.empty:
        yield f"{NO_VALUE}: {groups.absent} of them not in the table, {groups.empty} without a value in it"


def _explain_missing(sums: DocumentSums, label: str) -> list[str]:
    """Say which numbers of a measure are missing, and why."""
    if sums.values is None:
        return [f"{label}: no mean and no share of loss, as it reads judgments by subtopic"]
    if sums.earned is None:
        return [f"{label}: no shares, as it is no sum over results: {sums.unsplit}"]
    return [f"{label}: no share of loss, as it has no ideal list"] if sums.ideal is None else []


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

    @classmethod
    def merge(cls, sums: Sequence[DocumentSums], order: Ints) -> DocumentSums:
        """Put those of all buckets in the order of all queries; what one bucket does not have, all do not have."""

        def every(name: str) -> Any:
            found = [getattr(each, name) for each in sums]
            return None if any(one is None for one in found) else np.concatenate(found)[order]

        arrays = {name: every(name) for name in ("relevant", "returned", "values", "earned", "ideal")}
        return cls(**arrays, unsplit=next(filter(None, (each.unsplit for each in sums)), ""))


@dataclass(frozen=True, eq=False)
class DocumentGroups:
    """Which group each document is in.

    Attributes
    ----------
    names
        The groups that judged documents are in, in the order they are shown.
    values
        ``{document: value}`` of the whole table; None where it has no value.
    judged, absent, empty
        Number of judged documents, of those that are not in the table, and of those without a value there.
    """

    names: tuple[str, ...]
    values: dict[str, str | None]
    judged: int
    absent: int
    empty: int
    kept: Cache = field(default_factory=Cache, repr=False)

    def of(self, docs: Sequence[str | None]) -> Ints:
        """Return the index of the group of each document; None is no document."""
        places = {name: place for place, name in enumerate(self.names)}
        return np.array([places[_group_name(self.values, doc)] for doc in docs], np.int64)

    def judgments(self, joined: SystemLists) -> Ints:
        """(J,) the group of every judged document, by its index in the pool."""
        return self.kept.latest("judgments", joined.pool, lambda: self.of(_judged_docs(joined)))

    def hits(self, joined: SystemLists, lists: JudgedLists) -> Ints:
        """(H,) the group of every hit; -1 of those without a grade."""
        judged, assumed = lists.entry >= 0, _has_assumed_grade(lists)
        codes = np.full(len(lists.entry), -1)
        codes[judged] = self.judgments(joined)[lists.entry[judged]]
        codes[assumed] = self.of(_name_docs(joined, lists.row[assumed]))
        return codes


# What documents of each group add to the value of each query, and to the value of its ideal list.


def document_sums(scores: Values, m: int, groups: DocumentGroups) -> list[DocumentSums]:
    """Sum by group what the results of each system are worth under a measure."""
    found = map_bucket_values(scores, partial(_sums_in_bucket, m=m, groups=groups))
    order = query_order(scores, [names for names, _ in found])
    return [DocumentSums.merge(of, order) for of in zip(*(sums for _, sums in found), strict=True)]


def _sums_in_bucket(scores: BucketValues, m: int, groups: DocumentGroups) -> list[DocumentSums]:
    return [_sums_of_system(scores, s, m, groups) for s in range(len(scores.systems))]


def _sums_of_system(scores: BucketValues, s: int, m: int, groups: DocumentGroups) -> DocumentSums:
    measure = scores.measures[m]
    joined = scores.joins[s].lists_for(measure.on_lists)
    lists = arrange(joined.lists, measure.on_lists)
    judged, hits = groups.judgments(joined), groups.hits(joined, lists)
    good, steps = is_good(lists.pool_grade, measure), measure.steps(lists)
    earned = None if steps.unsplit else _sum_earned(joined, measure, steps, groups, scores.states[s, m])
    definition = measure.definition
    best = earned is not None and definition.properties.has_best_list and definition.is_plain
    return DocumentSums(
        relevant=_sum_by_group(lists.pool_query, judged[lists.pool_entry], good, lists.size, groups),
        returned=_sum_returned(measure, lists, judged, good, groups),
        values=None if definition.by_subtopic else _values_by_group(joined, measure, lists, judged, hits, groups),
        earned=earned,
        ideal=_sum_ideal(joined, measure, judged, groups) if best else None,
        unsplit=steps.unsplit,
    )


def _sum_by_group(query: Ints, group: Ints, amount: Floats | Mask, size: int, groups: DocumentGroups) -> Floats:
    """(Q, G) sum amounts by query and group."""
    many = len(groups.names)
    sums = np.bincount(query * many + group, weights=amount, minlength=size * many)
    return sums.astype(np.float64, copy=False).reshape(size, many)


def _sum_returned(measure: Measure, lists: JudgedLists, judged: Ints, good: Mask, groups: DocumentGroups) -> Floats:
    """Count the relevant documents within the cutoff; the share of the orders in which they are, if averaged."""
    relevant = np.zeros(len(judged), np.bool_)
    relevant[lists.pool_entry] = good
    (hits,) = np.nonzero((lists.entry >= 0) & relevant[lists.entry])
    within = within_cutoff(lists, measure.cutoff, measure.decisions)[hits]
    return _sum_by_group(lists.query[hits], judged[lists.entry[hits]], within, lists.size, groups)


def _sum_earned(joined: SystemLists, measure: Measure, steps: Steps, groups: DocumentGroups, states: States) -> Floats:
    """(Q, G) what the results of each group add; nothing where the value is not computed from results."""
    lists, amount = steps.lists, _amounts_of_hits(steps, measure)
    hits = groups.hits(joined, lists)
    (graded,) = np.nonzero((hits >= 0) & (states == QueryState.COMPUTED)[lists.query])
    return _sum_by_group(lists.query[graded], hits[graded], amount[graded], lists.size, groups)


def _amounts_of_hits(steps: Steps, measure: Measure) -> Floats:
    """(H,) what each hit adds to the value of its query."""
    divisor = np.where(steps.normaliser > 0, steps.normaliser, np.inf)
    return round_contributions(steps.contribution, measure) / divisor[steps.lists.query]


def _sum_ideal(joined: SystemLists, measure: Measure, judged: Ints, groups: DocumentGroups) -> Floats | None:
    """(Q, G) what the ideal list earns; documents that are equally good share what their ranks earn equally."""
    lists = ideal_lists(joined, measure)
    steps = measure.steps(lists)
    if steps.unsplit:
        return None
    amount = np.zeros(len(lists.rank))
    amount[lists.hit_start[steps.lists.query] + steps.lists.rank - 1] = _amounts_of_hits(steps, measure)
    alike = _number_equal_runs(lists, measure)
    mean = np.bincount(alike, weights=amount) / np.maximum(np.bincount(alike), 1)
    return _sum_by_group(lists.query, judged[lists.entry], mean[alike], lists.size, groups)


def _number_equal_runs(lists: JudgedLists, measure: Measure) -> Ints:
    """(H,) the number of the run of equally good documents that each hit is in, counted over all queries."""
    binary = "relevant_from" in measure.definition.reads and "gain" not in measure.definition.reads
    level = np.zeros(len(lists.grade)) if binary else gain_of_user(lists.grade, measure)
    new = np.ones(len(level), np.bool_)
    new[1:] = (np.diff(level) != 0) | (np.diff(lists.query) != 0)
    return np.cumsum(new, dtype=np.int64) - 1


def _values_by_group(
    joined: SystemLists, measure: Measure, lists: JudgedLists, judged: Ints, hits: Ints, groups: DocumentGroups
) -> Floats:
    """(Q, G) the measure where documents of the other groups count as not relevant, at unchanged ranks."""
    columns = []
    for group in range(len(groups.names)):
        only = _restrict_to_group(lists, (judged[lists.pool_entry] != group), (hits != group), measure)
        values, _ = apply_fills(joined, measure, measure.steps(only).scores(measure.decisions))
        columns.append(values)
    return np.stack(columns, axis=1)


def _restrict_to_group(lists: JudgedLists, others: Mask, other_hits: Mask, measure: Measure) -> JudgedLists:
    """Return the lists with the grade of a document that is not relevant for some judgments and hits."""
    nothing, kept = _irrelevant_grade(measure), measure.definition.below_zero == "kept"

    def graded(grade: Floats, other: Mask) -> Floats:
        changed = other & ~np.isnan(grade) & ((grade >= 0) | (not kept))
        return np.where(changed, nothing, grade)

    pool_grade = graded(lists.pool_grade, others)
    order = np.lexsort((-pool_grade, lists.pool_query))
    return replace(
        lists, grade=graded(lists.grade, other_hits), pool_grade=pool_grade[order],
        pool_entry=lists.pool_entry[order], of_pool=PoolCache(),
    )  # fmt: skip


def _irrelevant_grade(measure: Measure) -> float:
    """Return the grade of a document that is not relevant: 0, unless that is relevant, too."""
    level = measure.decisions.relevant_from
    return level - 1.0 if isinstance(level, float) and level <= 0 else 0.0


# Groups of documents: each document is in one, by its value in a column of the documents table.


MOST_SEGMENTS = 100
"""Most segments a column may make."""


def document_groups(scores: Values, documents: Documents, column: str) -> DocumentGroups:
    """Group the judged documents, and the results with an assumed grade, by a column of the documents table.

    Raises
    ------
    NoColumnError
        If there is no such column.
    DataError
        If a document has two values, no judged document is in the table, or there are more than 100 groups.
    """
    values = documents.column(column, scores.setting.decisions.duplicates)
    found = map_bucket_values(scores, _docs_in_bucket)
    # The bucket with the first query comes first, so that messages name the same document for any number of buckets.
    found.sort(key=lambda bucket: scores.queries[0] not in bucket[0])
    judged = dict.fromkeys(itertools.chain.from_iterable(docs for _, (docs, _) in found))
    assumed = itertools.chain.from_iterable(docs for _, (_, docs) in found)
    _refuse_strangers(documents.name, list(values), list(judged))
    names = {_group_name(values, doc) for doc in itertools.chain(judged, assumed)}
    _refuse_many_segments(documents.name, column, len(names - {NO_VALUE}))
    absent = sum(doc not in values for doc in judged)
    empty = sum(_group_name(values, doc) == NO_VALUE for doc in judged) - absent
    return DocumentGroups(tuple(sorted(names, key=label_order)), values, len(judged), absent, empty)


def _group_name(values: dict[str, str | None], doc: str | None) -> str:
    return values.get(doc or "") or NO_VALUE


def _docs_in_bucket(scores: BucketValues) -> tuple[list[str], list[str | None]]:
    """Return the judged documents of a bucket, and the results with an assumed grade."""
    judged = dict.fromkeys(itertools.chain.from_iterable(map(_judged_docs, _lists_per_pool(scores))))
    return list(judged), list(dict.fromkeys(_docs_with_assumed_grade(scores)))


def _lists_per_pool(scores: BucketValues) -> list[SystemLists]:
    """Return lists for each different pool of judgments that the measures see."""
    joined = (scores.joins[0].lists_for(measure.on_lists) for measure in scores.measures)
    return list({id(each.pool): each for each in joined}.values())


def _judged_docs(joined: SystemLists) -> list[str]:
    names = joined.pool.docs(np.arange(len(joined.pool.grade)))
    return names if joined.spans is None else [name.rpartition("[")[0] for name in names]


def _docs_with_assumed_grade(scores: BucketValues) -> Iterator[str | None]:
    for join, measure in itertools.product(scores.joins, scores.measures):
        if isinstance(measure.on_lists.unjudged, float):
            joined = join.lists_for(measure.on_lists)
            lists = arrange(joined.lists, measure.on_lists)
            yield from _name_docs(joined, lists.row[_has_assumed_grade(lists)])


def _has_assumed_grade(lists: JudgedLists) -> Mask:
    """(H,) which hits have a grade although nobody judged them: by `unjudged`."""
    return (lists.entry < 0) & ~np.isnan(lists.grade)


def _name_docs(joined: SystemLists, rows: Ints) -> list[str | None]:
    """Name the document of each row of the results; None for a rank that was left out."""
    there = rows[rows >= 0]
    names = iter(
        joined.run.docs(there) if joined.spans is None else map(id_text, spans_of(joined.results).docs.to_list(there))
    )
    return [next(names) if row >= 0 else None for row in rows.tolist()]


def _refuse_strangers(table: str, listed: Sequence[str], judged: Sequence[str]) -> None:
    if set(listed).isdisjoint(judged):
        there = f"like {quoted(listed[0])} there" if listed else "like nothing there"
        way = either("call the column of its ids doc_id", "name its column of ids: --doc-col documents:NAME")
        raise DataError(
            f"{table}: this table has none of the judged documents. Ids look {there}, and like {quoted(judged[0])} in "
            f"the judgments. Give a table with the same ids, or {way}."
        )


def _refuse_many_segments(table: str, column: str, many: int) -> None:
    if many > MOST_SEGMENTS:
        raise DataError(
            f"{table}: the judged documents have {many} values in the column {column}, and segments are made of at "
            f"most {MOST_SEGMENTS}. Choose a column with fewer values, or add one: the year of a date, the site of an "
            "address."
        )
