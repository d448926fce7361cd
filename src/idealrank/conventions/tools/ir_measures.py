"""ir_measures with its providers: pytrec_eval, and others for what that does not compute."""

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


def _sources(source: str, answers: Mapping[str, str] = _BY_ID) -> dict[str, str]:
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
                **_sources("judged_provider.py: sorted by score, then document"),
            },
            "ERR": {"max_grade": "gdeval.pl:16", **_sources("gdeval.pl:146-182: scores as Perl has them", _AS_FLOAT64)},
            "AUC": {
                "no_relevant": "accuracy_provider.py: no value if no result is relevant",
                "no_results": "accuracy_provider.py: queries of the run",
                **_sources("util.py, as_sorteddict: a stable sort by score", _AS_GIVEN),
            },
            **{name: {"no_results": "seen: a query not in the run has 0 and adds nothing"} for name in _OF_THE_RUN},
            **dict.fromkeys(_COMPAT, _sources("compat_provider.py: sorted by score, then document")),
            **dict.fromkeys(_CWL, _sources("util.py, as_sorted_namedtuple_iter: a stable sort by score")),
            **dict.fromkeys(_NDEVAL, _sources("seen in its pyndeval provider: equal scores, smaller document first")),
        },
        measures=frozenset({"Judged", "ERR", "AUC", *_TREC_EVAL, *_COMPAT, *_CWL, *_NDEVAL}),
        names={"Accuracy": "AUC", "SetF": "set_F"},
        faults=(
            "If one call asks for nDCG with gains= and without, both share one run of trec_eval, and it is random "
            "which gains both use (pytrec_eval_provider.py:83-97).",
            "Accuracy divides by zero if only relevant documents came back; here such a query is left out.",
            "Accuracy@k is refused: AUC has no cutoff.",
            "RR@k comes from a different provider than RR, which puts the smaller document first if scores are equal: "
            "`ties=docid_asc, score_precision=float64`. nDCG with `dcg='exp-log2'` comes from gdeval.pl, which "
            "compares scores as float64, and SDCG from cwl_eval, which leaves equal scores as given.",
            "cwl_eval makes the weights of NERR11, INSQ and INST add up to 1 over 1,000 ranks; here the ranks are "
            "infinite. Its INSQ is about 0.2% higher.",
            "Compat orders equally good documents by their scores, with missing ones at score 0; here the ideal "
            "follows the ranks.",
        ),
    ),
)
