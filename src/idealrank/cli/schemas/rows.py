"""Rows of tables: the columns that several tables have are described once."""

from __future__ import annotations

from typing import get_args, get_type_hints

from idealrank.cli.schemas.forms import Fields, Schema, count, many, maybe, number, record, share, text, word
from idealrank.comparison.pairing import DECIDES, GUARDS, SHOWN
from idealrank.comparison.unjudged.bounds import Bounds

BOUNDS = word(
    "Whether lowest and highest are reached (exact), may be too wide (enclosure) or are unknown.",
    get_args(get_type_hints(Bounds)["kind"]),
)
VALUE = maybe(number("Value of the measure that the key names; null if there is none."))
FINGERPRINT = maybe(
    text(
        "What the numbers of the row mean: the measure with its answer to every decision it reads. Where it is the "
        "same for all rows, the first row has it and the others have null; it is empty for rows without a measure."
    )
)

COLUMNS: Fields = {
    "query": text("Id of the query."),
    "text": maybe(text("Text of the query; null if it has none.")),
    "system": text("Name of the system."),
    "baseline": text("The system it is compared with."),
    "measure": text("Name of the measure."),
    "role": word("Whether the measure decides, guards or is only shown.", (DECIDES, GUARDS, SHOWN)),
    "queries": count("Number of queries that count."),
    "mean": maybe(number("Mean of the measure over the queries; null if none counts.")),
    "low": maybe(number("Lower end of the interval; null if there is none, or it has no bound.")),
    "high": maybe(number("Upper end of the interval; null if there is none, or it has no bound.")),
    "lowest": maybe(number("Lowest possible mean or value, over all that is not known; null if it is not known.")),
    "highest": maybe(number("Highest possible mean or value, over all that is not known; null if it is not known.")),
    "bounds": BOUNDS,
    "baseline mean": maybe(number("Mean of the baseline over the same queries; null if none counts.")),
    "baseline value": maybe(number("Value of the baseline; null if the query is left out.")),
    "value": maybe(number("Value of the system; null if the query is left out.")),
    "difference": maybe(number("System minus baseline; null if one of them has no value.")),
    "uncorrected p": maybe(share("p-value of the difference for itself; null if it cannot be computed.")),
    "corrected p": maybe(share("p-value corrected for the number of comparisons; null if it cannot be computed.")),
    "corrected low": maybe(
        number("Lower end of the interval corrected for the number of comparisons; null if it has no bound.")
    ),
    "corrected high": maybe(
        number("Upper end of the interval corrected for the number of comparisons; null if it has no bound.")
    ),
    "wins": count("Queries in which the system is better."),
    "ties": count("Queries in which both are equal."),
    "losses": count("Queries in which the system is worse."),
    "frequency": maybe(number("How often the query is asked, or its weight; null if not known.", 0)),
    "lost": maybe(number("Frequency times what is lost of the measure; null if the frequency is not known.")),
    "fingerprint": FINGERPRINT,
}
"""What the columns that several tables have contain, by name."""


def columns(*names: str) -> dict[str, Schema]:
    """Return the schemas of columns by their names."""
    return {name: COLUMNS[name] for name in names}


def rows(about: str, fields: Fields, optional: Fields | None = None, others: Schema | None = None) -> Schema:
    """Return the schema of the rows of a table.

    Parameters
    ----------
    others
        What further columns contain, which are named after measures, systems or attributes; None: there are none.
    """
    row = record("A row.", fields, optional)
    return many(about, row if others is None else row | {"additionalProperties": others})
