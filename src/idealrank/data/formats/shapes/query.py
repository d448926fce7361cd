"""The query of answers that do not say which query they answer."""

from __future__ import annotations

import os
import re

from idealrank.data.formats.plan import Plan, Rows

NUMBERED = "it does not name its queries, so they are numbered from 1 in their order"


def one_query(what: str, name: str, rows: Rows) -> Plan:
    """Plan the answer to one query, which is called after its file."""
    query = re.sub(r"(\.(json|ndjson|gz|zst|txt))+$", "", os.path.basename(name), flags=re.I) or name
    whole = rows._replace(columns=(("query_id", (f"={query}",)), *rows.columns))
    return Plan(what, (whole,), (f"it does not say for which query; named after the file: {query!r}",))
