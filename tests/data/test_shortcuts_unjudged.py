"""A single query whose results nobody judged is scored, not refused."""

import idealrank as ir


def test_one_query_of_unjudged_results() -> None:
    """A ranking without any judged document is worth 0, and its results are counted as unjudged."""
    scores = ir.evaluate(*ir.from_ranking(["d4", "d2"], {"d1": 2}), ["nDCG@10", "RR", "Judged@2"])
    assert [scores[name] for name in ("nDCG@10", "RR", "Judged@2")] == [0.0, 0.0, 0.0]
    assert scores.ledger.systems[0].counts["unjudged results"] == 2
