"""The name of an output goes in, the JSON Schema of what is printed comes out: every ``--json`` and every JSON file.

What a schema says is written at the types of the output: see `idealrank.display.schema`. This file loads all of them,
and NumPy with them: it is imported where a schema is asked for, not where a command begins.
"""

import functools
from typing import Annotated, Any, NamedTuple

from idealrank.audit.attribution import Reconciliation
from idealrank.audit.conventions_table import CONVENTIONS_ROW
from idealrank.audit.identify import Identification
from idealrank.cli.commands.conventions import FAULTS_ON, ConventionEntry, ConventionJson
from idealrank.comparison import types as comparison
from idealrank.comparison.changes import Changes
from idealrank.comparison.comparison import Comparison, SharedComparison
from idealrank.comparison.leaderboard import Leaderboard
from idealrank.comparison.overlap import OVERLAP_ROW
from idealrank.comparison.robustness import Robustness
from idealrank.comparison.segments.segments import SharedSegments
from idealrank.data.query_sample import SAMPLE_ROW
from idealrank.data.recognition.peek import Peek
from idealrank.display.columns import STATED
from idealrank.display.schema import Also, Rows, RowType, Schema, schema
from idealrank.doctor.diagnosis import Diagnosis
from idealrank.engines.replay_record import ReplayRecord
from idealrank.engines.run import REPLAY_ROW
from idealrank.errors import unknown
from idealrank.evaluation import types as evaluation
from idealrank.evaluation.document_segments import DocumentSegments
from idealrank.evaluation.explanation import Explanation
from idealrank.evaluation.query_tables import READINGS_ROW
from idealrank.labels.agreement import Agreement
from idealrank.labels.clicks import Clicks
from idealrank.labels.combine import Combined
from idealrank.labels.judge import ModelGradesJson
from idealrank.labels.label_next import LabelNext
from idealrank.labels.pool import POOL_ROW
from idealrank.measures.types import MeasureFacts, MeasureJson
from idealrank.regression import types as regression
from idealrank.regression.bless import Blessing
from idealrank.regression.history import History
from idealrank.reports.types import ReportSections
from idealrank.studio.types import RESCORED_ROW

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Output(NamedTuple):
    """A form of JSON that a command prints, or a file contains.

    Attributes
    ----------
    call
        The words of the command that decide the form, as ``evaluate --per-query``; or the name of a file.
    title
        What it contains, in one line.
    kind
        Its annotated type.
    of_file
        Whether it is a file that is written beside others, not what a command prints.
    """

    call: str
    title: str
    kind: Any
    of_file: bool = False

    @property
    def name(self) -> str:
        """The name of the schema: the words of the call, joined.

        Examples
        --------
        >>> Output("evaluate --per-query", "…", dict).name, Output("measures NAME", "…", dict).name
        ('evaluate-per-query', 'measures-name')
        """
        return "-".join(word.lstrip("-").lower() for word in self.call.removesuffix(".json").split())

    @property
    def command(self) -> str:
        """The command that prints or writes it."""
        return self.call.split()[0]

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags that decide the form."""
        return tuple(word for word in self.call.split() if word.startswith("--"))


def _row_list(row: RowType, about: str) -> Any:
    return Annotated[Rows, row, about]


def _with_view(key: str, kind: Any, about: str) -> Any:
    return Annotated[evaluation.EvaluationJson, Also({key: kind}), f"Means, decisions and ledger, and {about}."]


_EXTREME = (
    "Queries with the {} values of the first measure, a row per query; the value is under the name of the measure."
)
_LOST = "Queries by lost value, most first; the value is under the name of the measure."
_STATISTICS = _row_list(evaluation.DESCRIBE_ROW, "Statistics of the values.")
_TIES = _row_list(evaluation.TIES_ROW, "Means over all orders of tied results.")
_READINGS = _row_list(READINGS_ROW, "A row per measure.")
_WITH_QUERIES = Annotated[
    Comparison,
    Also({"per_query": _row_list(comparison.QUERY_ROW, "A row per query, pair of systems and measure.")}),
    "Everything a comparison says, with the values of every query.",
]
_CHANGES = Annotated[
    Changes | Annotated[list[Changes], "One per pair of systems."], "Of two systems; of several, a list."
]

OUTPUTS = (
    Output("peek", "What is in files, and how they would be joined", Peek),
    Output("evaluate", "Means, decisions and ledger", evaluation.SharedEvaluation),
    Output("evaluate --per-query", "The value of every query",
        _with_view("per_query", evaluation.ValuesByQuery, "the values by query")),
    Output("evaluate --describe", "Statistics of the values",
        _with_view("describe", _STATISTICS, "statistics of the values")),
    Output("evaluate --by", "Statistics by group of queries",
        _with_view("describe", _STATISTICS, "statistics by group")),
    Output("evaluate --worst", "Queries with the lowest values",
        _with_view("worst", _row_list(evaluation.EXTREME_ROW, _EXTREME.format("lowest")), "the worst queries")),
    Output("evaluate --best", "Queries with the highest values",
        _with_view("best", _row_list(evaluation.EXTREME_ROW, _EXTREME.format("highest")), "the best queries")),
    Output("evaluate --lost-value", "Queries by lost value",
        _with_view("lost_value", _row_list(evaluation.LOST_ROW, _LOST), "queries by lost value")),
    Output("evaluate --by-document", "Segments of documents",
        _with_view("by_document", DocumentSegments, "segments of documents")),
    Output("evaluate --tie-range", "Means over all orders of ties",
        _with_view("tie_range", _TIES, "ranges over ties")),
    Output("evaluate --reading", "What the readers of C/W/L measures read",
        _with_view("reading", _READINGS, "readings")),
    Output("evaluate --latency", "How long searches took", evaluation.EvaluationWithLatency),
    Output("evaluate --ledger", "What became of every query", evaluation.LedgerByQuery),
    Output("compare", "Verdict, differences, evidence and ledger", SharedComparison),
    Output("compare --per-query", "The comparison with the values of every query", _WITH_QUERIES),
    Output("compare --wins", "Queries that gain most",
        _row_list(comparison.QUERY_ROW, "Queries that gain most, most first.")),
    Output("compare --losses", "Queries that lose most",
        _row_list(comparison.QUERY_ROW, "Queries that lose most, most first.")),
    Output("compare --to-judge", "Unjudged documents to judge first",
        _row_list(comparison.TO_JUDGE_ROW.also(STATED), "What to judge first.")),
    Output("compare --changes", "What happened to each document of a query", _CHANGES),
    Output("compare --latency", "How much longer searches take", comparison.SharedLatencyChanges),
    Output("compare --robustness", "The outcome under every flavour of the measure", Robustness),
    Output("compare --lost-value", "Queries by lost value",
        _row_list(comparison.LOST_ROW, "Queries by lost value, most first.")),
    Output("compare --grid", "Systems by their settings",
        _row_list(comparison.GRID_ROW.also(STATED), "The systems that are named by their settings, a row per point.")),
    Output("compare --tuning", "Systems on the tuning queries",
        _row_list(comparison.TUNED_ROW.also(STATED), "The means on the tuning queries, a row per system.")),
    Output("compare --by-segment", "What changes in which segment of the queries", SharedSegments),
    Output("leaderboard", "Systems with the ranks that each can have", Leaderboard),
    Output("judge", "What became of the pairs that a language model was asked", ModelGradesJson),
    Output("history", "Measures over dates, and why they changed", History),
    Output("gate", "Outcome of every condition, with scores and comparison", regression.GateJson),
    Output("gate --baseline", "Outcome of every condition against a baseline, with every query that lost",
        regression.BaselineGateJson),
    Output("gate --baseline --bless", "What a baseline's file contains now, and what that changes",
        Blessing),
    Output("baseline", "A baseline that gate --bless or the pytest plugin wrote",
        regression.BaselineJson, of_file=True),
    Output("report", "Every part of a report", ReportSections),
    Output("studio", "Past comparisons of a studio, then and now",
        _row_list(RESCORED_ROW, "With --rescore: a row per comparison, the newest first.")),
    Output("explain", "The arithmetic behind one value", Explanation),
    Output("flavors", "Means of DCG and nDCG under every ideal", evaluation.FlavorsJson),
    Output("flavors --per-query", "Values of DCG and nDCG under every ideal, by query", evaluation.FlavorsByQuery),
    Output("clicks", "Judgments made of clicks", Clicks),
    Output("overlap", "What the lists of two systems share, by query",
        _row_list(OVERLAP_ROW, "A row per query; the documents of each system are under its name.")),
    Output("agreement", "How far raters agree", Agreement),
    Output("combine", "One grade of several ratings", Combined),
    Output("sample", "Queries for people to judge",
        _row_list(SAMPLE_ROW, "A row per query, those that were drawn first.")),
    Output("pool", "What to judge where nobody has judged anything",
        _row_list(POOL_ROW, "A row per query and document, by their ids.")),
    Output("label-next", "What to label next, and whether labelling may stop", LabelNext),
    Output("doctor", "What is wrong with judgments and results, and what mends it", Diagnosis),
    Output("replay", "What came back from each engine", _row_list(REPLAY_ROW, "What came back, a row per system.")),
    Output("replay-record", "The record beside the results: what was asked of which engine, when and how",
        ReplayRecord, of_file=True),
    Output("measures", "All measures", Annotated[list[Annotated[MeasureFacts, "A measure."]], "The measures."]),
    Output("measures NAME", "One measure", MeasureJson),
    Output("reconcile", "Which decisions make two numbers differ", Reconciliation),
    Output("identify", "The conventions behind printed numbers", Identification),
    Output("conventions", "All conventions", Annotated[list[ConventionEntry], "The conventions."]),
    Output("conventions NAME", "One convention: its answer to every decision",
        Annotated[ConventionJson, Also(FAULTS_ON), "A convention."]),
    Output("conventions JUDGMENTS RESULTS", "A measure under every convention",
        _row_list(CONVENTIONS_ROW, "A row per convention.")),
)  # fmt: skip
"""Every output, in the order in which they are listed."""


@functools.cache
def catalogue() -> dict[str, Output]:
    """Return every output by the name of its schema."""
    return {output.name: output for output in OUTPUTS}


def schema_of(name: str) -> Schema:
    """Return the whole schema of an output, with the shared ones it names.

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
    shared: dict[str, Schema] = {}
    body = schema(known[name].kind, shared)  # fills shared with the schemas that are named in several places
    head = {"$schema": DIALECT, "$id": f"urn:idealrank:schema:{name}", "title": known[name].title}
    return head | body | ({"$defs": {key: shared[key] for key in sorted(shared)}} if shared else {})
