"""What a measure is: the decisions it reads, what it promises, its function; and how a family declares it."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import numpy as np

from idealrank.decisions.decisions import DEFAULT, Decisions, questions
from idealrank.decisions.question import answer_text
from idealrank.errors import LARGEST_CUTOFF, DataError, UsageError, not_allowed, option
from idealrank.measures.gains import worth_of_zero
from idealrank.measures.steps import (
    BEYOND,
    Steps,
    refuse_averaged,
    refuse_shared_ranks,
    refuse_without_spans,
    refuse_without_subtopics,
)

if TYPE_CHECKING:
    from idealrank.judged_lists.lists import JudgedLists
    from idealrank.measures.reader import Reading

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")

AT_IDEAL = {
    "1": "1, if nothing is missing",
    "best": "no other order of these results scores higher",
    "none": "nothing is promised",
}
UNDEFINED = {
    "no relevant": "no document is relevant",
    "ideal zero": "the ideal list is worth nothing, or less",
    "nothing of worth": "no judged document has a gain above 0",
    "nothing of worth or no relevant": "no judged document has a gain above 0, or none is relevant",
    "nothing returned": "there is nothing to divide by",
    "nothing returned, no relevant": "nothing is returned and no document is relevant",
    "no pair": "no two results have different grades",
    "no pair judged": "no two judged documents have different grades",
    "no pair with a result": "every result has the same grade as all other judged documents",
    "no pair of judged results": "no two judged results have different grades",
    "no pair of relevant and other": "no result is relevant, or all are",
    "nothing of worth returned": "no result has a gain above 0",
    "none judged non-relevant": "no document is judged non-relevant",
    "never": "never",
}
MONOTONE = {"always": "true", "global or max": "true under `ideal=global` and `ideal=max`", "no": "not true"}
TIE_RANGE = {"monotone": "exact wherever the measure is monotone", "none": "not computed"}
DEPTH = {"k": "the first k results", "R": "the first R results", "all": "all results", "nothing": "none"}
DIRECTION = {"higher": "higher is better", "lower": "lower is better", "count": "a count, neither good nor bad"}
AVERAGE = {"exact": "exact", "none": "refused"}
Cutoff = Literal["optional", "none"]
"""Whether a measure takes a cutoff."""


class Properties(NamedTuple):
    """What a measure promises; the property sweep tests every promise.

    Attributes
    ----------
    lowest, highest
        Range of a query's score under the default decisions.
    at_ideal
        Its value when the results are in the ideal order and complete: a key of `AT_IDEAL`.
    undefined
        When it is 0/0: a key of `UNDEFINED`.
    monotone
        Whether moving a better document up never lowers it: a key of `MONOTONE`.
    depth
        How deep it reads the results: a key of `DEPTH`.
    direction
        Whether more is better: a key of `DIRECTION`.
    tie_range
        Whether putting the worst, or the best, tied results first gives the ends of its range: a key of `TIE_RANGE`.
    average
        How ``ties=average`` is answered: a key of `AVERAGE`.
    not_averaged
        Answers under which ``ties=average`` is refused, such as ``short_list=judged``.
    in_pairs
        Whether it compares results in pairs, which need more than the good documents.
    """

    lowest: float
    highest: float
    at_ideal: str
    undefined: str
    monotone: str
    depth: str
    direction: str
    average: str = "exact"
    tie_range: str = "monotone"
    not_averaged: tuple[str, ...] = ()
    in_pairs: bool = False

    @property
    def has_best_list(self) -> bool:
        """Whether the good documents alone, best first, score highest: not if results are compared in pairs."""
        return self.direction == "higher" and not self.in_pairs

    @property
    def has_tie_range(self) -> bool:
        """Whether the range over the orders of tied results is computed."""
        return self.monotone != "no" and self.tie_range != "none"

    @property
    def ties(self) -> str:
        """What is computed for tied results: the exact average over their orders, the range, or none."""
        computed = [*(["exact average"] if self.average == "exact" else []), *(["range"] if self.has_tie_range else [])]
        return computed[0] + " only" if computed == ["range"] else " and ".join(computed) or "none"

    @property
    def meanings(self) -> dict[str, str]:
        """Every promise in words.

        Raises
        ------
        KeyError
            If a word of the declaration is unknown.
        """
        return {
            "range": "1" if self.lowest == self.highest else f"{self.lowest:g} to {self.highest:g}",
            "at the ideal order": AT_IDEAL[self.at_ideal],
            "0/0": UNDEFINED[self.undefined],
            "moving a better document up never lowers it": MONOTONE[self.monotone],
            "lowest and highest over the orders of ties": TIE_RANGE["monotone" if self.has_tie_range else "none"],
            "depth": DEPTH[self.depth],
            "direction": DIRECTION[self.direction],
            "`ties=average`": AVERAGE[self.average] + "".join(f"; refused with `{a}`" for a in self.not_averaged),
        }


class Parameter(NamedTuple):
    """A number that one measure takes, within bounds; the bounds themselves are allowed if the ends are closed.

    It is written inside the brackets, as in RBP(p=0.8), or after the @, as in IPrec@0.1.

    Examples
    --------
    >>> Parameter("beta", default=1.0, low=0.0, high=math.inf).read("2")
    2.0
    >>> Parameter("beta", default=1.0, low=0.0, high=math.inf).read("-2")
    Traceback (most recent call last):
        ...
    idealrank.errors.UsageError: beta=-2 is not an answer. Allowed: a number above 0.
    >>> Parameter("p", default=0.8, low=0.0, high=1.0).read("1")
    Traceback (most recent call last):
        ...
    idealrank.errors.UsageError: p=1 is not an answer. Allowed: a number between 0 and 1.
    >>> Parameter("recall", default=0.0, low=0.0, high=1.0, ends="closed").read("1")
    1.0
    """

    name: str
    default: float
    low: float
    high: float
    ends: Literal["open", "closed"] = "open"
    written: Literal["inside", "behind"] = "inside"

    @property
    def allowed(self) -> str:
        """What it takes, in words."""
        if self.high == math.inf:
            above = f"from {self.low:g} up" if self.ends == "closed" else f"above {self.low:g}"
            return "a number" if self.low == -math.inf else f"a number {above}"
        between, and_ = ("from", "to") if self.ends == "closed" else ("between", "and")
        return f"a number {between} {self.low:g} {and_} {self.high:g}"

    def read(self, text: str) -> float:
        """Read a value.

        Raises
        ------
        UsageError
            If it is not a number, or outside the bounds.
        """
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        closed = self.ends == "closed" and value in (self.low, self.high)
        if not (self.low < value < self.high or (closed and math.isfinite(value))):
            raise not_allowed(self.name, text, [self.allowed])
        return value


_OF_HITS = ("overlap", "counts")
"""Decisions that say which chunks hit a span, and where: measures of characters do not ask."""


LARGEST_IDEAL = 10_000_000
"""The most ranks of an ideal list that no judgment ends: one number each."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Definition:
    """One kind of measure, such as nDCG, as declared by its family."""

    name: str
    title: str
    compute: Callable[..., Steps]
    """Computes the steps from lists, decisions, the cutoff if it may have one, and the parameters."""
    reading: Callable[..., Reading] | None = None
    """Lets its reader read the lists, if it has a reader."""
    documentation: str
    """Formula in the first line, source, example."""
    reads: tuple[str, ...]
    properties: Properties
    parameters: tuple[Parameter, ...] = ()
    total: Literal["mean", "sum"] = "mean"
    aliases: tuple[str, ...] = ()
    carried: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Names that set answers, as trec_eval's gm_map does."""
    below_zero: Literal["decided", "kept"] = "decided"
    """Whether grades below zero reach the measure unchanged under ``negative=unjudged``, as infAP needs; under another
    answer to `unjudged` they are filtered or counted like all unjudged results."""
    if_empty: Literal["decided", "computed"] = "decided"
    """Whether `no_results` and `failed` fill in a query without results, or its value is computed like others."""
    by_subtopic: bool = False
    """Whether it reads judgments by subtopic; it is refused if they name no subtopics."""
    by_span: bool = False
    """Whether it reads where chunks and judged spans begin and end; it is refused unless spans are judged."""
    shared_ranks: bool = False
    """Whether several spans may be hit at one rank, as under ``counts=returned``: only if nothing is divided by k."""
    holes: tuple[str, str] | None = None
    """What one unjudged result does, and what several do, if they do not count as grade 0."""

    @property
    def cutoff(self) -> Cutoff:
        """Whether it takes a cutoff; it does if it reads the decision `cutoff`."""
        return "optional" if "cutoff" in self.reads else "none"

    @property
    def is_plain(self) -> bool:
        """Whether grades of documents are all it needs of the judgments: neither subtopics nor spans."""
        return not (self.by_subtopic or self.by_span)

    def __repr__(self) -> str:
        return f"Definition({self.written!r}: {self.title})"

    @property
    def written(self) -> str:
        """How it is written, with k if it takes a cutoff, or with the parameter after the @."""
        behind = "@k" if self.cutoff == "optional" else ""
        return self.name + (f"@{self.at_parameter.name}" if self.at_parameter else behind)

    @property
    def at_parameter(self) -> Parameter | None:
        """The parameter that is written after the @."""
        return next((parameter for parameter in self.parameters if parameter.written == "behind"), None)

    @property
    def facts(self) -> dict[str, str]:
        """What it reads and promises, in words; literals are in backticks."""
        cutoff = "; the cutoff is optional" if self.cutoff == "optional" else "; takes no cutoff"
        cutoff = "; the number is optional" if self.at_parameter else cutoff
        parameters = ", ".join(f"`{p.name}` = {answer_text(p.default)}, {p.allowed}" for p in self.parameters)
        carried = (
            f"`{name}` ({', '.join(f'`{key}={answer}`' for key, answer in answers.items())})"
            for name, answers in self.carried.items()
        )
        return {
            "written": f"`{self.written}`{cutoff}",
            **({"parameter": parameters} if parameters else {}),
            **({"judgments": "by subtopic; refused without subtopics"} if self.by_subtopic else {}),
            **({"judgments": "of spans; refused unless `unit=spans`"} if self.by_span else {}),
            "decisions it reads": ", ".join(f"`{name}`" for name in self.reads) or "none of its own",
            **self.properties.meanings,
            "over all queries": "the sum" if self.total == "sum" else "the mean, or as `average` says",
            "also called": ", ".join([*(f"`{name}`" for name in self.aliases), *carried]) or "nothing else",
        }

    @functools.cached_property
    def decisions(self) -> tuple[str, ...]:
        """Every decision that can change this measure's number, in the order of `Decisions`."""
        unread = _OF_HITS if self.by_span else ()
        acts = {name for name, question in questions().items() if question.stage != "value"}
        return tuple(name for name in questions() if (name in acts or name in self.reads) and name not in unread)


