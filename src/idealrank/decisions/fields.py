"""The decisions, one field each with its question and its answers, by the stage at which they act."""

from __future__ import annotations

from dataclasses import dataclass

from idealrank.decisions.question import (
    GAIN_TABLE,
    LOGARITHM,
    MEAN_OF,
    OVERLAP,
    ROUNDINGS,
    UNIT,
    GainTable,
    Rounding,
    UnitMap,
    decision,
)
from idealrank.errors import either, option

AS_RETURNED = "as_returned"
"""The unit of those who judge each result by its own id."""

SPANS = "spans"
"""The unit of those who judge spans of text."""

_COMBINED = "Then give the result as the judgments."
_WEIGHTED = (
    "Weights need a value for each rater, so make one grade of the ratings first: "
    + either(
        "ir.combine(ratings, 'weighted', weights={rater: weight, …})",
        "idealrank combine RATINGS --rule weighted --weight RATER=N … -o combined.csv",
    )
    + f". {_COMBINED}"
)
_DAWID_SKENE = (
    "Dawid and Skene need all ratings at once, so make one grade of them first: "
    + either("ir.combine(ratings, 'dawid_skene')", "idealrank combine RATINGS -o combined.csv")
    + f". {_COMBINED}"
)


# Only all of them together, `Decisions`, are made and compared, so these have no methods for it.


ASSUMES_COMPLETE = "This assumes that everything not judged is not relevant"
"""What is said of every number and verdict under ``unjudged=complete``."""


