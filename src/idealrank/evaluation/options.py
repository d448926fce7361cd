"""The keywords of `evaluate` that other functions pass on to it, for type checkers and editors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from idealrank.decisions.answers import DecisionAnswers


class EvaluationOptions(DecisionAnswers, total=False):
    """Which judgments count how: all but the choice of systems."""

    convention: str
    """The decisions to start from, with overrides."""

    queries: Any
    """A table of query attributes, by query id."""

    weights: Any
    """How much each query counts: a column of `queries`, a dict, or a table."""

    only: Any
    """Score these queries only."""


class SystemsOptions(EvaluationOptions, total=False):
    """The same with the choice of systems."""

    system: str | Sequence[str] | None
    """Score this system only; or several, in the order of a list."""


class TablesOptions(SystemsOptions, total=False):
    """The same with what only whole tables can be asked: every keyword of `evaluate`."""

    exclude: Any
    """Results that must not be counted."""
