"""Haystack's evaluators of retrieved documents."""

from idealrank.conventions.convention import Convention, Fault

CONVENTIONS = (
    Convention(
        name="haystack",
        tool="Haystack",
        version="3.4.0",
        about="Compares the content of documents unless document_comparison_field is id or meta.KEY: give that as the "
        "document id, or use unit. There is no cutoff: @k stands for a retriever with top_k=k. DocumentRecallEvaluator "
        "is the hit rate (single_hit) by default; recall is its mode multi_hit. Only nDCG reads grades.",
        answers={
            "ties": "given",
            "duplicates": "first",
            "rank_gaps": "keep",
            "negative": "keep",
            "relevant_from": "positive",
            "ideal_depth": "all",
            "no_judgments": "0",
        },
        sources={
            "ties": "documents as retrieved",
            "duplicates": "document_map.py and document_ndcg.py: a document is credited once; document_recall.py: sets",
            "rank_gaps": "document_map.py: enumerate(retrieved), so a repeated document takes up a rank",
            "negative": "document_ndcg.py: scores are summed as they are; an ideal of 0 or less gives 0",
            "relevant_from": "document_recall.py, document_mrr.py, document_map.py: every document of the ground truth",
            "ideal_depth": "document_ndcg.py, calculate_idcg: every document of the ground truth",
            "no_judgments": "document_ndcg.py, run: an empty list of ground truth gives 0, and counts in the divisor",
        },
        names={
            "DocumentRecallEvaluator": "Success",
            "single_hit": "Success",
            "multi_hit": "R",
            "DocumentMRREvaluator": "RR",
            "DocumentMAPEvaluator": "AP",
            "DocumentNDCGEvaluator": "nDCG",
        },
        measures=frozenset({"Success", "R", "RR", "AP", "nDCG"}),
        switched=(
            Fault(
                "Before 3.1, MAP is divided by the relevant documents found, so missed documents cost nothing.",
                "document_map.py of 2.31.0; pull request 12255",
                {"ap_denominator": "hits"},
            ),
        ),
        faults=(
            "Before 3.1, a document returned twice is counted twice in MAP and nDCG: for one relevant document and the "
            "results [A, A], nDCG is 1.63 (pull request 11959). Here it counts once, and nDCG is 1.",
            "Chunks with the same content are one document if content is compared.",
            "A document of the ground truth with the score 0 is relevant there in all evaluators but nDCG; here it is "
            "not. To match, leave it out of the judgments or give it a grade above 0.",
        ),
    ),
)
