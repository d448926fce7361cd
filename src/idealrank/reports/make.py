"""report: from an evaluation or a comparison to the value a page is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from idealrank.comparison.compare import compare
from idealrank.data.documents import read_documents
from idealrank.data.documents_beside import documents_in
from idealrank.data.replayed import replayed_documents
from idealrank.data.spans import SPANS
from idealrank.errors import UsageError, refuse_count
from idealrank.evaluation.evaluate import evaluate
from idealrank.judged_lists.spans import refuse_beyond_documents
from idealrank.reports.parts.curves import DEPTH
from idealrank.reports.parts.shown_queries import shown_queries
from idealrank.reports.report import Report
from idealrank.reports.subject import Subject, comparison_of, scores_of

if TYPE_CHECKING:
    from idealrank.evaluation.scores import Scores


def report(
    scores_or_comparison: Subject | Any,
    results: Any = None,
    measures: Sequence[str] | str | None = None,
    *,
    title: str = "",
    documents: Any = None,
    by_document: str | None = None,
    depth: int = DEPTH,
    pictures: bool = False,
) -> Report:
    """Return everything there is to say about scores, or about a comparison, as one value: see `Report`.

    Parameters
    ----------
    scores_or_comparison
        What `evaluate`, `compare` or `leaderboard` returned; a comparison and a leaderboard bring their
        scores. Or judgments, as for `evaluate`.
    results, measures
        Beside judgments, as for `evaluate`: one system is evaluated, several are compared.
    title
        The title; "": the names of the systems.
    documents
        Titles of documents: a file, a dataframe or a dict ``{id: title}``; None: ids alone. Where a document has
        several titles, `duplicates` of the scores says which counts, if it is ``first`` or ``last``. Where spans are
        judged and documents have a text, no span may end beyond it.
    by_document
        A column of the documents, such as their type: the report shows means, recall and shares of the loss by it,
        as `Scores.by_document`. The documents then need no titles.
    depth
        How many results of each query are shown; under ``steps=union``, how many per search. At most as many as the
        longest list has.
    pictures
        Whether the page shows the pictures that a column ``image`` or the like of the documents names. They are
        loaded from the web when a query is opened; without them the page makes no request at all.

    Raises
    ------
    DataError
        If the documents cannot be read, or a span ends beyond the text of its document.
    UsageError
        If it is neither scores, a comparison nor a leaderboard, the depth is no whole number from 1 up, or
        `by_document` is given without documents.

    Examples
    --------
    >>> import idealrank as ir
    >>> report = ir.report(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"]), title="One query")
    >>> report.title, report.systems, report.values
    ('One query', ['results'], {'RR': {'results': [1]}})
    >>> report.to_html()[:15]
    '<!doctype html>'
    """
    refuse_count("depth", depth, "how deep")
    if results is not None:
        evaluated = evaluate(scores_or_comparison, results, measures)
        scores_or_comparison = compare(evaluated) if len(evaluated.systems) > 1 else evaluated
    scores = scores_of(scores_or_comparison)
    comparison = comparison_of(scores_or_comparison)
    shown = shown_queries(scores, comparison)
    lists = shown.lists
    longest = max(counts.longest for counts in scores.ledger.found)
    duplicates = scores.setting.decisions.duplicates
    if documents is None and by_document is not None:
        raise UsageError(f"by_document={by_document!r} is a column of which table? Give documents=….")
    if documents is None:
        results = [meeting.results for meeting in lists.meetings]
        titles = documents_in([lists.meetings[0].judgments, *results]) or replayed_documents(results)
    else:
        titles = read_documents(documents, duplicates=duplicates, column=by_document)
        for meeting in lists.meetings if scores.setting.decisions.unit == SPANS else ():
            refuse_beyond_documents(meeting.judgments, meeting.results, titles.texts())
    return Report(
        scores,
        comparison,
        str(title),
        titles,
        max(1, min(depth * _united(lists), longest)),
        pictures,
        None if by_document is None else scores.by_document(by_document, titles),
        shown,
    )


def _united(scores: Scores) -> int:
    """Return the most searches of which one list was made."""
    if scores.setting.decisions.steps != "union":
        return 1
    return max(1, *(int(met.searches.made.max()) for met in scores.met if met.searches), 1)
