"""The writers of other tools' files: BEIR, Quepid, RRE, OpenSearch, Elasticsearch, pytrec_eval, SVMlight."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from idealrank.data.documents import title_of_text
from idealrank.data.formats.list_names import is_name
from idealrank.data.formats.nested_plan import QUEPID_BOOK, NestedPlan
from idealrank.data.formats.shapes import find_plan
from idealrank.data.formats.svmlight import WEIGHTED
from idealrank.data.writing.rows import (
    NO_NUL,
    RowsToWrite,
    indented_json,
    number_texts,
    query_names,
    ranks_and_scores,
    whole_as_int,
)
from idealrank.data.writing.tables import format_delimited, refuse_blanks, refuse_nul
from idealrank.data.writing.writer import GradeLimit, WriteOptions, Writer
from idealrank.errors import DataError, listed

# SVMlight lines without features: ``grade qid:number # document``, with the texts of the queries above.
#
# Source: o19s/elasticsearch-ltr, judgment lists: comments ``# qid:1: text`` map numbers to queries.


def svmlight_lines(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> str:
    """Write one line per judgment; queries whose ids are no whole numbers are numbered."""
    refuse_blanks(rows.name, "document", rows.doc)
    ids = list(dict.fromkeys(rows.query))
    numbered = not all(query.isascii() and query.isdigit() for query in ids)
    if numbered:
        notes.append("a qid is a number: queries are numbered from 1, and the comments above say which is which")
    qid = {query: str(place) if numbered else query for place, query in enumerate(ids, 1)}
    known = numbered or bool(rows.texts)
    texts = {query: rows.texts.get(query, query) for query in ids} if known else {}
    _refuse_lost_blanks(rows.name, texts.values())
    weight = "*1" if all(map(WEIGHTED.fullmatch, texts.values())) else ""  # else a reader took their ends for weights
    names = [f"# qid:{qid[query]}: {text}{weight}" for query, text in texts.items()]
    grade = number_texts(rows.grade)
    body = [f"{grade[i]} qid:{qid[query]} # {rows.doc[i]}" for query, places in rows.by_query() for i in places]
    return "\n".join([*names, *body, ""])


def _refuse_lost_blanks(name: str, texts: Iterable[str]) -> None:
    """Refuse texts that a comment would change: it ends with its line, and readers strip blanks around it.

    Raises
    ------
    DataError
        With the first of them.
    """
    for text in texts:
        if "\0" in text:
            raise DataError(f"{name}: the query {text!r} contains a NUL byte, {NO_NUL}")
        if not text.strip(_BLANKS) or text != text.strip(_BLANKS) or "\n" in text or "\r" in text:
            raise DataError(
                f"{name}: the query {text!r} is empty, begins or ends with a blank, or contains a line break, which a "
                "comment cannot keep. Write a table, such as CSV, or change the query."
            )


_BLANKS = " \t\r\n\v\f"
"""What a reader takes from both ends of a comment."""

SVMLIGHT = Writer(
    "svmlight",
    "SVMlight lines",
    (".svm", ".svmlight", ".libsvm", ".letor"),
    {"judgments": svmlight_lines},
    frozenset({"texts"}),
)


# BEIR: a folder with ``qrels/test.tsv``, and ``queries.jsonl`` and ``corpus.jsonl`` where texts are known.
#
# Source: beir-cellar/beir 2.0, GenericDataLoader: tabs, a header, whole grades.


def beir_files(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> dict[str, str]:
    """Write the files of the folder."""
    columns = {"query-id": rows.query, "corpus-id": rows.doc, "score": number_texts(rows.grade)}
    refuse_nul(rows, columns)
    files = {"qrels/test.tsv": format_delimited(columns, "\t", options.formulas, notes)}
    for name, what, ids, texts in (
        ("queries.jsonl", "query", rows.query, rows.texts),
        ("corpus.jsonl", "document", rows.doc, {**rows.titles, **rows.passages}),
    ):
        known = [key for key in dict.fromkeys(ids) if texts.get(key)]
        if known:
            files[name] = _beir_lines(
                {key: {"text": texts[key]} if what == "query" else _beir_document(rows, key) for key in known}
            )
        if len(known) < len(set(ids)):
            notes.append(
                f"{name} has only the {what} texts that are known" if known else f"no {name}: no {what} texts known"
            )
    return files


def _beir_document(rows: RowsToWrite, doc: str) -> dict[str, str]:
    """Return title and text of a document; the beginning of the text is no title."""
    title, text = rows.titles.get(doc, ""), rows.passages.get(doc, "")
    return {"title": "" if text and title == title_of_text(text) else title, "text": text}


def _beir_lines(fields: Mapping[str, Mapping[str, str]]) -> str:
    return "".join(json.dumps({"_id": key, **own}, ensure_ascii=False) + "\n" for key, own in fields.items())


BEIR = Writer("beir", "a BEIR folder", ("/",), {"judgments": beir_files}, frozenset({"texts", "titles"}))


# Judgments of OpenSearch's Search Relevance Workbench, as its API imports them.
#
# Source: opensearch-project/search-relevance 3.x, PUT _plugins/_search_relevance/judgments.


def opensearch_judgments(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> str:
    """Write the ratings by the text of the query; early versions read only ratings that are text."""
    names, rating = query_names(rows, notes), number_texts(rows.grade)
    queries = [
        {"query": names[query], "ratings": [{"docId": rows.doc[i], "rating": rating[i]} for i in places]}
        for query, places in rows.by_query()
    ]
    return indented_json({"name": rows.name, "description": "", "type": "IMPORT_JUDGMENT", "judgmentRatings": queries})


OPENSEARCH = Writer(
    "opensearch", "OpenSearch judgments", (), {"judgments": opensearch_judgments}, frozenset({"fractions", "texts"})
)


# JSON as pytrec_eval, ranx, BEIR and MTEB take it: ``{query: {document: number}}``.


def pytrec_eval_judgments(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> str:
    """Write whole grades."""
    return _pytrec_eval_json(rows, rows.grade.astype(int).tolist())


def pytrec_eval_results(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> str:
    """Write scores."""
    return _pytrec_eval_json(rows, ranks_and_scores(rows, notes)[1].tolist())


def _pytrec_eval_json(rows: RowsToWrite, numbers: Sequence[float]) -> str:
    documents: dict[str, dict[str, float]] = {}
    for query, doc, number in zip(rows.query, rows.doc, numbers, strict=True):
        documents.setdefault(query, {})[doc] = number
    _refuse_ids_like_names(rows.name, documents)
    return json.dumps(documents, ensure_ascii=False) + "\n"


def _refuse_ids_like_names(name: str, documents: Mapping[str, Mapping[str, float]]) -> None:
    """Refuse ids that are names of something else, which would not be read as {query: {document: number}}.

    Raises
    ------
    DataError
        With these ids.
    """
    plan = find_plan([documents], name) if documents else None
    if plan is None or (isinstance(plan, NestedPlan) and plan.tables == {"dicts"}):
        return
    ids = dict.fromkeys([*documents, *(doc for docs in documents.values() for doc in docs)])
    raise DataError(
        f"{name}: pytrec_eval JSON with ids such as {listed([text for text in ids if is_name(text)] or [*ids], 4)} "
        "looks like another kind of JSON, whose keys are names. Write a table, such as CSV, or change the ids."
    )


PYTREC_EVAL = Writer(
    "pytrec_eval", "pytrec_eval JSON", (), {"judgments": pytrec_eval_judgments, "results": pytrec_eval_results}
)


# Quepid: the basic CSV of ratings, and a book as JSON.
#
# Source: o19s/quepid 8.6, export of a case ("Basic") and of a book.


def quepid_csv(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> str:
    """Write query, docid and rating, empty where there is none."""
    names = query_names(rows, notes)
    columns = {"query": [names[query] for query in rows.query], "docid": rows.doc, "rating": number_texts(rows.grade)}
    refuse_nul(rows, columns)
    return format_delimited(columns, ",", options.formulas, notes)


def quepid_book(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> str:
    """Write one pair per query and document, with the rating of each rater."""
    names = query_names(rows, notes)
    raters = rows.words.get("rater", [""] * len(rows))
    pairs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for query, doc, rater, grade in zip(rows.query, rows.doc, raters, rows.grade.tolist(), strict=True):
        ratings = pairs.setdefault((query, doc), [])
        if grade == grade:
            ratings.append({"rating": whole_as_int(grade), **({"user_email": rater} if rater else {})})
    scale = [whole_as_int(grade) for grade in np.unique(rows.grade[~np.isnan(rows.grade)]).tolist()]
    titles = {doc: {"document_fields": {"title": title}} for doc, title in rows.titles.items() if title}
    entries = [
        {"query_text": names[query], "doc_id": doc, **titles.get(doc, {}), "judgements": ratings}
        for (query, doc), ratings in pairs.items()
    ]
    return indented_json({"name": rows.name, "scale": scale, "query_doc_pairs": entries})


BASIC = Writer(
    "quepid",
    "Quepid's basic CSV",
    (),
    {"judgments": quepid_csv},
    frozenset({"ungraded", "fractions", "texts", "unanswered"}),
)
BOOK = Writer(
    "quepid-book", QUEPID_BOOK, (), {"judgments": quepid_book},
    frozenset({"rater", "ungraded", "fractions", "texts", "titles"}),
)  # fmt: skip

# The request of Elasticsearch's and OpenSearch's ranking evaluation API.
#
# Source: Elasticsearch 8 reference, "Ranking evaluation API": a template of the search, and a request per query.


_INDEX = "my-index"
_SEARCH = {"query": {"multi_match": {"query": "{{query_string}}", "fields": ["*"]}}}


def rank_eval_request(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> str:
    """Write the ratings of each query, with a plain search that the user is to replace by the real one."""
    index = options.es_index or _INDEX
    requests = [
        {
            "id": query,
            "template_id": "search",
            "params": {"query_string": rows.texts.get(query, query)},
            "ratings": [{"_index": index, "_id": rows.doc[i], "rating": int(rows.grade[i])} for i in places],
        }
        for query, places in rows.by_query()
    ]
    notes.append("the search is a plain multi_match: put your own in templates[0].template.source")
    if not options.es_index:
        notes.append(f"the index is called {_INDEX}: name yours with --index or index=…")
    return indented_json({
        "templates": [{"id": "search", "template": {"source": _SEARCH}}],
        "requests": requests,
        "metric": {"dcg": {"k": 10, "normalize": True}},
    })  # fmt: skip


RANK_EVAL = Writer("rank_eval", "a _rank_eval request", (), {"judgments": rank_eval_request}, frozenset({"texts"}))


# Ratings of the Rated Ranking Evaluator: documents by gain, one group per query.
#
# Source: SeaseLtd/rated-ranking-evaluator 1.1, "Ratings file". Quepid 8.6 imports this spelling alone.


def rre_ratings(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> str:
    """Write the documents of each query by their gain."""
    names = query_names(rows, notes)
    groups = [_rre_group(names[query], rows, places) for query, places in rows.by_query()]
    return indented_json({"id_field": "id", "topics": [{"description": rows.name, "query_groups": groups}]})


def _rre_group(query: str, rows: RowsToWrite, places: list[int]) -> dict[str, object]:
    documents: dict[str, list[str]] = {}
    for place in places:
        documents.setdefault(str(whole_as_int(rows.grade[place])), []).append(rows.doc[place])
    return {
        "name": query,
        "queries": [{"template": "query.json", "placeholders": {"$query": query}}],
        "relevant_documents": documents,
    }


_ABOVE = GradeLimit(0, "RRE counts every document listed as relevant")
RRE = Writer("rre", "RRE ratings", (), {"judgments": rre_ratings}, frozenset({"texts"}), _ABOVE)
