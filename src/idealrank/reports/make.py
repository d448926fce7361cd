"""report: from an evaluation or a comparison to the value a page is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from idealrank.data.documents import read_documents
from idealrank.reports.parts.curves import DEPTH, refuse_depth
from idealrank.reports.report import Report

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison
    from idealrank.evaluation.scores import Scores


def report(
    scores: Scores,
    comparison: Comparison | None = None,
    *,
    title: str = "",
    documents: Any = None,
    depth: int = DEPTH,
) -> Report:
    """Return the report on an evaluation, or on a comparison of its systems.

    Parameters
    ----------
    title
        What stands above it; "" for the names of the systems.
    documents
        Titles of documents: what `read_documents` takes, or None.
    depth
        How many results of each query are shown; at most as many as the longest list has.

    Examples
    --------
    >>> import idealrank as ir
    >>> found = report(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"]), title="One query")
    >>> found.title, found.systems, found.values
    ('One query', ['results'], {'RR': {'results': [1]}})
    """
    refuse_depth(depth)
    longest = max(int(meeting.met(scores.setting.decisions).judged.returned.max()) for meeting in scores.meetings)
    known = None if documents is None else read_documents(documents)
    return Report(scores, comparison, str(title), known, max(1, min(depth, longest)))
