"""TF-Ranking's Keras metrics, on the items of each list."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="tf-ranking",
        tool="TF-Ranking",
        version="0.5.5",
        about="Gain 2^l - 1; a list without relevant items counts 0. A label below 0 masks the item, which is then no "
        "result; so does having no label here. Where unjudged items went in with the label 0, say unjudged=zero.",
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
            "ties": "utils.py, sort_by_scores: shuffled; the mean of all orders is the mean of the draws",
            "score_precision": "tensors of float32",
            "gain": "metrics_impl.py, _DEFAULT_GAIN_FN",
            "ideal": "metrics_impl.py, NDCGMetric: the labels of the list, sorted by gain",
            "unjudged": "metrics_impl.py, _prepare_and_validate_params: a label below 0 is masked",
            "short_list": "metrics_impl.py, _per_list_precision: min(topn, valid items)",
            "no_results": "no list",
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
            "It knows the items of the list only: judged documents that were not returned count in R and AP here.",
            "A list without relevant items has the average of the other lists' weights, whatever its own.",
            "ARPMetric and OPAMetric are averaged by the sum of the labels and by the number of pairs: the values of "
            "single lists are ARP and OPA under other conventions.",
        ),
        measures=frozenset({"nDCG", "DCG", "P", "R", "AP", "RR", "Success"}),
    ),
)
