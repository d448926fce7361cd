"""LlamaIndex's RetrieverEvaluator: ids of expected nodes and of retrieved nodes; there are no grades."""

from idealrank.conventions.convention import Convention, Fault

CONVENTIONS = (
    Convention(
        name="llama-index",
        tool="LlamaIndex",
        version="0.14.25",
        about="Compares node ids. There is no cutoff: @k stands for a retriever with similarity_top_k=k. nDCG ignores "
        "grades, and its ideal list has all expected nodes, even if top_k is smaller: a short list cannot reach 1.",
        answers={
            "ties": "given",
            "duplicates": "first",
            "rank_gaps": "keep",
            "relevant_from": "positive",
            "ideal_depth": "all",
            "short_list": "returned",
        },
        sources={
            "ties": "evaluator.py: nodes as retrieved, after the postprocessors",
            "duplicates": "metrics.py, MRR and HitRate: a repeated id takes up a rank; Precision and Recall: sets",
            "rank_gaps": "metrics.py: enumerate(retrieved_ids)",
            "relevant_from": "metrics.py: every id of expected_ids",
            "ideal_depth": "metrics.py, NDCG: idcg is a sum over all expected_ids",
            "short_list": "metrics.py, Precision: len(set(retrieved_ids))",
        },
        by_measure={"P": {"rank_gaps": "close"}},
        sources_by_measure={
            "P": {"rank_gaps": "metrics.py, Precision: set(retrieved_ids), so repeated ids are removed"}
        },
        names={"ndcg": "BinaryNDCG", "granular_hit_rate": "R"},
        measures=frozenset({"Success", "RR", "P", "R", "AP", "BinaryNDCG"}),
        switched=(
            Fault(
                "A query for which the retriever returns nothing stops the evaluation with a ValueError; here it "
                "counts 0.",
                "metrics.py: every compute() refuses empty lists",
                {"no_results": "error"},
            ),
        ),
        faults=(
            "A node returned twice is counted twice in ap, ndcg and the granular hit rate, which can exceed 1: for one "
            "expected node and the results [A, A], ap is 2.0 and ndcg 1.63. Here it counts once, and both are 1.",
            "A query without expected ids stops the evaluation with a ValueError. To match, leave it out.",
            "The granular mrr (use_granular_mrr=True) is the mean of 1/rank over the relevant nodes found; it is not "
            "supported.",
            "Expected ids of documents never match there: retrieved ids are those of nodes, the chunks of a document. "
            "Every metric is then 0. Here `unit` says which document a node is a part of.",
        ),
    ),
)
