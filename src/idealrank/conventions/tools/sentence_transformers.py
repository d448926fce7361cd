"""sentence-transformers' InformationRetrievalEvaluator."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="sentence-transformers",
        tool="sentence-transformers",
        version="6.2.0",
        about="InformationRetrievalEvaluator: relevant documents are a set, so nDCG ignores grades. It searches the "
        "whole corpus for every query that has a relevant document.",
        answers={
            "order_by": "score",
            "ties": "docid_asc",
            "relevant_from": "positive",
            "ap_denominator": "min(R,k)",
            "no_relevant": "skip",
        },
        sources={
            "order_by": "compute_metrics: the score of each hit",
            "ties": "compute_metrics: sorted by (-score, corpus_id)",
            "relevant_from": "relevant_docs: query to set of document ids",
            "ap_denominator": "compute_metrics: min(k_val, len(query_relevant_docs))",
            "no_relevant": "__init__: queries without relevant_docs are not evaluated",
        },
        names={"ndcg": "BinaryNDCG", "cosine_ndcg": "BinaryNDCG"},
        measures=frozenset({"Success", "P", "R", "RR", "BinaryNDCG", "AP"}),
        faults=(
            "A query without a relevant document does not exist there; here accuracy, precision and mrr of it count 0. "
            "To match, leave it out of the judgments.",
            "Older versions, such as 5.1.0, leave equal scores in the order of a heap. To match, give the results in "
            "that order, with ties=given.",
            "Its example makes every row of the judgments a relevant document, including those with the grade 0.",
        ),
    ),
)
