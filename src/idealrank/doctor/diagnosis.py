"""A diagnosis: what a doctor found, and the mended copies."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Unpack

from idealrank.conventions import parse_convention
from idealrank.data.filters import read_excluded
from idealrank.data.judgments import Judgments
from idealrank.data.queries import read_queries
from idealrank.data.query_join import join_by_text, refuse_shifted
from idealrank.data.read import read_judgments_of_units
from idealrank.data.results import Results
from idealrank.data.systems import read_systems
from idealrank.decisions.answers import DecisionAnswers
from idealrank.decisions.decisions import naming, refuse_unknown
from idealrank.display.blocks import Block, Lines
from idealrank.display.document import Described, Shown
from idealrank.display.files import write_file
from idealrank.display.schema import Named, Within
from idealrank.display.table import Table
from idealrank.doctor.finding import EditedCopy, Finding, MeanShiftByMend
from idealrank.doctor.findings import FINDINGS
from idealrank.doctor.inputs import Inputs
from idealrank.errors import IdealrankError, UsageError, either, visible_line
from idealrank.evaluation.evaluate import find_queries_table
from idealrank.evaluation.requested_measures import measures_under
from idealrank.measures.definition import Measure

NOTHING = "Nothing found: ids, grades, ranks and scores are as they should be."
LOG = "changes.txt"
"""Name of the file that says what mended copies change."""


@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis(Shown, Described):
    """What is wrong with judgments and results.

    Attributes
    ----------
    findings
        What was found, what moves a mean most first.
    refused
        Why `evaluate` refuses the tables; None if it does not.
    by
        A mean that moves by more than this has moved.
    log
        What mended copies change: a line per row.
    mended
        The tables after all mends.
    """

    findings: Annotated[tuple[Finding, ...], "The findings."]
    refused: IdealrankError | None
    by: Annotated[float, Within(0), "How far a mean may move."]
    log: tuple[str, ...]
    mended: Inputs

    @property
    def moves(
        self,
    ) -> Annotated[bool, "Whether a finding moves a mean by more than --by, or evaluate refuses the files."]:
        """Whether there is no mean, or a finding moves one by more than `by`."""
        return self.refused is not None or bool(self.moving)

    @property
    def moving(self) -> tuple[Finding, ...]:
        """The findings that move a mean by more than `by`."""
        return tuple(finding for finding in self.findings if finding.largest > self.by)

    @property
    def table(self) -> Table:
        """One row per finding: its name, count, the shift of the first measure, and what mends it."""
        heads = [finding.headline for finding in self.findings]
        return Table(
            {
                "finding": [finding.name for finding in self.findings],
                "count": [finding.count for finding in self.findings],
                "measure": [head.measure if head else None for head in heads],
                "shift": [head.text if head else None for head in heads],
                "remedy": [finding.remedy for finding in self.findings],
            },
            "findings",
        )

    @property
    def _refusal(
        self,
    ) -> Annotated[str | None, Named("refused"), "Why evaluate refuses the files; null if it does not."]:
        return None if self.refused is None else str(self.refused)

    def shown(self) -> list[Block]:
        """Return the findings, each with its examples, shift and remedy."""
        return self.told() or [Lines([("doctor", NOTHING)])]

    def told(self, *, typed: bool = False, moving: bool = False) -> list[Block]:
        """Return why there is no mean, and the findings.

        Parameters
        ----------
        typed
            Whether to name flags of the command line, not keywords of Python.
        moving
            Whether to leave out findings that move no mean.
        """
        refusal = "" if self.refused is None else self.refused.typed if typed else str(self.refused)
        refused = [Lines([("refused", refusal)])] if refusal else []
        chosen = self.moving if moving else self.findings
        return [
            *refused,
            *(Lines(_finding_lines(each, each.remedy if typed else each.call), each.name) for each in chosen),
        ]

    def fix(self, folder: str | os.PathLike[str]) -> list[str]:
        """Write mended copies of the tables that change, and a file that lists every change.

        Parameters
        ----------
        folder
            Where to write; it is made if it is not there. A file that was read is never written over.

        Returns
        -------
        The paths of the files, the list of changes last; none if nothing is mended.

        Raises
        ------
        UsageError
            If a file cannot be written, or was read.
        """
        where = os.fspath(folder)
        copies = [each for each in self.mended.tables if isinstance(each.source, EditedCopy)]
        names = _copy_names(copies)
        for name in names:
            _refuse_input(os.path.join(where, name), self.mended)
        if copies:
            _make_folder(where)
        for name, table in zip(names, copies, strict=True):
            assert isinstance(table.source, EditedCopy)
            write_file(os.path.join(where, name), table.source.text, _FLAG)
        names += [LOG] if copies else []
        if copies:
            write_file(os.path.join(where, LOG), "".join(f"{visible_line(line)}\n" for line in self.log), _FLAG)
        return [os.path.join(where, name) for name in names]


_FLAG = either("folder", "--fix DIR")


def _make_folder(folder: str) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror or error}. Give another {_FLAG}.") from None


def _finding_lines(finding: Finding, remedy: str) -> list[tuple[str, str]]:
    shift = ", ".join(f"{each.measure} {each.text}{_system_note(finding, each)}" for each in finding.telling)
    rows = [("found", finding.text), *(("" if i else "for example", line) for i, line in enumerate(finding.examples))]
    return rows + [(label, text) for label, text in (("shift", shift), ("remedy", remedy)) if text]


def _system_note(finding: Finding, shift: MeanShiftByMend) -> str:
    """Name the system of a shift where there are several."""
    return f" ({shift.system})" if len({each.system for each in finding.shifts}) > 1 else ""


def _copy_names(tables: list[Judgments | Results]) -> list[str]:
    """Name a file for each copy: as the file that was read, with the ending of what is written."""
    names: list[str] = []
    for table in tables:
        source = table.source
        base = os.path.basename(source.origin.path if source.origin else source.name.replace(" ", "-"))
        for ending in (".gz", ".zst"):
            base = base.removesuffix(ending)
        base = base if source.frame.format.startswith("trec-") else f"{os.path.splitext(base)[0]}.csv"
        names.append(base if base not in (*names, LOG) else f"{len(names) + 1}-{base}")
    return names


def _refuse_input(path: str, inputs: Inputs) -> None:
    read = [table.source.origin.path for table in inputs.tables if table.source.origin]
    if any(os.path.exists(path) and os.path.exists(file) and os.path.samefile(path, file) for file in read):
        raise UsageError(f"{path}: an input of this call, which is not written over. Give another {_FLAG}.")


@naming(DecisionAnswers)
def doctor(
    judgments: Any,
    *results: Any,
    measures: Sequence[str | Measure] | str | None = None,
    convention: str = "idealrank-1",
    queries: Any = None,
    exclude: Any = None,
    by: float = 0.0005,
    **decisions: Unpack[DecisionAnswers],
) -> Diagnosis:
    """Say what is wrong with judgments and results, how far it moves a mean, and what mends it.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``.
    *results
        Results of one or several systems, as for `evaluate`; none: the judgments' table contains them.
    measures
        The measures whose means count, the headline first; None: nDCG@10, P@10, R@100, RR, AP.
    convention
        The decisions to start from, with overrides.
    queries
        A table of query texts, by query id.
    exclude
        Results that must not be counted: a table of queries and documents, as BEIR's ``ignore_identical_ids`` and
        BRIGHT's excluded ids.
    by
        A mean that moves by more than this has moved.
    **decisions
        Answers to single decisions; they win over the convention.

    Raises
    ------
    DataError
        If a table cannot be read, or if answers numbered in their order are not as many as the queries.
    UsageError
        If a name or an answer is not known.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {"q1": {"d1": 3, "d2": 0}, "q2": {"d3": 2}}
    >>> run = {"q1": {"D1": 9.0, "x": 8.0}, "q2": {"x": 2.0, "d3": 1.0}}
    >>> found = ir.doctor(qrels, run, measures="RR")
    >>> found.findings[0].name, found.findings[0].headline.text, found.moves
    ('ids spelled differently', '0.2500 → 0.7500', True)
    """
    refuse_unknown(decisions, ("measures", "convention", "queries", "exclude", "by"))
    under = measures_under(parse_convention(convention, decisions), measures)
    table = read_judgments_of_units(judgments, parse_convention(convention, decisions).decisions.unit)
    sources = read_systems(list(results) if len(results) > 1 else results[0] if results else table, table)
    asked = read_queries(find_queries_table(table, sources) if queries is None else queries)
    refuse_shifted(sources, asked)
    joined, asked = join_by_text(table, sources, asked)
    excluded = None if exclude is None else read_excluded(exclude)
    inputs = Inputs(
        judgments=table, results=tuple(joined), measures=tuple(measure.name for measure in under),
        convention=convention, answers=decisions, queries=asked, excluded=excluded, by=by,
    )  # fmt: skip
    ground = inputs.evaluable
    refused = inputs.outcome if isinstance(inputs.outcome, IdealrankError) else None
    found = [_with_shifts(ground, finding) for look in FINDINGS.values() for finding in look(ground)]
    mended, log = _mend_all(ground) if any(finding.mends for finding in found) else (ground, [])
    found.sort(key=lambda finding: -finding.largest)
    return Diagnosis(tuple(found), refused, by, tuple(log), mended)


def _with_shifts(inputs: Inputs, finding: Finding) -> Finding:
    """Add the means as they are and after the mend."""
    if not finding.mends and not finding.answers:
        return finding
    before, after = inputs.means, inputs.means_after(finding.mends, finding.answers)
    keys = [key for key in _shift_keys(inputs, finding.system) if key in before or key in after]
    return replace(finding, shifts=tuple(MeanShiftByMend(*key, before.get(key), after.get(key)) for key in keys))


def _shift_keys(inputs: Inputs, system: str) -> Iterator[tuple[str, str]]:
    """Yield every measure with the system, or with all."""
    for measure in inputs.measures:
        for join in inputs.joins:
            if system in ("", join.system):
                yield measure, join.system


def _mend_all(inputs: Inputs) -> tuple[Inputs, list[str]]:
    """Mend the tables, finding by finding; return them with the list of changes."""
    log: list[str] = []
    for name, look in FINDINGS.items():
        for mend in [mend for finding in look(inputs) for mend in finding.mends]:
            log += [f"{name}: {line}" for line in mend.log()]
            inputs = inputs.apply_mends([mend], {})
    return inputs, log
