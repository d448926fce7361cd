"""The name of an output goes in, the JSON Schema of what is printed comes out: every ``--json`` and every JSON file.

To add one, add its file to `outputs/`, and its name to the tuple below.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from idealrank.cli.schemas.forms import Schema
from idealrank.cli.schemas.output import Output
from idealrank.errors import unknown

FILES = (
    *("peek", "evaluate", "compare", "leaderboard", "history", "gate", "baseline", "report", "explain", "flavors"),
    *("overlap", "doctor", "replay", "measures", "reconcile", "identify", "conventions"),
)
"""The files in `outputs/`, in the order in which their schemas are listed."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@functools.cache
def catalogue() -> dict[str, Output]:
    """Return every output by the name of its schema."""
    modules = [importlib.import_module(f"idealrank.cli.schemas.outputs.{name}") for name in FILES]
    return {output.name: output for module in modules for output in module.OUTPUTS}


def schema_of(name: str) -> Schema:
    """Return the whole schema of an output, with the common parts it names.

    Raises
    ------
    UsageError
        If there is no schema of that name.

    Examples
    --------
    >>> whole = schema_of("evaluate")
    >>> whole["$id"], sorted(whole["$defs"])
    ('urn:idealrank:schema:evaluate', ['evaluation', 'latency', 'ledger'])
    """
    known = catalogue()
    if name not in known:
        raise unknown("schema", name, known)
    output = known[name]
    head = {"$schema": DIALECT, "$id": f"urn:idealrank:schema:{name}", "title": output.title}
    defs = _parts_in(output.schema)
    return head | output.schema | ({"$defs": {key: defs[key] for key in sorted(defs)}} if defs else {})


def _parts_in(value: Any) -> dict[str, Schema]:
    """Return the common parts that a schema names, and those that these name."""
    from idealrank.cli.schemas.parts import PARTS

    if isinstance(value, list):
        return {name: found for each in value for name, found in _parts_in(each).items()}
    if not isinstance(value, dict):
        return {}
    name = str(value.get("$ref", "")).removeprefix("#/$defs/")
    own = {name: PARTS[name], **_parts_in(PARTS[name])} if name else {}
    return own | _parts_in(list(value.values()))
