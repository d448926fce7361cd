"""All decisions as one frozen value, and what a keyword that is none probably meant."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar, cast

from idealrank.decisions.fields import ListDecisions, MeanDecisions, ValueDecisions
from idealrank.decisions.question import Question, Stage, answer_text
from idealrank.errors import UsageError, listed, unknown


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
        for name, question in questions().items():
            object.__setattr__(self, name, question.read(name, getattr(self, name)))

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
        # Only the changed answers are read: those of this object were read when it was made.
        return self.with_read({name: questions()[name].read(name, answer) for name, answer in answers.items()})

    def with_read(self, answers: Mapping[str, Any]) -> Decisions:
        """Return a copy with some answers changed to others that were read before."""
        changed = object.__new__(type(self))
        vars(changed).update(vars(self))
        vars(changed).update(answers)
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
        return tuple(name for name in names if self._is_asked(questions()[name].only_with))

    def _is_asked(self, condition: str) -> bool:
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

# Keyword arguments.


Function = TypeVar("Function", bound=Callable[..., Any])


class _NotGiven:
    """The default of a keyword that is only passed on where it is given."""

    def __repr__(self) -> str:
        return "<not given>"


def with_keywords(keywords: type) -> Callable[[Function], Function]:
    """Name the keywords behind ``**options``, so that ``help()`` and completion show them.

    Parameters
    ----------
    keywords
        The TypedDict that `Unpack` has in the annotation of ``**options``.
    """

    def wrap(function: Function) -> Function:
        own = inspect.signature(function)
        kept = [each for each in own.parameters.values() if each.kind is not each.VAR_KEYWORD]
        typed = {name: hint.__forward_arg__ for name, hint in keywords.__annotations__.items()}
        only, missing = inspect.Parameter.KEYWORD_ONLY, _NotGiven()
        behind = [inspect.Parameter(name, only, default=missing, annotation=text) for name, text in typed.items()]
        function.__signature__ = own.replace(parameters=kept + behind)  # type: ignore[attr-defined] # any function's
        return function

    return wrap


def naming(keywords: type) -> Callable[[Function], Function]:
    """Name the keywords behind ``**options`` as `with_keywords`, of a function whose first argument are judgments."""

    def wrap(function: Function) -> Function:
        own = inspect.signature(function)
        first = next(iter(own.parameters))

        @functools.wraps(function)
        def checking(*args: Any, **passed: Any) -> Any:
            # Else Python would say that an argument is missing, and not which keyword was meant to be it.
            if not args and first not in passed:
                refuse_unknown([name for name in passed if name not in own.parameters], own.parameters)
                raise UsageError(
                    f"{function.__name__}: nothing is given. {_JUDGMENTS}, {_RESULTS}.".replace(" j", " J")
                )
            return function(*args, **passed)

        return with_keywords(keywords)(cast("Function", checking))

    return wrap


Value = TypeVar("Value")


def value_or_keywords(
    kind: type[Value], argument: str, given: Value | None, keywords: dict[str, Any], /, **own: Any
) -> Value:
    """Return the value of an argument, or make it of the keywords that are short for its fields.

    Parameters
    ----------
    kind
        A dataclass.
    argument
        What the argument is called, for the error.
    given
        Its value; None where only keywords are given.
    keywords
        Those of the call; the fields of the dataclass are taken out.
    **own
        Fields that the caller knows, where it is made of keywords.

    Raises
    ------
    UsageError
        If both are given, or the value is something else.
    """
    short = {item.name: keywords.pop(item.name) for item in fields(cast("Any", kind)) if item.name in keywords}
    if given is None:
        return kind(**own, **short)
    if not isinstance(given, kind):
        raise UsageError(f"{argument}={given!r} is not a value of {kind.__name__}, such as {kind()!r}.")
    if short:
        raise UsageError(
            f"{listed(f'{name}=…' for name in short)} beside {argument}={kind.__name__}(…): which counts? "
            f"Write {kind.__name__}({', '.join(f'{name}=…' for name in short)}), or leave out {argument}."
        )
    return given


def refuse_others(keywords: Mapping[str, Any], function: Callable[..., Any]) -> dict[str, Any]:
    """Return the keywords behind ``**keywords``; refuse those that the signature does not name.

    Raises
    ------
    UsageError
        With the nearest name.
    """
    known = inspect.signature(function).parameters
    for name in keywords:
        if name not in known:
            raise unknown(f"keyword of {function.__name__}", name, known)
    return dict(keywords)


_CUTOFF = "put the cutoff in the measure's name, as in measures=['nDCG@10']"
_CONVENTION = "choose a convention with convention='trec_eval-9.0.8'"
_MEASURES = "choose measures with measures=['nDCG@10', 'P@5']"
_JUDGMENTS, _RESULTS = "judgments are the first argument", "results are the second argument"
_WEIGHTS = "pass a table or a column of weights as weights=…"

_FAULTS = "turn a tool's known faults on beside its name, as in convention='trec_eval-9.0.8, faults=on'"

MEANT = {
    **dict.fromkeys(("faults", "fault"), _FAULTS),
    **dict.fromkeys(("k", "ks", "at", "top_k"), _CUTOFF),
    **dict.fromkeys(("as_", "conv", "like", "tool"), _CONVENTION),
    **dict.fromkeys(("measure", "metric", "metrics"), _MEASURES),
    **dict.fromkeys(("qrels", "qrel", "judgements", "labels", "y_true"), _JUDGMENTS),
    **dict.fromkeys(("run", "runs", "y_score", "y_pred"), _RESULTS),
    **dict.fromkeys(("return_mean", "per_query"), "values per query are scores.per_query"),
    **dict.fromkeys(("max_p", "alpha", "significance", "confidence"), "the level of the intervals is level=0.95"),
    **dict.fromkeys(("stat_test", "statistical_test"), "the test is test='t' of ir.compare"),
    **dict.fromkeys(("make_comparable", "complete"), "a query without results is answered by no_results='0'"),
    **dict.fromkeys(
        ("rel", "rel_lvl", "rel_level", "relevance_level", "threshold"), "relevance begins at relevant_from=1"
    ),
    **dict.fromkeys(("weight", "frequency", "frequencies"), _WEIGHTS),
}
"""What people mean by keywords that do not exist."""

_COLUMNS = {
    **dict.fromkeys(("grade", "rater"), ("read_judgments",)),
    **dict.fromkeys(("rank", "score"), ("read_results",)),
    **dict.fromkeys(("query", "doc", "text", "system"), ("read_judgments", "read_results")),
}
"""The readers that take the column of each role."""


def refuse_unknown(keywords: Iterable[str], own: Iterable[str]) -> None:
    """Refuse keywords that are not decisions.

    Parameters
    ----------
    keywords
        The keywords that remain after the function's own.
    own
        The function's own, for the nearest spelling.

    Raises
    ------
    UsageError
        Says what was probably meant.
    """
    if isinstance(keywords, Mapping) and isinstance(k := keywords.get("cutoff"), int):
        raise UsageError(f"cutoff={k}: {_CUTOFF.replace('10', str(k))}.")
    for name in keywords:
        if name in questions():
            continue
        role = name.removesuffix("_col").removesuffix("_column")
        if role in _COLUMNS:
            ways = " and ".join(f"{reader}(table, {role}='…')" for reader in _COLUMNS[role])
            raise UsageError(
                f"No keyword called {name!r}: columns are named where a table is read. Pass on what {ways} "
                f"{'return' if ' and ' in ways else 'returns'}."
            )
        if name in MEANT:
            raise UsageError(f"No keyword called {name!r}: {MEANT[name]}.")
        raise unknown("keyword or decision", name, [*questions(), *own])
