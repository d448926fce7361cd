"""RprecMult_avgjg: R-precision at a multiple of R, over judgment groups."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.novelty import groups, novelty, per_hit, served, wanted
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, x: float) -> Steps:
    """Mean over the judgment groups of the precision at c = trunc(x R + 0.9), at least 1, each with its own R.

    A group is a subtopic or a user. Groups without a relevant document count 0; the query is 0/0 if no
    group has one.

    Source: trec_eval 10.0 ``-R qrels_jg``, ``Rprec_mult_avgjg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 3, "subtopic": ["ann", "bo", "bo"], "doc": ["A", "A", "B"], "grade": [1, 0, 1]}
    >>> run = {"q": {"A": 2.0, "B": 1.0}}
    >>> ir.evaluate(rows, run, ["RprecMult_avgjg@1"])["RprecMult_avgjg@1"]
    0.5
    """
    hits = served(lists, decisions)
    deep = np.maximum(np.trunc(x * wanted(lists, decisions).relevant[hits.pair] + 0.9), 1.0)
    share = per_hit(lists, hits, (lists.rank[hits.hit] <= deep) / deep)
    return Steps(lists, {"groups": novelty(lists, decisions, 0.0)}, share, groups(lists, decisions))
