"""Documents of nobody in particular, read by their shape.

A list of objects with ids and scores contains results wherever it lies; a list of objects with ids and grades
contains judgments; a list of ids is what its name says. What is around a list belongs to each of its rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from idealrank.data.formats.list_names import (
    AROUND_HITS,
    DOCS,
    EITHER,
    GRADES,
    NUMBERS,
    ONE_RELEVANT,
    ORDERS,
    QUERIES,
    are_columns,
    are_ids,
    are_texts,
    is_answer,
    is_clear,
    is_context,
    is_document_list,
    is_name,
    is_only_relevant,
    is_plain,
    is_positive,
    is_text,
    is_true_answer,
    kind_of_list,
    number_name,
    query_of_file,
)
from idealrank.data.formats.messages import EMPTY
from idealrank.data.formats.nested_plan import ANY, EACH, KEY, OUTER, PLACE, NestedPlan, Path, RowSpec, last_name
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, listed, plural

_DOC = ALIASES["doc"]
_QUERY = ALIASES["query"]
_RANKS = frozenset().union(*ALIASES["rank"])
_TEXT = ALIASES["text"]
_DOCS = frozenset().union(*_DOC)
_INNER = ("metadata", "meta", "document", "doc", "node", "hit", "payload", "fields", "_source", "entity", "chunk")
"""Objects within a row that may contain its id."""

_SOURCES = frozenset(("source", "filename", "chunkid", "path", "filepath", "nodeid"))
"""Names of ids within an object of a row."""

_FILES = frozenset(("file", "filename", "filepath", "path", "source"))
"""Names of what a span lies in: with where it begins and ends beside it, that is the id of its document."""

_ENDS = tuple(frozenset().union(*ALIASES[role]) for role in ("begin", "end"))
"""Names of where a span begins, and of where it ends."""

_NAMED = 100
"""Plain values of an object that may be columns."""

_LONGEST = 200
"""Longest text within an object of a row that is read: longer ones are what a chunk says."""

_AROUND_ALL = frozenset(("data", "dataset", "rows", "records", "entries", "values", "queries", "list"))
"""Names of the one list that a document is about: alone with plain values, they are no id of a query."""

_WORDS, _LONGEST_LABEL = 20, 40
"""So many different words, and so long ones, may be the labels of grades."""

_SAMPLE = 50
"""Items of a list that are looked at."""


def generic_plan(documents: Sequence[Any], name: str, docs: str = "") -> NestedPlan | DataError:
    """Return where the rows of documents lie, or the error that says what was found.

    Parameters
    ----------
    docs
        The list of documents, or the column of their ids, as the user named it; "" for none.
    """
    merged = _merge(documents)
    if merged is None or (not is_plain(merged) and not merged):
        return DataError(f"{name}: {EMPTY}")
    around = EnclosingNames(chosen=docs)
    # {"q1": [], "q2": []}: nothing was returned for any query
    found = _find_lists(merged, (), around, "") or _find_lists(_with_examples(merged, True), (), around, "")
    if docs:
        found = _rows_user_named(merged, found, docs)
    # [{"question": "…", "answer": "…"}]: a table; what it lacks is said where its columns are looked up
    if not found and (place := _path_to_objects(merged, ())) is not None:
        row = RowSpec("", place, (), True)
        return NestedPlan(
            "", (row,), (), lists=_unread_lists(merged, [row]), texts=_answer_texts(_follow(merged, place))
        )
    kept = _choose_rows(found, name)
    if isinstance(kept, DataError):
        return kept
    outer = any(name == "system" and place[-1:] == (KEY,) for one in kept for name, place in one.columns)
    left, lists = _note_left_out(merged, [last_name(one.path) for one in kept]), _unread_lists(merged, kept)
    texts = _answer_texts(_follow(merged, kept[0].path[:1]) if kept[0].path[:1] == (EACH,) else merged)
    unclear = (one for one in kept if _is_doubtful(one, _follow(merged, one.path)))
    doubtful = next((last_name(one.path) for one in unclear if fold(last_name(one.path)) != fold(docs)), "")
    return NestedPlan(
        "", tuple(kept), (*left, *_note_long_ids(merged, kept), *([OUTER] if outer else [])),
        lists=tuple(one for one in lists if one not in texts), texts=texts, doubtful=doubtful,
        query=_query_answered(documents, kept, name),
    )  # fmt: skip


def _query_answered(documents: Sequence[Any], rows: Sequence[RowSpec], name: str) -> str:
    """Return the one query that a document answers, as it says itself, else as its file is called; "" for others.

    What names no query is one ranking if its ranks or scores have one direction, or, without any, if no document occurs
    twice in it: those of several queries begin again.
    """
    path = rows[0].path
    if len(documents) != 1 or len(rows) != 1 or rows[0].table != "results":
        return ""
    if path[-1:] != (EACH,) or not {EACH, ANY}.isdisjoint(path[:-1]):
        return ""
    items = _follow(documents[0], path[:-1])
    objects = [item for item in items if isinstance(item, Mapping)]
    if any(fold(str(key)) in QUERIES for item in objects for key in item):
        return ""
    places = {fold(column): place for column, place in rows[0].columns if place[:1] != path[:1] or EACH not in place}
    named = next((places[known] for tier in (*_QUERY, *_TEXT) for known in tier if known in places), None)
    if named is not None:
        own = _follow(documents[0], named)
        return str(own) if isinstance(own, (str, int)) and not isinstance(own, bool) else ""
    return query_of_file(name) if _is_one_ranking(items, objects, rows[0]) else ""


_RISING = _RANKS | {"distance"}
"""Names of numbers that rise down a ranking."""


def _is_one_ranking(items: Sequence[Any], objects: Sequence[Mapping[Any, Any]], rows: RowSpec) -> bool:
    """Whether the items of a list are the ranking of one query."""
    numbered = [key for key in dict.fromkeys(key for item in objects for key in item) if fold(str(key)) in ORDERS]
    for key in numbered:
        numbers = [item[key] for item in objects if isinstance(item.get(key), (int, float))]
        if numbers != sorted(numbers, reverse=fold(str(key)) not in _RISING):
            return False
    if numbered:
        return True
    own = next((place[len(rows.path) :] for column, place in rows.columns if column == "doc_id"), None)
    ids = [_follow(item, own or _path_to_id(item) or ()) for item in objects] or [*items]
    return all(map(is_plain, ids)) and len({*map(str, ids)}) == len(ids)


def _with_examples(value: Any, outer: bool) -> Any:
    """Return a document with an example in its empty lists of documents: in those of queries, or that are called so.

    Parameters
    ----------
    outer
        Whether it is the whole document, whose keys may be queries.
    """
    if isinstance(value, list):
        return [_with_examples(item, False) for item in value]
    if not isinstance(value, Mapping):
        return value
    if outer and value and all(item in ([], {}) for item in value.values()) and not any(map(is_name, value)):
        return {key: ["d"] if item == [] else {"d": 1.0} for key, item in value.items()}
    lists = {key for key, item in value.items() if item == [] and (is_clear(key) or fold(str(key)) in EITHER)}
    hits = {key for key, item in value.items() if item == [] and fold(str(key)) in AROUND_HITS}
    examples: dict[Any, Any] = {key: ["d"] for key in lists} | {key: [{"id": "d", "score": 1.0}] for key in hits}
    return {key: examples.get(key) or _with_examples(item, False) for key, item in value.items()}


def _rows_user_named(merged: Any, found: list[RowSpec], docs: str) -> list[RowSpec]:
    """Return the rows of the list or the column that the user named; all that were found if it is in none."""
    named = [one for one in found if any(fold(column) == fold(docs) for column, _ in one.columns if column != "doc_id")]
    if own := [one for one in named if fold(last_name(one.path)) == fold(docs)]:
        return own
    place = _path_to_objects(merged, ())
    inside = [one for one in found if _has_value(_follow(merged, one.path), docs)]
    if inside or place is None or not _has_value(_follow(merged, place), docs):
        return found
    return [RowSpec("", place, (), True)]


def _has_value(row: Any, called: str) -> bool:
    """Whether an object has a plain value of this name."""
    return isinstance(row, Mapping) and any(fold(str(key)) == fold(called) and is_plain(row[key]) for key in row)


def _follow(value: Any, path: Path) -> Any:
    """Return what is at a path; where several items are, they are merged into one."""
    for step in path:
        if step == EACH:
            value = _merge(list(value)) if isinstance(value, (list, tuple, set, frozenset)) else None
        elif step == ANY:
            value = _merge(list(value.values())) if isinstance(value, Mapping) else None
        else:
            value = value.get(step[1:]) if isinstance(value, Mapping) else None
    return value


def _is_doubtful(rows: RowSpec, row: Any) -> bool:
    """Whether neither the name of a list nor the names of its objects' ids say whether its documents are relevant."""
    if isinstance(row, Mapping) and any(is_positive(key) for key, value in row.items() if is_plain(value)):
        return False
    return (
        rows.table == ""
        and rows.further
        and rows.path[-1:] == (EACH,)
        and kind_of_list(last_name(rows.path) or KEY) is None
    )


