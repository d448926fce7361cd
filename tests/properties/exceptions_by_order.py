"""Promises that do not hold where the order of results or of roundings decides: preferences, divisors, equal grades."""

from tests.properties.exceptional import BY_GROUP, FULFILLED, QUERY, SIMPLE, TERM, Exceptional

BY_ORDER: tuple[Exceptional, ...] = (
    # Preferences.
    Exceptional(
        "monotone",
        f"{SIMPLE} {BY_GROUP} {FULFILLED}",
        ("ties=average", "ties=best", "ties=worst"),
        "a document that passes an unjudged one may leave a span of ties, and a worse or a better one behind in it",
    ),
    Exceptional(
        "monotone",
        "prefs_avgjg_Rnonrel prefs_avgjg_Rnonrel_ret",
        ("ties=best", "ties=worst"),
        "a document that passes an unjudged one may leave a span of ties, and a worse or a better one behind in it",
    ),
    Exceptional(
        "direction", "prefs_avgjg_Rnonrel_ret", ("no_relevant=1",), "no relevant result is 0/0, which counts 1"
    ),
    Exceptional(
        "deep",
        "prefs_avgjg",
        (TERM[1],),
        "one of many documents has few of the preferences: what it adds is rounded to nothing",
    ),
    Exceptional(
        "undefined",
        "Compat",
        ("unjudged=0.5", "unjudged=2"),
        "unjudged results that are worth something are in the ideal list",
        "nothing of worth judged or returned",
    ),
    # Divisors that depend on the order.
    Exceptional(
        "undefined",
        "AP R",
        ("ap_denominator=hits", "recall_denominator=hits"),
        "divided by the relevant documents found",
        "none found",
    ),
    Exceptional(
        "undefined",
        "AP R",
        ("ap_denominator=min(R,k,n)", "recall_denominator=min(R,k,n)"),
        "divided by the number returned, if that is least",
        "nothing returned or no relevant",
    ),
    Exceptional(
        "undefined",
        "BinaryNDCG",
        ("ideal_depth=returned",),
        "the ideal is as long as the results",
        "nothing returned or no relevant",
    ),
    Exceptional(
        "undefined",
        "P Judged AverageGain",
        ("short_list=judged",),
        "divided by the judged results within the cutoff",
        "none judged",
    ),
    Exceptional(
        "monotone",
        "AP",
        ("ap_denominator=hits",),
        "one relevant result more within the cutoff, at a low precision, lowers the mean of the precisions",
    ),
    Exceptional(
        "monotone",
        "P AverageGain",
        ("short_list=judged",),
        "a judged result that is not relevant takes the place of an unjudged one, which did not count",
    ),
    Exceptional(
        "best",
        "P AverageGain",
        ("short_list=judged",),
        "judged results that are not relevant lower it, unjudged ones do not",
    ),
    # Judged and unjudged of one grade.
    Exceptional(
        "best",
        "(relevant or not, best at the ideal order) Rprec IPrec IAP11 binG yaap AUC Q BinaryNDCG",
        ("relevant_from=0",),
        "an unjudged result counts as grade 0 and yet is not relevant, as a judged one of grade 0 is",
    ),
    Exceptional(
        "at_ideal",
        "Rprec IPrec IAP11 binG AUC Q BinaryNDCG",
        ("relevant_from=0",),
        "an unjudged result counts as grade 0 and yet is not relevant, as a judged one of grade 0 is",
    ),
    Exceptional(
        "monotone",
        "Judged",
        ("negative=keep",),
        "an unjudged result, which counts as grade 0, is better than a judged one below zero",
    ),
    # Rounding.
    Exceptional(
        "average",
        "(the order matters, higher is better) Judged Fallout ARP",
        (*TERM, *QUERY),
        "the average is rounded (or its terms are), not the value of each order",
    ),
    Exceptional("monotone denied", "G", QUERY, "rounded to tenths, what the swap of two neighbours takes is lost"),
    Exceptional(
        "direction",
        "RprecMult RprecMult_avgjg",
        QUERY,
        "far beyond the relevant documents the precision is rounded to nothing",
    ),
    Exceptional(
        "direction", "RprecMult_avgjg", TERM, "far beyond the relevant documents what each adds is rounded to nothing"
    ),
    Exceptional(
        "parameters", "IPrec", ("default",), "a hundredth of few relevant documents is rounded to none of them"
    ),
    Exceptional(
        "average",
        f"Unjudged RBPResidual OPA AUC {SIMPLE}",
        QUERY,
        "the average is rounded, not the value of each order",
    ),
    Exceptional(
        "monotone",
        "nDCG DCG INSQ INST NERR8 NERR10 NERR11 GradedRBP NormalisedRBP PFound RankBiasedGain",
        TERM,
        "the terms of a better order may lose more by rounding",
    ),
    Exceptional("monotone", "ERR LinearERR NERR9", (TERM[0],), "the terms of a better order may lose more by rounding"),
    Exceptional(
        "best",
        "nDCG DCG INSQ INST GradedRBP NormalisedRBP RankBiasedGain",
        TERM,
        "the terms of a better order may lose more by rounding",
    ),
    Exceptional(
        "best",
        "ERR LinearERR NERR8 NERR9 NERR10 NERR11 PFound",
        (TERM[0],),
        "the terms of a better order may lose more by rounding",
    ),
    Exceptional("at_ideal", f"NormalisedRBP Compat {BY_GROUP}", TERM, "the terms are rounded, the ideal is not"),
    Exceptional(
        "range",
        "INSQ INST NormalisedRBP PFound Compat RBOToIdeal",
        (TERM[0],),
        "the terms may gain by rounding, what they are divided by is not rounded: above 1",
    ),
    Exceptional("last rank", "INSQ", QUERY, "what one of many results adds is rounded to nothing"),
    Exceptional("direction", "INSQ INST RankBiasedGain", QUERY, "what one of many results adds is rounded to nothing"),
    Exceptional(
        "last rank",
        "RBP GradedRBP",
        (*TERM, *QUERY),
        "near a bound of the parameter what a result adds is rounded to nothing",
    ),
    Exceptional(
        "direction",
        "RBP GradedRBP",
        (*TERM, *QUERY),
        "near a bound of the parameter what good results add is rounded to nothing",
    ),
    Exceptional(
        "range",
        f"alpha_DCG ERR_IA NRBP AP_IA AP_avgjg RprecMult_avgjg {BY_GROUP}",
        (TERM[0],),
        "the terms may gain by rounding: above 1",
    ),
    Exceptional("range", "nDCG", TERM, "the terms of the ideal may lose more by rounding: above 1"),
)
