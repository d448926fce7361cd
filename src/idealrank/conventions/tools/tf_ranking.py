"""TF-Ranking's Keras metrics, on the items of each list."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="tf-ranking",
        tool="TF-Ranking",
        version="0.5.5",
        about="Gain 2^l - 1; a list without relevant items counts 0. A label below 0 masks the item, so it is not a "
        "result; here a missing label does the same. If unjudged items were given the label 0, use unjudged=zero.",
        answers={
            "order_by": "score",
            "ties": "average",
            "score_precision": "float32",
            "gain": "exp2",
            "ideal": "returned",
            "unjudged": "filter",
            "short_list": "returned",
            "no_results": "skip",
        },
        sources={
            "order_by": "predictions",
            "ties": "utils.py, sort_by_scores: shuffled; the mean over all orders is what the draws average to",
            "score_precision": "tensors of float32",
            "gain": "metrics_impl.py, _DEFAULT_GAIN_FN",
            "ideal": "metrics_impl.py, NDCGMetric: the labels of the list, sorted by gain",
            "unjudged": "metrics_impl.py, _prepare_and_validate_params: a label below 0 is masked",
            "short_list": "metrics_impl.py, _per_list_precision: min(topn, valid items)",
            "no_results": "there is no such list",
        },
        names={
            "NDCGMetric": "nDCG",
            "DCGMetric": "DCG",
            "PrecisionMetric": "P",
            "RecallMetric": "R",
            "MeanAveragePrecisionMetric": "AP",
            "MRRMetric": "RR",
            "HitsMetric": "Success",
        },
        faults=(
            "It only knows the items of the list; here judged documents that were not returned count in R and AP.",
            "A list without relevant items gets the mean of the other lists' weights, regardless of its own.",
            "ARPMetric and OPAMetric are averaged by the sum of the labels and by the number of pairs; the values of "
            "single lists are ARP and OPA under other conventions.",
        ),
        measures=frozenset({"nDCG", "DCG", "P", "R", "AP", "RR", "Success"}),
    ),
)
