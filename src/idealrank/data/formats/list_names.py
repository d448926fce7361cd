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

_SAYS_RETRIEVED = (
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
    return is_word(str(called)) and not is_positive(called) and re.fullmatch(_SAYS_RETRIEVED, name) is not None


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
    # By their types: an abstract class is slow to ask, and a column of a million cells has few.
    kinds = {kind for kind in set(map(type, items)) if issubclass(kind, Mapping)} if isinstance(items, list) else ()
    return [item for item in items if type(item) in kinds] if kinds else []


def object_or_empty(value: Any) -> Mapping[str, Any]:
    """Return an object; an empty one instead of anything else."""
    return value if isinstance(value, Mapping) else {}


def is_plain(value: Any) -> bool:
    """Whether a value is one cell."""
    # The types of cells first: there are millions of them, and an abstract class is slow to ask.
    return isinstance(value, (str, int, float)) or not isinstance(value, (Mapping, list, tuple, set, frozenset))


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
