"""The question behind one decision, and how its answers are read."""

import math
from dataclasses import field
from typing import Any, Literal, NamedTuple

from idealrank.decisions.forms import Form, answer_text
from idealrank.errors import not_allowed

Stage = Literal["read", "list", "value", "mean"]


class Question(NamedTuple):
    """The question behind one decision, the stage at which it acts, and which tools give which answer."""

    stage: Stage
    asks: str
    answers: dict[str, str]
    number: str = ""
    """What a plain number means as an answer; empty if numbers are not allowed."""
    form: Form | None = None
    """How to read an answer that is neither a word nor a plain number, such as log(2)."""
    only_with: str = ""
    """What makes this a question: ``unit`` (answered by another than its first answer), or ``unit=spans``."""

    def read(self, name: str, value: Any) -> Any:
        """Read an answer to the decision with this name.

        Raises
        ------
        UsageError
            If the answer is not allowed.
        """
        if self.form is not None and (answer := self.form.read(value)) is not None:
            return answer
        if isinstance(value, str):
            return self._word(name, value)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise not_allowed(name, value, self._allowed())
        return float(value) if self.number else self._word(name, answer_text(float(value)))

    def _word(self, name: str, value: str) -> Any:
        words = self.answers if self.form is None else self.answers.keys() - set(self.form.written)
        if value in words:
            return value
        folded = {_folded(word): word for word in words}
        if (word := folded.get(_folded(value))) is not None:
            return word
        if self.number and (number := _number(value)) is not None:
            return number
        raise not_allowed(name, value, self._allowed())

    def _allowed(self) -> list[str]:
        return [*self.answers, *(["a number"] if self.number else [])]


def decision(
    stage: Stage,
    asks: str,
    answers: dict[str, str],
    number: str = "",
    form: Form | None = None,
    default: Any = None,
    only_with: str = "",
) -> Any:
    """Declare a decision as a field of a dataclass; its default is the first answer unless one is given."""
    default = next(iter(answers)) if default is None else default
    return field(default=default, metadata={"question": Question(stage, asks, answers, number, form, only_with)})


def _folded(text: str) -> str:
    return text.strip().lower().replace(" ", "")


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
