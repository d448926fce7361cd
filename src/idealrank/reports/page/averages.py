"""The means in full, a part of the method: measures by systems, or systems by measures where there are many."""

from collections.abc import Callable
from html import escape

from idealrank.errors import plural
from idealrank.reports.page.markup import difference, fixed, name, span, table
from idealrank.reports.parts.kinds import DifferenceRow, MeanRow, MeasureEntry, Parts

Key = tuple[str, str]
"""A measure and a system."""

COLUMNS = 4
"""So many systems are columns; more are rows."""


def averages(parts: Parts) -> str:
    """Write the mean of every measure and system with its interval, and the differences to the baseline."""
    many = len(parts["systems"]) > COLUMNS
    written = _by_system(parts) if many else _by_measure(parts)
    counted = f"Each mean is over {_of_all(parts['means'][0], parts)}. " if many and not _differs(parts) else ""
    return f"{written}{_foot(parts, counted)}"


def _cells(parts: Parts) -> dict[Key, MeanRow]:
    return {(row["measure"], row["system"]): row for row in parts["means"]}


def _differences(parts: Parts) -> dict[Key, DifferenceRow]:
    """Return the differences to the baseline by measure and system; none where there is no baseline."""
    if parts["baseline"] is None or parts["compared"] is None:
        return {}
    return {(row["measure"], row["system"]): row for row in parts["compared"]["differences"]}


def _by_measure(parts: Parts) -> str:
    cells, changes = _cells(parts), _differences(parts)
    rows = []
    for measure in parts["measures"]:
        means = [cells[measure["label"], system] for system in parts["systems"]]
        alike = len({row["queries"] for row in means}) == 1
        written = [_cell(row, measure, changes, "" if alike else _of(row, parts)) for row in means]
        rows.append([_measure(measure, _of(means[0], parts) if alike else ""), *written])
    return table(["measure", *map(_system(parts), parts["systems"])], rows, "Means by measure")


def _by_system(parts: Parts) -> str:
    cells, changes = _cells(parts), _differences(parts)
    first = parts["measures"][0]
    sign = 1 if first["direction"] == "lower" else -1
    order = sorted(parts["systems"], key=lambda system: _place(cells[first["label"], system]["mean"], sign))
    differs = _differs(parts)
    rows = []
    for system in order:
        means = [cells[m["label"], system] for m in parts["measures"]]
        pairs = zip(means, parts["measures"], strict=True)
        written = [_cell(row, m, changes, _of(row, parts) if differs else "") for row, m in pairs]
        rows.append([_system(parts)(system), *written])
    return table(["system", *(escape(m["label"]) for m in parts["measures"])], rows, "Means by system")


def _place(mean: float | None, sign: int) -> tuple[bool, float]:
    return mean is None, 0.0 if mean is None else sign * mean


def _system(parts: Parts) -> Callable[[str], str]:
    """Return what writes a system's name; the baseline is called so."""

    def written(system: str) -> str:
        return name(system) + (" <small>baseline</small>" if system == parts["baseline"] else "")

    return written


def _measure(measure: MeasureEntry, queries: str) -> str:
    lower = "; lower is better" if measure["direction"] == "lower" else ""
    meaning = f'<small class="meaning">{escape(measure["meaning"])}{lower}</small>'
    return f"{escape(measure['label'])}{meaning}{queries}"


def _of(row: MeanRow, parts: Parts) -> str:
    return f'<small class="counted">{_of_all(row, parts)}</small>'


def _of_all(row: MeanRow, parts: Parts) -> str:
    return f"{row['queries']:,} of {plural(parts['ledger']['judged_queries'], 'query')}"


def _cell(row: MeanRow, measure: MeasureEntry, changes: dict[Key, DifferenceRow], counted: str) -> str:
    """Write a mean over its interval, its difference and the count of queries."""
    key = row["measure"], row["system"]
    change = difference(changes[key]["difference"], measure["direction"]) if key in changes else ""
    held = f'<small class="held">{span(row["low"], row["high"])}</small>' if row["low"] is not None else ""
    at = f'data-measure="{escape(measure["label"])}" data-system="{escape(row["system"])}"'
    return f'<div class="mean" {at}><b>{fixed(row["mean"])}</b>{held}{change}{counted}</div>'


def _differs(parts: Parts) -> bool:
    """Whether the means are over different counts of queries."""
    return len({row["queries"] for row in parts["means"]}) > 1


def _foot(parts: Parts, counted: str) -> str:
    level = parts["compared"]["level"] if parts["compared"] else 0.95
    held = f"Below each mean: its {level:.0%} interval." if any(r["low"] is not None for r in parts["means"]) else ""
    against = f"{_signs(parts['measures'])} {_pairings(parts)}" if parts["baseline"] is not None else ""
    return f'<p class="note">{counted}{held} {against} Convention: {escape(parts["decisions"]["setting"])}.</p>'


def _signs(measures: list[MeasureEntry]) -> str:
    """Say what the glyphs mean; a count is higher or lower, neither is better."""
    counts = [measure["label"] for measure in measures if measure["direction"] == "count"]
    if len(counts) == len(measures):
        return "▲ higher, ▼ lower, = no difference from the baseline."
    apart = f" For {escape(', '.join(counts))}: ▲ higher, ▼ lower, neither is better." if counts else ""
    return f"▲ better, ▼ worse, = no difference from the baseline.{apart}"


def _pairings(parts: Parts) -> str:
    """Say over which queries the differences are, by measure where that differs; nothing where all are in the means."""
    labels: dict[str, list[str]] = {}
    for measure in parts["measures"]:
        labels.setdefault(_paired(measure["label"], parts), []).append(measure["label"])
    if len(labels) == 1:
        return next(iter(labels))
    return " ".join(f"{escape(', '.join(names))}: {note}" for note, names in labels.items() if note)


def _paired(label: str, parts: Parts) -> str:
    means = {row["system"]: row["queries"] for row in parts["means"] if row["measure"] == label}
    paired = {system: row["queries"] for (measure, system), row in _differences(parts).items() if measure == label}
    if all(count == means[system] == means[parts["baseline"] or ""] for system, count in paired.items()):
        return ""
    queries = f"{_least(paired)}{plural(max(paired.values()), 'query')}"
    over = f"{_least(means)}{max(means.values()):,}"
    return f"Differences are over the {queries} that both systems have a value for; the means are over {over}."


def _least(counts: dict[str, int]) -> str:
    """Write the lowest count before the highest; nothing where they are the same."""
    low, high = min(counts.values()), max(counts.values())
    return f"{low:,} to " if low < high else ""
