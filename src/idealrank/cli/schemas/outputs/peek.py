"""What `peek` prints."""

from __future__ import annotations

from idealrank.cli.schemas.forms import by, count, many, maybe, pair, record, record_of, share, text, texts, word
from idealrank.cli.schemas.output import Output
from idealrank.data.recognition.peek import JoinPreview
from idealrank.data.recognition.recognize import KINDS, ContentCounts

_COUNTS = {"rows": count("Rows."), "queries": count("Distinct queries."), "documents": count("Distinct documents.")}
_IF_ANY = {
    "grades": by("How many judgments have each grade, or a grade in each range.", count("How many.")),
    "ungraded": count("Rows without a grade."),
    "raters": texts("The raters."),
    "systems": texts("The systems."),
    "failed": by("The queries whose search failed, each with its message.", text("The message.")),
    "unanswered": texts("The queries without results or documents."),
}

_ALL = record_of(ContentCounts, "All that is counted.", {**_COUNTS, **_IF_ANY, "pairs": {}})["properties"]

_COUNTED = record(
    "What was counted; a key is missing if there is none.", _COUNTS, {name: _ALL[name] for name in _IF_ANY}
)
_FILE = record(
    "A file as it was recognised.",
    {
        "file": text("Its name."),
        "format": text("Its format, in words."),
        "notes": texts("How it was read."),
        "contains": many("What it was taken for.", word("One kind.", KINDS)),
        "columns": by("The role of each column; empty if it has none.", text("The role.")),
        "faults": texts("What is wrong with it."),
    },
    {"judgments": _COUNTED, "results": _COUNTED},
)
_JOINED = record_of(
    JoinPreview,
    "How a file of results meets a file of judgments.",
    {
        "judgments": text("The file of judgments."),
        "results": text("The file of results."),
        "judged_queries": count("Number of judged queries."),
        "returned_queries": count("Number of queries with results."),
        "queries_in_both": count("Number of queries in both."),
        "unreturned": texts("Judged queries without results."),
        "unjudged": texts("Queries with results and without judgments."),
        "judged_share": maybe(share("Share of the results of these queries that is judged; null if there are none.")),
        "seen_share": maybe(share("Share of the returned documents judged for any query; null if there are none.")),
        "example": maybe(
            pair("A query of the results and one of the judgments, if none is in both.", {"type": "string"})
        ),
        "notes": texts("How the queries were joined, if not by their ids."),
    },
)
_PEEK = record(
    "What is in files, and how they would be joined.",
    {
        "files": many("The files.", _FILE),
        "joined": many("How each file of results meets the judgments.", _JOINED),
        "next": text("The command that would come next; empty if something is missing."),
        "missing": text("What keeps the judgments from being used; empty if nothing does."),
    },
)

OUTPUTS = (Output("peek", "What is in files, and how they would be joined", _PEEK),)
