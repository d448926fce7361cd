"""What the tests cost: processor seconds and cases by folder and ring. `make durations` writes tests/durations.tsv."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest


class Costs:
    """Measures each test where it runs, and adds up by folder where the reports arrive."""

    def __init__(self, table: Path | None) -> None:
        self.table = table
        self.mark = processor()
        self.seconds: Counter[str] = Counter()
        self.cases: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """Begin to count."""
        self.mark = processor()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[pytest.TestReport]:
        """Hand over what the phase took: a shared fixture counts for the test that first asks for it."""
        report: Any = yield
        now = processor()
        report.processor, self.mark = now - self.mark, now
        return report

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Add up."""
        folder = str(PurePosixPath(report.nodeid.partition("::")[0]).parent)
        self.seconds[folder] += getattr(report, "processor", 0.0)
        self.tests[report.nodeid] += getattr(report, "processor", 0.0)
        self.cases[folder] += report.when == "call"

    def pytest_sessionfinish(self) -> None:
        """Write the table."""
        if self.table is None:
            return
        rows = [f"{folder}\t{self.seconds[folder]:.1f}\t{self.cases[folder]}" for folder in sorted(self.seconds)]
        total = f"all\t{self.seconds.total():.1f}\t{self.cases.total()}"
        self.table.write_text("\n".join(["folder\tprocessor seconds\tcases", *rows, total, ""]), "utf-8")
        each = [f"{seconds:.2f}\t{test}" for test, seconds in self.tests.most_common()]
        self.table.with_suffix(".each.tsv").write_text("\n".join([*each, ""]), "utf-8")


def processor() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])
