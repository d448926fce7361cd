"""What lists of documents, and what is around them, are called."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from idealrank.data.formats.nested_plan import AFTER_FILE, KEY, NULL, NUMBERED, PLACE, NestedPlan, Path, RowSpec
from idealrank.data.roles import ALIASES, ANSWER, NOUNS, fold, is_word, says_relevant
from idealrank.errors import DataError, either, listed, quoted_option

_POSITIVE = ("relevant", "gold", "golden", "expected", "reference", "positive", "groundtruth", "target", "supporting")
_THING = ("", "id", "ids", "doc", "docs", "docid", "docids", "document", "documents", "documentid", "documentids")
_PIECE = (
    *("chunk", "chunks", "chunkid", "chunkids", "passage", "passages", "passageid", "passageids"),
    *("node", "nodes", "nodeid", "nodeids"),
)
_OTHER = ("item", "items", "source", "sources")
_CONTEXT = ("context", "contexts", "contextid", "contextids", "page", "pages", "pageid", "pageids")
_RETRIEVED = ("retrieved", "returned", "predicted", "ranked", "result", "response", "recommended", "search")


def _compounds(firsts: Iterable[str], seconds: Iterable[str]) -> frozenset[str]:
    return frozenset(a + b for a, b in itertools.product(firsts, seconds))


THINGS = (*_THING, *_PIECE, *_CONTEXT, *_OTHER)
_POSITIVE_NAMES = _compounds(_POSITIVE, THINGS) | {
    *("positives", "positivectxs", "qrels", "judgments", "judgements", "ratings", "retrievalgroundtruth"),
    *("retrievalgt", "groundtruths", "relevances", "goldstandard", "labels", "pos", "references", "targets"),
    *("mustretrieve", "mustreturn", "mustfind", "mustcite", "posids"),
}
_RETRIEVED_NAMES = _compounds(_RETRIEVED, THINGS) - {"search"} | {
    *("retrieval", "results", "hits", "predictions", "prediction", "outputs", "output", "ranking", "rankings"),
    *("queryresponsehitids", "candidates", "topk", "run", "responses", "searchresults", "ctxs", "contexts"),
    *("sourcedocuments", "sourcenodes"),
}

_SAYS_RETRIEVED = re.compile(
    rf"(retrieved|returned|predicted|ranked|recommended|candidate|found|response|search(?=result))\w*?({NOUNS})"
)
"""Names of lists, folded, that begin with how their documents came there and end with what they are called."""


def is_positive(called: object) -> bool:
    """Whether the name of a list says that its documents are relevant.

    Examples
    --------
    >>> is_positive("expectedUrls"), is_positive("relevant_sourcefiles"), is_positive("expected_keywords")
    (True, True, False)
    """
    name = fold(str(called))
    return name in _POSITIVE_NAMES or says_relevant(str(called))


def is_retrieved(called: object) -> bool:
    """Whether the name of a list says that its documents were retrieved, or are to be judged.

    Examples
    --------
    >>> is_retrieved("candidate_chunks"), is_retrieved("retrievedFiles"), is_retrieved("documents")
    (True, True, False)
    """
    name = fold(str(called))
    if name in _RETRIEVED_NAMES:
        return True
    return is_word(str(called)) and not is_positive(called) and _SAYS_RETRIEVED.fullmatch(name) is not None


EITHER = frozenset(THINGS[1:]) | {"recommendations"} | {f"{name}s" for tier in ALIASES["doc"][:2] for name in tier}
"""Lists of documents that could be both."""

DOCS = frozenset().union(*ALIASES["doc"][:4])
"""Names of the id of a document."""

AROUND_HITS = frozenset(("points", "matches", "objects"))
"""Names of the one list in an answer of a vector store, such as Qdrant's: of objects, it is not the query's."""

GRADES = frozenset().union(*ALIASES["grade"][:2])
ORDERS = frozenset().union(*ALIASES["score"], *ALIASES["rank"]) | {"distance"}
NUMBERS = GRADES | ORDERS
"""Names of the numbers of a document."""

NAMES = (
    frozenset().union(*(tier for tiers in ALIASES.values() for tier in tiers))
    | (_POSITIVE_NAMES | _RETRIEVED_NAMES | EITHER)
    | {"query", "id", "text", "answer", "metadata", "title"}
)
"""Names that are no ids."""

ONE_RELEVANT = frozenset(name for name in _POSITIVE_NAMES if name.endswith("id"))
"""Names of the id of the one relevant document of a query."""

_ANY_ONE = _POSITIVE_NAMES | {"docid", "document", "documentid", "doc", "chunkid", "passageid", "nodeid"}
"""Names of the one relevant document of a query beside its results; of others than ids, the values must be like ids."""


def is_only_relevant(called: str, value: Any) -> bool:
    """Whether a value beside results is the one relevant document of a query.

    Examples
    --------
    >>> is_only_relevant("expected_id", 17), is_only_relevant("ground_truth", "d17")
    (True, True)
    >>> is_only_relevant("ground_truth", "It is Paris.")
    False
    """
    one_word = isinstance(value, str) and not any(map(str.isspace, value))
    return fold(called) in ONE_RELEVANT or (fold(called) in _ANY_ONE and one_word)


_TEXTS = 8
"""Blanks in a value that is text rather than an id."""


def is_name(key: object) -> bool:
    """Whether a key is the name of something rather than an id."""
    return fold(str(key)) in NAMES or is_positive(key) or is_retrieved(key)


QUERIES = frozenset().union(*ALIASES["query"], *ALIASES["text"])
"""Names of the id and the text of a query, folded."""


def are_columns(data: Mapping[Any, Any]) -> bool:
    """Whether the keys of a dict are names of columns: a query may be called q, which makes no table alone.

    Examples
    --------
    >>> are_columns({"q": ["d1"], "doc": ["d2"]}), are_columns({"q": ["d1", "d2"]}), are_columns({"q": {"hits": []}})
    (True, False, False)
    """
    names = [key for key in data if is_name(key)]
    if len(data) == 1 and all(fold(str(key)) in QUERIES | {"id"} and isinstance(data[key], Mapping) for key in names):
        return False
    lists = all(isinstance(value, (list, tuple)) for value in data.values())
    if not lists or any(fold(str(key)) not in QUERIES for key in names):
        return bool(names)
    return bool(names) and len(data) > 1 and len({*map(len, data.values())}) == 1


def is_table_of_columns(data: object, whole: bool = True) -> bool:
    """Whether an object is a table by columns, one of them the queries, as pandas writes it.

    Parameters
    ----------
    whole
        Whether the object is; the beginning of one may lack columns, and the rest of the last.

    Examples
    --------
    >>> is_table_of_columns({"query": ["q1"], "doc": ["a"]}), is_table_of_columns({"query": ["a", "b"], "q2": ["c"]})
    (True, False)
    """
    if not isinstance(data, Mapping) or not any(fold(str(key)) in QUERIES for key in data):
        return False
    columns = data.values()
    if not all(isinstance(column, (list, tuple)) for column in columns):
        return False
    if any(isinstance(item, Mapping) for column in columns for item in column[:_ITEMS]):
        return False
    return are_columns(data) if whole else all(map(is_name, data))


def columns_of_frame(data: object, whole: bool = True, docs: str = "") -> dict[Any, list[Any]] | None:
    """Return the columns of a table as pandas writes it as an object: by column, by row, or split; None for others.

    Parameters
    ----------
    whole
        Whether the object is; the beginning of one is only recognized.
    docs
        The column of the documents, as the user named it; "" for none.

    Examples
    --------
    >>> columns_of_frame({"query": {"0": "q1"}, "doc": {"0": "a"}})
    {'query': ['q1'], 'doc': ['a']}
    >>> columns_of_frame({0: {"query": "q1", "doc": "a"}})
    {'query': ['q1'], 'doc': ['a']}
    >>> columns_of_frame({"columns": ["query", "doc"], "index": [0], "data": [["q1", "a"]]})
    {'query': ['q1'], 'doc': ['a']}
    >>> columns_of_frame({"query": {"17": 1}, "q2": {"17": 0}}) is None
    True
    """
    if not isinstance(data, Mapping) or not data:
        return None
    if "columns" in data and _SPLIT.issuperset(data):
        return _columns_of_split(data["columns"], data.get("data", []), whole)
    if "schema" in data and _TABLE.issuperset(data):
        return _columns_of_table(data["schema"], data.get("data", []), whole)
    parts = [*data.values()]
    parts = parts if whole or len(parts) == 1 else parts[:-1]
    first = parts[0]
    if not isinstance(first, Mapping) or not (whole or first):
        return None
    by_row = all(map(_is_row_number, data))
    if not by_row and not all(map(_is_row_number, first)):
        return None
    if not all(isinstance(one, Mapping) and one.keys() == first.keys() for one in parts):
        return None
    if by_row:
        columns = {name: [one[name] for one in parts] for name in first}
        table = _name_a_table(columns, docs) or _are_cells(columns, [*data][: len(parts)])
        return columns if table else None
    columns = {name: [one[label] for label in first] for name, one in zip(data, parts, strict=False)}
    if whole:
        return columns if _name_a_table(columns, docs) or _are_cells(columns, first) else None
    if _name_a_table(columns, docs):
        return columns
    return columns if all(map(is_name, data)) or _are_first_cells(columns[next(iter(data))], first) else None


def _columns_of_split(names: Any, rows: Any, whole: bool) -> dict[Any, list[Any]] | None:
    """Return the columns of a table whose rows are lists beside the names of the columns."""
    lists = isinstance(names, list) and isinstance(rows, list) and all(isinstance(row, list) for row in rows)
    if not lists or not all(len(row) == len(names) for row in (rows if whole else rows[:-1])):
        return None
    return {name: [row[at] for row in rows if at < len(row)] for at, name in enumerate(names)}


def _columns_of_table(schema: Any, rows: Any, whole: bool) -> dict[Any, list[Any]] | None:
    """Return the columns of a table whose rows are objects beside a schema with the names of the columns."""
    fields = schema.get("fields") if isinstance(schema, Mapping) else None
    if not isinstance(fields, list) or not all(isinstance(one, Mapping) and "name" in one for one in fields):
        return None
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        return None
    names = [one["name"] for one in fields]
    even = all({*names}.issuperset(row) for row in (rows if whole else rows[:-1]))
    return {name: [row.get(name) for row in rows] for name in names} if even else None


def _are_cells(columns: Mapping[Any, list[Any]], labels: Iterable[object]) -> bool:
    """Whether values are the cells of columns under any names, and not the grades or scores of documents.

    A column called as queries are contains texts, or texts stand in some columns and numbers in others. If all are
    numbers, the rows count from 0, one column repeats the query in neighboring rows, and another contains whole numbers
    that are different within it and larger than grades.

    Examples
    --------
    >>> _are_cells({"Suche": ["q1", "q1"], "Rang": [1, 2]}, "01"), _are_cells({"q": [1, 0], "p": [0, 1]}, "01")
    (True, False)
    >>> _are_cells({"Suche": [1, 1, 7], "Artikel": [31, 44, 31], "Note": [2, 0, 1]}, "012")
    True
    """
    filled = [[value for value in values if value is not None] for values in columns.values()]
    queries = [values for name, values in zip(columns, filled, strict=True) if fold(str(name)) in QUERIES]
    if len(columns) > 1 and any(values and all(isinstance(value, str) for value in values) for values in queries):
        return True
    texts = [all(isinstance(value, str) for value in values) for values in filled if values]
    numbers = [all(_is_number(value) for value in values) for values in filled if values]
    if not all(text or number for text, number in zip(texts, numbers, strict=True)):
        return False
    if any(texts):
        return any(numbers)
    whole = _whole_columns(columns, labels)
    return any(_groups(keys, ids) for keys in whole for ids in whole if keys is not ids and max(ids) > _HIGHEST_GRADE)


def _whole_columns(columns: Mapping[Any, list[Any]], labels: Iterable[object]) -> list[list[float]]:
    """Return the columns of whole numbers, if rows are numbered from 0 and there are as many columns as a table has."""
    rows = len(next(iter(columns.values()), []))
    if len(columns) < _FEWEST or not rows or {*map(str, labels)} != {*map(str, range(rows))}:
        return []
    return [each for each in columns.values() if all(value is not None and value % 1 == 0 for value in each)]


def unclear_names(data: object) -> Sequence[str]:
    """Return the names in a dict of dicts that is columns of a table, or queries and documents; none if it is clear.

    The names have no digit, all rows are numbered from 0, the first column is in order and repeats its numbers in
    neighboring rows, and another contains whole numbers, however small, that are different within these.

    Examples
    --------
    >>> unclear_names({"Suche": {0: 1, 1: 1}, "Artikel": {0: 4, 1: 5}, "Note": {0: 2, 1: 0}})
    ['Suche', 'Artikel', 'Note']
    >>> unclear_names({"q1": {0: 1, 1: 1}, "q2": {0: 4, 1: 5}, "q3": {0: 2, 1: 0}})
    ()
    """
    first = next(iter(data.values()), None) if isinstance(data, Mapping) else None
    if not isinstance(data, Mapping) or not isinstance(first, Mapping):
        return ()
    by_row = next(iter(data)) in (0, "0")
    if not by_row and next(iter(first), None) not in (0, "0"):
        return ()  # it is seen at once that rows are not counted from 0
    names, labels = ([*first], data) if by_row else ([*data], first)
    if not 0 < len(names) <= _COLUMNS or any(not isinstance(name, str) or re.search(r"\d", name) for name in names):
        return ()
    parts = [*data.values()]
    if any(not isinstance(one, Mapping) or one.keys() != first.keys() for one in parts):
        return ()
    columns = {name: [one[name] for one in parts] if by_row else [*data[name].values()] for name in names}
    if not all(_is_number(value) for values in columns.values() for value in values):
        return ()
    keys, whole = columns[names[0]], _whole_columns(columns, labels)
    in_order = keys == sorted(keys) and any(keys is one for one in whole)
    return names if in_order and any(_groups(keys, ids) for ids in whole if ids is not keys) else ()


def refuse_unclear_names(data: Mapping[Any, Any], source: str) -> None:
    """Refuse a dict of dicts that may be columns of a table, or queries and documents.

    Raises
    ------
    DataError
        If it may be either; the message says how to give each.
    """
    if names := unclear_names(data):
        raise DataError(
            f"{source}: {listed(names)} can be columns of a table whose rows are called 0, 1, … or, with the same "
            "numbers, queries or documents. If they are columns, name the one with the documents, such as "
            f"{names[1]}: {either(f'doc={names[1]!r}', quoted_option('doc-col', names[1]))}, and the others alike. If "
            "they are not, give rows with query, doc and grade."
        )


_COLUMNS = 12
"""More names than this are those of queries."""


_FEWEST = 3
"""Columns of a table of numbers: the query, the document, and its grade, rank or score."""

_HIGHEST_GRADE = 20
"""No usual scale of grades goes beyond."""


def _groups(keys: Sequence[float], ids: Sequence[float]) -> bool:
    """Whether keys stand in runs, one of several rows at least, in none of which an id occurs twice."""
    runs = [key for key, _ in itertools.groupby(keys)]
    return len(set(runs)) == len(runs) < len(keys) and len({*zip(keys, ids, strict=True)}) == len(keys)


def _are_first_cells(values: Sequence[object], labels: Iterable[object]) -> bool:
    """Whether the beginning of a file may be the first column of a table: texts or whole numbers of rows from 0."""
    counted = [*map(str, labels)] == [*map(str, range(len(values)))]
    return counted and any(all(isinstance(value, kind) for value in values) for kind in (str, int))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_TABLE = frozenset({"schema", "data"})
_SPLIT = frozenset({"columns", "index", "data", "index_names", "column_names"})
_OTHERS = frozenset().union(*(names for role in ("doc", "grade", "rank", "score") for names in ALIASES[role]))


def _name_a_table(names: Iterable[object], docs: str) -> bool:
    """Whether names are those of queries and of something beside them, or one of them is that of the documents."""
    folded = {fold(str(name)) for name in names}
    if docs and fold(docs) in folded:
        return True
    return not folded.isdisjoint(QUERIES) and not (folded - QUERIES).isdisjoint(_OTHERS)


def _is_row_number(label: object) -> bool:
    return isinstance(label, int) or (isinstance(label, str) and label.isdecimal())


_ITEMS = 50
"""So many items of a list are looked at."""


_TRUE_ANSWERS = frozenset(("groundtruth", "groundtruths", "reference", "references", "referenceanswer", "goldanswer"))


def is_true_answer(key: object) -> bool:
    """Whether a name is that of the answer that would be right, as Ragas calls it."""
    return fold(str(key)) in _TRUE_ANSWERS


def is_answer(key: object) -> bool:
    """Whether a name is that of an answer to the query, in words.

    Examples
    --------
    >>> is_answer("expected_answer"), is_answer("answerable")
    (True, False)
    """
    return re.fullmatch(ANSWER, fold(str(key))) is not None


def is_context(key: object) -> bool:
    """Whether a name is that of a list of texts that an answer was given."""
    return fold(str(key)) in ("context", "contexts", "ctxs", "retrievedcontexts", "retrievedcontext")


def is_clear(key: object) -> bool:
    """Whether the name of a list says which documents are in it: relevant or retrieved ones."""
    return is_positive(key) or is_retrieved(key)


def is_document_list(key: object) -> bool:
    """Whether a key is the name of a list of documents."""
    return fold(str(key)) in EITHER or is_clear(key)


def number_name(called: str) -> str | None:
    """Return the name of one number of a list that is called after its numbers; None for other lists.

    Examples
    --------
    >>> number_name("Grades"), number_name("relevance"), number_name("retrieved_scores"), number_name("doc_ids")
    ('grade', 'relevance', 'score', None)
    """
    name = fold(called)
    if not name.endswith(_NUMBER_ENDS):
        return None
    ways = (name, *(name.removeprefix(before) for before in (*_POSITIVE, *_RETRIEVED, "doc", "document")))
    return next((one for way in ways for one in (way, way.removesuffix("s")) if one in NUMBERS), None)


_NUMBER_ENDS = tuple(name for one in NUMBERS for name in (one, f"{one}s"))


def may_contain_documents(called: str) -> bool:
    """Whether a list of this name may contain documents or their ids.

    Examples
    --------
    >>> may_contain_documents("retrieved_ids"), may_contain_documents("product_ids"), may_contain_documents("grades")
    (True, True, False)
    """
    name = fold(called)
    return is_document_list(called) or bool({name, name.removesuffix("s")} & DOCS)


def kind_of_list(called: str) -> str | None:
    """Return what a list of ids contains by its name; None for a name that says nothing."""
    name = fold(called)
    if is_positive(called):
        return "judgments"
    if is_retrieved(called):
        return "results"
    return "" if name in EITHER or called == KEY else None


def objects_in(items: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list; none of anything else."""
    return [item for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []


def object_or_empty(value: Any) -> Mapping[str, Any]:
    """Return an object; an empty one instead of anything else."""
    return value if isinstance(value, Mapping) else {}


def is_plain(value: Any) -> bool:
    """Whether a value is one cell."""
    return not isinstance(value, (Mapping, list, tuple, set, frozenset))


def id_or_none(value: Any) -> Any:
    """Return an id; None instead of a list or an object."""
    return value if is_plain(value) else None


def are_ids(items: Sequence[Any], called: object) -> bool:
    """Whether a list contains ids; 12.0, as dataframes write whole numbers, is one in a list called so or among ids.

    Examples
    --------
    >>> are_ids(["d1", 12.0], "gold"), are_ids([12.0, 15.0], "gold_ids"), are_ids([1.0, 0.0], "hits")
    (True, True, False)
    """
    ids = [isinstance(item, (str, int)) for item in items]
    whole = all(item.is_integer() for item in items if isinstance(item, float))
    others = [item for item in items if not isinstance(item, (str, int, float))]
    return not others and (all(ids) or (whole and (any(ids) or fold(str(called)).endswith(("id", "ids")))))


def are_texts(values: Iterable[Any]) -> bool:
    """Whether a list contains texts rather than ids: most of its values are texts.

    A long title among ids is an id.

    Examples
    --------
    >>> long = "Why We Do What We Do in Life and in Business"
    >>> are_texts(["Emma", "Persuasion", long]), are_texts([long, long, "Emma"])
    (False, True)
    """
    texts = [is_text(value) for value in values]
    return 2 * sum(texts) > len(texts)


def is_text(value: Any) -> bool:
    """Whether a value is a text rather than an id.

    Examples
    --------
    >>> is_text("d17"), is_text("The quick brown fox jumps over the lazy dog and runs.")
    (False, True)
    """
    return isinstance(value, str) and value.count(" ") > _TEXTS


# The query of answers that do not say which query they answer.


def plan_of_one_query(what: str, name: str, rows: RowSpec) -> NestedPlan:
    """Plan the answer to one query, which is called after its file."""
    query = query_of_file(name)
    whole = rows._replace(columns=(("query_id", (f"={query}",)), *rows.columns))
    return NestedPlan(what, (whole,), (f"{AFTER_FILE}{query!r}",), query=query)


def query_of_file(name: str) -> str:
    """Return the query that is called as a file is, without its endings.

    Examples
    --------
    >>> query_of_file("answers/red shoes.json.gz")
    'red shoes'
    """
    return re.sub(r"(\.(json|ndjson|ya?ml|gz|zst|txt))+$", "", os.path.basename(name), flags=re.I) or name


def query_beside(answers: Iterable[Any]) -> str:
    """Return the name under which all answers say which query they answer; "" if they do not.

    Examples
    --------
    >>> query_beside([{"qid": "q7", "hits": {}}, {"qid": "q9", "hits": {}}]), query_beside([{"took": 3}])
    ('qid', '')
    """
    filled = [answer for answer in answers if isinstance(answer, Mapping)]
    first = next(iter(filled), {})
    own = {"is_partial", "is_running"} & first.keys()  # the id of an async search is the engine's
    tiers = (*ALIASES["query"], *ALIASES["text"], *(() if own else ({"id"},)))
    names = [name for tier in tiers for name in first if fold(str(name)) in tier]
    return next((name for name in names if all(_is_id(answer.get(name)) for answer in filled)), "")


def _is_id(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def number_answers(plan: NestedPlan, query: str = "") -> NestedPlan:
    """Plan several answers of one query each, one after the other; `query` is where each says which it answers."""
    rows = tuple(_with_query_at(one, (f".{query}",) if query else (PLACE,)) for one in plan.rows)
    return replace(plan, rows=rows, notes=() if query else (NUMBERED,), query="")


def plan_of_answers(plan: NestedPlan, step: str, mark: str) -> NestedPlan:
    """Plan a list of answers of one query each, or answers by query; `mark` is where the query is."""
    rows = (
        one._replace(
            path=(step, *one.path),
            columns=(*((name, (step, *place)) for name, place in one.columns), ("error", (step, NULL))),
        )
        for one in plan.rows
    )
    notes = (NUMBERED,) if mark == PLACE else ()
    return replace(plan, rows=tuple(_with_query_at(one, (step, mark)) for one in rows), notes=notes, query="")


def _with_query_at(rows: RowSpec, place: Path) -> RowSpec:
    columns = ((name, place if name == "query_id" else path) for name, path in rows.columns)
    return rows._replace(columns=tuple(columns))
