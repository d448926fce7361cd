"""evaluate: from judgments and results to scores, with every decision named and every query accounted for."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from idealrank.arrays import Floats, Mask
from idealrank.conventions import Setting, parse_convention
from idealrank.data.filters import exclude_results, query_mask, read_excluded, requested_queries
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.nested_plan import NUMBERED
from idealrank.data.formats.source import Source
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries, queries_in, read_queries
from idealrank.data.read import Tables, read_judgments_of_units, read_results
from idealrank.data.results import Results
from idealrank.data.roles import fold
from idealrank.data.systems import read_systems, system_name
from idealrank.decisions.answers import DecisionAnswers
from idealrank.decisions.decisions import naming, refuse_unknown
from idealrank.display import notebook_bar
from idealrank.errors import DataError, NoColumnError, UsageError, either, option, quoted_option, unsaid
from idealrank.evaluation.buckets import BucketValues, score_bucket
from idealrank.evaluation.joins import joins_of, names_one_system, scored_systems, separate_systems
from idealrank.evaluation.partitioned import InMemory
from idealrank.evaluation.requested_measures import measures_under
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import refuse_failed
from idealrank.evaluation.values import QueryValues, Values
from idealrank.judged_lists.join import Join
from idealrank.judged_lists.near_ids import match_spellings, near_misses, refuse_strangers
from idealrank.judged_lists.searches import with_all_searches
from idealrank.judged_lists.units import mark_whole_units, pool_of
from idealrank.measures.definition import Measure

if TYPE_CHECKING:
    from idealrank.evaluation.explanation import Explanation
    from idealrank.evaluation.ledger.counts import Counts


@naming(DecisionAnswers)
def evaluate(
    judgments: Any,
    results: Any = None,
    measures: Sequence[str | Measure] | str | None = None,
    *,
    convention: str = "idealrank-1",
    queries: Any = None,
    weights: Any = None,
    system: str | Sequence[str] | None = None,
    only: Any = None,
    exclude: Any = None,
    **decisions: Unpack[DecisionAnswers],
) -> Scores:
    """Score the results of one or several systems against judgments.

    Parameters
    ----------
    judgments
        A path (TREC qrels, CSV, JSONL, Parquet), a dataframe, or ``{query: {document: grade}}``.
    results
        A path (TREC run, CSV, JSONL, Parquet), a dataframe, or ``{query: {document: score}}``. Several
        systems as a list, as ``{name: results}``, as a folder of files or as a table with a system column.
        None: the table of the judgments contains the results, too.
    measures
        Names such as ``nDCG@10`` or ``P(rel=2)@5``, or ir_measures' own objects; None: nDCG@10, P@10, R@100,
        RR, AP.
    convention
        The decisions to start from, with overrides: ``"trec_eval-9.0.8, no_results=0"``.
    queries
        A table of query attributes (text, segment, frequency), by query id.
    weights
        How much each query counts: a column of `queries`, a dict, or a table.
    system
        Score this system only; or several, in the order of a list.
    only
        Score these queries only: a list of ids, ``"1..50"``, or a file of ids.
    exclude
        Results that must not be counted, as BEIR's ``ignore_identical_ids`` leaves out a query's own document: a
        table of queries and documents, TREC judgments, or ``{query: {document: 1}}``. Results below them move up.
    **decisions
        Answers to single decisions, such as ``gain="exp2"``; they win over the convention.

    Returns
    -------
    Scores: means, values per query, ledger, steps.

    Raises
    ------
    DataError
        If the data cannot be used: where, what, and what to do.
    UsageError
        If a name or an answer is not known.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {"q1": {"d1": 3, "d2": 1}, "q2": {"d3": 2}}
    >>> run = {"q1": {"d1": 9.0, "x": 8.0, "d2": 7.0}, "q2": {"x": 2.0, "d3": 1.0}}
    >>> ir.evaluate(qrels, run, ["RR"])["RR"]
    0.75
    """
    refuse_unknown(decisions, _OWN)
    setting = parse_convention(convention, decisions)
    answer, weights = split_weights(weights)
    setting = setting._replace(overrides={**setting.overrides, **answer})
    with notebook_bar("evaluating"):
        table = read_judgments_of_units(judgments, setting.decisions.unit)
        if results is None:
            results = table
        elif results is judgments and results is not table:
            # One file given twice: results read from the same source are known to be the judgments' own table.
            results = read_results(table.source, name=system_name(judgments))
        sources = read_systems(results, table)
        refuse_swapped(table, sources, ordered=setting.overrides.get("order_by") == "given")
        refuse_other_documents(table, sources)
        queries_table = read_queries(find_queries_table(table, sources) if queries is None else queries, weights)
        sources, queries_table = _join_by_text(table, sources, queries_table)
        if exclude is not None:
            excluded = read_excluded(exclude)
            sources = [exclude_results(source, excluded) for source in sources]
        setting = separate_systems(setting) if names_one_system(system, *sources) else setting
        return Scores.from_values(
            compute_values(Tables(table, sources, queries_table, only), setting, measures, system)
        )


def _join_by_text(table: Judgments, sources: list[Results], queries: Queries) -> tuple[list[Results], Queries]:
    """Call the queries of results as the judgments do, where a table has texts; refuse answers that are shifted."""
    numbered = any(NUMBERED in one.source.notes for one in sources)
    if not numbered and not queries.text and all(one.keys.text is None for one in (table, *sources)):
        return sources, queries
    from idealrank.data.query_join import join_by_text, refuse_shifted

    refuse_shifted(sources, queries)
    return join_by_text(table, sources, queries)


def split_weights(weights: Any) -> tuple[dict[str, str], Any]:
    """Return the answer to the decision `weights`, and the weights: a caller gives either under the same name."""
    if isinstance(weights, str) and weights in ("equal", "given"):
        return {"weights": weights}, None
    return ({} if weights is None else {"weights": "given"}), weights


def find_queries_table(table: Judgments, sources: Sequence[Results]) -> Any:
    """Return the queries that the document of the judgments contains, or else those in the columns of any table."""
    return table.source.part("queries") or queries_in([table, *sources])


def refuse_swapped(table: Judgments, sources: Sequence[Results], *, ordered: bool = False) -> None:
    """Refuse judgments that are results, and results that are judgments.

    Judgments are results where they have ranks or scores but no grades, and some results have grades and no order.
    Whole numbers in a column called score may be grades, so that there it is asked which they are. Among several
    results, judgments are those that have grades and no order where others have one, and the very file of the
    judgments. One list is never both. `ordered`: somebody said that the rows are in order, so that results need no
    ranks.

    Raises
    ------
    DataError
        With the order in which both are given.
    """
    mistaken = [source for source in sources if source.like_judgments]
    if (table.like_results or not table.grades) and mistaken:
        call = either("evaluate(judgments, results)", "idealrank evaluate JUDGMENTS RESULTS")
        what = "has scores but no grades" if table.grades else "has no grades"
        raise DataError(
            f"{table.name}: given as the judgments, and {what}, where {mistaken[0].name} has grades "
            f"but neither ranks nor scores. Judgments come first, then results: {call}."
        )
    if twice := [source for source in sources if _is_same_list(table, source)]:
        raise DataError(
            f"{twice[0].name}: the same list is given as the judgments, in which "
            f"{'its scores are the grades' if table.grades else 'each row is relevant'}, and as the results, so every "
            "score would be perfect. Judgments come first, then what a system returned."
        )
    if ordered:
        return
    if table.score_column and mistaken:
        call = either("evaluate(judgments, results)", "idealrank evaluate JUDGMENTS RESULTS")
        raise DataError(
            f"{table.name}: given as the judgments, and read with the column {table.score_column} as the grade, where "
            f"{mistaken[0].name} has grades but neither ranks nor scores. Judgments come first, then results: {call}. "
            f"If these are the judgments, say so: {table.roles.suggest_naming_as('grade', table.score_column)}."
        )
    if len(sources) == 1:
        return
    again = [
        source for source in sources if _is_same_file(table, source) and (source in mistaken or table.like_results)
    ]
    if again:
        raise DataError(
            f"{again[0].name}: given as the judgments, and again as the results of a system. "
            "Judgments come first, and once; then the results of each system."
        )
    if mistaken and len(mistaken) < len(sources):
        given = option("order_by", "given")
        raise DataError(
            f"{mistaken[0].name}: given as the results of a system, and has grades but neither ranks nor scores, so "
            f"it looks like judgments. Judgments come first, and once. If it does contain results, in order: {given}."
        )


def _is_same_file(table: Judgments, source: Results) -> bool:
    return table.source is source.source or (source_file(table.source) == source_file(source.source) != "")


def _is_same_list(table: Judgments, source: Results) -> bool:
    """Whether judgments without grades of their own are the very list of the results.

    A document may well contain both lists, and a table human scores beside ranks.
    """
    graded = table.grades and not (table.score_column and table.source.plan is not None)
    if graded or not _is_same_file(table, source) or {"judgments", "results"} <= {*table.source.tables}:
        return False
    return table.source.ids(table.doc).to_list() == source.source.ids(source.doc).to_list()


def source_file(table: Source) -> str:
    """Return the file a table was read from, with the sheet or the member of an archive; "" for tables in memory."""
    if table.origin is None:
        return ""
    # The name has the path as it was typed, and after a # the sheet or member: only the path is resolved.
    return os.path.realpath(table.origin.path) + table.name[len(table.name.partition("#")[0]) :]


def refuse_other_documents(table: Judgments, sources: Sequence[Results]) -> None:
    """Refuse results whose document column is another one than that of the judgments, which have both.

    Raises
    ------
    NoColumnError
        With both columns; if one of them was named by the caller, or they share no id, they are joined as they are.
    """
    for source in sources:
        ours, theirs = table.roles.names[table.doc], source.roles.names[source.doc]
        named = any(one.roles.chosen.get("doc") is not None or one.form for one in (table, source))
        if named or source.shared or fold(ours) == fold(theirs):
            continue
        for one, other, name in ((table, source, theirs), (source, table, ours)):
            place = next((i for i, column in enumerate(one.roles.names) if fold(column) == fold(name)), None)
            if place is None or one.source.frame.nested(place) is not None:
                continue
            if _distinct_ids(one, place) & _distinct_ids(other, other.doc):
                ways = [
                    either(f"doc={column!r} where both are read", quoted_option("doc-col", column))
                    if column == name
                    else either(f"doc={column!r} for {one.name}", quoted_option("doc-col", f"{role}:{column}"))
                    for column, role in ((name, ""), (one.roles.names[one.doc], _table_role(one)))
                ]
                raise NoColumnError(
                    f"{one.name}: the documents are in the column {one.roles.names[one.doc]}, but those of "
                    f"{other.name} in {name}, which is a column of both. Say which: {ways[0]}, or {ways[1]}."
                )


def _distinct_ids(table: Judgments | Results, place: int) -> set[str]:
    return {id_text(value) for value in table.source.frame.column(place).distinct(1 << 32) if value is not None}


def _table_role(table: Judgments | Results) -> str:
    return "judgments" if isinstance(table, Judgments) else "results"


_OWN = ("measures", "convention", "queries", "weights", "system", "only", "exclude")


def compute_values(
    tables: Tables,
    setting: Setting,
    measures: Sequence[str | Measure] | str | None = None,
    system: str | Sequence[str] | None = None,
) -> Values:
    """Compute the values of whole tables: they are one bucket."""
    (_, _, queries, only), joins = join_tables(tables, setting, system)
    under, only = measures_under(setting, measures), requested_queries(only)
    # With all searches of a task: under steps=last, say, ids of the other searches would look like strangers.
    joined = [join.lists(with_all_searches(setting.decisions)) for join in joins]
    for each in joined:
        refuse_strangers(each, queries)
    in_scope = query_mask(only, joined[0].queries)
    for each, measure in itertools.product(joined, under):
        refuse_failed(each, measure.decisions, in_scope)
    bucket = score_bucket(joins, under, setting, only)
    return Values(
        **{part.name: getattr(bucket, part.name) for part in fields(QueryValues)},
        table=queries,
        weights=weights_of(setting, queries, bucket.queries, in_scope),
        lists=InMemory(joins),
        counted=_count_tables(bucket) if _may_refuse(bucket) else partial(_count_tables, bucket),
    )


def _count_tables(bucket: BucketValues) -> Counts:
    from idealrank.evaluation.ledger.counting import count_bucket

    return replace(count_bucket(bucket), near_ids=tuple(tuple(near_misses(each)) for each in bucket.joined))


def _may_refuse(bucket: BucketValues) -> bool:
    """Whether counting may refuse results: those of a file, which may have a record, with times, or ordered twice.

    Others are counted when somebody asks for the ledger, which most calls on dicts and frames never do.
    """
    tables = [join.results for join in bucket.joins]
    ordered_twice = any(table.rank is not None and table.score is not None for table in tables)
    return ordered_twice or any(table.source.origin is not None for table in tables) or bucket.has_times


def join_tables(tables: Tables, setting: Setting, system: str | Sequence[str] | None) -> tuple[Tables, list[Join]]:
    """Return the tables as they are evaluated, and the join of each system's results with the judgments."""
    table, sources, asked, only = tables
    if setting.decisions.steps == "each":
        from idealrank.data.search_queries import split_searches

        pool_of(table, setting.decisions)  # refuses bad grades with the lines of the file, which the split loses
        scored = scored_systems(sources, setting.decisions.systems, system)
        table, sources, asked, only = split_searches(tables, scored)
    table = mark_whole_units(table, sources, setting.decisions)
    return Tables(table, sources, asked, only), joins_of(table, sources, setting.decisions.systems, system)


