"""The decisions of the stage value: what a query's list is worth."""

from __future__ import annotations

from dataclasses import dataclass

from idealrank.decisions.forms import GAIN_TABLE, LOGARITHM, GainTable
from idealrank.decisions.question import decision

_DENOMINATORS = {
    "R": "all relevant documents (trec_eval, ranx)",
    "min(R,k)": "as many as fit into k (CatBoost, XGBoost, recommenders, RecBole)",
    "min(R,k,n)": "as many as fit into k and into what was returned (LightGBM)",
    "hits": "the relevant documents found in the top k (torchmetrics)",
}


_RECALL_DENOMINATORS = {
    "R": "all relevant documents (trec_eval, ranx, CatBoost)",
    "min(R,k)": "as many as fit into k (capped recall: BEIR's R_cap)",
    "min(R,k,n)": "as many as fit into k and into what was returned",
    "hits": "the relevant documents found in the top k",
}


@dataclass(frozen=True)
class ValueDecisions:
    """What is answered where a query's value is computed; of several answers the first is the default."""

    gain: str | GainTable = decision(  # noqa: RUF009 (it returns a field)
        "value",
        "What is a grade worth?",
        {
            "linear": "itself (trec_eval, scikit-learn, ranx, CatBoost Base)",
            "whole": "itself without its fraction: 1.7 is 1 (trec_eval, pyserini, ranx: they read whole grades)",
            "exp2": "2^grade - 1 (gdeval, LightGBM, Quepid, OpenSearch, CatBoost Exp, notebooks 000, 001, 003)",
            "{grade: gain}": "what a table says (trec_eval -m ndcg.1=3, LightGBM label_gain)",
        },
        form=GAIN_TABLE,
    )
    discount: str = decision(
        "value",
        "How much does a rank count?",
        {
            "log2": "1/log2(rank + 1) (nearly everybody)",
            "ln": "1/ln(rank + 1) (gdeval, recommenders, notebook 000); cancels in nDCG",
            "reciprocal": "1/rank (CatBoost Position, cheat-at-search)",
            "log(b)": "1 before rank b, 1/log_b(rank) from there (Järvelin and Kekäläinen 2002)",
            "none": "all ranks count alike",
        },
        form=LOGARITHM,
    )
    ideal: str = decision(
        "value",
        "Measured against which best list?",
        {
            "global": "all judged documents of the query, best first (trec_eval, ranx, Quepid, notebooks 002, 004)",
            "returned": "all returned documents, re-sorted (scikit-learn, CatBoost, LightGBM, notebook 003)",
            "local": "the top k re-sorted (veritail)",
            "max": "the scale's top grade at every rank (cwl_eval, cheat-at-search)",
        },
    )
    ideal_depth: str = decision(
        "value",
        "How deep is the ideal list?",
        {
            "cutoff": "k; without a cutoff all judged for global, the number returned for the others (trec_eval)",
            "returned": "min(k, number returned) (Elasticsearch, notebook 002)",
            "all": "the whole list, whatever k (Quepid's nDCG@10); with ideal=max a measure that reads both is refused",
        },
    )
    max_grade: float | str = decision(
        "value",
        "What is the top of the grade scale?",
        {"highest": "the highest grade in the whole judgment table"},
        number="the declared top grade; a grade above it is an error",
    )
    cutoff: str = decision(
        "value",
        "Does rank k count?",
        {
            "at_most_k": "rank <= k",
            "below_k": "rank < k. The ideal keeps k, but for ideal=local, and so do the divisors of RankBiasedGain and "
            "NormalisedRBP; those of INSQ, INST, BPM and NERR* end at k - 1 (a slip in notebook 000)",
        },
    )
    unjudged: float | str = decision(
        "value",
        "A result nobody judged?",
        {
            "zero": "counts as grade 0 and keeps its rank (trec_eval, DCG-z)",
            "filter": "is removed and the ranks close up (trec_eval -J, DCG-f)",
        },
        number="counts as this grade, and as judged; R and the global ideal know judged documents only: "
        "R, AP, F1, Bpref and nDCG can exceed 1",
    )
    negative: str = decision(
        "value",
        "A grade below zero?",
        {
            "unjudged": "pooled, not judged (TREC)",
            "zero": "counts as grade 0",
            "keep": "counts as it is (scikit-learn's dcg_score, CatBoost, Elasticsearch, Quepid); where a grade is a "
            "chance, or a share of the top of the scale, it counts 0",
        },
    )
    relevant_from: float | str = decision(
        "value",
        "From which grade is a document relevant, for binary measures?",
        {"positive": "any grade above 0 (trectools, gdeval, Quepid)"},
        number="this grade and above (trec_eval -l, ir_measures rel=)",
        default=1.0,
    )
    short_list: str = decision(
        "value",
        "P@k when fewer than k results came back: divide by what?",
        {
            "k": "k (trec_eval, ranx)",
            "returned": "min(k, number returned) (OpenSearch, RRE, CatBoost, XGBoost)",
            "judged": "the judged results in the top k (Elasticsearch ignore_unlabeled)",
        },
    )
    ap_denominator: str = decision("value", "AP is divided by what?", _DENOMINATORS)
    recall_denominator: str = decision("value", "R@k is divided by what?", _RECALL_DENOMINATORS)
    recall_points: str = decision(
        "value",
        "How many relevant documents are a share of recall?",
        {
            "nearest": "x R rounded to the nearest whole number, a half up (trec_eval 10.0)",
            "up": "x R + 0.9 cut off, which rounds up from a tenth on (trec_eval 9.0.8, pytrec_eval)",
        },
    )
    no_relevant: str = decision(
        "value",
        "A measure that is 0/0 for a query (no relevant document, an ideal of zero)?",
        {
            "0": "counts 0 (trec_eval, scikit-learn)",
            "1": "counts 1 (NDCG of CatBoost, LightGBM, XGBoost, notebook 003; map of LightGBM and XGBoost)",
            "skip": "leaves the query out (gdeval)",
        },
    )
