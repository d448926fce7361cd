"""label_next: which documents people should label next to decide between two systems, and whether they may stop."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict, Unpack, get_args

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.compare import pair_systems
from idealrank.comparison.pairing import Pairing
from idealrank.comparison.unjudged.documents import dense_lists
from idealrank.comparison.unjudged.holes import MeasureUnjudged, holes
from idealrank.comparison.verdict.rule import CANT_TELL, Rule, RuleKind, refuse_beyond
from idealrank.data.chosen_labels import chosen_for, systems_chosen_for
from idealrank.data.documents import Documents, documents_of_unit, read_documents
from idealrank.data.filters import missing_ids, query_mask
from idealrank.data.grades import withheld_words
from idealrank.data.ids import id_text, natural_order
from idealrank.data.judgments import Judgments
from idealrank.data.read import Tables, read_judgments
from idealrank.data.roles import CHOSEN_FOR
from idealrank.decisions.decisions import naming, refuse_unknown
from idealrank.display.blocks import Block, Lines
from idealrank.display.columns import MeasureName, QueryId, QueryText
from idealrank.display.document import Described, Shown
from idealrank.display.numbers import percent
from idealrank.display.schema import Named, OneOf, OrNull, RowType, Share, Within
from idealrank.display.table import Table
from idealrank.errors import UsageError, either, listed, not_allowed, plural, quoted_option, refuse_count
from idealrank.evaluation.evaluate import SystemsOptions, compute_values, evaluate
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import QueryState
from idealrank.labels.stopping import (
    ERROR_MEASURED,
    LAST_LABELS,
    LEAST_LABELLED,
    LOOKS_BACK,
    Certainty,
    Likelihood,
    OpenComparison,
    describe_measured_error,
)
from idealrank.measures.definition import Measure
from idealrank.statistics.draws import query_keys

Order = Literal["weight", "rank", "pool", "random"]
ORDERS: Final = get_args(Order)

DRAWS = 200
"""Default number of draws of the missing labels."""

SHOWN_ROWS = 10

NAMED = 10
"""Queries that a sentence names one by one; JSON names all."""

NO_LABELS = "without a label"
"""Why queries with results are left out, unless they are named."""

CANNOT_TELL = "cannot tell"
"""A rater's answer that is no grade: whoever comes next needs these documents least."""

NO_LABEL = "(no document of this query has a label)"
"""Stands, with grade 0, for the judgments of a query that was asked for and has none: a label of 0 changes nothing."""


_Row = TypedDict(
    "_Row",
    {
        "query": QueryId,
        "text": NotRequired[QueryText],
        "doc": Annotated[str, "Id of the document to label."],
        "title": NotRequired[Annotated[str | None, "Title of the document; null if it has none."]],
        "url": NotRequired[Annotated[str | None, "Address of the document; null if it has none."]],
        "baseline rank": Annotated[int | None, Within(1), "Its rank in the first system; null if not returned."],
        "rank": Annotated[int | None, Within(1), "Its rank in the second system; null if not returned."],
        "weight": Annotated[float, Within(0), "How far the two systems' discounts of the document are apart."],
        "grade": Annotated[float | None, "Empty: for the rater to fill in."],
        "order": Annotated[str, "How the document was chosen, and with what probability, if there is one."],
        "chosen for": Annotated[str, "The two systems whose comparison needs the label: compare warns of a third."],
    },
)
LABEL_ROW = RowType(_Row)