def weights_of(setting: Setting, queries: Queries, ids: Sequence[str], in_scope: Mask) -> Floats | None:
    """Return the weight of each query; None where all count alike.

    Raises
    ------
    DataError
        If a query has none; the message says if its id is only spelled differently.
    """
    if setting.decisions.weights not in ("equal", "given"):
        raise unsaid("weights", setting.decisions.weights, __name__)
    if setting.decisions.weights == "equal":
        return None
    try:
        return queries.weights(ids, in_scope)
    except DataError as error:
        alike = match_spellings(queries.weight or (), ids)
        if alike is None:
            raise
        hint = f"Ids differ by {alike.by}: {quoted(alike.theirs)} there, {quoted(alike.ours)} judged."
        raise DataError(f"{error} {hint}") from None


class EvaluationOptions(DecisionAnswers, total=False):
    """Which judgments count how: all but the choice of systems."""

    convention: str
    """The decisions to start from, with overrides."""

    queries: Any
    """A table of query attributes, by query id."""

    weights: Any
    """How much each query counts: a column of `queries`, a dict, or a table."""

    only: Any
    """Score these queries only."""


# explain: the arithmetic behind one value, from the judgments and results it comes of.


@naming(EvaluationOptions)
def explain(
    judgments: Any,
    results: Any = None,
    measure: str = "nDCG@10",
    query: object = None,
    *,
    system: str | None = None,
    **options: Unpack[EvaluationOptions],
) -> Explanation:
    """Explain the value of one measure for one query.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``.
    results
        A path, a dataframe, or ``{query: {document: score}}``; several systems as ``{name: results}``.
    measure
        One measure, such as ``nDCG@10``.
    query
        A query id, or a query's text; None where only one query is judged.
    system
        The system to explain, where there are several.
    **options
        `convention`, `queries`, `weights`, `only` and answers to decisions, as for `evaluate`.

    Raises
    ------
    UsageError
        If the query is not judged, its text belongs to several ids, or it is needed and not given.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2])
    >>> e = ir.explain(judgments, results, "DCG@2", query="q")
    >>> [round(share, 4) for share in e.steps["contribution"]], round(e.score, 4)
    ([3.0, 1.2619], 4.2619)
    """
    if isinstance(judgments, Scores):
        raise UsageError("Scores explain themselves: scores.explain('nDCG@10', 'q1').")
    scores = evaluate(judgments, results, [measure], system=system, **options)
    if len(scores.measures) != 1:
        raise UsageError(f"{measure}: explain takes one measure with one cutoff.")
    return scores.explain(scores.labels[0], query, system)


# The keywords of `evaluate` that other functions pass on to it, for type checkers and editors.


class SystemsOptions(EvaluationOptions, total=False):
    """The same with the choice of systems."""

    system: str | Sequence[str] | None
    """Score this system only; or several, in the order of a list."""


class TablesOptions(SystemsOptions, total=False):
    """The same with what only whole tables can be asked: every keyword of `evaluate`."""

    exclude: Any
    """Results that must not be counted."""
