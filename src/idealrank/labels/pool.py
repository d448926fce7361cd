"""pool: the first results of systems that nobody has judged yet, each query and document once, with their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NotRequired

from idealrank.comparison.overlap import first_documents
from idealrank.data.documents import read_documents, texts_beside
from idealrank.data.ids import natural_order
from idealrank.data.queries import read_queries
from idealrank.data.results import Results
from idealrank.data.systems import read_systems
from idealrank.display.columns import QueryId
from idealrank.display.schema import RowType
from idealrank.display.table import Table
from idealrank.errors import DataError, either, listed, refuse_count

POOL_ROW = RowType(
    {
        "query_id": NotRequired[QueryId],
        "query": Annotated[str | None, "The query as it was asked; its id where the text is not known."],
        "doc_id": Annotated[str, "Id of the document to judge."],
        "title": NotRequired[Annotated[str | None, "Title of the document; null if it has none."]],
        "text": NotRequired[Annotated[str | None, "Text of the document; null if it has none."]],
        "grade": Annotated[float | None, "Empty: for the rater to fill in."],
    }
)


def pool(results: Any, *, k: int = 10, queries: Any = None, documents: Any = None) -> Table:
    """Return what is to be judged where nobody has judged anything: the first k results of all systems.

    Each query and document comes once, whichever systems returned it, and in the order of the ids, so that nobody sees
    systems or ranks. A file of it, filled in, is a file of judgments; `judge` asks a model for its grades.

    Parameters
    ----------
    results
        One system or several: a list, a dict by name, a folder, or a table with a column of systems.
    k
        Down to which rank: the cutoff of the measure that is to decide, at least.
    queries, documents
        Tables of texts, where the results have none.

    Returns
    -------
    A table with a row per query and document, and an empty column grade.

    Raises
    ------
    DataError
        If the results cannot be read, have grades, or no system returned anything.
    UsageError
        If k is no count.

    Examples
    --------
    >>> old = {"query": ["red shoes", "red shoes"], "doc": ["b", "a"], "rank": [1, 2], "title": ["Boot", "Shoe"]}
    >>> new = {"query": ["red shoes", "red shoes"], "doc": ["a", "c"], "rank": [1, 2], "title": ["Shoe", "Hat"]}
    >>> pool([old, new], k=1)[["query", "doc_id", "title"]]
    query      doc_id  title
    ────────────────────────
    red shoes  a       Shoe
    red shoes  b       Boot

    References
    ----------
    Sparck Jones and van Rijsbergen, Report on the need for and provision of an "ideal" information retrieval test
    collection, 1975: to judge what any of the systems ranks first.
    """
    refuse_count("k", k)
    tables = read_systems(results)
    for table in tables:
        _refuse_judged(table)
    shown = first_documents([(table, system) for table in tables for system in table.systems], k)
    ids = natural_order(sorted(query for query, docs in shown.items() if docs))[1]
    pairs = [(query, doc) for query in ids for doc in shown[query]]
    if not pairs:
        raise DataError(f"{listed([table.name for table in tables])}: no system returned anything. Nothing to judge.")
    texts = _query_texts(tables, queries)
    titles, bodies = _document_texts(tables, documents)
    columns: dict[str, Any] = {"query": [query for query, _ in pairs]}
    if any(query in texts for query in ids):
        columns = {"query_id": columns["query"], "query": [texts.get(query, query) for query, _ in pairs]}
    columns["doc_id"] = [doc for _, doc in pairs]
    columns |= {
        name: [known.get(doc) for _, doc in pairs] for name, known in (("title", titles), ("text", bodies)) if known
    }
    return Table({**columns, "grade": [None] * len(pairs)}, "to judge", row=POOL_ROW)


def _refuse_judged(table: Results) -> None:
    """Refuse a table that has grades, and neither ranks nor scores: without them it may be a plain list of results."""
    roles = table.roles
    graded = roles.find("grade", slice(2)) is not None or bool(roles.ratings())
    if not table.form and graded and roles.find("rank") is None and roles.find("score") is None:
        way = either("ir.compare(judgments, results)", f"idealrank compare {table.name} RESULTS…")
        raise DataError(
            f"{table.name}: contains grades, and what is judged needs no pool. Leave it out; to compare by these "
            f"grades: {way}."
        )


def _query_texts(tables: Sequence[Results], queries: Any) -> dict[str, str]:
    """Return the texts of queries: of their table, else of the results."""
    found = {query: text for table in reversed(tables) for query, text in table.texts[0].items()}
    if queries is None:
        return found
    read = read_queries(queries)
    return found | {query: str(text) for query, text in read.attributes.get(read.text, {}).items() if text is not None}


def _document_texts(
    tables: Sequence[Results], documents: Any
) -> tuple[Mapping[str, str | None], Mapping[str, str | None]]:
    """Return titles and texts by document: of their table, else of the results; of two, the first counts."""
    if documents is not None:
        read = read_documents(documents, duplicates="first")
        return read.titles, read.texts()
    places = ((table, None if table.form else table.roles.find("doc")) for table in tables)
    found = [texts_beside(table.source, doc) for table, doc in places if doc is not None]
    titles, bodies = ({key: text for one in reversed(found) for key, text in one[which].items()} for which in (0, 1))
    return titles, bodies
