"""cwl_eval's expected utility: gains between 0 and 1 as grades."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="cwl-eval",
        tool="cwl_eval",
        version="1.0.12",
        about="Grades are gains from 0 to 1, and a higher one is an error. Results count in the given order. NDCG-k "
        "has no ideal: it is divided by the sum of the discounts. The value here is what it prints as EU.",
        answers={
            "order_by": "given",
            "ties": "given",
            "ideal": "max",
            "max_grade": 1,
            "relevant_from": "positive",
            "no_results": "skip",
            "no_judgments": "0",
            "systems": "one_run",
        },
        sources={
            "order_by": "cwl_eval.py, main: documents as read; rank and score are ignored",
            "ties": "the same",
            "ideal": "measures/cwl_dcg.py: the weights of the ranks sum to 1; there is no ideal list",
            "max_grade": "trec_qrel_handler.py, validate_gains; --max_gain 1",
            "relevant_from": "measures/cwl_rr.py and cwl_ap.py: a gain above 0",
            "no_results": "a topic is printed when its results end",
            "systems": "cwl_eval.py, main: topics and documents as read; the tag is ignored",
            "no_judgments": "ranking.py, get_gain_vector: an unjudged result is NaN, which becomes the lowest gain",
        },
        by_measure={"AP": {"ap_denominator": "hits"}},
        sources_by_measure={
            "AP": {"ap_denominator": "measures/cwl_ap.py: the weights come from the relevant results, not from R"}
        },
        names={"NDCG-k": "nDCG"},
        faults=(
            "P, RR and AP agree for gains of 0 and 1. With gains in between, its P@k is AverageGain@k here, its RBP is "
            "GradedRBP, its RR stops at the first gain above 0 and takes its worth, and its AP weights by gains.",
            "It looks at 1,000 results (--max_depth) and distributes the weights among these: use INST@1000, "
            "INSQ@1000, NERR10@1000 and NERR11@1000 here.",
            "A grade below 0 stops it.",
        ),
        measures=frozenset(
            {
                *("nDCG", "P", "RR", "AP", "RBP", "GradedRBP", "AverageGain", "INST", "INSQ", "BPM"),
                *("NERR8", "NERR9", "NERR10", "NERR11"),
            }
        ),
    ),
)
