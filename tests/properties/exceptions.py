"""Every promise that a measure does not keep, in one table; the check of the sweep goes by it."""

from __future__ import annotations

from idealrank.measures import Definition
from tests.properties.answers import SWEEP, Answer
from tests.properties.exceptional import Exceptional, covers
from tests.properties.exceptions_by_order import BY_ORDER

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
    Exceptional("at_ideal", "nDCG BinaryNDCG", ("ideal_depth=all",), "the ideal goes on beyond rank k"),
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
    Exceptional("direction", "AllRecall", ("*",), "two relevant documents are never both in the top 1: 0 in any order"),
    Exceptional(
        "deep",
        "StepsToFirst",
        tuple(str(a) for d, a in SWEEP if d.name == "StepsToFirst" and str(a) != "unjudged=2"),
        "these lists have a relevant result above, which is the first found",
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
    *BY_ORDER,
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
