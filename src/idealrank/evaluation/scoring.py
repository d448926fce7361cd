"""Measures over judged lists: values and states of every judged query, and what fills those that have none."""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.data.failures import list_failed
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.question import answer_text
from idealrank.errors import DataError, UsageError, option, plural, some, unsaid
from idealrank.judged_lists.arrangement import arrange
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.judged_lists.lists import JudgedLists, reaches
from idealrank.measures.definition import Definition, Measure
from idealrank.measures.steps import Steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

States: TypeAlias = "NDArray[np.int8]"
"""(Q,) codes of `QueryState`."""


class QueryState(enum.IntEnum):
    """What became of a query under a measure."""

    COMPUTED = 0
    FILLED_NO_RESULTS = 1
    SKIPPED_NO_RESULTS = 2
    FILLED_NO_RELEVANT = 3
    SKIPPED_NO_RELEVANT = 4
    LEFT_OUT = 5
    FILLED_FAILED = 6
    SKIPPED_FAILED = 7


def score_measure(joined: SystemLists, measure: Measure) -> tuple[Floats, States]:
    """Return (Q,) values and states of one measure; a value left out is NaN.

    Raises
    ------
    DataError
        If a query has no results and ``no_results=error``.
    """
    (values,) = compute([MeasureTask(joined, measure)])
    return apply_fills(joined, measure, values)


def apply_fills(joined: SystemLists, measure: Measure, values: Outcome) -> tuple[Floats, States]:
    """Apply `no_relevant`, `no_results` and `failed` to queries without a value: (Q,) values and states.

    Raises
    ------
    DataError
        If a query has no results and ``no_results=error``; or the error that `values` is.
    """
    if not isinstance(values, np.ndarray):
        raise values
    decisions = measure.decisions
    nothing_returned = joined.judged.returned == 0
    undefined = np.isnan(values) & ~nothing_returned
    skipped = decisions.no_relevant == "skip"
    states = np.zeros(len(values), np.int8)  # QueryState.COMPUTED
    fill = fill_of_no_relevant(decisions)
    if undefined.any():
        states[undefined] = QueryState.SKIPPED_NO_RELEVANT if skipped else QueryState.FILLED_NO_RELEVANT
        values = np.where(undefined, fill, values)
    values, states = _fill_empty(joined, measure, values, states, nothing_returned & ~joined.failed)
    fill = fill_of_failed(decisions)  # also if no search failed, so that an answer this code does not know is refused
    return _fill_failed(joined, measure, values, states, fill) if joined.failed.any() else (values, states)


def fills_empty(definition: Definition) -> bool:
    """Whether a decision gives a query without results its value; counts have their own."""
    return definition.total == "mean" and definition.if_empty == "decided"


def _fill_empty(
    joined: SystemLists, measure: Measure, values: Floats, states: States, empty: Mask
) -> tuple[Floats, States]:
    decisions = measure.decisions
    if decisions.no_results == "error" and empty.any():
        names = list(itertools.compress(joined.queries, empty))
        raise DataError(
            f"{joined.results.name}: {plural(len(names), 'judged query')} without results ({some(names)}), and "
            f"no_results=error. Use {option('no_results', '0')} or {option('no_results', 'skip')}, or add them."
        )
    fill = fills_of_no_results(joined, decisions)
    if not empty.any():
        return values, states
    skipped = empty & np.isnan(fill)
    states[empty] = QueryState.FILLED_NO_RESULTS
    states[skipped] = QueryState.SKIPPED_NO_RESULTS
    # A count, such as the number of relevant documents, is what it is without results, too.
    filled = empty if fills_empty(measure.definition) else skipped
    if measure.definition.if_empty == "computed":
        states[empty & ~skipped] = QueryState.COMPUTED
    return np.where(filled, fill, values), states


def _fill_failed(
    joined: SystemLists, measure: Measure, values: Floats, states: States, fill: float
) -> tuple[Floats, States]:
    failed, skipped = joined.failed, math.isnan(fill)
    states[failed] = QueryState.SKIPPED_FAILED if skipped else QueryState.FILLED_FAILED
    # As above: a count has a value of its own, which only leaving the query out replaces.
    replaced = skipped or fills_empty(measure.definition)
    return np.where(failed, fill, values) if replaced else values, states


