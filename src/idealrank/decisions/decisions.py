"""All decisions as one frozen value."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from idealrank.decisions.forms import answer_text
from idealrank.decisions.question import Question, Stage
from idealrank.decisions.stages.lists import ListDecisions
from idealrank.decisions.stages.means import MeanDecisions
from idealrank.decisions.stages.values import ValueDecisions
from idealrank.errors import unknown


@dataclass(frozen=True)
class Decisions(MeanDecisions, ValueDecisions, ListDecisions):
    """Every decision that changes a number, with the default answers of ``idealrank-1``.

    Each field is one question; `questions` gives its stage, its allowed answers and which
    tools use each. Fields are words or numbers, never booleans.

    Examples
    --------
    >>> Decisions().but(gain="exp2").gain
    'exp2'
    >>> Decisions().but(gain="exp3")
    Traceback (most recent call last):
        ...
    idealrank.errors.UsageError: gain=exp3 is not an answer. Allowed: linear, ... Did you mean exp2?
    """

    def __post_init__(self) -> None:
        self._settle(questions())

    def _settle(self, names: Iterable[str]) -> None:
        for name in names:
            object.__setattr__(self, name, questions()[name].read(name, getattr(self, name)))

    def but(self, **answers: Any) -> Decisions:
        """Return a copy with some answers changed.

        Raises
        ------
        UsageError
            If a field does not exist or the value is not allowed.
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

    def asked(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of some decisions that change something: others are only asked with another's answer.

        Examples
        --------
        >>> Decisions().asked(["unit", "roll_up"]), Decisions(unit="source").asked(["unit", "roll_up"])
        (('unit',), ('unit', 'roll_up'))
        >>> Decisions(unit="source").asked(["overlap"]), Decisions(unit="spans").asked(["overlap"])
        ((), ('overlap',))
        """
        return tuple(name for name in names if self._asks(questions()[name].only_with))

    def _asks(self, condition: str) -> bool:
        other, _, wanted = condition.partition("=")
        answer, first = getattr(self, other, ""), next(iter(questions()[other].answers)) if other else None
        return bool(answer == wanted if wanted else answer != first)

    def __repr__(self) -> str:
        return f"Decisions({', '.join(f'{name}={answer!r}' for name, answer in self.departures().items())})"

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
