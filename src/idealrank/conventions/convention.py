"""What a convention is: a tool's answers to the decisions, and its names for the measures; and the list of them."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from idealrank.decisions.decisions import DEFAULT, Decisions
from idealrank.errors import UsageError

EVERY_ROW = -1000000.0
"""From this grade on documents are relevant if a tool ignores grades."""

FROM_SOURCE = "Taken from the tool's source code; not verified by running it."
"""What `about` says of a convention that was read and never run."""


class Fault(NamedTuple):
    """A known fault of a tool that answers to decisions can reproduce.

    Attributes
    ----------
    what
        What the tool does.
    seen
        Where this was read or observed.
    answers
        The answers that reproduce it, unless the caller gives others.
    """

    what: str
    seen: str
    answers: Mapping[str, Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class Convention:
    """A named, versioned set of decisions.

    Attributes
    ----------
    name, tool, version
        Its name here; the tool it describes and the version that was compared.
    about
        What a reader needs to know, in a sentence or two.
    answers
        The decisions that differ from ``idealrank-1``.
    sources
        For each of these decisions, where it was read or observed.
    by_measure
        Decisions that differ for some measures only, by the measure's name here.
    sources_by_measure
        For each of these decisions, where it was read or observed.
    names
        The tool's own measure names, each with our string for it; names that mean the same
        everywhere, such as ``map`` or ``gm_map``, belong to the measure (`Definition.aliases`).
    measures
        The measures (ours) the tool was compared on; None: all of them.
    faults
        What the tool does but idealrank does not: known faults, and what depends on how it is called.
    switched
        Known faults that idealrank reproduces with ``faults=on``.
    order_of_ties
        What orders equal scores in the tool, where no answer to `ties` can say it; the ledger warns where there are
        any.
    """

    name: str
    tool: str
    version: str
    about: str
    answers: Mapping[str, Any] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    by_measure: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    sources_by_measure: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    measures: frozenset[str] | None = None
    faults: tuple[str, ...] = ()
    switched: tuple[Fault, ...] = ()
    order_of_ties: str = ""

    @functools.cached_property
    def decisions(self) -> Decisions:
        """All decisions of this convention."""
        return DEFAULT.but(**self.answers)

    def __repr__(self) -> str:
        answers = ", ".join(f"{name}={answer}" for name, answer in self.decisions.departures().items())
        return f"Convention({self.name!r}: {answers or 'the defaults'})"

    def with_faults(self) -> Convention:
        """Return the convention with the known faults that answers can reproduce.

        Raises
        ------
        UsageError
            If there is none.
        """
        if not self.switched:
            raise UsageError(
                f"faults=on: {self.name} has no known fault that can be switched on. Leave faults=on out. To see "
                f"all its known faults: idealrank conventions {self.name}."
            )
        answers = {name: answer for fault in self.switched for name, answer in fault.answers.items()}
        seen = {name: fault.seen for fault in self.switched for name in fault.answers}
        return replace(
            self, name=f"{self.name}, faults=on", answers={**self.answers, **answers}, sources={**self.sources, **seen}
        )

    def for_measure(self, measure: str, decisions: Decisions, overridden: Mapping[str, Any]) -> Decisions:
        """Return the decisions for one measure; the caller's overrides take precedence.

        Raises
        ------
        UsageError
            If the tool does not compute this measure, or was not compared on it.
        """
        if self.measures is not None and measure not in self.measures:
            raise UsageError(
                f"{measure} is not supported under {self.name}: {self.tool} does not compute it, or it was never "
                f"compared. Supported: {', '.join(sorted(self.measures))}."
            )
        own = {key: value for key, value in self.by_measure.get(measure, {}).items() if key not in overridden}
        return decisions.but(**own) if own else decisions


class Catalogue(Mapping[str, Convention]):
    """The conventions of some modules; the module whose name begins the convention's is searched first.

    Examples
    --------
    >>> from idealrank.conventions import CONVENTIONS
    >>> CONVENTIONS["trec_eval-10.0"].tool, "trec_eval-11" in CONVENTIONS
    ('trec_eval', False)
    >>> CONVENTIONS.find_name("TREC-EVAL-10.0").name
    'trec_eval-10.0'
    """

    def __init__(self, *modules: str) -> None:
        self._modules = modules
        self._found: dict[str, Convention] = {}

    def __getitem__(self, name: str) -> Convention:
        convention = self.find_name(name)
        if convention is None or convention.name != name:
            raise KeyError(name)
        return convention

    def __iter__(self) -> Iterator[str]:
        return (convention.name for module in self._modules for convention in _load_conventions(module))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"Conventions({', '.join(self)})"

    def find_name(self, name: str) -> Convention | None:
        """Return the convention with a name, ignoring case and the kind of dashes."""
        if name not in self._found:
            folded, letters = _fold(name), _letters(name)
            # The module named like the convention first: one name then imports one file of 38.
            modules = sorted(self._modules, key=lambda module: not letters.startswith(_letters(module)))
            conventions = (convention for module in modules for convention in _load_conventions(module))
            found = next((convention for convention in conventions if _fold(convention.name) == folded), None)
            if found is None:
                return None
            self._found[name] = found
        return self._found[name]


def _load_conventions(module: str) -> tuple[Convention, ...]:
    conventions: tuple[Convention, ...] = importlib.import_module(f"idealrank.conventions.tools.{module}").CONVENTIONS
    return conventions


def _fold(name: str) -> str:
    return name.lower().replace("_", "-")


def _letters(name: str) -> str:
    return _fold(name).replace("-", "")
