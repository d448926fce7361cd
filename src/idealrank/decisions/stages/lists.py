"""The decisions of the stages read and list: what the tables say, and how the results are ordered."""

from __future__ import annotations

from dataclasses import dataclass

from idealrank.decisions.forms import MEAN_OF, OVERLAP, UNIT, UnitMap
from idealrank.decisions.question import decision


@dataclass(frozen=True)
class ListDecisions:
    """Decisions made before lists are judged; the first answer is the default."""

    raters: str = decision(
        "read",
        "Which grade does a document get if it has several ratings?",
        {
            "median": "the middle one; halfway between two stays a half (notebook 001, almost as in Quepid's books)",
            "mean": "the mean (Releval)",
            "majority": "the most frequent one, the lowest if several are",
            "max": "the highest",
            "min": "the lowest",
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
        "Where does a unit stand if several of its parts were returned?",
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
            "one": "the only one: a table with several steps per query is refused, with these answers",
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
