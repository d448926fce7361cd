"""Report: everything an evaluation or a comparison says, part by part; what is rendered is exactly this."""

from __future__ import annotations

import functools
import json
import os
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from idealrank.comparison.comparison import Comparison
from idealrank.data.documents import Documents
from idealrank.display.blocks import Block, Heading, Small
from idealrank.display.document import Shown
from idealrank.display.files import write_file
from idealrank.errors import UsageError
from idealrank.evaluation.document_segments import DocumentSegments
from idealrank.evaluation.mean_intervals import means_grid
from idealrank.evaluation.scores import Scores
from idealrank.reports import ENDINGS
from idealrank.reports.markdown import report_markdown
from idealrank.reports.page.page import page
from idealrank.reports.parts import kinds
from idealrank.reports.parts.arithmetic import arithmetic
from idealrank.reports.parts.checks import checks
from idealrank.reports.parts.compared import compared
from idealrank.reports.parts.curves import DEPTH, curves
from idealrank.reports.parts.distribution import distributions
from idealrank.reports.parts.grid import grid, tuning
from idealrank.reports.parts.holes import unjudged
from idealrank.reports.parts.inputs import inputs
from idealrank.reports.parts.latency import latency
from idealrank.reports.parts.list_overlap import overlaps
from idealrank.reports.parts.lists import Codes, RankedLists, best_judged, documents_part, listed, ranked_lists
from idealrank.reports.parts.means import means_with_holes
from idealrank.reports.parts.measures import described
from idealrank.reports.parts.queries import queries, states, values
from idealrank.reports.parts.segments import segments
from idealrank.reports.parts.shown_queries import ShownQueries, shown_queries
from idealrank.reports.parts.summary import ranked, summary
from idealrank.reports.parts.thresholds import thresholds
from idealrank.reports.progress import Progress, told


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

    _internal = frozenset({"by_document", "chosen", "heading", "rendered", "shown", "titles"})
    _instead = dict.fromkeys(("write", "to_file", "export", "show", "open"), "report.save('report.html')")

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
    def summary(self) -> kinds.Summary:
        """The front: outcome, headline, sentences, steps, the systems in order, what to check."""
        rows = self.means if self.compared is None else self.compared["differences"]
        checked = checks(self.ledger, self.holes, rows, self.decisions["setting"])
        board = ranked(self)
        front = summary(self.measures[0], self.means, self.compared, self.baseline, checked, board)
        said = next(each for each in (board, self.comparison, self.scores.ledger) if each is not None)
        return {**front, "warnings": list(said.warnings)}

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
    def measures(self) -> list[kinds.MeasureEntry]:
        """One entry per measure: label, fingerprint, direction, cutoff, what of its values is taken, range, title."""
        return [described(self.scores, m) for m in range(len(self.scores.measures))]

    @functools.cached_property
    def inputs(self) -> list[kinds.InputEntry]:
        """One entry per table that was read: role, name, rows, what it was read as, SHA-256 of its content."""
        return inputs(self._shown, self.titles, self.documents)

    @property
    def decisions(self) -> kinds.Answers:
        """The convention, the answers that differ from idealrank-1, and the others by stage."""
        answers = self.scores.answers
        stages = {str(stage): texts for stage, texts in answers.by_stage.items()}
        return {"setting": answers.setting, "changed": answers.departures, "stages": stages}

    @property
    def ledger(self) -> kinds.LedgerPart:
        """The account of every query, with its sentences, and those of them that are warnings."""
        ledger = self.scores.ledger
        lines = {"lines": [ledger.line, *ledger.read, *ledger.notes], "warnings": list(ledger.warnings)}
        return cast("kinds.LedgerPart", ledger.to_dict() | lines)

    @functools.cached_property
    def means(self) -> list[kinds.MeanRow]:
        """One row per measure and system: queries, mean, its interval, lowest and highest the holes allow."""
        if self.comparison is not None:
            order = {label: place for place, label in enumerate(self.scores.labels)}
            return cast(
                "list[kinds.MeanRow]", sorted(self.comparison.means.rows(), key=lambda row: order[row["measure"]])
            )
        return cast("list[kinds.MeanRow]", means_with_holes(self._shown.whole or self.scores).rows())

    @functools.cached_property
    def compared(self) -> kinds.Compared | None:
        """Verdicts, differences, rule and methods; None without a comparison."""
        return None if self.comparison is None else compared(self.comparison)

    @functools.cached_property
    def grid(self) -> kinds.GridPart | None:
        """The systems that are named by their settings, as points of a grid; None where no two are."""
        return grid(self.comparison)

    @functools.cached_property
    def tuning(self) -> dict[str, Any] | None:
        """How the system was chosen on other queries, and the means of all systems there; None without a hold-out."""
        return tuning(self.comparison)

    @property
    def queries(self) -> dict[str, Any]:
        """(Q,) ids, texts and weights, and every column of the queries table."""
        return queries(self._shown)

    @property
    def values(self) -> dict[str, Any]:
        """(Q,) values by measure and system; None where the query is left out."""
        return values(self._shown)

    @property
    def states(self) -> list[dict[str, Any]]:
        """One row per system and query with special handling, with its state under each measure."""
        return states(self._shown)

    @functools.cached_property
    def segments(self) -> dict[str, Any]:
        """The segments of the queries, means by segment, and differences by segment."""
        return segments(self._shown, self.comparison)

    @property
    def document_segments(self) -> dict[str, Any] | None:
        """Means, recall and shares of the loss by segment of the documents; None if not asked for."""
        return None if self.by_document is None else self.by_document.to_dict()

    @functools.cached_property
    def holes(self) -> kinds.HolesPart:
        """(Q,) unjudged results among those shown, by system, and what to judge first."""
        return unjudged(self._ranked, self._shown, self.comparison, self.depth)

    @functools.cached_property
    def overlap(self) -> list[dict[str, Any]]:
        """One entry per pair: Jaccard, rank-biased overlap and churn of the lists shown, (Q,) each, and their means."""
        return [] if self.comparison is None else overlaps(self.comparison, self._shown, self.depth)

    @functools.cached_property
    def curves(self) -> dict[str, Any]:
        """The mean of each measure that takes a cutoff at k = 1 to the depth, by system."""
        return curves(self._shown.whole, self.depth) if self._shown.whole else {}

    @functools.cached_property
    def thresholds(self) -> dict[str, Any] | None:
        """The mean of the first measure at every threshold of `overlap`, by system; None unless spans are judged."""
        return thresholds(self._shown.whole) if self._shown.whole else None

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
        shown = self._shown
        return listed(self._ranked, best_judged(shown.lists, self.depth, shown.mask), self.depth, self._codes.of)

    @functools.cached_property
    def explanations(self) -> dict[str, Any]:
        """What each result shown adds to the value of its query, by measure and system, and the ideal list."""
        _ = self.lists  # its documents are numbered first
        return arithmetic(self._shown.lists, self._ranked, self._shown.mask, self.depth, self._codes.of)

    @functools.cached_property
    def documents(self) -> kinds.DocumentsPart:
        """Ids, titles, addresses and pictures of the documents of all lists; None where none are known."""
        _ = self.explanations
        return documents_part(list(self._codes.numbers), self.titles, self.pictures)

    @functools.cached_property
    def _ranked(self) -> dict[str, RankedLists]:
        return ranked_lists(self._shown.lists, self.depth, self._shown.mask)

    @functools.cached_property
    def _shown(self) -> ShownQueries:
        return self.chosen or shown_queries(self.scores, self.comparison)

    @functools.cached_property
    def _codes(self) -> Codes:
        return Codes()

    def to_dict(self, progress: Progress | None = None) -> kinds.Parts:
        """Return all parts as plain values, for JSON."""
        parts, report = {}, told(progress)
        for done, name in enumerate(kinds.PARTS):
            report(done, len(kinds.PARTS) + 1, name)
            parts[name] = getattr(self, name)
        report(len(kinds.PARTS), len(kinds.PARTS) + 1, "file")
        return cast("kinds.Parts", parts)

    def rendered(self, form: str, progress: Progress | None = None) -> str:
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
        write_file(str(file), self.rendered(form), "name")
        return file

    def shown(self) -> list[Block]:
        """Return the title, the verdicts or the means, and how to write the whole of it."""
        first = [means_grid(self.scores)] if self.comparison is None else self.comparison.shown()[:1]
        return [Heading("{}", (self.title,)), *first, Small("The whole as a page: report.save('report.html').")]

    def to_html(self, progress: Progress | None = None) -> str:
        """Return the report as one HTML file: it needs no network, and works from a mail attachment."""
        return page(self.to_dict(progress))
