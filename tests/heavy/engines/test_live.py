"""Real engines with the same shop: what a replay says of each is what its answers, fetched otherwise, say by hand."""

from __future__ import annotations

import csv
import json
import math
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest

import idealrank as ir
from tests.heavy.engines.shop import SHOP, SIZE, asked, of_elastic, of_solr, products, queries

JSON = '{"query": {"match": {"title": "{{query}}"}}, "size": {{k}}}'
FORM = "q={!edismax qf=title v='{{query}}'}\n"
SQL = """SELECT product_id AS id, ts_rank(to_tsvector('simple', title), q) AS score, title
FROM products, websearch_to_tsquery('simple', {{query}}) q WHERE to_tsvector('simple', title) @@ q
ORDER BY score DESC, product_id LIMIT {{k}}"""


def grades() -> dict[str, dict[str, float]]:
    """Return the median grade of each judged product, by query."""
    found: dict[str, dict[str, float]] = {}
    with (SHOP / "judgments.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            given = [float(row[f"rater_{i}"]) for i in (1, 2, 3) if row[f"rater_{i}"]]
            found.setdefault(row["query_id"], {})[row["product_id"]] = statistics.median(given)
    return found


def mean_ndcg(lists: dict[str, Sequence[str]]) -> float:
    """Return the mean nDCG@10 of lists, written out."""
    values = []
    for query, judged in grades().items():
        gains = [judged.get(doc, 0) for doc in lists.get(query, [])[:10]]
        best = sorted(judged.values(), reverse=True)[:10]
        ideal = math.fsum(gain / math.log2(rank + 2) for rank, gain in enumerate(best))
        values.append(math.fsum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains)) / ideal if ideal else 0)
    return math.fsum(values) / len(values)


def checked(
    tmp_path: Path, engine: str, by_hand: Callable[[str], Sequence[str]], template: str, ending: str
) -> ir.Replay:
    """Replay the shop's queries; compare lists and nDCG@10 with those of plain requests."""
    file = tmp_path / f"title.{ending}"
    file.write_text(template)
    mark = "&" if "?" in engine else "?"
    address = f"{engine}{mark}template={file}"
    found = ir.replay(SHOP / "queries.csv", address, k=SIZE, fields=["title"], output=tmp_path / "out")
    assert found.systems == ("title",)
    assert "failed" not in found.account["state"]
    lists = {key: list(by_hand(text)) for key, text in queries().items()}
    assert dict(zip(found.account["query"], found.account["results"], strict=True)) == {
        key: len(docs) for key, docs in lists.items()
    }
    assert ir.evaluate(grades(), found, ["nDCG@10"])["nDCG@10"] == pytest.approx(mean_ndcg(lists), abs=1e-12)
    written = ir.evaluate(SHOP / "judgments.csv", tmp_path / "out" / "title.csv", ["nDCG@10"])
    assert written["nDCG@10"] == pytest.approx(mean_ndcg(lists), abs=1e-12)
    titles = {row["product_id"]: row["title"] for row in products()}
    returned = {doc for docs in lists.values() for doc in docs}
    assert {key: fields["title"] for key, fields in found.documents.items()} == {key: titles[key] for key in returned}
    return found


def record(tmp_path: Path) -> Any:
    """Return what the record says of the engine."""
    kept = json.loads((tmp_path / "out" / "replay" / "title.json").read_text())
    return kept["engine"], kept["version"], kept["index"], kept["documents"]


def test_opensearch(opensearch: str, tmp_path: Path) -> None:
    """OpenSearch with a match query, one request per query and in batches."""
    engine = f"opensearch+{opensearch}/products"
    found = checked(tmp_path, engine, lambda text: of_elastic(opensearch, text), JSON, "json")
    name, version, index, count = record(tmp_path)
    assert (name, index, count) == ("opensearch", "products", len(products()))
    assert version == asked(opensearch)["version"]["number"]
    assert all(took is not None and seconds >= took for took, seconds in _times(found))
    batches = ir.replay(SHOP / "queries.csv", f"{engine}?template={tmp_path}/title.json", k=SIZE, batch=10)
    assert batches.account["results"] == found.account["results"]


