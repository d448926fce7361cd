"""The pytest plugin: inert, a fixture, and baselines kept in a file."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import idealrank as ir

pytest_plugins = ["pytester"]

PLUGIN = "idealrank.integrations.pytest_plugin"
HEAVY = (
    "numpy",
    "scipy",
    "idealrank._core",
    "idealrank.evaluation.evaluate",
    "idealrank.regression",
    "idealrank.errors",
)
WORLD = """
import json, pathlib
JUDGMENTS = {f"q{i:02}": {"d": 1} for i in range(20)}
def ranked(worse=0):
    return {q: ({"x": 2.0, "d": 1.0} if i < worse else {"d": 2.0, "x": 1.0}) for i, q in enumerate(JUDGMENTS)}
WORSE = json.loads(pathlib.Path(__file__).with_name("worse.json").read_text())
"""
ONE = """
def test_search(relevance):
    relevance.assert_no_regression(JUDGMENTS, ranked(WORSE), ["RR", "nDCG@10"])
"""


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """Load what a comparison needs: a module with code in C cannot be loaded again after a run in this process."""
    judgments = {f"q{i}": {"d": 1, "e": 2} for i in range(8)}
    results = {q: {"d": 2.0, "e": 1.0} for q in judgments}
    ir.compare(judgments, {"a": results, "b": results | {"q0": {"e": 2.0, "d": 1.0}}}, ["nDCG@10", "RR"])


def project(pytester: pytest.Pytester, tests: str, worse: int = 0) -> None:
    """Write a file of tests about results in which so many queries are worse."""
    pytester.makepyfile(test_shop=WORLD + tests)
    worsened(pytester, worse)


def worsened(pytester: pytest.Pytester, worse: int) -> None:
    """Let so many queries be worse from now on."""
    (pytester.path / "worse.json").write_text(json.dumps(worse))


def ran(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """Run the tests with the plugin, in this process, which has loaded what a comparison needs."""
    return pytester.runpytest_inprocess("-p", PLUGIN, "-p", "no:cacheprovider", "-p", "no:hypothesispytest", *words)


def ran_apart(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """Run the tests with the plugin in a process of their own."""
    return pytester.runpytest_subprocess("-p", PLUGIN, "-p", "no:cacheprovider", *words)


def test_the_entry_point() -> None:
    """The project names the plugin to pytest, under the module's own name: so `-p` loads it no second time."""
    whole = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert whole["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}
    assert whole["optional-dependencies"]["pytest"] == ["pytest>=8"]


@pytest.mark.heavy
def test_it_is_inert() -> None:
    """Importing the plugin imports nothing heavy."""
    code = f"import sys, {PLUGIN}; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""


@pytest.mark.heavy
def test_tests_that_do_not_ask_for_it(pytester: pytest.Pytester) -> None:
    """A run that does not use the fixture imports nothing heavy and says nothing of it."""
    pytester.makepyfile(test_plain=f"import sys\ndef test_it():\n    assert not set({HEAVY!r}) & set(sys.modules)\n")
    found = ran_apart(pytester)
    found.assert_outcomes(passed=1)
    found.stdout.no_fnmatch_line("*relevance*")
    assert not (pytester.path / "relevance_baselines").exists()


def test_its_life(pytester: pytest.Pytester) -> None:
    """No baseline is an error that says how to accept one; accepted, the same passes, worse fails until accepted."""
    project(pytester, ONE)
    found = ran(pytester)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*test_shop.test_search.json: no baseline yet.*--relevance-update*"])

    found = ran(pytester, "--relevance-update")
    found.assert_outcomes(passed=1)
    found.stdout.fnmatch_lines(["*relevance baselines written*", "*test_shop.test_search.json"])
    ran(pytester).assert_outcomes(passed=1)

    worsened(pytester, 12)
    found = ran(pytester)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(
        [
            "*AssertionError: RR drops by 0.3000, from 1.0000 to 0.7000; the limit is 0.01",
            "*queries that lose most under RR",
            "*query  baseline value   value  difference",
            "*q00            1.0000  0.5000     −0.5000",
            "*q09            1.0000  0.5000     −0.5000",
            "*nDCG@10 drops by 0.2214, from 1.0000 to 0.7786; the limit is 0.01",
        ]
    )
    found.stdout.no_fnmatch_line("*q10 *")
    found.stdout.no_fnmatch_line("*in assert_no_regression*")

    ran(pytester, "--relevance-update").assert_outcomes(passed=1)
    ran(pytester).assert_outcomes(passed=1)


def test_the_file_is_readable(pytester: pytest.Pytester) -> None:
    """The baseline is JSON with the decisions and one line a query, by id; writing it again changes no byte."""
    project(pytester, ONE, worse=1)
    ran(pytester, "--relevance-update")
    file = pytester.path / "relevance_baselines" / "test_shop.test_search.json"
    before = file.read_bytes()
    lines = before.decode().split("\n")
    assert b"\r" not in before
    rows = [line for line in lines if line.startswith('    "q')]
    assert [line[5:8] for line in rows] == [f"q{i:02}" for i in range(20)]
    assert rows[0].startswith('    "q00": {"values": {"RR": 0.5, "nDCG@10": 0.6309297535714575}, "results": 2, ')
    assert rows[1].startswith('    "q01": {"values": {"RR": 1.0, "nDCG@10": 1.0}, "results": 2, ')
    whole = json.loads(before)
    assert list(whole["queries"]) == [f"q{i:02}" for i in range(20)]
    assert whole["measures"]["nDCG@10"].startswith("nDCG[raters=median, ")
    ran(pytester, "--relevance-update")
    assert file.read_bytes() == before


def test_alpha_is_that_of_the_gate_for_each_measure(pytester: pytest.Pytester) -> None:
    """Six of 20 queries lose, none gains: over all flips of signs p is 2/2⁶ = 0.031, so alpha=0.05 fails both."""
    project(pytester, ONE.replace('"nDCG@10"]', '"nDCG@10"], alpha=0.05'))
    ran(pytester, "--relevance-update").assert_outcomes(passed=1)
    worsened(pytester, 6)
    result = ran(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*RR drops by 0.1500*", "*nDCG@10 drops by*"])


def test_a_small_drop_is_tolerated_and_alpha_asks_for_evidence(pytester: pytest.Pytester) -> None:
    """One query of 20 loses a half: a drop of 0.025, tolerated from 0.03 on, and no evidence at α = 0.05."""
    project(
        pytester,
        """
def test_tight(relevance):
    relevance.assert_no_regression(JUDGMENTS, ranked(WORSE), "RR", tolerance=0.025)
def test_loose(relevance):
    relevance.assert_no_regression(JUDGMENTS, ranked(WORSE), "RR", tolerance=0.03)
def test_alpha(relevance):
    relevance.assert_no_regression(JUDGMENTS, ranked(WORSE), "RR", tolerance=0, alpha=0.05)
def test_none(relevance):
    relevance.assert_no_regression(JUDGMENTS, ranked(WORSE), "RR", tolerance=0)
""",
    )
    ran(pytester, "--relevance-update").assert_outcomes(passed=4)
    ran(pytester).assert_outcomes(passed=4)
    worsened(pytester, 1)
    found = ran(pytester)
    found.assert_outcomes(passed=2, failed=2)
    found.stdout.fnmatch_lines(["FAILED *::test_tight*", "FAILED *::test_none*"])
    worsened(pytester, 10)
    ran(pytester).assert_outcomes(failed=4)


def test_results_as_the_baseline(pytester: pytest.Pytester) -> None:
    """With the baseline's results no file is kept, and the message has the rank moves."""
    project(
        pytester,
        """
def test_search(relevance):
    relevance.assert_no_regression(JUDGMENTS, ranked(WORSE), "RR", baseline=ranked())
""",
        worse=2,
    )
    found = ran(pytester)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*RR drops by 0.0500*", "*q01         d (1) 1→2; x (–) 2→1"])
    assert not (pytester.path / "relevance_baselines").exists()


def test_failed_searches_fail(pytester: pytest.Pytester) -> None:
    """Where a search failed, and its result could make the mean drop, the test fails, whatever the baseline is."""
    project(
        pytester,
        """
def test_search(relevance):
    rows = [(q, "d", "ok") if i else (q, None, "timeout") for i, q in enumerate(JUDGMENTS)]
    after = dict(zip(("query", "doc", "status"), map(list, zip(*rows))))
    relevance.assert_no_regression(JUDGMENTS, after, "RR", tolerance=0.03, baseline=ranked())
""",
    )
    found = ran(pytester)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*the search failed for 1 query (q00), and at their worst*"])


def test_other_queries_or_decisions(pytester: pytest.Pytester) -> None:
    """A baseline of other queries, measures or decisions is not compared with: the message says what differs."""
    project(
        pytester,
        """
def test_queries(relevance):
    judged = {q: d for q, d in JUDGMENTS.items() if not WORSE or q > "q04"} | ({"new": {"d": 1}} if WORSE else {})
    relevance.assert_no_regression(judged, ranked(), "RR")
def test_measures(relevance):
    relevance.assert_no_regression(JUDGMENTS, ranked(), "P@1" if WORSE else "RR")
def test_decisions(relevance):
    relevance.assert_no_regression(JUDGMENTS, ranked(), "RR", no_results="skip" if WORSE else "0")
""",
    )
    ran(pytester, "--relevance-update").assert_outcomes(passed=3)
    worsened(pytester, 1)
    found = ran(pytester)
    found.assert_outcomes(failed=3)
    found.stdout.fnmatch_lines(
        [
            "*5 queries of the baseline not judged now, or not asked for: q00, q01, q02 and 2 more.",
            "*1 query that the baseline does not have: new.",
            "*The baseline has no values of P@1, only of RR.",
            "*RR was computed with other decisions: no_results was 0 and is skip.",
        ]
    )


def test_a_file_that_is_no_baseline(pytester: pytest.Pytester) -> None:
    """A file with the marks of a merge is told as one that is no baseline, and can be written anew."""
    project(pytester, ONE)
    ran(pytester, "--relevance-update")
    file = pytester.path / "relevance_baselines" / "test_shop.test_search.json"
    file.write_text("<<<<<<< ours\n" + file.read_text())
    found = ran(pytester)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(
        ["*test_shop.test_search.json line 1: not a baseline: *Write it anew with --relevance-update."]
    )
    ran(pytester, "--relevance-update").assert_outcomes(passed=1)


def test_one_file_a_test(pytester: pytest.Pytester) -> None:
    """Each test, parameter and named call has a file of its own; two calls of one name are refused."""
    project(
        pytester,
        """
import pytest
class TestShop:
    @pytest.mark.parametrize("engine", ["a/b", "a_b", "ä"])
    def test_it(self, relevance, engine):
        relevance.assert_no_regression(JUDGMENTS, ranked(), "RR")
def test_named(relevance):
    for name in ("head", "tail"):
        relevance.assert_no_regression(JUDGMENTS, ranked(), "RR", name=name)
def test_twice(relevance):
    for _ in range(2):
        relevance.assert_no_regression(JUDGMENTS, ranked(), "RR")
""",
    )
    found = ran(pytester, "--relevance-update")
    found.assert_outcomes(passed=4, failed=1)
    found.stdout.fnmatch_lines(["*an earlier call has the same baseline. Give each a name*"])
    names = sorted(path.name for path in (pytester.path / "relevance_baselines").iterdir())
    assert len(names) == 6
    assert names[0] == "test_shop.TestShop.test_it[%5Cxe4].json"
    assert names[1:3] == ["test_shop.TestShop.test_it[a%2Fb].json", "test_shop.TestShop.test_it[a_b].json"]
    assert names[3:5] == ["test_shop.test_named.head.json", "test_shop.test_named.tail.json"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('"ARP"', "Lower ARP is better, so a drop is a gain"),
        ('"nDCG@5,10"', "Give one cutoff per measure"),
        ('"RR", tolerance=-1', "tolerance=-1: it must be a number, 0 or more"),
        ('"RR", alpha=2', "alpha=2: it must be between 0 and 1"),
        ("[]", "No measures given"),
        ('"NDGC"', "Did you mean nDCG?"),
    ],
)
def test_what_is_refused(call: str, said: str, tmp_path: Path) -> None:
    """A call that cannot be answered is told as everywhere."""
    from types import SimpleNamespace
    from typing import Any

    from idealrank.errors import UsageError
    from idealrank.integrations.pytest_plugin import Relevance

    item: Any = SimpleNamespace(nodeid="test_a.py::test_b", path=tmp_path / "test_a.py", user_properties=[])
    relevance, lists = Relevance(item, update=False), {"q": {"d": 1}}
    with pytest.raises(UsageError) as refused:
        eval(f"relevance.assert_no_regression(lists, lists, {call})", {"relevance": relevance, "lists": lists})
    assert said in str(refused.value)
