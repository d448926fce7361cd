"""Where a measure's promise does not hold under one answer of one decision, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from idealrank.measures import Definition
from tests.properties.answers import Answer


class Exceptional(NamedTuple):
    """One promise that some measures do not keep under some answers; each has a counterexample.

    Attributes
    ----------
    promise
        Which of the sweep's questions.
    measures, answers
        Where: names, or groups of `GROUPS`, to which a new measure belongs by what it declares;
        ``*`` stands for every answer.
    reason
        Why, in words.
    instead
        For ``undefined``: when it is 0/0 there; tested in the promise's place.
    """

    promise: str
    measures: str
    answers: tuple[str, ...]
    reason: str
    instead: str = ""


ORDER_FREE = ("SetAP", "Utility")
"""Measures of what was returned, in whatever order."""

_SIMPLE = "prefs_simp prefs_simp_imp prefs_simp_ret prefs_pair prefs_pair_imp prefs_pair_ret"
_BY_GROUP = "prefs_avgjg prefs_avgjg_imp prefs_avgjg_ret"
_FULFILLED = "prefs_num_prefs_ful prefs_num_prefs_ful_ret"
OF_HALVES = ("OPA", "AUC", *_SIMPLE.split(), *_FULFILLED.split())
"""Measures whose terms are whole numbers and halves, which rounding to tenths leaves alone."""

GROUPS: dict[str, Callable[[Definition], bool]] = {
    "(relevant or not, best at the ideal order)": lambda d: (
        "relevant_from" in d.reads and d.properties.at_ideal == "best" and d.name not in ORDER_FREE
    ),
    "(the order matters, higher is better)": lambda d: (
        d.properties.direction == "higher" and d.name not in ORDER_FREE + OF_HALVES
    ),
}
"""Measures by what they declare."""


def covers(measures: str, definition: Definition) -> bool:
    """Whether a row's measures, by name or by group, hold this one."""
    plain = measures
    for group in GROUPS:
        plain = plain.replace(group, "")
    return definition.name in plain.split() or any(g in measures and has(definition) for g, has in GROUPS.items())


_TERM = ("rounding=term,round,1", "rounding=term,floor,1")
_QUERY = ("rounding=query,round,1", "rounding=query,floor,1")