def _times(found: ir.Replay) -> zip[tuple[float | None, float]]:
    return zip(found.account["took"], found.account["seconds"], strict=True)


def test_query_syntax(opensearch: str, tmp_path: Path) -> None:
    """A text with operators fails in query_string as it is, and is answered with |lucene."""
    for name, place in (("plain", "{{query}}"), ("safe", "{{query|lucene}}")):
        (tmp_path / f"{name}.json").write_text(json.dumps({"query": {"query_string": {"query": place}}}))
    engines = [f"opensearch+{opensearch}/products?template={tmp_path}/{name}.json" for name in ("plain", "safe")]
    found = ir.replay({"a": 'shoes (red "AND', "b": "shoes"}, engines, k=3)
    assert found.account["state"] == ["failed", "answered", "answered", "answered"]
    assert "Failed to parse query" in found.account["error"][0]


def test_elasticsearch(elasticsearch: str, tmp_path: Path) -> None:
    """Elasticsearch with the same; this one, without its main module, does not tell its version."""
    engine = f"elasticsearch+{elasticsearch}/products"
    checked(tmp_path, engine, lambda text: of_elastic(elasticsearch, text), JSON, "json")
    assert record(tmp_path) == ("elasticsearch", None, "products", len(products()))


def test_solr(solr: str, tmp_path: Path) -> None:
    """Solr with local params, and with the JSON Request API."""
    engine = f"solr+{solr}/products"
    found = checked(tmp_path, engine, lambda text: of_solr(solr, text), FORM, "params")
    name, version, index, count = record(tmp_path)
    assert (name, index, count) == ("solr", "products", len(products()))
    assert version is None or version.startswith("9.")
    (tmp_path / "dsl.json").write_text('{"query": {"edismax": {"qf": "title", "query": "{{query}}"}}, "limit": {{k}}}')
    again = ir.replay(SHOP / "queries.csv", f"{engine}?template={tmp_path}/dsl.json", k=SIZE)
    assert again.account["results"] == found.account["results"]


def test_awkward_texts(opensearch: str, solr: str, tmp_path: Path) -> None:
    """Whatever people type, the engine answers it: no text breaks a request, or is read as anything but a text."""
    texts = ["men's", '12" pipe', "a\\b", "{!func}price", "$x {{k}} &rows=0", "100% wool", "<b>Ö</b>\n", "AND", "*:*"]
    (tmp_path / "t.json").write_text(JSON)
    (tmp_path / "t.params").write_text("q={{query}}\ndefType=edismax\nqf=title\n")
    (tmp_path / "u.params").write_text(FORM)
    engines = [f"a=opensearch+{opensearch}/products?template={tmp_path}/t.json"]
    engines += [f"{name}=solr+{solr}/products?template={tmp_path}/{name}.params" for name in "tu"]
    found = ir.replay(texts, engines, k=5)
    assert found.account["state"].count("failed") == 0
    by_system = {name: found.account["results"][i * len(texts) :][: len(texts)] for i, name in enumerate("atu")}
    assert by_system["t"] == by_system["u"]
    assert by_system["t"][:2] == by_system["a"][:2]


def test_postgresql(postgresql: str, tmp_path: Path) -> None:
    """PostgreSQL with full-text search; values are bound, so quotes in a query are no SQL."""

    def by_hand(text: str) -> list[str]:
        statement = SQL.replace("{{query}}", "%(query)s").replace("{{k}}", "%(k)s")
        with psycopg.connect(postgresql) as connection:
            return [row[0] for row in connection.execute(statement, {"query": text, "k": SIZE})]

    checked(tmp_path, postgresql, by_hand, SQL, "sql")
    name, version, _, _ = record(tmp_path)
    assert name == "postgresql"
    assert version.split(".")[0].isdigit()
    mark = "&" if "?" in postgresql else "?"
    drop = ir.replay(["'; DROP TABLE products; --"], f"{postgresql}{mark}template={tmp_path}/title.sql")
    assert drop.account["state"] == ["empty"]
    (tmp_path / "w.sql").write_text("DELETE FROM products WHERE title = {{query}} RETURNING product_id")
    wrote = ir.replay(["x"], f"{postgresql}{mark}template={tmp_path}/w.sql")
    assert "read-only transaction" in wrote.account["error"][0]


