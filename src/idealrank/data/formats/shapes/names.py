"""What lists of documents, and what is around them, are called."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from idealrank.data.formats.plan import KEY
from idealrank.data.roles import ALIASES, fold

_POSITIVE = ("relevant", "gold", "golden", "expected", "reference", "positive", "groundtruth", "target", "supporting")
_THING = ("", "id", "ids", "doc", "docs", "docid", "docids", "document", "documents", "documentid", "documentids")
_PIECE = (
    *("chunk", "chunks", "chunkid", "chunkids", "passage", "passages", "passageid", "passageids"),
    *("node", "nodes", "nodeid", "nodeids"),
)
_OTHER = ("item", "items", "source", "sources")
_CONTEXT = ("context", "contexts", "contextid", "contextids", "page", "pages", "pageid", "pageids")
_RETRIEVED = ("retrieved", "returned", "predicted", "ranked", "result", "response", "recommended", "search")


def _joined(firsts: Iterable[str], seconds: Iterable[str]) -> frozenset[str]:
    return frozenset(a + b for a, b in itertools.product(firsts, seconds))


THINGS = (*_THING, *_PIECE, *_CONTEXT, *_OTHER)
POSITIVE = _joined(_POSITIVE, THINGS) | {
    *("positives", "positivectxs", "qrels", "judgments", "judgements", "ratings", "retrievalgroundtruth"),
    *("answerdocids", "groundtruths", "relevances", "goldstandard", "labels", "pos", "references", "targets"),
}
"""Lists of judged documents, folded."""

RETRIEVED = _joined(_RETRIEVED, THINGS) - {"search"} | {
    *("retrieval", "results", "hits", "predictions", "prediction", "outputs", "output", "ranking", "rankings"),
    *(
        "queryresponsehitids",
        "candidates",
        "topk",
        "run",
        "returnedids",
        "responses",
        "searchresults",
        "ctxs",
        "contexts",
    ),
    *("sourcedocuments", "sourcenodes"),
}
"""Lists of results, folded."""

EITHER = frozenset(THINGS[1:]) | {"recommendations"} | {f"{name}s" for tier in ALIASES["doc"][:2] for name in tier}
"""Lists of documents that could be both."""

DOCS = frozenset().union(*ALIASES["doc"][:4])
"""Names of the id of a document."""

GRADES = frozenset().union(*ALIASES["grade"][:2])
ORDERS = frozenset().union(*ALIASES["score"], *ALIASES["rank"]) | {"distance"}
NUMBERS = GRADES | ORDERS
"""Names of the numbers of a document."""

NAMES = (
    frozenset().union(*(tier for tiers in ALIASES.values() for tier in tiers))
    | (POSITIVE | RETRIEVED | EITHER)
    | {"query", "id", "text", "answer", "metadata", "title"}
)
"""Names that are no ids."""

ONE = frozenset(name for name in POSITIVE if name.endswith("id"))
"""Names of the id of the one relevant document of a query."""

_ANY_ONE = POSITIVE | {"docid", "document", "documentid", "doc", "chunkid", "passageid", "nodeid"}
"""Names of the one relevant document of a query beside its results; of others than ids, the values must be like ids."""


def is_one(called: str, value: Any) -> bool:
    """Whether a value beside results is the one relevant document of a query.

    Examples
    --------
    >>> is_one("expected_id", 17), is_one("ground_truth", "d17"), is_one("ground_truth", "It is Paris.")
    (True, True, False)
    """
    one_word = isinstance(value, str) and not any(map(str.isspace, value))
    return fold(called) in ONE or (fold(called) in _ANY_ONE and one_word)


_TEXTS = 8
"""Blanks in a value that is text rather than an id."""


def is_name(key: object) -> bool:
    """Whether a key is the name of something rather than an id."""
    return fold(str(key)) in NAMES


def is_list(key: object) -> bool:
    """Whether a key is the name of a list of documents."""
    return fold(str(key)) in POSITIVE | RETRIEVED | EITHER


def number_of(called: str) -> str | None:
    """Return the name of one number of a list that is called after its numbers; None for other lists.

    Examples
    --------
    >>> number_of("Grades"), number_of("relevance"), number_of("retrieved_scores"), number_of("doc_ids")
    ('grade', 'relevance', 'score', None)
    """
    name = fold(called)
    ways = (name, *(name.removeprefix(before) for before in (*_POSITIVE, *_RETRIEVED, "doc", "document")))
    return next((one for way in ways for one in (way, way.removesuffix("s")) if one in NUMBERS), None)


def is_docs(called: str) -> bool:
    """Whether a list of this name may contain documents or their ids.

    Examples
    --------
    >>> is_docs("retrieved_ids"), is_docs("product_ids"), is_docs("grades")
    (True, True, False)
    """
    name = fold(called)
    return is_list(called) or bool({name, name.removesuffix("s")} & DOCS)


def kind(called: str) -> str | None:
    """Return what a list of ids contains by its name; None for a name that says nothing."""
    name = fold(called)
    if name in POSITIVE:
        return "judgments"
    if name in RETRIEVED:
        return "results"
    return "" if name in EITHER or called == KEY else None


def maps(items: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list; none of anything else."""
    return [item for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object; an empty one instead of anything else."""
    return value if isinstance(value, Mapping) else {}


def is_plain(value: Any) -> bool:
    """Whether a value is one cell."""
    return not isinstance(value, (Mapping, list, tuple, set, frozenset))


def plain_id(value: Any) -> Any:
    """Return an id; None instead of a list or an object."""
    return value if is_plain(value) else None


def is_text(value: Any) -> bool:
    """Whether a value is a text rather than an id.

    Examples
    --------
    >>> is_text("d17"), is_text("The quick brown fox jumps over the lazy dog and runs.")
    (False, True)
    """
    return isinstance(value, str) and value.count(" ") > _TEXTS
