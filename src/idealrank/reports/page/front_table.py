"""The measures of the front, one line each; of many systems there is a league instead."""

from html import escape

from idealrank.reports.page.drawings import SCALE, Ends, ends_of, farthest, forest, mean_drawn, range_of
from idealrank.reports.page.league import league
from idealrank.reports.page.markup import aside, change, count, name, short, table
from idealrank.reports.parts.kinds import DifferenceRow, MeasureEntry, Parts

_SHORT = {
    "nDCG": "ranking quality", "DCG": "summed gain", "P": "share relevant", "R": "share found", "AP": "whole ranking",
    "RR": "first relevant result", "Success": "any relevant result", "ERR": "expected effort", "Judged": "share judged",
    "RBP": "patient reader", "F": "precision and recall", "Bpref": "judged pairs", "Rprec": "precision at R",
}  # fmt: skip
"""What common measures measure, in two or three words."""
_ROLES = {"decides": "decides", "guards": "guards", "shown": "shown only"}
_INTERVAL = '<span class="scale">interval on the range of the measure</span>'
LEAGUE = 3
"""From so many systems on they are a league."""


def front_table(parts: Parts) -> str:
    """Write the measures of one or two systems, or the league of more."""
    many = len(parts["systems"]) >= LEAGUE
    written = league(parts) if many else _measures(parts)
    title = "Systems" if many else "Measures"
    return f'<section id="measures" aria-label="{title}"><h2>{title}</h2>{written}</section>'


def _measures(parts: Parts) -> str:
    compared = parts["compared"]
    if compared is None:
        return _plain_measures(parts)
    rows = {row["measure"]: row for row in compared["differences"]}
    scale = _scale([_ends(rows[m["label"]], m) for m in parts["measures"] if _is_share(m)])
    cells = [_measure(rows[m["label"]], m, scale) for m in parts["measures"]]
    systems = [parts["pairs"][0][0], parts["pairs"][0][1]]
    head = ["measure", *(aside(name(system)) for system in systems), "change", SCALE]
    return table([*head, "better / worse", aside("role")], cells, "Measures")


def _measure(row: DifferenceRow, measure: MeasureEntry, scale: float) -> list[str]:
    ends = _ends(row, measure)
    most = scale if _is_share(measure) else farthest(ends)
    return [
        _called(measure),
        aside(short(row["baseline mean"])),
        aside(short(row["mean"])),
        change(row["difference"], measure["direction"]) + _both(row),
        forest(row, ends, most),
        f"{count(row['wins'])} / {count(row['losses'])}",
        aside(_ROLES[row["role"]]),
    ]


def _both(row: DifferenceRow) -> str:
    """Write both means below the change, for a phone: it has no room for their columns."""
    return f' <small class="both">{short(row["baseline mean"])} → {short(row["mean"])}</small>'


def _ends(row: DifferenceRow, measure: MeasureEntry) -> Ends | None:
    return ends_of(row, measure["direction"])


def _is_share(measure: MeasureEntry) -> bool:
    """Say whether a measure is between 0 and 1: those share a scale."""
    return measure["lowest"] == 0 and measure["highest"] == 1


def _scale(ends: list[Ends | None]) -> float:
    return max(map(farthest, ends), default=0.0)


def _called(measure: MeasureEntry) -> str:
    lower = ", lower is better" if measure["direction"] == "lower" else ""
    family = measure["label"].split("@")[0].split("(")[0]
    words = _SHORT.get(family, measure["meaning"].partition(":")[0])
    full = escape(f"{measure['meaning']}{lower}")
    return f'<span title="{full}">{escape(measure["label"])} <small>{escape(words)}{lower}</small></span>'


def _plain_measures(parts: Parts) -> str:
    """Write the means of systems that are not compared, with their intervals."""
    systems, cells = parts["systems"], {(row["measure"], row["system"]): row for row in parts["means"]}
    rows = []
    for measure in parts["measures"]:
        means = [cells[measure["label"], system] for system in systems]
        axis = range_of(measure, means)
        rows.append(
            [_called(measure), *(cell for row in means for cell in (short(row["mean"]), mean_drawn(row, axis)))]
        )
    heads = [head for system in systems for head in (name(system), _INTERVAL)]
    return table(["measure", *heads], rows, "Measures")
