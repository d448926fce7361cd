"""TF-Ranking's Keras metrics: float32; scores without ties, which it shuffles; a label below 0 masks the item.

A result nobody judged is masked too; for the measures whose names end in "zero" it has the label 0. Where a
name ends in "weighted", the lists weigh 1, 2, 3 and so on.
"""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import given
import tensorflow_ranking as tfr

METRICS = {
    "NDCGMetric": tfr.keras.metrics.NDCGMetric,
    "DCGMetric": tfr.keras.metrics.DCGMetric,
    "PrecisionMetric": tfr.keras.metrics.PrecisionMetric,
    "RecallMetric": tfr.keras.metrics.RecallMetric,
    "MeanAveragePrecisionMetric": tfr.keras.metrics.MeanAveragePrecisionMetric,
    "MRRMetric": tfr.keras.metrics.MRRMetric,
    "HitsMetric": tfr.keras.metrics.HitsMetric,
}


def rows():
    """Every list by itself, then the mean of all, padded to the longest with masked items."""
    for grades in ("grade", "fraction"):
        for unjudged, ending in ((-1.0, ""), (0.0, " zero")):
            lists = [
                (query, [unjudged if g is None else float(g) for g in found], scores)
                for query, _, found, scores in given.ranked(grades, "untied")
            ]
            for k in given.CUTOFFS:
                for name, metric in METRICS.items():
                    said = f"{name}(topn={k}){ending}"
                    for query, labels, scores in lists:
                        yield grades, "untied", said, query, metric(topn=k)([labels], [scores])
                    width = max(len(scores) for _, _, scores in lists)
                    padded = [[*labels, *[-1.0] * (width - len(labels))] for _, labels, _ in lists]
                    scores = [[*scores, *[0.0] * (width - len(scores))] for _, _, scores in lists]
                    yield grades, "untied", said, "all", metric(topn=k)(padded, scores)
                    if name == "NDCGMetric":
                        weights = [[1.0 + place] for place in range(len(lists))]
                        yield grades, "untied", f"{said} weighted", "all", metric(topn=k)(padded, scores, weights)


given.write("tensorflow_ranking", "tensorflow_ranking tensorflow-cpu", rows())