@dataclass(frozen=True, eq=False, repr=False)
class LabelNext(Shown, Described):
    """What to label next, and whether labelling may stop.

    Attributes
    ----------
    rows
        The documents to label, first things first, with an empty column `grade`.
    measure
        The measure that decides.
    systems
        The names of the two systems, the baseline first.
    order
        What the documents are ordered by.
    level
        Level of the interval, and the share of draws that must agree.
    labelled, left
        How many documents in the first ranks of either list have a label, and how many have none.
    top
        The highest grade that a missing label is taken to have: that of the labels so far, or ``max_grade``.
    cannot_tell
        For how many of those without one a rater answered that they cannot tell: they come last.
    queries
        The queries that count.
    nothing_returned
        By system, those of them for which it returned nothing.
    left_out
        The queries that do not count, by the reason.
    certainty, likelihood
        What missing labels can still do to the outcome, and what they likely do.
    alone
        Of the documents that only one of the systems returned, the share with a label, by system.
    """

    rows: Annotated[Table, LABEL_ROW, "The documents to label, first things first."]
    measure: MeasureName
    systems: tuple[str, str]
    order: Annotated[Order, OneOf(ORDERS), "What the documents are ordered by."]
    level: Annotated[Share, "Level of the interval, and the share of draws that must agree."]
    labelled: Annotated[int, "Documents in the first ranks of either list that have a label."]
    left: Annotated[int, "Documents there without one."]
    top: Annotated[float, "The highest grade that a missing label is taken to have."]
    cannot_tell: Annotated[int, "Of these, the documents for which a rater answered that they cannot tell."]
    queries: Annotated[tuple[str, ...], "The queries that count."]
    nothing_returned: Annotated[
        Mapping[str, Annotated[tuple[str, ...], "Queries."]],
        "By system, the queries that count though it returned nothing.",
    ]
    left_out: Annotated[
        Mapping[str, Annotated[tuple[str, ...], "Queries."]], "The queries that do not count, by the reason."
    ]
    certainty: Certainty
    likelihood: Likelihood
    alone: tuple[float, float] = (1.0, 1.0)

    @property
    def certain(self) -> Annotated[bool, "Whether no missing label can change the outcome."]:
        """Whether no missing label can change the outcome."""
        return bool(self.certainty.outcome)

    @property
    def likely(
        self,
    ) -> Annotated[bool | None, "Whether enough draws of the missing labels agree; null if none are drawn."]:
        """Whether enough draws of the missing labels agree, and did throughout the last labels; None if none are drawn.

        At least 10 % must be labelled.
        """
        if self.certain:
            return True
        if not self.likelihood.outcome:
            return None
        return self.likelihood.agree >= self.level and self.likelihood.throughout and not self._too_few

    @property
    def _too_few(self) -> str:
        """Say of what too little is labelled to draw the rest; "" where enough is.

        Documents that only one system returned say nothing of those that only the other did: labels of two rankings
        are no guide to a third.
        """
        alone = zip(self.systems, self.alone, strict=True)
        parts = {"them": self.labelled_share} | {f"those that only {name} returned": share for name, share in alone}
        return next((what for what, share in parts.items() if share < LEAST_LABELLED), "")

    @property
    def outcome(self) -> Annotated[str | None, "SHIP, DON'T, ABOUT THE SAME or CAN'T TELL: certain, or most likely."]:
        """The outcome that is certain, or that most draws come to; None where neither is known."""
        return self.certainty.outcome or self.likelihood.outcome or None

    @property
    def agree(self) -> Annotated[Share, OrNull(), "Share of the draws with this outcome; null if none are drawn."]:
        """Share of the draws that come to the outcome; NaN if none are drawn."""
        return self.likelihood.agree

    @property
    def labelled_share(self) -> float:
        """Share of the documents that have a label; 1 where there are none."""
        return self.labelled / (self.labelled + self.left) if self.labelled + self.left else 1.0

    @property
    def error_measured(
        self,
    ) -> Annotated[
        Share | None,
        "How often, at most, stopping at 95% was wrong in a simulation; 0 if certain, null if nothing is drawn.",
    ]:
        """How often, at most, stopping at 95 % was wrong in a simulation; 0 where certain, None if nothing is drawn."""
        if self.certain:
            return 0.0
        return None if self.likely is None or self.order != "weight" else ERROR_MEASURED.high

    @property
    def why(self) -> Annotated[str, "Why certainty, or likelihood, is not known; empty if both are."]:
        """Why certainty, or likelihood, is not known; "" if both are."""
        return "; ".join(dict.fromkeys(why for why in (self.certainty.why, self.likelihood.why) if why))

    @property
    def _baseline(self) -> Annotated[str, Named("baseline"), "Name of the first system."]:
        return self.systems[0]

    @property
    def _system(self) -> Annotated[str, Named("system"), "Name of the second system."]:
        return self.systems[1]

    def shown(self) -> list[Block]:
        """Return how much is left and whether it is needed, then the first documents."""
        blocks: list[Block] = [Lines(self.lines, leads=True)]
        if len(self.rows):
            shown = [name for name in self.rows.columns if name not in ("grade", "order", CHOSEN_FOR)]
            blocks.append(self.rows[shown].grid(SHOWN_ROWS))
        return blocks

    @property
    def lines(self) -> list[tuple[str, str]]:
        """How many labels are left, and whether they are needed, each a sentence or two with its label."""
        return [("queries", self._query_sentence), ("labels", self._count_sentence), ("stop?", self._stop_text)]

    @property
    def _query_sentence(self) -> str:
        many = len(self.queries)
        text = f"{plural(many, 'query')} {'counts' if many == 1 else 'count'}."
        for system, queries in self.nothing_returned.items():
            text += f" {system} returned nothing for {_named(queries)}, which {_does(queries, 'count')} all the same."
        if self.left_out:
            text += f" Left out: {'; '.join(_named(of, why) for why, of in self.left_out.items())}."
        if NO_LABELS in self.left_out:
            text += " To add documents of queries without a label, name these (only, --queries)."
        return text

    @property
    def _count_sentence(self) -> str:
        whole = plural(self.labelled + self.left, "document")
        none = f"{self.left:,} {'has' if self.left == 1 else 'have'} none"
        text = (
            f"{self.labelled:,} of the {whole} in the first ranks of {self.systems[0]} or {self.systems[1]} have a "
            f"label ({percent(self.labelled_share)}); {none}."
        )
        if len(self.rows) < self.left:
            text += f" The first {len(self.rows):,} are in the list (rows, --rows)."
        if self.cannot_tell:
            text += f" For {self.cannot_tell:,} of these a rater answered that they cannot tell: they come last."
        return text

    @property
    def _stop_text(self) -> str:
        """Whether to stop, and what `compare` makes of the labels that are then missing."""
        if not self.left or not self.likely:
            return self._stop_sentence
        these = "the document without a label" if self.left == 1 else f"the {self.left:,} documents without a label"
        careful = (
            f"compare still lists {these} as unjudged: their labels may change its numbers, but not this outcome."
            if self.certain
            else f"compare is more careful: with {these} it may say CAN'T TELL, and ask to judge them."
        )
        return f"{self._stop_sentence} {careful}"

    @property
    def _stop_sentence(self) -> str:
        if self.certain:
            why = f"for all missing labels up to grade {self.top:g}" if self.left else "no label is missing"
            return f"Yes, certain: {self.certainty.outcome} by {self.measure}; {why}."
        likelihood = self.likelihood
        why = f" Certainty is not known: {self.certainty.why}." if self.certainty.why else ""
        if not likelihood.outcome:
            return f"Not certain.{why} What is likely is not known: {likelihood.why}."
        agreed = f"{likelihood.outcome} in {percent(likelihood.agree)} of the draws of the missing labels"
        if self.likely:
            found = describe_measured_error()
            if self.order != "weight":
                found = f"how often that is wrong was measured in the order weight, and not for {self.order}"
            more = " More labels will hardly settle it; more queries can." if likelihood.outcome == CANT_TELL else ""
            return f"Likely: {agreed}; {found}.{more}{why}"
        few = f" At least {percent(LEAST_LABELLED)} of {self._too_few} must be labelled." if self._too_few else ""
        needed = f"{percent(self.level)} are needed"
        if likelihood.agree >= self.level and not likelihood.throughout:
            needed += f" throughout the last {percent(LAST_LABELS)} of the labels: a few more will tell"
        return f"Not yet: {agreed}, and {needed}.{few}{why}"

    def __repr__(self) -> str:
        return f"{self._query_sentence} {self._count_sentence} {self._stop_text}"


