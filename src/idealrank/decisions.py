"""The decisions: one frozen dataclass, one documented field per question that changes a number."""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple

from idealrank.errors import UsageError, not_allowed, option, unknown

Stage = Literal["read", "list", "value", "mean"]


class Question(NamedTuple):
    """What one decision asks, at which stage it acts, and who answers it how."""

    stage: Stage
    asks: str
    answers: dict[str, str]
    number: str = ""
    """What a bare number means as an answer; empty where none is allowed."""


def _ask(stage: Stage, asks: str, answers: dict[str, str], number: str = "") -> dict[str, Question]:
    return {"question": Question(stage, asks, answers, number)}


_DENOMINATORS = {
    "R": "all relevant documents (trec_eval, ranx)",
    "min(R,k)": "as many as fit into k (CatBoost, recommenders, RecBole)",
    "min(R,k,n)": "as many as fit into k and into what was returned (LightGBM)",
    "hits": "the relevant documents found in the top k (torchmetrics, XGBoost)",
}


_RECALL_DENOMINATORS = {
    "R": "all relevant documents (trec_eval, ranx, CatBoost)",
    "min(R,k)": "as many as fit into k (capped recall: BEIR's R_cap)",
    "min(R,k,n)": "as many as fit into k and into what was returned",
    "hits": "the relevant documents found in the top k",
}


class Rounding(NamedTuple):
    """One rounding step: at which stage, by which rule, to how many digits."""

    stage: str
    rule: str
    digits: int

    def __str__(self) -> str:
        return f"{self.stage},{self.rule},{self.digits}"


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
    idealrank.errors.UsageError: gain=exp3 is not an answer. Allowed: linear, exp2, {grade: gain}. Did you mean exp2?
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
                "rank": "the rank column, lowest first (notebooks 000, 001, 004)",
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
                "keep": "the missing ranks are unjudged results",
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
                "docid_asc": "the smaller document id (MS MARCO's script, trectools' nDCG as read)",
                "given": "the one given first (LightGBM, XGBoost, Quepid)",
                "average": "none: the expected value over all orders (scikit-learn)",
                "best": "the one with the higher grade",
                "worst": "the one with the lower grade (CatBoost)",
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
                "float32": "when they are equal as float (trec_eval up to 9.0.8, pytrec_eval, torchmetrics)",
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
                "exp2": "2^grade - 1 (gdeval, LightGBM, Quepid, OpenSearch, CatBoost Exp, notebooks 000, 001, 003)",
                "{grade: gain}": "what a table says (trec_eval -m ndcg.1=3, LightGBM label_gain)",
            },
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
                "local": "the top k re-sorted (Phoenix, veritail)",
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
            number="counts as this grade",
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
                "keep": "counts as it is (scikit-learn's dcg_score, CatBoost)",
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
                "0": "counts 0 (trec_eval -c, ir_measures)",
                "skip": "leaves the query out (trec_eval, pytrec_eval, trectools, Quepid's browser)",
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
                "STAGE,RULE,DIGITS": "STAGE term, query or mean; RULE round or floor; several joined by + "
                "(OpenSearch query,round,2; RRE term,floor,2+query,floor,2)",
            },
        ),
    )

    def __post_init__(self) -> None:
        for name, question in questions().items():
            object.__setattr__(self, name, _checked(name, question, getattr(self, name)))
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
        return replace(self, **answers)

    def stage(self, *stages: Stage) -> tuple[Any, ...]:
        """Return the answers that act at the given stages, in field order (hashable)."""
        return tuple(getattr(self, name) for name, q in questions().items() if q.stage in stages)

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