class Family:
    """The measures of one file, in the order in which they are declared there.

    Parameters
    ----------
    about
        What they have in common; the first line is their heading.
    declared
        What each of them declares, such as ``by_subtopic=True``.

    Examples
    --------
    >>> family = Family("Measures of nothing.")
    >>> @family.measure("Zero", title="0 for every query", reads=(), properties=COUNT)
    ... def zero(lists, decisions):
    ...     return Steps(lists, {}, np.zeros(len(lists.rank)), np.ones(lists.size))
    >>> family.definitions
    [Definition('Zero': 0 for every query)]
    """

    def __init__(self, about: str | None, **declared: Any) -> None:
        self.about = (about or "").partition("\n")[0]
        self.definitions: list[Definition] = []
        self._declared = declared

    def measure(
        self,
        name: str,
        *,
        title: str,
        reads: tuple[str, ...],
        properties: Properties,
        about: str = "",
        shared: str = "",
        **declared: Any,
    ) -> Callable[[Function], Function]:
        """Declare the function below as a measure; its docstring describes it.

        Parameters
        ----------
        name, title, reads, properties, declared
            As in `Definition`.
        about
            Describes the measure in place of the docstring, if several measures share the function.
        shared
            What is true of several measures; their descriptions say it before the source.
        """

        def declare(function: Function) -> Function:
            documentation = about or inspect.getdoc(function) or f"{title}."  # python -OO drops docstrings
            if shared:
                documentation = documentation.replace("\nSource: ", f"\n{shared}\n\nSource: ", 1)
            options: dict[str, Any] = self._declared | declared
            self.definitions.append(
                Definition(
                    name=name,
                    title=title,
                    compute=function,
                    documentation=documentation,
                    reads=reads,
                    properties=properties,
                    **options,
                )
            )
            return function

        return declare


