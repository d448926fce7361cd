"""The verdict in the page: a card a pair, or a table where there are many."""

from __future__ import annotations

from html import escape
from typing import Any

from idealrank.errors import plural
from idealrank.reports.page.written import chance, difference, name, span, table

CARDS = 3
"""So many verdicts are cards; more are a table."""

_MARKS = {"SHIP": ("ship", "✓"), "DON'T": ("dont", "✕"), "CAN'T TELL": ("cant-tell", "?")}

Parts = dict[str, Any]


def verdicts(parts: Parts) -> str:
    """Write the outcome of every pair; nothing where nothing is compared."""
    compared = parts["compared"]
    if compared is None:
        return ""
    found = compared["verdicts"]
    written = _cards(found, parts) if len(found) <= CARDS else _table(found, parts)
    return f'<section id="verdict" aria-label="Verdict">{written}</section>'


def _deciding(verdict: Parts, parts: Parts) -> Parts:
    """Return the difference in the measure that decides."""
    label = parts["measures"][0]["label"]
    wanted = (verdict["baseline"], verdict["system"], label)
    rows: list[Parts] = parts["compared"]["differences"]
    return next(row for row in rows if (row["baseline"], row["system"], row["measure"]) == wanted)


def _cards(found: list[Parts], parts: Parts) -> str:
    words = _words(parts)
    return "".join(_card(verdict, _deciding(verdict, parts), parts["measures"][0], words) for verdict in found)


def _words(parts: Parts) -> tuple[str, str]:
    """Return what the interval and the p are called: corrected, where a correction was made."""
    none = "correction: none;" in parts["compared"]["methods"]
    return ("interval", "p") if none else ("corrected interval", "corrected p")


def _card(verdict: Parts, row: Parts, measure: Parts, words: tuple[str, str]) -> str:
    word, _ = _MARKS[verdict["outcome"]]
    who = f"{name(verdict['system'])} <small>instead of</small> {name(verdict['baseline'])}"
    return (
        f'<article class="verdict" data-outcome="{word}" data-system="{escape(verdict["system"])}">'
        f'<div class="said"><div>{outcome(verdict["outcome"])}<h2>{who}</h2>'
        f'<p class="in-words">{escape(verdict["in_words"])}</p></div>'
        f"{_evidence(row, measure, words)}</div>"
        f'<p class="sentence">{escape(verdict["sentence"])}</p></article>'
    )


def outcome(said: str) -> str:
    """Write an outcome with its glyph."""
    word, glyph = _MARKS[said]
    mark = f'<span class="mark" aria-hidden="true">{glyph}</span>'
    return f'<p class="outcome" data-outcome="{word}">{mark} {escape(said)}</p>'


def _evidence(row: Parts, measure: Parts, words: tuple[str, str]) -> str:
    low, high = row["corrected low"], row["corrected high"]
    facts = {
        escape(measure["label"]): difference(row["difference"], measure["direction"]),
        words[0]: span(low, high, "+"),
        words[1]: chance(row["corrected p"]),
        "wins · ties · losses": _counts(row),
    }
    said = "".join(f"<div><dt>{word}</dt><dd>{value}</dd></div>" for word, value in facts.items())
    return f'<div class="numbers"><dl class="evidence">{said}</dl>{_drawn(row["difference"], low, high)}</div>'


def _counts(row: Parts) -> str:
    return f"{row['wins']} · {row['ties']} · {row['losses']}"


def _drawn(middle: float | None, low: float | None, high: float | None) -> str:
    """Draw the interval of a difference around zero."""
    if middle is None or low is None or high is None:
        return ""
    most = max(abs(low), abs(high), abs(middle)) or 1.0
    left, right, dot = (100 + 92 * end / most for end in (low, high, middle))
    return (
        '<svg class="interval" viewBox="0 0 200 24" preserveAspectRatio="xMinYMid" role="img" '
        f'aria-label="the difference and its interval, {span(low, high, "+")}, around zero">'
        '<line class="zero" x1="100" x2="100" y1="1" y2="23"/><line class="axis" x1="4" x2="196" y1="12" y2="12"/>'
        f'<line class="range" x1="{left:.1f}" x2="{right:.1f}" y1="12" y2="12"/>'
        f'<circle cx="{dot:.1f}" cy="12" r="4.5"/></svg>'
    )


def _table(found: list[Parts], parts: Parts) -> str:
    measure = parts["measures"][0]
    one = parts["baseline"] is not None
    head = ["system", "outcome", f"difference in {escape(measure['label'])}", *_words(parts), "wins · ties · losses"]
    rows = [_summary(verdict, _deciding(verdict, parts), measure, one) for verdict in found]
    against = f", each instead of {name(parts['baseline'])}" if one else ""
    return f"<h2>Verdicts{against}</h2>{_counted(found)}{table(head, rows, 'Verdicts', 2)}"


def _counted(found: list[Parts]) -> str:
    """Say how many pairs have which outcome."""
    counts = {said: sum(verdict["outcome"] == said for verdict in found) for said in _MARKS}
    words = ", ".join(f"{said} {count}" for said, count in counts.items() if count)
    return f'<p class="in-words">Of {plural(len(found), "pair")}: {escape(words)}.</p>'


def _summary(verdict: Parts, row: Parts, measure: Parts, one: bool) -> list[str]:
    who = name(verdict["system"])
    return [
        who if one else f"{who} <small>instead of</small> {name(verdict['baseline'])}",
        outcome(verdict["outcome"]),
        difference(row["difference"], measure["direction"]),
        span(row["corrected low"], row["corrected high"], "+"),
        chance(row["corrected p"]),
        _counts(row),
    ]
