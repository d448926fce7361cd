"""The arithmetic behind one value: one query, its judged lists and steps, as a table with notes in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np

from idealrank._core import judge
from idealrank.arrays import Floats, Ints, Mask
from idealrank.data.ids import id_text
from idealrank.data.units import units_of_results
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.fields import AS_RETURNED, SPANS
from idealrank.decisions.question import answer_text
from idealrank.display.blocks import Beside, Block, Folded, Grid, Heading, Points, Small
from idealrank.display.columns import MeasureFingerprint
from idealrank.display.document import Described, Shown
from idealrank.display.schema import IfAny, Named, OrNull
from idealrank.display.table import Table, cell, decimals_of
from idealrank.errors import listed, plural
from idealrank.evaluation.scoring import QueryState, score_measure, steps_of
from idealrank.evaluation.types import EXPLAINED_ROW, PASSAGE_ROW, RATED_ROW
from idealrank.evaluation.values import DecisionsRead
from idealrank.evaluation.variants import Variant, list_variants
from idealrank.judged_lists.arrangement import arrange
from idealrank.judged_lists.join import Join, SystemLists, tie_order
from idealrank.judged_lists.lists import JudgedLists
from idealrank.judged_lists.searches import joined_order, run_by_query
from idealrank.judged_lists.spans import JudgedSpans, chunk_counts, hits_in_words
from idealrank.measures.definition import Measure
from idealrank.measures.steps import Ideal, Steps, apply_rounding

# Explanation: one value, the steps that gave it, and what the decisions did.


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Explanation(Shown, Described):
    """One value, and the arithmetic that gives it.

    Attributes
    ----------
    steps
        One row per result: rank, doc, grade, the measure's own columns, contribution, running sum.
    ideal
        The ideal list with the same columns; empty where the measure has none.
    score, total, normaliser
        The value; the sum of the contributions; what it is divided by.
    notes
        What the decisions did here, in plain words.
    answers
        The answer to every decision the measure reads.
    parts
        Under another `unit` than as_returned, one row per result as it was returned: rank, part, unit, grade, and
        which stands for its unit; else empty.
    ratings
        The documents of both lists whose raters gave different grades, with who gave which; empty if none did.
    unsplit
        Why the score is no sum of contributions; empty where it is one. Then there is no total.
    judged
        How many queries are judged; this is one of them.
    answered
        The decision that gave the score where nothing was computed: no_results or no_relevant; else "".
    """

    _instead: ClassVar[dict[str, str]] = {
        "to_pandas": "explanation.steps.to_pandas()",
        "plot": "ir.plot(scores)",
        "value": "explanation.score",
    }

    query: Annotated[str, "Id of the query."]
    text: Annotated[str, "Its text; empty if there is none."]
    system: Annotated[str, "Name of the system."]
    measure: Measure
    steps: Annotated[Table, EXPLAINED_ROW, "A row per result."]
    ideal: Annotated[Table, EXPLAINED_ROW, "The ideal list; empty if the measure has none."]
    score: Annotated[float, OrNull(), "The value: total divided by normaliser; null if the query is left out."]
    total: Annotated[float, OrNull(), "The sum of the contributions; null if the value is no such sum."]
    normaliser: Annotated[float, OrNull(), "What the total is divided by; null if the value is no such quotient."]
    notes: Annotated[tuple[str, ...], "What the decisions did here, in words."]
    answers: DecisionsRead
    unsplit: Annotated[str, "Why the value is no sum of contributions; empty if it is one."] = ""
    parts: Annotated[
        Table, PASSAGE_ROW, IfAny(), "A row per result as it was returned, if results are parts of larger units."
    ] = field(default_factory=lambda: Table({}))
    ratings: Annotated[
        Table, RATED_ROW, IfAny(), "A row per document of both lists whose raters gave different grades, if any did."
    ] = field(default_factory=lambda: Table({}))
    judged: int = 1
    answered: str = ""

    @property
    def _measure(self) -> Annotated[str, Named("measure"), "Name of the measure."]:
        return self.measure.name

    @property
    def _decisions(self) -> Annotated[MeasureFingerprint, Named("decisions")]:
        return self.measure.fingerprint

    def shown(self) -> list[Block]:
        """Return the heading, the steps with the ideal beside them, the sum with the notes, and the decisions."""
        below: list[Block] = [Points(self.notes, self._sum_note), Small(self._footer), Folded(self.answers.shown())]
        parts = [self.parts.grid(title="as returned")] if self.parts.columns else []
        ratings = [self.ratings.grid(title="raters who differ")] if self.ratings.columns else []
        return [self._heading, self._lists(), *parts, *ratings, *below]

    @property
    def _heading(self) -> Heading:
        names = (self.query, *([self.text] if self.text else []), self.system, str(self.measure), cell(self.score))
        return Heading(f"query {{}}{' ({})' if self.text else ''}, {{}}: {{}} = {{}}", names)

    @property
    def _footer(self) -> str:
        return f"{self.measure} under {self.answers.setting}; 1 of {plural(self.judged, 'query')}"

    def _lists(self) -> Grid | Beside:
        """Show the results that count, and the ideal beside them; a column is written alike in both."""
        steps = self._contributing_steps
        hidden = len(self.steps) - len(steps)
        note = f"{plural(hidden, 'more result')} {'contributes' if hidden == 1 else 'contribute'} nothing"
        decimals = decimals_of((steps, self.ideal))
        left = steps.grid(title="results", decimals=decimals) if len(steps) else Grid([], "no results")
        left = left._replace(note=note if hidden else "", rest="explanation.steps.to_pandas()")
        if not self.ideal.columns:
            return left
        ideal = self.ideal.grid(title="ideal list", decimals=decimals)
        return Beside(left, ideal._replace(rest="explanation.ideal.to_pandas()"))

    @property
    def _contributing_steps(self) -> Table:
        """The results up to the cutoff, or to the last one that contributes and ten at least."""
        last = max((i for i, share in enumerate(self.steps["contribution"], 1) if share), default=0)
        return self.steps.take(range(min(len(self.steps), max(last, self.measure.cutoff or 10))))

    @property
    def _sum_note(self) -> str:
        """How the contributions make the score, where they do."""
        if self.unsplit or math.isnan(self.score):
            return ""
        contributions, score = f"contributions {cell(self.total)} / {cell(self.normaliser)}", cell(self.score)
        if self.normaliser <= 0:
            return f"{contributions}: answered by {self.answered or 'no_relevant'} with {score}"
        quotient = cell(self.total / self.normaliser)
        rounded = f", rounded to {score} (rounding={self.measure.decisions.text('rounding')})"
        return f"{contributions} = {quotient}{'' if quotient == score else rounded}"


def explain_value(join: Join, measure: Measure, index: int, text: str, setting: str) -> Explanation:
    """Explain the value of one query (by index) of one system."""
    joined = join.lists_of_query(measure.on_lists, index)
    steps = steps_of(joined.lists, measure)
    values, states = score_measure(join.lists_for(measure.on_lists), measure)
    split, parts = not steps.unsplit, returned_passages(joined, measure.on_lists, index)
    rows, ideal = steps_table(steps, joined, measure), ideal_table(steps, joined, measure)
    return Explanation(
        query=joined.queries[index],
        text=text,
        system=joined.system,
        measure=measure,
        steps=rows,
        ideal=ideal.with_fingerprints({"fingerprint": measure.fingerprint}),
        score=float(values[index]),
        total=math.fsum(round_contributions(steps.contribution, measure).tolist()) if split else math.nan,
        normaliser=float(steps.normaliser[0]) if split else math.nan,
        notes=(*notes_on(measure, steps, joined, index), *unit_notes(join, measure, index, parts)),
        parts=parts_table(parts),
        ratings=ratings_table(join, joined.queries[index], (rows, ideal)),
        answers=DecisionsRead.collect([measure], setting),
        unsplit=steps.unsplit,
        judged=joined.size,
        answered=_ANSWERED.get(QueryState(int(states[index])), ""),
    )


def ratings_table(join: Join, query: str, lists: Sequence[Table]) -> Table:
    """Return the documents of some lists whose raters gave different grades, with who gave which; else no columns."""
    docs = [doc for table in lists if table.columns for doc in table["doc"] if doc is not None]
    if len(join.judgments.raters) < 2:
        return Table({})
    from idealrank.data.raters import ratings_of

    found = ratings_of(join.judgments, ((query, doc) for doc in docs))
    differ = {doc: each.text for (_, doc), each in found.items() if each.differ}
    docs = [doc for doc in dict.fromkeys(docs) if doc in differ]
    return Table({"doc": docs, "ratings": [differ[doc] for doc in docs]} if docs else {}, "ratings")


_ANSWERED = {
    QueryState.FILLED_NO_RESULTS: "no_results",
    QueryState.FILLED_NO_RELEVANT: "no_relevant",
    QueryState.FILLED_FAILED: "failed",
}

# Notes: what the decisions did to one value, in plain words.


IDEALS = {
    "global": "all judged documents, best first: it also asks whether the known good documents were found",
    "returned": "the returned documents in their best order: documents that were missed cost nothing",
    "local": "the top k in its best order: only the order inside the top k counts",
    "max": "the scale's top grade at every rank: it also asks whether the collection has enough good documents",
}
"""What each ideal measures, in words."""

_GREEDY = "judged documents, at each rank the one that adds most to the subtopics served before"


def notes_on(measure: Measure, steps: Steps, joined: SystemLists, index: int) -> Iterator[str]:
    """Yield the notes on the value of one query.

    Parameters
    ----------
    steps, joined
        The steps and the lists of this query alone, with every result a hit.
    index
        Its place among the judged queries.
    """
    decisions, reads = measure.decisions, measure.definition.reads
    lists = arrange(joined.lists, decisions)
    returned = int(joined.judged.returned[index])
    if returned == 0:
        note = _failed_note(joined, index, decisions) if joined.failed[index] else _empty_note(joined, index, decisions)
        computed = measure.definition.if_empty == "computed"
        yield note.replace("it counts 0 (", "it counts as one where nothing was found (") if computed else note
        return
    yield from _ideal_note(measure, steps)
    if dropped := joined.nameless.get(joined.queries[index]):
        yield f"{plural(dropped, 'row')} without a document {'was' if dropped == 1 else 'were'} dropped."
    if steps.score is None and steps.normaliser[0] <= 0:
        why = "0/0: nothing to divide by" if steps.normaliser[0] == 0 else "An ideal below zero measures nothing"
        yield f"{why}. no_relevant={decisions.no_relevant} decides."
    if "unjudged" in reads:
        yield from _unjudged_note(measure, joined, lists, returned)
    if "gain" in reads:
        yield from _gain_note(decisions, lists)
    if "relevant_from" in reads:
        yield from _relevant_note(decisions, lists)
    yield from _cutoff_note(measure, int(lists.returned[0]), float(steps.normaliser[0]))
    yield from _order_note(joined.order, decisions, int(joined.judged.tied[index]), lists)
    if steps.unsplit:
        yield f"The score is not a sum over results: {steps.unsplit}."


_EFFECTS = {"0": "counts 0", "skip": "is left out of the mean", "error": "is an error", "refuse": "is an error"}
"""What an answer does with a query without results."""


def _empty_note(joined: SystemLists, index: int, decisions: Decisions) -> str:
    named = {"skip_missing": "0" if joined.judged.listed[index] else "skip"}
    effect = _EFFECTS[named.get(decisions.no_results, decisions.no_results)]
    return f"The system returned nothing for this query: it {effect} (no_results={decisions.no_results})."


def _failed_note(joined: SystemLists, index: int, decisions: Decisions) -> str:
    message = joined.failures[joined.queries[index]]
    return f"The search failed for this query ({message}): it {_EFFECTS[decisions.failed]} (failed={decisions.failed})."


def _ideal_note(measure: Measure, steps: Steps) -> Iterator[str]:
    decisions = measure.decisions
    if steps.ideal is None:
        return
    if steps.lists.ranks == "averaged" and decisions.ideal == "local":
        yield (
            f"The ideal is {IDEALS['local']}. If tied results cross the cutoff, chance decides which are in the top k, "
            "and so what the ideal is: the contributions are averages, already divided by it."
        )
        return
    ideal = steps.ideal()
    worth = float(ideal.contribution.sum())
    meaning = _GREEDY if measure.definition.by_subtopic else IDEALS[decisions.ideal]
    yield f"The ideal is {meaning}. It is {len(ideal.rank)} deep and worth {worth:.4f}."


def _unjudged_note(measure: Measure, joined: SystemLists, lists: JudgedLists, returned: int) -> Iterator[str]:
    decisions = measure.decisions
    negative = int((joined.lists.grade < 0).sum())
    if negative and decisions.negative != "keep":
        kind = "as unjudged" if decisions.negative == "unjudged" else "as grade 0"
        have = "has" if negative == 1 else "have"
        yield (
            f"{negative} of {plural(returned, 'result')} {have} a grade below zero; it counts {kind} "
            f"(negative={decisions.negative})."
        )
    if decisions.unjudged == "filter":
        if removed := returned - int(lists.returned[0]):
            was = "was" if removed == 1 else "were"
            yield (
                f"{removed} of {plural(returned, 'result')} {was} unjudged and removed; "
                "the ranks closed up (unjudged=filter)."
            )
        return
    unjudged = np.isnan(joined.lists.grade) | ((joined.lists.grade < 0) & (decisions.negative == "unjudged"))
    counted = _within_reach(measure, joined.lists, returned)
    count = int(unjudged[counted].sum())
    of = plural(returned, "result") if counted.all() else f"the first {plural(int(counted.sum()), 'result')}"
    grade = 0.0 if decisions.unjudged == "zero" else decisions.unjudged
    if count:
        one, many = measure.definition.holes or ("", "")
        if decisions.unjudged != "zero" or not one:
            as_grade = f"as grade {answer_text(float(grade))}"
            one, many = f"counts {as_grade} and keeps its rank", f"count {as_grade} and keep their ranks"
        effect = f"is unjudged; it {one}" if count == 1 else f"are unjudged; they {many}"
        yield f"{count} of {of} {effect}."


def _within_reach(measure: Measure, lists: JudgedLists, returned: int) -> Mask:
    """Return which results are within the cutoff; all if ties may bring others there."""
    free = measure.decisions.ties in ("best", "worst", "average")
    if measure.cutoff is None or free or len(lists.rank) != returned:
        return np.ones(len(lists.rank), bool)
    return np.asarray(lists.rank <= measure.cutoff)


def _gain_note(decisions: Decisions, lists: JudgedLists) -> Iterator[str]:
    if decisions.gain == "exp2" and lists.max_grade <= 1:
        yield (
            "gain=exp2 on grades from 0 to 1 is nearly linear (2^0.5 - 1 = 0.414): it does not favour high grades much."
        )
    if decisions.max_grade != "highest":
        yield f"The scale's top grade is {answer_text(decisions.max_grade)}, as declared."


def _relevant_note(decisions: Decisions, lists: JudgedLists) -> Iterator[str]:
    level = decisions.relevant_from
    relevant = int(lists.judged_relevant(level)[0])
    returned = int(np.count_nonzero(lists.relevant(level)))
    from_grade = "above 0" if isinstance(level, str) else f"{answer_text(level)} or more"
    was = "was" if returned == 1 else "were"
    yield f"{returned} of {plural(relevant, 'relevant document')} (grade {from_grade}) {was} returned."


def _cutoff_note(measure: Measure, returned: int, divisor: float) -> Iterator[str]:
    k, decisions = measure.cutoff, measure.decisions
    if k is None:
        return
    if decisions.cutoff == "below_k" and "cutoff" in measure.definition.reads:
        yield f"Rank {k} does not count (cutoff=below_k)."
    if "short_list" in measure.definition.reads and returned < k:
        yield f"Fewer than {plural(k, 'result')} came back; divided by {divisor:g} (short_list={decisions.short_list})."


def _order_note(order: str, decisions: Decisions, tied: int, lists: JudgedLists) -> Iterator[str]:
    by = {"score": "score, highest first", "rank": "rank, lowest first", "given": "the order of the rows"}[order]
    ties = (
        f"; {plural(tied, 'result')} {'is' if tied == 1 else 'are'} tied, ties={decisions.ties}"
        if tied and order != "given"
        else ""
    )
    yield f"Ordered by {by}{ties}."
    if lists.ranks == "averaged":
        yield "A tied result takes the mean over all places of its span."


# The steps behind values as tables: one row per result, or one row per place of the ideal list.


def steps_table(steps: Steps, joined: SystemLists, measure: Measure, queries: Sequence[str] | None = None) -> Table:
    """Return the steps, one row per result; with the ids of the queries a query column first."""
    lists, share = steps.lists, round_contributions(steps.contribution, measure)
    columns: dict[str, Any] = {}
    if queries is not None:
        columns["query"] = [queries[q] for q in lists.query]
    if joined.searches is not None:
        columns["step"] = np.where(lists.row < 0, 0, joined.searches.step[lists.row])
    columns |= {"rank": lists.rank, "doc": _name_docs(joined, lists.row)}
    columns |= {} if joined.spans is None else {"span": _name_spans(joined, lists.entry)}
    columns |= {"grade": lists.grade}
    if lists.ranks == "averaged":
        columns |= {"tie_first": lists.tie_first, "tie_last": lists.tie_last}
    columns |= steps.columns | {"contribution": share, "running": lists.running(share)}
    return Table(columns, "steps", {"fingerprint": measure.fingerprint})


def _name_docs(joined: SystemLists, rows: Ints) -> list[str | None]:
    """Name the document of each row; None where a rank was left out."""
    there = rows >= 0
    names = iter(joined.run.docs(rows[there]))
    return [next(names) if named else None for named in there]


def _name_spans(joined: SystemLists, entries: Ints) -> list[str | None]:
    """Name the judged span of each entry; None where a chunk brings none."""
    names = iter(joined.pool.docs(entries[entries >= 0]))
    return [next(names) if judged else None for judged in entries >= 0]


def round_contributions(contribution: Floats, measure: Measure) -> Floats:
    """Round contributions as the decisions say, so that they add up to the score."""
    return apply_rounding(contribution, measure.decisions.rounding, "term")


def ideal_table(steps: Steps, joined: SystemLists, measure: Measure) -> Table:
    """Return the ideal list with the same columns; an empty table where the measure has none."""
    if steps.ideal is None:
        return Table({})
    ideal = _order_as_judged(steps.ideal(), joined) if measure.decisions.ideal == "global" else steps.ideal()
    entries = ideal.entry
    docs: list[str | None] = [None] * len(entries)
    for place, doc in zip(np.flatnonzero(entries >= 0), joined.pool.docs(entries[entries >= 0]), strict=True):
        docs[int(place)] = doc
    share = round_contributions(ideal.contribution, measure)
    return Table(
        {
            "rank": ideal.rank,
            "doc": docs,
            "grade": ideal.grade,
            "grade_rank": _dense_ranks(ideal.grade),
            "gain": ideal.gain,
            "discount": ideal.discount,
            "contribution": share,
            "running": np.cumsum(share),
        },
        "ideal",
    )


def _dense_ranks(grade: Floats) -> Ints:
    return np.searchsorted(np.unique(-np.nan_to_num(grade)), -np.nan_to_num(grade)) + 1


def _order_as_judged(ideal: Ideal, joined: SystemLists) -> Ideal:
    """Put documents of equal gain in the order of the judgments, which a reader can follow in the file."""
    order = np.lexsort((joined.pool.row[ideal.entry], -ideal.gain, ideal.query))
    return ideal._replace(grade=ideal.grade[order], gain=ideal.gain[order], entry=ideal.entry[order])


# Notes on units: which of their parts earned the credit, and what the value would be if ranks were counted otherwise.


def parts_table(parts: ReturnedPassages) -> Table:
    """Return one row per result as it was returned: its part, its unit, and whether it repeats one.

    Empty if each result is judged by its own id.
    """
    if not parts.unit:
        return Table({})
    columns: dict[str, Any] = {"rank": parts.rank, "part": parts.part, "unit": parts.unit, "grade": parts.grade}
    return Table(columns | {"credit": [_credit_text(parts, place) for place in range(len(parts.unit))]}, "parts")


def _credit_text(parts: ReturnedPassages, place: int) -> str:
    first = parts.first[place]
    if first != place:
        return f"repeats rank {parts.rank[first]}"
    return "unjudged" if np.isnan(parts.grade[place]) else "stands for its unit"


def unit_notes(join: Join, measure: Measure, index: int, parts: ReturnedPassages) -> Iterator[str]:
    """Yield what was rolled up in this query, and what the value would be if ranks were counted otherwise."""
    decisions = measure.decisions
    judged = None if parts.unit or measure.definition.by_span else join.lists_of_query(measure.on_lists, index).judged
    if isinstance(judged, JudgedSpans):
        yield f"{hits_in_words(chunk_counts(judged), decisions)}."
    if not parts.unit:
        return
    repeats = [place for place, first in enumerate(parts.first) if first != place]
    many = f"{plural(len(parts.unit), 'result')} of {plural(len(set(parts.unit)), 'unit')}"
    yield f"{many} (unit={decisions.text('unit')}, roll_up={decisions.text('roll_up')}, counts={decisions.counts})."
    if repeats:
        named = listed([f"{parts.part[p] or parts.unit[p]} (rank {parts.rank[p]})" for p in repeats])
        are = "repeats a unit that stands before and earns" if len(repeats) == 1 else "repeat units and earn"
        yield f"{named} {are} nothing."
        yield from _other_count_note(join, measure, index)


_COUNTED = {
    "units": ("returned", "If the repeats kept their ranks"),
    "returned": ("units", "If ranks closed up behind the repeats"),
}


def _other_count_note(join: Join, measure: Measure, index: int) -> Iterator[str]:
    other, words = _COUNTED[measure.decisions.counts]
    changed = replace(measure, decisions=measure.decisions.but(counts=other))
    (found,) = list_variants(join, [changed])
    if isinstance(found, Variant):  # else the other answer is refused for these lists, and there is no value to mention
        yield f"{words}, the value would be {found.values[index]:.4f} (counts={other})."


# The passages that a query returned, by rank: which of them stands for its unit, and which repeat it.


class ReturnedPassages(NamedTuple):
    """The n results of one query as they were returned, by rank.

    Attributes
    ----------
    rank, row, grade
        (n,) rank among all results, row of the table, grade of the unit (NaN: unjudged).
    unit, part
        (n,) id of the unit, and of the part; "" if it has none of its own.
    first
        (n,) place, from 0, of the first result of the same unit.
    """

    rank: Ints
    row: Ints
    grade: Floats
    unit: list[str]
    part: list[str]
    first: list[int]


def returned_passages(joined: SystemLists, decisions: Decisions, index: int) -> ReturnedPassages:
    """Return every result of one judged query in the order before units were rolled up; none if there are no units."""
    if decisions.unit in (AS_RETURNED, SPANS):
        nothing = np.zeros(0, np.int64)
        return ReturnedPassages(nothing, nothing, np.zeros(0), [], [], [])
    found = units_of_results(joined.results, decisions.unit)
    system = "" if joined.pooled else joined.system
    run = run_by_query(found.table, system, decisions, joined.order, "keep", found.units)
    order: Any = joined_order(joined.results, system, decisions, joined.order)
    ties: Any = tie_order(decisions.ties)
    precision: Any = decisions.score_precision
    gaps: Any = decisions.rank_gaps
    judged = judge(joined.pool, run, order, ties, precision, gaps, True, np.array([index], np.int64))
    rank, grade, _, row, *_ = judged.hits(index, index + 1)
    names = [""] * len(row) if found.unnamed else found.table.source.ids(found.table.doc).to_list(row)
    units = run.docs(row)
    seen: dict[str, int] = {}
    first = [seen.setdefault(unit, place) for place, unit in enumerate(units)]
    return ReturnedPassages(rank, row, grade, units, [id_text(name) for name in names], first)
