"""What of the page is readable without script: title, verdict, means; decisions, ledger, inputs and methods."""

from idealrank.errors import plural
from idealrank.reports.page.averages import averages
from idealrank.reports.page.markup import bullets, name
from idealrank.reports.page.sheets import sheet, sheets
from idealrank.reports.page.verdicts import verdicts
from idealrank.reports.parts.kinds import LedgerPart, Parts

WITHOUT_SCRIPT = """
.live { display: none !important }
.bar { position: static }
.sheet { display: block; position: static; width: auto; max-height: none; margin-top: 2rem }
.sheet > header, .sheet .wide thead th { position: static }
"""
"""The style where scripts do not run: sheets stand open at the end, what needs script is not there."""


def static(parts: Parts) -> str:
    """Write the body of the page but for its data and scripts."""
    written = sheets(parts)
    return f"""<a class="skip" href="#queries">Skip to the queries</a>
<header class="top"><p class="kind">{_kind(parts)}</p><h1>{name(parts["title"])}</h1></header>
<main id="report">
{_warnings(parts["ledger"]["warnings"])}
{verdicts(parts)}
{averages(parts)}
<nav class="bar" id="bar" aria-label="Report">
<div class="links">{_links(written)}</div><div class="tools live"></div></nav>
<p id="notice" class="notice live" role="status" hidden></p>
<section id="charts" class="live" aria-label="Charts" tabindex="-1"></section>
<section id="queries" class="live" aria-label="Queries" tabindex="-1"></section>
<section id="query" class="live" aria-label="Chosen query" tabindex="-1" hidden></section>
{"".join(sheet(key, content) for key, content in written.items())}
</main>
<footer class="foot">{name(parts["program"])} · This file is complete: it loads nothing and sends nothing.</footer>"""


def _kind(parts: Parts) -> str:
    kind = "Comparison" if parts["compared"] else "Evaluation"
    return f"{kind} · {plural(len(parts['systems']), 'system')} · {_queries(parts['ledger'])}"


def _warnings(texts: list[str]) -> str:
    """Write what a reader must know before any number."""
    if not texts:
        return ""
    return f'<section id="warnings" class="notice" aria-label="Warnings">{bullets(texts)}</section>'


def _queries(ledger: LedgerPart) -> str:
    """Count the judged queries; where some were left out on request, those that were not."""
    judged, left = plural(ledger["judged_queries"], "judged query"), ledger["measures"][0]["left_out"]
    return f"{ledger['judged_queries'] - left} of {judged}" if left else judged


def _links(written: dict[str, str]) -> str:
    live = "".join(f'<a class="live" href="#{key}">{key.capitalize()}</a>' for key in ("charts", "queries"))
    return live + "".join(f'<a href="#{key}" aria-haspopup="dialog">{key.capitalize()}</a>' for key in written)
