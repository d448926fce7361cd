"""Why a verdict is what it is: reasons as data, and the outcome that follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from idealrank.comparison.verdict.rule import CANT_TELL, DONT, Outcome
from idealrank.display.document import Described
from idealrank.display.schema import Shared

ReasonKind = Literal[
    "interval", "guardrail", "no difference", "nothing measured", "judge", "shape", "unjudged", "complete", "failed",
    "odd results", "weights", "tuning", "latency",
]  # fmt: skip
"""What a reason is about."""

Effect = Literal["decides", "takes back", "refuses", "noted"]
"""What a reason does: it gives the outcome of the rule, makes it CAN'T TELL, makes it DON'T, or is only told."""

StepKind = Literal[
    "judge results", "judge queries", "search again", "draw more", "measure more", "change weights", "check", "none",
]  # fmt: skip
"""What a step asks for."""


@dataclass(frozen=True)
class Step:
    """What would settle a doubt.

    Attributes
    ----------
    kind
        What is to be done.
    text
        The step as a sentence without its point.
    parts
        The same as one sentence or several, for a list of steps: without the queries to begin with, which a page links.
    """

    kind: Annotated[StepKind, "What is to be done."]
    text: Annotated[str, "The step, in words."]
    parts: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """The step without the queries to begin with."""
        return self.parts[0] if self.parts else self.text


@dataclass(frozen=True)
class Reason(Described):
    """Why an outcome is what it is.

    Nothing reads its text: what can be asked is in the other attributes.

    Attributes
    ----------
    kind, effect
        What it is about, and what it does to the outcome.
    outcome
        What it says alone: the outcome of the rule where it decides; "" where it is only noted.
    text
        The reason as a clause.
    facts
        The numbers and names in it: measure, low, high, level; queries by id, and the count of what is in doubt; the
        clause that takes an outcome back without its "but".
    settle
        What would settle it; None where nothing is open.
    """

    kind: Annotated[ReasonKind, "What the reason is about."]
    effect: Annotated[
        Effect,
        "What it does: it is the outcome of the rule (decides), makes it CAN'T TELL (takes back), makes it DON'T "
        "(refuses), or is only told (noted).",
    ]
    outcome: Annotated[Outcome | Literal[""], "What it says alone; empty if it is only told."]
    text: Annotated[str, "The reason, in words."]
    facts: Annotated[
        Mapping[str, Any], "The numbers and names in it, such as measure, low, high, level, queries and count."
    ] = field(default_factory=dict)
    settle: Annotated[Step | None, "What would settle it; null if nothing is open."] = None


SharedReason = Annotated[Reason, Shared("reason")]


def judging_step(what: str, first: Sequence[str]) -> Step:
    """Return the step of judging results, beginning with some queries."""
    which = f", beginning with {'query' if len(first) == 1 else 'queries'} {', '.join(first)}" if first else ""
    return Step("judge results", f"{what}{which}", (what,))


def takes_back(kind: ReasonKind, text: str, settle: Step | None = None, **facts: Any) -> Reason:
    """Return a reason that makes an outcome CAN'T TELL."""
    return Reason(kind, "takes back", CANT_TELL, text, facts, settle)


def but(kind: ReasonKind, clause: str, settle: Step | None = None, **facts: Any) -> Reason:
    """Return the same by a clause that goes on after that of the rule, and can be read without it: "but …"."""
    return takes_back(kind, f"but {clause}", settle, clause=clause, **facts)


def refuses(kind: ReasonKind, text: str, settle: Step | None = None, **facts: Any) -> Reason:
    """Return a reason that makes an outcome DON'T."""
    return Reason(kind, "refuses", DONT, text, facts, settle)


def noted(kind: ReasonKind, text: str, settle: Step | None = None, **facts: Any) -> Reason:
    """Return a reason that is told and changes nothing."""
    return Reason(kind, "noted", "", text, facts, settle)


def open_step(reasons: Sequence[Reason]) -> Step | None:
    """Return what would settle an outcome; None where it is settled."""
    return next((each.settle for each in reversed(reasons) if each.settle is not None), None)


def reduce(reasons: Sequence[Reason]) -> Outcome:
    """Return the outcome of reasons: what refuses goes before what takes back, and that before the rule.

    Examples
    --------
    >>> rule = Reason("interval", "decides", "SHIP", "nDCG@10 improves by 0.1 to 0.2")
    >>> reduce([rule]), reduce([rule, takes_back("unjudged", "but …")]), reduce([refuses("latency", "but …"), rule])
    ('SHIP', "CAN'T TELL", "DON'T")
    """
    effects = {reason.effect for reason in reasons}
    if "refuses" in effects:
        return DONT
    if "takes back" in effects:
        return CANT_TELL
    (outcome,) = (reason.outcome for reason in reasons if reason.effect == "decides")
    assert outcome
    return outcome
