"""What a comparison found, as plain values: verdicts, differences, how they were tested."""

from typing import cast

from idealrank.comparison.comparison import Comparison
from idealrank.reports.parts.kinds import Compared, DifferenceRow, VerdictEntry


def compared(comparison: Comparison) -> Compared:
    """Return the verdicts, the differences, the rule, the methods, and which queries only one system answered."""
    verdicts = list(comparison.verdict.values())
    entries = [verdict.to_dict() | {"sentence": verdict.sentence} for verdict in verdicts]
    return {
        "verdicts": cast("list[VerdictEntry]", entries),
        "differences": cast("list[DifferenceRow]", comparison.differences.rows()),
        "ahead": [list(pair) for pair in comparison.ahead],
        "rule": verdicts[0].rule,
        "methods": comparison.methods.text,
        "level": comparison.methods.level,
        "equivalence": comparison.rule.equivalence,
        "bar": comparison.rule.bar,
        "one_sided": comparison.one_sided,
        "weight_0": list(comparison.pairing.weightless),
    }
