"""ndeval of the TREC web tracks, as pyndeval runs it: judgments by subtopic."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="ndeval",
        tool="ndeval",
        version="4.5 (pyndeval 0.0.8)",
        about="Results are ordered as in pyndeval: by score, ties by the smaller id. For ndeval -traditional, which "
        "takes the greater id, use ties=docid_desc; for ndeval itself, which takes the rank, order_by=rank; for -c, "
        "no_results=0.",
        answers={"order_by": "score", "ties": "docid_asc", "no_results": "skip", "systems": "one_run"},
        sources={
            "order_by": "pyndeval/__init__.py, _coerce_run_iter: sorted by -score, then id",
            "ties": "the same; ndeval.c, resultCompareByScore, takes the greater docno first",
            "no_results": "the mean is over the topics of both files; pyndeval gives values by topic only",
            "systems": "pyndeval/__init__.py, _coerce_run_iter: queries, documents and scores; one run",
        },
        faults=(
            "ERR-IA@1 and alpha-DCG@1 are not divided by the value of the best possible result (ndeval.c, computeERR "
            "and computeDCG: the loop begins at the second rank), so they are the number of subtopics the first result "
            "serves.",
            "nNRBP of a topic without relevant documents is 0/0, which is NaN there and 0 here.",
            "pyndeval refuses cutoffs above 20.",
        ),
        measures=frozenset(
            {"ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall"}
        ),
    ),
)