def _named(queries: Sequence[str], why: str = "") -> str:
    """Count queries and name them; of many, the first."""
    return f"{plural(len(queries), 'query')}{f' {why}' if why else ''} ({listed(queries, NAMED)})"


def _does(queries: Sequence[str], verb: str) -> str:
    return f"{verb}s" if len(queries) == 1 else verb


_ARGUMENTS = (
    "measure", "order", "rows", "documents", "margin", "rule", "equivalence", "level", "draws", "seed",
    "convention", "queries", "weights", "only", "system",
)  # fmt: skip


@naming(SystemsOptions)
def label_next(
    judgments: Any,
    results: Any = None,
    measure: str | Measure = "nDCG@10",
    *,
    order: Order = "weight",
    rows: int | None = 100,
    documents: Any = None,
    margin: float = 0.0,
    rule: RuleKind = "better",
    equivalence: float | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
    **options: Unpack[SystemsOptions],
) -> LabelNext:
    """Say which documents to label next to decide between two systems, and whether labelling may stop.

    The documents are those without a label in the first k of either list, k being the cutoff of the measure.
    *Certain* means that no missing label can change the outcome. *Likely* means that at least 10 % are labelled, and
    that a share `level` of draws of the missing labels comes to the same outcome, now and throughout the last 2.5 % of
    the labels: one look may agree by chance. The outcome is that of Student's interval of the mean difference; a
    verdict of `compare` may have further doubts.

    Parameters
    ----------
    judgments
        The labels so far: a path, a dataframe, or ``{query: {document: grade}}``.
    results
        Two systems, the baseline first, as for `compare`.
    measure
        The measure that decides.
    order
        ``weight``: by how far the two lists disagree on the discount of a document, those at the same rank in both
        last; ``rank``: the best rank in either list first; ``pool``: query by query, by document id; ``random``.
    rows
        How many documents to return; None: all.
    documents
        Titles and addresses: a table, as for `report`; None: those in the other tables.
    margin, rule, equivalence
        As for `compare`.
    level
        Level of the interval, and the share of draws that must agree.
    draws
        How often the missing labels are drawn; 0: never.
    seed
        Random seed of the draws, and of the order ``random``.
    **options
        `convention`, `queries`, `weights`, `system` (which two of several, the baseline first), `only` and answers to
        decisions, as for `evaluate`. Queries without any label are left out unless `only` names them.

    Returns
    -------
    LabelNext: the documents, how many are left, and whether the outcome is certain or likely.

    Raises
    ------
    UsageError
        If there are not two systems, an order is not known, or the measure has no labels by document.

    Notes
    -----
    Labels in an order made for two systems favour neither of these two, but say little of a third: judge its own
    documents before you compare it. The column `order` keeps what they were chosen by.

    Examples
    --------
    >>> import idealrank as ir
    >>> old, new = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"q": {"b": 3.0, "d": 2.0, "a": 1.0}}
    >>> found = ir.label_next({"q": {"a": 2}}, {"old": old, "new": new}, "nDCG@3")
    >>> found.left, found.certain
    (3, False)
    >>> [(row["doc"], round(row["weight"], 2)) for row in found.rows]
    [('d', 0.63), ('c', 0.5), ('b', 0.37)]
    """
    refuse_unknown((name for name in options if name not in _ARGUMENTS), _ARGUMENTS)
    if order not in ORDERS:
        raise not_allowed("order", order, ORDERS)
    if rows is not None:
        refuse_count("rows", rows)
    refuse_count("draws", draws, least=0)
    decides = Rule(margin, rule, level=level, equivalence=equivalence or 0.0)
    scores, table = _evaluate_queries_asked_for(judgments, results, measure, options)
    _refuse_other_than_two(scores)
    refuse_beyond("margin", margin, scores.measures[0])
    pairing = pair_systems(scores, scores.systems[0], 0.0)
    _refuse_no_labels(scores)
    found = holes(scores.joins, scores.measures[0])
    comparison = OpenComparison(pairing, found, decides, equivalence)
    left = int(comparison.open.sum())
    returned, unit = [join.results for join in scores.joins], scores.setting.decisions.unit
    titles = documents_of_unit(table, returned, unit) if documents is None else read_documents(documents)
    likelihood = comparison.likely(draws, seed) if draws else Likelihood("", np.nan, "no labels were drawn")
    if likelihood.agree >= level:
        before = _likely_before(comparison, likelihood.outcome, level, draws, seed)
        likelihood = likelihood._replace(throughout=before)
    others = systems_chosen_for(table)
    if others and not set(scores.systems) <= others:
        why = f"labels were chosen to decide between {listed(sorted(others), 4, ' and ')}, other systems than these"
        likelihood = Likelihood("", np.nan, why)
    untold = _could_not_tell(table, comparison)
    return LabelNext(
        rows=_rows(comparison, order, left if rows is None else rows, seed, titles, untold),
        measure=scores.labels[0],
        systems=(scores.systems[0], scores.systems[1]),
        order=order,
        level=level,
        labelled=len(comparison.labelled[0]),
        left=left,
        top=float(found.scale[-1]),
        cannot_tell=int(untold.sum()),
        queries=tuple(itertools.compress(scores.queries, pairing.paired(pairing.pairs[0], 0))),
        nothing_returned=_nothing_returned(pairing),
        left_out=_left_out(pairing),
        certainty=comparison.certain(),
        likelihood=likelihood,
        alone=comparison.labelled_alone,
    )


