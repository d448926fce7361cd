"""The documents that tools write, one tool per file: to add one, add its file, and its name to the tuple below.

The first that knows a document says where its rows lie; a document that none knows is read by its shape. OpenSearch's
workbench comes before Elasticsearch, since hits of its indices are answers to a search, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from idealrank.data.formats.plan import ANY, EACH, KEY, PLACE, Plan
from idealrank.data.formats.shapes import (
    azure,
    chroma,
    elasticsearch,
    llama_index,
    mteb,
    opensearch,
    quepid,
    rankquest,
    rows,
    rre,
    solr,
    trec_json,
    ubi,
    vespa,
)
from idealrank.data.formats.shapes.names import is_name
from idealrank.data.formats.shapes.query import numbered, within
from idealrank.errors import DataError


class Shape(Protocol):
    """A module that knows the documents of a tool."""

    def plan(self, document: Any, name: str, /) -> Plan | None:
        """Return where the rows of a document lie, None for the documents of others.

        Raises
        ------
        DataError
            If it is one of the tool's documents, but contains neither judgments nor results.
        """


SHAPES: tuple[Shape, ...] = (
    opensearch, elasticsearch, solr, vespa, ubi, quepid, rre, rankquest, llama_index, mteb, azure, trec_json, chroma,
)  # fmt: skip


_LOOKED_AT = 50
"""Answers that are looked at: the first may be an error, by which no engine is known."""


def known(documents: Sequence[Any], name: str) -> Plan | DataError | None:
    """Return where the rows of a tool's documents lie, the error if there are none, or None if no tool is known."""
    first = next(iter(documents), None)
    try:
        if (found := _known(first, name)) is not None:
            return numbered(found) if len(documents) > 1 and found.of_one_query else found
        for step, mark, items in _answers(first, name):
            there = itertools.islice((item for item in items if item is not None), _LOOKED_AT)
            inner = next((plan for item in there if (plan := _known(item, name)) is not None), None)
            if inner is not None and inner.of_one_query:
                return within(inner, step, mark)
    except DataError as error:
        return error
    return None


def _known(document: Any, name: str) -> Plan | None:
    return next((plan for shape in SHAPES if (plan := shape.plan(document, name)) is not None), None)


def _answers(document: Any, name: str) -> list[tuple[str, str, Collection[Any]]]:
    """Return the items of a list of answers, or of answers by query."""
    if isinstance(document, list):
        return [(EACH, PLACE, document)]
    if not isinstance(document, Mapping):
        return []
    keyed = not any(map(is_name, document)) or (len(document) > 1 and _all_answers(document.values(), name))
    return [(ANY, KEY, document.values())] if keyed else []


def _all_answers(items: Collection[Any], name: str) -> bool:
    """Whether all are answers to one query each: then their keys are queries, whatever they are called."""
    plans = [_known(item, name) for item in items if item is not None]
    return bool(plans) and all(plan is not None and plan.of_one_query for plan in plans)


def plan_of(documents: Sequence[Any], name: str, docs: str = "") -> Plan | DataError:
    """Return where the rows of documents lie, or the error that says what was found instead.

    Parameters
    ----------
    documents
        The first documents of a file, possibly cut off.
    name
        The file's name, for messages and for results of a single query.
    docs
        The list of documents, as the user named it; "" for none.
    """
    return known(documents, name) or rows.plan(documents, name, docs)
