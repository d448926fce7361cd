"""The head of the page: what to do and why, the difference, what would settle it, what to check."""

from html import escape
from typing import NamedTuple

from idealrank.comparison.leaderboard import ranks_text
from idealrank.comparison.types import DifferenceRow, MeanRow, ToJudge
from idealrank.display.numbers import percent
from idealrank.errors import plural, visible
from idealrank.evaluation.mean_tables import LEVEL
from idealrank.reports.page.markup import (
    SCALE,
    Ends,
    aside,
    breakable,
    change,
    count,
    draw_forest,
    draw_mean,
    draw_strip,
    draw_tally,
    ends_of,
    farthest,
    hull_of,
    name,
    outcome_class,
    outcome_mark,
    outcome_text,
    range_of,
    short,
    system_name,
    table,
)
from idealrank.reports.types import Check, Compared, LedgerPart, MeasureEntry, PairRow, ReportSections, decided

_TITLES = {"CAN'T TELL": "What would settle it", "": "Where to look"}
_NAMED = 3
"""Queries with documents to judge that are named in the head."""


def answer(parts: ReportSections) -> str:
    """Write the head."""
    summary = parts["summary"]
    word = outcome_class(summary["outcome"])
    lead = _lead(summary["sentences"], summary["notes"])
    said = f"{_doubts(doubts_of(parts))}{_headline(parts)}{lead}{_next_steps(parts)}"
    return (
        f'<section id="summary" data-outcome="{word}" aria-label="Summary"><p class="kind">{_kind(parts)}</p>'
        f'<div class="answer"><div class="said">{said}</div>'
        f"{_figures(parts)}</div>{_checks(summary['checks'])}</section>"
    )


def doubts_of(parts: ReportSections) -> list[str]:
    """Return what is odd about the results and speaks against the verdict: not what is said of the inputs."""
    return [text for text in parts["summary"]["warnings"] if text not in parts["ledger"]["warnings"]]


def _doubts(texts: list[str]) -> str:
    """Write what is to be read before the verdict."""
    items = "".join(f"<li>{escape(visible(text))}</li>" for text in texts)
    return f'<ul class="warnings" aria-label="Warnings">{items}</ul>' if texts else ""


def _lead(sentences: list[str], notes: list[str]) -> str:
    """Write the sentences for everybody, and in small what they rest on and what speaks against them."""
    lead = " ".join(f"<span>{breakable(text)}</span>" for text in sentences)
    small = "".join(f'<p class="note">{escape(visible(text))}</p>' for text in notes)
    return f'<p class="lead">{lead}</p>{small}'


def _kind(parts: ReportSections) -> str:
    return f"{name(parts['title'])} · {_queries(parts['ledger'])}"


def _queries(ledger: LedgerPart) -> str:
    """Count the judged queries; where some were left out on request, those that were not."""
    judged, left = plural(ledger["judged_queries"], "judged query"), ledger["measures"][0]["left_out"]
    return f"{ledger['judged_queries'] - left:,} of {judged}" if left else judged


def _headline(parts: ReportSections) -> str:
    summary = parts["summary"]
    mark = outcome_mark(summary["outcome"]) if summary["outcome"] else ""
    tag = f'<p class="tag">{escape(summary["outcome"])}</p>' if summary["outcome"] else ""
    return f"{tag}<h1>{mark}<bdi>{breakable(summary['headline'])}</bdi></h1>"


def _next_steps(parts: ReportSections) -> str:
    """Write what to do next: steps, queries to look at, documents to judge."""
    summary = parts["summary"]
    steps = _steps(summary["steps"])
    row = lead_row(parts)
    none_lost = row is not None and not row["losses"]
    judged = _to_judge_links(parts) if summary["outcome"] == "CAN'T TELL" or none_lost else ""
    looks = _empty_queries_link(parts) if none_lost else _losses_link(summary["outcome"], row is not None)
    if not (steps or judged or looks):
        return ""
    title = _TITLES.get(summary["outcome"], "What next")
    return f"<h2>{title}</h2>{steps}{judged}{looks}"


