"""IAP11: interpolated precision averaged over eleven levels of recall."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.steps import Steps
from idealrank.measures.trec.iprec import interpolated

LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean of the interpolated precisions at recall 0, 0.1, … 1; 0/0 if no document is relevant.

    Source: trec_eval 9.0.8 and 10.0 ``11pt_avg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "d2"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["IAP11"])["IAP11"]
    1.0
    """
    return interpolated(lists, decisions, LEVELS, "it is a mean of highest precisions")
