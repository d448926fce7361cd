"""Answers that are neither a word nor a plain number: gain tables, logarithms, roundings."""

import ast
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from idealrank.errors import UsageError


class Form(NamedTuple):
    """How the answer is written, what reads it (None for anything else), and its type in Python."""

    written: str
    read: Callable[[Any], Any]
    type: str


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
    return () if text in ("none", "") else tuple(map(_rounding, text.split("+")))


def _rounding(text: str) -> Rounding:
    stage, rule, digits = (*text.split(","), "", "", "")[:3]
    well_formed = stage in ("term", "query", "mean") and rule in ("round", "half_up", "floor") and digits.isdigit()
    if well_formed and text.count(",") == 2:
        return Rounding(stage, rule, int(digits))
    raise UsageError(
        f"rounding={text} is not an answer. Allowed: none, or STAGE,RULE,DIGITS "
        "(STAGE term, query or mean; RULE round, half_up or floor), several joined by +."
    )


GAIN_TABLE = Form("{grade: gain}", _read_gains, "Mapping[int, float] | Mapping[float, float]")
LOGARITHM = Form("log(b)", _read_logarithm, "str")
ROUNDINGS = Form("STAGE,RULE,DIGITS", _read_roundings, "str | tuple[str, str, int]")
