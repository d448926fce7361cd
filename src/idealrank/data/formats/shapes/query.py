"""The query of answers that do not say which query they answer."""

from __future__ import annotations

import os
import re
from dataclasses import replace

from idealrank.data.formats.plan import KEY, NULL, PLACE, Path, Plan, Rows

_AFTER_FILE = "it does not say for which query; named after the file: "
NUMBERED = "it does not name its queries, so they are numbered from 1 in their order"


def one_query(what: str, name: str, rows: Rows) -> Plan:
    """Plan the answer to one query, which is called after its file."""
    query = re.sub(r"(\.(json|ndjson|ya?ml|gz|zst|txt))+$", "", os.path.basename(name), flags=re.I) or name
    whole = rows._replace(columns=(("query_id", (f"={query}",)), *rows.columns))
    return Plan(what, (whole,), (f"{_AFTER_FILE}{query!r}",))


def is_after_file(note: str) -> bool:
    """Whether a note says that the query of an answer is called after its file."""
    return note.startswith(_AFTER_FILE)


def numbered(plan: Plan) -> Plan:
    """Plan several answers of one query each, one after the other."""
    rows = tuple(_asked(one, (PLACE,)) for one in plan.rows)
    return replace(plan, rows=rows, notes=(NUMBERED,))


def within(plan: Plan, step: str, mark: str) -> Plan:
    """Plan a list of answers of one query each, or answers by query."""
    rows = (
        one._replace(
            path=(step, *one.path),
            columns=(*((name, (step, *place)) for name, place in one.columns), ("error", (step, NULL))),
        )
        for one in plan.rows
    )
    return replace(
        plan, rows=tuple(_asked(one, (step, mark)) for one in rows), notes=() if mark == KEY else (NUMBERED,)
    )


def _asked(rows: Rows, place: Path) -> Rows:
    columns = ((name, place if name == "query_id" else path) for name, path in rows.columns)
    return rows._replace(columns=tuple(columns))
