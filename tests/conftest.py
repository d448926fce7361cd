"""What all tests share: the width they print in, and the account of what was compared and what was not tested."""

from __future__ import annotations

import gc
import itertools
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import tests.amounts  # noqa: F401 (registers the profiles)
from tests.costs import Costs

gc.disable()  # until everything is collected: the heap of 16,000 tests grows, and nothing in it is garbage

# Every process that shares the tests has a core; threads of a library that wait for one another would only spin.
for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(library, "1")

HEAVY = Path(__file__).with_name("heavy")

COMPARED = pytest.StashKey[Counter[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take how far the sweep of the measures goes, or the name of the one measure to sweep."""
    parser.addoption("--costs", type=Path, help="write what the folders' tests cost to this table")
    parser.addoption("--measure", help="run the tests of this measure alone: its promises, and what it reads")
    parser.addoption(
        "--ring",
        choices=["first", "last", "all"],
        default="first",
        help="first: what needs no server, browser, Java or large library; last: all else, in full; all: both, in full",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out tests/heavy, whose imports the first ring does not install, unless a path in it is asked for."""
    if collection_path != HEAVY or config.getoption("ring") != "first":
        return None
    asked = (Path(config.invocation_params.dir, argument.partition("::")[0]) for argument in config.args)
    return not any(path.resolve().is_relative_to(HEAVY) for path in asked)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of the ring, and of the measure asked for."""
    ring, measure = config.getoption("ring"), config.getoption("measure")
    wanted = [in_ring(item, ring) and measure in (None, _measure_of(item)) for item in items]
    config.hook.pytest_deselected(items=[item for item, kept in zip(items, wanted, strict=True) if not kept])
    items[:] = itertools.compress(items, wanted)


def in_ring(item: pytest.Item, ring: str) -> bool:
    """Return whether a test belongs to a ring; one that counts by tests/amounts.py tries more in the last."""
    if item.path.is_relative_to(HEAVY):
        return True  # collected only where it is wanted
    heavy = item.get_closest_marker("heavy") is not None
    if ring == "last":
        names = vars(getattr(item, "module", None) or object).values()
        return heavy or any(getattr(value, "__module__", "") == "tests.amounts" for value in names)
    return ring == "all" or not heavy


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let no search for garbage walk through the tests and modules there are: they stay to the end."""
    gc.freeze()
    gc.enable()


def _measure_of(item: pytest.Item) -> str:
    """Return the name of the measure a test is run for; empty where there is none."""
    definition = getattr(item, "callspec", None) and item.callspec.params.get("definition")  # type: ignore[attr-defined]
    return str(getattr(definition, "name", ""))


def pytest_configure(config: pytest.Config) -> None:
    """Start the account; print as into a file, for a process that shares the tests is told a width of 80."""
    os.environ.pop("COLUMNS", None)
    settings.load_profile("whole" if config.getoption("ring") != "first" else "quarter")
    config.stash[COMPARED] = Counter()
    config.pluginmanager.register(Costs(None if hasattr(config, "workerinput") else config.getoption("costs")))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where several processes share the tests, hand this one's account to the first."""
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["compared"] = dict(session.config.stash[COMPARED])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add up the accounts; a process that died hands over none."""
    node.config.stash[COMPARED].update(getattr(node, "workeroutput", {}).get("compared", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print one line per oracle (name, version, values compared), and one for everything that was not tested."""
    compared = config.stash[COMPARED]
    if compared:
        terminalreporter.section("oracles")
        for oracle, values in sorted(compared.items()):
            terminalreporter.write_line(f"{oracle:<28} {values:>9,} values compared")
    if config.getoption("ring") == "first":
        terminalreporter.write_line(
            "The last ring was left out: servers, browsers, large libraries, long sweeps. make test-all runs it."
        )
    for line in sorted(_not_tested(terminalreporter.stats.get("skipped", []))):
        terminalreporter.write_line(line, red=True, bold=True)


def _not_tested(skipped: list[Any]) -> set[str]:
    """Return the reasons that begin with NOT TESTED: what a whole machine lacks, not one test."""
    reasons = (report.longrepr[2].removeprefix("Skipped: ") for report in skipped if isinstance(report.longrepr, tuple))
    return {reason for reason in reasons if reason.startswith("NOT TESTED")}