SHORT_NAMES = {"relevant_from": "rel"}
"""Decisions that measure strings abbreviate, as ir_measures does."""


@dataclass(frozen=True)
class Measure:
    """A definition with its cutoff, its parameters and all its decisions: one meaning.

    Examples
    --------
    >>> from idealrank.measures import parse
    >>> m = parse("nDCG(gain=exp2)@10")[0]
    >>> m.name, m.cutoff, m.decisions.gain
    ('nDCG(gain=exp2)@10', 10, 'exp2')
    """

    definition: Definition
    cutoff: int | None = None
    parameters: tuple[tuple[str, float], ...] = ()
    decisions: Decisions = DEFAULT
    base: Decisions = DEFAULT
    """The decisions of the call; the name shows only what differs from them."""
    typed: str = field(default="", compare=False)
    """The name as the user typed it."""

    def __post_init__(self) -> None:
        if not isinstance(self.definition, Definition):
            raise UsageError(f"A name is read by ir.measure({str(self.definition)!r}).")
        if self.cutoff is not None and self.definition.cutoff == "none":
            raise UsageError(f"{self.definition.name} takes no cutoff. Write {self.definition.name}.")
        if self.cutoff is not None and self.cutoff < 1:
            raise UsageError(f"{self.definition.name}@{self.cutoff}: the cutoff k is a whole number from 1 up.")
        if self.cutoff is not None and self.cutoff > LARGEST_CUTOFF:
            raise UsageError(f"{self.definition.name}@{self.cutoff}: the cutoff k is at most {LARGEST_CUTOFF:,}.")
        self._refuse_endless()

    def _refuse_endless(self) -> None:
        endless = (self.decisions.ideal, self.decisions.ideal_depth) == ("max", "all")
        if endless and {"ideal", "ideal_depth"} <= set(self.definition.reads):
            raise UsageError(
                f"{self.definition.name}: ideal=max with ideal_depth=all is an endless list of the highest "
                f"grade. Use {option('ideal_depth', 'cutoff')} or {option('ideal_depth', 'returned')}."
            )
        long = self.decisions.ideal == "max" and (self.cutoff or 0) > LARGEST_IDEAL
        if long and "ideal" in self.definition.reads:
            raise UsageError(
                f"{self.definition.name}@{self.cutoff}: ideal=max adds up one discount per rank, for at most "
                f"{LARGEST_IDEAL:,} ranks. Give a smaller cutoff, or another ideal."
            )

    @functools.cached_property
    def name(self) -> str:
        """The short name, such as nDCG@10 or P(rel=2)@5."""
        return self._spell(self.decisions.departures(self.base), "(", ")")

    @functools.cached_property
    def fingerprint(self) -> str:
        """The name with every decision that can change its number: it states the measure completely."""
        words = {name: self.decisions.text(name) for name in self.decisions.asked(self.definition.decisions)}
        return self._spell(words, "[", "]")

    def _spell(self, decisions: Mapping[str, str], opening: str, closing: str) -> str:
        parameters = {name: answer_text(value) for name, value in self.parameters}
        defaults = {parameter.name: parameter.default for parameter in self.definition.parameters}
        at = parameters.pop(self.definition.at_parameter.name) if self.definition.at_parameter else self.cutoff
        written = {n: v for n, v in parameters.items() if opening == "[" or float(v) != defaults[n]}
        written |= {name: value for name, value in decisions.items() if name in self.definition.decisions}
        # A name is for people and short; a fingerprint states everything and must not change when a short form does.
        short = SHORT_NAMES if opening == "(" else {}
        inside = ", ".join(f"{short.get(name, name)}={value}" for name, value in written.items())
        bracket = f"{opening}{inside}{closing}" if inside else ""
        return f"{self.definition.name}{bracket}{'' if at is None else f'@{at}'}"

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Measure({self.name!r}: {self.definition.title})"

    @functools.cached_property
    def on_lists(self) -> Decisions:
        """The decisions as the lists see them: an unjudged result has grade 0 if grade 0 is worth something."""
        under = self.decisions
        if under.unjudged == "complete":  # the same values as zero; what differs is what a verdict says of them
            under = under.but(unjudged="zero")
        if self.definition.by_span:
            # Measures of characters read every chunk at its own rank, so the lists contain each chunk that touches a
            # judged span, and their caches do not depend on `overlap` and `counts`.
            return under.but(overlap="any", counts="returned", unjudged="zero")
        if self.definition.below_zero == "kept" and (under.negative, under.unjudged) == ("unjudged", "zero"):
            under = under.but(negative="keep")
        if under.unjudged != "zero" or "gain" not in self.definition.reads:
            return under
        return under.but(unjudged=0.0) if worth_of_zero(under) else under

    @property
    def reads_top(self) -> bool:
        """Whether the value depends on the highest grade: with an ideal list, only under ``ideal=max``."""
        reads = self.definition.reads
        return "max_grade" in reads and ("ideal" not in reads or self.decisions.ideal == "max")

    def steps(self, lists: JudgedLists) -> Steps:
        """Compute the steps over lists already arranged for these decisions.

        Raises
        ------
        UsageError
            As `computed`.
        """
        return self.computed(lists, self.definition.compute)

    def computed(self, lists: JudgedLists, function: Callable[..., Result]) -> Result:
        """Compute one of its functions over lists already arranged for these decisions.

        Raises
        ------
        UsageError
            If ``ties=average`` is not computed for the measure or under these decisions, or if it reads
            subtopics, spans or one result per rank and the lists have none.
        DataError
            If a sum is too large for a number.
        """
        self._refuse_lists(lists)

        try:
            # NumPy would only warn, and a score of infinity or NaN would look like an answer.
            with np.errstate(over="raise", invalid="raise"):
                return function(
                    self._trim_lists(lists), self.decisions, *self._cutoff_arguments, **dict(self.parameters)
                )
        except FloatingPointError:
            raise DataError(BEYOND) from None
        except ArithmeticError:
            raise UsageError(f"{self}: too large for a number. Give its parameters other values.") from None

    def _refuse_lists(self, lists: JudgedLists) -> None:
        definition = self.definition
        if definition.by_subtopic:
            refuse_without_subtopics(lists, self.name)
        if definition.by_span:
            refuse_without_spans(lists, self.name)
        if not definition.shared_ranks and lists.spans is not None:
            refuse_shared_ranks(lists, self.name)
        if definition.properties.average != "exact":
            refuse_averaged(lists, definition.name)

    @property
    def _cutoff_arguments(self) -> tuple[int | None, ...]:
        """The cutoff, for a measure that may have one; others get none."""
        return (self.cutoff,) if self.definition.cutoff == "optional" else ()

    def _trim_lists(self, lists: JudgedLists) -> JudgedLists:
        """Leave out what is beyond the cutoff, which only the ideal list may read."""
        return lists if self.cutoff is None else lists.upto(self.cutoff)


