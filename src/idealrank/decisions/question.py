"""The question behind one decision, and how its answers are read."""

import ast
import math
import numbers
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any, Literal, NamedTuple

from idealrank.errors import UsageError, not_allowed

Stage = Literal["read", "list", "value", "mean"]


class AnswerForm(NamedTuple):
    """How the answer is written, what reads it (None for anything else), and its type in Python."""

    written: tuple[str, ...]
    read: Callable[[Any], Any]
    type: str


class Question(NamedTuple):
    """The question behind one decision, the stage at which it acts, and which tools give which answer."""

    stage: Stage
    asks: str
    answers: dict[str, str]
    number: str = ""
    """What a plain number means as an answer; empty if numbers are not allowed."""
    form: AnswerForm | None = None
    """How to read an answer that is neither a word nor a plain number, such as log(2)."""
    only_with: str = ""
    """What makes this a question: ``unit`` (answered by another than its first answer), or ``unit=spans``."""
    meant: Mapping[str, str] | None = None
    """What people mean by words that are no answers, as sentences: what to write in their place."""

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
            return self._read_word(name, value)
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise not_allowed(name, value, self._list_allowed())
        try:
            number = float(value)
        except OverflowError:  # a whole number beyond the largest float
            number = math.inf
        if not math.isfinite(number):
            raise not_allowed(name, number, self._list_allowed())
        return number if self.number else self._read_word(name, answer_text(number))

    def _read_word(self, name: str, value: str) -> Any:
        words = self.answers if self.form is None else self.answers.keys() - set(self.form.written)
        if value in words:
            return value
        folded = {_fold_case(word): word for word in words}
        if (word := folded.get(_fold_case(value))) is not None:
            return word
        if self.number and (number := _read_number(value)) is not None:
            return number
        meant = (self.meant or {}).get(_fold_case(value).replace("-", "_"), "")
        raise not_allowed(name, value, self._list_allowed(), meant)

    def _list_allowed(self) -> list[str]:
        return [*self.answers, *(["a number"] if self.number else [])]


def _fold_case(text: str) -> str:
    return text.strip().lower().replace(" ", "")


def _read_number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def decision(
    stage: Stage,
    asks: str,
    answers: dict[str, str],
    number: str = "",
    form: AnswerForm | None = None,
    default: Any = None,
    only_with: str = "",
    meant: Mapping[str, str] | None = None,
) -> Any:
    """Declare a decision as a field of a dataclass; its default is the first answer unless one is given."""
    default = next(iter(answers)) if default is None else default
    return field(default=default, metadata={"question": Question(stage, asks, answers, number, form, only_with, meant)})


# Answers that are neither a word nor a plain number.


class Rounding(NamedTuple):
    """One rounding step: at which stage, by which rule, to how many digits."""

    stage: str
    rule: str
    digits: int

    def __str__(self) -> str:
        return f"{self.stage},{self.rule},{self.digits}"


class GainTable(tuple[tuple[float, float], ...]):
    """A gain for each grade, as (grade, gain) pairs by rising grade (hashable)."""

    __slots__ = ()


class UnitMap:
    """The unit of each id, as a dict said; written as, equal by and hashed by a digest of it."""

    def __init__(self, units: Mapping[Any, Any]) -> None:
        import hashlib

        self.units = dict(_iterate_units(units))
        # A map may have a million ids: a fingerprint states it by its digest.
        self.digest = hashlib.sha256(repr(sorted(self.units.items())).encode()).hexdigest()[:8]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnitMap) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __str__(self) -> str:
        return f"map({len(self.units)} ids, {self.digest})"

    __repr__ = __str__