def _steps(texts: list[str]) -> str:
    """Write steps in their order; one alone is no list."""
    items = [escape(visible(text)) for text in texts]
    if len(items) > 1:
        return f"<ol>{''.join(f'<li>{item}</li>' for item in items)}</ol>"
    return "".join(f"<p>{item}</p>" for item in items)


def _losses_link(outcome: str, paired: bool) -> str:
    """Lead to the queries that changed most for the worse; of a system alone to its worst."""
    losses = "Show the five biggest losses"
    alone = losses if paired else "Show the five worst queries"
    words = {"SHIP": losses, "DON'T": losses, "": alone}.get(outcome, "")
    return f'<p><a href="#changes">{words}</a></p>' if words else ""


def _empty_queries_link(parts: ReportSections) -> str:
    """Lead to the queries for which a system returned nothing, if there are any."""
    empty = {query for account in parts["ledger"]["systems"] for query in account["judged_nothing_returned"]}
    words = f"See the {plural(len(empty), 'query')} without results"
    return f'<p><a href="#ledger">{words}</a></p>' if empty else ""


def _to_judge_links(parts: ReportSections) -> str:
    """Name the queries with documents to judge first, and offer all of them as CSV."""
    rows = [
        row for row in parts["holes"]["to_judge"] if {row["baseline"], row["system"]} == {*parts["summary"]["pair"]}
    ]
    if not rows or _are_to_be_checked(parts):
        return ""
    queries = {row["query"]: row for row in rows}
    links = ", ".join(_query_link(row) for row in list(queries.values())[:_NAMED])
    more = len(queries) - _NAMED
    rest = f' and <a href="#holes">{plural(more, "other query")}</a>' if more > 0 else ""
    return (
        f'<p class="to-judge">Judge first: {plural(len(rows), "result")}, for {links}{rest}. '
        '<button type="button" class="live" id="raters">Copy as CSV</button><span role="status"></span></p>'
    )


def _are_to_be_checked(parts: ReportSections) -> bool:
    """Whether the results are so odd that labels would settle nothing."""
    pair = {*parts["summary"]["pair"]}
    return any(
        reason["effect"] == "takes back" and reason["settle"] is not None and reason["settle"]["kind"] == "check"
        for verdict in (parts["compared"] or {"verdicts": []})["verdicts"]
        if {verdict["baseline"], verdict["system"]} == pair
        for reason in verdict["reasons"]
    )


def _query_link(row: ToJudge) -> str:
    words = row.get("text") or row["query"]
    return f'<a class="query-link" href="#" data-query="{escape(row["query"])}">{name(words)}</a>'


def _figures(parts: ReportSections) -> str:
    """Write the difference as a large number, its interval, and the counts; of one system its mean."""
    measure = parts["measures"][0]
    row = lead_row(parts)
    if row is None:
        return _mean_figures(parts) if len(parts["systems"]) == 1 else ""
    big = f'<p class="big"><b>{short(decided(row)[0], "+")}</b> {escape(measure["label"])}</p>'
    system, baseline = (system_name(row[of], parts["systems"]) for of in ("system", "baseline"))
    said = f'<p class="soft"><span>{system}</span> <span>compared with {baseline}</span></p>'
    same = parts["summary"]["outcome"] == "ABOUT THE SAME" and parts["compared"] is not None
    alike = parts["compared"]["equivalence"] if same and parts["compared"] else 0.0
    shaded = '<p class="soft">Shaded: a difference that counts as none.</p>' if same else ""
    bar = parts["compared"]["bar"] if parts["compared"] is not None else 0.0
    tally = draw_tally(row, measure["direction"]) + _tally_note(row)
    drawn = draw_strip(row, measure["direction"], alike, bar) + shaded + tally
    return f'<div class="figures">{big}{said}{drawn}</div>'


