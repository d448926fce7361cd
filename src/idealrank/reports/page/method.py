"""The method: settings, ledger, unjudged results, inputs, statistics and means, readable without script."""

from html import escape
from typing import Any

from idealrank.decisions import questions
from idealrank.errors import listed, plural
from idealrank.reports.page.averages import averages
from idealrank.reports.page.document_segments import document_segments
from idealrank.reports.page.holes import holes
from idealrank.reports.page.latency import latency
from idealrank.reports.page.markup import bullets, count, name, table
from idealrank.reports.page.thresholds import thresholds
from idealrank.reports.page.verdicts import verdicts
from idealrank.reports.parts.kinds import Account, Compared, InputEntry, Parts

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


def method(parts: Parts) -> str:
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


def _decisions(parts: Parts) -> str:
    answers = parts["decisions"]
    changed = f"<h4>Changed</h4>{_answers(answers['changed'])}" if answers["changed"] else ""
    stages = "".join(
        f"<h4>{STAGES[key].capitalize()}</h4>{_answers(answers['stages'][key])}" for key in answers["stages"]
    )
    prints = "".join(
        f"<dt>{escape(m['label'])}</dt><dd><code>{escape(m['fingerprint'])}</code></dd>" for m in parts["measures"]
    )
    return (
        f"<p>Every choice behind these numbers. Convention: <b>{escape(answers['setting'])}</b>.</p>"
        f'{changed}{stages}<h4>Measures in full</h4><dl class="prints">{prints}</dl>'
    )


def _answers(texts: list[str]) -> str:
    """Write each question with its answer in words, then as NAME=ANSWER."""
    items = "".join(f"<li>{_in_words(text)} <code>{escape(text)}</code></li>" for text in texts)
    return f'<ul class="answers">{items}</ul>'


def _in_words(text: str) -> str:
    """Say what a decision asks and what the answer means; several answers are one for each measure."""
    key, _, answers = text.partition("=")
    question = questions()[key]
    meaning = " | ".join(question.answers.get(answer, question.number) for answer in answers.split("|"))
    return f"{escape(question.asks)} {f'<b>{escape(meaning)}</b>' if meaning else ''}"


def _ledger(parts: Parts) -> str:
    ledger = parts["ledger"]
    judged = plural(ledger["judged_queries"], "judged query")
    return (
        f"<p>All {judged} are accounted for.</p>"
        f"<h4>By system</h4>{_accounts(ledger['systems'])}<h4>By measure</h4>{_by_measure(ledger['measures'])}"
        f"<h4>What was found</h4>{bullets(ledger['lines'][1:])}{_exceptions(parts)}"
    )


def _accounts(systems: list[Account]) -> str:
    failed = any(each["failed"] for each in systems)
    never = any(each["never_asked"] for each in systems)
    states = ["judged and returned", "judged, nothing returned", *(["judged, never asked"] if never else [])]
    states += ["judged, search failed"] if failed else []
    head = ["system", *states, "returned, not judged", "results", "found"]
    rows = [
        [
            name(each["system"]),
            count(each["judged_and_returned"]),
            _counted(each["judged_nothing_returned"]),
            *([_counted(each["never_asked"])] if never else []),
            *([_counted(each["failed"])] if failed else []),
            _counted(each["returned_not_judged"]),
            count(each["results"]),
            "<br>".join(f"{number:,} {escape(what)}" for what, number in each["counts"].items()),
        ]
        for each in systems
    ]
    return table(head, rows, "Queries by system")


def _counted(queries: list[str]) -> str:
    return f"{count(len(queries))}<small>{listed(map(name, queries), NAMED)}</small>" if queries else "0"


def _by_measure(rows: list[dict[str, Any]]) -> str:
    counts = [key for key in rows[0] if key not in ("system", "measure") and any(row[key] for row in rows)]
    head = ["measure", "system", *(escape(key.replace("_", " ")) for key in counts)]
    cells = [[escape(row["measure"]), name(row["system"]), *(count(row[key]) for key in counts)] for row in rows]
    return table(head, cells, "Queries by measure", 2)


def _exceptions(parts: Parts) -> str:
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


def _inputs(parts: Parts) -> str:
    entries = "".join(_input(each) for each in parts["inputs"])
    return f'<p>The files that were read, with the SHA-256 of their content.</p><dl class="inputs">{entries}</dl>'


def _input(each: InputEntry) -> str:
    rows = "" if each["rows"] is None else plural(each["rows"], "row")
    facts = "; ".join(part for part in (rows, each["read_as"], each.get("asked", "")) if part)
    print_ = f"<code>{each['sha256']}</code>" if each["sha256"] else "no fingerprint"
    return f"<dt>{escape(each['role'])}</dt><dd><b>{name(each['name'])}</b><p>{escape(facts)}</p>{print_}</dd>"


def _methods(compared: Compared, parts: Parts) -> str:
    alone = [
        f"{system}: {plural(len(queries), 'query')} answered by {side} ({listed(map(name, queries), NAMED)})"
        for system, sides in _pairs(compared["one_sided"])
        for side, queries in sides.items()
        if queries
    ]
    items = "".join(f"<li>{text}</li>" for text in alone)
    weightless = compared["weight_0"]
    names = listed(map(name, weightless), NAMED)
    nothing = f"<li>{plural(len(weightless), 'query')} of weight 0, in no mean ({names})</li>"
    unpaired = items + (nothing if weightless else "")
    rule = f"<h4>Rule</h4><p>{escape(compared['rule'])}.</p><h4>Methods</h4><p>{escape(compared['methods'])}.</p>"
    pairing = f"<h4>Pairing</h4><ul>{unpaired}</ul>" if unpaired else ""
    return f"{verdicts(compared, parts)}{rule}{pairing}"


def _pairs(one_sided: dict[str, dict[str, list[str]]]) -> list[tuple[str, dict[str, list[str]]]]:
    return [(name(system), {escape(side): ids for side, ids in sides.items()}) for system, sides in one_sided.items()]