def _likely_before(now: OpenComparison, outcome: str, level: float, draws: int, seed: int) -> bool:
    """Whether an outcome would have been as likely without the last labels, at several looks back.

    One look alone may agree by chance, and who looks after every label looks often. The last labels are those that come
    last in the order ``weight``, which depends on the ranks alone.
    """
    scores = now.pairing.scores
    labels = [label for label, _ in _labels(scores)]
    # One label of each list stays: ids must meet.
    lists = (dense_lists(join, scores.measures[0]) for join in scores.joins)
    staying = {labels[int(each.entry[each.entry >= 0][0])] for each in lists}
    bare = _open_comparison(now, _relabelled(scores, {*labels} - staying, scores.queries))
    order = _sorted(bare.pairing, bare.unjudged, np.flatnonzero(bare.open), "weight", seed)
    missing = set(_pairs(now))
    labelled = [pair for pair in np.array(_pairs(bare), object)[order].tolist() if tuple(pair) not in missing]
    back = math.ceil(LAST_LABELS * len(order))
    for look in sorted({math.ceil(back * (i + 1) / LOOKS_BACK) for i in range(LOOKS_BACK)}):
        last = set(map(tuple, labelled[max(len(labelled) - look, 0) :]))
        before = _open_comparison(now, _relabelled(scores, last, scores.queries)).likely(draws, seed + look)
        if before.outcome != outcome or before.agree < level:
            return False
    return True


