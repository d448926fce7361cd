"""sample: which queries people should judge, drawn at random, with the proof that they were."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.comparison.overlap import first_documents, pair_of_systems, unchanged_queries
from idealrank.data.documents import read_documents
from idealrank.data.ids import id_text, natural_order
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries, read_queries
from idealrank.data.query_sample import OWN_COLUMNS, UNCHANGED, WHOLE, QuerySample, drawn_for, read_sample
from idealrank.data.read import read_judgments
from idealrank.data.roles import ALIASES, fold
from idealrank.display.columns import QueryId, QueryText
from idealrank.display.schema import RowType
from idealrank.display.table import Table
from idealrank.errors import DataError, UsageError, either, plural, refuse_count, some
from idealrank.statistics.draws import sample_chances

LEAST = 2
"""Fewest queries sampled of a stratum: from one no spread is known."""


def sample(
    queries: Any, n: int, *, strata: str | None = None, changed: Any = None, k: int | None = 10, seed: int = 0
) -> QuerySample:
    """Draw queries for people to judge.

    Each stratum gets its share of the sample, and two queries at least. Whether a query is drawn follows from its id
    and the seed, whatever the order of the rows.

    Parameters
    ----------
    queries
        A table with a row for each query, its text and attributes; or judgments, whose queries are taken.
    n
        How many queries to draw.
    strata
        The column of the strata, such as a segment; None: all queries are one.
    changed
        Two systems: queries for which both return the same first k results differ by exactly 0, need nobody, and are
        not drawn.
    k
        Down to which rank the results must be the same; None: to their end. Use the cutoff of the measure.
    seed
        Random seed.

    Returns
    -------
    QuerySample: every query with its stratum, the chance with which it was drawn, and whether it was.

    Raises
    ------
    UsageError
        If there are fewer queries than n, or n does not suffice for the strata.

    Examples
    --------
    >>> drawn = sample({"query": ["q1", "q2", "q3", "q4"], "text": ["shoes", "boots", "socks", "hats"]}, n=2, seed=1)
    >>> drawn.drawn, drawn.inclusion.tolist()
    (('q2', 'q4'), [0.5, 0.5, 0.5, 0.5])
    """
    refuse_count("n", n)
    table = _read_population(queries)
    ids = natural_order(sorted(table.ids))[1]
    names = [WHOLE] * len(ids) if strata is None else [_stratum_name(value) for value in table.values(strata, ids)]
    if UNCHANGED in names:
        raise DataError(f"{table.name}: a stratum is called {UNCHANGED!r}, which is the name of the queries in which "
                        "nothing changed. Rename it.")  # fmt: skip
    sides = [] if changed is None else pair_of_systems(changed)
    if sides:
        same = unchanged_queries(sides, k)
        missing = [query for query in ids if query not in same]
        names = [UNCHANGED if same.get(query, True) else name for query, name in zip(ids, names, strict=True)]
        if len(missing) == len(ids):
            raise DataError(f"{table.name}: no query of it was asked of both systems. Give results for these queries.")
    places: Ints = np.unique(np.array(names, object), return_inverse=True)[1]
    open_to_draw = np.array([name != UNCHANGED for name in names])
    many = int(open_to_draw.sum())
    pair = tuple(name for _, name in sides)
    if sides and not many:
        both = " and ".join(pair)
        top = "the same results" if k is None else f"the same first {plural(k, 'result')}"
        raise UsageError(
            f"{both} return {top} for each of the {plural(len(ids), 'query')}: no difference can be found, and nobody "
            "needs to judge anything. Check that they are two different systems, or look deeper: "
            f"{either('k=100', '-k 100')}."
        )
    if n > many:
        few = f"{plural(many, 'query')} changed" if changed is not None else f"there are {plural(many, 'query')}"
        raise UsageError(f"{either(f'n={n}', f'-n {n}')}: {few}. Ask for {many} at most.")
    sizes = np.bincount(places[open_to_draw], minlength=int(places.max()) + 1)
    quota = _allocate(sizes, n)
    order = np.argsort(sample_chances(ids, seed), kind="stable")
    chosen = np.zeros(len(ids), np.bool_)
    for place in np.flatnonzero(sizes):
        chosen[order[(places == place)[order]][: quota[place]]] = True
    others = {name: values for name, values in table.attributes.items() if name not in (table.text, strata)}
    own = {fold(name) for name in OWN_COLUMNS}
    left_out = [name for name in others if fold(name) in own or not _is_kept(name)]
    varying = [name for read in table.tables for name in read.varying]
    texts = {key: str(value) for key, value in table.attributes.get(table.text, {}).items() if value is not None}
    return QuerySample(
        tuple(ids), chosen, tuple(names), texts, table.name,
        attributes={name: values for name, values in others.items() if name not in left_out},
        left_out=tuple(name for name in (*left_out, *varying)),
        drawn_for=drawn_for(pair[0], pair[1], k) if sides else "", seed=seed,
    )  # fmt: skip


SHEET_ROW = RowType(
    {
        "query": QueryId,
        "text": NotRequired[QueryText],
        "doc": Annotated[str, "Id of the document to judge."],
        "title": NotRequired[Annotated[str | None, "Title of the document; null if it has none."]],
        "grade": Annotated[float | None, "Empty: for the rater to fill in."],
    }
)


def sheet(drawn: Any, results: Any, *, k: int | None = 10, documents: Any = None) -> Table:
    """Return what people are to judge for a sample: the first results of two systems for the queries that were drawn.

    Documents of a query come by their ids, so that nobody sees ranks or systems. A file of it goes to a spreadsheet or
    any tool that takes a CSV, and comes back as judgments.

    Parameters
    ----------
    drawn
        The sample, or its file.
    results
        The two systems that are to be compared.
    k
        Down to which rank: the cutoff of the measure; None: all results.
    documents
        Titles of documents, as for `report`; None: ids alone.

    Returns
    -------
    A table with a row per query and document, and an empty column grade.

    Raises
    ------
    DataError
        If the sample cannot be read, or neither system has results for the queries drawn.

    Examples
    --------
    >>> drawn = sample({"query": ["q1", "q2", "q3", "q4"], "text": ["shoes", "boots", "socks", "hats"]}, n=2, seed=1)
    >>> old = {query: {"b": 2.0, "a": 1.0} for query in drawn.queries}
    >>> new = {query: {"a": 2.0, "c": 1.0} for query in drawn.queries}
    >>> sheet(drawn, [old, new], k=1)[["query", "text", "doc"]]
    query  text   doc
    ─────────────────
    q2     boots  a
    q2     boots  b
    q4     hats   a
    q4     hats   b
    """
    found = read_sample(drawn)
    if found.seed is not None:
        found.refuse_other_draw(sample_chances(found.queries, found.seed))
    shown = first_documents(pair_of_systems(results), k)
    pairs = [(query, doc) for query in found.drawn for doc in shown.get(query, ())]
    if not pairs:
        raise DataError(f"{found.name}: neither system has results for a query that was drawn: {some(found.drawn)}.")
    columns: dict[str, Any] = {"query": [query for query, _ in pairs]}
    if found.texts:
        columns["text"] = [found.texts.get(query) for query, _ in pairs]
    columns["doc"] = [doc for _, doc in pairs]
    if documents is not None:
        titles = read_documents(documents).titles
        columns["title"] = [titles.get(doc) for _, doc in pairs]
    columns["grade"] = [None] * len(pairs)
    return Table(columns, "to judge", row=SHEET_ROW)


def _read_population(source: Any) -> Queries:
    """Return a table of queries; of judgments without column names, as TREC's, the ids alone."""
    if not isinstance(source, Judgments):
        try:
            return read_queries(source, repeated=True)
        except DataError as error:
            try:
                source = read_judgments(source)
            except DataError:
                raise error from None
    return Queries(name=source.name, ids=tuple(id_text(query) for query in source.keys.query.codes()[1].to_list()))


