"""The verdict in the page: a card a pair, or a table where there are many."""

from html import escape

from idealrank.errors import plural
from idealrank.reports.page.markup import chance, difference, name, span, table
from idealrank.reports.parts.kinds import Compared, DifferenceRow, MeasureEntry, Parts, VerdictEntry, in_words

CARDS = 3
"""So many verdicts are cards; more are a table."""

_MARKS = {
    "SHIP": ("ship", "✓"),
    "DON'T": ("dont", "✕"),
    "ABOUT THE SAME": ("same", "="),
    "CAN'T TELL": ("cant-tell", "?"),
}


def verdicts(parts: Parts) -> str:
    """Write the outcome of every pair; nothing where nothing is compared."""
    compared = parts["compared"]
    if compared is None:
        return ""
    few = len(compared["verdicts"]) <= CARDS
    written = _cards(compared, parts) if few else _table(compared, parts)
    return f'<section id="verdict" aria-label="Verdict">{written}</section>'


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
    word, _ = _MARKS[verdict["outcome"]]
    who = f"{name(verdict['system'])} <small>instead of</small> {name(verdict['baseline'])}"
    return (
        f'<article class="verdict" data-outcome="{word}" data-system="{escape(verdict["system"])}">'
        f'<div class="said"><div>{outcome(verdict["outcome"])}<h2>{who}</h2>'
        f'<p class="in-words">{escape(in_words(verdict))}</p></div>'
        f"{_evidence(row, measure, words)}</div>"
        f'<p class="sentence">{escape(verdict["sentence"])}</p></article>'
    )


def outcome(text: str) -> str:
    """Write an outcome with its glyph."""
    word, glyph = _MARKS[text]
    mark = f'<span class="mark" aria-hidden="true">{glyph}</span>'
    return f'<p class="outcome" data-outcome="{word}">{mark} {escape(text)}</p>'


def _evidence(row: DifferenceRow, measure: MeasureEntry, words: tuple[str, str]) -> str:
    low, high = row["corrected low"], row["corrected high"]
    facts = {
        escape(measure["label"]): difference(row["difference"], measure["direction"]),
        words[0]: span(low, high, "+"),
        words[1]: chance(row["corrected p"]),
        "wins · ties · losses": _counts(row),
    }
    entries = "".join(f"<div><dt>{word}</dt><dd>{value}</dd></div>" for word, value in facts.items())
    return f'<div class="numbers"><dl class="evidence">{entries}</dl>{_drawn(row["difference"], low, high)}</div>'


def _counts(row: DifferenceRow) -> str:
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


def _table(compared: Compared, parts: Parts) -> str:
    measure = parts["measures"][0]
    baseline = parts["baseline"]
    head = ["system", "outcome", f"difference in {escape(measure['label'])}", *_words(compared), "wins · ties · losses"]
    rows = [_summary(v, _deciding(v, compared, measure), measure, baseline is not None) for v in compared["verdicts"]]
    against = f", each instead of {name(baseline)}" if baseline is not None else ""
    return f"<h2>Verdicts{against}</h2>{_counted(compared['verdicts'])}{table(head, rows, 'Verdicts', 2)}"


def _counted(verdicts: list[VerdictEntry]) -> str:
    """Say how many pairs have which outcome."""
    counts = {word: sum(verdict["outcome"] == word for verdict in verdicts) for word in _MARKS}
    words = ", ".join(f"{word} {count}" for word, count in counts.items() if count)
    return f'<p class="in-words">Of {plural(len(verdicts), "pair")}: {escape(words)}.</p>'


def _summary(verdict: VerdictEntry, row: DifferenceRow, measure: MeasureEntry, one: bool) -> list[str]:
    who = name(verdict["system"])
    return [
        who if one else f"{who} <small>instead of</small> {name(verdict['baseline'])}",
        outcome(verdict["outcome"]),
        difference(row["difference"], measure["direction"]),
        span(row["corrected low"], row["corrected high"], "+"),
        chance(row["corrected p"]),
        _counts(row),
    ]
