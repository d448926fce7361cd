"""AUC: the area under the ROC curve of one query."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.learning.pairs import in_order
from idealrank.measures.relevance import relevance
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Pairs of a relevant and another result in which the relevant one comes first, divided by all these pairs.

    Documents that were not returned are in no pair.

    Source: scikit-learn 1.9 ``roc_auc_score`` per query and CatBoost 1.2 ``QueryAUC`` with ``ties=average``;
    ir_measures 0.4 ``Accuracy``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2", "y"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["AUC"])["AUC"]
    0.75
    """
    return in_order(lists, relevance(lists, decisions))
