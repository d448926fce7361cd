"""JUnit XML, as build servers read it: suites of test cases."""

import re
from collections.abc import Iterable
from typing import NamedTuple
from xml.etree import ElementTree

from idealrank.errors import visible_lines

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot contain."""


class JUnitCase(NamedTuple):
    """One test case: its suite, its name, how it ended (``""``, ``failure``, ``error`` or ``skipped``), and why."""

    suite: str
    name: str
    ended: str
    message: str
    details: str = ""


def junit(cases: Iterable[JUnitCase]) -> str:
    """Write test cases, one suite after the other."""
    suites: dict[str, list[JUnitCase]] = {}
    for case in cases:
        suites.setdefault(case.suite, []).append(case)
    root = ElementTree.Element("testsuites")
    for name, members in suites.items():
        suite = ElementTree.SubElement(root, "testsuite", {"name": _clean(name), **_count_outcomes(members)})
        for case in members:
            _add_case(suite, case)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _count_outcomes(cases: list[JUnitCase]) -> dict[str, str]:
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    return {
        "tests": str(len(cases)),
        **{name: str(sum(case.ended == kind for case in cases)) for name, kind in kinds.items()},
        "time": "0",
    }


def _add_case(suite: ElementTree.Element, case: JUnitCase) -> None:
    names = {"classname": _clean(case.suite), "name": _clean(case.name), "time": "0"}
    element = ElementTree.SubElement(suite, "testcase", names)
    if not case.ended:
        return
    outcome = ElementTree.SubElement(element, case.ended, {"message": _clean(case.message)})
    if case.ended != "skipped":
        outcome.set("type", "idealrank")
        outcome.text = _clean("\n".join(filter(None, (case.message, case.details))))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("�", visible_lines(text))
