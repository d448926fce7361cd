"""The pytest plugin: a fixture `relevance`, and --relevance-update. It does nothing until one of them is used.

Imports are inside the functions: pytest loads this file in every run of anybody's tests.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

if TYPE_CHECKING:
    from idealrank.evaluation.scores import Scores
    from idealrank.regression.outcome import Gate

FOLDER = "relevance_baselines"
"""The folder of the baselines, next to the test's file."""

_ACCEPT = "To accept the current values, run pytest --relevance-update."
_WRITTEN = "relevance_baseline"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --relevance-update."""
    parser.getgroup("idealrank").addoption(
        "--relevance-update",
        action="store_true",
        help="accept the current values of tests with the fixture `relevance` as their baselines",
    )


@pytest.fixture
def relevance(request: pytest.FixtureRequest) -> Relevance:
    """Assert that relevance did not drop: `relevance.assert_no_regression(judgments, results)`."""
    return Relevance(request.node, bool(request.config.getoption("relevance_update")))


class Relevance:
    """The value of the fixture `relevance`."""

    def __init__(self, item: pytest.Item, update: bool) -> None:
        self._item = item
        self._update = update
        self._asked: set[Path] = set()

    def assert_no_regression(
        self,
        judgments: Any,
        results: Any,
        measures: Sequence[str] | str = "nDCG@10",
        *,
        baseline: Any = None,
        tolerance: float = 0.01,
        alpha: float | None = None,
        name: str = "",
        **options: Any,
    ) -> None:
        """Fail if the mean of a measure dropped by `tolerance` or more, and show the ten queries that lose most.

        Without a baseline, the values of every query are compared with those in a file next to the test, which
        ``pytest --relevance-update`` writes.

        Parameters
        ----------
        judgments, results
            Paths, dataframes, or dicts of dicts, as for `idealrank.evaluate`; one system.
        measures
            One name or several.
        baseline
            Results of the baseline; None: the values stored in the file.
        tolerance
            The smallest drop that fails the test, in units of the measure; 0: any drop.
        alpha
            A drop fails only if its interval at the level 1 - alpha is entirely below 0. Each measure has this level
            to itself, as in `idealrank.gate`.
        name
            Tells apart the baselines of several calls in one test.
        **options
            `convention`, `queries`, `weights`, `only` and answers to decisions, as for `idealrank.evaluate`.

        Raises
        ------
        AssertionError
            If a measure dropped, if there is no baseline, or if it has other queries or decisions.
        """
        __tracebackhide__ = True
        from idealrank.regression.gate import gate

        drops = _drop_conditions(measures, tolerance, alpha)
        if baseline is not None:
            outcome: Gate | None = gate(judgments, baseline, results, fail_if=drops, alpha=alpha, **options)
        else:
            outcome = self._gate_against_file(judgments, results, drops, alpha, name, options)
        if outcome is not None and (text := _describe_regressions(outcome)):
            raise AssertionError(text)

    def _gate_against_file(
        self, judgments: Any, results: Any, drops: list[str], alpha: float | None, name: str, options: dict[str, Any]
    ) -> Gate | None:
        """Compare with the values in the test's file; or write them, and return None."""
        __tracebackhide__ = True
        from idealrank.comparison.conditions import read_conditions
        from idealrank.errors import listed, plural
        from idealrank.evaluation.evaluate import evaluate
        from idealrank.regression.baseline import baseline_of, read_baseline
        from idealrank.regression.baseline_diff import differences
        from idealrank.regression.bless import bless
        from idealrank.regression.gate import gate

        path = self._baseline_path(name)
        scores = evaluate(judgments, results, [each.measure for each in read_conditions(drops, "fail_if")], **options)
        _refuse_measures(scores, len(drops))
        if self._update:
            bless(scores, path)
            self._item.user_properties.append((_WRITTEN, str(path)))
            return None
        if not path.exists():
            raise AssertionError(f"{path}: no baseline yet. {_ACCEPT}")
        kept = read_baseline(path, anew="Write it anew with --relevance-update")
        found = differences(kept, baseline_of(scores))
        unlike = found.refusals
        if found.added:
            unlike.append(
                f"{plural(len(found.added), 'query')} that the baseline does not have: {listed(found.added)}."
            )
        if unlike:
            raise AssertionError("\n".join([f"{path}: the baseline does not match.", *unlike, _ACCEPT]))
        # The file may have measures that this test does not ask for any more; it is not to be guarded by them.
        asked = replace(kept, measures={label: kept.measures[label] for label in scores.labels})
        return gate(scores, asked, fail_if=drops, alpha=alpha)

    def _baseline_path(self, name: str) -> Path:
        """Return the file of the test: its module, class and name, and the name of the call, which must be unique."""
        __tracebackhide__ = True
        from idealrank.errors import UsageError

        test = self._item.nodeid.partition("::")[2].replace("::", ".")
        parts = [self._item.path.stem, test, *([name] if name else [])]
        path = self._item.path.parent / FOLDER / f"{'.'.join(quote(part, safe='[],') for part in parts)}.json"
        if path in self._asked:
            raise UsageError(f"{path}: an earlier call has the same baseline. Give each a name: name='…'.")
        self._asked.add(path)
        return path


def _drop_conditions(measures: Sequence[str] | str, tolerance: float, alpha: float | None) -> list[str]:
    from idealrank.errors import UsageError

    if isinstance(tolerance, bool) or not isinstance(tolerance, (int, float)) or not 0 <= tolerance < math.inf:
        raise UsageError(f"tolerance={tolerance!r}: it must be a number, 0 or more, in units of the measure.")
    if alpha is not None and not 0 < alpha < 1:
        raise UsageError(f"alpha={alpha!r}: it must be between 0 and 1, such as 0.05.")
    names = [measures] if isinstance(measures, str) else list(dict.fromkeys(measures))
    if not names:
        raise UsageError("No measures given. Give at least one, such as nDCG@10.")
    return [f"{measure} drops {float(tolerance):.12g}" for measure in names]


def _refuse_measures(scores: Scores, asked: int) -> None:
    from idealrank.errors import UsageError

    if len(scores.measures) != asked:
        raise UsageError(f"Give one cutoff per measure, and each measure once; found {', '.join(scores.labels)}.")
    for measure in scores.measures:
        if measure.definition.properties.direction == "lower":
            raise UsageError(f"Lower {measure} is better, so a drop is a gain. Assert a limit for its mean instead.")


def _describe_regressions(outcome: Gate) -> str:
    """Write what dropped, or hangs on failed searches, and the queries that lose most; "" where nothing did."""
    from idealrank.comparison.changes import losses_grid
    from idealrank.comparison.conditions import FAILED
    from idealrank.display.blocks import Block, Heading
    from idealrank.display.text import lines

    blocks: list[Block] = []
    for finding in outcome.findings:
        if finding.outcome == FAILED or finding.failed:
            losses = outcome.worst(measure=finding.measure or None)
            blocks.append(Heading("{}", (finding.sentence,)))
            blocks += [losses_grid(losses)] if losses is not None and len(losses) else []
    return "\n".join(lines(blocks, 100))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the baselines that were written."""
    reports = [report for group in terminalreporter.stats.values() for report in group]
    written = {v for r in reports for key, v in getattr(r, "user_properties", ()) if key == _WRITTEN}
    if written:
        terminalreporter.section("relevance baselines written")
        for path in sorted(written):
            terminalreporter.write_line(path)
