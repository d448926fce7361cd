"""trectools, also behind Hugging Face's evaluate/trec_eval."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="trectools",
        tool="trectools",
        version="0.0.50",
        about="Every measure except nDCG sorts by score; nDCG takes the rows in the given order.",
        answers={
            "order_by": "score",
            "relevant_from": "positive",
            "no_results": "skip_missing",
            "no_judgments": "0",
            "systems": "pooled",
        },
        sources={
            "order_by": "trec_eval.py: sort by query, score, docid, all but the query descending",
            "relevant_from": "trec_eval.py: rel > 0 everywhere",
            "no_results": "sums run over the topics of the run",
            "no_judgments": "the divisor is the number of topics in the run",
            "systems": "trec_run.py: the system column is read, but no measure uses it",
        },
        by_measure={"nDCG": {"order_by": "given", "ties": "given"}},
        sources_by_measure={
            "nDCG": {
                "order_by": "trec_eval.py, get_ndcg: the first rows of each query in the given order; nothing is "
                "sorted",
                "ties": "the same",
            }
        },
        faults=(
            "A run read from a file is sorted on reading, by score and then by document id, so its nDCG needs "
            "order_by=score, ties=docid_asc. Rows put into run_data are not sorted.",
            "Bpref of a query without a judged document of grade 0 or below is 0/0 there, which gives 0; here each "
            "relevant result counts in full. There, grades below zero count in its divisor but not among the results.",
        ),
        measures=frozenset({"nDCG", "P", "R", "AP", "RR", "Rprec", "Bpref", "NumRet", "NumRel", "NumRelRet"}),
    ),
)
