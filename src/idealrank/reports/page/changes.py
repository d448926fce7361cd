"""The biggest losses and gains between two systems, or the worst queries of one: readable without script.

`to_look_at.js` writes the same for whatever pair and measure a reader chooses.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from idealrank.evaluation.ledger.ledger import EMPTY, NEVER
from idealrank.reports.page.front import lead_row
from idealrank.reports.page.markup import change, gain_sign, name, short, system_name
from idealrank.reports.types import ReportSections

SHOWN = 5


def changes(parts: ReportSections) -> str:
    """Write the queries that changed most under the first measure."""
    written = "".join(_list(kind, parts) for kind in _kinds(parts))
    return f'<section id="changes" aria-label="Biggest changes">{written}</section>'


class _Kind(NamedTuple):
    key: str
    title: str
    none: str
    queries: Sequence[int]


def _kinds(parts: ReportSections) -> Iterator[_Kind]:
    measure, pair = parts["measures"][0], parts["summary"]["pair"]
    direction, values = measure["direction"], parts["values"][measure["label"]]
    sign = -1 if direction == "lower" else 1
    if lead_row(parts) is None:
        worst = {q: sign * value for q, value in enumerate(values[parts["summary"]["order"][0]]) if value is not None}
        yield _Kind("worst", "Worst queries", "No query has a value.", sorted(worst, key=worst.__getitem__)[:SHOWN])
        return
    both = enumerate(zip(*(values[system] for system in pair), strict=True))
    gains = {q: sign * (after - before) for q, (before, after) in both if before is not None and after is not None}
    turned = {q: gain_sign(gain, "higher") for q, gain in gains.items()}
    order = sorted(gains, key=gains.__getitem__)
    losses, best = [q for q in order if turned[q] < 0][:SHOWN], [q for q in order if turned[q] > 0][-SHOWN:][::-1]
    counted = direction == "count"
    yield _Kind(
        "losses", "Largest drops" if counted else "Biggest losses",
        "No query is lower." if counted else "No query is worse.", losses,
    )  # fmt: skip
    yield _Kind(
        "gains", "Largest rises" if counted else "Biggest gains",
        "No query is higher." if counted else "No query is better.", best,
    )  # fmt: skip


def _list(kind: _Kind, parts: ReportSections) -> str:
    measure, systems = parts["measures"][0]["label"], parts["systems"]
    about = " against ".join(system_name(each, systems) for each in reversed(parts["summary"]["pair"]))
    small = f" <small>{about}</small>" if len(systems) > 2 else ""
    items = "".join(f"<li>{_query(q, parts)}</li>" for q in kind.queries)
    body = f"<ol>{items}</ol>" if items else f'<p class="soft">{kind.none}</p>'
    return f'<div class="change" id="{kind.key}"><h2>{kind.title} in {escape(measure)}{small}</h2>{body}</div>'


def _query(q: int, parts: ReportSections) -> str:
    measure, texts = parts["measures"][0], parts["queries"]["text"]
    values = [parts["values"][measure["label"]][system][q] for system in parts["summary"]["pair"]]
    text = (texts[q] if texts else None) or parts["queries"]["id"][q]
    words = [_value(q, system, parts) for system in parts["summary"]["pair"]]
    if lead_row(parts) is None:
        return f'<span class="row">{name(text)}<span>{words[-1]}</span></span>'
    before, after = (value or 0.0 for value in values)
    both = f'<span class="soft">{" → ".join(words)}</span>'
    return f'<span class="row">{name(text)}{both}{change(after - before, measure["direction"])}</span>'


_NOTHING = {EMPTY: "no results", NEVER: "no search"}


def _value(q: int, system: str, parts: ReportSections) -> str:
    """Write a value; that there was nothing says more than the 0 it counts."""
    query = parts["queries"]["id"][q]
    states = (row["state"] for row in parts["states"] if (row["system"], row["query"]) == (system, query))
    said = _NOTHING.get(next(states, ""))
    return said or short(parts["values"][parts["measures"][0]["label"]][system][q])
