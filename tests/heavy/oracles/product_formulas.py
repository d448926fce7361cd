"""The measures of products, transcribed from their sources: grades go in, a number comes out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import ROUND_FLOOR, Decimal

Grades = Sequence[float]


Formula = Callable[[Grades, Grades, int, float], float | None]
"""Grades of the results in order, all judged grades, k, the highest grade of all: the value, or None."""


def exponential(grade: float) -> float:
    """2^g - 1."""
    return 2.0**grade - 1.0


def linear(grade: float) -> float:
    """The grade itself."""
    return grade


def dcg(grades: Grades, gain: Callable[[float], float]) -> float:
    """The sum of gains, each over log2(rank + 1)."""
    return sum(gain(grade) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def share(part: float, whole: float, nothing: float = 0.0) -> float:
    """A quotient; `nothing` where it is 0/0."""
    return part / whole if whole else nothing


def best(grades: Grades) -> Grades:
    """The highest first."""
    return sorted(grades, reverse=True)


def quepid_ndcg(found: Grades, judged: Grades, k: int, top: float) -> float:
    """o19s/quepid, db/scorers/ndcg@10.js:28-31: the ideal is over every rating."""
    return share(dcg(found[:k], exponential), dcg(best(judged), exponential))


def quepid_ndcg_cut(found: Grades, judged: Grades, k: int, top: float) -> float:
    """o19s/quepid, db/scorers/ndcg_cut@10.js:28-30: topRatings(k)."""
    return share(dcg(found[:k], exponential), dcg(best(judged)[:k], exponential))


def quepid_precision(found: Grades, judged: Grades, k: int, top: float) -> float:
    """o19s/quepid, db/scorers/p@10.js: rated above 0, of the documents shown."""
    shown = found[:k]
    return share(sum(grade > 0 for grade in shown), len(shown))


def quepid_average_precision(found: Grades, judged: Grades, k: int, top: float) -> float:
    """o19s/quepid, db/scorers/ap@10.js: over all documents rated above 0, however many are shown."""
    places = [place for place, grade in enumerate(found[:k], 1) if grade > 0]
    return share(sum(count / place for count, place in enumerate(places, 1)), sum(grade > 0 for grade in judged))


def opensearch_ndcg(found: Grades, judged: Grades, k: int, top: float) -> float:
    """opensearch-project/search-relevance, Evaluation.java:35-36,72-109: two decimals, half up."""
    ideal = dcg(best(judged)[:k], exponential)
    exact = dcg(found[:k], exponential) / ideal if ideal > 0 else 0.0
    return math.floor(exact * 100 + 0.5) / 100  # Math.round(x * 100.0) / 100.0


def opensearch_dcg(found: Grades, judged: Grades, k: int, top: float) -> float:
    """opensearch-project/search-relevance, Evaluation.java, calculateDCGAtK: two decimals, half up."""
    return math.floor(dcg(found[:k], exponential) * 100 + 0.5) / 100


def elasticsearch_ndcg(found: Grades, judged: Grades, k: int, top: float) -> float:
    """elastic/elasticsearch, DiscountedCumulativeGain.evaluate: the ideal is cut at the number of hits."""
    hits = found[:k]
    return share(dcg(hits, exponential), dcg(best(judged)[: len(hits)], exponential))


def elasticsearch_dcg(found: Grades, judged: Grades, k: int, top: float) -> float:
    """elastic/elasticsearch, DiscountedCumulativeGain.evaluate without normalize."""
    return dcg(found[:k], exponential)


def elasticsearch_precision(found: Grades, judged: Grades, k: int, top: float) -> float:
    """elastic/elasticsearch, PrecisionAtK.evaluate: rated 1 or more, of the hits returned."""
    hits = found[:k]
    return share(sum(grade >= 1 for grade in hits), len(hits))


def elasticsearch_recall(found: Grades, judged: Grades, k: int, top: float) -> float:
    """elastic/elasticsearch, RecallAtK.evaluate."""
    return share(sum(grade >= 1 for grade in found[:k]), sum(grade >= 1 for grade in judged))


def elasticsearch_rr(found: Grades, judged: Grades, k: int, top: float) -> float:
    """elastic/elasticsearch, MeanReciprocalRank.evaluate."""
    return next((1.0 / rank for rank, grade in enumerate(found[:k], 1) if grade >= 1), 0.0)


def floored(value: float) -> float:
    """Cut off after two decimals, as BigDecimal does with the shortest decimal of a double."""
    return float(Decimal(repr(value)).quantize(Decimal("0.01"), ROUND_FLOOR))


def rre_ndcg(found: Grades, judged: Grades, k: int, top: float) -> float:
    """SeaseLtd/rated-ranking-evaluator, NDCGAtK.java: RoundingMode.FLOOR on terms but the first, and the quotient."""

    def cut(grades: Grades) -> list[float]:
        return [floored(exponential(grade) / math.log2(rank + 1)) for rank, grade in enumerate(grades, 1)]

    got = [exponential(found[0]), *cut(found[:k])[1:]]
    return floored(round(share(math.fsum(got), math.fsum(cut(best(judged)[:k]))), 12))


def phoenix_ndcg(found: Grades, judged: Grades, k: int, top: float) -> float:
    """Arize-ai/phoenix, retrieval_metrics.py: ndcg_score over the retrieved documents, all of them judged."""
    return share(dcg(found[:k], linear), dcg(best(found)[:k], linear))


def haystack_ndcg(found: Grades, judged: Grades, k: int, top: float) -> float:
    """deepset-ai/haystack, document_ndcg.py: no cutoff; an empty ground truth, or an ideal below zero, gives 0."""
    ideal = dcg(best(judged), linear)
    return dcg(found, linear) / ideal if ideal > 0 else 0.0


def cheat_ndcg(found: Grades, judged: Grades, k: int, top: float) -> float:
    """softwaredoug/cheat-at-search, eval.py:5-38: log2(2 ** rank), the top grade in each of k places."""
    got = sum(exponential(grade) / math.log2(2**rank) for rank, grade in enumerate(found[:k], 1))
    return share(got, sum(exponential(top) / math.log2(2**rank) for rank in range(1, k + 1)))


def group_ndcg(nothing: float) -> Formula:
    """NDCG of a group of labels: 2^g - 1, the labels themselves in their best order."""

    def ndcg(found: Grades, judged: Grades, k: int, top: float) -> float:
        return share(dcg(found[:k], exponential), dcg(best(found)[:k], exponential), nothing)

    return ndcg


def gdeval_ndcg(found: Grades, judged: Grades, k: int, top: float) -> float | None:
    """gdeval.pl:146-182: natural logarithms; a topic is seen by a judgment above 0."""
    if not any(grade > 0 for grade in judged):
        return None
    terms = [exponential(grade) / math.log(rank + 1) for rank, grade in enumerate(found[:k], 1)]
    ideal = [exponential(grade) / math.log(rank + 1) for rank, grade in enumerate(best(judged)[:k], 1)]
    return sum(terms) / sum(ideal)
