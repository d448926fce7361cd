"""What a terminal shows of a comparison: the verdict, one table, what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from idealrank.cli.board_brief import board_lines, board_said, notes_said
from idealrank.cli.brief import folded, names
from idealrank.cli.colours import BLUE, ORANGE
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.findings import FEW
from idealrank.comparison.roles import SHOWN
from idealrank.comparison.rule import CANT_TELL, DONT, SHIP
from idealrank.comparison.shown import called, choice, compared_queries, own_means, paired_note
from idealrank.comparison.verdict import Verdict
from idealrank.display.amounts import percent
from idealrank.display.grid import Column, draw, fits, labelled
from idealrank.display.numbers import change_text, decimal, span_text
from idealrank.display.text import paragraphs
from idealrank.errors import plural
from idealrank.evaluation.in_brief import no_results

COLOURS = {SHIP: BLUE, DONT: ORANGE}
"""The colour of an outcome; the others have none."""

PAIRS = 10
"""Pairs of systems that are shown before it is said how many more there are."""


def warnings(comparison: Comparison, width: int) -> list[str]:
    """Return the lines of what is to be read before the verdict."""
    return [line for text in comparison.warnings for line in labelled("warning", text, width)]


def verdicts(comparison: Comparison, width: int) -> list[tuple[str, list[str]]]:
    """Return the colour and the lines of each verdict: its headline, and where there are few what everybody asks."""
    if comparison.many:
        return [("", board_said(comparison.leaderboard, width))]
    every = list(comparison.verdict.values())
    if len(every) <= FEW:
        return [(COLOURS.get(v.outcome, ""), [_headline(v, comparison), *folded(sentences(v), width)]) for v in every]
    more = [f"{plural(len(every) - PAIRS, 'more pair')}: --verbose"] if len(every) > PAIRS else []
    return [("", ["Verdicts", *folded([_headline(v, comparison) for v in every[:PAIRS]], width), *more])]


def _headline(verdict: Verdict, comparison: Comparison) -> str:
    """Write the headline; where all pairs are compared, with what it is compared with."""
    pair = called(verdict.system, verdict.baseline, comparison)
    return verdict.headline if comparison.baseline else f"{pair}: {verdict.headline}"


def sentences(verdict: Verdict) -> list[str]:
    """Return the summary, and the sentences without which it would say too much."""
    parts = [verdict.assumption, verdict.failed]
    parts = [verdict.reason, *parts] if any("see the reason" in text for text in verdict.summary) else parts
    return [*verdict.summary, *(f"{part}." for part in parts if part)]


def numbers(comparison: Comparison, width: int) -> list[str]:
    """Draw the table of the measures, what a system was chosen by, and the segments, where they were asked for."""
    segments = paragraphs(comparison.segments.shown(), width) if comparison.segment else []
    table = board_lines(comparison.leaderboard, width) if comparison.many else _table(comparison, width)
    return _apart([table, *paragraphs(choice(comparison), width), *segments])


def closing(comparison: Comparison, origin: str, width: int, first: str = "") -> list[str]:
    """Say what to do next, which system is the baseline where its name decided that, and where the rest is."""
    named = folded([f"Baseline: {first}"] if first else [], width)
    return ["", *_apart([_next(comparison, width), [*named, *_rest(comparison, origin, width)]])]


def _apart(parts: Iterable[list[str]]) -> list[str]:
    """Join paragraphs, a blank line between."""
    return [line for part in parts if part for line in ("", *part)][1:]


def _table(comparison: Comparison, width: int) -> list[str]:
    """Draw both means, the change, its interval, and how many queries are better and worse; one row per measure.

    Of several systems: measure by measure, without those that are only shown.
    """
    one, every = len(comparison.verdict) == 1, list(comparison.contrasts.values())
    labels = comparison.scores.labels
    asked = every if one else sorted((c for c in every if c.role != SHOWN), key=lambda c: labels.index(c.measure))
    shown = asked if one else asked[: 2 * PAIRS]
    names = zip(labels, comparison.pairing.roles, strict=True)
    roles = "; ".join(f"{label} {role}" for label, role in names if role != SHOWN)
    more = plural(len(every) - len(shown), "more row")
    below = [*([f"{roles}."] if not one else []), *([f"{more}: --verbose"] if len(every) > len(shown) else [])]
    columns, renamed = _fitting(comparison, shown, one, width)
    return [*draw(columns, width), *below, *folded([*renamed, *_over(comparison)], width)]


def _over(comparison: Comparison) -> list[str]:
    """Say which queries the means are over, where those of each system alone are others."""
    text = f"Means over {compared_queries(comparison)}; over all queries of each system: --verbose"
    return [text] if own_means(comparison) else []


def _fitting(
    comparison: Comparison, shown: Sequence[Contrast], one: bool, width: int
) -> tuple[list[Column], list[str]]:
    """Return the columns; where two names are too long, the means are called by role, and a line says whose they are.

    Where that does not make them fit, the names stay.
    """
    columns = _columns(comparison, shown, one)
    measure, before, after, *others = columns
    renamed = [measure, replace(before, name="baseline"), replace(after, name="mean"), *others]
    if not one or fits(columns, width) or sum(c.wide for c in renamed) >= sum(c.wide for c in columns):
        return columns, []
    return renamed, [f"Baseline: {before.name}."]


def _columns(comparison: Comparison, shown: Sequence[Contrast], one: bool) -> list[Column]:
    pairs = [called(c.system, c.baseline, comparison) for c in shown]
    before = Column(shown[0].baseline, [decimal(c.baseline_mean) for c in shown], numeric=True)
    level = percent(shown[0].corrected.level)
    roles = [c.role for c in shown]
    return [
        Column("measure", [c.measure for c in shown], numeric=False),
        before if one else Column("system", pairs, numeric=False),
        Column(shown[0].system if one else "mean", [decimal(c.mean) for c in shown], numeric=True),
        Column("change", [change_text(c.difference, c.direction) for c in shown], numeric=True),
        Column(f"{level} interval", [span_text(c.corrected.low, c.corrected.high) for c in shown], numeric=True),
        Column("better/worse", [f"{c.wins}/{c.losses}" for c in shown], numeric=True),
        *([Column("role", roles, numeric=False)] if one and len(set(roles)) > 1 else []),
    ]


def _next(comparison: Comparison, width: int) -> list[str]:
    """Say what to do next: step by step for one system, in a line for each of several."""
    every = list(comparison.verdict.values())
    if len(every) == 1:
        title = "What would settle it:" if every[0].outcome == CANT_TELL else "Next:"
        steps = [line for i, step in enumerate(every[0].steps, 1) for line in labelled(f"{i}.", step, width, 3)]
        return [title, *steps] if steps else []
    if comparison.many:
        return notes_said(comparison.leaderboard, width)
    if len(every) > FEW:
        return ["What would settle each: --verbose"]
    told = [f"{called(v.system, v.baseline, comparison)}: {' '.join(v.steps)}" for v in every if v.steps]
    return folded(told, width)


def _rest(comparison: Comparison, origin: str, width: int) -> list[str]:
    """Say queries without results, the convention, how many are paired, and how to see everything."""
    source = f" Defaults: {origin}." if origin else ""
    paired = paired_note(comparison, range(len(comparison.scores.labels)), comparison.pairing.pairs)
    named = f"Convention {comparison.scores.setting.text}; {paired}.{source}{names(comparison.scores)}"
    text = f"{named} All evidence, choices and the ledger: --verbose"
    nothing = [f"{each}." for each in no_results(comparison.scores)]
    return folded([*nothing, text], width)