def _tally_note(row: DifferenceRow | PairRow) -> str:
    """Say whose count it is, where the difference is that of a judge calibrated on people."""
    calibrated = row.get("calibrated") is not None
    return f'<p class="soft">of the {plural(row["queries"], "sampled query")}, by people</p>' if calibrated else ""


def _mean_figures(parts: ReportSections) -> str:
    """Write the mean of one system as a large number, and its interval on the range of the measure."""
    measure, row = parts["measures"][0], parts["means"][0]
    low, high = range_of(measure, [row])
    big = f'<p class="big"><b>{short(row["mean"])}</b> {escape(measure["label"])}</p>'
    said = f'<p class="soft">{escape(measure["over"])} of {plural(row["queries"], "query")}</p>'
    drawn = draw_mean(row, (low, high))
    ends = f'<p class="ends"><span>{low:g}</span><span>{high:g}</span></p>' if drawn else ""
    return f'<div class="figures">{big}{said}{drawn}{ends}</div>'


def lead_row(parts: ReportSections) -> DifferenceRow | PairRow | None:
    """Return the difference that the head is about; None where nothing is compared."""
    compared, pairs, measure = parts["compared"], parts["all_pairs"], parts["measures"][0]["label"]
    decisive = [row for row in compared["differences"] if row["measure"] == measure] if compared else []
    rows: list[DifferenceRow | PairRow] = [*decisive, *(pairs["rows"] if pairs else [])]
    pair = parts["summary"]["pair"]
    turned = (_turned(row) for row in (pairs["rows"] if pairs else []) if [row["system"], row["baseline"]] == pair)
    return next((row for row in rows if [row["baseline"], row["system"]] == pair), next(turned, None))


def _turned(row: PairRow) -> PairRow:
    """Return a pair the other way round."""
    difference, low, high = (None if end is None else -end for end in decided(row))
    numbers: PairRow = {**row, "difference": difference, "corrected low": high, "corrected high": low}
    names: PairRow = {**numbers, "baseline": row["system"], "system": row["baseline"]}
    return {**names, "wins": row["losses"], "losses": row["wins"]}


def _checks(checks: list[Check]) -> str:
    """Write one line; warnings come first and turn it into one."""
    if not checks:
        return ""
    warned = any(check["warns"] for check in checks)
    ordered = sorted(checks, key=lambda check: not check["warns"])
    items = "".join(f"<li{_warns_class(check)}>{escape(visible(check['text']))}</li>" for check in ordered)
    more = '<li><a href="#ledger">details</a></li>'
    spoken = "Warning: check these first" if warned else "Checks"
    return f'<ul id="checks" data-warns="{str(warned).lower()}" aria-label="{spoken}">{items}{more}</ul>'


def _warns_class(check: Check) -> str:
    return ' class="warns"' if check["warns"] else ""


# Measures.


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


def front_table(parts: ReportSections) -> str:
    """Write the measures of one or two systems, or the league of more."""
    many = len(parts["systems"]) >= LEAGUE
    written = league(parts) if many else _measures(parts)
    title = "Systems" if many else "Measures"
    pairs = '<section id="pairs" class="live" aria-label="Pairs"></section>' if parts["all_pairs"] else ""
    return f'<section id="measures" aria-label="{title}"><h2>{title}</h2>{written}</section>{pairs}'


def _measures(parts: ReportSections) -> str:
    compared = parts["compared"]
    if compared is None:
        return _uncompared_measures(parts)
    rows = {row["measure"]: row for row in compared["differences"]}
    scale = _scale([_measure_ends(rows[m["label"]], m) for m in parts["measures"] if _is_share(m)])
    cells = [_measure_cells(rows[m["label"]], m, scale) for m in parts["measures"]]
    systems = [parts["pairs"][0][0], parts["pairs"][0][1]]
    head = ["measure", *(aside(name(system)) for system in systems), "change", SCALE]
    return table([*head, "better / worse", aside("role")], cells, "Measures") + _calibrated_note(parts)


