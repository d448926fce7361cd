"""What `replay` prints, and the record it keeps beside the results."""

from __future__ import annotations

from idealrank.cli.schemas.forms import anything, by, count, maybe, number, record, text, texts
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.rows import columns, rows
from idealrank.engines.journal import STATES
from idealrank.evaluation.latency import PREFIX, WHOSE
from idealrank.statistics.quantiles import QUANTILES

_COUNTED = {state: count(f"Number of queries that are {state}.") for state in STATES}
_TIMES = {
    f"{before}{name} ms": maybe(number(f"The {name} of {WHOSE[clock]}, in milliseconds; null if not known.", 0))
    for clock, before in PREFIX.items()
    for name in QUANTILES
}
_ACCOUNT = rows("What came back, a row per system.", {**columns("system"), **_COUNTED}, _TIMES)

_TEMPLATE = {
    "file": text("Its file; empty for a built-in one."),
    "sha256": text("SHA-256 of its text."),
    "text": text("Its text."),
}
_QUERIES = {
    "file": text("The file of queries; empty if there is none."),
    "sha256": text("SHA-256 of the file, or of the queries."),
    "count": count("How many were asked."),
    "without_text": texts("Queries without a text, which were not asked."),
}
_SAID = {
    "engine": maybe(text("The engine, as it calls itself; null if it does not say.")),
    "version": maybe(text("Its version; null if it does not say.")),
    "index": maybe(text("The index, collection or database; null if there is none.")),
    "documents": maybe(count("How many documents it contains; null if it does not say.")),
    "uuid": maybe(text("What identifies the index, or several, with commas between; null if it does not say.")),
    "index_version": maybe(text("The version of its contents, as Solr counts them; null if it does not say.")),
}
_ASKED = {
    "system": text("Name of the system."),
    "address": text("Where it was asked, without secrets."),
    **_SAID,
    "template": record("The request with places for values.", _TEMPLATE),
    "settings": by("The values of the settings.", anything("The value.")),
    "queries": record("The queries.", _QUERIES),
    "k": count("How many results were asked for.", 1),
    "fields": texts("Fields of documents that came along."),
    "begun": text("When it began: ISO 8601, UTC."),
    "ended": text("When it ended: ISO 8601, UTC."),
    "concurrency": count("How many searches ran at a time.", 1),
    "rate": maybe(number("Most searches per second; null for no limit.", 0)),
    "batch": count("How many searches went in one request.", 1),
    "retries": count("How often a failed search was tried again."),
    "timeout": number("Seconds after which a search failed.", 0),
    "tls": text("How certificates were checked."),
}
_CAME_BACK = {
    "results_sha256": text("SHA-256 of the file of results."),
    **_COUNTED,
    "retried": texts("Queries answered only when asked again."),
    "from_an_earlier_run": count("Answers kept from an earlier run."),
    "notes": texts("What else to know, such as lists that all end at one length, or an index that changed."),
    "idealrank": text("Version of idealrank."),
}
_REPEATED = {
    "repeat": count("How often every query was asked.", 2),
    "changed": texts("Queries whose results differed between identical calls."),
    "lost": texts("Queries of which a call failed while another was answered."),
}

OUTPUTS = (
    Output("replay", "What came back from each engine", _ACCOUNT),
    Output(
        "replay-record",
        "The record beside the results: what was asked of which engine, when and how",
        record("The record of a replay.", {**_ASKED, **_CAME_BACK}, _REPEATED),
        of_file=True,
    ),
)
