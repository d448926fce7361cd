"""Documents and their numbers in two lists, or in pairs, as one list of objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from idealrank.data.formats.list_names import (
    DOCS,
    EITHER,
    GRADES,
    are_ids,
    are_texts,
    is_document_list,
    is_name,
    is_plain,
    is_positive,
    is_retrieved,
    may_contain_documents,
    number_name,
)
from idealrank.data.formats.nested_plan import KEY
from idealrank.data.roles import fold
from idealrank.errors import DataError


def _may_be_either(called: str) -> bool:
    name = fold(called)
    return bool({name, name.removesuffix("s")} & (DOCS | EITHER))


_OWNER_TIERS = {True: (is_positive, _may_be_either, is_retrieved), False: (is_retrieved, _may_be_either, is_positive)}
"""Which list of documents the grades belong to (True), or the scores and ranks, if a row contains several."""


def paired_rows(rows: Sequence[Any], where: Callable[[int], str]) -> list[Any]:
    """Return rows whose documents contain their numbers; `where` names a row in messages.

    Raises
    ------
    DataError
        If two lists differ in length, or if some rows have numbers and others have none.

    Examples
    --------
    >>> paired_rows([{"q": "a", "doc_ids": ["d1", "d2"], "grades": [1, 0]}], str)
    [{'q': 'a', 'doc_ids': [{'doc_id': 'd1', 'grade': 1}, {'doc_id': 'd2', 'grade': 0}]}]
    """
    found = [pair_lists(row, where(place)) for place, row in enumerate(rows)]
    with_numbers = {
        key: _last_name(new[key])
        for old, new in zip(rows, found, strict=True)
        if isinstance(old, Mapping)
        for key in old
        if new.get(key) is not old[key] and _are_objects(new.get(key)) and not _are_objects(old[key])
    }
    for place, row in enumerate(found):
        for key in with_numbers.keys() & row.keys() if isinstance(row, Mapping) else ():
            if row[key] and is_plain(next(iter(row[key]), None) if isinstance(row[key], (list, tuple)) else row[key]):
                raise DataError(
                    f"{where(place)}: {key} contains documents without a {with_numbers[key]}, although other rows "
                    "have one. Give one per document, or leave the row out."
                )
    return found


def _are_objects(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], Mapping)


def _last_name(items: Sequence[Mapping[str, Any]]) -> str:
    return list(items[0])[-1]


def pair_lists(value: Any, where: str, called: str = "") -> Any:
    """Return a value whose documents contain their numbers.

    Examples
    --------
    >>> pair_lists({"q1": [["d1", 0.5], ["d2", 0.25]]}, "x")
    {'q1': [{'id': 'd1', 'score': 0.5}, {'id': 'd2', 'score': 0.25}]}
    """
    if isinstance(value, (dict, Mapping)):
        if all(map(is_plain, value.values())):
            return value
        keyed = not any(map(is_name, value)) and all(_are_pairs(item) for item in value.values() if item)
        inner = {
            key: pair_lists(item, _place_of_key(where, key), KEY if keyed else str(key)) for key, item in value.items()
        }
        return _merge_numbers(inner, where)
    if not isinstance(value, (list, tuple)) or all(map(is_plain, value)):
        return value
    if (called == KEY or is_document_list(called)) and _are_pairs(value):
        name = "grade" if is_positive(called) else "score"
        return [_with_number(item[0], "id", name, item[1]) for item in value]
    if any(isinstance(item, Mapping) for item in value):
        return paired_rows(value, lambda place: f"{where} row {place}")
    return value


def _place_of_key(where: str, key: Any) -> str:
    return where if is_name(key) else f"{where}[{key!r}]"


def _are_pairs(value: Any) -> bool:
    """Whether a value is a list of documents or ids, each with a number."""
    return isinstance(value, (list, tuple)) and bool(value) and all(map(is_pair, value))


def is_pair(item: Any) -> bool:
    """Whether an item is a document, or its id, with a number.

    Examples
    --------
    >>> is_pair(["d1", 0.5]), is_pair(("d1", "d2")), is_pair([0.5, 0.25])
    (True, False, False)
    """
    if not isinstance(item, (list, tuple)) or len(item) != 2 or hasattr(item, "_asdict"):
        return False
    return _is_number(item[1]) and not isinstance(item[0], (float, list, tuple, type(None)))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _with_number(doc: Any, called: str, name: str, number: Any) -> dict[str, Any]:
    return {**(doc if isinstance(doc, Mapping) else {called: doc}), name: number}


def _merge_numbers(row: Mapping[Any, Any], where: str) -> Mapping[Any, Any]:
    """Put the lists of numbers of a row into the lists of documents that they belong to."""
    docs = [
        key
        for key, value in row.items()
        if isinstance(value, (list, tuple)) and may_contain_documents(str(key)) and _are_documents(value, key)
    ]
    if docs:
        _refuse_mixed(row, where)
    owners = {key: _owner(key, value, {doc: row[doc] for doc in docs if doc != key}) for key, value in row.items()}
    merged = {key: value for key, value in row.items() if owners[key] is None}
    for key, owner in owners.items():
        if owner is not None:
            merged[owner] = _pair_with_numbers(merged[owner], row[key], (owner, str(key)), where)
    return merged


def _refuse_mixed(row: Mapping[Any, Any], where: str) -> None:
    """Refuse a list of grades, scores or ranks beside documents in which some items are lists or objects.

    Were it passed over, every document would just be relevant.
    """
    for key, value in row.items():
        if not isinstance(value, (list, tuple)) or number_name(str(key)) is None:
            continue
        nested = [item for item in value if not is_plain(item)]
        if nested and any(map(_is_number, value)):
            raise DataError(
                f"{where}: {key} contains {nested[0]!r}, which is no number. Give one number per document, in the same "
                "order."
            )


def _pair_with_numbers(docs: Sequence[Any], numbers: Sequence[Any], names: tuple[Any, str], where: str) -> list[Any]:
    if len(docs) != len(numbers):
        raise DataError(
            f"{where}: {names[0]} contains {len(docs)} values and {names[1]} contains {len(numbers)}. "
            "Give one number per document, in the same order."
        )
    number = number_name(names[1]) or names[1]
    rows = [_with_number(doc, "doc_id", number, value) for doc, value in zip(docs, numbers, strict=True)]
    # Grades of a list of results: its rows are both judgments and results, in their order.
    both = number in GRADES and is_retrieved(names[0])
    return [{**row, "rank": place} for place, row in enumerate(rows, 1)] if both else rows


def _are_documents(value: Sequence[Any], called: object) -> bool:
    """Whether a list contains documents, as ids or as objects."""
    return are_ids([item for item in value if not isinstance(item, Mapping)], called) and not are_texts(value)


def _owner(key: Any, value: Any, docs: Mapping[Any, Sequence[Any]]) -> Any:
    """Return the list of documents that a list of numbers belongs to; None if it is no such list."""
    number = _number_name(key, value)
    if number is None:
        return None
    # A list such as "labels" may be called like one of numbers and like one of ids: it owns nothing if it has numbers.
    others = {doc: items for doc, items in docs.items() if not (_number_name(doc, items) and _has_no_words(items))}
    doubtful = is_document_list(key)  # "labels" may also be ids
    words = not _has_no_words(value) and (doubtful or number not in GRADES)
    for tier in _OWNER_TIERS[number in GRADES][: 2 if doubtful else 3]:
        mine = [doc for doc in others if tier(str(doc)) or tier(str(doc).removesuffix("s"))]
        mine = [doc for doc in mine if fold(str(doc)).endswith(("id", "ids"))] or mine
        if mine:
            return None if words and len(value) != len(others[mine[0]]) else mine[0]
    return None


def _number_name(key: Any, value: Any) -> str | None:
    """Return the name of one number, of a list that is called after its numbers."""
    return number_name(str(key)) if isinstance(value, (list, tuple)) and all(map(is_plain, value)) else None


def _has_no_words(values: Iterable[Any]) -> bool:
    return not any(isinstance(value, str) for value in values)
