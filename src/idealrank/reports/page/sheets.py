"""What is one click away in the page: decisions, ledger, holes, inputs and methods, readable without script."""

from html import escape
from typing import Any

from idealrank.errors import listed, plural
from idealrank.reports.page.holes import holes
from idealrank.reports.page.markup import bullets, name, table
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


def sheets(parts: Parts) -> dict[str, str]:
    """Return the sheets by id: title and content as HTML."""
    written = {
        "decisions": _decisions(parts),
        "ledger": _ledger(parts),
        "holes": holes(parts),
        "inputs": _inputs(parts),
    }
    return written | ({"methods": _methods(parts["compared"])} if parts["compared"] else {})


def sheet(key: str, content: str) -> str:
    """Write one sheet as a dialog: script opens it, without script it stands at the end."""
    title = key.capitalize()
    close = '<button type="button" class="plain close live" aria-label="Close">✕</button>'
    return (
        f'<dialog id="{key}" class="sheet" aria-labelledby="{key}-title"><header><h2 id="{key}-title">{title}</h2>'
        f"{close}</header>{content}</dialog>"
    )


def _decisions(parts: Parts) -> str:
    answers = parts["decisions"]
    changed = f"<h3>Changed</h3>{_answers(answers['changed'])}" if answers["changed"] else ""
    stages = "".join(
        f"<h3>{STAGES[key].capitalize()}</h3>{_answers(answers['stages'][key])}" for key in answers["stages"]
    )
    prints = "".join(
        f"<dt>{escape(m['label'])}</dt><dd><code>{escape(m['fingerprint'])}</code></dd>" for m in parts["measures"]
    )
    return (
        f"<p>Every answer that these numbers follow from. Convention: <b>{escape(answers['setting'])}</b>.</p>"
        f'{changed}{stages}<h3>Measures in full</h3><dl class="prints">{prints}</dl>'
    )


def _answers(texts: list[str]) -> str:
    items = "".join(f"<li><code>{escape(text)}</code></li>" for text in texts)
    return f'<ul class="answers">{items}</ul>'


def _ledger(parts: Parts) -> str:
    ledger = parts["ledger"]
    judged = plural(ledger["judged_queries"], "judged query")
    return (
        f"<p>The account of every query: {judged}; none is left out in silence.</p>"
        f"<h3>By system</h3>{_accounts(ledger['systems'])}<h3>By measure</h3>{_by_measure(ledger['measures'])}"
        f"<h3>Found</h3>{bullets(ledger['lines'][1:])}{_exceptions(parts)}"
    )


def _accounts(systems: list[Account]) -> str:
    failed = any(each["failed"] for each in systems)
    states = ["judged and returned", "judged, nothing returned", *(["judged, search failed"] if failed else [])]
    head = ["system", *states, "returned, not judged", "results", "found"]
    rows = [
        [
            name(each["system"]),
            str(each["judged_and_returned"]),
            _counted(each["judged_nothing_returned"]),
            *([_counted(each["failed"])] if failed else []),
            _counted(each["returned_not_judged"]),
            str(each["results"]),
            "<br>".join(f"{count} {escape(what)}" for what, count in each["counts"].items()),
        ]
        for each in systems
    ]
    return table(head, rows, "Queries by system")


def _counted(queries: list[str]) -> str:
    return f"{len(queries)}<small>{listed(map(name, queries), NAMED)}</small>" if queries else "0"


def _by_measure(rows: list[dict[str, Any]]) -> str:
    counts = [key for key in rows[0] if key not in ("system", "measure") and any(row[key] for row in rows)]
    head = ["measure", "system", *(escape(key.replace("_", " ")) for key in counts)]
    cells = [[escape(row["measure"]), name(row["system"]), *(str(row[key]) for key in counts)] for row in rows]
    return table(head, cells, "Queries by measure", 2)


def _exceptions(parts: Parts) -> str:
    """Write the queries that are not simply computed."""
    rows, labels = parts["states"], [measure["label"] for measure in parts["measures"]]
    if not rows:
        return ""
    cells = [
        [name(row["query"]), name(row["system"]), escape(row["state"]), *(escape(str(row[label])) for label in labels)]
        for row in rows[:SHOWN]
    ]
    more = f"<p>{plural(len(rows) - SHOWN, 'more row')}</p>" if len(rows) > SHOWN else ""
    head = ["query", "system", "state", *map(escape, labels)]
    return f"<h3>Not simply computed</h3>{table(head, cells, 'Queries that are not simply computed', len(head))}{more}"


def _inputs(parts: Parts) -> str:
    entries = "".join(_input(each) for each in parts["inputs"])
    return f'<p>What was read, with the SHA-256 of its content.</p><dl class="inputs">{entries}</dl>'


def _input(each: InputEntry) -> str:
    rows = "" if each["rows"] is None else plural(each["rows"], "row")
    facts = "; ".join(part for part in (rows, each["read_as"]) if part)
    print_ = f"<code>{each['sha256']}</code>" if each["sha256"] else "no fingerprint"
    return f"<dt>{escape(each['role'])}</dt><dd><b>{name(each['name'])}</b><p>{escape(facts)}</p>{print_}</dd>"


def _methods(compared: Compared) -> str:
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
    return f"<h3>Rule</h3><p>{escape(compared['rule'])}.</p><h3>Methods</h3><p>{escape(compared['methods'])}.</p>" + (
        f"<h3>Pairing</h3><ul>{unpaired}</ul>" if unpaired else ""
    )


def _pairs(one_sided: dict[str, dict[str, list[str]]]) -> list[tuple[str, dict[str, list[str]]]]:
    return [(name(system), {escape(side): ids for side, ids in sides.items()}) for system, sides in one_sided.items()]
