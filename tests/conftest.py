"""What all tests share: the width they print in, and the account of what was compared and what was not tested."""

from __future__ import annotations

import gc
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

COMPARED = pytest.StashKey[Counter[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take how far the sweep of the measures goes, or the name of the one measure to sweep."""
    parser.addoption("--costs", type=Path, help="write what the folders' tests cost to this table")
    parser.addoption("--measure", help="run the tests of this measure alone: its promises, and what it reads")
    parser.addoption(
        "--all-answers", action="store_true", help="try all pairs of a measure and an answer, all examples"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of the measure asked for."""
    wanted = config.getoption("measure")
    if wanted is not None:
        kept = [item for item in items if _measure_of(item) == wanted]
        config.hook.pytest_deselected(items=[item for item in items if _measure_of(item) != wanted])
        items[:] = kept


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
    settings.load_profile("whole" if config.getoption("all_answers") else "quarter")
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
    for line in sorted(_not_tested(terminalreporter.stats.get("skipped", []))):
        terminalreporter.write_line(line, red=True, bold=True)


def _not_tested(skipped: list[Any]) -> set[str]:
    """Return the reasons that begin with NOT TESTED: what a whole machine lacks, not one test."""
    reasons = (report.longrepr[2].removeprefix("Skipped: ") for report in skipped if isinstance(report.longrepr, tuple))
    return {reason for reason in reasons if reason.startswith("NOT TESTED")}