@dataclass(frozen=True, init=False, repr=False, eq=False)
class ListDecisions:
    """Decisions made before lists are judged; the first answer is the default."""

    raters: str = decision(
        "read",
        "Which grade does a document get if it has several ratings?",
        {
            "median": "the middle one; if two are in the middle, halfway between them (1 and 2 give 1.5)",
            "mean": "the mean (Releval)",
            "majority": "the most frequent one, the lowest if several are",
            "max": "the highest, also called optimistic",
            "min": "the lowest, also called pessimistic",
        },
        meant={
            "optimistic": f"Optimistic is {option('raters', 'max')}.",
            "pessimistic": f"Pessimistic is {option('raters', 'min')}.",
            **dict.fromkeys(("weighted", "weights"), _WEIGHTED),
            **dict.fromkeys(("dawid_skene", "dawidskene", "ds", "em"), _DAWID_SKENE),
        },
    )
    duplicates: str = decision(
        "read",
        "Which row counts if a document appears twice for one query?",
        {
            "error": "neither: the data is refused (trec_eval)",
            "first": "the first row (OpenSearch's judgment import)",
            "last": "the last row (dictionaries: pytrec_eval, ir_measures)",
            "max": "the highest grade, or the highest score",
            "mean": "the mean of the grades (CodeSearchNet); results are refused",
            "median": "the median of the grades; results are refused",
            "majority": "the most frequent grade, the lowest if several are; results are refused",
        },
    )
    unit: str | UnitMap = decision(  # noqa: RUF009 (it returns a field)
        "read",
        "What is judged: each result as it was returned, the document or source it is a part of, or a span of text?",
        {
            "as_returned": "each result by its own id",
            "spans": "a part of a document's text, from one character to another: the results are chunks with offsets",
            "NAME": "what a column of the results names, such as source or doc_id (Haystack's comparison field); the "
            "judgments' column of this name, or else their document ids",
            "before(TEXT)": "the id up to the last TEXT: before(#) makes doc7 of doc7#3 (Anserini's -selectMaxPassage)",
            "match(PATTERN)": "the first group of a regular expression that the whole id matches; other ids stay",
            "map(FILE)": "what a table or JSON object of ids and their units says; in Python also a dict",
        },
        form=UNIT,
    )
    unit_grade: str = decision(
        "read",
        "Which grade does a unit get if several of its parts are judged?",
        {"max": "the highest", "raters": "what `raters` makes of the grades of its parts, as of several ratings"},
        only_with="unit",
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
        "If the ranks are 1, 2, 5, what happens to 3 and 4?",
        {
            "close": "nothing: the results move up to 1, 2, 3",
            "keep": "they count as unjudged results (MS MARCO's script)",
        },
    )
    roll_up: str = decision(
        "list",
        "Which rank does a unit have if several of its parts were returned?",
        {
            "first": "where the first of them stands, which earns the credit (Anserini's -selectMaxPassage)",
            "max": "by the highest of their scores",
            "sum": "by the sum of their scores",
            "mean(n)": "by the mean of their n highest scores, or of all if there are fewer",
        },
        form=MEAN_OF,
        only_with="unit",
    )
    overlap: str = decision(
        "list",
        "When does a chunk hit a judged span of the same document?",
        {
            "any": "when they have a character in common",
            "span(SHARE)": "when the chunk covers at least this share of the span: span(0.5) is half of it",
            "chunk(SHARE)": "when at least this share of the chunk lies in the span",
            "iou(SHARE)": "when the characters of both are at least this share of the characters of either",
        },
        form=OVERLAP,
        only_with="unit=spans",
    )
    counts: str = decision(
        "list",
        "What has a rank, and so counts towards k?",
        {
            "units": "each unit once: ranks close up behind its other parts",
            "returned": "every result: the other parts of a unit keep their ranks and earn nothing",
        },
        only_with="unit",
    )
    steps: str = decision(
        "list",
        "If a query was searched for several times, as agents do, which list counts?",
        {
            "one": "the only list; a table with several steps per query is refused with the answers to choose from",
            "union": "all as one list, in the order of the steps; each document counts where it was first seen, and "
            "takes no rank when it comes back",
            "last": "that of the last search, which may be empty",
            "each": "each by itself: every search is a query of its own, scored against the judgments of its task",
        },
    )
    ties: str = decision(
        "list",
        "Which document comes first if scores, or ranks, are equal?",
        {
            "docid_desc": "the greater document id, compared as UTF-8 bytes (trec_eval, pytrec_eval, gdeval)",
            "docid_asc": "the smaller document id (ir_measures' RR@k, trectools' nDCG as read)",
            "given": "the one given first (LightGBM, XGBoost, Quepid, BEIR's MRR)",
            "average": "neither: the value is the mean over all orders (scikit-learn)",
            "best": "the one with the higher grade, then the greater id; an unjudged one has the grade that `unjudged` "
            "gives it, or else 0 and comes after judged ones of grade 0",
            "worst": "the one with the lower grade, then the greater id; an unjudged one has the grade that `unjudged` "
            "gives it, or else 0 and comes before judged ones of grade 0 (CatBoost)",
        },
    )
    score_precision: str = decision(
        "list",
        "When are two scores equal?",
        {
            "float64": "when they are equal as doubles (trec_eval 10, ranx)",
            "float32": "when they are equal as floats (trec_eval up to 9.0.8, pytrec_eval, XGBoost, torchmetrics)",
        },
    )


