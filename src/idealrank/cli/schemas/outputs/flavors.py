"""What `flavors` prints."""

from __future__ import annotations

from idealrank.cli.schemas.forms import Schema, part, record, text
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.parts.evaluation import CONVENTION, DECISIONS
from idealrank.cli.schemas.rows import VALUE, columns, rows

_NAMED = {"flavor": text("The name of the flavour, such as NDCG-zg@10."), "meaning": text("What it means, in words.")}
_MEANS = rows("A row per flavour; the means of several systems are under their names.", _NAMED, columns("mean"), VALUE)
_VALUES = rows(
    "A row per query; the value is under the flavour's name.", columns("query"), columns("text", "system"), VALUE
)


def _flavors(table: Schema) -> Schema:
    fields = {"convention": CONVENTION, "decisions": DECISIONS, "flavors": table, "ledger": part("ledger")}
    return record("DCG and nDCG under every ideal, with decisions and ledger.", fields)


OUTPUTS = (
    Output("flavors", "Means of DCG and nDCG under every ideal", _flavors(_MEANS)),
    Output("flavors --per-query", "Values of DCG and nDCG under every ideal, by query", _flavors(_VALUES)),
)
