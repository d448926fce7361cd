"""The decisions of the stage value: how to score a query's list."""

from __future__ import annotations

from dataclasses import dataclass

from idealrank.decisions.forms import GAIN_TABLE, LOGARITHM, GainTable
from idealrank.decisions.question import decision

_DENOMINATORS = {
    "R": "all relevant documents (trec_eval, ranx)",
    "min(R,k)": "as many as fit into k (CatBoost, XGBoost, recommenders, RecBole)",
    "min(R,k,n)": "as many as fit into k and into what was returned (LightGBM)",
    "hits": "the relevant documents found in the top k (torchmetrics, Ragas)",
}


_RECALL_DENOMINATORS = {
    "R": "all relevant documents (trec_eval, ranx, CatBoost)",
    "min(R,k)": "as many as fit into k (capped recall: BEIR's R_cap)",
    "min(R,k,n)": "as many as fit into k and into what was returned",
    "hits": "the relevant documents found in the top k",
}


@dataclass(frozen=True)
class ValueDecisions:
    """Decisions made when a query's value is computed; the first answer is the default."""

    gain: str | GainTable = decision(  # noqa: RUF009 (it returns a field)
        "value",
        "How much is a grade worth?",
        {
            "linear": "the grade itself (trec_eval, scikit-learn, ranx, CatBoost Base)",
            "whole": "its whole part: 1.7 is worth 1 (trec_eval, pyserini, ranx: they read whole grades)",
            "exp2": "2^grade - 1 (gdeval, LightGBM, Quepid, OpenSearch, CatBoost Exp, notebooks 000, 001, 003)",
            "{grade: gain}": "what the table says (trec_eval -m ndcg.1=3, LightGBM label_gain)",
        },
        form=GAIN_TABLE,
    )
    discount: str = decision(
        "value",
        "How much does a rank count?",
        {
            "log2": "1/log2(rank + 1) (almost every tool)",
            "ln": "1/ln(rank + 1) (gdeval, recommenders, notebook 000); cancels in nDCG",
            "reciprocal": "1/rank (CatBoost Position, cheat-at-search)",
            "log(b)": "1 before rank b, 1/log_b(rank) from rank b on (Järvelin and Kekäläinen 2002)",
            "none": "all ranks count equally",
        },
        form=LOGARITHM,
    )
    ideal: str = decision(
        "value",
        "What is the ideal list?",
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
            "cutoff": "k; without a cutoff, all judged for global and the number returned for the others (trec_eval)",
            "returned": "min(k, number returned) (Elasticsearch, MLflow, notebook 002)",
            "all": "the whole list, regardless of k (Quepid's nDCG@10, LlamaIndex, Haystack); measures that read this "
            "and `ideal` refuse ideal=max",
        },
    )
    max_grade: float | str = decision(
        "value",
        "What is the highest grade on the scale?",
        {"highest": "the highest grade in the whole judgment table"},
        number="the highest grade; a grade above it is an error",
    )
    cutoff: str = decision(
        "value",
        "Does rank k count?",
        {
            "at_most_k": "rank <= k",
            "below_k": "rank < k. The ideal keeps k, except with ideal=local, and so do the divisors of RankBiasedGain "
            "and NormalisedRBP; those of INSQ, INST, BPM and NERR* end at k - 1 (a slip in notebook 000)",
        },
    )
    unjudged: float | str = decision(
        "value",
        "What happens to a result nobody judged?",
        {
            "zero": "counts as grade 0 and keeps its rank (trec_eval, DCG-z)",
            "filter": "is removed and the ranks close up (trec_eval -J, DCG-f)",
        },
        number="counts as this grade, and as judged. R, AP, F1, Bpref and nDCG can then exceed 1, because the number "
        "of relevant documents and the global ideal include judged documents only",
    )
    negative: str = decision(
        "value",
        "What does a grade below zero mean?",
        {
            "unjudged": "in the pool but not judged (TREC)",
            "zero": "it counts as grade 0",
            "keep": "it counts as it is (scikit-learn's dcg_score, CatBoost, Elasticsearch, Quepid), except where a "
            "grade is a probability or a share of the highest grade: there it counts 0",
        },
    )
    relevant_from: float | str = decision(
        "value",
        "From which grade on is a document relevant, for binary measures?",
        {"positive": "any grade above 0 (trectools, gdeval, Quepid)"},
        number="from this grade on (trec_eval -l, ir_measures rel=)",
        default=1.0,
    )
    short_list: str = decision(
        "value",
        "What is P@k divided by if fewer than k results came back?",
        {
            "k": "k (trec_eval, ranx)",
            "returned": "min(k, number returned) (OpenSearch, RRE, CatBoost, XGBoost)",
            "judged": "the judged results in the top k (Elasticsearch ignore_unlabeled)",
        },
    )
    ap_denominator: str = decision("value", "What is AP divided by?", _DENOMINATORS)
    recall_denominator: str = decision("value", "What is R@k divided by?", _RECALL_DENOMINATORS)
    recall_points: str = decision(
        "value",
        "How many relevant documents make up a level of recall?",
        {
            "nearest": "x R rounded to the nearest whole number, halves up (trec_eval 10.0)",
            "up": "x R + 0.9 truncated, which rounds up from a tenth on (trec_eval 9.0.8, pytrec_eval)",
        },
    )
    no_relevant: str = decision(
        "value",
        "What if a measure is 0/0 for a query (no relevant document, or an ideal of zero)?",
        {
            "0": "the query counts 0 (trec_eval, scikit-learn)",
            "1": "the query counts 1 (NDCG of CatBoost, LightGBM, XGBoost, notebook 003; map of LightGBM and XGBoost)",
            "skip": "the query is left out (gdeval)",
        },
    )
