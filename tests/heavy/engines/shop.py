"""The products of the example shop, indexed in each engine as ``products``, and its queries."""

from __future__ import annotations

import csv
import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

SHOP = Path(__file__).parents[3] / "examples" / "shop"


def products() -> list[dict[str, str]]:
    """Return the products: product_id, title, category."""
    return _rows("products.csv")


def queries() -> dict[str, str]:
    """Return the text of each query."""
    return {row["query_id"]: row["query"] for row in _rows("queries.csv")}


def _rows(name: str) -> list[dict[str, str]]:
    with (SHOP / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def into_opensearch(address: str) -> None:
    """Index the products in OpenSearch or Elasticsearch, in one shard, so that scores are those of one BM25."""
    text = {"type": "text", "analyzer": "standard"}
    fields = {"product_id": {"type": "keyword"}, "title": text, "category": text}
    settings = {"number_of_shards": 1, "number_of_replicas": 0}
    asked(f"{address}/products", {"settings": settings, "mappings": {"properties": fields}}, "PUT")
    lines = "".join(f"{json.dumps(line)}\n" for line in _bulk())
    answer = asked(f"{address}/products/_bulk?refresh=true", lines.encode())
    assert not answer["errors"], answer


def _bulk() -> Iterator[dict[str, Any]]:
    for product in products():
        yield {"index": {"_id": product["product_id"]}}
        yield product


def into_solr(address: str) -> None:
    """Index the products in Solr's core, which is there already; the id is that of the product."""
    documents = [{"id": row.pop("product_id"), **row} for row in products()]
    asked(f"{address}/products/update?commit=true", documents)


def into_postgresql(address: str) -> None:
    """Make a table of the products."""
    import psycopg

    rows = [tuple(product.values()) for product in products()]
    with psycopg.connect(address) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE products (product_id text PRIMARY KEY, title text, category text)")
        cursor.executemany("INSERT INTO products VALUES (%s, %s, %s)", rows)


def asked(address: str, body: Any = None, method: str | None = None) -> Any:
    """Send a request, with a body as JSON or as it is if it is bytes, and return the answer, which is JSON."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


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