# What families share.

GRADED = ("gain", "discount", "cutoff", "unjudged", "negative")
"""What a sum of discounted gains reads."""

IDEAL = ("ideal", "ideal_depth", "max_grade", "no_relevant")
"""What a comparison with the best list reads."""

SUMMED = ("gain", "cutoff", "unjudged", "negative")
"""What a sum of gains reads if it has its own discounts, or none."""

SCALED = ("max_grade", "unjudged", "negative", "cutoff")
"""What a measure reads that takes grades as shares of the highest grade."""

GAINED = ("gain", "unjudged", "negative", "no_relevant")
"""What a share of gains in the whole list reads."""

BINARY = ("relevant_from", "unjudged", "negative", "cutoff")
"""What a measure of relevant results reads."""

WHOLE_LIST = ("relevant_from", "unjudged", "negative", "no_relevant")
"""What a share of relevant results in the whole list reads."""

SHARE = Properties(
    lowest=0, highest=1, at_ideal="best", undefined="no relevant", monotone="always", depth="k", direction="higher"
)
"""What a share of the relevant documents among the first k results promises; most measures differ little from it."""

DEFINED = SHARE._replace(undefined="never")
"""What a share promises that is 0 if nothing is relevant."""

UNBOUNDED = DEFINED._replace(highest=math.inf)
"""What an unbounded sum promises."""

COUNT = Properties(
    lowest=0, highest=math.inf, at_ideal="none", undefined="never", monotone="always", depth="all", direction="count"
)
"""What a count of results promises."""

PATIENCE = Parameter("p", default=0.8, low=0.0, high=1.0)
"""The probability that a reader continues to the next result."""
