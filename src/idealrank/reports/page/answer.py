"""The head of the page: what to do and why, the difference, what would settle it, what to check."""

from html import escape

from idealrank.errors import plural, visible
from idealrank.reports.page.drawings import mean_drawn, range_of, strip, tally
from idealrank.reports.page.markup import name, outcome_class, outcome_mark, short
from idealrank.reports.parts.kinds import Check, DifferenceRow, LedgerPart, Parts, ToJudge

_TITLES = {"CAN'T TELL": "What would settle it", "": "Where to look"}
_NAMED = 3
"""Queries with documents to judge that are named in the head."""


def answer(parts: Parts) -> str:
    """Write the head."""
    summary = parts["summary"]
    word = outcome_class(summary["outcome"])
    lead = _lead(summary["sentences"], summary["notes"])
    said = f"{_warnings(summary['warnings'])}{_headline(parts)}{lead}{_next(parts)}"
    return (
        f'<section id="summary" data-outcome="{word}" aria-label="Summary"><p class="kind">{_kind(parts)}</p>'
        f'<div class="answer"><div class="said">{said}</div>'
        f"{_figures(parts)}</div>{_checks(summary['checks'])}</section>"
    )


def _warnings(texts: list[str]) -> str:
    """Write what is to be read before the verdict."""
    items = "".join(f"<li>{escape(visible(text))}</li>" for text in texts)
    return f'<ul class="warnings" aria-label="Warnings">{items}</ul>' if texts else ""


def _lead(sentences: list[str], notes: list[str]) -> str:
    """Write the sentences for everybody, and in small what they rest on and what speaks against them."""
    lead = " ".join(f"<span>{escape(visible(text))}</span>" for text in sentences)
    small = "".join(f'<p class="note">{escape(visible(text))}</p>' for text in notes)
    return f'<p class="lead">{lead}</p>{small}'


def _kind(parts: Parts) -> str:
    return f"{name(parts['title'])} · {_queries(parts['ledger'])}"


def _queries(ledger: LedgerPart) -> str:
    """Count the judged queries; where some were left out on request, those that were not."""
    judged, left = plural(ledger["judged_queries"], "judged query"), ledger["measures"][0]["left_out"]
    return f"{ledger['judged_queries'] - left:,} of {judged}" if left else judged


def _headline(parts: Parts) -> str:
    summary = parts["summary"]
    mark = outcome_mark(summary["outcome"]) if summary["outcome"] else ""
    tag = f'<p class="tag">{escape(summary["outcome"])}</p>' if summary["outcome"] else ""
    return f"{tag}<h1>{mark}<bdi>{escape(visible(summary['headline']))}</bdi></h1>"


def _next(parts: Parts) -> str:
    """Write what to do next: steps, queries to look at, documents to judge."""
    summary = parts["summary"]
    steps = _steps(summary["steps"])
    row = lead_row(parts)
    none_lost = row is not None and not row["losses"]
    judged = _to_judge(parts) if summary["outcome"] == "CAN'T TELL" or none_lost else ""
    looks = _without_results(parts) if none_lost else _looks(summary["outcome"])
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


def _looks(outcome: str) -> str:
    """Lead to the queries that changed most for the worse."""
    losses = "Show the five biggest losses"
    words = {"SHIP": losses, "DON'T": losses, "": "Show the five worst queries"}.get(outcome, "")
    return f'<p class="live"><a href="#changes">{words}</a></p>' if words else ""


def _without_results(parts: Parts) -> str:
    """Lead to the queries for which a system returned nothing, if there are any."""
    empty = {query for account in parts["ledger"]["systems"] for query in account["judged_nothing_returned"]}
    words = f"See the {plural(len(empty), 'query')} without results"
    return f'<p><a href="#ledger">{words}</a></p>' if empty else ""


def _to_judge(parts: Parts) -> str:
    """Name the queries with documents to judge first, and offer all of them as CSV."""
    rows = [row for row in parts["holes"]["to_judge"] if [row["baseline"], row["system"]] == parts["summary"]["pair"]]
    if not rows:
        return ""
    queries = {row["query"]: row for row in rows}
    links = ", ".join(_linked(row) for row in list(queries.values())[:_NAMED])
    more = len(queries) - _NAMED
    start = "Start with" if any("Judge the" in step for step in parts["summary"]["steps"]) else "Judge these"
    rest = f' and <a href="#holes">{plural(more, "other query")}</a>' if more > 0 else ""
    return (
        f'<p class="to-judge">{start} {plural(len(rows), "result")}, for {links}{rest}. '
        '<button type="button" class="live" id="raters">Copy as CSV</button><span role="status"></span></p>'
    )


def _linked(row: ToJudge) -> str:
    words = row.get("text") or row["query"]
    return f'<a class="query-link" href="#" data-query="{escape(row["query"])}">{name(words)}</a>'


def _figures(parts: Parts) -> str:
    """Write the difference as a large number, its interval, and the counts; of one system its mean."""
    measure = parts["measures"][0]
    row = lead_row(parts)
    if row is None:
        return _mean(parts) if len(parts["systems"]) == 1 else ""
    big = f'<p class="big"><b>{short(row["difference"], "+")}</b> {escape(measure["label"])}</p>'
    said = f'<p class="soft">{name(row["system"])} compared with {name(row["baseline"])}</p>'
    same = parts["summary"]["outcome"] == "ABOUT THE SAME" and parts["compared"] is not None
    alike = parts["compared"]["equivalence"] if same and parts["compared"] else 0.0
    shaded = '<p class="soft">Shaded: a difference that counts as none.</p>' if same else ""
    bar = parts["compared"]["bar"] if parts["compared"] is not None else 0.0
    drawn = strip(row, measure["direction"], alike, bar) + shaded + tally(row, measure["direction"])
    return f'<div class="figures">{big}{said}{drawn}</div>'


def _mean(parts: Parts) -> str:
    """Write the mean of one system as a large number, and its interval on the range of the measure."""
    measure, row = parts["measures"][0], parts["means"][0]
    low, high = range_of(measure, [row])
    big = f'<p class="big"><b>{short(row["mean"])}</b> {escape(measure["label"])}</p>'
    said = f'<p class="soft">{escape(measure["over"])} of {plural(row["queries"], "query")}</p>'
    drawn = mean_drawn(row, (low, high))
    ends = f'<p class="ends"><span>{low:g}</span><span>{high:g}</span></p>' if drawn else ""
    return f'<div class="figures">{big}{said}{drawn}{ends}</div>'


def lead_row(parts: Parts) -> DifferenceRow | None:
    """Return the difference that the head is about; None where nothing is compared."""
    compared, measure = parts["compared"], parts["measures"][0]["label"]
    if compared is None:
        return None
    wanted = [*parts["summary"]["pair"], measure]
    return next(r for r in compared["differences"] if [r["baseline"], r["system"], r["measure"]] == wanted)


def _checks(checks: list[Check]) -> str:
    """Write one line; warnings come first and turn it into one."""
    if not checks:
        return ""
    warned = any(check["warns"] for check in checks)
    ordered = sorted(checks, key=lambda check: not check["warns"])
    items = "".join(f"<li{_warns(check)}>{escape(visible(check['text']))}</li>" for check in ordered)
    more = '<li><a href="#ledger">details</a></li>'
    spoken = "Warning: check these first" if warned else "Checks"
    return f'<ul id="checks" data-warns="{str(warned).lower()}" aria-label="{spoken}">{items}{more}</ul>'


def _warns(check: Check) -> str:
    return ' class="warns"' if check["warns"] else ""
