"""What a replay says as JSON: the record beside its results, and the columns of its account."""

from typing import Annotated, NotRequired, TypedDict

from idealrank.data.latency_columns import PREFIX, WHOSE
from idealrank.display.columns import SystemName
from idealrank.display.schema import RowType, Within
from idealrank.engines.journal import STATES
from idealrank.statistics.quantiles import QUANTILES

REPLAY_ROW = RowType(
    {
        "system": SystemName,
        **{state: Annotated[int, f"Number of queries that are {state}."] for state in STATES},
        **{
            f"{before}{name} ms": NotRequired[
                Annotated[float | None, Within(0), f"The {name} of {WHOSE[clock]}, in milliseconds; null if not known."]
            ]
            for clock, before in PREFIX.items()
            for name in QUANTILES
        },
    }
)


class TemplateJson(TypedDict):
    """The request with places for values."""

    file: Annotated[str, "Its file; empty for a built-in one."]
    sha256: Annotated[str, "SHA-256 of its text."]
    text: Annotated[str, "Its text."]


class AskedQueries(TypedDict):
    """The queries."""

    file: Annotated[str, "The file of queries; empty if there is none."]
    sha256: Annotated[str, "SHA-256 of the file, or of the queries."]
    count: Annotated[int, "How many were asked."]
    without_text: Annotated[list[str], "Queries without a text, which were not asked."]


class ReplayRecord(TypedDict):
    """The record of a replay."""

    system: Annotated[str, "Name of the system."]
    address: Annotated[str, "Where it was asked, without secrets."]
    engine: Annotated[str | None, "The engine, as it calls itself; null if it does not say."]
    version: Annotated[str | None, "Its version; null if it does not say."]
    index: Annotated[str | None, "The index, collection or database; null if there is none."]
    documents: Annotated[int | None, "How many documents it contains; null if it does not say."]
    uuid: Annotated[str | None, "What identifies the index, or several, with commas between; null if it does not say."]
    index_version: Annotated[str | None, "The version of its contents, as Solr counts them; null if it does not say."]
    template: TemplateJson
    settings: Annotated[dict[str, Annotated[str | float | bool | None, "The value."]], "The values of the settings."]
    queries: AskedQueries
    k: Annotated[int, Within(1), "How many results were asked for."]
    fields: Annotated[list[str], "Fields of documents that came along."]
    begun: Annotated[str, "When it began: ISO 8601, UTC."]
    ended: Annotated[str, "When it ended: ISO 8601, UTC."]
    concurrency: Annotated[int, Within(1), "How many searches ran at a time."]
    rate: Annotated[float | None, Within(0), "Most searches per second; null for no limit."]
    batch: Annotated[int, Within(1), "How many searches went in one request."]
    retries: Annotated[int, "How often a failed search was tried again."]
    timeout: Annotated[float, Within(0), "Seconds after which a search failed."]
    tls: Annotated[str, "How certificates were checked."]
    results_sha256: Annotated[str, "SHA-256 of the file of results."]
    answered: Annotated[int, "Number of queries that are answered."]
    empty: Annotated[int, "Number of queries that are empty."]
    failed: Annotated[int, "Number of queries that are failed."]
    retried: Annotated[list[str], "Queries answered only when asked again."]
    from_an_earlier_run: Annotated[int, "Answers kept from an earlier run."]
    notes: Annotated[
        list[str], "What else to know, such as lists that all end at one length, or an index that changed."
    ]
    idealrank: Annotated[str, "Version of idealrank."]
    repeat: NotRequired[Annotated[int, Within(2), "How often every query was asked."]]
    changed: NotRequired[Annotated[list[str], "Queries whose results differed between identical calls."]]
    lost: NotRequired[Annotated[list[str], "Queries of which a call failed while another was answered."]]
