"""The verdict: ship, don't, or can't tell, with the reason, what the holes say, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from idealrank.errors import UsageError, unknown


@dataclass(frozen=True)
class Verdict:
    """What to do with one system in the place of another.

    Attributes
    ----------
    system, baseline
        The newcomer, and what it would replace.
    outcome
        ``SHIP``, ``DON'T`` or ``CAN'T TELL``.
    reason
        Which interval decided, and where it lies.
    holes
        What the unjudged documents could change; "" where there are none.
    settle
        What would settle it: more queries, or which labels; "" where it is settled.
    rule
        The rule, in words.
    """

    system: str
    baseline: str
    outcome: str
    reason: str
    holes: str
    settle: str
    rule: str

    @property
    def sentence(self) -> str:
        """The outcome with its reason, what the holes say, and what would settle it."""
        parts = [f"{self.outcome}: {self.reason}", self.holes, self.settle]
        return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts if part)

    def to_dict(self) -> dict[str, str]:
        """Return the parts as plain text."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __str__(self) -> str:
        return f"{self.system} instead of {self.baseline}: {self.sentence}"


class Verdicts(Mapping[str, Verdict]):
    """The verdicts of a comparison, by system; of all pairs, by ``"system vs baseline"``.

    Where there is one, its attributes can be asked for at once: ``comparison.verdict.outcome``.
    """

    def __init__(self, verdicts: list[Verdict]) -> None:
        baselines = {verdict.baseline for verdict in verdicts}
        self._found = {v.system if len(baselines) == 1 else f"{v.system} vs {v.baseline}": v for v in verdicts}

    def __getitem__(self, system: str) -> Verdict:
        if system not in self._found:
            raise unknown("verdict", system, self._found)
        return self._found[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or (name not in Verdict.__dataclass_fields__ and name != "sentence"):
            raise AttributeError(name)
        if len(self) > 1:
            raise UsageError(
                f"There are {len(self)} verdicts: {', '.join(self)}. Name one, as verdict[{next(iter(self))!r}]."
            )
        return getattr(next(iter(self.values())), name)

    def __repr__(self) -> str:
        return "\n".join(str(verdict) for verdict in self.values())
