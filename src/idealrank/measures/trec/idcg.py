"""IDCG: the DCG of the ideal list."""

from idealrank.decisions import Decisions
from idealrank.errors import UsageError, option
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.ideal import ideal_sums
from idealrank.measures.steps import Steps, unsplit


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """The DCG of the list that nDCG compares with, which `ideal` and `ideal_depth` define.

    Source: trec_eval 10.0 ``ideal_dcg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([0, 3], also_judged=[1])
    >>> round(ir.evaluate(judgments, results, ["IDCG@2"])["IDCG@2"], 4)
    3.6309
    """
    if lists.ranks == "averaged" and decisions.ideal == "local":
        raise UsageError(
            "ties=average with ideal=local: the ideal depends on the order, and its average over all orders is not "
            f"computed. Use {option('ties', 'docid_desc')}, or another ideal."
        )
    return unsplit(lists, {}, ideal_sums(lists, decisions, cutoff), "it is a sum over the ideal list")