def _unread_lists(merged: Any, kept: Sequence[RowSpec]) -> tuple[str, ...]:
    """Return the names of the lists beside the rows, and in them, that are not read."""
    read = [place for one in kept for place in (one.path, *(column for _, column in one.columns))]
    passed = {place[:end] for place in read for end in range(len(place) + 1)}
    unread: dict[str, None] = {}
    for one in kept:
        for end in range(len(one.path) + 1):
            held = _follow(merged, one.path[:end])
            for key, item in held.items() if isinstance(held, Mapping) and one.path[end : end + 1] != (ANY,) else ():
                may_be = _may_be_documents(item, one.path[-1:] == (ANY,)) or _should_be_documents(str(key), item, held)
                if may_be and (*one.path[:end], f".{key}") not in passed:
                    unread.setdefault(str(key))
    return tuple(unread)


def _may_be_documents(value: Any, maps: bool) -> bool:
    """Whether a value is a list of ids, texts or objects, not one of numbers such as a vector; or, too, a map of them.

    Parameters
    ----------
    maps
        Whether {document: number} counts.
    """
    if isinstance(value, Mapping):
        return (
            maps
            and bool(value)
            and _has_numbers(value)
            and not any(map(is_name, value))
            and not any(number_name(str(key)) for key in value)
        )
    there = [item for item in value if item is not None] if isinstance(value, (list, tuple, set, frozenset)) else []
    return bool(there) and not any(isinstance(item, (float, bool, list, tuple)) for item in there)


