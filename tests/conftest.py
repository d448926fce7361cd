"""What all tests share: the account of what the oracles compared."""

from __future__ import annotations

from collections import Counter

import pytest

COMPARED = pytest.StashKey[Counter[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Start the account."""
    config.stash[COMPARED] = Counter()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print one line per oracle: name, version, values compared."""
    compared = config.stash[COMPARED]
    if compared:
        terminalreporter.section("oracles")
        for oracle, values in sorted(compared.items()):
            terminalreporter.write_line(f"{oracle:<28} {values:>9,} values compared")
