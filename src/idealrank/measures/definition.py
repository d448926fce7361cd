"""What a measure is: its formula, the decisions it reads, and its declared properties."""

from __future__ import annotations

import ast
import functools
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from idealrank.decisions.decisions import DEFAULT, Decisions, questions
from idealrank.decisions.question import answer_text
from idealrank.errors import LARGEST_CUTOFF, DataError, UsageError, option
from idealrank.measures.parameters import Parameter
from idealrank.measures.properties import Cutoff, Properties

if TYPE_CHECKING:
    from idealrank.judged_lists.lists import JudgedLists
    from idealrank.measures.steps import Steps

Result = TypeVar("Result")

_OF_HITS = ("overlap", "counts")
"""Decisions that say which chunks hit a span, and where: measures of characters do not ask."""

SHORT_NAMES = {"relevant_from": "rel"}
"""Decisions that measure strings abbreviate, as ir_measures does."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Definition:
    """One kind of measure, such as nDCG, as declared by its family."""

    name: str
    title: str
    module: str
    """The module that computes it, such as graded.ndcg."""
    function: str = "steps"
    """The function there that returns the steps, or a reading if it is its reader's function."""
    reader: str = ""
    """The function there that lets its reader read the lists, if it has a reader."""
    given: Mapping[str, int] = field(default_factory=dict)
    """Further arguments, if several measures share the function."""
    said: Callable[[], str] | None = None
    """Builds the docstrings of measures that share a function."""
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

    @functools.cached_property
    def compute(self) -> Callable[..., Steps]:
        """The function that computes the steps (its module is imported when first asked for)."""
        function: Callable[..., Any] = functools.partial(getattr(self._imported, self.function), **self.given)
        return functools.partial(_steps_read, function) if self.function == self.reader else function

    @functools.cached_property
    def reading(self) -> Callable[..., Any] | None:
        """The function that lets its reader read the lists (it returns a Reading); None if it has no reader."""
        return getattr(self._imported, self.reader) if self.reader else None

    @property
    def cutoff(self) -> Cutoff:
        """Whether it takes a cutoff; it does if it reads the decision `cutoff`."""
        return "optional" if "cutoff" in self.reads else "none"

    @property
    def is_plain(self) -> bool:
        """Whether grades of documents are all it needs of the judgments: neither subtopics nor spans."""
        return not (self.by_subtopic or self.by_span)

    @property
    def _imported(self) -> ModuleType:
        return importlib.import_module(f"idealrank.measures.{self.module}")

    @property
    def documentation(self) -> str:
        """The docstring: formula, source, example; read without importing the module (or NumPy).

        What a module says about all its measures, after its first line, comes before the source.
        """
        if self.said:
            return self.said()
        from pathlib import Path

        source = Path(__file__).parent.joinpath(*self.module.split(".")).with_suffix(".py").read_text("utf-8")
        module = ast.parse(source)
        functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
        own = next(ast.get_docstring(node) or "" for node in functions if node.name == self.function)
        of_all = (ast.get_docstring(module) or "").partition("\n\n")[2]
        return own.replace("\nSource: ", f"\n{of_all}\n\nSource: ", 1) if of_all else own

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

    @functools.cached_property
    def name(self) -> str:
        """The short name, such as nDCG@10 or P(rel=2)@5."""
        return self._written(self.decisions.departures(self.base), "(", ")")

    @functools.cached_property
    def fingerprint(self) -> str:
        """The name with every decision that can change its number: it states the measure completely."""
        words = {name: self.decisions.text(name) for name in self.decisions.asked(self.definition.decisions)}
        return self._written(words, "[", "]")

    def _written(self, decisions: Mapping[str, str], opening: str, closing: str) -> str:
        parameters = {name: answer_text(value) for name, value in self.parameters}
        defaults = {parameter.name: parameter.default for parameter in self.definition.parameters}
        at = parameters.pop(self.definition.at_parameter.name) if self.definition.at_parameter else self.cutoff
        shown = {n: v for n, v in parameters.items() if opening == "[" or float(v) != defaults[n]}
        shown |= {name: value for name, value in decisions.items() if name in self.definition.decisions}
        short = SHORT_NAMES if opening == "(" else {}
        inside = ", ".join(f"{short.get(name, name)}={value}" for name, value in shown.items())
        bracket = f"{opening}{inside}{closing}" if inside else ""
        return f"{self.definition.name}{bracket}{'' if at is None else f'@{at}'}"

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Measure({self.name!r}: {self.definition.title})"

    @functools.cached_property
    def on_lists(self) -> Decisions:
        """The decisions as the lists see them: an unjudged result has grade 0 if grade 0 is worth something."""
        from idealrank.measures.gains import worth_of_zero

        under = self.decisions
        if self.definition.by_span:
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
        import numpy as np

        from idealrank.measures.steps import BEYOND

        self._refuse(lists)

        try:
            with np.errstate(over="raise", invalid="raise"):
                return function(self._read(lists), self.decisions, *self._cutoff, **dict(self.parameters))
        except FloatingPointError:
            raise DataError(BEYOND) from None
        except ArithmeticError:
            raise UsageError(f"{self}: too large for a number. Give its parameters other values.") from None

    def _refuse(self, lists: JudgedLists) -> None:
        from idealrank.measures import refusals

        definition = self.definition
        if definition.by_subtopic:
            refusals.refuse_without_subtopics(lists, self.name)
        if definition.by_span:
            refusals.refuse_without_spans(lists, self.name)
        if not definition.shared_ranks:
            refusals.refuse_shared_ranks(lists, self.name)
        if definition.properties.average != "exact":
            refusals.refuse_averaged(lists, definition.name)

    @property
    def _cutoff(self) -> tuple[int | None, ...]:
        """The cutoff, for a measure that may have one; others get none."""
        return (self.cutoff,) if self.definition.cutoff == "optional" else ()

    def _read(self, lists: JudgedLists) -> JudgedLists:
        """Leave out what is beyond the cutoff, which only the ideal list may read."""
        return lists if self.cutoff is None else lists.upto(self.cutoff)


def _steps_read(read: Callable[..., Any], *arguments: Any, **parameters: Any) -> Steps:
    """The steps of a measure that is defined by its reader."""
    steps: Steps = read(*arguments, **parameters).steps()
    return steps
