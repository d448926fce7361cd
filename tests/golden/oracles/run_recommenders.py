"""recommenders: one table of users and items; every row of the truth counts as relevant, so grades above 0 only."""

import given
import pandas
from recommenders.evaluation import python_evaluation as metrics

NAMES = ("precision_at_k", "recall_at_k", "r_precision_at_k", "map_at_k", "map", "ndcg_at_k")


def table(grades, column):
    """Return a data frame of users and items."""
    rows = [(query, doc, value) for query, docs in grades.items() for doc, value in docs.items()]
    return pandas.DataFrame(rows, columns=["userID", "itemID", column])


def rows():
    """Every query by itself, then the mean of all; NDCG of its three gains and two discounts."""
    for grades in ("grade", "fraction"):
        judged = {q: {d: g for d, g in docs.items() if g > 0} for q, docs in given.judgments(grades).items()}
        judged = {query: docs for query, docs in judged.items() if docs}
        found = given.results("untied")
        for query in sorted(found.keys() & judged.keys()):
            yield from measured(grades, query, {query: judged[query]}, {query: found[query]})
        yield from measured(grades, "all", judged, found)


def measured(grades, query, judged, found):
    """Every number of some judgments and results."""
    truth, prediction = table(judged, "rating"), table(found, "prediction")
    for k in given.CUTOFFS:
        for name in NAMES:
            yield grades, "untied", f"{name}(k={k})", query, getattr(metrics, name)(truth, prediction, k=k)
        for kind in ("raw", "exp"):
            for base in ("loge", "log2"):
                said = f"ndcg_at_k(k={k},score_type={kind},discfun_type={base})"
                value = metrics.ndcg_at_k(truth, prediction, k=k, score_type=kind, discfun_type=base)
                yield grades, "untied", said, query, value


given.write("recommenders", "recommenders", rows())