def _open_comparison(now: OpenComparison, scores: Scores) -> OpenComparison:
    """Return the same comparison of scores by other labels."""
    pairing = replace(now.pairing, scores=scores)
    return replace(now, pairing=pairing, unjudged=holes(scores.joins, scores.measures[0]))


def _pairs(comparison: OpenComparison) -> list[tuple[str, str]]:
    """Return the query and the id of each document without a label."""
    queries = comparison.pairing.scores.queries
    return list(
        zip((queries[q] for q in comparison.unjudged.query.tolist()), comparison.unjudged.document, strict=True)
    )


def _labels(scores: Scores) -> Iterator[tuple[tuple[str, str], float]]:
    """Yield the query and the document of each label, and its grade."""
    pool = scores.joins[0].lists(scores.setting.decisions).pool
    queries = np.repeat(np.arange(len(pool.queries)), np.diff(pool.start)).tolist()
    documents = pool.docs(np.arange(len(pool.grade)))
    for query, document, grade in zip(queries, documents, pool.grade.tolist(), strict=True):
        yield (pool.queries[query], document), grade


def _refuse_other_than_two(scores: Scores) -> None:
    names = scores.systems
    if len(names) == 1:
        raise UsageError(
            f"One system, {names[0]}: documents to label next are those that decide between two. Give the results of "
            "another, the baseline first."
        )
    if len(names) != 2:
        both = either(f"system={list(names[:2])!r}", " ".join(quoted_option("system", name) for name in names[:2]))
        raise UsageError(
            f"{len(names)} systems: documents to label next are those that decide between two. Name two, the baseline "
            f"first: {both}."
        )


