"""trectools, also behind Hugging Face's evaluate/trec_eval."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="trectools",
        tool="trectools",
        version="0.0.50",
        about="Every measure but nDCG sorts by score; nDCG takes the rows as they stand.",
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
            "systems": "trec_run.py: the system column is read, and no measure looks at it",
        },
        by_measure={"nDCG": {"order_by": "given", "ties": "given"}},
        sources_by_measure={
            "nDCG": {
                "order_by": "trec_eval.py, get_ndcg: the first rows of each query as they stand, nothing is sorted",
                "ties": "the same",
            }
        },
        faults=(
            "A run read from a file is sorted as it is read, by score and then by document id: for its nDCG say "
            "order_by=score, ties=docid_asc. Rows put into run_data are not.",
            "Bpref of a query without a judged document of grade 0 or below is 0/0 there, and 0; here each relevant "
            "result counts in full. Grades below zero count in its divisor there, but not among the results.",
        ),
        measures=frozenset({"nDCG", "P", "R", "AP", "RR", "Rprec", "Bpref", "NumRet", "NumRel", "NumRelRet"}),
    ),
)