def _iterate_units(units: Mapping[Any, Any]) -> Iterator[tuple[str, str]]:
    """Yield each id with its unit, of ``{id: unit}`` or ``{unit: [ids]}``.

    Raises
    ------
    UsageError
        If one of them is no id, or an id has two units.
    """
    seen: dict[str, str] = {}
    lists = [isinstance(value, (list, tuple, set, frozenset)) for value in units.values()]
    if any(lists) and not all(lists):
        raise UsageError("unit: some values are lists and some are not. Give {id: unit}, or {unit: [ids]} for all.")
    several = any(lists)
    for key, value in units.items():
        for other in value if several else [value]:
            if not isinstance(other, (str, int)) or isinstance(other, bool):
                raise UsageError(f"unit: {key!r} has {other!r}, which is no id. Give text or whole numbers.")
            part, unit = (str(other), str(key)) if several else (str(key), str(other))
            if seen.setdefault(part, unit) != unit:
                raise UsageError(f"unit: {part!r} has two units, {seen[part]!r} and {unit!r}. Give every id one.")
            yield part, unit


def answer_text(value: Any) -> str:
    """Write an answer as text: 1.0 as 1, a table as {1:0.5, 2:1}."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, GainTable):
        return "{" + ", ".join(f"{answer_text(g)}:{answer_text(v)}" for g, v in value) + "}"
    if isinstance(value, tuple):
        return "+".join(map(str, value)) or "none"
    return str(value)


def _read_gains(value: Any) -> GainTable | None:
    if isinstance(value, GainTable):
        return value
    if isinstance(value, str) and value.strip().startswith("{"):
        try:
            value = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError, TypeError):
            return None
    return _gain_table(value) if isinstance(value, Mapping) else None


def _gain_table(table: Mapping[Any, Any]) -> GainTable:
    try:
        pairs = sorted((float(grade), float(gain)) for grade, gain in table.items())
    except (TypeError, ValueError):
        raise UsageError(f"gain={table!r}: a gain table maps numbers to numbers, for example {{1: 1, 2: 3}}.") from None
    if not pairs or not all(math.isfinite(x) for pair in pairs for x in pair):
        raise UsageError(f"gain={table!r}: a gain table needs at least one grade, and finite numbers.")
    return GainTable(pairs)


def _read_logarithm(value: Any) -> str | None:
    text = str(value).replace(" ", "")
    if not (text.startswith("log(") and text.endswith(")")):
        return None
    try:
        base = float(text[4:-1])
    except ValueError:
        base = math.nan
    if not (math.isfinite(base) and base > 1):
        raise UsageError(f"discount={value}: the base of log(b) is a number above 1, for example log(2).")
    return f"log({answer_text(base)})"


def _read_roundings(value: Any) -> tuple[Rounding, ...]:
    if isinstance(value, tuple) and all(isinstance(item, Rounding) for item in value):
        return value
    if isinstance(value, tuple) and len(value) == 3:
        value = ",".join(map(str, value))
    text = str(value).replace(" ", "")
    return () if text in ("none", "") else tuple(map(_read_rounding, text.split("+")))


def _read_rounding(text: str) -> Rounding:
    stage, rule, digits = (*text.split(","), "", "", "")[:3]
    well_formed = stage in ("term", "query", "mean") and rule in ("round", "half_up", "floor") and digits.isdigit()
    if well_formed and text.count(",") == 2:
        return Rounding(stage, rule, int(digits))
    raise UsageError(
        f"rounding={text} is not an answer. Allowed: none, or STAGE,RULE,DIGITS "
        "(STAGE term, query or mean; RULE round, half_up or floor), several joined by +."
    )


def _read_unit(value: Any) -> str | UnitMap | None:
    if isinstance(value, UnitMap):
        return value
    if isinstance(value, Mapping):
        return UnitMap(value)
    text = f"map({os.fspath(value)})" if isinstance(value, os.PathLike) else value
    if not isinstance(text, str) or text.strip().lower().replace(" ", "_") in ("", "as_returned", "spans"):
        return None
    return _check_unit(text.strip())


def _check_unit(text: str) -> str:
    """Return a unit as text: the name of a column, or a rule.

    Raises
    ------
    UsageError
        If a rule says nothing, a pattern has no group, or a map is only its digest.
    """
    rule, opened, rest = text.partition("(")
    if rule not in ("before", "match", "map") or not opened:
        return text
    inside = rest[:-1] if rest.endswith(")") else ""
    if not inside:
        raise UsageError(f"unit={text}: nothing in the brackets. Write {_UNIT_WAYS[rule]}.")
    if not _has_balanced_brackets(inside):
        raise UsageError(f"unit={text}: brackets inside must come in pairs; in a pattern \\x28 is ( and \\x29 is ).")
    if rule == "match":
        _check_pattern(inside)
    if rule == "map" and re.fullmatch(r"\d+ ids, [0-9a-f]{8}", inside):
        raise UsageError(f"unit={text} is a dict that was given in Python. Give the same dict again, or a file of it.")
    return text


def _has_balanced_brackets(text: str) -> bool:
    """Whether brackets come in pairs, so that answers in a list are told apart."""
    depth = 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if depth < 0:
            return False
    return depth == 0


_UNIT_WAYS = {"before": "before(#)", "match": "match(^(.+)#[0-9]+$)", "map": "map(FILE)"}


def _check_pattern(pattern: str) -> None:
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        raise UsageError(f"unit=match({pattern}): no regular expression: {error}.") from None
    if groups < 1:
        raise UsageError(
            f"unit=match({pattern}): the pattern has no group. Put brackets around the unit: {_UNIT_WAYS['match']}."
        )


def _read_mean(value: Any) -> str | None:
    text = str(value).replace(" ", "")
    if not text.startswith("mean"):
        return None
    many = re.fullmatch(r"mean\((\d+)\)", text)
    if many is None or int(many[1]) < 1:
        raise UsageError(f"roll_up={value}: the mean of how many scores? Write mean(n), for example mean(3).")
    return f"mean({int(many[1])})"


def _read_overlap(value: Any) -> str | None:
    text = str(value).replace(" ", "").lower()
    rule, opened, rest = text.partition("(")
    if rule not in ("span", "chunk", "iou"):
        return None
    share = re.fullmatch(r"(0?\.[0-9]+|[01]|1\.0*)\)", rest) if opened else None
    if share is None or not float(share[1]) > 0:
        raise UsageError(f"overlap={value}: the share is a number above 0 and up to 1. Write {rule}(0.5).")
    return f"{rule}({answer_text(float(share[1]))})"


GAIN_TABLE = AnswerForm(("{grade: gain}",), _read_gains, "Mapping[int, float] | Mapping[float, float]")

LOGARITHM = AnswerForm(("log(b)",), _read_logarithm, "str")

ROUNDINGS = AnswerForm(("STAGE,RULE,DIGITS",), _read_roundings, "str | tuple[str, str, int]")

UNIT = AnswerForm(("NAME", "before(TEXT)", "match(PATTERN)", "map(FILE)"), _read_unit, "str | Mapping[str, str]")

MEAN_OF = AnswerForm(("mean(n)",), _read_mean, "str")

OVERLAP = AnswerForm(("span(SHARE)", "chunk(SHARE)", "iou(SHARE)"), _read_overlap, "str")


# Answers written as a list.


def parse_answers(text: str) -> dict[str, str]:
    """Read ``gain=exp2, ideal=local`` into a mapping; commas inside brackets do not separate.

    Raises
    ------
    UsageError
        If a part is not NAME=VALUE, or a name appears twice.

    Examples
    --------
    >>> parse_answers("gain={1: 1, 2: 3}, ap_denominator=min(R,k)")
    {'gain': '{1: 1, 2: 3}', 'ap_denominator': 'min(R,k)'}
    """
    answers: dict[str, str] = {}
    for part in split_outside(text):
        name, equals, value = part.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            raise UsageError(f"{part.strip()!r} is not NAME=VALUE, as in gain=exp2.")
        if name in answers:
            raise UsageError(f"{name} is given twice: {answers[name]} and {value}.")
        answers[name] = value
    return answers


def split_outside(text: str) -> list[str]:
    """Split at commas outside brackets, except those inside a rounding."""
    parts: list[str] = []
    depth, start = 0, 0
    for place, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return _rejoin_roundings([part for part in parts if part.strip()])


def _rejoin_roundings(parts: list[str]) -> list[str]:
    joined: list[str] = []
    for part in parts:
        if joined and "=" not in part and joined[-1].strip().startswith("rounding="):
            joined[-1] += "," + part
        else:
            joined.append(part)
    return joined
