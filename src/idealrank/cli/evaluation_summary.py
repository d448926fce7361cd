"""What is said with the numbers of an evaluation: below them for people, and beside data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from idealrank.cli.output import Notes, labelled_warning, verbose, warning_lines
from idealrank.display.blocks import label_lines, wrap

if TYPE_CHECKING:
    from idealrank.display.blocks import Block, TextColumn
    from idealrank.evaluation.scores import Scores
    from idealrank.evaluation.summary import DecisionEffect

_ANSWERS_IN_WORDS = {
    "unjudged=filter": "ignore unjudged results",
    "unjudged=zero": "unjudged results as grade 0",
    "no_relevant=skip": "skip queries with none relevant",
    "no_results=skip": "skip queries without results",
    "no_results=0": "score 0 without results",
    "no_judgments=0": "score 0 without judgments",
    "no_judgments=skip": "skip queries without judgments",
    "failed=0": "score failed searches 0",
    "failed=skip": "skip failed searches",
    "counts=units": "k counts units, each once",
    "counts=returned": "k counts results, repeats too",
    "ties=worst": "worst order of tied results",
    "ties=best": "best order of tied results",
    "order_by=score": "order results by score",
    "order_by=rank": "order results by rank",
    "relevant_from=positive": "any grade above 0 is relevant",
    "score_precision=float32": "scores in single precision",
    "score_precision=float64": "scores in double precision",
}
"""Other answers, in words."""

SIDE_BY_SIDE = 2
"""Up to this many systems have a column each; of more, or without room, only the one that changes most is shown."""


def ledger_notes(
    scores: Scores,
    blocks: Iterable[Block],
    origin: str = "",
    *,
    warned: Iterable[str] | None = None,
    sentences: Iterable[str] = (),
) -> Notes:
    """Return notes on the decisions and the ledger.

    Parameters
    ----------
    blocks
        What is shown with --verbose.
    origin
        Where defaults come from.
    warned
        The warnings beside data; None: those of the ledger.
    sentences
        What was found, in sentences, beside data.
    """
    shown = list(blocks)

    def below(width: int) -> list[str]:
        if verbose():
            from idealrank.display.text import lines

            return [*default_lines(origin, width), *lines(shown, width)]
        return summary_lines(scores, origin, width)

    warned = scores.ledger.warnings if warned is None else warned
    return Notes(below, [*map(labelled_warning, warned), *sentences, footer_sentence(scores, origin)])


def default_lines(origin: str, width: int) -> list[str]:
    """Say where defaults come from; nothing where there are none."""
    return label_lines("defaults", origin, width) if origin else []


def summary_lines(
    scores: Scores, origin: str, width: int, *, choices: bool = True, already_shown: Sequence[str] = ()
) -> list[str]:
    """Say what was left out, how much nobody judged, which choices matter most, and where the rest is.

    Parameters
    ----------
    already_shown
        Warnings that were shown before.
    """
    from idealrank.evaluation.summary import summary_sentences

    return [
        *query_notes(scores, summary_sentences(scores), width, already_shown),
        *(_choice_lines(scores, width) if choices else []),
        *footer(scores, origin, width),
    ]


def query_notes(scores: Scores, sentences: Sequence[str], width: int, already_shown: Sequence[str] = ()) -> list[str]:
    """Say the warnings, then sentences about the queries."""
    unsaid = [text for text in warnings(scores) if text not in already_shown]
    return [*warning_lines(unsaid, width), *wrap(sentences, width)]


def warnings(scores: Scores) -> list[str]:
    """Return the ledger's warnings, and one if much of what came back was never judged."""
    return [*scores.ledger.warnings, *unjudged_warnings(scores)]


def unjudged_warnings(scores: Scores) -> list[str]:
    """Say that much of what came back was never judged, if that is more than a fifth."""
    from idealrank.evaluation.ledger.sensitivity import unjudged_share
    from idealrank.evaluation.summary import mostly_unjudged

    mostly = mostly_unjudged(unjudged_share(scores, range(len(scores.systems)), scores.measures[0].cutoff or 10))
    return [f"{mostly}: judge more before you trust these numbers"] if mostly else []


def _choice_lines(scores: Scores, width: int) -> list[str]:
    """Draw the choices that move the first measure most; nothing if none does."""
    from idealrank.display.blocks import draw
    from idealrank.evaluation.summary import decision_effects

    found = decision_effects(scores)
    if not found:
        return []
    return [
        "",
        f"These choices matter most here ({scores.labels[0]}):",
        *draw(_choice_columns(found, scores.systems, width), width),
    ]


def _choice_columns(found: Sequence[DecisionEffect], systems: Sequence[str], width: int) -> list[TextColumn]:
    from dataclasses import replace

    from idealrank.display.blocks import TextColumn, fits

    settings = [f"{choice.decision}={choice.answer}" for choice in found]
    words = TextColumn("choice", [_ANSWERS_IN_WORDS.get(setting, setting) for setting in settings], numeric=False)
    flags = [f"--{choice.decision.replace('_', '-')} {choice.answer}" for choice in found]
    first = [words, TextColumn("option", flags, numeric=False, whole=True)]
    names = ["mean"] if len(systems) == 1 else systems
    cells = {
        name: [_mean_change(choice, system) for choice in found] for name, system in zip(names, systems, strict=True)
    }
    beside = [*first, *(TextColumn(name, each, numeric=True) for name, each in cells.items())]
    if len(systems) <= SIDE_BY_SIDE and fits(beside, width):
        return beside
    largest = [*first, TextColumn("largest change", [_largest_change(choice) for choice in found], numeric=True)]
    return largest if fits(largest, width) else [*first, replace(largest[-1], numeric=False)]


def _mean_change(choice: DecisionEffect, system: str) -> str:
    mean, other = choice.means.get(system, (0.0, 0.0))
    return f"{mean:.3f} → {other:.3f}" if system in choice.means else "same"


def _largest_change(choice: DecisionEffect) -> str:
    system = max(choice.means, key=lambda name: abs(choice.means[name][1] - choice.means[name][0]))
    return f"{system} {_mean_change(choice, system)}"


def footer(scores: Scores, origin: str, width: int) -> list[str]:
    """Say the convention, where it comes from, and how to see everything, below an empty line."""
    return ["", *wrap([footer_sentence(scores, origin)], width)]


def footer_sentence(scores: Scores, origin: str) -> str:
    """Say the convention, where it comes from, and how to see everything."""
    source = f" Defaults: {origin}." if origin else ""
    return f"Convention {scores.setting.text}.{source}{alias_note(scores)} All choices and the full ledger: --verbose"


def alias_note(scores: Scores) -> str:
    """Say which measures were asked for by another name."""
    return f" {', '.join(scores.answers.names)}." if scores.answers.names else ""
