"""Each engine answers queries of the example shop."""

from __future__ import annotations

import re
from urllib.parse import quote

import psycopg

from tests.heavy.engines.shop import asked, products, queries

SIZE = 400
"""More than there are products."""


def of_elastic(address: str, text: str) -> list[str]:
    """Return what OpenSearch or Elasticsearch finds in the titles."""
    body = {"query": {"match": {"title": text}}, "size": SIZE, "_source": False}
    return [hit["_id"] for hit in asked(f"{address}/products/_search", body)["hits"]["hits"]]


def of_solr(address: str, text: str) -> list[str]:
    """Return what Solr finds in the titles."""
    answer = asked(f"{address}/products/select?q={quote(text)}&df=title&fl=id&rows={SIZE}")
    return [document["id"] for document in answer["response"]["docs"]]


def words(text: str) -> set[str]:
    """Return the words of a text in small letters."""
    return set(re.findall(r"\w+(?:'\w+)*", text.lower()))


def expected() -> dict[str, set[str]]:
    """Return for each query the products whose titles contain a word of it."""
    return {
        text: {product["product_id"] for product in products() if words(text) & words(product["title"])}
        for text in queries().values()
    }


def test_opensearch_finds_the_products(opensearch: str) -> None:
    """OpenSearch finds the products whose titles contain a word of the query."""
    assert {text: set(of_elastic(opensearch, text)) for text in queries().values()} == expected()


def test_elasticsearch_finds_the_products(elasticsearch: str) -> None:
    """So does Elasticsearch."""
    assert {text: set(of_elastic(elasticsearch, text)) for text in queries().values()} == expected()


def test_solr_finds_the_products(solr: str) -> None:
    """So does Solr."""
    assert {text: set(of_solr(solr, text)) for text in queries().values()} == expected()


def test_opensearch_is_whole(opensearch: str) -> None:
    """OpenSearch says what it is, counts, and answers several searches at once."""
    assert asked(opensearch)["version"]["distribution"] == "opensearch"
    assert asked(f"{opensearch}/products/_count")["count"] == len(products())
    answer = asked(f"{opensearch}/products/_msearch", b'{}\n{"query": {"match_all": {}}}\n{}\n{"size": 0}\n')
    assert [len(response["hits"]["hits"]) for response in answer["responses"]] == [10, 0]


def test_the_engines_rank_alike(opensearch: str, elasticsearch: str, solr: str) -> None:
    """The three give the same list for each query: their analysis and their BM25 are the same."""
    for text in queries().values():
        assert of_elastic(opensearch, text) == of_elastic(elasticsearch, text) == of_solr(solr, text)


def test_postgresql_finds_the_products(postgresql: str) -> None:
    """PostgreSQL finds the products whose titles contain all words of the query, and has vectors."""
    search = "SELECT product_id FROM products WHERE to_tsvector('simple', title) @@ plainto_tsquery('simple', %s)"
    found = {row["product_id"] for row in products() if words("running shoes") <= words(row["title"])}
    with psycopg.connect(postgresql) as connection:
        assert {row[0] for row in connection.execute(search, ["running shoes"])} == found
        connection.execute("CREATE EXTENSION vector")
        assert connection.execute("SELECT '[3,4]'::vector <-> '[0,0]'").fetchone() == (5.0,)
        connection.rollback()
