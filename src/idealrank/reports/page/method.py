"""The method: settings, ledger, unjudged results, inputs, statistics and means, readable without script."""

from collections.abc import Callable
from html import escape
from typing import Any

from idealrank.comparison.types import DifferenceRow, MeanRow
from idealrank.decisions.decisions import questions
from idealrank.errors import listed, plural
from idealrank.reports.page.markup import (
    MARKS,
    bullets,
    chance,
    count,
    difference,
    fixed,
    name,
    outcome_text,
    span,
    table,
)
from idealrank.reports.page.method_tables import document_segments, holes, latency, thresholds
from idealrank.reports.types import Compared, InputEntry, MeasureEntry, ReportSections, VerdictEntry

SHOWN = 200
"""Rows of a table that are written; the others are counted."""

NAMED = 20
"""Queries that are named; the others are counted."""

STAGES = {
    "read": "reading the tables",
    "list": "making the lists",
    "value": "computing a query's value",
    "mean": "taking the mean",
}

TITLES = {
    "decisions": "Settings",
    "methods": "Statistics",
    "means": "Means",
    "document_segments": "Documents",
    "thresholds": "Thresholds",
    "latency": "Latency",
    "ledger": "Ledger",
    "holes": "Unjudged",
    "inputs": "Inputs",
}
"""What the tabs are called, in their order."""


def method(parts: ReportSections) -> str:
    """Write the section: its tabs, which script shows one at a time, each below its heading without script."""
    written = {
        "decisions": _decisions(parts),
        "methods": _methods(parts["compared"], parts) if parts["compared"] else "",
        "means": averages(parts),
        "document_segments": document_segments(parts["document_segments"]),
        "thresholds": thresholds(parts["thresholds"]),
        "latency": latency(parts["latency"]),
        "ledger": _ledger(parts),
        "holes": holes(parts),
        "inputs": _inputs(parts),
    }
    shown = {key: written[key] for key in TITLES if written[key]}
    panels = "".join(
        f'<section id="{key}" class="panel" aria-label="{TITLES[key]}"><h3>{TITLES[key]}</h3>{content}</section>'
        for key, content in shown.items()
    )
    return f'<section id="method" aria-label="Method"><h2>Method</h2>{panels}</section>'


def _decisions(parts: ReportSections) -> str:
    answers = parts["decisions"]
    changed = f"<h4>Changed</h4>{_answers_list(answers['changed'])}" if answers["changed"] else ""
    stages = "".join(
        f"<h4>{STAGES[key].capitalize()}</h4>{_answers_list(answers['stages'][key])}" for key in answers["stages"]
    )
    prints = "".join(
        f"<dt>{escape(m['label'])}</dt><dd><code>{escape(m['fingerprint'])}</code></dd>" for m in parts["measures"]
    )
    return (
        f"<p>Every choice behind these numbers. Convention: <b>{escape(answers['setting'])}</b>.</p>"
        f'{changed}{stages}<h4>Measures in full</h4><dl class="prints">{prints}</dl>'
    )


def _answers_list(texts: list[str]) -> str:
    """Write each question with its answer in words, then as NAME=ANSWER."""
    items = "".join(f"<li>{_question_and_meaning(text)} <code>{escape(text)}</code></li>" for text in texts)
    return f'<ul class="answers">{items}</ul>'


def _question_and_meaning(text: str) -> str:
    """Say what a decision asks and what the answer means; several answers are one for each measure."""
    key, _, answers = text.partition("=")
    question = questions()[key]
    meaning = " | ".join(question.answers.get(answer, question.number) for answer in answers.split("|"))
    return f"{escape(question.asks)} {f'<b>{escape(meaning)}</b>' if meaning else ''}"


def _ledger(parts: ReportSections) -> str:
    ledger = parts["ledger"]
    judged = plural(ledger["judged_queries"], "judged query")
    return (
        f"<p>All {judged} are accounted for.</p>"
        f"<h4>By system</h4>{_accounts(ledger['systems'])}<h4>By measure</h4>{_queries_by_measure(ledger['measures'])}"
        f"<h4>What was found</h4>{bullets(ledger['lines'][1:])}{_exceptions(parts)}"
    )


def _accounts(systems: list[dict[str, Any]]) -> str:
    failed = any(each["failed"] for each in systems)
    never = any(each["never_asked"] for each in systems)
    states = ["judged and returned", "judged, nothing returned", *(["judged, never asked"] if never else [])]
    states += ["judged, search failed"] if failed else []
    head = ["system", *states, "returned, not judged", "results", "found"]
    rows = [
        [
            name(each["system"]),
            count(each["judged_and_returned"]),
            _count_and_names(each["judged_nothing_returned"]),
            *([_count_and_names(each["never_asked"])] if never else []),
            *([_count_and_names(each["failed"])] if failed else []),
            _count_and_names(each["returned_not_judged"]),
            count(each["results"]),
            "<br>".join(f"{number:,} {escape(what)}" for what, number in each["counts"].items()),
        ]
        for each in systems
    ]
    return table(head, rows, "Queries by system")


