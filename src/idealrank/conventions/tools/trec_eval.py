"""trec_eval, the reference of the field (NIST), without -c, -J and -l, which are overrides."""

from idealrank.conventions.convention import Convention, Fault

_ANSWERS = {"order_by": "score", "no_results": "skip", "systems": "one_run"}
_SOURCES = {
    "order_by": "form_res_rels.c: the rank column is never read",
    "no_results": "the mean is over the topics of both files; -c is no_results=0",
    "systems": "get_trec_results.c: a file is one run; its tag is printed as runid and not used otherwise",
}
_FRACTIONS = Fault(
    "Grades are silently truncated to whole numbers; 1.7 counts as 1.", "get_qrels.c: atol", {"gain": "whole"}
)
QRELS = frozenset(
    {"AP", "Bpref", "F", "F1", "G", "IAP11", "IPrec", "NumNonRelRet", "NumQ", "NumRel", "NumRelRet", "NumRet", "P", "R"}
    | {"RR", "RnDCG", "Rprec", "RprecMult", "SetAP", "Success", "Utility", "binG", "infAP", "nDCG", "nDCGRel"}
)
"""What 9.0.8 computes from grades of documents and pytrec_eval returns."""

_PREFS = frozenset(
    {f"prefs_{kind}{ending}" for kind in ("simp", "pair", "avgjg") for ending in ("", "_ret", "_imp")}
    | {f"prefs_avgjg_Rnonrel{ending}" for ending in ("", "_ret")}
    | {f"prefs_num_prefs_{kind}" for kind in ("poss", "ful", "ful_ret")}
)
"""What it computes from preferences."""

_MEASURES = QRELS | _PREFS | {"yaap", "AP_avgjg", "P_avgjg", "RprecMult_avgjg"}
_BY_MEASURE = {name: {"ties": "docid_asc", "negative": "keep"} for name in sorted(_PREFS)}
_SOURCES_BY_MEASURE = {
    name: {
        "ties": "form_prefs_counts.c, comp_sim_docno: the smaller id first if scores are equal",
        "negative": "form_prefs_counts.c: a level below 0 makes preferences like any other",
    }
    for name in sorted(_PREFS)
}
_FAULTS = (
    "A grade between -1 and 0 is truncated to 0, so it is judged there; here it is below zero.",
    "Gains given with -m ndcg.GRADE=GAIN are sorted for the ideal by the whole part of their difference "
    "(gain_init.c, comp_rel_gain): fractional ones come out wrong.",
    "Levels below 0 make prefs_avgjg_Rnonrel(_ret) read past the documents of the lowest one.",
    "With -J and no judged document returned, iprec_at_recall and 11pt_avg are NaN, and so are their means.",
)

CONVENTIONS = (
    Convention(
        name="trec_eval-9.0.8",
        tool="trec_eval",
        version="9.0.8",
        about="The version behind pytrec_eval. Grades are integers there; fractional ones are kept here.",
        answers=_ANSWERS | {"score_precision": "float32", "recall_points": "up"},
        sources=_SOURCES
        | {
            "score_precision": "trec_format.h: float sim; 0.123456789 equals 0.123456788",
            "recall_points": "m_iprec_at_recall.c: (long) (cutoff * num_rel + 0.9)",
        },
        by_measure=_BY_MEASURE,
        sources_by_measure=_SOURCES_BY_MEASURE,
        measures=_MEASURES,
        switched=(_FRACTIONS,),
        faults=(*_FAULTS, "With -c, prefs_num_prefs_poss for all leaves out the preferences of topics not in the run."),
    ),
    Convention(
        name="trec_eval-10.0",
        tool="trec_eval",
        version="10.0",
        about="The version of 2026: double scores; without -c it stops at a topic missing from the run.",
        answers=_ANSWERS,
        sources=_SOURCES,
        by_measure=_BY_MEASURE,
        sources_by_measure=_SOURCES_BY_MEASURE,
        measures=_MEASURES | {"DCG", "IDCG", "RBP", "RBPResidual", "Unjudged"},
        switched=(
            _FRACTIONS,
            Fault(
                "Without -c it stops at the first topic missing from the run.",
                "trec_eval.c:389-393; the documented default is to leave it out",
                {"no_results": "error"},
            ),
        ),
        faults=(
            *_FAULTS,
            "rbp takes its lowest and highest gain from uninitialised memory (m_rbp.c), so a value depends on the "
            "other topics and measures.",
        ),
    ),
)
