"""Hugging Face evaluate's trec_eval, which is trectools on a run whose scores are float32."""

from idealrank.conventions.convention import Convention
from idealrank.conventions.tools.trectools import CONVENTIONS as _TRECTOOLS

(_BELOW,) = _TRECTOOLS

CONVENTIONS = (
    Convention(
        name="huggingface",
        tool="Hugging Face evaluate, trec_eval",
        version="0.4.6",
        about="trectools on the rows of one system, means only; its nDCG takes the rows in the given order.",
        answers={**_BELOW.answers, "score_precision": "float32"},
        sources={**_BELOW.sources, "score_precision": 'metrics/trec_eval/trec_eval.py: the feature Value("float")'},
        by_measure=_BELOW.by_measure,
        sources_by_measure=_BELOW.sources_by_measure,
        faults=(
            "Query ids and grades have to be whole numbers.",
            "map looks at the first 10,000 results of a query, recip_rank, Rprec and bpref at the first 1,000.",
            "num_q and num_ret also count queries without judgments, and num_rel also counts the relevant documents of "
            "queries without results.",
            "gm_map is NaN as soon as a query has judgments but no results, or nothing relevant.",
            "Rprec stops with an error at results for a query without judgments.",
            *_BELOW.faults[1:],
        ),
        measures=frozenset({"nDCG", "P", "AP", "RR", "Rprec", "Bpref", "NumRet", "NumRel", "NumRelRet", "NumQ"}),
    ),
)
