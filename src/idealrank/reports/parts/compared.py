"""What a comparison found, as plain values: verdicts, differences, how they were tested."""

from typing import cast

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.pairing import Key
from idealrank.evaluation.scoring import State
from idealrank.reports.parts.kinds import Compared, DifferenceRow, VerdictEntry
from idealrank.reports.parts.words import in_words


def compared(comparison: Comparison) -> Compared:
    """Return the verdicts, the differences, the rule, the methods, and which queries only one system answered."""
    verdicts = list(comparison.verdict.values())
    measures = range(len(comparison.scores.measures))
    contrasts = [[comparison.contrasts[Key(pair, m)] for m in measures] for pair in comparison.pairing.pairs]
    states = comparison.scores.states[:, 0]
    measured = [bool((states[list(pair)] == State.COMPUTED).any()) for pair in comparison.pairing.pairs]
    entries = [
        verdict.to_dict() | {"sentence": verdict.sentence, "in_words": in_words(verdict, each, comparison.rule, some)}
        for verdict, each, some in zip(verdicts, contrasts, measured, strict=True)
    ]
    return {
        "verdicts": cast("list[VerdictEntry]", entries),
        "differences": cast("list[DifferenceRow]", comparison.differences.rows()),
        "rule": verdicts[0].rule,
        "methods": comparison.methods.text,
        "level": comparison.methods.level,
        "one_sided": comparison.one_sided,
        "weight_0": list(comparison.pairing.weightless),
    }