def _count_and_names(queries: list[str]) -> str:
    return f"{count(len(queries))}<small>{listed(map(name, queries), NAMED)}</small>" if queries else "0"


def _queries_by_measure(rows: list[dict[str, Any]]) -> str:
    counts = [key for key in rows[0] if key not in ("system", "measure") and any(row[key] for row in rows)]
    head = ["measure", "system", *(escape(key.replace("_", " ")) for key in counts)]
    cells = [[escape(row["measure"]), name(row["system"]), *(count(row[key]) for key in counts)] for row in rows]
    return table(head, cells, "Queries by measure", 2)


def _exceptions(parts: ReportSections) -> str:
    """Write the queries that were not simply computed."""
    rows, labels = parts["states"], [measure["label"] for measure in parts["measures"]]
    if not rows:
        return ""
    cells = [
        [name(row["query"]), name(row["system"]), escape(row["state"]), *(escape(str(row[label])) for label in labels)]
        for row in rows[:SHOWN]
    ]
    more = f"<p>{plural(len(rows) - SHOWN, 'more row')}</p>" if len(rows) > SHOWN else ""
    head = ["query", "system", "state", *map(escape, labels)]
    return (
        f"<h4>Queries with special handling</h4>{table(head, cells, 'Queries with special handling', len(head))}{more}"
    )


def _inputs(parts: ReportSections) -> str:
    entries = "".join(_input_entry(each) for each in parts["inputs"])
    return f'<p>The files that were read, with the SHA-256 of their content.</p><dl class="inputs">{entries}</dl>'


def _input_entry(each: InputEntry) -> str:
    rows = "" if each["rows"] is None else plural(each["rows"], "row")
    facts = "; ".join(part for part in (rows, each["read_as"], each.get("asked", "")) if part)
    print_ = f"<code>{each['sha256']}</code>" if each["sha256"] else "no fingerprint"
    return f"<dt>{escape(each['role'])}</dt><dd><b>{name(each['name'])}</b><p>{escape(facts)}</p>{print_}</dd>"


def _methods(compared: Compared, parts: ReportSections) -> str:
    alone = [
        f"{system}: {plural(len(queries), 'query')} answered by {side} ({listed(map(name, queries), NAMED)})"
        for system, sides in _escape_one_sided(compared["one_sided"])
        for side, queries in sides.items()
        if queries
    ]
    items = "".join(f"<li>{text}</li>" for text in alone)
    weightless = compared["weight_0"]
    names = listed(map(name, weightless), NAMED)
    nothing = f"<li>{plural(len(weightless), 'query')} of weight 0, in no mean ({names})</li>"
    read = f"as far as {escape(parts['measures'][0]['label'])} reads; these differ by exactly 0 and need no judgments"
    same = "".join(
        f"<li>{name(pair)}: {plural(many, 'query')} with the same results {read}</li>"
        for pair, many in compared["unchanged"].items()
        if many
    )
    unpaired = items + (nothing if weightless else "") + same
    rule = f"<h4>Rule</h4><p>{escape(compared['rule'])}.</p><h4>Methods</h4><p>{escape(compared['methods'])}.</p>"
    pairing = f"<h4>Pairing</h4><ul>{unpaired}</ul>" if unpaired else ""
    return f"{verdicts(compared, parts)}{rule}{pairing}"


def _escape_one_sided(one_sided: dict[str, dict[str, list[str]]]) -> list[tuple[str, dict[str, list[str]]]]:
    return [(name(system), {escape(side): ids for side, ids in sides.items()}) for system, sides in one_sided.items()]


# Means.


Key = tuple[str, str]
"""A measure and a system."""

COLUMNS = 4
"""So many systems are columns; more are rows."""


def averages(parts: ReportSections) -> str:
    """Write the mean of every measure and system with its interval, and the differences to the baseline."""
    many = len(parts["systems"]) > COLUMNS
    written = _means_by_system(parts) if many else _means_by_measure(parts)
    counted = (
        f"Each mean is over {_query_count_text(parts['means'][0], parts)}. "
        if many and not _counts_differ(parts)
        else ""
    )
    return f"{written}{_footnote(parts, counted)}"


