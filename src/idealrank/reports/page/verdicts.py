"""The verdicts in full, with the numbers behind them: a part of the method."""

from html import escape

from idealrank.errors import plural
from idealrank.reports.page.markup import MARKS, chance, count, difference, name, outcome_text, span, table
from idealrank.reports.parts.kinds import Compared, DifferenceRow, MeasureEntry, Parts, VerdictEntry

CARDS = 3
"""So many verdicts are cards; more are a table."""


def verdicts(compared: Compared, parts: Parts) -> str:
    """Write the verdict of every pair with its evidence."""
    few = len(compared["verdicts"]) <= CARDS
    written = _cards(compared, parts) if few else _folded(compared, parts)
    return f'<div id="verdict">{written}</div>'


def _deciding(verdict: VerdictEntry, compared: Compared, measure: MeasureEntry) -> DifferenceRow:
    """Return the difference in the measure that decides."""
    wanted = (verdict["baseline"], verdict["system"], measure["label"])
    return next(r for r in compared["differences"] if (r["baseline"], r["system"], r["measure"]) == wanted)


def _cards(compared: Compared, parts: Parts) -> str:
    words, measure = _words(compared), parts["measures"][0]
    return "".join(_card(v, _deciding(v, compared, measure), measure, words) for v in compared["verdicts"])


def _words(compared: Compared) -> tuple[str, str]:
    """Return what the interval and the p are called: corrected, where a correction was made."""
    none = "correction: none;" in compared["methods"]
    return ("interval", "p") if none else ("corrected interval", "corrected p")


def _card(verdict: VerdictEntry, row: DifferenceRow, measure: MeasureEntry, words: tuple[str, str]) -> str:
    who = f"{name(verdict['system'])} <small>instead of</small> {name(verdict['baseline'])}"
    return (
        f'<article class="verdict" data-system="{escape(verdict["system"])}">'
        f"<h4>{outcome_text(verdict['outcome'])} {who}</h4>"
        f'<p class="sentence">{escape(verdict["sentence"])}</p>{_evidence(row, measure, words)}</article>'
    )


def _evidence(row: DifferenceRow, measure: MeasureEntry, words: tuple[str, str]) -> str:
    low, high = row["corrected low"], row["corrected high"]
    facts = {
        escape(measure["label"]): difference(row["difference"], measure["direction"]),
        words[0]: span(low, high, "+"),
        words[1]: chance(row["corrected p"]),
        "better · same · worse": _counts(row),
    }
    entries = "".join(f"<div><dt>{word}</dt><dd>{value}</dd></div>" for word, value in facts.items())
    return f'<dl class="evidence">{entries}</dl>'


def _counts(row: DifferenceRow) -> str:
    return " · ".join(count(row[key]) for key in ("wins", "ties", "losses"))


def _folded(compared: Compared, parts: Parts) -> str:
    pairs = plural(len(compared["verdicts"]), "pair")
    return f"{_counted(compared['verdicts'])}<details><summary>All {pairs}</summary>{_table(compared, parts)}</details>"


def _table(compared: Compared, parts: Parts) -> str:
    measure = parts["measures"][0]
    baseline = parts["baseline"]
    head = [
        "system",
        "outcome",
        f"difference in {escape(measure['label'])}",
        *_words(compared),
        "better · same · worse",
    ]
    rows = [_summary(v, _deciding(v, compared, measure), measure, baseline is not None) for v in compared["verdicts"]]
    return table(head, rows, "Verdicts", 2)


def _counted(verdicts: list[VerdictEntry]) -> str:
    """Say how many pairs have which outcome."""
    counts = {word: sum(verdict["outcome"] == word for verdict in verdicts) for word in MARKS}
    words = ", ".join(f"{word} {count}" for word, count in counts.items() if count)
    return f"<p>Of {plural(len(verdicts), 'pair')}: {escape(words)}.</p>"


def _summary(verdict: VerdictEntry, row: DifferenceRow, measure: MeasureEntry, one: bool) -> list[str]:
    who = name(verdict["system"])
    return [
        who if one else f"{who} <small>instead of</small> {name(verdict['baseline'])}",
        outcome_text(verdict["outcome"]),
        difference(row["difference"], measure["direction"]),
        span(row["corrected low"], row["corrected high"], "+"),
        chance(row["corrected p"]),
        _counts(row),
    ]
