"""A stand-in for the kernel, until it is here: the same calls, without a ledger."""

from __future__ import annotations

import math
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from idealrank.data.read import no_results, read_judgments, read_results
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.scores import Scores

Columns = Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """What is computed: picklable."""

    measures: Any
    convention: str
    decisions: Mapping[str, Any]
    only: Any
    exclude: Any
    judgments: Columns
    results: Columns
    systems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Survey:
    """What is true of all buckets."""

    highest: float = -math.inf
    systems: tuple[str, ...] = ()

    @staticmethod
    def merged(surveys: Sequence[Survey]) -> Survey:
        """Put surveys of parts together."""
        names = {name for survey in surveys for name in survey.systems}
        return Survey(max((survey.highest for survey in surveys), default=-math.inf), tuple(sorted(names)))


@dataclass(frozen=True)
class Portion:
    """The values of one bucket."""

    queries: list[str]
    values: Any
    states: Any

    def to_bytes(self) -> bytes:
        """Write it."""
        return pickle.dumps((self.queries, self.values, self.states))

    @staticmethod
    def from_bytes(data: bytes) -> Portion:
        """Read it back."""
        return Portion(*pickle.loads(data))


@dataclass(frozen=True)
class Merged:
    """The values of all buckets."""

    systems: tuple[str, ...]
    labels: tuple[str, ...]
    queries: list[str]
    values: Any
    states: Any
    means: dict[str, float] = field(default_factory=dict)


def survey_of(plan: Plan, judgments: Any, results: Any) -> Survey:
    """Survey a part; one of the tables may be None."""
    highest, systems = -math.inf, plan.systems
    if judgments is not None:
        pool = read_judgments(judgments, **plan.judgments).pool("median", plan.decisions.get("duplicates", "error"))
        highest = float(pool.grade.max())
    if results is not None and not systems:
        systems = read_results(results, **plan.results).systems
    return Survey(highest, systems)


def scored(plan: Plan, survey: Survey, judgments: Any, results: Any) -> Scores:
    """Evaluate some queries as part of the whole."""
    decisions = {"max_grade": survey.highest} | dict(plan.decisions)
    return evaluate(
        read_judgments(judgments, **plan.judgments), _by_system(plan, survey, results), plan.measures,
        convention=plan.convention, only=plan.only, exclude=plan.exclude, **decisions,
    )  # fmt: skip


def _by_system(plan: Plan, survey: Survey, results: Any) -> Any:
    column = plan.results.get("system")
    roles = {role: name for role, name in plan.results.items() if role != "system"}
    found = {}
    for name in survey.systems:
        rows = results
        if results is not None and column is not None and len(survey.systems) > 1:
            rows = results.filter(np.array([each == name for each in results.column(column).to_pylist()]))
        none = rows is None or not len(rows)
        found[name] = no_results(name) if none else read_results(rows, name=name, **roles)
    return found


def evaluated(plan: Plan, survey: Survey, judgments: Any, results: Any) -> Portion:
    """Evaluate a bucket."""
    if judgments is None:
        shape = (len(survey.systems), len(labels_of(plan, survey)), 0)
        return Portion([], np.zeros(shape), np.zeros(shape, np.int8))
    scores = scored(plan, survey, judgments, results)
    return Portion(scores.queries, scores.values, scores.states)


def labels_of(plan: Plan, survey: Survey) -> tuple[str, ...]:
    """Return the names of the measures."""
    one = {"q": {"d": 1}}
    answers = {name: value for name, value in plan.decisions.items() if name != "max_grade"}
    return evaluate(one, one, plan.measures, convention=plan.convention, **answers | {"relevant_from": 1}).labels


def merged(plan: Plan, survey: Survey, portions: Sequence[Portion]) -> Merged:
    """Put portions together."""
    queries = [query for portion in portions for query in portion.queries]
    order = np.argsort(np.array(queries, object), kind="stable")
    values = np.concatenate([portion.values for portion in portions], axis=2)[:, :, order]
    states = np.concatenate([portion.states for portion in portions], axis=2)[:, :, order]
    labels = labels_of(plan, survey)
    means = {label: math.fsum(values[0, m]) / values.shape[2] for m, label in enumerate(labels)}
    return Merged(survey.systems, labels, [queries[i] for i in order], values, states, means)