def fill_of_failed(decisions: Decisions) -> float:
    """Return the value of a query whose search failed under `failed`: 0, or NaN if it is left out."""
    if decisions.failed not in ("skip", "0", "refuse"):
        raise unsaid("failed", decisions.failed, __name__)
    return 0.0 if decisions.failed == "0" else math.nan


def refuse_failed(joined: SystemLists, decisions: Decisions, in_scope: Mask | None = None) -> None:
    """Refuse a system that was never run, since every search failed; under ``failed=refuse`` any failed search.

    Parameters
    ----------
    in_scope
        (Q,) which judged queries were asked for; None: all of them.

    Raises
    ------
    DataError
        With which failed, and what the first of their errors says.
    """
    if not joined.failures:
        return
    asked = np.ones(joined.size, np.bool_) if in_scope is None else in_scope
    failed = joined.failed & asked
    names = list(itertools.compress(joined.queries, failed)) if joined.run.queries else list(joined.failures)
    errors = {query: joined.failures[query] for query in names}
    never_run = not joined.run.queries or bool((failed == asked).all())
    refuse_failures(joined.results.name, joined.system, errors, decisions.failed, never_run)


def refuse_failures(name: str, system: str, errors: Mapping[str, str], answer: str, never_run: bool) -> None:
    """Refuse failed searches of a system that was never run, and any where the answer to `failed` is ``refuse``.

    Parameters
    ----------
    name
        The name of its table.
    errors
        The failed queries that were asked for, each with its message.

    Raises
    ------
    DataError
        With which failed, and what the first of their errors says.
    """
    if not errors:
        return
    if never_run:
        raise DataError(
            f"{name}: every search of {system} failed: {list_failed(errors)}. It was never run, "
            "and nothing can be said about it. Search again, or leave the system out."
        )
    if answer == "refuse":
        raise DataError(
            f"{name}: the search failed for {plural(len(errors), 'query')}, and failed=refuse: {list_failed(errors)}. "
            f"Search again, or answer {option('failed', 'skip')} or {option('failed', '0')}."
        )


def fill_of_no_relevant(decisions: Decisions) -> float:
    """Return the value of 0/0 under `no_relevant`: a number, or NaN if the query is left out."""
    if decisions.no_relevant not in _FILLS:
        raise unsaid("no_relevant", decisions.no_relevant, __name__)
    return _FILLS[decisions.no_relevant]


_FILLS = {"0": 0.0, "1": 1.0, "skip": math.nan}


def fills_of_no_results(joined: SystemLists, decisions: Decisions) -> Floats:
    """(Q,) values of queries without results under `no_results`: 0, or NaN if the query is left out.

    A judged query may be in the run only by a row without a document. Such a row says "no results", and
    ``no_results=skip`` leaves the query out as if it were not named; ``skip_missing`` counts it 0, as trectools does.
    """
    if decisions.no_results == "skip":
        return np.full(joined.size, np.nan)
    if decisions.no_results == "skip_missing":
        return np.where(joined.judged.listed, 0.0, np.nan)
    if decisions.no_results not in ("0", "error"):
        raise unsaid("no_results", decisions.no_results, __name__)
    return np.zeros(joined.size)


def refuse_unreached(joined: SystemLists, measure: Measure) -> None:
    """Refuse a binary measure no grade reaches, and an assumed grade above the top of the scale.

    Raises
    ------
    DataError
        With the highest grade and what to set.
    """
    assumed, top = measure.decisions.unjudged, joined.max_grade
    if isinstance(assumed, float) and assumed > top and measure.reads_top:
        raise DataError(
            f"unjudged={answer_text(assumed)} is above the top of the scale, {answer_text(top)}. "
            f"Give a grade of the scale, or declare its top: {option('max_grade', '…')}."
        )
    level = measure.decisions.relevant_from
    if "relevant_from" not in measure.definition.reads or level == "positive":
        return
    counted = [joined.highest_grade, *([assumed] if isinstance(assumed, float) else [])]
    if (
        joined.highest_grade > 0
        and measure.decisions.no_relevant == "0"
        and not reaches(np.array(counted), level).any()
    ):
        raise DataError(
            f"{joined.judgments.name}: no grade reaches relevant_from={answer_text(level)} (the highest is "
            f"{answer_text(joined.highest_grade)}), so {measure} would be 0 everywhere. "
            f"Set {option('relevant_from', 'positive')}, or the grade from which a document is relevant."
        )


