"""Nine real runs of TREC-COVID round 1: the means NIST published, and trec_eval's code on every topic."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import pytrec_eval

import idealrank as ir
from tests.oracles.conftest import Compare
from tests.oracles.data import Grades, Scores, values

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "trec-covid-round1"
RUNS = sorted(json.loads((FOLDER / "nist.json").read_text(encoding="utf-8"))) if FOLDER.is_dir() else ["absent"]
# NIST calls ndcg what it cut at rank 10: only so are its figures reached, by trec_eval's own code too.
NAMES = {"map": "map", "ndcg": "ndcg_cut_10", "P_5": "P_5", "bpref": "bpref"}
HALF_A_DIGIT = 0.00005 + 1e-9

pytestmark = [
    pytest.mark.skipif(not FOLDER.is_dir(), reason="the TREC-COVID runs are not beside the repository"),
    pytest.mark.parametrize("run", RUNS),
]


def test_published_means(run: str, compare: Compare) -> None:
    """Means over all 30 topics are NIST's to four decimals; a topic without results counts 0."""
    published = json.loads((FOLDER / "nist.json").read_text(encoding="utf-8"))[run]
    scores = ir.evaluate(
        FOLDER / "qrels.txt",
        FOLDER / "runs" / f"{run}.gz",
        list(NAMES.values()),
        convention="trec_eval-9.0.8, no_results=0",
    )
    found = {name: scores[NAMES[name]] for name in published}
    compare("NIST (TREC-COVID round 1)", found, published, run, HALF_A_DIGIT)


def test_every_topic(run: str, compare: Compare) -> None:
    """Every topic's values are those of trec_eval's code, read from the same files."""
    names = ["ndcg", "ndcg_cut_10", "map", "bpref", "recip_rank", "Rprec", "P_5", "recall_1000"]
    judgments: Grades = {}
    for line in (FOLDER / "qrels.txt").read_text(encoding="utf-8").splitlines():
        topic, _, doc, grade = line.split()
        judgments.setdefault(topic, {})[doc] = int(grade)
    results: Scores = {}
    with gzip.open(FOLDER / "runs" / f"{run}.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            topic, _, doc, _, score, *_ = line.split()
            results.setdefault(topic, {})[doc] = float(score)
    asked = {"ndcg", "ndcg_cut.10", "map", "bpref", "recip_rank", "Rprec", "P.5", "recall.1000"}
    oracle = pytrec_eval.RelevanceEvaluator(judgments, asked).evaluate(results)
    scores = ir.evaluate(FOLDER / "qrels.txt", FOLDER / "runs" / f"{run}.gz", names, convention="trec_eval-9.0.8")
    for place, name in enumerate(names):
        expected = {topic: found[name] for topic, found in oracle.items()}
        compare("pytrec-eval-terrier", values(scores, place), expected, f"{run} {name}")
