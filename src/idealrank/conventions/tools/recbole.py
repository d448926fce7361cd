"""RecBole's top-k metrics: items of the test set are relevant; there are no grades."""

from idealrank.conventions.convention import FROM_SOURCE, Convention

CONVENTIONS = (
    Convention(
        name="recbole",
        tool="RecBole",
        version="1.2.1",
        about=f"The top-k metrics, printed with four decimals. nDCG ignores grades. {FROM_SOURCE}",
        order_of_ties="torch.topk, which promises none",
        answers={
            "order_by": "score",
            "score_precision": "float32",
            "ties": "given",
            "relevant_from": "positive",
            "no_relevant": "skip",
        },
        sources={
            "order_by": "collector.py: torch.topk of the scores",
            "score_precision": "PyTorch's default type",
            "ties": "collector.py: torch.topk leaves equal scores in no fixed order",
            "relevant_from": "collector.py: pos_matrix is 1 for the items of the test set",
            "no_relevant": "users without such items are not evaluated",
        },
        by_measure={"AP": {"ap_denominator": "min(R,k)"}},
        sources_by_measure={"AP": {"ap_denominator": "metrics.py, MAP: actual_len"}},
        names={"nDCG": "BinaryNDCG"},
        faults=(
            "metrics.py uses np.float, which NumPy removed in 1.24, so it stops with an AttributeError.",
            "A user without items in the test set does not exist there; here hit, mrr and precision of a query without "
            "relevant documents count 0. To match, leave it out of the judgments.",
            "gauc weights users by their relevant items and auc pools all users; neither is supported.",
        ),
        measures=frozenset({"BinaryNDCG", "Success", "RR", "AP", "R", "P"}),
    ),
)