# Each measure is computed on parts of the judged lists that fit a processor's cache, in threads; then these are joined.


PART_SIZE = 1 << 14
"""Queries per part."""

Part = TypeVar("Part")

Outcome = Floats | DataError | UsageError
"""(Q,) values, or the error that says why there are none."""


def steps_of(lists: JudgedLists, measure: Measure) -> Steps:
    """Return the steps of a measure on lists as its decisions see them."""
    return measure.steps(arrange(lists, measure.on_lists))


class MeasureTask(NamedTuple):
    """A measure to compute on a system's lists, for every query or only where a hit is tied (NaN elsewhere)."""

    joined: SystemLists
    measure: Measure
    tied_only: bool = False

    @classmethod
    def on(cls, join: Join, measure: Measure, tied_only: bool = False) -> MeasureTask:
        """Take the lists that a join has under the decisions of the measure."""
        return cls(join.lists_for(measure.on_lists), measure, tied_only)

    def values(self, lists: JudgedLists) -> Floats:
        """Return the values of the queries in a part."""
        measure = self.measure
        if not self.tied_only:
            return steps_of(lists, measure).scores(measure.decisions)
        tied, queries = _take_tied(lists)
        values = np.full(lists.size, np.nan)
        values[queries] = steps_of(tied, measure).scores(measure.decisions)
        return values


def _take_tied(lists: JudgedLists) -> tuple[JudgedLists, Ints]:
    """Return the lists of the queries in which some hit is tied, and which queries these are."""

    def take() -> tuple[JudgedLists, Ints]:
        (queries,) = np.nonzero(lists.per_query(lists.tie_first != lists.tie_last))
        return lists.take(queries), queries

    return lists.kept.once("tied", take)


def compute(tasks: Sequence[MeasureTask]) -> list[Outcome]:
    """Compute each task over all queries of one join; the error of one does not stop the others."""
    size = tasks[0].joined.size if tasks else 0
    bounds = [(first, min(first + PART_SIZE, size)) for first in range(0, size, PART_SIZE)] or [
        (0, 0)
    ]  # at least one part, also without queries
    parts = list(map_in_threads(lambda bound: _compute_part(tasks, *bound), bounds))
    return [concatenate([part[place] for part in parts]) for place in range(len(tasks))]


def map_in_threads(work: Callable[[tuple[int, int]], Part], bounds: list[tuple[int, int]]) -> Iterator[Part]:
    """Do the work of each part, in as many threads as the core uses; the results are in the order of the parts.

    Threads and not processes: NumPy and the core release the lock of the interpreter in their loops.
    """
    if len(bounds) == 1:
        return map(work, bounds)
    from concurrent.futures import ThreadPoolExecutor

    from idealrank._core import threads

    with ThreadPoolExecutor(threads()) as executor:
        return executor.map(work, bounds)


def _compute_part(tasks: Sequence[MeasureTask], first: int, last: int) -> list[Outcome]:
    lists = {joined: joined.part(first, last) for joined in dict.fromkeys(task.joined for task in tasks)}
    outcomes: list[Outcome] = []
    for task in tasks:
        try:
            outcomes.append(task.values(lists[task.joined]))
        except (DataError, UsageError) as refusal:
            outcomes.append(refusal)
    for joined in lists:
        joined.tidy(first, last)
    return outcomes


def concatenate(outcomes: Sequence[Outcome]) -> Outcome:
    """Put the values of several parts together; the first error is the outcome."""
    arrays: list[Floats] = []
    for outcome in outcomes:
        if not isinstance(outcome, np.ndarray):
            return outcome
        arrays.append(outcome)
    return np.concatenate(arrays)