def _calibrated_note(parts: ReportSections) -> str:
    """Say which number is by a judge calibrated on people, beside means that are by people alone."""
    row = lead_row(parts)
    if row is None or row.get("calibrated") is None:
        return ""
    measure = escape(parts["measures"][0]["label"])
    people = f"all else is by people alone, the plain mean of the {plural(row['queries'], 'sampled query')}"
    return (
        f'<p class="note">The change in {measure} is the calibrated one, for all queries; {people}, and '
        "no estimate for all.</p>"
    )


def _measure_cells(row: DifferenceRow, measure: MeasureEntry, scale: float) -> list[str]:
    most = scale if _is_share(measure) else farthest(_measure_ends(row, measure))
    return [
        _measure_name(measure),
        *(aside(short(mean)) for mean in _means_beside(row)),
        change(decided(row)[0], measure["direction"]) + _both_means(row),
        draw_forest(decided(row), measure["direction"], most),
        f"{count(row['wins'])} / {count(row['losses'])}",
        aside(_ROLES[row["role"]]),
    ]


def _both_means(row: DifferenceRow) -> str:
    """Write both means below the change, for a phone: it has no room for their columns."""
    before, after = _means_beside(row)
    return f' <small class="both">{short(before)} → {short(after)}</small>'


def _means_beside(row: DifferenceRow) -> tuple[float | None, float | None]:
    """Return the means that a change is the difference of; none beside a calibrated one, which is of other queries."""
    return (None, None) if row.get("calibrated") is not None else (row["baseline mean"], row["mean"])


def _measure_ends(row: DifferenceRow, measure: MeasureEntry) -> Ends | None:
    return ends_of(decided(row), measure["direction"])


def _is_share(measure: MeasureEntry) -> bool:
    """Say whether a measure is between 0 and 1: those share a scale."""
    return measure["lowest"] == 0 and measure["highest"] == 1


def _scale(ends: list[Ends | None]) -> float:
    return max(map(farthest, ends), default=0.0)


def _measure_name(measure: MeasureEntry) -> str:
    lower = ", lower is better" if measure["direction"] == "lower" else ""
    family = measure["label"].split("@")[0].split("(")[0]
    words = _SHORT.get(family, measure["meaning"].partition(":")[0])
    full = escape(f"{measure['meaning']}{lower}")
    return f'<span title="{full}">{escape(measure["label"])} <small>{escape(words)}{lower}</small></span>'


def _uncompared_measures(parts: ReportSections) -> str:
    """Write the means of systems that are not compared, with their intervals."""
    systems, cells = parts["systems"], {(row["measure"], row["system"]): row for row in parts["means"]}
    rows = []
    for measure in parts["measures"]:
        means = [cells[measure["label"], system] for system in systems]
        axis = range_of(measure, means)
        rows.append(
            [_measure_name(measure), *(cell for row in means for cell in (short(row["mean"]), draw_mean(row, axis)))]
        )
    heads = [head for system in systems for head in (name(system), _INTERVAL)]
    return table(["measure", *heads], rows, "Measures")


# The league of many systems.


class LeagueDivider(NamedTuple):
    """The columns that set systems apart: headings, cells by system, and how to read them."""

    heads: list[str]
    cells: dict[str, list[str]]
    note: str


def league(parts: ReportSections) -> str:
    """Write the systems, best first, with the mean of each measure and what sets the systems apart."""
    first, others = parts["measures"][0]["label"], [measure["label"] for measure in parts["measures"][1:]]
    means = {(row["measure"], row["system"]): short(row["mean"]) for row in parts["means"]}
    columns, compared = _league_columns(parts), parts["compared"]
    seen = str if compared is None or parts["baseline"] is None else aside
    rows = [
        [
            _system_name(system, parts),
            seen(means[first, system]),
            *columns.cells[system],
            *(means[m, system] for m in others),
        ]
        for system in parts["summary"]["order"]
    ]
    head = ["system", seen(escape(first)), *columns.heads, *map(escape, others)]
    return table(head, rows, "Systems") + f'<p class="note">{columns.note}</p>' + _calibrated_note(parts)


