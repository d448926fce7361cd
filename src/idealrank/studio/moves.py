"""Which decisions matter here: those whose other answers move a mean."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from idealrank.conventions import parse_convention
from idealrank.decisions.decisions import questions
from idealrank.decisions.question import Question
from idealrank.errors import IdealrankError
from idealrank.evaluation.requested_measures import measures_under
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import refuse_unreached
from idealrank.evaluation.variants import Variant, variants
from idealrank.measures.definition import Measure
from idealrank.studio.project import Look, StudioProject

MOVED = 0.0005
"""Means that differ by less are equal as a page shows them."""


@dataclass(frozen=True)
class Choice:
    """A decision as a page offers it.

    Attributes
    ----------
    name, asks
        The decision and its question.
    answers
        What can be answered, each with a sentence; the answer in force is among them.
    now, usual
        The answer in force, and the one without any choice.
    moves
        The farthest that another answer moves the mean of a system; NaN if it was not tried.
    """

    name: str
    asks: str
    answers: dict[str, str]
    now: str
    usual: str
    moves: float = float("nan")

    @property
    def is_flipped(self) -> bool:
        """Whether somebody chose another answer."""
        return self.now != self.usual


def choices(project: StudioProject, look: Look) -> list[Choice]:
    """Return every decision that the measure reads."""
    now = project.scores(look).answers.texts
    usual = project.scores(replace(look, answers={})).answers.texts if look.answers else now
    names = [name for name in questions() if name in now or name in look.answers]
    return [_choice(name, now.get(name, look.answers.get(name, "")), usual.get(name, "")) for name in names]


def _choice(name: str, now: str, usual: str) -> Choice:
    question = questions()[name]
    answers = _words(question)
    for word in (usual, now):  # numbers and the like, which have no sentence of their own
        if word not in answers:
            answers[word] = question.number or "as given"
    return Choice(name, question.asks, answers, now, usual)


def _words(question: Question) -> dict[str, str]:
    """Return the answers that are words as they stand."""
    written = set() if question.form is None else set(question.form.written)
    return {word: says for word, says in question.answers.items() if word not in written}


def moving(project: StudioProject, look: Look) -> list[Choice]:
    """Return the decisions whose other answers move a mean, the farthest first, then those that were flipped.

    They are looked for from the usual answers, on at most `SAMPLED` queries, when a table changes, and each time the
    ratings given here have doubled.
    """
    asked = (project.convention, look.measure, look.baseline, look.system)
    last_rating, _ = project.store.state
    key = ("moves", project.tables_version, last_rating.bit_length(), *asked)
    moved = project.once(key, lambda: _moves(project, look))
    found = [replace(each, moves=moved.get(each.name, 0.0)) for each in choices(project, look)]
    matter = [each for each in found if each.moves > MOVED or each.is_flipped]
    return sorted(matter, key=lambda each: -each.moves)


def _moves(project: StudioProject, look: Look) -> dict[str, float]:
    """Return how far each decision moves a mean; an answer that is refused for this measure moves none."""
    plain = replace(look, answers={})
    here, moved = project.sampled_scores(plain), dict.fromkeys(questions(), 0.0)
    for name, s, mean in _other_means(project, plain, here):
        moved[name] = max(moved[name], abs(mean - here.all_means[s][0]))
    return moved


OF_TABLES = frozenset({"unit", "steps", "weights", "systems"})
"""Decisions that say what a result, a query and a system are, and how much each counts: before there are lists."""


def _other_means(project: StudioProject, look: Look, here: Scores) -> Iterator[tuple[str, int, float]]:
    """Yield each decision with the place of a system and its mean under another answer."""
    asked: list[tuple[str, int, Measure]] = []
    for each in choices(project, look):
        for answer in each.answers:
            with contextlib.suppress(IdealrankError):
                if answer != each.usual and each.name in OF_TABLES:
                    there = project.sampled_scores(look.but(each.name, answer, each.usual))
                    yield from ((each.name, s, mean) for s, (mean,) in enumerate(there.all_means))
                elif answer != each.usual:
                    setting = parse_convention(here.setting.text, {each.name: answer})
                    (measure,) = measures_under(setting, [look.measure])
                    asked += ((each.name, s, measure) for s in range(len(here.systems)))
    asked.sort(key=lambda one: one[1])
    found = variants(here, [(s, measure) for _, s, measure in asked], refuse_unreached)
    for (name, s, measure), one in zip(asked, found, strict=True):
        if isinstance(one, Variant):
            yield name, s, here.average(s, measure, one.values)
