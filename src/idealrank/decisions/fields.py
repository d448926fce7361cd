"""The decisions: one frozen dataclass, one documented field per question that changes a number."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from idealrank.decisions.forms import GAIN_TABLE, LOGARITHM, ROUNDINGS, Form, Rounding, answer_text
from idealrank.decisions.question import Question, Stage
from idealrank.errors import UsageError, option, unknown


def _ask(
    stage: Stage, asks: str, answers: dict[str, str], number: str = "", form: Form | None = None
) -> dict[str, Question]:
    return {"question": Question(stage, asks, answers, number, form)}


_DENOMINATORS = {
    "R": "all relevant documents (trec_eval, ranx)",
    "min(R,k)": "as many as fit into k (CatBoost, recommenders, RecBole)",
    "min(R,k,n)": "as many as fit into k and into what was returned (LightGBM)",
    "hits": "the relevant documents found in the top k (torchmetrics)",
}


_RECALL_DENOMINATORS = {
    "R": "all relevant documents (trec_eval, ranx, CatBoost)",
    "min(R,k)": "as many as fit into k (capped recall: BEIR's R_cap)",
    "min(R,k,n)": "as many as fit into k and into what was returned",
    "hits": "the relevant documents found in the top k",
}


@dataclass(frozen=True)
class Decisions:
    """Every decision that changes a number, with the default answers of ``idealrank-1``.

    Each field is one question; `questions` tells its stage, its allowed answers and which
    tools answer so. Fields are words or numbers, never booleans.

    Examples
    --------
    >>> Decisions().but(gain="exp2").gain
    'exp2'
    >>> Decisions().but(gain="exp3")
    Traceback (most recent call last):
        ...
    idealrank.errors.UsageError: gain=exp3 is not an answer. Allowed: linear, ... Did you mean exp2?
    """

    raters: str = field(
        default="median",
        metadata=_ask(
            "read",
            "Several ratings of one document: which grade?",
            {
                "median": "the middle one; between two it stays a half (notebook 001, Quepid's books nearly)",
                "mean": "the mean (Releval)",
                "majority": "the most frequent one, the lower of a draw",
                "max": "the highest",
                "min": "the lowest",
            },
        ),
    )
    duplicates: str = field(
        default="error",
        metadata=_ask(
            "read",
            "One document twice for one query: which counts?",
            {
                "error": "none: it is refused (trec_eval)",
                "first": "the first row (OpenSearch's judgment import)",
                "last": "the last row (dictionaries: pytrec_eval, ir_measures)",
                "max": "the highest grade, or the highest score",
            },
        ),
    )
    order_by: str = field(
        default="auto",
        metadata=_ask(
            "list",
            "What orders the results?",
            {
                "auto": "the score in a TREC run or a dict, else the rank column, else the score, else the row order",
                "score": "the score, highest first (trec_eval)",
                "rank": "the rank column, lowest first (MS MARCO's script, notebooks 000, 001, 004)",
                "given": "the order of the rows (trectools' nDCG, cwl_eval)",
            },
        ),
    )
    rank_gaps: str = field(
        default="close",
        metadata=_ask(
            "list",
            "Ranks 1, 2, 5: what of 3 and 4?",
            {
                "close": "the results move up to 1, 2, 3",
                "keep": "the missing ranks are unjudged results (MS MARCO's script)",
            },
        ),
    )
    ties: str = field(
        default="docid_desc",
        metadata=_ask(
            "list",
            "Equal scores, or equal ranks: which document comes first?",
            {
                "docid_desc": "the greater document id, compared as UTF-8 bytes (trec_eval, pytrec_eval, gdeval)",
                "docid_asc": "the smaller document id (ir_measures' RR@k, trectools' nDCG as read)",
                "given": "the one given first (LightGBM, XGBoost, Quepid, BEIR's MRR)",
                "average": "none: the expected value over all orders (scikit-learn)",
                "best": "the one with the higher grade; an unjudged one is of grade 0, behind the judged",
                "worst": "the one with the lower grade; an unjudged one is of grade 0, before the judged (CatBoost)",
            },
        ),
    )
    score_precision: str = field(
        default="float64",
        metadata=_ask(
            "list",
            "When are two scores equal?",
            {
                "float64": "when they are equal as double (trec_eval 10, ranx)",
                "float32": "when they are equal as float (trec_eval up to 9.0.8, pytrec_eval, XGBoost, torchmetrics)",
            },
        ),
    )
    gain: Any = field(
        default="linear",
        metadata=_ask(
            "value",
            "What is a grade worth?",
            {
                "linear": "itself (trec_eval, scikit-learn, ranx, CatBoost Base)",
                "whole": "itself without its fraction: 1.7 is 1 (trec_eval, pyserini, ranx: they read whole grades)",
                "exp2": "2^grade - 1 (gdeval, LightGBM, Quepid, OpenSearch, CatBoost Exp, notebooks 000, 001, 003)",
                "{grade: gain}": "what a table says (trec_eval -m ndcg.1=3, LightGBM label_gain)",
            },
            form=GAIN_TABLE,
        ),
    )
    discount: str = field(
        default="log2",
        metadata=_ask(
            "value",
            "How much does a rank count?",
            {
                "log2": "1/log2(rank + 1) (nearly everybody)",
                "ln": "1/ln(rank + 1) (gdeval, recommenders, notebook 000); cancels in nDCG",
                "reciprocal": "1/rank (CatBoost Position, cheat-at-search)",
                "log(b)": "1 before rank b, 1/log_b(rank) from there (Järvelin and Kekäläinen 2002)",
                "none": "all ranks count alike",
            },
            form=LOGARITHM,
        ),
    )
    ideal: str = field(
        default="global",
        metadata=_ask(
            "value",
            "Measured against which best list?",
            {
                "global": "all judged documents of the query, best first (trec_eval, ranx, Quepid, notebooks 002, 004)",
                "returned": "all returned documents, re-sorted (scikit-learn, CatBoost, LightGBM, notebook 003)",
                "local": "the top k re-sorted (veritail)",
                "max": "the scale's top grade at every rank (cwl_eval, cheat-at-search)",
            },
        ),
    )
    ideal_depth: str = field(
        default="cutoff",
        metadata=_ask(
            "value",
            "How deep is the ideal list?",
            {
                "cutoff": "k; without a cutoff all judged for global, the number returned for the others (trec_eval)",
                "returned": "min(k, number returned) (Elasticsearch, notebook 002)",
                "all": "the whole list, whatever k (Quepid's nDCG@10); refused with ideal=max",
            },
        ),
    )
    max_grade: Any = field(
        default="highest",
        metadata=_ask(
            "value",
            "What is the top of the grade scale?",
            {"highest": "the highest grade in the whole judgment table"},
            number="the declared top grade; a grade above it is an error",
        ),
    )
    cutoff: str = field(
        default="at_most_k",
        metadata=_ask(
            "value",
            "Does rank k count?",
            {
                "at_most_k": "rank <= k",
                "below_k": "rank < k, while the ideal keeps k (a slip in notebook 000)",
            },
        ),
    )
    unjudged: Any = field(
        default="zero",
        metadata=_ask(
            "value",
            "A result nobody judged?",
            {
                "zero": "counts as grade 0 and keeps its rank (trec_eval, DCG-z)",
                "filter": "is removed and the ranks close up (trec_eval -J, DCG-f)",
            },
            number="counts as this grade, and as judged; R and the global ideal know judged documents only: "
            "R, AP, F1, Bpref and nDCG can exceed 1",
        ),
    )
    negative: str = field(
        default="unjudged",
        metadata=_ask(
            "value",
            "A grade below zero?",
            {
                "unjudged": "pooled, not judged (TREC)",
                "zero": "counts as grade 0",
                "keep": "counts as it is (scikit-learn's dcg_score, CatBoost, Elasticsearch, Quepid)",
            },
        ),
    )
    relevant_from: Any = field(
        default=1.0,
        metadata=_ask(
            "value",
            "From which grade is a document relevant, for binary measures?",
            {"positive": "any grade above 0 (trectools, gdeval, Quepid)"},
            number="this grade and above (trec_eval -l, ir_measures rel=)",
        ),
    )
    short_list: str = field(
        default="k",
        metadata=_ask(
            "value",
            "P@k when fewer than k results came back: divide by what?",
            {
                "k": "k (trec_eval, ranx)",
                "returned": "min(k, number returned) (OpenSearch, RRE, CatBoost)",
                "judged": "the judged results in the top k (Elasticsearch ignore_unlabeled)",
            },
        ),
    )
    ap_denominator: str = field(default="R", metadata=_ask("value", "AP is divided by what?", _DENOMINATORS))
    recall_denominator: str = field(
        default="R", metadata=_ask("value", "R@k is divided by what?", _RECALL_DENOMINATORS)
    )
    recall_points: str = field(
        default="nearest",
        metadata=_ask(
            "value",
            "How many relevant documents are a share of recall?",
            {
                "nearest": "x R rounded to the nearest whole number, a half up (trec_eval 10.0)",
                "up": "x R + 0.9 cut off, which rounds up from a tenth on (trec_eval 9.0.8, pytrec_eval)",
            },
        ),
    )
    no_relevant: str = field(
        default="0",
        metadata=_ask(
            "value",
            "A measure that is 0/0 for a query (no relevant document, an ideal of zero)?",
            {
                "0": "counts 0 (trec_eval, scikit-learn)",
                "1": "counts 1 (NDCG of CatBoost, LightGBM, XGBoost, notebook 003)",
                "skip": "leaves the query out (gdeval)",
            },
        ),
    )
    no_results: str = field(
        default="0",
        metadata=_ask(
            "mean",
            "A judged query the system returned nothing for?",
            {
                "0": "counts 0 (trec_eval -c, ir_measures, ranx)",
                "skip": "leaves the query out (trec_eval, pytrec_eval, MTEB, trectools, Quepid's browser)",
                "error": "stops the evaluation",
            },
        ),
    )
    no_judgments: str = field(
        default="skip",
        metadata=_ask(
            "mean",
            "Results for a query without judgments?",
            {
                "skip": "leaves the query out (trec_eval)",
                "0": "counts 0 (Quepid's nightly average, OpenSearch; trectools' denominator)",
            },
        ),
    )
    average: str = field(
        default="arithmetic",
        metadata=_ask(
            "mean",
            "How are the queries averaged?",
            {
                "arithmetic": "the mean",
                "geometric": "exp of the mean log, values below 0.00001 raised to it (trec_eval's gm_map)",
                "median": "the median (torchmetrics on request)",
            },
        ),
    )
    weights: str = field(
        default="equal",
        metadata=_ask(
            "mean",
            "Does every query count alike?",
            {
                "equal": "yes",
                "given": "no: by the weight the queries table gives it (LightGBM, scikit-learn sample_weight)",
            },
        ),
    )
    systems: str = field(
        default="separate",
        metadata=_ask(
            "mean",
            "Several systems in one table?",
            {
                "separate": "one number each",
                "pooled": "all rows are one ranking (trectools, HF evaluate)",
            },
        ),
    )
    rounding: tuple[Rounding, ...] = field(
        default=(),
        metadata=_ask(
            "mean",
            "Where is rounded before display?",
            {
                "none": "nowhere",
                "STAGE,RULE,DIGITS": "STAGE term, query or mean; RULE round (half to even), half_up or floor; "
                "several joined by + (OpenSearch query,half_up,2; RRE term,floor,2+query,floor,2)",
            },
            form=ROUNDINGS,
        ),
    )

    def __post_init__(self) -> None:
        self._settle(questions())

    def _settle(self, names: Iterable[str]) -> None:
        for name in names:
            object.__setattr__(self, name, questions()[name].read(name, getattr(self, name)))
        if self.ideal == "max" and self.ideal_depth == "all":
            raise UsageError(
                "ideal=max with ideal_depth=all has no end: every rank holds the top grade. "
                f"Use {option('ideal_depth', 'cutoff')} or {option('ideal_depth', 'returned')}."
            )

    def but(self, **answers: Any) -> Decisions:
        """Return a copy with some answers changed.

        Raises
        ------
        UsageError
            If a field does not exist or does not take the value.
        """
        for name in answers:
            if name not in questions():
                raise unknown("decision", name, questions())
        changed = copy.copy(self)
        vars(changed).update(answers)
        changed._settle(answers)
        return changed

    def stage(self, *stages: Stage) -> tuple[Any, ...]:
        """Return the answers that act at the given stages, in field order (hashable)."""
        return tuple(getattr(self, name) for name in _names_at(stages))

    def departures(self, other: Decisions | None = None) -> dict[str, str]:
        """Return the answers, as text, in which these differ from other decisions (default: `idealrank-1`)."""
        base = other if other is not None else Decisions()
        return {name: self.text(name) for name in questions() if getattr(self, name) != getattr(base, name)}

    def text(self, name: str) -> str:
        """Return one answer as the text that `parse_answer` reads back."""
        return answer_text(getattr(self, name))


@functools.cache
def questions() -> dict[str, Question]:
    """Return every decision by name, in order, with its question."""
    return {item.name: item.metadata["question"] for item in fields(Decisions)}


@functools.cache
def _names_at(stages: tuple[Stage, ...]) -> tuple[str, ...]:
    return tuple(name for name, question in questions().items() if question.stage in stages)


DEFAULT = Decisions()