EXCEPTIONS: tuple[Exceptional, ...] = (
    Exceptional(
        "monotone denied",
        "nDCG",
        ("ideal=returned",),
        "the ideal is all returned documents, whatever their order, so only the DCG moves",
    ),
    # Grades that the ideal, R and N know nothing of.
    Exceptional(
        "range",
        "nDCG nDCGRel RnDCG G",
        ("unjudged=0.5", "unjudged=2", "gain={grade 0 is worth 0.5}"),
        "unjudged results are worth something, while the ideal holds judged documents only: above 1",
    ),
    Exceptional(
        "at_ideal",
        "nDCG nDCGRel RnDCG",
        ("unjudged=0.5", "unjudged=2", "gain={grade 0 is worth 0.5}"),
        "unjudged results are worth something, while the ideal holds judged documents only: above 1",
    ),
    Exceptional(
        "range",
        "NormalisedRBP",
        ("unjudged=0.5", "unjudged=2"),
        "unjudged results are worth something, while the ideal holds judged documents only: above 1",
    ),
    Exceptional(
        "at_ideal",
        "NormalisedRBP",
        ("unjudged=0.5", "unjudged=2"),
        "unjudged results are worth something, while the ideal holds judged documents only: above 1",
    ),
    Exceptional(
        "range",
        "R AP F1 F SetAP binG infAP Bpref BinaryNDCG",
        ("unjudged=2",),
        "unjudged results are relevant, while R counts judged documents only: above 1",
    ),
    Exceptional(
        "best",
        "infAP",
        ("unjudged=2",),
        "an unjudged result is relevant, and a pooled one nobody judged above it counts a half",
    ),
    Exceptional(
        "at_ideal",
        "Bpref binG BinaryNDCG",
        ("unjudged=2",),
        "unjudged results are relevant, while R counts judged documents only: above 1",
    ),
    Exceptional(
        "range",
        "Bpref",
        ("unjudged=0.5",),
        "unjudged results count as non-relevant before a relevant one, but not in N: below 0",
    ),
    Exceptional(
        "range",
        "ERR",
        ("unjudged=2",),
        "an unjudged result worth more than the top of the scale satisfies with a chance above 1",
    ),
    Exceptional(
        "monotone", "ERR", ("unjudged=2",), "a chance above 1 of stopping makes the chance to read on negative"
    ),
    # Gains below zero.
    Exceptional(
        "range",
        "nDCG DCG CG AverageGain RankBiasedGain IDCG nDCGRel RnDCG",
        ("negative=keep", "gain={grade 0 costs 1}"),
        "gains below zero make sums below zero, and quotients of any size",
    ),
    Exceptional(
        "at_ideal",
        "nDCG RnDCG",
        ("negative=keep", "gain={grade 0 costs 1}"),
        "unjudged results stand between the grades above and below zero, or cost something themselves, "
        "while the ideal holds judged documents only",
    ),
    Exceptional(
        "monotone denied",
        "infAP",
        ("unjudged=filter", "unjudged=0.5", "negative=zero", "negative=keep"),
        "every result is pooled, or every pooled one is judged: then a relevant one further up never costs",
    ),
    Exceptional(
        "monotone denied",
        "infAP",
        ("rounding=query,round,1",),
        "rounded to tenths, what the swap of two neighbours takes is lost",
    ),
    # Other ideals and depths.
    Exceptional("at_ideal", "nDCG", ("ideal=max",), "only top grades throughout reach 1"),
    Exceptional("at_ideal", "nDCG", ("ideal_depth=all",), "the ideal goes on beyond rank k"),
    Exceptional(
        "at_ideal",
        "nDCG NormalisedRBP BinaryNDCG",
        ("cutoff=below_k",),
        "rank k does not count, while the ideal keeps k places",
    ),
    Exceptional("depth", "nDCG", ("ideal=returned",), "the ideal is all returned documents, those beyond rank k too"),
    Exceptional(
        "nothing",
        "IDCG",
        ("ideal=returned", "ideal=local", "ideal=max", "ideal_depth=returned"),
        "the ideal is made of the results, or as long as they are",
    ),
    Exceptional("direction", "IDCG", ("ideal=returned", "ideal=local"), "the ideal is made of the results"),
    Exceptional(
        "monotone",
        "nDCGRel",
        ("ties=best",),
        "a better document that joins a span of ties at its end makes another one of the span count later",
    ),
    Exceptional(
        "monotone denied",
        "Unjudged RBPResidual",
        ("unjudged=filter", "unjudged=0.5", "unjudged=2"),
        "no result is without a grade",
    ),
    Exceptional(
        "last rank", "Unjudged", ("unjudged=filter", "unjudged=0.5", "unjudged=2"), "no result is without a grade"
    ),
    Exceptional("deep", "NumNonRelRet", ("relevant_from=0",), "from level 0 on every judged document is relevant"),
    Exceptional("direction", "NumNonRelRet", ("relevant_from=0",), "from level 0 on every judged document is relevant"),
    Exceptional(
        "range needed",
        "RprecMult RprecMult_avgjg",
        ("default",),
        "a multiple of R above 1 asks for more than all relevant documents",
    ),
    Exceptional(
        "range needed", "INSQ", ("default",), "who wants much reads on, and the 1,500 results end before the weights do"
    ),
    Exceptional(
        "monotone denied", "Fallout", ("relevant_from=0",), "from level 0 on every judged document is relevant"
    ),
    Exceptional("last rank", "Fallout", ("relevant_from=0",), "from level 0 on every judged document is relevant"),
    Exceptional("direction", "Fallout", ("relevant_from=0",), "from level 0 on every judged document is relevant"),
    Exceptional(
        "range",
        "Fallout",
        ("unjudged=0.5",),
        "unjudged results are not relevant, while only judged ones are divided by: above 1",
    ),
    Exceptional(
        "direction",
        "OPA AUC prefs_simp_ret prefs_pair_ret prefs_avgjg_ret prefs_num_prefs_ful_ret",
        ("*",),
        "results that are all good, or all bad, make no pair",
    ),
    Exceptional("direction", "ARP", ("*",), "what is worth nothing has no place: 0/0"),
    Exceptional(
        "range",
        "Q",
        ("unjudged=0.5", "unjudged=2", "gain={grade 0 is worth 0.5}"),
        "unjudged results are worth something, while the ideal holds judged documents only: above 1",
    ),
    Exceptional(
        "monotone denied",
        "Q",
        ("relevant_from=positive", "relevant_from=0.5", "relevant_from=0", "gain={grade 0 costs 1}", "gain=whole"),
        "every result that is worth something is relevant",
    ),
    Exceptional(
        "at_ideal", "Q", ("unjudged=2",), "unjudged results are relevant, while R counts judged documents only: above 1"
    ),
    Exceptional("at_ideal", "Q", ("gain={not in the order of grades}",), "what is worth most need not be relevant"),
    Exceptional(
        "best",
        "Q",
        (
            *("gain=exp2", "gain={rising}", "gain={grade 0 is worth 0.5}", "gain={not in the order of grades}"),
            *("unjudged=0.5", "unjudged=2"),
        ),
        "a relevant result late in the list profits from the gains before it, and the ideal grows more slowly there",
    ),
    Exceptional(
        "range needed",
        "alpha_nDCG nERR_IA nNRBP",
        ("default",),
        "the greedy ideal falls short of the best list by a few percent here; the bound is for any judgments",
    ),
    # Preferences.
    Exceptional(
        "monotone",
        f"{_SIMPLE} {_BY_GROUP} {_FULFILLED}",
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
        (_TERM[1],),
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
        (*_TERM, *_QUERY),
        "the average is rounded (or its terms are), not the value of each order",
    ),
    Exceptional("monotone denied", "G", _QUERY, "rounded to tenths, what the swap of two neighbours takes is lost"),
    Exceptional(
        "direction",
        "RprecMult RprecMult_avgjg",
        _QUERY,
        "far beyond the relevant documents the precision is rounded to nothing",
    ),
    Exceptional(
        "direction", "RprecMult_avgjg", _TERM, "far beyond the relevant documents what each adds is rounded to nothing"
    ),
    Exceptional(
        "parameters", "IPrec", ("default",), "a hundredth of few relevant documents is rounded to none of them"
    ),
    Exceptional(
        "average",
        f"Unjudged RBPResidual OPA AUC {_SIMPLE}",
        _QUERY,
        "the average is rounded, not the value of each order",
    ),
    Exceptional(
        "monotone",
        "nDCG DCG INSQ INST NERR8 NERR10 NERR11 GradedRBP NormalisedRBP PFound RankBiasedGain",
        _TERM,
        "the terms of a better order may lose more by rounding",
    ),
    Exceptional(
        "monotone", "ERR LinearERR NERR9", (_TERM[0],), "the terms of a better order may lose more by rounding"
    ),
    Exceptional(
        "best",
        "nDCG DCG INSQ INST GradedRBP NormalisedRBP RankBiasedGain",
        _TERM,
        "the terms of a better order may lose more by rounding",
    ),
    Exceptional(
        "best",
        "ERR LinearERR NERR8 NERR9 NERR10 NERR11 PFound",
        (_TERM[0],),
        "the terms of a better order may lose more by rounding",
    ),
    Exceptional("at_ideal", f"NormalisedRBP Compat {_BY_GROUP}", _TERM, "the terms are rounded, the ideal is not"),
    Exceptional(
        "range",
        "INSQ INST NormalisedRBP PFound Compat RBOToIdeal",
        (_TERM[0],),
        "the terms may gain by rounding, what they are divided by is not rounded: above 1",
    ),
    Exceptional("last rank", "INSQ", _QUERY, "what one of many results adds is rounded to nothing"),
    Exceptional("direction", "INSQ INST RankBiasedGain", _QUERY, "what one of many results adds is rounded to nothing"),
    Exceptional(
        "last rank",
        "RBP GradedRBP",
        (*_TERM, *_QUERY),
        "near a bound of the parameter what a result adds is rounded to nothing",
    ),
    Exceptional(
        "direction",
        "RBP GradedRBP",
        (*_TERM, *_QUERY),
        "near a bound of the parameter what good results add is rounded to nothing",
    ),
    Exceptional(
        "range",
        f"alpha_DCG ERR_IA NRBP AP_IA AP_avgjg RprecMult_avgjg {_BY_GROUP}",
        (_TERM[0],),
        "the terms may gain by rounding: above 1",
    ),
    Exceptional("range", "nDCG", _TERM, "the terms of the ideal may lose more by rounding: above 1"),
)


def speaks_of(row: Exceptional, definition: Definition, answer: Answer) -> bool:
    """Whether an exception is one of this measure under this answer."""
    return covers(row.measures, definition) and (str(answer) in row.answers or row.answers == ("*",))


def exception(promise: str, definition: Definition, answer: Answer) -> Exceptional | None:
    """The exception for one promise of one measure under one answer."""
    return next((row for row in EXCEPTIONS if row.promise == promise and speaks_of(row, definition, answer)), None)


def check(promise: str, definition: Definition, answer: Answer, counterexample: str | None) -> None:
    """Fail on a counterexample to a promise; where an exception is listed, fail without one."""
    row = exception(promise, definition, answer)
    if row is None:
        assert counterexample is None, f"[{promise}] {definition.name} under {answer}: {counterexample}"
    else:
        assert counterexample is not None, f"[{promise}] {definition.name} under {answer} holds: strike the exception"
