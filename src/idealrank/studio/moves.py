"""Which decisions matter here: those whose other answers move a mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from idealrank.decisions.decisions import questions
from idealrank.decisions.question import Question
from idealrank.errors import IdealrankError
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

    They are looked for from the usual answers, on at most `SAMPLED` queries; anew once somebody grades, or a table is
    another.
    """
    moved = project.now(("moves", look.measure, look.baseline, look.system), lambda: _moves(project, look))
    found = [replace(each, moves=moved.get(each.name, 0.0)) for each in choices(project, look)]
    matter = [each for each in found if each.moves > MOVED or each.is_flipped]
    return sorted(matter, key=lambda each: -each.moves)


def _moves(project: StudioProject, look: Look) -> dict[str, float]:
    """Return how far each decision moves a mean."""
    plain = replace(look, answers={})
    return {each.name: max(_distances(project, plain, each), default=0.0) for each in choices(project, plain)}


def _distances(project: StudioProject, look: Look, choice: Choice) -> Iterator[float]:
    """Yield how far each other answer moves each mean; one that is refused for this measure moves none."""
    here = project.sampled_means(look)
    for answer in choice.answers:
        if answer == choice.usual:
            continue
        try:
            there = project.sampled_means(look.but(choice.name, answer, choice.usual))
        except IdealrankError:
            continue
        yield from (abs(after - before) for before, after in zip(here, there, strict=True) if after == after)
