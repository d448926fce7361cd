"""NVIDIA NeMo Evaluator's retriever metrics: pytrec_eval."""

from dataclasses import replace

from idealrank.conventions.convention import FROM_SOURCE
from idealrank.conventions.tools.pytrec_eval import CONVENTIONS as PYTREC_EVAL

_WHOLE = {
    "map": "AP",
    "rprec": "Rprec",
    "bpref": "Bpref",
    "recip-rank": "RR",
    "infap": "infAP",
    "ndcg": "nDCG",
    "ndcg-rel": "ndcg_rel",
    "bing": "binG",
    "g": "G",
    "rndcg": "Rndcg",
    "11pt-avg": "11pt_avg",
    "set-p": "set_P",
    "set-map": "set_map",
    "set-recall": "set_recall",
    "set-relative-p": "set_relative_P",
    "set-f": "set_F",
}
_CUT = {"p": "P", "recall": "R", "ndcg-cut": "nDCG", "map-cut": "AP", "success": "Success"}

CONVENTIONS = (
    replace(
        PYTREC_EVAL[0],
        name="nemo",
        tool="NVIDIA NeMo Evaluator",
        version="26.01",
        about=f"The retriever metrics of NeMo Evaluator, which runs pytrec_eval: as under pytrec_eval. {FROM_SOURCE}",
        names={
            **{f"retriever-{theirs}": ours for theirs, ours in _WHOLE.items()},
            **{f"retriever-{theirs}-{k}": f"{ours}@{k}" for theirs, ours in _CUT.items() for k in (5, 10, 20, 100)},
        },
        faults=(
            *PYTREC_EVAL[0].faults,
            "It retrieves ten results unless top_k says otherwise (handlers/retriever.py), so recall-100 is then "
            "recall of ten results.",
            "pytrec_eval runs in a container whose code is not published; only the names it is called with are. "
            "retriever-gm-map and retriever-gm-bpref are left out: pytrec_eval returns logarithms of single queries, "
            "and how they are averaged is not known.",
        ),
    ),
)