def _refuse_no_labels(scores: Scores) -> None:
    """Refuse a measure whose judgments are not of whole documents."""
    measure = scores.measures[0]
    if not measure.definition.is_plain:
        raise UsageError(
            f"{measure} reads judgments by subtopic or by span: which documents to label next is known for measures of "
            "whole documents, such as nDCG@10."
        )


def _unlabelled_queries(scores: Scores) -> list[str]:
    """Return the queries that a system has results for, and of which no document has a label."""
    every = [join.lists(scores.setting.decisions).unjudged_queries for join in scores.joins]
    return natural_order(sorted({query for queries in every for query in queries}))[1]


def _evaluate_queries_asked_for(
    judgments: Any, results: Any, measure: str | Measure, options: SystemsOptions
) -> tuple[Scores, Judgments]:
    """Return scores in which queries that were named, and of which no document has a label, count; and the judgments.

    Raises
    ------
    UsageError
        If none of the queries that were named has a label or results.
    """
    only = options.get("only")
    try:
        scores = evaluate(judgments, results, [measure], **options)
    except UsageError as error:
        if only is None:
            raise
        # None of those that were named has a label, but they may have results.
        every: SystemsOptions = {**options, "only": None}
        scores = evaluate(judgments, results, [measure], **every)
        named = _with_queries(scores, only)
        if named is scores:
            raise error from None
        return named, scores.joins[0].judgments
    return _with_queries(scores, scores.only), scores.joins[0].judgments


def _with_queries(scores: Scores, only: Any) -> Scores:
    """Return the scores of the queries asked for, with a label of 0 for those that have none."""
    if only is None:
        return scores
    queries = _unlabelled_queries(scores)
    new = list(itertools.compress(queries, query_mask(only, queries, least=0)))
    if not new or not scores.measures[0].definition.is_plain:
        return scores
    return _relabelled(scores, set(), new, only)


def _relabelled(scores: Scores, withheld: set[tuple[str, str]], queries: Sequence[str], only: Any = None) -> Scores:
    """Return the scores without some labels, and with a label of 0 for queries, of a document that nobody returned."""
    kept = [(*label, grade) for label, grade in _labels(scores) if label not in withheld]
    kept += [(query, NO_LABEL, 0.0) for query in queries]
    table = read_judgments(dict(zip(("query", "doc", "grade"), map(list, zip(*kept, strict=True)), strict=True)))
    results = list({id(join.results): join.results for join in scores.joins}.values())
    tables = Tables(table, results, scores.table, scores.only if only is None else only)
    return Scores.from_values(compute_values(tables, scores.setting, list(scores.measures), list(scores.systems)))


def _nothing_returned(pairing: Pairing) -> dict[str, tuple[str, ...]]:
    """Return by system the queries that count though it returned nothing for them."""
    scores = pairing.scores
    counted = pairing.paired(pairing.pairs[0], 0)
    empty = {name: np.flatnonzero(counted & (scores.lengths(s) == 0)) for s, name in enumerate(scores.systems)}
    return {name: tuple(scores.queries[q] for q in places) for name, places in empty.items() if len(places)}


def _left_out(pairing: Pairing) -> dict[str, tuple[str, ...]]:
    """Return the queries that do not count, each under the first reason that applies."""
    scores, strangers = pairing.scores, _unlabelled_queries(pairing.scores)
    asked = scores.scope_of(strangers)
    states = scores.states[:, 0]
    open_queries = ~pairing.paired(pairing.pairs[0], 0)
    found: dict[str, list[str]] = {NO_LABELS: list(itertools.compress(strangers, asked))}
    reasons = {
        "not asked for": ~scores.in_scope,
        "without results": (states == QueryState.SKIPPED_NO_RESULTS).any(axis=0),
        "whose search failed": (states == QueryState.SKIPPED_FAILED).any(axis=0),
        "without a relevant document": (states == QueryState.SKIPPED_NO_RELEVANT).any(axis=0),
        "without a weight": ~pairing.with_weight(np.ones_like(open_queries)),
        "without a value": open_queries,
    }
    for why, applies in reasons.items():
        found[why] = [scores.queries[q] for q in np.flatnonzero(open_queries & applies)]
        open_queries = open_queries & ~applies
    found["not asked for"] += itertools.compress(strangers, ~asked)
    found["neither labelled nor returned"] = list(missing_ids(scores.only, (*scores.queries, *strangers)))
    return {why: tuple(queries) for why, queries in found.items() if queries}


