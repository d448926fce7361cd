"""Simulate, print the tables, and write them into docs/statistics.md: `make calibrate`, some twenty minutes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from idealrank.statistics.intervals import INTERVALS
from idealrank.statistics.paired_tests import TESTS
from idealrank.statistics.quantiles import QUANTILES
from tests.calibration.choices import WAYS, shipped
from tests.calibration.distributions import ALIKE, BOUNDED, CHANGES, DIFFERENCES, FAMILY_VALUES, LOSSES, SHAPES, VALUES
from tests.calibration.latencies import TIMES, quantile_coverage
from tests.calibration.ranks import KINDS, rank_coverage
from tests.calibration.shares import (
    FAMILIES,
    bounded_coverage,
    coverage,
    false_families,
    false_segments,
    rejections,
    weighted_coverage,
)
from tests.calibration.verdicts import (
    ALPHA,
    NAMED,
    SPREAD,
    alike,
    failed_builds,
    followed,
    kept,
    one_measure,
    shares,
    student_ships,
    tied,
)

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
RUNS, EXACT_RUNS, FAMILY_RUNS, DRAWS = 2_000, 20_000, 1_000, 999
QUERIES = (10, 30, 50, 100, 300)
FEWER = (10, 30, 100)
LEAST = 0.93
UNBOUNDED = tuple(name for name in INTERVALS if name != "betting")
SEGMENTED, SEGMENT_RUNS = (50, 100, 200), 500
RANKED, MANY, RANK_RUNS = (30, 50, 100, 300), (3, 10, 30), 200
TIMED = (40, 100, 200, 500)
BUILDS = (25, 50, 200)
JUDGED, SHAPED, ALL_ALIKE, BEGUN, LOOKS = (
    (10, 25, 50, 200),
    (10, 25, 50, 100, 200),
    (50, 100, 200, 500),
    (25, 50, 100),
    5,
)
VERDICT_RUNS, CHOICE_RUNS = 200, 400
"""Each calls `ir.compare`, some 40 ms."""
TUNED = (50, 100, 200)
MEASURES = {"one named": NAMED[:1], "none named: five": None, "three named": NAMED[:3], "ten named": NAMED}
SPREADS = {
    0.5: "weights: log-normal, the top tenth has a fifth",
    1.0: "weights: log-normal, the top tenth has two fifths",
}


def percent(share: float, low: float = 0.0, high: float = 1.0) -> str:
    """Write a share, bold outside the bounds."""
    text = f"{100 * share:.1f}"
    return text if low <= share <= high else f"**{text}**"


def line(cells: list[str]) -> str:
    """Write a row of a table."""
    return f"| {' | '.join(cells)} |"


def head(first: list[str], numbers: tuple[int, ...]) -> list[str]:
    """Write the first two rows of a table."""
    return [line([*first, *(f"n = {n}" for n in numbers)]), "|" + "---|" * len(first) + "---:|" * len(numbers)]


def coverage_table() -> Iterator[str]:
    """Yield how often intervals of 95 % hold the mean."""
    yield from head(["interval", "values"], QUERIES)
    for method in UNBOUNDED:
        runs = EXACT_RUNS if method == "student_t" else RUNS
        for values in VALUES:
            shares = [coverage(method, values, n, runs, DRAWS) for n in QUERIES]
            yield line([f"`{method}`", values.name, *(percent(share, low=LEAST) for share in shares)])
    for spread, words in SPREADS.items():
        shares = [weighted_coverage(spread, n, EXACT_RUNS) for n in QUERIES]
        yield line(["`student_t`", f"normal; {words}", *(percent(share, low=LEAST) for share in shares)])


def quantile_table() -> Iterator[str]:
    """Yield how often intervals of 95 % contain the true difference of a quantile of latencies."""
    yield from head(["latencies", "quantile"], TIMED)
    for times in TIMES:
        found = [quantile_coverage(times, n, FAMILY_RUNS, DRAWS) for n in TIMED]
        for place, name in enumerate(QUANTILES):
            shares = [each[place] for each in found]
            yield line([times, name, *("–" if share != share else percent(share, low=LEAST) for share in shares)])


def bounded_table() -> Iterator[str]:
    """Yield how often intervals of 95 % contain the mean of values between two bounds."""
    yield from head(["interval", "values"], FEWER)
    for method in ("student_t", "betting"):
        for values, bounds in BOUNDED:
            shares = [bounded_coverage(method, values, bounds, n, RUNS) for n in FEWER]
            yield line([f"`{method}`", values.name, *(percent(share, low=LEAST) for share in shares)])


def verdict_table() -> Iterator[str]:
    """Yield how often a verdict is wrong, and how often a gain is shipped, by the measures there are."""
    yield from head(["true change", "measures", "verdict"], JUDGED)
    for truth, gain in (("none", 0.0), ("the first gains 0.4 deviations", 0.4)):
        for words, names in MEASURES.items():
            found = [shares(names, alike(gain), n, VERDICT_RUNS, DRAWS) for n in JUDGED]
            ships = [each.get("SHIP", 0.0) for each in found]
            wrong = [each.get("DON'T", 0.0) + ship * (gain == 0) for each, ship in zip(found, ships, strict=True)]
            if gain:
                yield line([truth, words, "SHIP", *map(percent, ships)])
            yield line([truth, words, "DON'T" if gain else "SHIP or DON'T", *map(percent, wrong)])


def shape_table() -> Iterator[str]:
    """Yield how often SHIP is said, by the shape of the differences."""
    yield from head(["differences", "said by"], SHAPED)
    for drawn in SHAPES:
        alone = [student_ships(drawn.draw, n, EXACT_RUNS) for n in SHAPED]
        yield line([drawn.name, "Student's t alone", *map(percent, alone)])
        told = [shares(NAMED[:1], one_measure(drawn.draw), n, VERDICT_RUNS, DRAWS).get("SHIP", 0.0) for n in SHAPED]
        yield line([drawn.name, "the verdict", *map(percent, told)])


def same_table() -> Iterator[str]:
    """Yield how often ABOUT THE SAME is said, by what is true."""
    yield from head(["differences"], ALL_ALIKE)
    for drawn in ALIKE:
        found = [shares(NAMED[:1], one_measure(drawn.draw), n, VERDICT_RUNS, DRAWS) for n in ALL_ALIKE]
        yield line([drawn.name, *(percent(each.get("ABOUT THE SAME", 0.0)) for each in found)])


def look_table() -> Iterator[str]:
    """Yield how often SHIP is said after looking again and again, with as many more queries as advised."""
    yield from head(["true gain", "each look"], BEGUN)
    for effect in (0.0, 0.2):
        for words, planned in (("at 95 %", False), (f"`looks={LOOKS}`", True)):
            ships = [followed(effect, n, LOOKS, VERDICT_RUNS, planned=planned)[0] for n in BEGUN]
            yield line([f"{effect:g} deviations", words, *map(percent, ships)])


def advice_table() -> Iterator[str]:
    """Yield how often an open comparison is settled by the queries advised."""
    yield from head(["differences", "true gain before", "true gain after"], BEGUN)
    for words, draw in (("normal", alike()), ("seven in ten tie", tied)):
        for effect in (0.0, 0.1, 0.2):
            found = [kept(draw, effect, n, VERDICT_RUNS) for n in BEGUN]
            for name, after in (("seen", "the one seen"), ("none", "none")):
                shown = ("–" if each[name] != each[name] else percent(each[name]) for each in found)
                yield line([words, f"{effect * SPREAD:g}", after, *shown])


def choice_table() -> Iterator[str]:
    """Yield how often the best of several systems is shipped, by the queries it is tested on."""
    yield from head(["true gain", "the best system is tested"], TUNED)
    for gain, words in ((0.0, "none"), (0.4, "0.4 deviations, of one system")):
        for name, way in WAYS.items():
            ships = [shipped(n, gain, CHOICE_RUNS, DRAWS, **way) for n in TUNED]
            yield line([words, name, *map(percent, ships)])


def size_table() -> Iterator[str]:
    """Yield how often tests at 5 % reject a mean difference of 0."""
    yield from head(["test", "differences"], FEWER)
    for test in TESTS:
        for differences in DIFFERENCES:
            shares = [rejections(test, differences, n, RUNS, DRAWS) for n in FEWER]
            yield line([f"`{test}`", differences.name, *(percent(share, high=0.065) for share in shares)])


def family_table() -> Iterator[str]:
    """Yield how often families of tests at 5 % have a false rejection."""
    yield from head(["family", "values"], FEWER)
    for name in FAMILIES:
        for kind, values in FAMILY_VALUES.items():
            shares = [false_families(name, values, n, FAMILY_RUNS, DRAWS) for n in FEWER]
            yield line([name, kind, *(percent(share, high=0.071) for share in shares)])


def segment_table() -> Iterator[str]:
    """Yield how often segments of ten queries have a false discovery."""
    yield from head(["test of a segment", "differences"], SEGMENTED)
    for test in ("t of the segment alone", "against queries drawn from all"):
        for differences in (*DIFFERENCES, LOSSES):
            shares = [false_segments(test.split()[0], differences, n, SEGMENT_RUNS, DRAWS) for n in SEGMENTED]
            yield line([test, differences.name, *(percent(share, high=0.08) for share in shares)])


def gate_table() -> Iterator[str]:
    """Yield how often gates fail, by the change there is and by the shape of the differences."""
    yield from head(["differences", "change", "decided by"], BUILDS)
    for drawn in CHANGES:
        for change in (0.0, -0.05):
            found = [failed_builds(drawn.draw, n, change, VERDICT_RUNS) for n in BUILDS]
            by = ("the mean alone", f"`alpha` {ALPHA}", "`compare`: DON'T")
            for words, failed in zip(by, zip(*found, strict=True), strict=True):
                yield line([drawn.name, f"{change:g}" if change else "none", words, *map(percent, failed)])


def rank_table() -> Iterator[str]:
    """Yield how often all true ranks are in their intervals, and every best system in the best group."""
    yield line(["values", "systems", *(f"{what}, n = {n}" for n in RANKED for what in ("all ranks", "all the best"))])
    yield "|---|---:|" + "---:|" * 2 * len(RANKED)
    for kind in KINDS:
        for systems in MANY:
            shares = [rank_coverage(kind, systems, n, RANK_RUNS, DRAWS) for n in RANKED]
            yield line([kind.name, str(systems), *(percent(share, low=LEAST) for both in shares for share in both)])


TABLES = {
    "coverage": coverage_table,
    "bounded": bounded_table,
    "quantiles": quantile_table,
    "size": size_table,
    "families": family_table,
    "ranks": rank_table,
    "segments": segment_table,
    "gate": gate_table,
    "verdicts": verdict_table,
    "shapes": shape_table,
    "same": same_table,
    "looks": look_table,
    "choices": choice_table,
    "advice": advice_table,
}


def main(asked: list[str]) -> int:
    """Print the tables asked for, or all, and put them into the page."""
    for name in asked or TABLES:
        lines = []
        for row in TABLES[name]():
            print(row, flush=True)
            lines.append(row)
        print()
        write(name, "\n".join(lines))
    return 0


def write(name: str, table: str) -> None:
    """Put a table between its two comments in the page."""
    between = re.compile(rf"(<!-- {name}: [^\n]* -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    text, found = between.subn(lambda match: f"{match[1]}\n{table}\n\n{match[2]}", PAGE.read_text("utf-8"))
    assert found == 1, f"{PAGE.name}: no comments around {name}"
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
