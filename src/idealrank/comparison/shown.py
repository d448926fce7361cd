"""A comparison as text: the verdict, the evidence, the account of the queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idealrank.display.grid import Column, draw, labelled
from idealrank.display.numbers import number_text, p_text, span_text
from idealrank.display.text import decision_lines, ledger_lines, screen_width
from idealrank.errors import plural

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison
    from idealrank.comparison.contrasts import Contrast
    from idealrank.display.table import Table

SHOWN_PAIRS = 40
"""Pairs of systems a terminal shows before it says how many more there are."""


def render_comparison(comparison: Comparison) -> str:
    """Draw the verdict, the means, the differences, and what stands under every number."""
    blocks = comparison_blocks(comparison, screen_width())
    return "\n\n".join("\n".join(block) for block in blocks if block)


def comparison_blocks(comparison: Comparison, width: int) -> list[list[str]]:
    """Draw the verdict, the means, the differences and the account."""
    return [
        verdict_lines(comparison, width),
        draw(mean_columns(comparison.means), width),
        difference_lines(comparison, width),
        *_segment_blocks(comparison, width),
        ["evidence", *evidence_lines(comparison, width), *account_lines(comparison, width)],
    ]


def _segment_blocks(comparison: Comparison, width: int) -> list[list[str]]:
    """Draw the segments, where they were asked for."""
    from idealrank.comparison.segments.shown import explaining_lines, segment_lines

    if not comparison.segment:
        return []
    return [segment_lines(comparison.segments, width), explaining_lines(comparison.segments, width)]


def verdict_lines(comparison: Comparison, width: int) -> list[str]:
    """Write one sentence a system."""
    found = list(comparison.verdict.values())
    wide = min(max(len(called(v.system, v.baseline, comparison)) for v in found) + 2, 40)
    lines = [
        line
        for v in found[:SHOWN_PAIRS]
        for line in labelled(called(v.system, v.baseline, comparison), v.sentence, width, wide)
    ]
    more = len(found) - SHOWN_PAIRS
    return ["verdict", *lines, *([f"{plural(more, 'more pair')}: see the differences"] if more > 0 else [])]


def called(system: str, baseline: str, comparison: Comparison) -> str:
    """Return the system, and where all pairs are compared what it is compared with."""
    return system if comparison.baseline else f"{system} vs {baseline}"


def mean_columns(means: Table) -> list[Column]:
    """Write the means with their intervals as columns of text."""
    rows = list(means)
    return [
        Column("measure", [row["measure"] for row in rows], numeric=False),
        Column("system", [row["system"] for row in rows], numeric=False),
        Column("queries", [str(row["queries"]) for row in rows], numeric=True),
        Column("mean", [f"{row['mean']:.4f}" for row in rows], numeric=True),
        Column("interval", [span_text(row["low"], row["high"], sign="") for row in rows], numeric=True),
    ]


def difference_lines(comparison: Comparison, width: int) -> list[str]:
    """Draw the differences, one row a pair and measure."""
    found = list(comparison.contrasts.values())
    shown = found[: SHOWN_PAIRS * len(comparison.scores.measures)]
    more = [plural(len(found) - len(shown), "more row")] if len(found) > len(shown) else []
    return [*draw(difference_columns(comparison, shown), width), *more]


def difference_columns(comparison: Comparison, found: list[Contrast]) -> list[Column]:
    """Write the evidence as columns of text; intervals and p are the corrected ones, plain p beside."""
    several = not comparison.baseline
    columns = [
        Column("measure", [c.measure for c in found], numeric=False),
        Column("system", [c.system for c in found], numeric=False),
        *([Column("baseline", [c.baseline for c in found], numeric=False)] if several else []),
        Column("difference", [f"{c.difference:+.4f}" for c in found], numeric=True),
        Column("interval", [span_text(c.corrected.low, c.corrected.high) for c in found], numeric=True),
        Column("p", [p_text(c.test.p) for c in found], numeric=True),
    ]
    if comparison.methods.correction != "none":
        columns.append(Column("corrected p", [p_text(c.p) for c in found], numeric=True))
    return [
        *columns,
        Column("effect", [number_text(c.effect, "+.2f") for c in found], numeric=True),
        Column("wins", [str(c.wins) for c in found], numeric=True),
        Column("ties", [str(c.ties) for c in found], numeric=True),
        Column("losses", [str(c.losses) for c in found], numeric=True),
        Column("detectable", [number_text(c.detectable, ".4f") for c in found], numeric=True),
        *hole_columns(comparison, found),
    ]


def hole_columns(comparison: Comparison, found: list[Contrast]) -> list[Column]:
    """Write how many holes there are, and what they allow the difference to be; nothing where there are none."""
    known = {contrast: comparison.holes[pair].ranges[m] for (pair, m), contrast in comparison.contrasts.items()}
    ranges = [known[contrast] for contrast in found]
    if not any(each.count for each in ranges):
        return []
    ends = [span_text(each.low, each.high) + ("" if each.exact else " *") for each in ranges]
    return [
        Column("holes", [str(each.count) for each in ranges], numeric=True),
        Column("lowest to highest", ends, numeric=True),
    ]


def evidence_lines(comparison: Comparison, width: int) -> list[str]:
    """Write the rule, the methods, and which queries could not be paired."""
    return [line for label, text in evidence(comparison) for line in labelled(label, text, width)]


def evidence(comparison: Comparison) -> list[tuple[str, str]]:
    """Return the rule, the methods, the holes, and which queries could not be paired, each with its label."""
    lines = [("rule", next(iter(comparison.verdict.values())).rule), ("methods", comparison.methods.text)]
    lines += [("" if i else "holes", text) for i, text in enumerate(hole_notes(comparison))]
    return lines + [("" if i else "pairing", text) for i, text in enumerate(notes(comparison))]


def hole_notes(comparison: Comparison) -> list[str]:
    """Say which holes there are under each measure, and how sharp the bounds are; * marks an enclosure."""
    found: dict[str, list[str]] = {}
    for m, label in enumerate(comparison.scores.labels):
        ranges = [evidence.ranges[m] for evidence in comparison.holes.values()]
        most, measure = max(each.count for each in ranges), comparison.scores.measures[m]
        if most:
            where = f"top {measure.cutoff}" if measure.cutoff else "lists"
            said = f"{plural(most, 'unjudged document')} in the {where} of the compared systems, any other counts as "
            said += "grade 0; " + "; ".join(dict.fromkeys(each.why for each in ranges if each.count))
            said += "" if measure.cutoff else "; not estimated, as there is no cutoff"
            found.setdefault(said, []).append(label)
    return [f"{', '.join(labels)}: {text}" for text, labels in found.items()]


def notes(comparison: Comparison) -> list[str]:
    """Say which queries only one system answered, and which could not be paired."""
    weightless = comparison.pairing.weightless
    found = (
        [f"{plural(len(weightless), 'query')} of weight 0, in no mean and no test ({_some(weightless)})"]
        if weightless
        else []
    )
    for called, sides in comparison.one_sided.items():
        parts = [
            f"{plural(len(names), 'query')} answered by {side} ({_some(names)})"
            for side, names in sides.items()
            if names
        ]
        found.append(
            f"{'' if comparison.baseline and len(comparison.systems) == 2 else called + ': '}{'; '.join(parts)}"
        )
    for contrast in comparison.contrasts.values():
        if contrast.unpaired:
            found.append(
                f"{contrast.measure}, {contrast.system}: {plural(len(contrast.unpaired), 'query')} without a value on "
                f"both sides ({_some(contrast.unpaired)})"
            )
    return found


def _some(names: object) -> str:
    from idealrank.evaluation.ledger.entries import named

    return named(list(names))  # type: ignore[call-overload]


def account_lines(comparison: Comparison, width: int) -> list[str]:
    """Write the decisions and the ledger."""
    scores = comparison.scores
    return [*decision_lines(scores.answers, width), *ledger_lines(scores.ledger, width)]
