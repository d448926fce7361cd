"""Answers of a language model: the grade in each, or why there is none; kept by what was asked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from idealrank.engines.journal import AnswerLines
from idealrank.errors import visible_lines
from idealrank.labels.language_models import Completion

State = Literal["graded", "refused", "unparsable", "timed_out", "failed"]

STATES: tuple[State, ...] = ("graded", "refused", "unparsable", "timed_out", "failed")
"""What may become of a pair. Only the first is a grade; the last two are asked again by the next run."""

KEPT: tuple[State, ...] = ("graded", "refused", "unparsable")
"""What is an answer, and is not asked again."""

_FENCE = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n\s*```\s*", re.DOTALL)
_SHOWN = 120


class ModelAnswer(NamedTuple):
    """What became of a pair.

    Attributes
    ----------
    state
        graded, refused, unparsable, timed_out, or failed.
    grade
        The grade; None unless graded.
    reason
        The reason in the model's words, or why there is no grade.
    tokens_in, tokens_out, tokens_cached
        Tokens; None if the server does not say.
    """

    state: State
    grade: int | None
    reason: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None


def parse_answer(completion: Completion, scale: Sequence[int]) -> ModelAnswer:
    r"""Read the grade of an answer, which must be the JSON that was asked for and nothing else.

    A number within prose is no grade: whoever guesses reads ``O: 10`` as 1. Only a code block around the whole answer
    is taken off.

    Examples
    --------
    >>> scale = (0, 1, 2, 3)
    >>> parse_answer(Completion('{"grade": 2, "reason": "On topic."}'), scale)[:3]
    ('graded', 2, 'On topic.')
    >>> parse_answer(Completion("##final score: 3"), scale)[:3]
    ('unparsable', None, 'not JSON: ##final score: 3')
    >>> parse_answer(Completion('{"grade": 10}'), scale)[:3]
    ('unparsable', None, 'the grade 10 is not one of 0, 1, 2, 3')
    """
    tokens = (completion.tokens_in, completion.tokens_out, completion.tokens_cached)
    if completion.refusal:
        return ModelAnswer("refused", None, visible_lines(completion.refusal), *tokens)
    grade, reason = _grade_in(completion, scale)
    return ModelAnswer("unparsable" if grade is None else "graded", grade, visible_lines(reason), *tokens)


def _grade_in(completion: Completion, scale: Sequence[int]) -> tuple[int | None, str]:
    """Return the grade and its reason, or None and why there is none."""
    text = completion.text
    if not text.strip():
        return None, "an empty answer"
    fenced = _FENCE.fullmatch(text)
    try:
        found = json.loads(fenced[1] if fenced else text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        why = "cut off at the most tokens allowed" if completion.cut else "not JSON"
        return None, f"{why}: {_begin(text)}"
    grade = found.get("grade") if isinstance(found, dict) else None
    if grade is None:
        return None, f"no grade: {_begin(text)}"
    if not isinstance(grade, (int, float)) or isinstance(grade, bool):
        return None, f"the grade {_begin(json.dumps(grade, ensure_ascii=False))} is no number"
    if grade not in scale:
        return None, f"the grade {grade:g} is not one of {', '.join(map(str, scale))}"
    reason = found.get("reason")
    return int(grade), reason if isinstance(reason, str) else ""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose names occur once; two grades are none."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name that occurs twice")
    return found


def _begin(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"


class AnswerCache(AnswerLines):
    """Answers by the hash of what was asked, appended as they arrive; a run goes on from it where it stopped.

    Parameters
    ----------
    path
        The file; it is made, or gone on with.
    anew
        Whether what is there is not looked at. It stays, and later answers take its place.

    Raises
    ------
    UsageError
        If it cannot be written or read, or another process writes to it.
    """

    def __init__(self, path: Path, anew: bool = False) -> None:
        super().__init__(path)
        self._answers: dict[tuple[str, int], ModelAnswer] = {}
        try:
            self._lock()
            self._read()
        except BaseException:
            self.close()
            raise
        if anew:
            self._answers.clear()
        self.before = frozenset(self._answers)
        """What was answered by earlier runs."""

    def _read(self) -> None:
        at = 0
        for line in self._lines:
            if not line.endswith(b"\n"):
                break  # the process was killed while it wrote this line
            entry = self._parse_line(line, at)
            try:
                answer = ModelAnswer(*(entry[name] for name in ModelAnswer._fields))
                self._answers[entry["key"], entry["again"]] = answer
            except (KeyError, TypeError):
                raise self._damaged_error(at) from None
            at += len(line)
        self._cut(at)

    def close(self) -> None:
        """Close the file; one without an answer is taken away."""
        super().close()
        if not self._end:
            self.path.unlink(missing_ok=True)

    def get(self, key: str, again: int = 0) -> ModelAnswer | None:
        """Return an answer; None if there is none."""
        return self._answers.get((key, again))

    def add(self, key: str, again: int, answer: ModelAnswer) -> None:
        """Append an answer. A failure is none, and is asked again by the next run."""
        self._answers[key, again] = answer
        if answer.state in KEPT:
            self._write({"key": key, "again": again, **answer._asdict()})
