"""Explanation: one value, the steps that gave it, and what the decisions did."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

from idealrank.display.blocks import Beside, Block, Folded, Grid, Heading, Points, Small
from idealrank.display.document import Shown
from idealrank.display.numbers import number
from idealrank.display.table import Table, cell, decimals_of
from idealrank.errors import plural
from idealrank.evaluation.answers import Answers
from idealrank.evaluation.computation import steps_of
from idealrank.evaluation.explanation.notes import notes_on
from idealrank.evaluation.explanation.steps_tables import ideal_table, shares, steps_table
from idealrank.evaluation.explanation.units import parts_table, unit_notes
from idealrank.evaluation.scoring import State, scored
from idealrank.judged_lists.meeting import Meeting
from idealrank.judged_lists.parts import parts_of
from idealrank.measures import Measure


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Explanation(Shown):
    """One value and where it comes from.

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

    query: str
    text: str
    system: str
    measure: Measure
    steps: Table
    ideal: Table
    score: float
    total: float
    normaliser: float
    notes: tuple[str, ...]
    answers: Answers
    unsplit: str = ""
    parts: Table = field(default_factory=lambda: Table({}))
    judged: int = 1
    answered: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "query": self.query,
            "text": self.text,
            "system": self.system,
            "measure": self.measure.name,
            "decisions": self.measure.fingerprint,
            "score": number(self.score),
            "total": number(self.total),
            "normaliser": number(self.normaliser),
            "unsplit": self.unsplit,
            "steps": self.steps.rows(),
            "ideal": self.ideal.rows(),
            **({"parts": self.parts.rows()} if self.parts.columns else {}),
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """Return the explanation as JSON in full precision."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def shown(self) -> list[Block]:
        """Return the heading, the steps with the ideal beside them, the sum with the notes, and the decisions."""
        below: list[Block] = [Points(self.notes, self._sum), Small(self._foot), Folded(self.answers.shown())]
        parts = [self.parts.grid(title="as returned")] if self.parts.columns else []
        return [self._heading, self._lists(), *parts, *below]

    @property
    def _heading(self) -> Heading:
        names = (self.query, *([self.text] if self.text else []), self.system, str(self.measure), cell(self.score))
        return Heading(f"query {{}}{' ({})' if self.text else ''}, {{}}: {{}} = {{}}", names)

    @property
    def _foot(self) -> str:
        return f"{self.measure} under {self.answers.setting}; 1 of {plural(self.judged, 'query')}"

    def _lists(self) -> Grid | Beside:
        """Show the results that count, and the ideal beside them; a column is written alike in both."""
        steps = self._counting
        hidden = len(self.steps) - len(steps)
        note = f"{plural(hidden, 'more result')} {'contributes' if hidden == 1 else 'contribute'} nothing"
        decimals = decimals_of((steps, self.ideal))
        left = steps.grid(title="results", decimals=decimals) if len(steps) else Grid([], "no results")
        left = left._replace(note=note if hidden else "")
        if not self.ideal.columns:
            return left
        return Beside(left, self.ideal.grid(title="ideal list", decimals=decimals))

    @property
    def _counting(self) -> Table:
        """The results up to the cutoff, or to the last one that contributes and ten at least."""
        last = max((i for i, share in enumerate(self.steps["contribution"], 1) if share), default=0)
        return self.steps.take(range(min(len(self.steps), max(last, self.measure.cutoff or 10))))

    @property
    def _sum(self) -> str:
        """How the contributions make the score, where they do."""
        if self.unsplit or math.isnan(self.score):
            return ""
        contributions, score = f"contributions {cell(self.total)} / {cell(self.normaliser)}", cell(self.score)
        if self.normaliser <= 0:
            return f"{contributions}: answered by {self.answered or 'no_relevant'} with {score}"
        quotient = cell(self.total / self.normaliser)
        rounded = f", rounded to {score} (rounding={self.measure.decisions.text('rounding')})"
        return f"{contributions} = {quotient}{'' if quotient == score else rounded}"


def explain_value(meeting: Meeting, measure: Measure, index: int, text: str, setting: str) -> Explanation:
    """Explain the value of one query (by index) of one system."""
    met = meeting.met_alone(measure.on_lists, index)
    steps = steps_of(met.lists, measure)
    values, states = scored(meeting.met_for(measure.on_lists), measure)
    split, parts = not steps.unsplit, parts_of(met, measure.on_lists, index)
    return Explanation(
        query=met.queries[index],
        text=text,
        system=met.system,
        measure=measure,
        steps=steps_table(steps, met, measure),
        ideal=ideal_table(steps, met, measure).stating({"fingerprint": measure.fingerprint}),
        score=float(values[index]),
        total=math.fsum(shares(steps.contribution, measure).tolist()) if split else math.nan,
        normaliser=float(steps.normaliser[0]) if split else math.nan,
        notes=(*notes_on(measure, steps, met, index), *unit_notes(meeting, measure, index, parts)),
        parts=parts_table(parts),
        answers=Answers.to([measure], setting),
        unsplit=steps.unsplit,
        judged=met.size,
        answered=_ANSWERED.get(State(int(states[index])), ""),
    )


_ANSWERED = {
    State.FILLED_NO_RESULTS: "no_results",
    State.FILLED_NO_RELEVANT: "no_relevant",
    State.FILLED_FAILED: "failed",
}
