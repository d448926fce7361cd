"""The numbers of other tools on the pages that compare them with idealrank.

They were printed by the tools themselves, once, on the files of the examples: Quepid 8.6.0 by its own scorers
(`db/scorers`, with `lib/scorer_logic.js`) in Node.js; OpenSearch by `Evaluation.java` of search-relevance 3.1;
Ragas 0.4.3 and DeepEval 4.1.10 by their metrics, with the judgments as the verdicts of the model they ask.
ir_measures, pytrec_eval and ranx are called by their pages.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import idealrank as ir
from tests.docs.blocks import ROOT

SHOP = ROOT / "examples" / "shop"
FILES = (SHOP / "judgments.csv", [SHOP / "bm25.csv", SHOP / "hybrid.csv"])
RAG = ROOT / "examples" / "tools" / "rag" / "ragas.jsonl"

QUEPID = {
    "nDCG@10": (0.7195483762323953, 0.7712976268716096),
    "nDCG(ideal_depth=cutoff)@10": (0.7219523763548366, 0.7741540040563868),
    "P@10": (0.5141666666666665, 0.4933333333333333),
}
QUEPID_RR = (0.8541666666666666, 0.9175000000000001)
OPENSEARCH = (0.7048780487804878 * 41 / 42, 0.7546341463414633 * 41 / 42)
"""Over 41 judged queries, and a 42nd that nobody judged, for which its metric is 0."""
RAGAS = {
    "id_based_context_precision": 0.6666666666666666,
    "id_based_context_recall": 0.45714285714285713,
    "context_precision": 0.8624999999737154,
}
"""It adds 1e-10 to the divisor of the last one."""
DEEPEVAL = 0.8624999999999999


def page_numbers(page: str) -> list[tuple[float, ...]]:
    """Return the numbers of six decimals in the rows of a page's tables."""
    text = Path(ROOT, "docs", f"{page}.md").read_text("utf-8")
    rows = (re.findall(r"\| (\d\.\d{6})(?= \|)", line) for line in text.splitlines())
    return [tuple(map(float, row)) for row in rows if row]


def test_quepid() -> None:
    """Under its convention the means are those of its scorers, and the page has them in this order."""
    scores = ir.evaluate(*FILES, list(QUEPID), convention="quepid-browser")
    for row, expected in zip(scores.means, QUEPID.values(), strict=True):
        assert (row["bm25"], row["hybrid"]) == pytest.approx(expected, abs=1e-14)
    found = next(iter(ir.evaluate(*FILES, ["RR@10"], no_results="skip").means))
    assert (found["bm25"], found["hybrid"]) == pytest.approx(QUEPID_RR, abs=1e-14)
    assert page_numbers("versus-quepid") == [tuple(round(x, 6) for x in row) for row in (*QUEPID.values(), QUEPID_RR)]


def test_opensearch() -> None:
    """Under its convention the means are those of its class, and the page has them."""
    row = next(iter(ir.evaluate(*FILES, ["nDCG@10"], convention="opensearch").means))
    assert (row["bm25"], row["hybrid"]) == pytest.approx(OPENSEARCH, abs=1e-14)
    assert page_numbers("versus-opensearch") == [tuple(round(x, 6) for x in OPENSEARCH)]


def test_ragas_and_deepeval() -> None:
    """Under the convention of Ragas the means are theirs, and the page has them."""
    scores = ir.evaluate(RAG, measures=list(RAGAS), convention="ragas")
    means = [row["mean"] for row in scores.means]
    assert means == pytest.approx(list(RAGAS.values()), abs=1e-10)
    assert means[-1] == pytest.approx(DEEPEVAL, abs=1e-15)
    assert page_numbers("versus-rag") == [(round(x, 6),) for x in (*RAGAS.values(), DEEPEVAL)]