def _could_not_tell(table: Judgments, comparison: OpenComparison) -> Mask:
    """(N,) the documents without a label for which a rater answered that they cannot tell."""
    found, names = comparison.unjudged, comparison.pairing.scores.queries
    answers = [withheld_words(table.source.frame.column(place)) for place in table.grades]
    rows = np.flatnonzero([CANNOT_TELL in words for words in zip(*answers, strict=True)])
    query, doc = (ids.to_list(rows) for ids in (table.keys.query, table.source.ids(table.doc)))
    untold = set(zip(map(id_text, query), map(id_text, doc), strict=True))
    pairs = zip(found.query.tolist(), found.document, strict=True)
    return comparison.open & np.array([(names[q], each) in untold for q, each in pairs], np.bool_)


def _rows(
    comparison: OpenComparison, order: Order, most: int, seed: int, titles: Documents | None, untold: Mask
) -> Table:
    """Return the first documents without a label in an order, those that a rater could not tell (N,) last."""
    pairing, found = comparison.pairing, comparison.unjudged
    at = np.flatnonzero(comparison.open)
    at = at[_sorted(pairing, found, at, order, seed)]
    at = np.concatenate((at[~untold[at]], at[untold[at]]))
    left, again = int((~untold[at]).sum()), untold[at][:most]
    at = at[:most]
    scores = pairing.scores
    ids, docs = [scores.queries[q] for q in found.query[at].tolist()], [found.document[i] for i in at.tolist()]
    columns: dict[str, Any] = {"query": ids}
    if scores.texts:
        columns["text"] = [scores.texts.get(query) for query in ids]
    columns["doc"] = docs
    if titles is not None:
        columns["title"] = [titles.titles.get(doc) for doc in docs]
    if titles is not None and titles.urls:
        columns["url"] = [titles.urls.get(doc) for doc in docs]
    for name, side in (("baseline rank", 0), ("rank", 1)):
        columns[name] = [int(rank) or None for rank in found.rank[side, at]]
    text = _order_text(order, min(most, left), left)
    columns |= {
        "weight": _weights(found)[at],
        "grade": [None] * len(at),
        "order": [ASKED_AGAIN if once_more else text for once_more in again.tolist()],
        CHOSEN_FOR: [chosen_for(*scores.systems)] * len(at),
    }
    return Table(columns, "label next", row=LABEL_ROW)


def _weights(found: MeasureUnjudged) -> Floats:
    """(N,) how far the two lists disagree on the discount of each document."""
    weights: Floats = np.abs(found.discounts[1] - found.discounts[0])
    return weights


def _sorted(pairing: Pairing, found: MeasureUnjudged, at: Ints, order: Order, seed: int) -> Ints:
    """Return the order of some holes; those that are alike in it are by best rank, then by query and document id."""
    by_id = np.empty(len(pairing.scores.queries), np.int64)
    by_id[pairing.by_id] = np.arange(len(by_id))
    query, rank = by_id[found.query[at]], found.best_rank[at]
    if order == "random":
        names = [f"{pairing.scores.queries[found.query[i]]}\0{found.document[i]}" for i in at.tolist()]
        chance: Ints = np.argsort(query_keys(seed, "label_next", names), kind="stable")
        return chance
    keys = {"weight": (query, rank, -_weights(found)[at]), "rank": (query, rank), "pool": (query,)}[order]
    result: Ints = np.lexsort((np.arange(len(at)), *keys))
    return result


ASKED_AGAIN = "asked again, no probabilities: a rater could not tell"
"""How a document was chosen that a rater answered `CANNOT_TELL` for, whatever the order of the others is."""


def _order_text(order: Order, rows: int, left: int) -> str:
    if order == "random":
        return f"random, each of {left} with probability {rows / left:.6g}"
    return {
        "weight": "weight-ordered, no probabilities",
        "rank": "rank-ordered, no probabilities",
        "pool": "pool by query, no probabilities",
    }[order]