def _system_name(system: str, parts: ReportSections) -> str:
    base = ' <small class="base">baseline</small>' if system == parts["baseline"] else ""
    return f'<span data-system="{escape(system)}">{system_name(system, parts["systems"])}{base}</span>'


def _league_columns(parts: ReportSections) -> LeagueDivider:
    compared = parts["compared"]
    if parts["summary"]["ranks"]:
        return _rank_columns(parts)
    return _interval_columns(parts) if compared is None else _change_columns(parts, compared)


def _change_columns(parts: ReportSections, compared: Compared) -> LeagueDivider:
    """Return change, interval, counts and outcome of each system against the baseline."""
    measure, baseline = parts["measures"][0], str(parts["baseline"])
    direction = measure["direction"]
    rows = [row for row in compared["differences"] if row["measure"] == measure["label"]]
    outcomes = {verdict["system"]: verdict["outcome"] for verdict in compared["verdicts"]}
    most = max(farthest(ends_of(decided(row), direction)) for row in rows)
    cells = {
        row["system"]: [
            change(decided(row)[0], direction),
            draw_forest(decided(row), direction, most),
            f"{count(row['wins'])} / {count(row['losses'])}",
            outcome_text(outcomes[row["system"]]),
        ]
        for row in rows
    }
    cells[baseline] = ["", '<span class="drawn baseline-line"></span>', "", ""]
    heads = ["change", SCALE, "better / worse", '<span class="outcomes">outcome</span>']
    return LeagueDivider(
        heads, cells, f"Change in {escape(measure['label'])} from {name(baseline)}, largest gain first."
    )


def _rank_columns(parts: ReportSections) -> LeagueDivider:
    """Return the ranks that each system can have, and intervals of the means."""
    drawn, ranks = _interval_columns(parts), parts["summary"]["ranks"]
    texts = dict(zip(ranks, ranks_text(*zip(*ranks.values(), strict=True)), strict=True))
    letters = parts["all_pairs"]["groups"] if parts["all_pairs"] else {}
    cells = {
        system: [
            f'<span class="{"best " if ranks[system][0] == 1 else ""}ranks">{texts[system]}</span>',
            *([f'<span class="groups">{letters[system]}</span>'] if letters else []),
            *each,
        ]
        for system, each in drawn.cells.items()
    }
    level = percent(parts["compared"]["level"] if parts["compared"] else LEVEL)
    together = parts["compared"] is None or parts["compared"]["together"]
    held = f"all of them together with {level} confidence" if together else f"each with {level} confidence by itself"
    note = (
        f"Ranks that each system can have, {held}: a rank counts the systems "
        "that are surely better. In bold: those that no other is surely better than."
        + (" Systems with a letter in common cannot be told apart." if letters else "")
    )
    return LeagueDivider(["ranks", *(["groups"] if letters else []), *drawn.heads], cells, note)


def _interval_columns(parts: ReportSections) -> LeagueDivider:
    measure = parts["measures"][0]
    rows: list[MeanRow] = [row for row in parts["means"] if row["measure"] == measure["label"]]
    axis = hull_of(rows)
    cells = {row["system"]: [draw_mean(row, axis)] for row in rows}
    ends = (
        "mean and its interval"
        f'<span class="scale axis-ends"><span>{short(axis[0])}</span><span>{short(axis[1])}</span></span>'
    )
    return LeagueDivider(
        [ends], cells, "The systems are not compared: overlapping intervals do not say that they are alike."
    )
