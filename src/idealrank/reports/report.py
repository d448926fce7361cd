"""Report: everything an evaluation or a comparison says, part by part; what is rendered is exactly this."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from idealrank.comparison.compare import compare
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.leaderboard import Leaderboard
from idealrank.comparison.types import MeanRow
from idealrank.data.documents import Documents, documents_of_unit, read_documents
from idealrank.decisions.fields import AS_RETURNED, SPANS
from idealrank.display import notebook_bar
from idealrank.display.blocks import Block, Heading, Small
from idealrank.display.document import Shown
from idealrank.display.files import write_file
from idealrank.engines.replay_record import replayed_documents
from idealrank.errors import UsageError, refuse_count
from idealrank.evaluation.document_segments import DocumentSegments
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.mean_tables import means_grid
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.spans import SpanText, refuse_beyond_documents, texts_of_spans
from idealrank.reports import ENDINGS, types
from idealrank.reports.markdown import report_markdown
from idealrank.reports.sections.all_pairs import all_pairs_part
from idealrank.reports.sections.charts import DEPTH, curves, distributions, thresholds
from idealrank.reports.sections.grades import grades
from idealrank.reports.sections.lists import (
    Codes,
    RankedLists,
    arithmetic,
    best_judged,
    documents_part,
    list_values,
    overlaps,
    ranked_lists,
    unjudged,
)
from idealrank.reports.sections.shown_queries import ShownQueries, shown_queries
from idealrank.reports.sections.summary import checks, leaderboard_of, summary
from idealrank.reports.sections.tables import (
    comparison_section,
    grid,
    inputs,
    latency,
    means_if_judged,
    measure_entries,
    queries,
    segments,
    states,
    tuning,
    values,
)
from idealrank.reports.subject import Subject, comparison_of, scores_of


@dataclass(frozen=True, eq=False, repr=False)
class Report(Shown):
    """An evaluation or a comparison with everything a reader may ask of it.

    The parts are the attributes named in `PARTS`; `to_dict` returns them all, and the page contains exactly that.
    Q is the number of judged queries, in the order of the ledger; a missing or infinite number is None.

    Attributes
    ----------
    scores
        The evaluation.
    comparison
        The comparison of its systems; None where there is none.
    heading
        The title asked for; "" for one made of the systems' names.
    titles
        What is known of documents: titles and addresses by id; None where no such table was given.
    depth
        The last rank of the lists shown.
    pictures
        Whether the page may load pictures of documents from the web.
    by_document
        The segments of documents that were asked for; None: none.
    chosen
        The queries that are shown one by one; None: those that a reader opens first, if they are very many.
    """

    _internal = frozenset({"by_document", "chosen", "heading", "render", "shown", "titles"})
    _instead = dict.fromkeys(("write", "to_file", "export", "show", "open"), "report.save('report.html')") | {
        "html": "report.to_html()",
        "json": "report.to_json()",
        "markdown": "report.to_markdown()",
        "compare": "report.comparison",
    }

    scores: Scores
    comparison: Comparison | None = None
    heading: str = ""
    titles: Documents | None = None
    depth: int = DEPTH
    pictures: bool = False
    by_document: DocumentSegments | None = None
    chosen: ShownQueries | None = None

    @property
    def format(self) -> int:
        """The version of this form of the data."""
        return 1

    @property
    def program(self) -> str:
        """What made the report."""
        return f"idealrank {version('idealrank')}"

    @property
    def title(self) -> str:
        """The title: the one asked for, or the systems' names."""
        names = self.scores.systems
        systems = " and ".join(names) if len(names) < 3 else f"{len(names)} systems"
        return self.heading or f"{systems}: {self.scores.labels[0]}"

    @functools.cached_property
    def summary(self) -> types.Summary:
        """The front: outcome, headline, sentences, steps, the systems in order, what to check."""
        rows = self.means if self.compared is None else self.compared["differences"]
        checked = checks(self.ledger, self.holes, rows, self.compared, self.decisions["setting"])
        board = self._board
        front = summary(self.measures[0], self.means, self.compared, self.baseline, checked, board)
        source = next(each for each in (board, self.comparison, self.scores.ledger) if each is not None)
        return {**front, "warnings": list(source.warnings)}

    @property
    def systems(self) -> list[str]:
        """The names of the systems."""
        return list(self.scores.systems)

    @property
    def baseline(self) -> str | None:
        """The system the others are compared with; None without a comparison, or where all pairs are compared."""
        return (self.comparison.baseline or None) if self.comparison is not None else None

    @property
    def pairs(self) -> list[list[str]]:
        """The pairs compared, baseline first; none without a comparison."""
        pairs = [] if self.comparison is None else self.comparison.pairing.pairs
        return [[self.scores.systems[s] for s in pair] for pair in pairs]

    @property
    def measures(self) -> list[types.MeasureEntry]:
        """One entry per measure: label, fingerprint, direction, cutoff, what of its values is taken, range, title."""
        return [measure_entries(self.scores, m) for m in range(len(self.scores.measures))]

    @functools.cached_property
    def inputs(self) -> list[types.InputEntry]:
        """One entry per table that was read: role, name, rows, what it was read as, SHA-256 of its content."""
        return inputs(self._queries_shown, self.titles, self.documents, self.comparison)

    @property
    def decisions(self) -> types.ConventionSection:
        """The convention, the answers that differ from idealrank-1, and the others by stage."""
        answers = self.scores.answers
        stages = {str(stage): texts for stage, texts in answers.by_stage.items()}
        return {"setting": answers.setting, "changed": answers.departures, "stages": stages}

    @property
    def ledger(self) -> types.LedgerPart:
        """The account of every query, with its sentences, and those of them that are warnings."""
        ledger = self.scores.ledger
        lines = {"lines": [ledger.line, *ledger.read, *ledger.notes], "warnings": list(ledger.warnings)}
        return ledger.to_dict() | lines

    @functools.cached_property
    def means(self) -> list[MeanRow]:
        """One row per measure and system: queries, mean, its interval, lowest and highest the holes allow."""
        if self.comparison is not None:
            order = {label: place for place, label in enumerate(self.scores.labels)}
            return cast("list[MeanRow]", sorted(self.comparison.means.rows(), key=lambda row: order[row["measure"]]))
        return cast("list[MeanRow]", means_if_judged(self.scores).rows())

    @functools.cached_property
    def compared(self) -> types.Compared | None:
        """Verdicts, differences, rule and methods; None without a comparison."""
        return None if self.comparison is None else comparison_section(self.comparison)

    @functools.cached_property
    def all_pairs(self) -> types.AllPairsPart | None:
        """All pairs of several systems without a baseline, and the groups that cannot be told apart."""
        return all_pairs_part(self._board, self.compared)

    @functools.cached_property
    def grid(self) -> types.GridPart | None:
        """The systems that are named by their settings, as points of a grid; None where no two are."""
        return grid(self.comparison)

    @functools.cached_property
    def tuning(self) -> dict[str, Any] | None:
        """How the system was chosen on other queries, and the means of all systems there; None without a hold-out."""
        return tuning(self.comparison)

    @property
    def queries(self) -> dict[str, Any]:
        """(Q,) ids, texts and weights, and every column of the queries table."""
        return queries(self._queries_shown)

    @property
    def values(self) -> dict[str, Any]:
        """(Q,) values by measure and system; None where the query is left out."""
        return values(self._queries_shown)

    @property
    def states(self) -> list[dict[str, Any]]:
        """One row per system and query with special handling, with its state under each measure."""
        return states(self._queries_shown)

    @functools.cached_property
    def segments(self) -> dict[str, Any]:
        """The segments of the queries, means by segment, and differences by segment."""
        return segments(self._queries_shown, self.comparison)

    @property
    def document_segments(self) -> dict[str, Any] | None:
        """Means, recall and shares of the loss by segment of the documents; None if not asked for."""
        return None if self.by_document is None else self.by_document.to_dict()

    @functools.cached_property
    def holes(self) -> types.UnjudgedPart:
        """(Q,) unjudged results among those shown, by system, and what to judge first."""
        return unjudged(self._ranked_lists, self._queries_shown, self.comparison, self.depth)

    @functools.cached_property
    def grades(self) -> types.GradesPart | None:
        """A judge calibrated on people, and how far raters agree; None where neither is known."""
        return grades(self.scores, self.comparison)

    @functools.cached_property
    def overlap(self) -> list[dict[str, Any]]:
        """One entry per pair: Jaccard, rank-biased overlap and churn of the lists shown, (Q,) each, and their means."""
        return [] if self.comparison is None else overlaps(self.comparison, self._queries_shown, self.depth)

    @functools.cached_property
    def curves(self) -> dict[str, Any]:
        """The mean of each measure that takes a cutoff at k = 1 to the depth, by system."""
        return curves(self.scores, self.depth)

    @functools.cached_property
    def thresholds(self) -> dict[str, Any] | None:
        """The mean of the first measure at every threshold of `overlap`, by system; None unless spans are judged."""
        return thresholds(self.scores)

    @functools.cached_property
    def latency(self) -> dict[str, Any] | None:
        """Quantiles of how long searches took by system, and their changes; None where the results do not say."""
        return latency(self.scores, self.comparison)

    @functools.cached_property
    def distributions(self) -> dict[str, Any]:
        """How many queries have which value, and statistics of the values, by measure and system."""
        return distributions(self.scores)

    @functools.cached_property
    def lists(self) -> dict[str, Any]:
        """The first results of every query by system, and the documents judged best; a document is its place."""
        shown = self._queries_shown
        return list_values(
            self._ranked_lists, best_judged(shown.lists, self.depth, shown.mask), self.depth, self._codes.of,
            shown.lists, shown.mask,
        )  # fmt: skip

    @functools.cached_property
    def explanations(self) -> dict[str, Any]:
        """What each result shown adds to the value of its query, by measure and system, and the ideal list."""
        _ = self.lists  # its documents are numbered first
        return arithmetic(
            self._queries_shown.lists, self._ranked_lists, self._queries_shown.mask, self.depth, self._codes.of
        )

    @functools.cached_property
    def documents(self) -> types.DocumentsPart:
        """Ids, titles, addresses and pictures of the documents of all lists; None where none are known."""
        _ = self.explanations
        ids, lists = list(self._codes.numbers), self._queries_shown.lists
        spans: Mapping[str, SpanText] = {}
        if self.titles is not None and self.scores.setting.decisions.unit == SPANS:
            results = [join.results for join in lists.joins]
            spans = texts_of_spans(lists.joins[0].judgments, results, self._codes.numbers)
        return documents_part(ids, self.titles, self.pictures, spans)

    @functools.cached_property
    def _board(self) -> Leaderboard | None:
        return leaderboard_of(self)

    @functools.cached_property
    def _ranked_lists(self) -> dict[str, RankedLists]:
        return ranked_lists(self._queries_shown.lists, self.depth, self._queries_shown.mask)

    @functools.cached_property
    def _queries_shown(self) -> ShownQueries:
        return self.chosen or shown_queries(self.scores, self.comparison)

    @functools.cached_property
    def _codes(self) -> Codes:
        return Codes()

    def to_dict(self, progress: Progress | None = None) -> types.ReportSections:
        """Return all parts as plain values, for JSON."""
        parts: dict[str, Any] = {}
        with notebook_bar("report", progress=progress) as on_progress, self.scores.lists.open():
            report = progress_printer(on_progress)
            for done, name in enumerate(types.PARTS):
                report(done, len(types.PARTS) + 1, name)
                parts[name] = getattr(self, name)
            report(len(types.PARTS), len(types.PARTS) + 1, "file")
        return cast("types.ReportSections", parts)

    def render(self, form: str, progress: Progress | None = None) -> str:
        """Return the report as ``html``, ``markdown`` or ``json``."""
        return {"html": self.to_html, "markdown": self.to_markdown, "json": self.to_json}[form](progress)

    def to_json(self, progress: Progress | None = None) -> str:
        """Return all parts as JSON in full precision."""
        return json.dumps(self.to_dict(progress), ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    def to_markdown(self, progress: Progress | None = None) -> str:
        """Return the report as Markdown: the same parts, long tables cut with a word on how much is left out."""
        return report_markdown(self.to_dict(progress))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the report to a file: a page (.html), Markdown (.md) or data (.json), as its name ends."""
        file = Path(path)
        form = ENDINGS.get(file.suffix.lower())
        if form is None:
            raise UsageError(f"{file}: the name does not say what to write. End it in {', '.join(ENDINGS)}.")
        write_file(str(file), self.render(form), "name")
        return file

    def shown(self) -> list[Block]:
        """Return the title, the verdicts or the means, and how to write the whole of it."""
        first = [means_grid(self.scores)] if self.comparison is None else self.comparison.shown()[:1]
        return [Heading("{}", (self.title,)), *first, Small("The whole as a page: report.save('report.html').")]

    def to_html(self, progress: Progress | None = None) -> str:
        """Return the report as one HTML file: it needs no network, and works from a mail attachment."""
        from idealrank.reports.page.page import page  # data and Markdown need no templates

        return page(self.to_dict(progress))


# Progress.


Progress = Callable[[int, int, str], None]
"""Is told the parts done, the parts in all, and the name of the next."""


def progress_printer(progress: Progress | str | os.PathLike[str] | None) -> Progress:
    """Return who is told; nobody for None.

    Raises
    ------
    UsageError
        If it is the name of a file: reports are written by `Report.save`.

    Examples
    --------
    >>> progress_printer(None)(1, 2, "lists") is None
    True
    """
    if isinstance(progress, str | os.PathLike):
        what = f"progress={str(progress)!r}: it is a function that is told how far the report is, not a file."
        raise UsageError(f"{what} To write the report to a file: report.save({str(progress)!r}).")
    return progress or (lambda done, total, step: None)


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
    if results is not None and isinstance(scores_or_comparison, (Scores, Comparison, Leaderboard)):
        raise UsageError(
            f"results={results!r} beside scores that are finished. To write the report to a file: "
            "ir.report(scores).save('report.html')."
        )
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
        results = [join.results for join in lists.joins]
        unit = scores.setting.decisions.unit
        titles = documents_of_unit(lists.joins[0].judgments, results, unit)
        titles = titles or (replayed_documents(results) if unit in (AS_RETURNED, SPANS) else None)
    else:
        titles = read_documents(documents, duplicates=duplicates, column=by_document)
        for join in lists.joins if scores.setting.decisions.unit == SPANS else ():
            refuse_beyond_documents(join.judgments, join.results, titles.texts())
    return Report(
        scores,
        comparison,
        str(title),
        titles,
        max(1, min(depth * _united_searches(lists), longest)),
        pictures,
        None if by_document is None else scores.by_document(by_document, titles),
        shown,
    )


def _united_searches(scores: Scores) -> int:
    """Return the most searches of which one list was made."""
    if scores.setting.decisions.steps != "union":
        return 1
    return max(1, *(int(joined.searches.made.max()) for joined in scores.joined if joined.searches), 1)