def _should_be_documents(called: str, value: Any, row: Mapping[Any, Any]) -> bool:
    """Whether a value should be a list of documents by its name, even if it contains fractions, or nothing in any row.

    Without it, the id of a query would be taken for a document's. So should one number be what is an object or a list.
    """
    if fold(called) in NUMBERS and not is_plain(value) and _path_to_id(row) is not None:
        return True
    if number_name(called) is not None and isinstance(value, (list, tuple)) and value:
        return True  # those of documents were put into them
    if not is_clear(called) or number_name(called) is not None or fold(called) in DOCS:
        return False
    if isinstance(value, (list, tuple)) and value:
        return True
    numbered = any(fold(str(key)) in NUMBERS for key, item in row.items() if is_plain(item))
    return (
        not numbered
        and (value is None or isinstance(value, (list, tuple)))
        and _path_to_id(row) in ((".id",), ("._id",))
    )


def _answer_texts(row: Any) -> tuple[str, ...]:
    """Return what beside an answer contains texts, however short: the contexts it was given, and the true answer."""
    if not isinstance(row, Mapping):
        return ()
    contexts = [str(key) for key, item in row.items() if is_context(key) and _are_texts(item)]
    true = [str(key) for key in row if is_true_answer(key)]
    answered = any(is_answer(key) for key in row)
    return (*contexts, *true) if contexts and (true or answered) else ()


def _note_long_ids(merged: Any, kept: Sequence[RowSpec]) -> tuple[str, ...]:
    """Say which lists of ids contain texts as long as passages, which were taken for titles."""
    notes = []
    for one in kept:
        items = _follow(merged, one.path[:-1]) if one.path[-1:] == (EACH,) else None
        texts = sum(map(is_text, items)) if isinstance(items, (list, tuple)) else 0
        if texts and isinstance(items, (list, tuple)):
            first = plural(len(items), "value")
            notes.append(f"{last_name(one.path)} read as ids, although {texts} of the first {first} looks like a text")
    return tuple(notes)


