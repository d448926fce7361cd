"""The biggest losses and gains between two systems, or the worst queries of one.

`to_look_at.js` writes the same for whatever pair and measure a reader chooses.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from idealrank.evaluation.ledger.ledger import EMPTY, NEVER
from idealrank.reports.page.front import lead_row
from idealrank.reports.page.markup import gain_sign, short
from idealrank.reports.types import ReportSections

SHOWN = 5


class ChangedQueries(NamedTuple):
    """Some queries: what they are called, what is said where there are none, and their places."""

    key: str
    title: str
    none: str
    queries: Sequence[int]


def changes(report: ReportSections) -> Iterator[ChangedQueries]:
    """Yield the queries that changed most under the first measure."""
    measure, pair = report["measures"][0], report["summary"]["pair"]
    direction, values = measure["direction"], report["values"][measure["label"]]
    sign = -1 if direction == "lower" else 1
    if lead_row(report) is None:
        worst = {q: sign * value for q, value in enumerate(values[report["summary"]["order"][0]]) if value is not None}
        queries = sorted(worst, key=worst.__getitem__)[:SHOWN]
        yield ChangedQueries("worst", "Worst queries", "No query has a value.", queries)
        return
    both = enumerate(zip(*(values[system] for system in pair), strict=True))
    gains = {q: sign * (after - before) for q, (before, after) in both if before is not None and after is not None}
    turned = {q: gain_sign(gain, "higher") for q, gain in gains.items()}
    order = sorted(gains, key=gains.__getitem__)
    losses, best = [q for q in order if turned[q] < 0][:SHOWN], [q for q in order if turned[q] > 0][-SHOWN:][::-1]
    if direction == "count":
        yield ChangedQueries("losses", "Largest drops", "No query is lower.", losses)
        yield ChangedQueries("gains", "Largest rises", "No query is higher.", best)
    else:
        yield ChangedQueries("losses", "Biggest losses", "No query is worse.", losses)
        yield ChangedQueries("gains", "Biggest gains", "No query is better.", best)


_NOTHING = {EMPTY: "no results", NEVER: "no search"}


def value_in_words(report: ReportSections, query: int, system: str) -> str:
    """Write a value; that there was nothing says more than the 0 it counts."""
    key = report["queries"]["id"][query]
    states = (row["state"] for row in report["states"] if (row["system"], row["query"]) == (system, key))
    text = _NOTHING.get(next(states, ""))
    return text or short(report["values"][report["measures"][0]["label"]][system][query])
