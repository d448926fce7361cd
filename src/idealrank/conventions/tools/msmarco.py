"""MS MARCO's script for passage ranking, ms_marco_eval.py."""

from idealrank.conventions.convention import EVERY_ROW, Convention

CONVENTIONS = (
    Convention(
        name="msmarco",
        tool="MS MARCO's ms_marco_eval.py",
        version="2019-04",
        about="MRR @10 of a run with ranks, over all judged queries; every row of the reference is relevant.",
        answers={
            "order_by": "rank",
            "rank_gaps": "keep",
            "negative": "keep",
            "relevant_from": EVERY_ROW,
            "systems": "one_run",
        },
        sources={
            "order_by": "load_candidate_from_stream: the third column is the place in the list",
            "rank_gaps": "load_candidate_from_stream: places without a row contain passage 0",
            "negative": "load_reference_from_stream: the grade is not read",
            "relevant_from": "load_reference_from_stream: the grade is not read",
            "systems": "load_candidate_from_stream: query, passage and place; one run",
        },
        faults=(
            "If several rows have the same rank, it keeps only the last. Here all are kept, in the order ties says.",
            "It takes rank 0 as rank 1000, and stops with an error at ranks above 1000.",
            "It finds passage 0 of the reference wherever the run has no row.",
        ),
        measures=frozenset({"RR"}),
    ),
)