def test_ids_in_a_field(opensearch: str, solr: str, tmp_path: Path) -> None:
    """Where the judged id is a field and not the engine's own, ?id= says so; a field nobody has is said at once."""
    engines = [f"a=opensearch+{opensearch}/products", f"b=opensearch+{opensearch}/products?id=product_id"]
    found = ir.replay(["shoes", "hat"], engines, k=5)
    lists = ir.overlap(found, k=5)
    assert lists["jaccard"] == [1.0, 1.0]
    (tmp_path / "t.params").write_text(FORM)
    by_title = ir.replay(["hat"], f"solr+{solr}/products?template={tmp_path}/t.params&id=title", k=3, fields=["id"])
    titles = {row["title"]: row["product_id"] for row in products()}
    assert {title: fields["id"] for title, fields in by_title.documents.items()}.items() <= titles.items()
    with pytest.raises(ir.DataError, match=r"a document without sku\. Say which field it is: \?id=NAME"):
        ir.replay(["shoes"], f"opensearch+{opensearch}/products?id=sku")


def test_several_engines_at_once(opensearch: str, solr: str, tmp_path: Path) -> None:
    """Two engines and the built-in one are asked together, and compared."""
    (tmp_path / "os.json").write_text(JSON)
    (tmp_path / "so.params").write_text(FORM)
    engines = [
        f"opensearch+{opensearch}/products?template={tmp_path}/os.json",
        f"solr+{solr}/products?template={tmp_path}/so.params",
        f"sqlite:{SHOP}/products.csv?columns=title&tokenize=unicode61",
    ]
    found = ir.replay(SHOP / "queries.csv", engines, k=20)
    assert found.systems == ("os", "so", "products")
    means = ir.evaluate(grades(), found, ["nDCG@10"]).means
    assert means["os"] == means["so"]
    assert ir.compare(grades(), found, measures=["nDCG@10"], baseline="os").systems == ("os", "so", "products")


def test_another_index_behind_a_wildcard(opensearch: str, tmp_path: Path) -> None:
    """OpenSearch answers a wildcard without an index by an empty list of 0 shards: replay calls it failed."""
    with pytest.raises(ir.DataError, match=r"every query would fail; the last: no index answers to nosuch\*"):
        ir.replay(["shoes"], f"opensearch+{opensearch}/nosuch*")


def test_size_0(opensearch: str, solr: str, tmp_path: Path) -> None:
    """A template that asks both engines for no result is found out by their number of matches."""
    (tmp_path / "a.json").write_text('{"query": {"match": {"title": "{{query}}"}}, "size": 0}')
    (tmp_path / "b.params").write_text(f"{FORM}rows=0\n")
    for engine in (f"opensearch+{opensearch}/products?template={tmp_path}/a.json",
                   f"solr+{solr}/products?template={tmp_path}/b.params"):  # fmt: skip
        with pytest.raises(ir.DataError, match=r"documents match, and contains none"):
            ir.replay(["shoes"], engine)


def test_what_failed_a_shard(opensearch: str, tmp_path: Path) -> None:
    """The reason that OpenSearch gives for a failed shard is in the error, with the index."""
    asked(f"{opensearch}/other/_doc/1?refresh=true", {"title": "shoes"}, "PUT")
    (tmp_path / "s.json").write_text('{"query": {"match": {"title": "{{query}}"}}, "sort": ["_score", "product_id"]}')
    try:
        found = ir.replay(["shoes"], f"opensearch+{opensearch}/products,other?template={tmp_path}/s.json")
    finally:
        asked(f"{opensearch}/other", None, "DELETE")
    assert "No mapping found for [product_id]" in found.account["error"][0]
    assert "(index other)" in found.account["error"][0]


