"""Ragas: precision and recall of ids; and its average precision of verdicts, which a model gives there.

The verdict on a result is here whether it is judged relevant. The mean leaves out what is no number.
"""

import asyncio
import math

import given
from ragas.dataset_schema import SingleTurnSample
from ragas.metrics import IDBasedContextPrecision, IDBasedContextRecall, NonLLMContextPrecisionWithReference
from ragas.utils import safe_nanmean

BY_ID = {"id_based_context_precision": IDBasedContextPrecision(), "id_based_context_recall": IDBasedContextRecall()}
VERDICTS = NonLLMContextPrecisionWithReference._calculate_average_precision


def scored(metric, expected, found):
    """One number of a metric of ids."""
    sample = SingleTurnSample(retrieved_context_ids=found, reference_context_ids=expected)
    return asyncio.run(metric._single_turn_ascore(sample, None))


def scores(lists):
    """Every query, then the mean."""
    for name, metric in BY_ID.items():
        values = {query: scored(metric, expected, found) for query, (expected, found) in lists.items()}
        yield from ((name, query, value) for query, value in values.items() if not math.isnan(value))
        yield name, "all", safe_nanmean(list(values.values()))
    for query, (expected, found) in lists.items():
        yield "context_precision", query, VERDICTS(None, [int(doc in expected) for doc in found])


def rows():
    """The lists of the files, then those with repeated results."""
    yield from (("fraction", "score", *row) for row in scores(given.listed()))
    yield from (("repeated", "repeated", *row) for row in scores(given.REPEATED))


given.write("ragas", "ragas", rows())
