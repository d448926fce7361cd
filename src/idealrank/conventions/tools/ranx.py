"""ranx, on a Qrels and a Run object made comparable."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="ranx",
        tool="ranx",
        version="0.3.21",
        about="evaluate(qrels, run, …, make_comparable=True): every judged query counts; ties have no fixed order.",
        answers={"order_by": "score", "ties": "given", "systems": "one_run"},
        sources={
            "order_by": "data_structures/common.py: sort_dict_by_value",
            "ties": "data_structures/common.py: argsort by quicksort, which is not stable; doc ids do not matter",
            "systems": "data_structures/run.py: one run per file, frame or dict; the tag is at most its name",
        },
        by_measure={"Bpref": {"negative": "zero"}},
        sources_by_measure={
            "Bpref": {"negative": "metrics/bpref.py: every grade below the level is a judged non-relevant document"}
        },
        names={
            "hits": "NumRelRet",
            "dcg_burges": "DCG(gain=exp2)",
            "ndcg_burges": "nDCG(gain=exp2)",
            **{f"rbp.{p}": f"RankBiasedGain(p=0.{p})" for p in (5, 8, 9, 95, 99)},
        },
        order_of_ties="the sort of its compiled Run",
        faults=(
            "Its sort leaves equal scores in its own order. To match, give the results in the order of the Run object.",
            "The Qrels object silently truncates grades to whole numbers: 0.7 counts 0.",
            "Bpref of a query without a judged non-relevant document is NaN, and so is the mean; here the relevant "
            "results count in full. A query without a relevant document divides by zero, which ends its thread: the "
            "thread's remaining queries silently get 0.",
            "It averages hits over the queries; here counts are summed.",
            "Dicts in place of Qrels and Run objects are matched by the order of their queries, not by their ids.",
            "ndcg@k-l2 also leaves grades below 2 out of the gains; P, R and the like with -l2 are P(rel=2)@k here.",
            "rbp.XX multiplies grades, not relevance: RankBiasedGain(p=0.XX) here.",
            "A character beyond U+FFFF, such as an emoji, is dropped from a document id.",
            "Queries on one side only are refused there unless make_comparable=True.",
        ),
        measures=frozenset(
            {"NumRelRet", "Success", "P", "R", "F1", "Rprec", "RR", "AP", "DCG", "nDCG", "Bpref", "RankBiasedGain"}
        ),
    ),
)
