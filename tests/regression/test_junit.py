"""JUnit XML as build servers read it."""

from __future__ import annotations

from xml.etree import ElementTree

import idealrank as ir
from tests.regression.worlds import judged, known, ranked

COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def suites(text: str) -> list[ElementTree.Element]:
    """Return the test suites of a document, after checking its shape: names, counts, one ending a case at most."""
    root = ElementTree.fromstring(text.encode())
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
    assert (root.tag, root.attrib) == ("testsuites", {})
    for suite in root:
        assert suite.tag == "testsuite"
        assert set(suite.attrib) == {"name", "tests", "time", *COUNTED}
        assert int(suite.attrib["tests"]) == len(suite)
        for name, tag in COUNTED.items():
            assert int(suite.attrib[name]) == len(suite.findall(f"testcase/{tag}"))
        for case in suite:
            assert case.tag == "testcase"
            assert set(case.attrib) == {"classname", "name", "time"}
            assert len(case) <= 1
            assert all(set(ended.attrib) - {"type"} == {"message"} for ended in case)
    return list(root)


def ended(suite: ElementTree.Element) -> dict[str, str]:
    """Return how each test case ended."""
    return {case.attrib["name"]: case[0].tag if len(case) else "passed" for case in suite}


def test_one_case_a_condition() -> None:
    """Each condition is a test case; one that failed has its message, and the queries that lost most if it drops."""
    asked = {"fail_if": ["RR drops 0.01", "P@3 drops 1%"], "minimum": "P@1>=0.9"}
    found = ir.gate(judged(4), ranked([1] * 4), ranked([2, 1, 1, 1]), **asked)
    (suite,) = suites(found.to_junit())
    assert ended(suite) == {"RR drops 0.01": "failure", "P@3 drops 1%": "passed", "P@1>=0.9": "failure"}
    dropped, low = suite.findall("testcase/failure")
    assert dropped.attrib["message"] == found.findings[0].sentence
    assert dropped.text is not None
    assert dropped.text.splitlines()[1].startswith("q000: 1.0000 → 0.5000 (−0.5000); d (1) 1→2")
    assert low.text == low.attrib["message"] == "P@1 is 0.7500 over 4 queries, not >= 0.9"


def test_what_cannot_be_told() -> None:
    """A condition nobody can tell is skipped with its sentence; under `strict` it is an error."""
    before, after = ranked([1] * 9 + [2]), ranked([1] * 8 + [2, 1])
    for strict, tag in ((False, "skipped"), (True, "error")):
        found = ir.gate(judged(10), before, after, fail_if="RR drops 0.01", strict=strict)
        (suite,) = suites(found.to_junit())
        assert ended(suite) == {"RR drops 0.01": tag}
        assert suite[0][0].attrib["message"] == found.findings[0].sentence


def test_a_comparison() -> None:
    """DON'T is a failure, CAN'T TELL is skipped, the others pass; a guardrail that loses is a failure of its own."""
    systems = {
        "base": ranked([2] * 12),
        "better": ranked([1] * 12),
        "worse": ranked([8] * 12),
        "same": ranked([2] * 12),
        "unsure": ranked([1, 3, 1, 3, 2, 2] * 2),
    }
    compared = ir.compare(known(12), systems, ["RR", "P@2"], baseline="base")
    found = {suite.attrib["name"].split()[0]: ended(suite) for suite in suites(compared.to_junit())}
    tags = {"SHIP": "passed", "DON'T": "failure", "CAN'T TELL": "skipped", "ABOUT THE SAME": "passed"}
    assert {verdict.outcome for verdict in compared.verdict.values()} == set(tags)
    assert {n: cases["RR"] for n, cases in found.items()} == {n: tags[v.outcome] for n, v in compared.verdict.items()}
    assert found["better"] == {"RR": "passed", "P@2": "passed"}
    assert found["worse"] == {"RR": "failure", "P@2": "failure"}
    assert found["same"] == {"RR": "passed", "P@2": "passed"}


def test_a_guardrail_has_its_tolerance() -> None:
    """A guardrail that loses no more than its tolerance passes; the failure of one that loses more says a loss."""
    systems = {"base": ranked([1] * 12), "new": ranked([2] * 12)}
    for tolerance, tag in ((0.4, "failure"), (0.6, "passed")):
        compared = ir.compare(known(12), systems, ["P@2", "RR"], tolerance=tolerance)
        assert ended(suites(compared.to_junit())[0])["RR"] == tag
        said = 'message="RR gets worse by 0.50 in every query, more than the 0.4 allowed"'
        assert (said in compared.to_junit()) == (tag == "failure")


def test_names_of_any_kind() -> None:
    """Names with signs of XML, or that XML cannot hold, make a document all the same."""
    systems = {"a<&\">'": ranked([1, 2, 1]), "b\x01]]>\ud7ff": ranked([2, 1, 2])}
    (suite,) = suites(ir.compare(judged(3), systems, ["RR"]).to_junit())
    assert suite.attrib["name"] == "b\\x01]]>\ud7ff instead of a<&\">'"


def test_odd_results_are_named() -> None:
    """Where odd results leave a condition in doubt, its message says what is odd, as the verdict of compare does."""
    judged = {f"q{i:02}": {f"d{k}": int(k % 3 == 1) for k in range(1, 11)} for i in range(40)}

    def rows(begin: int) -> list[dict[str, object]]:
        return [{"query": q, "doc": f"d{rank}", "rank": rank} for q in judged for rank in range(begin, 11)]

    found = ir.gate(judged, rows(2), rows(1), fail_if="nDCG@10 drops 0.01").to_junit()
    assert "Warning: baseline: the results of 40 of 40 queries begin at rank 2" in found
