"""Names of columns in files that other people wrote, and which of several counts."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir

FOUND = {
    "Home Depot": ("id product_uid search_term relevance", "query=search_term doc=product_uid grade=relevance"),
    "Crowdflower": ("query product_id median_relevance", "query=query doc=product_id grade=median_relevance"),
    "ESCI": ("query_id product_id esci_label", "query=query_id doc=product_id grade=esci_label"),
    "MovieLens": ("userId movieId rating timestamp", "query=userId doc=movieId grade=rating"),
    "recipes": ("user_id recipe_id rating", "query=user_id doc=recipe_id grade=rating"),
    "sessions": ("session_id item_id label", "query=session_id doc=item_id grade=label"),
    "users beside queries": ("user_id query doc_id grade", "query=query doc=doc_id grade=grade"),
    "users beside ids of queries": ("user query_id doc_id grade", "query=query_id doc=doc_id grade=grade"),
    "sessions beside users": ("session_id user_id doc_id grade", "query=user_id doc=doc_id grade=grade"),
    "chunks": ("question_id chunk_id grade", "query=question_id doc=chunk_id grade=grade"),
    "chunks of documents": ("query_id doc_id chunk_id grade", "query=query_id doc=doc_id grade=grade"),
    "LlamaIndex": ("user_input node_id score", "query=user_input doc=node_id grade=score"),
    "passages": ("q passage relevance", "query=q doc=passage grade=relevance"),
    "files": ("question filename grade", "query=question doc=filename grade=grade"),
    "sources": ("question source grade", "query=question doc=source grade=grade"),
    "sources of documents": ("question id source grade", "query=question doc=id grade=grade"),
    "agents": ("query_id doc_id agent_1_rating agent_2_rating", "query=query_id doc=doc_id "
               "grade=agent_1_rating,agent_2_rating"),
    "agents, then a ruling": ("query_id doc_id agent_1_rating agent_2_rating final_rating", "query=query_id doc=doc_id "
                              "grade=final_rating"),
    "documents of questions": ("question course id", "query=question doc=id"),
}  # fmt: skip
"""Columns of judgments, and what they are read as."""


def rows(names: str) -> dict[str, list[Any]]:
    """Return two rows whose cells are numbers where a grade may be."""
    columns = {name: [f"{name}-1", f"{name}-2"] for name in names.split()}
    columns |= {"search_term": ["tap", "tap"]} if "search_term" in columns else {}
    graded = {name for name in columns if any(part in name for part in ("grade", "rel", "rating", "label", "score"))}
    return {name: [2, 1] if name in graded else column for name, column in columns.items()}


@pytest.mark.parametrize("form", FOUND)
def test_columns_are_found(form: str) -> None:
    """Names of well-known files are found, and users and sessions are queries only where nothing else is."""
    names, said = FOUND[form]
    columns = ir.read_judgments(rows(names)).columns
    assert {name: column for name, column in columns.items() if name in ("query", "doc", "grade")} == dict(
        pair.split("=") for pair in said.split()
    )


def test_id_of_golden_questions() -> None:
    """Beside a question and a chunk, id is the question's; if there are more ids than questions, it counts rows."""
    golden = {"id": ["7", "7", "8"], "question": ["a?", "a?", "b?"], "chunk_id": ["c1", "c2", "c1"]}
    assert ir.read_judgments(golden).columns == {"query": "id", "text": "question", "doc": "chunk_id"}
    assert ir.evaluate(golden, {"7": {"c1": 2}, "8": {"c1": 1}}, ["R"])["R"] == 0.75
    counting = {**golden, "id": ["1", "2", "3"]}
    assert ir.read_judgments(counting).columns == {"query": "question", "doc": "chunk_id"}
