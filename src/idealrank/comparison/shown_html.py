"""A comparison for a notebook: the verdict first, then the numbers, then what stands under them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from idealrank.comparison.footnote import paired_note
from idealrank.comparison.shown import SHOWN_PAIRS, called, difference_columns, evidence, mean_columns
from idealrank.display.grid import Column
from idealrank.display.html import account_html, decisions_html, foot_html, grid_html, more_html, prints_html, text_html
from idealrank.display.numbers import change_text
from idealrank.display.text import SHOWN_ROWS
from idealrank.errors import plural
from idealrank.evaluation.footnote import footnote

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison


def comparison_html(comparison: Comparison) -> str:
    """Write the verdict, the differences, the means, the convention and the evidence."""
    scores = comparison.scores
    measures, pairs = range(len(scores.labels)), comparison.pairing.pairs
    foot = foot_html(f"{footnote(scores)}; differences: {paired_note(comparison, measures, pairs)}")
    segments = comparison.segments._repr_html_() if comparison.segment else ""
    return (
        f"{_verdicts(comparison)}{_differences(comparison)}{_means(comparison)}{foot}{segments}{_evidence(comparison)}"
        f"{decisions_html(scores.answers)}{account_html(scores.ledger)}"
    )


def _verdicts(comparison: Comparison) -> str:
    found = list(comparison.verdict.values())
    said = "".join(
        f"<p><b>{text_html(called(v.system, v.baseline, comparison))}</b>: {text_html(v.sentence)}</p>"
        for v in found[:SHOWN_PAIRS]
    )
    more = len(found) - SHOWN_PAIRS
    return said + (f"<p>{plural(more, 'more pair')}</p>" if more > 0 else "")


def _differences(comparison: Comparison) -> str:
    found = list(comparison.contrasts.values())
    shown = found[:SHOWN_ROWS]
    changes = [change_text(each.difference, each.direction) for each in shown]
    columns = with_changes(difference_columns(comparison, shown), changes)
    return f"{grid_html(columns)}{more_html(len(found) - len(shown))}"


def with_changes(columns: Sequence[Column], changes: Sequence[str]) -> list[Column]:
    """Put differences with their glyph in the place of plain ones."""
    return [Column(c.name, changes, numeric=True) if c.name == "difference" else c for c in columns]


def _means(comparison: Comparison) -> str:
    means = comparison.means
    shown = means.take(range(min(len(means), SHOWN_ROWS)))
    more = more_html(len(means) - len(shown))
    return f"{grid_html(mean_columns(shown))}{more}{prints_html(comparison.differences, SHOWN_ROWS)}"


def _evidence(comparison: Comparison) -> str:
    lines = ((f"<b>{label}</b> " if label else "") + text_html(text) for label, text in evidence(comparison))
    return "".join(f'<p style="font-size:85%;margin:.2em 0">{line}</p>' for line in lines)
