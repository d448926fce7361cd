"""The documents that tools write: to add one, add the function that knows it to the tuple below.

The first that knows a document says where its rows lie; a document that none knows is read by its shape. OpenSearch's
workbench comes before Elasticsearch, since hits of its indices are answers to a search, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from idealrank.data.formats.list_names import is_clear, is_name, number_answers, plan_of_answers, query_beside
from idealrank.data.formats.nested_plan import ANY, EACH, KEY, PLACE, NestedPlan
from idealrank.data.formats.shapes import engines, generic, tools
from idealrank.errors import DataError

ToolShape = Callable[[Any, str], NestedPlan | None]
"""Knows the documents of a tool: says where the rows of one lie (given the name of the file), None for others.

It raises a `DataError` for one of the tool's documents that contains neither judgments nor results. The first line of
its docstring is the tool's row on the page of inputs: "Tool: documents."
"""

SHAPES: tuple[ToolShape, ...] = (
    engines.opensearch_plan, engines.elasticsearch_plan, engines.solr_plan, engines.vespa_plan, engines.ubi_plan,
    tools.quepid_plan, tools.rre_plan, tools.rankquest_plan, tools.llama_index_plan, tools.mteb_plan,
    tools.azure_plan, tools.trec_json_plan, tools.chroma_plan, tools.deepeval_plan, tools.promptfoo_plan,
    tools.ragas_plan,
)  # fmt: skip


_LOOKED_AT = 50
"""Answers that are looked at: the first may be an error, by which no engine is known."""


def plan_of_tool(documents: Sequence[Any], name: str) -> NestedPlan | DataError | None:
    """Return where the rows of a tool's documents lie, the error if there are none, or None if no tool is known."""
    first = next(iter(documents), None)
    try:
        if (found := _first_plan(first, name)) is not None:
            beside = query_beside(documents) if found.is_of_one_query else ""
            if len(documents) == 1 and beside:
                return replace(number_answers(found, beside), query=str(documents[0][beside]))
            return number_answers(found, beside) if len(documents) > 1 and found.is_of_one_query else found
        for step, mark, items in _items_of_answers(first, name):
            there = [*itertools.islice((item for item in items if item is not None), _LOOKED_AT)]
            inner = next((plan for item in there if (plan := _first_plan(item, name)) is not None), None)
            if inner is not None and inner.is_of_one_query:
                beside = query_beside(there) if mark == PLACE else ""
                return plan_of_answers(inner, step, f".{beside}" if beside else mark)
    except DataError as error:
        return error
    return None


def _first_plan(document: Any, name: str) -> NestedPlan | None:
    return next((plan for shape in SHAPES if (plan := shape(document, name)) is not None), None)


def _items_of_answers(document: Any, name: str) -> list[tuple[str, str, Collection[Any]]]:
    """Return the items of a list of answers, or of answers by query."""
    if isinstance(document, list):
        return [(EACH, PLACE, document)]
    if not isinstance(document, Mapping):
        return []
    listed = len(document) == 1 and any(map(is_clear, document))  # {"results": answer}
    keyed = not any(map(is_name, document)) or (not listed and _are_all_answers(document.values(), name))
    return [(ANY, KEY, document.values())] if keyed else []


def _are_all_answers(items: Collection[Any], name: str) -> bool:
    """Whether all are answers to one query each: then their keys are queries, whatever they are called."""
    plans = [_first_plan(item, name) for item in items if item is not None]
    return bool(plans) and all(plan is not None and plan.is_of_one_query for plan in plans)


def find_plan(documents: Sequence[Any], name: str, docs: str = "") -> NestedPlan | DataError:
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
    return plan_of_tool(documents, name) or generic.generic_plan(documents, name, docs)
