"""A diagnosis: what a doctor found, and the mended copies."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.display.blocks import Block, Lines
from idealrank.display.document import Shown
from idealrank.display.files import write_file
from idealrank.display.table import Table
from idealrank.doctor.finding import Finding, Shift
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.mend import Copied
from idealrank.errors import IdealrankError, UsageError, either, visible_line

NOTHING = "Nothing found: ids, grades, ranks and scores are as they should be."
LOG = "changes.txt"
"""Name of the file that says what mended copies change."""


@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis(Shown):
    """What is wrong with judgments and results, or may be.

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

    findings: tuple[Finding, ...]
    refused: IdealrankError | None
    by: float
    log: tuple[str, ...]
    mended: Inputs

    @property
    def moves(self) -> bool:
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

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "moves": self.moves,
            "by": self.by,
            "refused": None if self.refused is None else str(self.refused),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

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
        return [*refused, *(Lines(_rows(each, each.remedy if typed else each.call), each.name) for each in chosen)]

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
        copies = [each for each in self.mended.tables if isinstance(each.source, Copied)]
        names = _names(copies)
        for name in names:
            _refuse_input(os.path.join(where, name), self.mended)
        if copies:
            _make(where)
        for name, table in zip(names, copies, strict=True):
            assert isinstance(table.source, Copied)
            write_file(os.path.join(where, name), table.source.text, _FLAG)
        names += [LOG] if copies else []
        if copies:
            write_file(os.path.join(where, LOG), "".join(f"{visible_line(line)}\n" for line in self.log), _FLAG)
        return [os.path.join(where, name) for name in names]


_FLAG = either("folder", "--fix DIR")


def _make(folder: str) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror or error}. Give another {_FLAG}.") from None


def _rows(finding: Finding, remedy: str) -> list[tuple[str, str]]:
    shift = ", ".join(f"{each.measure} {each.text}{_system(finding, each)}" for each in finding.telling)
    rows = [("found", finding.text), *(("" if i else "for example", line) for i, line in enumerate(finding.examples))]
    return rows + [(label, text) for label, text in (("shift", shift), ("remedy", remedy)) if text]


def _system(finding: Finding, shift: Shift) -> str:
    """Name the system of a shift where there are several."""
    return f" ({shift.system})" if len({each.system for each in finding.shifts}) > 1 else ""


def _names(tables: list[Judgments | Results]) -> list[str]:
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