def _is_kept(column: str) -> bool:
    """Whether a sample may have a column: one about documents would make it a sample of these."""
    folded = fold(column)
    of_documents = folded in ALIASES["doc"][0] | ALIASES["doc"][1]
    return not of_documents and not any(folded in ALIASES[role][0] for role in ("grade", "rank", "score"))


def _stratum_name(value: Any) -> str:
    return "(none)" if str("" if value is None else value).strip() == "" else str(value).strip()


def _allocate(sizes: Ints, n: int) -> Ints:
    """Share n among strata by their sizes, two each at least, by the largest remainders."""
    least = np.minimum(sizes, LEAST)
    if least.sum() > n:
        raise UsageError(
            f"{either(f'n={n}', f'-n {n}')}: {np.count_nonzero(sizes)} strata need {least.sum()}, two each. Draw more, "
            "or name a column with fewer values."
        )
    wanted: Floats = np.maximum(sizes * (n / sizes.sum()), least)
    quota = np.maximum(np.floor(wanted).astype(np.int64), least)
    while quota.sum() != n:
        # Rounding up for strata of two may have given too many: take from where most is left above its share.
        step = 1 if quota.sum() < n else -1
        room = (quota < sizes) if step > 0 else (quota > least)
        gap = np.where(room, step * (wanted - quota), -np.inf)
        quota[int(np.argmax(gap))] += step
    return quota