def _means_by_measure(parts: ReportSections) -> str:
    cells, changes = _means_by_key(parts), _differences_by_key(parts)
    rows = []
    for measure in parts["measures"]:
        means = [cells[measure["label"], system] for system in parts["systems"]]
        alike = len({row["queries"] for row in means}) == 1
        written = [_mean_cell(row, measure, changes, "" if alike else _query_count(row, parts)) for row in means]
        rows.append([_measure_heading(measure, _query_count(means[0], parts) if alike else ""), *written])
    return table(["measure", *map(_system_writer(parts), parts["systems"])], rows, "Means by measure")


def _means_by_system(parts: ReportSections) -> str:
    cells, changes = _means_by_key(parts), _differences_by_key(parts)
    first = parts["measures"][0]
    sign = 1 if first["direction"] == "lower" else -1
    order = sorted(parts["systems"], key=lambda system: _sort_key(cells[first["label"], system]["mean"], sign))
    differs = _counts_differ(parts)
    rows = []
    for system in order:
        means = [cells[m["label"], system] for m in parts["measures"]]
        pairs = zip(means, parts["measures"], strict=True)
        written = [_mean_cell(row, m, changes, _query_count(row, parts) if differs else "") for row, m in pairs]
        rows.append([_system_writer(parts)(system), *written])
    return table(["system", *(escape(m["label"]) for m in parts["measures"])], rows, "Means by system")


def _sort_key(mean: float | None, sign: int) -> tuple[bool, float]:
    return mean is None, 0.0 if mean is None else sign * mean


def _footnote(parts: ReportSections, counted: str) -> str:
    level = parts["compared"]["level"] if parts["compared"] else 0.95
    held = f"Below each mean: its {level:.0%} interval." if any(r["low"] is not None for r in parts["means"]) else ""
    against = f"{_glyph_legend(parts['measures'])} {_pairings(parts)}" if parts["baseline"] is not None else ""
    return f'<p class="note">{counted}{held} {against} Convention: {escape(parts["decisions"]["setting"])}.</p>'


def _glyph_legend(measures: list[MeasureEntry]) -> str:
    """Say what the glyphs mean; a count is higher or lower, neither is better."""
    counts = [measure["label"] for measure in measures if measure["direction"] == "count"]
    if len(counts) == len(measures):
        return "▲ higher, ▼ lower, = no difference from the baseline."
    apart = f" For {escape(', '.join(counts))}: ▲ higher, ▼ lower, neither is better." if counts else ""
    return f"▲ better, ▼ worse, = no difference from the baseline.{apart}"


def _pairings(parts: ReportSections) -> str:
    """Say over which queries the differences are, by measure where that differs; nothing where all are in the means."""
    labels: dict[str, list[str]] = {}
    for measure in parts["measures"]:
        labels.setdefault(_pairing_note(measure["label"], parts), []).append(measure["label"])
    if len(labels) == 1:
        return next(iter(labels))
    return " ".join(f"{escape(', '.join(names))}: {note}" for note, names in labels.items() if note)


def _pairing_note(label: str, parts: ReportSections) -> str:
    means = {row["system"]: row["queries"] for row in parts["means"] if row["measure"] == label}
    paired = {
        system: row["queries"] for (measure, system), row in _differences_by_key(parts).items() if measure == label
    }
    if all(count == means[system] == means[parts["baseline"] or ""] for system, count in paired.items()):
        return ""
    queries = f"{_lowest_count(paired)}{plural(max(paired.values()), 'query')}"
    over = f"{_lowest_count(means)}{max(means.values()):,}"
    return f"Differences are over the {queries} that both systems have a value for; the means are over {over}."


def _lowest_count(counts: dict[str, int]) -> str:
    """Write the lowest count before the highest; nothing where they are the same."""
    low, high = min(counts.values()), max(counts.values())
    return f"{low:,} to " if low < high else ""


def _means_by_key(parts: ReportSections) -> dict[Key, MeanRow]:
    return {(row["measure"], row["system"]): row for row in parts["means"]}


def _differences_by_key(parts: ReportSections) -> dict[Key, DifferenceRow]:
    """Return the differences to the baseline by measure and system; none where there is no baseline."""
    if parts["baseline"] is None or parts["compared"] is None:
        return {}
    return {(row["measure"], row["system"]): row for row in parts["compared"]["differences"]}


def _system_writer(parts: ReportSections) -> Callable[[str], str]:
    """Return what writes a system's name; the baseline is called so."""

    def written(system: str) -> str:
        return name(system) + (" <small>baseline</small>" if system == parts["baseline"] else "")

    return written


def _measure_heading(measure: MeasureEntry, queries: str) -> str:
    lower = "; lower is better" if measure["direction"] == "lower" else ""
    meaning = f'<small class="meaning">{escape(measure["meaning"])}{lower}</small>'
    return f"{escape(measure['label'])}{meaning}{queries}"


