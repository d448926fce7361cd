"""Azure AI Evaluation's DocumentRetrievalEvaluator."""

from idealrank.conventions.convention import FROM_SOURCE, Convention

CONVENTIONS = (
    Convention(
        name="azure",
        tool="azure-ai-evaluation DocumentRetrievalEvaluator",
        version="1.18",
        about=f"It computes only ndcg@3 and xdcg@3, so ask for nDCG@3. {FROM_SOURCE}",
        answers={"order_by": "score", "ties": "given", "gain": "exp2"},
        sources={
            "order_by": "_document_retrieval.py, _do_eval: sorted by relevance_score",
            "ties": "_document_retrieval.py, _do_eval: sorted() keeps the order of the list",
            "gain": "_document_retrieval.py, _compute_ndcg: 2^label - 1 (an early commit was linear: gain=linear)",
        },
        names={
            "xdcg": "RankBiasedGain(gain={0: 0, 1: 25, 2: 50, 3: 75, 4: 100})",
            "top1_relevance": "CG(gain=linear)@1",
            "holes_ratio": "Unjudged",
        },
        faults=(
            "It refuses queries without judgments, and grades that are not whole numbers or are outside "
            "ground_truth_label_min and _max, 0 and 4 by default.",
            "fidelity is NaN for a query whose grades are all at the minimum, or 0 if nothing it returned has a "
            "grade above 0.",
            "fidelity, top3_max_relevance and the counts of holes and documents are not supported here.",
        ),
        measures=frozenset({"nDCG", "RankBiasedGain", "CG", "Unjudged"}),
    ),
)