def answer_text(value: Any) -> str:
    """Write an answer as text: 1.0 as 1, a table as {1:0.5, 2:1}."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, GainTable):
        return "{" + ", ".join(f"{answer_text(g)}:{answer_text(v)}" for g, v in value) + "}"
    if isinstance(value, tuple):
        return "+".join(map(str, value)) or "none"
    return str(value)


class GainTable(tuple[tuple[float, float], ...]):
    """A gain for each grade, as (grade, gain) pairs by rising grade (hashable)."""

    __slots__ = ()


def _checked(name: str, question: Question, value: Any) -> Any:
    if name == "gain" and isinstance(value, Mapping):
        return _gain_table(value)
    if isinstance(value, GainTable):
        return value
    if name == "rounding":
        return _roundings(value)
    if name == "discount" and (base := _log_base(value)) is not None:
        return f"log({answer_text(base)})"
    if isinstance(value, str):
        return _word(name, question, value)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise not_allowed(name, value, _allowed(question))
    if question.number:
        return float(value)
    return _word(name, question, answer_text(float(value)))


def _word(name: str, question: Question, value: str) -> Any:
    text = value.strip()
    if text in question.answers and not text.startswith("{") and text not in ("log(b)", "STAGE,RULE,DIGITS"):
        return text
    folded = {word.lower().replace(" ", ""): word for word in question.answers}
    if (word := folded.get(text.lower().replace(" ", ""))) is not None:
        return word
    if name == "gain" and text.startswith("{"):
        return _gain_table(_literal(name, question, text))
    if question.number:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if math.isfinite(number):
            return number
    raise not_allowed(name, value, _allowed(question))


def _literal(name: str, question: Question, text: str) -> Any:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        value = None
    if not isinstance(value, dict):
        raise not_allowed(name, text, _allowed(question))
    return value


def _allowed(question: Question) -> list[str]:
    return list(question.answers) + (["a number"] if question.number else [])


def _gain_table(table: Mapping[Any, Any]) -> GainTable:
    try:
        pairs = sorted((float(grade), float(gain)) for grade, gain in table.items())
    except (TypeError, ValueError):
        raise UsageError(f"gain={table!r}: a gain table maps numbers to numbers, as {{1: 1, 2: 3}}.") from None
    if not pairs or not all(math.isfinite(x) for pair in pairs for x in pair):
        raise UsageError(f"gain={table!r}: a gain table needs at least one grade, and finite numbers.")
    return GainTable(pairs)


def _log_base(value: Any) -> float | None:
    text = str(value).replace(" ", "")
    if not (text.startswith("log(") and text.endswith(")")) or text == "log(b)":
        return None
    try:
        base = float(text[4:-1])
    except ValueError:
        base = math.nan
    if not (math.isfinite(base) and base > 1):
        raise UsageError(f"discount={value}: the base of log(b) is a number above 1, as log(2).")
    return base


def _roundings(value: Any) -> tuple[Rounding, ...]:
    if isinstance(value, tuple) and all(isinstance(item, Rounding) for item in value):
        return value
    if isinstance(value, tuple) and len(value) == 3:
        value = ",".join(map(str, value))
    text = str(value).replace(" ", "")
    return () if text in ("none", "") else tuple(map(_rounding, text.split("+")))


def _rounding(text: str) -> Rounding:
    parts = text.split(",")
    if (
        len(parts) == 3
        and parts[0] in ("term", "query", "mean")
        and parts[1] in ("round", "floor")
        and parts[2].isdigit()
    ):
        return Rounding(parts[0], parts[1], int(parts[2]))
    raise UsageError(
        f"rounding={text} is not an answer. Allowed: none, or STAGE,RULE,DIGITS "
        "(STAGE term, query or mean; RULE round or floor), several joined by +."
    )


def parse_answers(text: str) -> dict[str, str]:
    """Read ``gain=exp2, ideal=local`` into a mapping; commas inside brackets do not separate.

    Raises
    ------
    UsageError
        If a part is not NAME=VALUE or a name comes twice.

    Examples
    --------
    >>> parse_answers("gain={1: 1, 2: 3}, ap_denominator=min(R,k)")
    {'gain': '{1: 1, 2: 3}', 'ap_denominator': 'min(R,k)'}
    """
    found: dict[str, str] = {}
    for part in split_outside(text):
        name, equals, value = part.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            raise UsageError(f"{part.strip()!r} is not NAME=VALUE, as in gain=exp2.")
        if name in found:
            raise UsageError(f"{name} is given twice: {found[name]} and {value}.")
        found[name] = value
    return found


def split_outside(text: str) -> list[str]:
    """Split at commas that stand outside brackets; a rounding's commas do not split either."""
    parts: list[str] = []
    depth, start = 0, 0
    for place, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return _rejoined([part for part in parts if part.strip()])


def _rejoined(parts: list[str]) -> list[str]:
    joined: list[str] = []
    for part in parts:
        if joined and "=" not in part and joined[-1].strip().startswith("rounding="):
            joined[-1] += "," + part
        else:
            joined.append(part)
    return joined


DEFAULT = Decisions()