@dataclass(frozen=True, init=False, repr=False, eq=False)
class MeanDecisions:
    """Decisions made when queries are averaged; the first answer is the default."""

    no_results: str = decision(
        "mean",
        "What if the system returned nothing for a judged query?",
        {
            "0": "the query counts 0 (trec_eval -c, ir_measures, ranx)",
            "skip": "the query is left out, even if a row without a document names it (trec_eval, Quepid's browser)",
            "skip_missing": "the query is left out if the results do not name it; it counts 0 if a row without a "
            "document does (pytrec_eval, MTEB, trectools)",
            "error": "the evaluation stops",
        },
    )
    failed: str = decision(
        "mean",
        "What if the search failed for a judged query?",
        {
            "skip": "the query is left out, with a warning",
            "0": "the query counts 0, as if the system had returned nothing",
            "refuse": "the evaluation stops",
        },
    )
    no_judgments: str = decision(
        "mean",
        "What if a query has results but no judgments?",
        {
            "skip": "the query is left out (trec_eval)",
            "0": "the query counts 0 (Quepid's nightly average, OpenSearch; trectools' denominator)",
        },
    )
    average: str = decision(
        "mean",
        "How are the queries averaged?",
        {
            "arithmetic": "the mean",
            "geometric": "exp of the mean log, with values below 0.00001 raised to it (trec_eval's gm_map)",
            "median": "the median (torchmetrics on request)",
        },
    )
    weights: str = decision(
        "mean",
        "Do all queries count equally?",
        {
            "equal": "yes",
            "given": "no: each counts by its weight in the queries table (LightGBM, scikit-learn sample_weight)",
        },
    )
    systems: str = decision(
        "mean",
        "What if one table has several systems?",
        {
            "auto": "one number per system, but tags of a TREC run that never share a query are one run",
            "separate": "one number per system, regardless of the queries",
            "one_run": "a TREC run is one system regardless of tags; other tables: one number per system (trec_eval)",
            "pooled": "all rows of a table are one ranking (trectools, HF evaluate)",
        },
    )
    rounding: tuple[Rounding, ...] = decision(
        "mean",
        "Where are numbers rounded before display?",
        {
            "none": "nowhere",
            "STAGE,RULE,DIGITS": "STAGE term, query or mean; RULE round (half to even), half_up or floor; "
            "several joined by + (OpenSearch query,half_up,2; RRE term,floor,2+query,floor,2)",
        },
        form=ROUNDINGS,
        default=(),
    )


_DENOMINATORS = {
    "R": "all relevant documents (trec_eval, ranx)",
    "min(R,k)": "as many as fit into k (CatBoost, XGBoost, recommenders, RecBole)",
    "min(R,k,n)": "as many as fit into k and into what was returned (LightGBM)",
    "hits": "the relevant documents found in the top k (torchmetrics, Ragas)",
}

_RECALL_DENOMINATORS = {
    "R": "all relevant documents (trec_eval, ranx, CatBoost)",
    "min(R,k)": "as many as fit into k (capped recall: BEIR's R_cap)",
    "min(R,k,n)": "as many as fit into k and into what was returned",
    "hits": "the relevant documents found in the top k",
}


