"""Text for a terminal and for `repr`: four decimals shown, full precision everywhere else."""

from __future__ import annotations

import math
import os
import sys
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from idealrank.display.grid import Column, beside, draw, fits, labelled
from idealrank.display.table import Table
from idealrank.errors import plural

if TYPE_CHECKING:
    from idealrank.evaluation.answers import Answers
    from idealrank.evaluation.explanation.explanation import Explanation
    from idealrank.evaluation.flavors import Flavors
    from idealrank.evaluation.ledger.entries import Fact
    from idealrank.evaluation.ledger.ledger import Ledger
    from idealrank.evaluation.scores import Scores

SHOWN_ROWS = 60
"""Rows a repr shows before it says how many more there are."""

WIDE = 160
"""Width where there is no terminal."""

MOVED = "What the means would be if one decision were answered otherwise, where that moves them notably:"
"""Legend of the means under other answers."""

_PLAIN = frozenset(
    {"rank", "baseline rank", "grade", "gain", "relevant", "counts", "frequency", "tie_first", "tie_last"}
)
"""Columns whose numbers are shown without decimals where all of them are whole."""


def cell(value: Any, whole: bool = False) -> str:
    """Write one cell: numbers to four decimals, a missing one as a dash."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return f"{value:.0f}" if whole else f"{value:.4f}"
    if isinstance(value, (tuple, list)):
        return " ".join(map(str, value))
    return str(value)


def columns_of(table: Table, rows: int, fractions: Iterable[str] = ()) -> list[Column]:
    """Write the first rows of a table as columns of text; `fractions` are columns shown with decimals in any case."""
    found = []
    for name in table.columns:
        numeric = table.numeric(name)
        shown = table.array(name)[:rows].tolist()
        whole = name in _PLAIN and name not in fractions and numeric and _all_whole(shown)
        found.append(Column(name, [cell(value, whole) for value in shown], numeric))
    return found


def _all_whole(values: Iterable[Any]) -> bool:
    return all(value != value or float(value).is_integer() for value in values)


def table_lines(table: Table, width: int, rows: int | None = None, fractions: Iterable[str] = ()) -> list[str]:
    """Draw a table; rows left out are counted."""
    shown = len(table) if rows is None else min(rows, len(table))
    more = [plural(len(table) - shown, "more row")] if shown < len(table) else []
    return [*draw(columns_of(table, shown, fractions), width), *more]


def render_table(table: Table, rows: int | None = SHOWN_ROWS) -> str:
    """Draw a table as plain text."""
    return "\n".join(table_lines(table, screen_width(), rows))


def render_scores(scores: Scores) -> str:
    """Draw the means, the ledger and the decisions."""
    width = screen_width()
    return "\n".join([*table_lines(scores.means, width), "", *footer(scores, width)])


def footer(scores: Scores, width: int) -> list[str]:
    """Write what stands under every number: the decisions, the ledger, what would move a mean."""
    return [*decision_lines(scores.answers, width), *ledger_lines(scores.ledger, width)]


def decision_lines(answers: Answers, width: int) -> list[str]:
    """Write every answer: what departs from `idealrank-1` first, the rest by stage."""
    lines = labelled("decisions", answers.setting, width)
    if answers.departures:
        lines += labelled("  changed", " ".join(answers.departures), width)
    for stage, texts in answers.by_stage.items():
        lines += labelled(f"  {stage}", " ".join(texts), width)
    return lines


def ledger_lines(ledger: Ledger, width: int) -> list[str]:
    """Write the account of every system, what was found, and what would move a mean."""
    lines = labelled("ledger", plural(ledger.judged, "judged query"), width)
    several = len(ledger.systems) > 1
    for account in ledger.systems:
        text = "; ".join(part for part in (account.line, account.counted) if part)
        lines += labelled(f"  {account.system}" if several else "", text, width)
    for i, text in enumerate(ledger.read):
        lines += labelled("" if i else "  tables", text, width)
    moves = move_lines(ledger, width)
    return [*lines, *fact_lines(ledger.facts, several, width), *([""] if moves else []), *moves]


def fact_lines(facts: Iterable[Fact], several: bool, width: int) -> list[str]:
    """Write what was found, one line a fact."""
    texts = dict.fromkeys(f"{f.system}: {f.text}" if several and f.system else f.text for f in facts)
    return [line for i, text in enumerate(texts) for line in labelled("" if i else "  found", text, width)]


def move_lines(ledger: Ledger, width: int) -> list[str]:
    """Draw the means under other answers, one row an answer, one column a measure; and why the answer matters."""
    moves = ledger.moves
    if not moves:
        return []
    systems = [move.system for move in moves]
    named = [system if i == 0 or systems[i - 1] != system else "" for i, system in enumerate(systems)]
    keys = [Column("system", named, numeric=False)] if len(ledger.systems) > 1 else []
    keys += [Column("answer", [f"{move.decision}={move.answer}" for move in moves], numeric=False, whole=True)]
    because = Column("because", [move.cause for move in moves], numeric=False, whole=True)
    means = [{name: f"{other:.4f}" for name, _, other in move.means} for move in moves]
    moved = [name for name in ledger.words if any(name in row for row in means)]
    numbers = [Column(name, [row.get(name, "") for row in means], numeric=True) for name in moved]
    legend = textwrap.wrap(MOVED, width)
    if fits([*keys, because, *numbers], width):
        return [*legend, *draw([*keys, because, *numbers], width)]
    return [*legend, *draw([*keys, *numbers], width), "because", *_reasons(ledger, width)]


def _reasons(ledger: Ledger, width: int) -> list[str]:
    """Write why each answer matters, one entry an answer."""
    causes: dict[str, dict[str, list[str]]] = {}
    for move in ledger.moves:
        causes.setdefault(f"{move.decision}={move.answer}", {}).setdefault(move.cause, []).append(move.system)
    wide = max(map(len, causes)) + 4
    texts = {
        answer: "; ".join(_by_system(cause, systems, ledger) for cause, systems in why.items())
        for answer, why in causes.items()
    }
    return [line for answer, text in texts.items() for line in labelled(f"  {answer}", text, width, wide)]


def _by_system(cause: str, systems: list[str], ledger: Ledger) -> str:
    return cause if len(systems) == len(ledger.systems) else f"{', '.join(systems)}: {cause}"


def render_ledger(ledger: Ledger) -> str:
    """Draw both accounts, the queries that are not simply computed, what was found and what it changes."""
    return "\n\n".join("\n".join(block) for block in ledger_report(ledger, screen_width()) if block)


def ledger_report(ledger: Ledger, width: int) -> list[list[str]]:
    """Draw the ledger in full: the account by system, by measure, and the queries that are not simply computed."""
    exceptions = ledger.exceptions
    rest = len(ledger.queries) - len(exceptions)
    queries = (
        [f"not simply computed (the other {rest} are)", *table_lines(exceptions, width)] if len(exceptions) else []
    )
    return [ledger_lines(ledger, width), table_lines(_shortened(ledger.per_measure), width), queries]


def _shortened(table: Table) -> Table:
    """Leave out the columns of counts that are 0 throughout."""
    kept = [name for name in table.columns if not table.numeric(name) or any(table[name])]
    return Table({name.replace("_", " "): table.array(name) for name in kept})


def render_explanation(explanation: Explanation) -> str:
    """Draw the steps, the ideal beside them, the sum, the notes and the decisions."""
    return "\n\n".join("\n".join(block) for block in explanation_blocks(explanation, screen_width()) if block)


def explanation_blocks(explanation: Explanation, width: int) -> list[list[str]]:
    """Draw the heading, the lists, the sum with the notes, and the decisions."""
    notes = sum_lines(explanation)
    for note in explanation.notes:
        notes += textwrap.wrap(note, width, initial_indent="- ", subsequent_indent="  ")
    return [[heading(explanation)], _lists(explanation, width), notes, decision_lines(explanation.answers, width)]


def _lists(explanation: Explanation, width: int) -> list[str]:
    steps = counting(explanation)
    hidden = len(explanation.steps) - len(steps)
    fractions = _fractions(steps) | _fractions(explanation.ideal)
    left = ["results", *table_lines(steps, width, fractions=fractions)] if len(steps) else ["no results"]
    left += [hidden_text(hidden)] if hidden else []
    if not explanation.ideal.columns:
        return left
    right = ["ideal list", *table_lines(explanation.ideal, width, fractions=fractions)]
    return beside(left, right, width) or [*left, "", *right]


def hidden_text(hidden: int) -> str:
    """Count the results that are not shown.

    Examples
    --------
    >>> hidden_text(1), hidden_text(2)
    ('1 more result contributes nothing', '2 more results contribute nothing')
    """
    return f"{plural(hidden, 'more result')} {'contributes' if hidden == 1 else 'contribute'} nothing"


def _fractions(table: Table) -> set[str]:
    """Return the columns that one of two tables side by side shows with decimals, so that the other does too."""
    return {n for n in table.columns if n in _PLAIN and table.numeric(n) and not _all_whole(table[n])}


def counting(explanation: Explanation) -> Table:
    """Cut the results after the cutoff, or after the last one that contributes and ten at least."""
    shares = explanation.steps["contribution"]
    last = max((i for i, share in enumerate(shares, 1) if share), default=0)
    return explanation.steps.take(range(min(len(shares), max(last, explanation.measure.cutoff or 10))))


def heading(explanation: Explanation) -> str:
    """Name the value that is explained."""
    text = f" ({explanation.text})" if explanation.text else ""
    return f"query {explanation.query}{text}, {explanation.system}: {explanation.measure} = {cell(explanation.score)}"


def sum_lines(explanation: Explanation) -> list[str]:
    """Write how the contributions make the score, where they do."""
    if explanation.unsplit or math.isnan(explanation.score):
        return []
    total, divisor = cell(explanation.total), cell(explanation.normaliser)
    if explanation.normaliser <= 0:
        by = explanation.answered or "no_relevant"
        return [f"contributions {total} / {divisor}: answered by {by} with {cell(explanation.score)}"]
    quotient, score = cell(explanation.total / explanation.normaliser), cell(explanation.score)
    by = explanation.measure.decisions.text("rounding")
    rounded = "" if quotient == score else f", rounded to {score} (rounding={by})"
    return [f"contributions {total} / {divisor} = {quotient}{rounded}"]


def render_flavors(flavors: Flavors) -> str:
    """Draw the means of all flavours with their meanings, then the values per query."""
    width = screen_width()
    return "\n".join([*flavor_lines(flavors, width), "", *table_lines(flavors.table, width, SHOWN_ROWS)])


def flavor_lines(flavors: Flavors, width: int) -> list[str]:
    """Draw the means of all flavours, what their letters mean, and the decisions."""
    return [*table_lines(flavors.in_brief, width), "", *flavor_footer(flavors, width)]


def flavor_footer(flavors: Flavors, width: int) -> list[str]:
    """Write what the letters of the flavours mean, the decisions and the ledger."""
    letters = [line for letter, said in flavors.letters.items() for line in labelled(f"  {letter}", said, width, 5)]
    below = [*decision_lines(flavors.scores.answers, width), *ledger_lines(flavors.ledger, width)]
    return ["letters", *letters, *below]


def screen_width() -> int:
    """Width of the terminal; wide where there is none, so that nothing is folded in a file."""
    if "COLUMNS" in os.environ or (sys.stdout is not None and sys.stdout.isatty()):
        import shutil

        return shutil.get_terminal_size().columns
    return WIDE