def test_limits_beside_params(solr: str, tmp_path: Path) -> None:
    """A JSON template with params brings as many results as were asked for, not Solr's ten."""
    (tmp_path / "p.json").write_text('{"query": "{{query}}", "params": {"defType": "edismax", "qf": "title"}}')
    found = ir.replay(["shoes"], f"solr+{solr}/products?template={tmp_path}/p.json", k=15)
    assert found.account["results"] == [15]


def test_a_stored_template_of_the_engine(opensearch: str, tmp_path: Path) -> None:
    """A template that OpenSearch stores is called under _search/template, one by one and in batches."""
    source = {"query": {"match": {"title": "{{q}}"}}, "size": "{{n}}", "_source": False}
    asked(f"{opensearch}/_scripts/by_title", {"script": {"lang": "mustache", "source": source}}, "PUT")
    (tmp_path / "call.json").write_text('{"id": "by_title", "params": {"q": "{{query}}", "n": {{k}}}}')
    engine = f"opensearch+{opensearch}/products/_search/template?template={tmp_path}/call.json"
    single = ir.replay(["shoes", "hat"], engine, k=7)
    assert single.account["results"] == ir.replay(["shoes", "hat"], engine, k=7, batch=2).account["results"]
    assert single.account["results"][0] == 7


def test_why_each_score(opensearch: str, solr: str, tmp_path: Path) -> None:
    """Both engines explain their scores: the value of each explanation is the score that was written."""
    (tmp_path / "a.json").write_text(JSON)
    (tmp_path / "b.params").write_text(FORM)
    (tmp_path / "c.json").write_text('{"query": {"edismax": {"qf": "title", "query": "{{query}}"}}}')
    engines = [
        f"opensearch+{opensearch}/products?template={tmp_path}/a.json",
        f"solr+{solr}/products?template={tmp_path}/b.params",
        f"solr+{solr}/products?template={tmp_path}/c.json&id=title",
    ]
    found = ir.replay({"q": "running shoes"}, engines, k=5, explain=True, output=tmp_path / "out")
    assert found.account["results"] == [5, 5, 5]
    for name in "abc":
        lines = (tmp_path / "out" / "replay" / f"{name}.explain.jsonl").read_text().splitlines()
        rows = [json.loads(line) for line in lines]
        assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5]
        for row in rows:
            assert row["explanation"]["value"] == pytest.approx(row["score"], rel=1e-5)


def test_titles_that_did_not_come_back(opensearch: str, solr: str, tmp_path: Path) -> None:
    """Judged products that no query returned are fetched from either engine by their ids, with the right titles."""
    titles = {row["product_id"]: row["title"] for row in products()}
    judged = {"q": dict.fromkeys([*titles][:150], 1.0) | {"P,1/no such": 1.0}}
    for engine in (f"opensearch+{opensearch}/products", f"opensearch+{opensearch}/products?id=product_id",
                   f"solr+{solr}/products"):  # fmt: skip
        (tmp_path / "t.params").write_text(FORM)
        template = f"?template={tmp_path}/t.params" if engine.startswith("solr") else ""
        found = ir.replay({"q": "umbrella"}, engine + template, k=3, fields=["title"], judgments=judged)
        said = {key: fields["title"] for key, fields in found.documents.items() if key in judged["q"]}
        assert said == {key: titles[key] for key in [*titles][:150]}, engine
        assert found.notes[-1].endswith("1 not (not there): 'P,1/no such'.")


def test_the_identity_of_an_index(opensearch: str, solr: str, tmp_path: Path) -> None:
    """OpenSearch names its index by its uuid, Solr the version of its contents; the record has both."""
    (tmp_path / "s.params").write_text(FORM)
    engines = [f"o=opensearch+{opensearch}/products", f"solr+{solr}/products?template={tmp_path}/s.params"]
    ir.replay(["shoes"], engines, output=tmp_path / "out")
    kept = {name: json.loads((tmp_path / "out" / "replay" / f"{name}.json").read_text()) for name in "os"}
    settings = asked(f"{opensearch}/products/_settings")
    assert kept["o"]["uuid"] == settings["products"]["settings"]["index"]["uuid"]
    assert int(kept["s"]["index_version"]) > 0
