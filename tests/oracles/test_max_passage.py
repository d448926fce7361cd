"""Units against Anserini's MaxP: its loop, transcribed, and pytrec_eval on the run that it writes."""

from __future__ import annotations

import random
import re

import pytest
import pytrec_eval

import idealrank as ir
from tests.amounts import tried

MEASURES = {"ndcg_cut_10": "nDCG@10", "map": "AP", "recip_rank": "RR", "P_5": "P@5", "recall_10": "R@10"}


def max_passage(run: dict[str, float], delimiter: str, hits: int) -> dict[str, float]:
    """castorini/anserini, BaseSearcher.java, processLuceneTopDocs (81e3414): a transcription.

    Hits come by score, each is cut at the first match of the delimiter, and a document that was seen is passed over.
    """
    kept: dict[str, float] = {}
    for passage, score in sorted(run.items(), key=lambda item: -item[1]):
        document = re.split(delimiter, passage)[0]
        if document not in kept:
            kept[document] = score
        if len(kept) == hits:
            break
    return kept


@pytest.mark.parametrize("seed", range(tried(20)))
def test_units_are_those_of_max_passage(seed: int) -> None:
    """unit=before(#) with roll_up=first or max gives what pytrec_eval gives on the run that MaxP writes."""
    rng = random.Random(seed)
    qrels, run, rolled = {}, {}, {}
    for query in (f"q{number}" for number in range(20)):
        docs = [f"D{number}" for number in rng.sample(range(100), 30)]
        qrels[query] = {doc: rng.choice((0, 1, 1, 2)) for doc in rng.sample(docs, 12)} | {"D200": 1}
        passages = [f"{doc}#{number}" for doc in docs for number in range(rng.randint(1, 4))]
        scores = rng.sample(range(1000), len(passages))
        run[query] = {passage: float(score) for passage, score in zip(passages, scores, strict=True)}
        rolled[query] = max_passage(run[query], "#", 1000)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES)).evaluate(rolled)
    for roll_up in ("first", "max"):
        how = {"convention": "pytrec_eval", "unit": "before(#)", "roll_up": roll_up}
        scores = ir.evaluate(qrels, run, list(MEASURES.values()), **how)
        for name, ours in MEASURES.items():
            mean = sum(values[name] for values in theirs.values()) / len(theirs)
            assert scores[ours] == pytest.approx(mean, abs=1e-12), (roll_up, name)
