"""ranx, on a Qrels and a Run object made comparable."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="ranx",
        tool="ranx",
        version="0.3.21",
        about="evaluate(qrels, run, …, make_comparable=True): every judged query counts, ties in no fixed order.",
        answers={"order_by": "score", "ties": "given", "systems": "one_run"},
        sources={
            "order_by": "data_structures/common.py: sort_dict_by_value",
            "ties": "data_structures/common.py: argsort by quicksort, which is not stable; doc ids play no part",
            "systems": "data_structures/run.py: one run a file, frame or dict; the tag is its name at most",
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
        faults=(
            "Its sort leaves equal scores in an order of its own: give the results in the order of the Run object.",
            "Grades are cut to whole numbers when the Qrels object is made, without a word: 0.7 counts 0.",
            "Bpref of a query without a judged non-relevant document is no number, and neither is the mean; here the "
            "relevant results count in full. A query without a relevant one is a division by zero that ends its "
            "thread: the queries left to it have 0, without a word.",
            "The mean of hits is over the queries; here counts are summed.",
            "Dicts in place of Qrels and Run objects are paired by the order of their queries, not by their ids.",
            "ndcg@k-l2 leaves grades below 2 out of the gains as well; P, R and the like with -l2 are P(rel=2)@k here.",
            "rbp.XX multiplies grades, not relevance: RankBiasedGain(p=0.XX) here.",
            "A character beyond U+FFFF, such as an emoji, is lost from a document id.",
            "Queries on one side only are refused there unless make_comparable=True.",
        ),
        measures=frozenset(
            {"NumRelRet", "Success", "P", "R", "F1", "Rprec", "RR", "AP", "DCG", "nDCG", "Bpref", "RankBiasedGain"}
        ),
    ),
)
