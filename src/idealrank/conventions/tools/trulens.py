"""TruLens: GroundTruthAgreement on golden chunks."""

from idealrank.conventions.convention import EVERY_ROW, Convention, Fault

CONVENTIONS = (
    Convention(
        name="trulens",
        tool="TruLens",
        version="2.16.0",
        about="Compares the text of chunks: give it as the document id. Only ndcg_at_k reads expect_score. Without k, "
        "the ideal list of ndcg_at_k is as long as the results. The numbers are of results without relevance_scores.",
        answers={
            "ties": "given",
            "duplicates": "first",
            "rank_gaps": "keep",
            "relevant_from": "positive",
            "short_list": "returned",
            "no_relevant": "skip",
        },
        sources={
            "ties": "groundtruth.py: chunks as retrieved; relevance_scores are sorted by a stable sort",
            "duplicates": "groundtruth.py: ndcg_at_k credits a chunk once, recall_at_k counts a set",
            "rank_gaps": "groundtruth.py: enumerate(retrieved_context_chunks), so a repeated chunk takes up a rank",
            "relevant_from": "groundtruth.py: golden chunks, whose expect_score is 1 unless given",
            "short_list": "groundtruth.py, precision_at_k: len(retrieved_top_k)",
            "no_relevant": "groundtruth.py: NaN without golden chunks, which pandas' mean leaves out",
        },
        by_measure={"P": {"no_results": "skip"}},
        sources_by_measure={"P": {"no_results": "groundtruth.py, precision_at_k: NaN if nothing was retrieved"}},
        names={
            "ndcg_at": "nDCG",
            "ndcg_at_k": "nDCG(ideal_depth=returned)",
            "precision_at": "P",
            "precision_at_k": "P",
            "recall_at": "R",
            "recall_at_k": "R",
            "ir_hit_rate": "Success",
        },
        measures=frozenset({"nDCG", "P", "R", "RR", "Success"}),
        switched=(
            Fault(
                "A golden chunk with the expect_score 0 counts as relevant in all measures but nDCG.",
                "groundtruth.py: precision_at_k, recall_at_k, mrr and ir_hit_rate take the text of every golden chunk",
                {"relevant_from": EVERY_ROW},
            ),
        ),
        faults=(
            "A chunk returned twice is counted twice in precision_at_k; here it counts once.",
            "Before issue 2746 was mended (2026), it was counted twice in recall_at_k and ndcg_at_k as well: for one "
            "golden chunk and the results [A, A, X], recall is 2.0 and nDCG 1.63. Here both are 1.",
            "With relevance_scores, precision_at_k and recall_at_k include every chunk whose score equals that of the "
            "k-th, so more than k count.",
            "A query without golden chunks has no number there; here its mrr and ir_hit_rate count 0. To match, leave "
            "it out of the judgments.",
            "ndcg_at_k without k has no number for a query without results; here it counts 0.",
        ),
    ),
)
