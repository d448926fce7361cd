"""ir_measures over its providers: pytrec_eval, and for what that does not compute the others."""

from collections.abc import Mapping

from idealrank.conventions.convention import Convention

_AS_FLOAT64 = {"score_precision": "float64"}
_BY_ID = {"ties": "docid_asc", **_AS_FLOAT64}
_AS_GIVEN = {"ties": "given", **_AS_FLOAT64}
_COMPAT = ("Compat", "RBOToIdeal")
_OF_THE_RUN = ("NumQ", "NumRel")
_CWL = ("RBP", "BPM", "NERR8", "NERR9", "NERR10", "NERR11", "INSQ", "INST")
_TREC_EVAL = (
    *("P", "R", "F", "F1", "AP", "RR", "Rprec", "nDCG", "Bpref", "infAP", "IPrec", "Success", "SetAP"),
    *("NumQ", "NumRet", "NumRel", "NumRelRet"),
)
_NDEVAL = ("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall")


def _said(source: str, answers: Mapping[str, str] = _BY_ID) -> dict[str, str]:
    return dict.fromkeys(answers, source)


CONVENTIONS = (
    Convention(
        name="ir_measures",
        tool="ir_measures",
        version="0.4.3",
        about="Every judged query counts, as with trec_eval -c.",
        answers={"order_by": "score", "score_precision": "float32", "recall_points": "up", "systems": "one_run"},
        sources={
            "order_by": "scores",
            "score_precision": "its pytrec_eval provider",
            "recall_points": "its pytrec_eval provider",
            "systems": "util.py, read_trec_run: the tag of a line is not kept",
        },
        by_measure={
            "Judged": {"short_list": "returned", "negative": "keep", **_BY_ID},
            "ERR": {"max_grade": 4, **_AS_FLOAT64},
            "AUC": {**_AS_GIVEN, "no_relevant": "skip", "no_results": "skip"},
            **{name: {"no_results": "skip"} for name in _OF_THE_RUN},
            **dict.fromkeys(_COMPAT, _BY_ID),
            **dict.fromkeys(_CWL, _AS_GIVEN),
            **dict.fromkeys(_NDEVAL, _BY_ID),
        },
        sources_by_measure={
            "Judged": {
                "short_list": "judged_provider.py: divided by the results within k",
                "negative": "judged_provider.py: any judgment counts",
                **_said("judged_provider.py: sorted by score, then document"),
            },
            "ERR": {"max_grade": "gdeval.pl:16", **_said("gdeval.pl:146-182: scores as Perl has them", _AS_FLOAT64)},
            "AUC": {
                "no_relevant": "accuracy_provider.py: no value without a relevant result",
                "no_results": "accuracy_provider.py: queries of the run",
                **_said("util.py, as_sorteddict: a stable sort by score", _AS_GIVEN),
            },
            **{name: {"no_results": "seen: a query the run lacks has 0, and adds nothing"} for name in _OF_THE_RUN},
            **dict.fromkeys(_COMPAT, _said("compat_provider.py: sorted by score, then document")),
            **dict.fromkeys(_CWL, _said("util.py, as_sorted_namedtuple_iter: a stable sort by score")),
            **dict.fromkeys(_NDEVAL, _said("seen in its pyndeval provider: equal scores, smaller document first")),
        },
        measures=frozenset({"Judged", "ERR", "AUC", *_TREC_EVAL, *_COMPAT, *_CWL, *_NDEVAL}),
        names={"Accuracy": "AUC", "SetF": "set_F"},
        faults=(
            "nDCG with gains= and nDCG without, asked for in one call, share one run of trec_eval: which gains hold "
            "for both is drawn by chance (pytrec_eval_provider.py:83-97).",
            "Accuracy divides by zero where only relevant documents came back; such a query is left out.",
            "Accuracy@k is refused: AUC has no cutoff.",
            "RR@k is answered by another provider than RR, which orders equal scores by the smaller document: "
            "`ties=docid_asc, score_precision=float64`; nDCG with `dcg='exp-log2'` by gdeval.pl, which compares "
            "scores as float64; SDCG by cwl_eval, which leaves equal scores as given.",
            "cwl_eval makes the weights of NERR11, INSQ and INST add up to 1 over 1,000 ranks; here there is no end to "
            "them. Its INSQ is some 0.2% higher.",
            "Compat orders equally good documents by their scores, missing ones as if their score were 0, where "
            "here the ideal follows the ranks.",
        ),
    ),
)
