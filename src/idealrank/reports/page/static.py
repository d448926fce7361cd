"""What of the page is readable without script: bar, summary, measures or league, and the method."""

from html import escape

from idealrank.errors import plural
from idealrank.reports.page.answer import answer
from idealrank.reports.page.front_table import front_table
from idealrank.reports.page.markup import bullets, name
from idealrank.reports.page.method import method
from idealrank.reports.page.settings import settings
from idealrank.reports.parts.kinds import Parts

WITHOUT_SCRIPT = """
.live { display: none !important }
.bar { position: static }
"""
"""The style where scripts do not run: what needs script is not there."""

LINKS = (("summary", ""), ("queries", "live"), ("charts", "live"), ("method", ""))
"""The entries of the bar, and what needs script."""


def static(parts: Parts) -> str:
    """Write the body of the page but for its data and scripts."""
    return f"""<a class="skip" href="#queries">Skip to the queries</a>
<nav class="bar" id="bar" aria-label="Report"><p class="names">{_names(parts)}</p>
<div class="links">{_links()}</div><div class="tools live"></div></nav>
<main id="report">
{_warnings(parts["ledger"]["warnings"])}
{answer(parts)}
{front_table(parts)}
{settings(parts)}
<p id="notice" class="notice live" role="status" hidden></p>
<section id="changes" class="live" aria-label="Biggest changes"></section>
{_some_queries(parts)}
<section id="queries" class="live" aria-label="Queries" tabindex="-1"></section>
<section id="query" class="live" aria-label="Chosen query" tabindex="-1" hidden></section>
<section id="charts" class="live" aria-label="Charts" tabindex="-1"></section>
{method(parts)}
</main>
<footer class="foot">{name(parts["program"])} · {_loads(parts)}
<button type="button" class="live plain" id="print-all">Print everything</button></footer>"""


def _some_queries(parts: Parts) -> str:
    """Say which queries are shown, where not all are."""
    note = parts["queries"]["note"]
    return f'<p id="some-queries" class="note live">{escape(note)}</p>' if note else ""


def _loads(parts: Parts) -> str:
    """Say what the page loads."""
    if parts["documents"]["picture"] is None:
        return "This file is complete: it loads nothing and sends nothing."
    return "This file loads pictures of documents from the web, and nothing else."


def _names(parts: Parts) -> str:
    """Name the systems: the baseline and the other, or how many there are."""
    systems = parts["systems"]
    if len(systems) > 2:
        base = "" if parts["baseline"] is None else f", baseline {name(parts['baseline'])}"
        return f"{plural(len(systems), 'system')}{base}"
    return " → ".join(map(name, parts["pairs"][0] if parts["pairs"] else systems))


def _warnings(texts: list[str]) -> str:
    """Write what a reader must know before any number."""
    if not texts:
        return ""
    return f'<section id="warnings" class="notice" aria-label="Warnings">{bullets(texts)}</section>'


def _links() -> str:
    return "".join(f'<a class="{live}" href="#{key}">{key.capitalize()}</a>' for key, live in LINKS)
