"""The answers behind a number: what departs from `idealrank-1` first, the rest by stage."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from idealrank.decisions import DEFAULT, Stage, questions
from idealrank.display.blocks import Block, Lines
from idealrank.measures import Measure


class Answers(NamedTuple):
    """The answer to every decision some measures read.

    Attributes
    ----------
    setting
        The convention with the caller's overrides, as `parse_convention` reads it.
    texts
        ``{decision: answer}``; several answers, joined by |, where the measures differ.
    names
        Which measure each name stands for, where one was asked for by another name: "map is AP".
    """

    setting: str
    texts: dict[str, str]
    names: tuple[str, ...] = ()

    @classmethod
    def to(cls, measures: Iterable[Measure], setting: str) -> Answers:
        """Collect the answers of some measures."""
        measures = tuple(measures)
        texts: dict[str, str] = {}
        for name in questions():
            answers = dict.fromkeys(
                m.decisions.text(name) for m in measures if name in m.decisions.asked(m.definition.decisions)
            )
            texts |= {name: "|".join(answers)} if answers else {}
        return cls(setting, texts, tuple(f"{m.typed} is {m.name}" for m in measures if _renamed(m)))

    @property
    def departures(self) -> list[str]:
        """The answers that differ from `idealrank-1`, as NAME=ANSWER."""
        return [f"{name}={answer}" for name, answer in self.texts.items() if answer != DEFAULT.text(name)]

    @property
    def by_stage(self) -> dict[Stage, list[str]]:
        """The answers that are `idealrank-1`'s, as NAME=ANSWER, by the stage they act at."""
        stages: dict[Stage, list[str]] = {}
        for name, answer in self.texts.items():
            if answer == DEFAULT.text(name):
                stages.setdefault(questions()[name].stage, []).append(f"{name}={answer}")
        return stages

    def shown(self) -> list[Block]:
        """Return every answer: what departs from `idealrank-1` first, the rest by stage."""
        changed = [("  changed", " ".join(self.departures))] if self.departures else []
        stages = [(f"  {stage}", " ".join(texts)) for stage, texts in self.by_stage.items()]
        names = [("names", ", ".join(self.names))] if self.names else []
        return [Lines([("decisions", self.setting), *changed, *stages, *names])]

    @property
    def line(self) -> str:
        """All of them, as one line."""
        others = [text for texts in self.by_stage.values() for text in texts]
        parts = [" ".join(texts) for texts in (self.departures, others) if texts]
        names = f"; {', '.join(self.names)}" if self.names else ""
        return f"{self.setting}: {'; '.join(parts)}{names}"


def _renamed(measure: Measure) -> bool:
    """Whether the user typed another name than the measure's own, letter case aside."""
    typed = re.split(r"[@(\[]", measure.typed)[0]
    return typed.lower() not in ("", measure.definition.name.lower())
