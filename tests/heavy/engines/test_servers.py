"""An engine that was started contains the example shop; what each finds in it, test_live.py asks."""

from __future__ import annotations

from tests.heavy.engines.shop import asked, products


def test_opensearch_is_whole(opensearch: str) -> None:
    """OpenSearch says what it is, counts, and answers several searches at once."""
    assert asked(opensearch)["version"]["distribution"] == "opensearch"
    assert asked(f"{opensearch}/products/_count")["count"] == len(products())
    answer = asked(f"{opensearch}/products/_msearch", b'{}\n{"query": {"match_all": {}}}\n{}\n{"size": 0}\n')
    assert [len(response["hits"]["hits"]) for response in answer["responses"]] == [10, 0]
