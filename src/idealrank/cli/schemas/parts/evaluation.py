"""An evaluation: means, decisions and ledger."""

from __future__ import annotations

from idealrank.cli.schemas.forms import Schema, by, count, maybe, number, part, record, text
from idealrank.cli.schemas.rows import VALUE, columns, rows
from idealrank.evaluation.latency import PREFIX, WHOSE
from idealrank.statistics.quantiles import QUANTILES

CONVENTION = text("The convention, with the answers that differ from it.")
DECISIONS = by(
    "The fingerprint of each measure, by its name: the measure with its answer to every decision it reads.",
    text("A fingerprint."),
)


def _quantile(clock: str, name: str) -> dict[str, Schema]:
    what = f"the {name} of {clock}, in milliseconds; null if"
    return {
        "": maybe(number(f"{what[0].upper()}{what[1:]} no time is known.")),
        " low": maybe(number(f"Lower end of the interval of {what} too few queries bound it.")),
        " high": maybe(number(f"Upper end of the interval of {what} too few queries bound it.")),
    }


LATENCY = rows(
    "How long searches took, a row per system.",
    {
        **columns("system"),
        "queries": count("Queries whose time is known."),
        "failed": count("Queries whose search failed; they have no time."),
        "untimed": count("Queries answered without a time."),
    },
    {
        f"{before}{name}{end}": schema
        for clock, before in PREFIX.items()
        for name in QUANTILES
        for end, schema in _quantile(WHOSE[clock], name).items()
    },
)

EVALUATION_FIELDS = {
    "convention": CONVENTION,
    "decisions": DECISIONS,
    "means": by("The mean of each measure, by system.", by("The means of a system, by measure.", VALUE)),
    "ledger": part("ledger"),
}
EVALUATION_OPTIONAL = {"latency": part("latency")}

EVALUATION = record("Means, decisions and ledger of an evaluation.", EVALUATION_FIELDS, EVALUATION_OPTIONAL)
