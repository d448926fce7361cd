"""The ledger: the account of every query."""

from __future__ import annotations

from idealrank.cli.schemas.forms import by, count, flag, many, number, record, record_of, text, texts, word
from idealrank.cli.schemas.rows import columns
from idealrank.decisions.decisions import questions
from idealrank.evaluation.ledger.ledger import ColumnsRead, Fact, MeanShift, MeasureAccount, SystemAccount

_ORDERS = [answer for answer in questions()["order_by"].answers if answer != "auto"]
_TABLES = record_of(
    ColumnsRead,
    "A table and what it was read as.",
    {
        "table": text("What the table is called in messages."),
        "columns": by("The column, or columns, of each role; empty for formats without columns.", text("A column.")),
        "form": text("The format, such as TREC run; empty for a table with columns."),
        "order": word("What results were ordered by; empty for judgments.", (*_ORDERS, "")),
        "grades": text("Lowest and highest grade of judgments, in words; empty for results."),
        "what": text("Which tool wrote the document, and how it was read; empty for a table."),
    },
)
_SYSTEMS = record_of(
    SystemAccount,
    "What became of the queries of a system.",
    {
        **columns("system"),
        "judged_and_returned": count("Judged queries with results."),
        "judged_nothing_returned": texts("Judged queries without results."),
        "returned_not_judged": texts("Queries with results and without judgments."),
        "left_out": count("Queries left out on request."),
        "results": count("Results of judged queries."),
        "counts": by("What was counted among the results, such as unjudged or tied ones.", count("How many.")),
        "failed": texts("Judged queries whose search failed."),
        "never_asked": texts("Judged queries without a search, where a column says which searches were made."),
    },
)
_MEASURES = record_of(
    MeasureAccount,
    "What became of the judged queries of a system under a measure. All counts but the last sum to the judged queries.",
    {
        **columns("system", "measure"),
        "computed": count("Queries whose value was computed."),
        "filled_no_results": count("Queries without results that count with a fixed value."),
        "skipped_no_results": count("Queries without results that are left out of the mean."),
        "filled_no_relevant": count("Queries without relevant documents that count with a fixed value."),
        "skipped_no_relevant": count("Queries without relevant documents that are left out of the mean."),
        "left_out": count("Queries left out on request."),
        "filled_failed": count("Queries whose search failed that count with a fixed value."),
        "skipped_failed": count("Queries whose search failed that are left out of the mean."),
        "added_no_judgments": count("Queries without judgments that count as 0."),
    },
)
_FACTS = record_of(
    Fact,
    "Something found in the data.",
    {
        "system": text("The system it was found in; empty for all."),
        "text": text("What was found, as a sentence."),
        "queries": texts("The queries it concerns; empty if it does not concern single queries."),
        "warns": flag("Whether it is a warning."),
    },
)
_MOVED = record(
    "A mean under the other answer.",
    {**columns("measure"), "mean": number("The mean as it is."), "other": number("The mean under the other answer.")},
)
_MOVES = record_of(
    MeanShift,
    "What the means of a system would be under another answer to one decision.",
    {
        **columns("system"),
        "cause": text("What in the data makes the answer matter."),
        "decision": text("The decision."),
        "answer": text("The other answer."),
        "means": many("The means that move notably.", _MOVED),
    },
)

FIELDS = {
    "judged_queries": count("Number of judged queries."),
    "tables": many("What each table was read as: the judgments first, then the results.", _TABLES),
    "systems": many("What became of the queries, by system.", _SYSTEMS),
    "measures": many("What became of the judged queries, by system and measure.", _MEASURES),
    "notes": texts("What was found, and what would move a mean: a sentence each."),
    "facts": many("What was found in the data.", _FACTS),
    "moves": many("What would move a mean.", _MOVES),
}
"""What a ledger contains, wherever it is written."""

LEDGER = record("The ledger: what became of every query, what was found, and what would move a mean.", FIELDS)