@dataclass(frozen=True, init=False, repr=False, eq=False)
class ValueDecisions:
    """Decisions made when a query's value is computed; the first answer is the default."""

    gain: str | GainTable = decision(  # noqa: RUF009 (it returns a field)
        "value",
        "How much is a grade worth?",
        {
            "linear": "the grade itself (trec_eval, scikit-learn, ranx, CatBoost Base)",
            "whole": "its whole part: 1.7 is worth 1 (trec_eval, pyserini, ranx: they read whole grades)",
            "exp2": "2^grade - 1 (gdeval, LightGBM, Quepid, OpenSearch, CatBoost Exp, notebooks 000, 001, 003)",
            "{grade: gain}": "what the table says (trec_eval -m ndcg.1=3, LightGBM label_gain)",
        },
        form=GAIN_TABLE,
    )
    discount: str = decision(
        "value",
        "How much does a rank count?",
        {
            "log2": "1/log2(rank + 1) (almost every tool)",
            "ln": "1/ln(rank + 1) (gdeval, recommenders, notebook 000); cancels in nDCG",
            "reciprocal": "1/rank (CatBoost Position, cheat-at-search)",
            "log(b)": "1 before rank b, 1/log_b(rank) from rank b on (Järvelin and Kekäläinen 2002)",
            "none": "all ranks count equally",
        },
        form=LOGARITHM,
    )
    ideal: str = decision(
        "value",
        "What is the ideal list?",
        {
            "global": "all judged documents of the query, best first (trec_eval, ranx, Quepid, notebooks 002, 004)",
            "returned": "all returned documents, re-sorted (scikit-learn, CatBoost, LightGBM, notebook 003)",
            "local": "the top k re-sorted (veritail)",
            "max": "the scale's top grade at every rank (cwl_eval, cheat-at-search)",
        },
    )
    ideal_depth: str = decision(
        "value",
        "How deep is the ideal list?",
        {
            "cutoff": "k; without a cutoff, all judged for global and the number returned for the others (trec_eval)",
            "returned": "min(k, number returned) (Elasticsearch, MLflow, notebook 002)",
            "all": "the whole list, regardless of k (Quepid's nDCG@10, LlamaIndex, Haystack); measures that read this "
            "and `ideal` refuse ideal=max",
        },
    )
    max_grade: float | str = decision(
        "value",
        "What is the highest grade on the scale?",
        {"highest": "the highest grade in the whole judgment table"},
        number="the highest grade; a grade above it is an error",
    )
    cutoff: str = decision(
        "value",
        "Does rank k count?",
        {
            "at_most_k": "rank <= k",
            "below_k": "rank < k. The ideal keeps k, except with ideal=local, and so do the divisors of RankBiasedGain "
            "and NormalisedRBP; those of INSQ, INST, BPM and NERR* end at k - 1 (a slip in notebook 000)",
        },
    )
    unjudged: float | str = decision(
        "value",
        "What happens to a result nobody judged?",
        {
            "zero": "counts as grade 0 and keeps its rank (trec_eval, DCG-z)",
            "filter": "is removed and the ranks close up (trec_eval -J, DCG-f)",
            "complete": "counts as grade 0 and keeps its rank, and no verdict doubts it: what is relevant is assumed "
            "to be among the judgments, as in a golden set",
        },
        number="counts as this grade, and as judged. R, AP, F1, Bpref and nDCG can then exceed 1, because the number "
        "of relevant documents and the global ideal include judged documents only",
    )
    negative: str = decision(
        "value",
        "What does a grade below zero mean?",
        {
            "unjudged": "in the pool but not judged (TREC)",
            "zero": "it counts as grade 0",
            "keep": "it counts as it is (scikit-learn's dcg_score, CatBoost, Elasticsearch, Quepid), except where a "
            "grade is a probability or a share of the highest grade: there it counts 0",
        },
    )
    relevant_from: float | str = decision(
        "value",
        "From which grade on is a document relevant, for binary measures?",
        {"positive": "any grade above 0 (trectools, gdeval, Quepid)"},
        number="from this grade on (trec_eval -l, ir_measures rel=)",
        default=1.0,
    )
    short_list: str = decision(
        "value",
        "What is P@k divided by if fewer than k results came back?",
        {
            "k": "k (trec_eval, ranx)",
            "returned": "min(k, number returned) (OpenSearch, RRE, CatBoost, XGBoost)",
            "judged": "the judged results in the top k (Elasticsearch ignore_unlabeled)",
        },
    )
    ap_denominator: str = decision("value", "What is AP divided by?", _DENOMINATORS)
    recall_denominator: str = decision("value", "What is R@k divided by?", _RECALL_DENOMINATORS)
    recall_points: str = decision(
        "value",
        "How many relevant documents make up a level of recall?",
        {
            "nearest": "x R rounded to the nearest whole number, halves up (trec_eval 10.0)",
            "up": "x R + 0.9 truncated, which rounds up from a tenth on (trec_eval 9.0.8, pytrec_eval)",
        },
    )
    no_relevant: str = decision(
        "value",
        "What if a measure is 0/0 for a query (no relevant document, or an ideal of zero)?",
        {
            "0": "the query counts 0 (trec_eval, scikit-learn)",
            "1": "the query counts 1 (NDCG of CatBoost, LightGBM, XGBoost, notebook 003; map of LightGBM and XGBoost)",
            "skip": "the query is left out (gdeval)",
        },
    )