def _query_count(row: MeanRow, parts: ReportSections) -> str:
    return f'<small class="counted">{_query_count_text(row, parts)}</small>'


def _query_count_text(row: MeanRow, parts: ReportSections) -> str:
    return f"{row['queries']:,} of {plural(parts['ledger']['judged_queries'], 'query')}"


def _mean_cell(row: MeanRow, measure: MeasureEntry, changes: dict[Key, DifferenceRow], counted: str) -> str:
    """Write a mean over its interval, its difference and the count of queries."""
    key = row["measure"], row["system"]
    change = difference(changes[key]["difference"], measure["direction"]) if key in changes else ""
    held = f'<small class="held">{span(row["low"], row["high"])}</small>' if row["low"] is not None else ""
    at = f'data-measure="{escape(measure["label"])}" data-system="{escape(row["system"])}"'
    return f'<div class="mean" {at}><b>{fixed(row["mean"])}</b>{held}{change}{counted}</div>'


def _counts_differ(parts: ReportSections) -> bool:
    """Whether the means are over different counts of queries."""
    return len({row["queries"] for row in parts["means"]}) > 1


# Verdicts.


CARDS = 3
"""So many verdicts are cards; more are a table."""


def verdicts(compared: Compared, parts: ReportSections) -> str:
    """Write the verdict of every pair with its evidence."""
    few = len(compared["verdicts"]) <= CARDS
    written = _cards(compared, parts) if few else _folded_verdicts(compared, parts)
    return f'<div id="verdict">{written}</div>'


def _deciding_row(verdict: VerdictEntry, compared: Compared, measure: MeasureEntry) -> DifferenceRow:
    """Return the difference in the measure that decides."""
    wanted = (verdict["baseline"], verdict["system"], measure["label"])
    return next(r for r in compared["differences"] if (r["baseline"], r["system"], r["measure"]) == wanted)


def _cards(compared: Compared, parts: ReportSections) -> str:
    words, measure = _interval_words(compared), parts["measures"][0]
    return "".join(_card(v, _deciding_row(v, compared, measure), measure, words) for v in compared["verdicts"])


def _interval_words(compared: Compared) -> tuple[str, str]:
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
    whose = " by people alone" if row.get("calibrated") is not None else ""
    facts = {
        f"{escape(measure['label'])}{whose}": difference(row["difference"], measure["direction"]),
        words[0]: span(low, high, "+"),
        words[1]: chance(row["corrected p"]),
        "better · same · worse": _win_counts(row),
    }
    entries = "".join(f"<div><dt>{word}</dt><dd>{value}</dd></div>" for word, value in facts.items())
    return f'<dl class="evidence">{entries}</dl>'


def _win_counts(row: DifferenceRow) -> str:
    return " · ".join(count(row[key]) for key in ("wins", "ties", "losses"))


def _folded_verdicts(compared: Compared, parts: ReportSections) -> str:
    pairs = plural(len(compared["verdicts"]), "pair")
    counts, rows = _outcome_counts(compared["verdicts"]), _verdict_table(compared, parts)
    return f"{counts}<details><summary>All {pairs}</summary>{rows}</details>"


def _verdict_table(compared: Compared, parts: ReportSections) -> str:
    measure = parts["measures"][0]
    baseline = parts["baseline"]
    head = [
        "system",
        "outcome",
        f"difference in {escape(measure['label'])}",
        *_interval_words(compared),
        "better · same · worse",
    ]
    rows = [
        _verdict_row(v, _deciding_row(v, compared, measure), measure, baseline is not None)
        for v in compared["verdicts"]
    ]
    return table(head, rows, "Verdicts", 2)


def _outcome_counts(verdicts: list[VerdictEntry]) -> str:
    """Say how many pairs have which outcome."""
    counts = {word: sum(verdict["outcome"] == word for verdict in verdicts) for word in MARKS}
    words = ", ".join(f"{word} {count}" for word, count in counts.items() if count)
    return f"<p>Of {plural(len(verdicts), 'pair')}: {escape(words)}.</p>"


def _verdict_row(verdict: VerdictEntry, row: DifferenceRow, measure: MeasureEntry, one: bool) -> list[str]:
    who = name(verdict["system"])
    return [
        who if one else f"{who} <small>instead of</small> {name(verdict['baseline'])}",
        outcome_text(verdict["outcome"]),
        difference(row["difference"], measure["direction"]),
        span(row["corrected low"], row["corrected high"], "+"),
        chance(row["corrected p"]),
        _win_counts(row),
    ]
