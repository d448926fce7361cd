"""The league of many systems: best first, one line each, with what sets them apart."""

from html import escape
from typing import NamedTuple

from idealrank.comparison.board_shown import ranks_text
from idealrank.display.amounts import percent
from idealrank.evaluation.mean_intervals import LEVEL
from idealrank.reports.page.drawings import SCALE, ends_of, farthest, forest, hull_of, mean_drawn
from idealrank.reports.page.markup import aside, change, count, name, outcome_text, short, table
from idealrank.reports.parts.kinds import Compared, MeanRow, Parts


class Apart(NamedTuple):
    """The columns that set systems apart: headings, cells by system, and how to read them."""

    heads: list[str]
    cells: dict[str, list[str]]
    note: str


def league(parts: Parts) -> str:
    """Write the systems, best first, with the mean of each measure and what sets the systems apart."""
    first, others = parts["measures"][0]["label"], [measure["label"] for measure in parts["measures"][1:]]
    means = {(row["measure"], row["system"]): short(row["mean"]) for row in parts["means"]}
    columns, compared = _apart(parts), parts["compared"]
    seen = str if compared is None or parts["baseline"] is None else aside
    rows = [
        [_who(system, parts), seen(means[first, system]), *columns.cells[system], *(means[m, system] for m in others)]
        for system in parts["summary"]["order"]
    ]
    head = ["system", seen(escape(first)), *columns.heads, *map(escape, others)]
    return table(head, rows, "Systems") + f'<p class="note">{columns.note}</p>'


def _who(system: str, parts: Parts) -> str:
    base = ' <small class="base">baseline</small>' if system == parts["baseline"] else ""
    return f'<span data-system="{escape(system)}">{name(system)}{base}</span>'


def _apart(parts: Parts) -> Apart:
    compared = parts["compared"]
    if parts["summary"]["ranks"]:
        return _ranks(parts)
    return _intervals(parts) if compared is None else _changes(parts, compared)


def _changes(parts: Parts, compared: Compared) -> Apart:
    """Return change, interval, counts and outcome of each system against the baseline."""
    measure, baseline = parts["measures"][0], str(parts["baseline"])
    direction = measure["direction"]
    rows = [row for row in compared["differences"] if row["measure"] == measure["label"]]
    outcomes = {verdict["system"]: verdict["outcome"] for verdict in compared["verdicts"]}
    most = max(farthest(ends_of(row, direction)) for row in rows)
    cells = {
        row["system"]: [
            change(row["difference"], direction),
            forest(row, ends_of(row, direction), most),
            f"{count(row['wins'])} / {count(row['losses'])}",
            outcome_text(outcomes[row["system"]]),
        ]
        for row in rows
    }
    cells[baseline] = ["", '<span class="drawn baseline-line"></span>', "", ""]
    heads = ["change", SCALE, "better / worse", '<span class="outcomes">outcome</span>']
    return Apart(heads, cells, f"Change in {escape(measure['label'])} from {name(baseline)}, largest gain first.")


def _ranks(parts: Parts) -> Apart:
    """Return the ranks that each system can have, and intervals of the means."""
    drawn, ranks = _intervals(parts), parts["summary"]["ranks"]
    texts = dict(zip(ranks, ranks_text(*zip(*ranks.values(), strict=True)), strict=True))
    cells = {
        system: [f'<span class="{"best " if ranks[system][0] == 1 else ""}ranks">{texts[system]}</span>', *each]
        for system, each in drawn.cells.items()
    }
    level = percent(parts["compared"]["level"] if parts["compared"] else LEVEL)
    note = (
        f"Ranks that each system can have, all of them together with {level} confidence: a rank counts the systems "
        "that are surely better. In bold: those that cannot be told from the best."
    )
    return Apart(["ranks", *drawn.heads], cells, note)


def _intervals(parts: Parts) -> Apart:
    measure = parts["measures"][0]
    rows: list[MeanRow] = [row for row in parts["means"] if row["measure"] == measure["label"]]
    axis = hull_of(rows)
    cells = {row["system"]: [mean_drawn(row, axis)] for row in rows}
    ends = (
        f'<span class="scale"><span>{short(axis[0])}</span> interval of the mean <span>{short(axis[1])}</span></span>'
    )
    return Apart([ends], cells, "The systems are not compared: overlapping intervals do not say that they are alike.")
