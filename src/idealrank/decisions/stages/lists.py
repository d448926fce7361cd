"""The decisions of the stages read and list: what the tables say, and in which order the results stand."""

from __future__ import annotations

from dataclasses import dataclass

from idealrank.decisions.question import decision


@dataclass(frozen=True)
class ListDecisions:
    """What is answered before lists are judged; of several answers the first is the default."""

    raters: str = decision(
        "read",
        "Several ratings of one document: which grade?",
        {
            "median": "the middle one; between two it stays a half (notebook 001, Quepid's books nearly)",
            "mean": "the mean (Releval)",
            "majority": "the most frequent one, the lower of a draw",
            "max": "the highest",
            "min": "the lowest",
        },
    )
    duplicates: str = decision(
        "read",
        "One document twice for one query: which counts?",
        {
            "error": "none: it is refused (trec_eval)",
            "first": "the first row (OpenSearch's judgment import)",
            "last": "the last row (dictionaries: pytrec_eval, ir_measures)",
            "max": "the highest grade, or the highest score",
            "mean": "the mean of the grades (CodeSearchNet); results are refused",
            "median": "the median of the grades; results are refused",
            "majority": "the most frequent grade, the lowest of several; results are refused",
        },
    )
    order_by: str = decision(
        "list",
        "What orders the results?",
        {
            "auto": "the score in a TREC run or a dict, else the rank column, else the score, else the row order",
            "score": "the score, highest first (trec_eval)",
            "rank": "the rank column, lowest first (MS MARCO's script, notebooks 000, 001, 004)",
            "given": "the order of the rows (trectools' nDCG, cwl_eval)",
        },
    )
    rank_gaps: str = decision(
        "list",
        "Ranks 1, 2, 5: what of 3 and 4?",
        {
            "close": "the results move up to 1, 2, 3",
            "keep": "the missing ranks are unjudged results (MS MARCO's script)",
        },
    )
    ties: str = decision(
        "list",
        "Equal scores, or equal ranks: which document comes first?",
        {
            "docid_desc": "the greater document id, compared as UTF-8 bytes (trec_eval, pytrec_eval, gdeval)",
            "docid_asc": "the smaller document id (ir_measures' RR@k, trectools' nDCG as read)",
            "given": "the one given first (LightGBM, XGBoost, Quepid, BEIR's MRR)",
            "average": "none: the expected value over all orders (scikit-learn)",
            "best": "the one with the higher grade; an unjudged one has grade 0, behind the judged, or the grade that "
            "`unjudged` gives it. Of equal grades the greater id",
            "worst": "the one with the lower grade; an unjudged one has grade 0, before the judged, or the grade that "
            "`unjudged` gives it. Of equal grades the greater id (CatBoost)",
        },
    )
    score_precision: str = decision(
        "list",
        "When are two scores equal?",
        {
            "float64": "when they are equal as double (trec_eval 10, ranx)",
            "float32": "when they are equal as float (trec_eval up to 9.0.8, pytrec_eval, XGBoost, torchmetrics)",
        },
    )
