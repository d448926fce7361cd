"""Systems in order, best first, and the groups that cannot be told apart."""

from collections.abc import Sequence

from idealrank.reports.parts.kinds import DifferenceRow, MeanRow, MeasureEntry


def ordered(
    measure: MeasureEntry, means: Sequence[MeanRow], rows: Sequence[DifferenceRow], baseline: str | None
) -> list[str]:
    """Return the systems, best first: by difference from the baseline, or by mean; those without a number last."""
    value = {row["system"]: row["mean"] for row in means}
    if rows and baseline is not None:
        value = {row["system"]: row["difference"] for row in rows} | {baseline: 0.0}
    sign = 1 if measure["direction"] == "lower" else -1
    return sorted(value, key=lambda system: _place(value[system], sign))


def _place(value: float | None, sign: int) -> tuple[bool, float]:
    return value is None, 0.0 if value is None else sign * value


def apart(one: str, other: str, rows: Sequence[DifferenceRow]) -> bool:
    """Say whether the corrected interval of the difference of two systems excludes 0."""
    row = next(row for row in rows if {row["system"], row["baseline"]} == {one, other})
    low, high = row["corrected low"], row["corrected high"]
    return low is not None and high is not None and (low > 0 or high < 0)


def groups(order: Sequence[str], rows: Sequence[DifferenceRow]) -> dict[str, str]:
    """Return letters for each system: neighbours that share one cannot be told apart from each other.

    A letter means a run of systems in order no two of which are apart, as long as it can be.
    """
    letters = dict.fromkeys(order, "")
    ended, count = -1, 0
    known = {frozenset((row["system"], row["baseline"])): row for row in rows}
    for first in range(len(order)):
        last = first
        while last + 1 < len(order) and not any(
            apart(order[i], order[last + 1], [known[frozenset((order[i], order[last + 1]))]])
            for i in range(first, last + 1)
        ):
            last += 1
        if last > ended:
            for system in order[first : last + 1]:
                letters[system] += chr(ord("a") + count)
            ended, count = last, count + 1
    return letters
