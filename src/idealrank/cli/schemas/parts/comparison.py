"""A comparison: verdicts, means, differences, and what they rest on."""

from __future__ import annotations

from idealrank.cli.schemas.forms import Schema, by, count, maybe, number, part, record, share, text, texts, word
from idealrank.cli.schemas.parts.evaluation import CONVENTION, DECISIONS
from idealrank.cli.schemas.parts.verdicts import OUTCOME
from idealrank.cli.schemas.rows import columns, rows
from idealrank.comparison.latency import COLUMNS as LATENCY_COLUMNS
from idealrank.comparison.settings_grid import BEST, MAY_BE, WORSE
from idealrank.evaluation.latency import WHOSE
from idealrank.statistics.quantiles import QUANTILES

_VERDICT = OUTCOME | {
    "enum": [*OUTCOME["enum"], ""],
    "description": "What to do with the system, in rows of the deciding measure; else empty.",
}
DIFFERENCE_COLUMNS = {
    **columns("system", "baseline", "measure", "role"),
    "queries": count("Number of paired queries."),
    **columns("baseline mean", "mean", "difference", "low", "high", "uncorrected p", "corrected p", "corrected low"),
    **columns("corrected high"),
    "effect": maybe(number("Effect size: mean difference over its standard deviation; null if there is no spread.")),
    "detectable": maybe(number("The smallest difference found in 4 of 5 cases; null if it cannot be computed.", 0)),
    **columns("wins", "ties", "losses"),
    "holes": count("Unjudged documents in the lists compared."),
    **columns("lowest", "highest", "bounds"),
    "verdict": _VERDICT,
}
"""The columns of the differences, without the fingerprint."""

MEAN_COLUMNS = columns("system", "measure", "queries", "mean", "low", "high", "lowest", "highest", "bounds")

_CHANGES = {
    **columns("system", "baseline"),
    "clock": word("Whose time: the client's wall time, or the engine's own.", WHOSE),
    "quantile": word("The quantile of the times of queries.", QUANTILES),
    "queries": count("Queries with a time in both."),
    "asked": count("Queries that both were asked."),
    "baseline ms": maybe(number("The quantile of the baseline, in milliseconds.")),
    "ms": maybe(number("The quantile of the system, in milliseconds.")),
    "difference": maybe(number("System minus baseline, in milliseconds.")),
    "low": maybe(number("Lower end of the interval of the difference, in milliseconds; null if it has no bound.")),
    "high": maybe(number("Upper end of the interval of the difference, in milliseconds; null if it has no bound.")),
    "percent": maybe(number("The difference in percent of the baseline; null if that is 0.")),
    "percent low": maybe(number("Lower end of the interval of the percentage; null if it has no bound.")),
    "percent high": maybe(number("Upper end of the interval of the percentage; null if it has no bound.")),
}
LATENCY_CHANGES = rows(
    "How much longer searches take, a row per pair of systems, clock and quantile.",
    {name: _CHANGES[name] for name in LATENCY_COLUMNS},
)

MEAN_OR_SETTING: Schema = {
    "type": ["number", "string", "null"],
    "description": "Mean of the measure, or value of the setting, that the key names; null if there is none.",
}
_BESIDE = {
    "difference": maybe(number("Difference from the baseline in the deciding measure; null for the baseline.")),
    **columns("corrected low", "corrected high", "corrected p"),
}
STANDING = word("best; may be best, if it cannot be told from the best; else empty.", (BEST, MAY_BE, WORSE))
CHOSEN = word("best for the system that was chosen, else empty.", (BEST, ""))


def point_rows(about: str, last: dict[str, Schema]) -> Schema:
    """Return the schema of rows of systems with the mean of each measure, and their settings."""
    return rows(about, {**columns("system", "low", "high"), **last}, _BESIDE, MEAN_OR_SETTING)


GRID = point_rows("The systems that are named by their settings, a row per point.", {"standing": STANDING})
TUNED = point_rows("The means on the tuning queries, a row per system.", {"chosen": CHOSEN})

TUNING = {
    "hold_out": share("Share of the queries that was held out."),
    "seed": count("Random seed of the split."),
    "baseline": text("The baseline."),
    "best": text("The system with the best mean on the tuning queries."),
    "tested": text("The system that is tested on the queries held out."),
    "gain": maybe(number("Its gain on the tuning queries.")),
    "queries": texts("The queries the choice was made by."),
    "held_out": texts("The queries it is tested on."),
    "means": TUNED,
}

ALONE = by(
    "By pair of systems, the judged queries that only one of them returned results for.",
    by("Queries, by which system is alone.", texts("Ids of queries.")),
)

COMPARISON_FIELDS = {
    "baseline": maybe(text("The system all others are compared with; null if all pairs are compared.")),
    "systems": texts("The systems."),
    "convention": CONVENTION,
    "decisions": DECISIONS,
    "methods": part("methods"),
    "rule": part("rule"),
    "verdicts": by("The verdict for each system, or pair as 'system vs baseline'.", part("verdict")),
    "means": rows("A row per system and measure.", {**MEAN_COLUMNS, **columns("fingerprint")}),
    "differences": rows("A row per pair and measure.", {**DIFFERENCE_COLUMNS, **columns("fingerprint")}),
    "holes": by("What unjudged documents may change, by system or pair.", part("holes")),
    "failed": by("What failed searches could change, by system or pair; empty if none failed.", part("failed")),
    "one_sided": ALONE,
    "weight_0": texts("Queries of weight 0, which count nowhere."),
    "ledger": part("ledger"),
}
COMPARISON_OPTIONAL = {
    "segments": part("segments"),
    "tuning": record("How the system was chosen on other queries.", TUNING),
    "grid": GRID,
    "latency": part("latency_changes"),
}
COMPARISON = record("Everything a comparison says.", COMPARISON_FIELDS, COMPARISON_OPTIONAL)
