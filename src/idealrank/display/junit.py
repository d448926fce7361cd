"""JUnit XML, as build servers read it: one test case a condition, or a system and measure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree

from idealrank.comparison.gate import finding as gated
from idealrank.comparison.moves import losses_with_moves
from idealrank.comparison.rule import CANT_TELL, DONT

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison
    from idealrank.comparison.gate.outcome import Gate
    from idealrank.display.table import Table

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold."""


class Case(NamedTuple):
    """One test case: its suite, its name, how it ended (``""``, ``failure``, ``error`` or ``skipped``), and why."""

    suite: str
    name: str
    ended: str
    message: str
    details: str = ""


def gate_junit(gate: Gate) -> str:
    """Write one test case a condition; what can't be told is skipped, or an error where `strict`."""
    doubt = "error" if gate.strict else "skipped"
    ended = {gated.PASSED: "", gated.FAILED: "failure", gated.CANT_TELL: doubt}
    return _written(
        Case("idealrank gate", f.condition, ended[f.outcome], f.sentence, _details(gate, f)) for f in gate.findings
    )


def _details(gate: Gate, found: gated.Finding) -> str:
    """Return the queries that lose most under the measure of a drop."""
    table = gate.worst(measure=found.measure) if found.kind == "drop" else None
    return "" if table is None else worst_text(table)


def comparison_junit(comparison: Comparison) -> str:
    """Write a test suite a pair of systems: the verdict under the first measure, then each guardrail."""
    return _written(case for name in comparison.verdict for case in _cases(comparison, name))


def _cases(comparison: Comparison, name: str) -> Iterable[Case]:
    verdict = comparison.verdict[name]
    ended = {DONT: "failure", CANT_TELL: "skipped"}.get(verdict.outcome, "")
    suite = f"{verdict.system} instead of {verdict.baseline}"
    first, *others = comparison.scores.labels
    yield Case(suite, first, ended, verdict.sentence, worst_text(losses_with_moves(comparison, system=name)))
    for label in others:
        contrast = comparison[label, name]
        tolerated = comparison.rule.tolerated(label)
        lost = contrast.direction != "count" and contrast.gain.high < -tolerated
        said = f"{label} improves by {contrast.improvement:+.4f}, wholly below its tolerance {0 - tolerated:g}"
        yield Case(suite, label, ended if lost else "", said)


def worst_text(table: Table) -> str:
    """Write the queries that lose most, one a line."""
    return "\n".join(
        f"{row['query']}: {row['baseline value']:.4f} → {row['value']:.4f} ({row['difference']:+.4f})"
        + (f"; {row['moves']}" if row["moves"] else "")
        for row in table
    )


def _written(cases: Iterable[Case]) -> str:
    suites: dict[str, list[Case]] = {}
    for case in cases:
        suites.setdefault(case.suite, []).append(case)
    root = ElementTree.Element("testsuites")
    for name, found in suites.items():
        suite = ElementTree.SubElement(root, "testsuite", {"name": _clean(name), **_counts(found)})
        for case in found:
            _add(suite, case)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _counts(cases: list[Case]) -> dict[str, str]:
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    return {
        "tests": str(len(cases)),
        **{name: str(sum(case.ended == kind for case in cases)) for name, kind in kinds.items()},
        "time": "0",
    }


def _add(suite: ElementTree.Element, case: Case) -> None:
    names = {"classname": _clean(case.suite), "name": _clean(case.name), "time": "0"}
    element = ElementTree.SubElement(suite, "testcase", names)
    if not case.ended:
        return
    said = ElementTree.SubElement(element, case.ended, {"message": _clean(case.message)})
    if case.ended != "skipped":
        said.set("type", "idealrank")
        said.text = _clean("\n".join(filter(None, (case.message, case.details))))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("�", text)
