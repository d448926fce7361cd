"""Queries that one table knows by id and another by text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from idealrank._core import Column, from_columns
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.nested_plan import NUMBERED
from idealrank.data.formats.source import Source
from idealrank.data.ids import Keyed, id_text
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries
from idealrank.data.results import Results
from idealrank.errors import DataError, listed, plural


@dataclass(frozen=True, eq=False)
class MatchedQueries(Source):
    """A table whose queries are called as another table calls them.

    Attributes
    ----------
    key
        Its query column.
    names
        The new name of each query; others keep theirs.
    """

    joined_by_text = True

    key: int = -1
    names: Mapping[str, str] = field(default_factory=dict)

    def ids(self, index: int) -> Column:
        """Return a column of ids, the queries under their new names."""
        column = super().ids(index)
        if index != self.key:
            return column
        values = column.to_list(None)
        named = [value if value is None else self.names.get(id_text(value), id_text(value)) for value in values]
        return from_columns(["query"], [named]).column(0)


def join_by_text(judgments: Judgments, results: Sequence[Results], queries: Queries) -> tuple[list[Results], Queries]:
    """Call the queries of results as the judgments do, where one side has ids and the other texts.

    Only results, and weights, that share no query with the judgments are renamed. Which text belongs to
    which id is said by a table with both: the judgments, the results, or the table of queries.
    """
    if not queries.text and all(one.keys.text is None for one in (judgments, *results)):
        return list(results), queries
    judged = {id_text(value) for value in _distinct_queries(judgments)}
    texts = {key: str(words) for key, words in queries.attributes.get(queries.text, {}).items() if words is not None}
    renamed = [_rename_results(judged, judgments, one, texts) for one in results]
    names = {key: text for key, text in texts.items() if text in judged and key not in judged}
    # The table of queries keeps the names of the results, unless all of them were renamed.
    if names and all(new is not old for new, old in zip(renamed, results, strict=True)):
        attributes = {
            column: {names.get(key, key): value for key, value in values.items()}
            for column, values in queries.attributes.items()
        }
        queries = replace(queries, attributes=attributes)
    known = [
        *_known_texts(judgments),
        (texts, "the table of queries"),
        *(one for each in results for one in _known_texts(each)),
    ]
    return renamed, _rename_weights(queries, judged, known)


def refuse_shifted(results: Sequence[Results], queries: Queries) -> None:
    """Refuse answers that are numbered in their order, if the table of queries has another number of queries.

    Raises
    ------
    DataError
        With both numbers.
    """
    known = {key for values in queries.attributes.values() for key in values}
    for one in results:
        if NUMBERED not in one.source.notes:
            continue
        asked = {id_text(value) for value in _distinct_queries(one)}
        if asked & known and len(asked) != len(known):
            raise DataError(
                f"{one.name}: {plural(len(asked), 'response')}, {plural(len(known), 'query')} in {queries.name}: they "
                "are matched by position, so a missing one shifts all that follow. Give a table of exactly the queries "
                "that were sent, in their order."
            )


def _rename_weights(queries: Queries, judged: set[str], known: Sequence[tuple[Mapping[str, str], str]]) -> Queries:
    """Rename the queries that have weights to the names in the judgments, if none has such a name."""
    keys = set(queries.weight or ())
    names = {} if keys & judged else _match_names(keys, judged, known)[0]
    if not names or queries.weight is None:
        return queries
    weight, *columns = (
        values if values.keys() & judged else {names.get(key, key): value for key, value in values.items()}
        for values in (queries.weight, *queries.attributes.values())
    )
    return replace(queries, weight=weight, attributes=dict(zip(queries.attributes, columns, strict=True)), place=None)


def _distinct_queries(table: Keyed) -> list[object]:
    return [value for value in table.keys.query.distinct(1 << 32) if value is not None]


def _rename_results(judged: set[str], judgments: Judgments, results: Results, texts: Mapping[str, str]) -> Results:
    asked = {id_text(value) for value in _distinct_queries(results)}
    key = results.roles.find("query")
    key = results.roles.find("text") if key is None else key
    if key is None or asked & judged:
        return results
    names = _match_names(
        asked, judged, [*_known_texts(judgments), (texts, "the table of queries"), *_known_texts(results)]
    )
    if not names[0]:
        return results
    _refuse_same_text(results, names[0])
    own: dict[str, Any] = {part.name: getattr(results.source, part.name) for part in fields(Source)}
    own["notes"] = (*results.source.notes, f"queries joined by their texts in {names[1]}")
    return replace(results, source=MatchedQueries(**own, key=key, names=names[0]))


def _refuse_same_text(results: Results, names: Mapping[str, str]) -> None:
    """Refuse two searches of one text, whose lists would be run together."""
    by_name: dict[str, list[str]] = {}
    for key, name in names.items():
        by_name.setdefault(name, []).append(key)
    for name, keys in by_name.items():
        if len(keys) > 1:
            raise DataError(
                f"{results.name}: {plural(len(keys), 'query')} ({listed(keys)}) with the text of query {quoted(name)}, "
                "so that only texts say which judgments are theirs. Keep one, or use the ids of the judgments."
            )


def _known_texts(table: Keyed) -> list[tuple[Mapping[str, str], str]]:
    texts, differing = table.texts
    return [({key: text for key, text in texts.items() if key not in differing}, table.name)]


def _match_names(
    asked: set[str], judged: set[str], known: Sequence[tuple[Mapping[str, str], str]]
) -> tuple[dict[str, str], str]:
    """Return the judged query of each query asked for, by the first table that knows any, and that table's name."""
    for texts, table in known:
        by_text: dict[str, list[str]] = {}
        for key, text in texts.items():
            by_text.setdefault(text, []).append(key)
        alone = {text: keys[0] for text, keys in by_text.items() if len(keys) == 1}
        names = {text: key for text, key in alone.items() if text in asked and key in judged}
        names |= {key: text for key, text in texts.items() if key in asked and text in judged}
        if names:
            return names, table
    return _match_equal_texts(asked, judged, known)


def _match_equal_texts(
    asked: set[str], judged: set[str], known: Sequence[tuple[Mapping[str, str], str]]
) -> tuple[dict[str, str], str]:
    """Return the judged query with the same text as each asked one, where both sides have ids of their own."""
    keys: dict[str, set[str]] = {}
    for texts, _ in known:
        for key, text in texts.items():
            if key in judged:
                keys.setdefault(text, set()).add(key)
    alone = {text: next(iter(found)) for text, found in keys.items() if len(found) == 1}
    for texts, table in known:
        names = {key: alone[text] for key, text in texts.items() if key in asked and text in alone}
        if names:
            return names, table
    return {}, ""