def _note_left_out(merged: Any, kept: Sequence[str]) -> tuple[str, ...]:
    """Say which lists of texts are left out because lists of ids are beside them."""
    row = _merge(merged) if isinstance(merged, list) else merged
    tables = {kind_of_list(name) for name in kept if fold(name).endswith(("id", "ids"))}
    lists = row.items() if isinstance(row, Mapping) else ()
    left = [str(key) for key, item in lists if kind_of_list(str(key)) in tables - {"", None} and _are_texts(item)]
    others = [name for name in left if name not in kept]
    return (f"documents are compared by id; left out: {listed(others)}",) if others else ()


def _are_texts(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(isinstance(item, str) for item in value)


def is_flat(documents: Sequence[Any]) -> bool:
    """Whether documents are rows: objects that contain no list of documents.

    Examples
    --------
    >>> is_flat([{"q": 1, "doc": "a"}]), is_flat([{"q": 1, "relevant_ids": ["a"]}]), is_flat([{"q1": {"d1": 1}}])
    (True, False, False)
    """
    merged = _merge(documents)
    if not isinstance(merged, Mapping) or not any(map(is_plain, merged.values())):
        return False
    # Of one document an empty list is all that tells an answer without results from a row.
    found = _find_lists(_with_examples(merged, True) if len(documents) == 1 else merged, (), EnclosingNames(), "")
    return not found or (found[0].path == () and not found[0].columns)


def _path_to_objects(value: Any, place: Path) -> Path | None:
    """Return where the first list of objects with plain values lies."""
    if isinstance(value, list):
        merged = _merge(value[:_SAMPLE])
        plain = isinstance(merged, Mapping) and any(map(is_plain, merged.values()))
        return (*place, EACH) if plain else None
    inner = value.items() if isinstance(value, Mapping) else ()
    if isinstance(value, Mapping) and not place and any(map(is_plain, value.values())):
        return place
    places = (_path_to_objects(item, (*place, f".{key}")) for key, item in inner)
    return next((found for found in places if found is not None), None)


def _choose_rows(found: Sequence[RowSpec], name: str) -> list[RowSpec] | DataError:
    """Return one list of judgments and one of results, or one that may be either."""
    kept: dict[str, list[RowSpec]] = {}
    for table in ("judgments", "results", "", "dicts"):
        kept[table] = likely = _most_likely([one for one in found if one.table == table])
        if len(likely) > 1 and table:
            places = listed(["".join(one.path).replace("[]", "").strip(".") for one in likely])
            return DataError(
                f"{name}: several lists could be the {table}: {places}. Leave one, or write rows with query, doc and "
                f"{'grade' if table == 'judgments' else 'score'}."
            )
    # {"relevant_ids": ["d1"], "retrieved_ids": ["d2", "d1"], "documents": ["d1"]}: the first two
    if clear := kept["judgments"] + kept["results"]:
        return clear
    # {"documents": ["d1"], "sources": ["d2"]}: the first, since no name says what it is
    if unclear := kept[""] or kept["dicts"]:
        return unclear[:1]
    return DataError(
        f"{name}: JSON without documents. Expected are rows with a document id and a grade or a score, "
        "{query: {document: number}}, {query: [documents]}, or lists such as relevant_ids and retrieved_ids beside "
        "the query."
    )


def _most_likely(lists: list[RowSpec]) -> list[RowSpec]:
    """Return the only list called after ids, else the only one with a column of documents, else all of them."""
    # {"relevant_docs": ["Emma"], "relevant_ids": ["d1"]}: relevant_ids
    called_ids = [one for one in lists if fold(last_name(one.path)).endswith(("id", "ids"))]
    if len(called_ids) == 1:
        return called_ids
    # {"retrieved": [{"doc_id": "d1", "score": 2.1}], "results": ["d1"]}: results, whose values are the ids
    of_ids = [one for one in lists if any(column in ("doc_id", "doc") for column, _ in one.columns)]
    return of_ids if len(of_ids) == 1 else lists


def _find_lists(value: Any, place: Path, around: EnclosingNames, called: str) -> list[RowSpec]:
    """Return the rows of every list of documents in a value; `called` is its name."""
    if isinstance(value, Mapping):
        return _find_in_object(value, place, around, called)
    there = [] if is_plain(value) else [item for item in list(value)[:_SAMPLE] if item is not None]
    if not there:
        return []
    if all(map(is_plain, there)):
        return _id_rows(there, (*place, EACH), around, called)
    return _find_lists(_merge(there), (*place, EACH), around, called)


def _id_rows(items: Sequence[Any], place: Path, around: EnclosingNames, called: str) -> list[RowSpec]:
    """Return the rows of a list of ids: its name says which they are; a list under the id of a query may be either."""
    if around.is_chosen(called):
        return [RowSpec("", place, (*around.shared_cells({called}), (called, place)), False)]
    # {"q1": [["d1", "2.1"], ["d2", "1.7"]]}: pairs with numbers as text, or several lists
    if called == KEY and place[-2:] == (EACH, EACH):
        return []
    table = kind_of_list(called)
    # {"doc": "d1", "grade": 1, "sources": ["s1", "s2"]}: the grade is that of one document, which has the list
    if table == "" and any(fold(name) in NUMBERS for name, _, _ in around.values):
        return []
    # {"authors": ["Austen"]}, {"relevant": ["It is a truth universally acknowledged that …"]}
    if table is None or are_texts(items) or not are_ids(items, called):
        return []
    # {"relevant_ids": ["d1", "d2"]}, {"retrieved_ids": ["d2", "d1"]}
    order = (("rank", (*place, PLACE)),) if table == "results" else ()
    return [RowSpec(table, place, (*around.shared_cells({"doc_id", "rank"}), ("doc_id", place), *order), False)]


def _find_in_object(value: Mapping[Any, Any], place: Path, around: EnclosingNames, called: str) -> list[RowSpec]:
    """Return the rows of every list of documents in an object."""
    # {"qrels": {"d1": 1, "d2": 0}}, but not {"relevant": [{"id": 7, "grade": 1}]}
    if _is_scores(value, called) and not (place[-1:] == (EACH,) and _is_of_names(value)):
        return [_score_rows(place, around, called)]
    # {"q1": {"d1": "good", "d2": "bad"}}
    if place in ((), (EACH,)) and _has_labels(value):
        rows = (*place, ANY, ANY)
        cells = (("query_id", (*place, ANY, KEY)), ("doc_id", (*rows, KEY)), ("grade", rows))
        return [RowSpec("judgments", rows, cells, False)]
    if _is_keyed(value):
        # {"query": "q", "facets": {"color": [{"id": "red", "score": 3}]}}: of the query, but not its documents
        if around.has_query and called != KEY and kind_of_list(called) is None:
            return []
        # {"q1": [{"doc": "d1", "score": 2.1}], "q2": [{"doc": "d2", "score": 1.7}]}
        inner = _merge(list(value.values())[:_SAMPLE])
        keys = (*around.keys, (*place, ANY, KEY))
        several = around.has_several_keys if around.keys else len(value) > 1
        return _find_lists(inner, (*place, ANY), replace(around, keys=keys, has_several_keys=several), KEY)
    inside = _inner_lists(value, place, around)
    doc = _path_to_id(value)
    # {"query": "q", "relevant_ids": ["d1"]}, {"id": 7, "text": "q", "hits": [{"doc": "d1", "score": 2.1}]}
    if doc is None or (inside and not _is_row_anyway(value, doc)):
        return inside
    # {"doc": "d1", "score": 2.1}
    return [_object_rows(value, place, around, called, doc)]


def _is_row_anyway(value: Mapping[Any, Any], doc: Path) -> bool:
    """Whether an object with lists in it is a row: its document has a clear name, and it has a grade or an order."""
    clear = len(doc) == 1 and any(fold(doc[0][1:]) in tier for tier in _DOC[:2])
    return clear and any(fold(str(key)) in NUMBERS for key, item in value.items() if is_plain(item))


def _inner_lists(value: Mapping[Any, Any], place: Path, around: EnclosingNames) -> list[RowSpec]:
    plain = [(str(key), (*place, f".{key}"), item) for key, item in value.items() if is_plain(item)][:_NAMED]
    inner = replace(around, values=(*around.values, *plain))
    texts = [name for name in _answer_texts(value) if not around.is_chosen(name)]
    found: list[RowSpec] = []
    for key, item in value.items():
        # {"doc": "d1", "metadata": {"source": "a.md"}}: not a list of its own, it belongs to the object
        if is_plain(item) or str(key) in texts or (key in _INNER and isinstance(item, Mapping)):
            continue
        found += _find_lists(item, (*place, f".{key}"), inner, str(key))
    if [one.table for one in found] != ["results"]:
        return found
    # {"query": "q", "expected_id": "d1", "results": ["d2", "d1"]}: the one relevant document is a list without brackets
    cells = inner.shared_cells({"doc_id"})
    alone = [key for key, _, item in plain if is_only_relevant(key, item) and key not in texts]
    return [*(RowSpec("judgments", place, (*cells, ("doc_id", (*place, f".{key}"))), False) for key in alone), *found]


def _object_rows(value: Mapping[Any, Any], place: Path, around: EnclosingNames, called: str, doc: Path) -> RowSpec:
    """Return the rows of a list of objects; `doc` leads from each to the id of its document."""
    own = {str(key) for key, item in value.items() if is_plain(item)}
    names = {fold(name) for name in own}
    in_list = place[-1:] == (EACH,)
    chosen = in_list and around.is_chosen(called)
    table = "" if chosen else _table_of_objects(names, place, called)
    ids: tuple[tuple[str, Path], ...] = (("doc_id", (*place, *doc)),)  # {"score": 2.1, "payload": {"source": "a.md"}}
    if chosen:
        ids = ((called, (*place, *doc)),)  # the user named the list, and finds its documents under that name
    elif len(doc) == 1 and fold(doc[0][1:]) in _DOCS:
        ids = ()  # {"document_id": "d1"}: the column is found by its own name
    inner = ((name, (*place, *steps)) for name, steps in _inner_values(value, ()))
    # {"rows": [{"query_id": "q1", "doc_id": "d1", "score": 2.1}]}: a list of all queries, so no place is a rank
    ranked = table == "results" and in_list and not names & (_RANKS | QUERIES)
    order = (("rank", (*place, PLACE)),) if ranked else ()
    return RowSpec(table, place, (*around.shared_cells(own | {"doc_id"}), *ids, *inner, *order), True)


def _table_of_objects(names: Collection[str], place: Path, called: str) -> str:
    """Return what objects are by the folded names of their values, and by the name of their list; "" for either."""
    graded, ordered = not GRADES.isdisjoint(names), not ORDERS.isdisjoint(names)
    if place in ((), (EACH,)):  # [{"query": "q1", "doc": "d1", "score": 2.1}]: a table, whose columns tell later
        return ""
    if graded and ordered:  # {"results": [{"doc": "d1", "score": 2.1, "grade": 1}]}
        return ""
    if graded:  # {"results": [{"doc": "d1", "grade": 1}]}
        return "judgments"
    # {"relevant": [{"doc": "d1", "score": 2.1}]}
    if place[-1] == EACH and (table := kind_of_list(called)):
        return table
    if ordered:  # {"shown": [{"doc": "d1", "score": 2.1}]}
        return "results"
    return ""  # {"documents": [{"doc": "d1"}]}


def _inner_values(value: Mapping[Any, Any], steps: Path) -> Iterator[tuple[str, Path]]:
    """Yield the plain values of the objects within a row, such as the source in its metadata, with their steps."""
    for name in _INNER:
        held = value.get(name)
        if not isinstance(held, Mapping) or len(steps) > 1:
            continue
        inside = (*steps, f".{name}")
        for key, item in list(held.items())[:_NAMED]:
            if is_plain(item) and len(str(item)) <= _LONGEST:
                yield "/".join(step[1:] for step in (*inside, f".{key}")), (*inside, f".{key}")
        yield from _inner_values(held, inside)


def _path_to_id(value: Mapping[Any, Any]) -> Path | None:
    """Return the steps to a row's document id: its own, else that of an object within it."""
    for tier in _DOC:
        for key, item in value.items():
            if fold(str(key)) in tier and is_plain(item) and item is not None:
                return (f".{key}",)
    for inner in _INNER:
        held = value.get(inner)
        if isinstance(held, Mapping) and (found := _inner_id_name(held)) is not None:
            return (f".{inner}", f".{found}")
    names = {fold(str(key)) for key, item in value.items() if is_plain(item)}
    if all(names & tier for tier in _ENDS):  # a span of text: what it lies in is the document
        return next(((f".{key}",) for key, item in value.items() if fold(str(key)) in _FILES and is_plain(item)), None)
    return None


def _inner_id_name(held: Mapping[Any, Any]) -> str | None:
    tiers = (*_DOC, _SOURCES)
    names = (str(key) for tier in tiers for key, item in held.items() if fold(str(key)) in tier and is_plain(item))
    return next(names, None)


def _is_keyed(value: Mapping[Any, Any]) -> bool:
    """Whether the keys of an object are ids rather than names: all values are alike, and no key is a name."""
    values = [item for item in value.values() if item is not None]
    if not values:
        return False
    # {"qrels": {"d1": 1}, "run": {"d1": 2.1}}, {"query": ["q1", "q2"], "doc": ["d1", "d2"]}
    scored = all(isinstance(item, Mapping) and _has_numbers(item) for item in values)
    if any(map(_is_scored_list, value)) if scored else are_columns(value):
        return False
    only = fold(str(next(iter(value)))) if len(value) == 1 else ""
    # {"data": ["d1", "d2"]}
    if only in _AROUND_ALL and all(map(_is_plain_list, values)):
        return False
    # {"points": [{"id": 7, "score": 0.9}]}
    if only in AROUND_HITS and not any(map(_is_plain_list, values)):
        return False
    # {"q1": {"d1": 1}, "q2": {"d2": 1}}
    if all(isinstance(item, Mapping) for item in values):
        return True
    # {"q1": ["d1", "d2"], "q2": ["d3"]}
    return all(isinstance(item, (list, tuple, set, frozenset)) for item in values) and not _are_queries(values)


def _is_plain_list(value: Any) -> bool:
    return not is_plain(value) and not isinstance(value, Mapping) and all(map(is_plain, value))


def _are_queries(lists: Sequence[Any]) -> bool:
    """Whether lists contain queries with a relevant document each, as in {"data": [{"question": …, "gold_id": …}]}."""
    queries = [[item for item in list(items)[:_SAMPLE] if isinstance(item, Mapping)] for items in lists]
    keys = {str(key) for items in queries for item in items for key, value in item.items() if is_plain(value)}
    # Beside the document's id, id is that of the query.
    asking = frozenset({"text"} if ONE_RELEVANT.isdisjoint(map(fold, keys)) else {"text", "id"}).union(*_TEXT)
    asked = [key for key in keys if fold(key) in asking]
    if not asked or not any(map(is_positive, keys)):
        return False
    several = any(len({str(item.get(key)) for item in items}) > 1 for items in queries for key in asked)
    return several or len(lists) == 1


def _is_scored_list(key: object) -> bool:
    """Whether a key may be the name of {document: number}, as the name of one id, such as doc_id, may not."""
    return is_document_list(key) and not fold(str(key)).endswith("id")


def _has_numbers(value: Mapping[Any, Any]) -> bool:
    """Whether there are numbers, and nothing nested; that all of them are numbers is seen when they are read."""
    there = [item for item in value.values() if item is not None]
    numbers = [isinstance(item, (int, float)) and not isinstance(item, bool) for item in there]
    return all(numbers) or (any(numbers) and all(map(is_plain, there)) and not any(map(is_name, value)))


def _is_scores(value: Mapping[Any, Any], called: str) -> bool:
    several = called == KEY or is_clear(called) or fold(called).endswith("s")
    named = several and kind_of_list(called) is not None
    return bool(value) and _has_numbers(value) and named and not _is_row_of_numbers(value)


def _has_labels(value: Mapping[Any, Any]) -> bool:
    """Whether an object is {query: {document: label}}: no key of it is a name, and some grades are words."""
    inner = list(value.values())[:_SAMPLE]
    if not inner or not all(isinstance(graded, Mapping) for graded in inner):
        return False
    labels = [label for graded in inner for label in graded.values()]
    words = {str(label) for label in labels if isinstance(label, (str, bool))}
    short = len(words) <= _WORDS and all(len(word) <= _LONGEST_LABEL for word in words)
    graded = bool(words) and short and all(isinstance(label, (str, bool, type(None))) for label in labels)
    return graded and not any(is_name(key) for keys in (value, *inner) for key in keys)


def _is_of_names(value: Mapping[Any, Any]) -> bool:
    """Whether an object of a list has only what documents have, an id or numbers: it is no {document: number}."""
    return all(fold(str(key)) in NUMBERS | _DOCS for key in value)


def _is_row_of_numbers(value: Mapping[Any, Any]) -> bool:
    """Whether an object of numbers may be a row: two of its keys name a query, a document or a number.

    A single one of them, as in {"id": 1, "d7": 2}, is a document that is called so.
    """
    names = {fold(str(key)) for key in value}
    return len(names & (_DOCS | QUERIES | NUMBERS)) > 1


def _score_rows(place: Path, around: EnclosingNames, called: str) -> RowSpec:
    """Return the rows of {document: number}."""
    rows = (*place, ANY)
    # {"q1": {"d1": 1}, "q2": {"d2": 1}}: grades or scores
    if called == KEY and len(around.keys) == 1 and not around.values:
        return RowSpec("dicts", rows, (("query_id", around.keys[0]), ("doc_id", (*rows, KEY)), ("value", rows)), False)
    # {"query": "q", "relevant": {"d1": 1}}, {"query": "q", "results": {"d1": 2.1}}
    table = kind_of_list(called) or ""
    number = "grade" if table == "judgments" else "score"
    cells = (*around.shared_cells({"doc_id", number}), ("doc_id", (*rows, KEY)), (number, rows))
    return RowSpec(table, rows, cells, False)


def _merge(items: Sequence[Any]) -> Any:
    """Return one item that has what the others have: for objects all keys, for lists all elements."""
    there = [item for item in items if item is not None]
    if there and all(isinstance(item, Mapping) for item in there):
        keys = dict.fromkeys(key for item in there[:_SAMPLE] for key in item)
        return {key: _merge([item[key] for item in there[:_SAMPLE] if key in item]) for key in keys}
    if there and all(isinstance(item, (list, tuple, set, frozenset)) for item in there):
        return [element for item in there[:_SAMPLE] for element in list(item)[:_SAMPLE]][: _SAMPLE * 4]
    nested = [item for item in there if not is_plain(item)]
    return (nested or there or [None])[0]


# What is around a list of documents in a document.


@dataclass(frozen=True)
class EnclosingNames:
    """What is around a list: plain values with their names and paths, and the keys on the way."""

    values: tuple[tuple[str, Path, Any], ...] = ()
    keys: tuple[Path, ...] = ()
    has_several_keys: bool = False
    """Whether there are several of the outer keys, so that they tell systems apart."""
    chosen: str = ""
    """The list of documents that the user named."""

    def is_chosen(self, called: str) -> bool:
        """Whether the user named this list."""
        return bool(self.chosen) and fold(called) == fold(self.chosen)

    @property
    def has_query(self) -> bool:
        """Whether the query's id or text is among the values."""
        return any(fold(name) in QUERIES for name, _, _ in self.values)

    def shared_cells(self, own: Collection[str]) -> tuple[tuple[str, Path], ...]:
        """Return the columns that each row of the list shares, but for those it has of its own.

        Names that are not clear away from their object become those of the query: ``id`` and ``text``.
        """
        names = self._query_names()
        cells = {names.get(name, name): place for name, place, _ in self.values}
        # A row's own question may be that of a document: of lists with a question around them, that one is asked.
        asked = any(fold(name) in QUERIES for name in cells)
        asked = asked or any(fold(name) in tier for name in own for tier in (*_QUERY, *_TEXT[:1]))
        # The innermost key is the query, unless the query has a name; the key before it is the system.
        keyed = [] if asked else ["query_id"]
        if self.has_several_keys and len(self.keys) == len(keyed) + 1:
            keyed.append("system")
        cells |= dict(zip(keyed, reversed(self.keys), strict=False))
        texts = frozenset().union(*_TEXT)
        return tuple((name, place) for name, place in cells.items() if name not in own or fold(name) in texts)

    def _query_names(self) -> dict[str, str]:
        """Return the new names of ``id`` and ``text`` where nothing else is the query's id and text.

        Those of an object with keys further in are those of a case or a run: the keys are the queries.
        """
        innermost = max((len(key) - len((ANY, KEY)) for key in self.keys), default=-1)
        folded = {name: fold(name) for name, place, _ in self.values if len(place) - 1 >= innermost}
        ids = any(name in tier for name in folded.values() for tier in _QUERY)
        texts = any(name in tier for name in folded.values() for tier in _TEXT)
        new = {} if ids else {name: "query_id" for name, plain in folded.items() if plain == "id"}
        return new | ({} if texts else {name: "query" for name, plain in folded.items() if plain in ("text", "input")})
