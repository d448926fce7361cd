"""A report as one HTML file: what is readable without script, the data, the scripts; no request leaves it."""

import base64
import gzip
import hashlib
import json
import re
from functools import cache
from html import escape
from importlib.resources import files
from posixpath import dirname, join, normpath
from string import Template
from typing import Any

from idealrank.display.palette import properties
from idealrank.errors import plural
from idealrank.reports.page.changes import changes
from idealrank.reports.page.front import answer, doubts_of, front_table
from idealrank.reports.page.grades import calibration, raters
from idealrank.reports.page.markup import bullets, name
from idealrank.reports.page.method import method
from idealrank.reports.page.method_tables import settings
from idealrank.reports.page.paper import made
from idealrank.reports.types import ReportSections

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="$program">
<title>$title</title>
<style>$style</style>
<noscript><style>$bare</style></noscript>
</head>
<body>
$static
$data
<script>$charts</script>
<script type="module">$script</script>
</body>
</html>
""")


def page(parts: ReportSections) -> str:
    """Return a report, as `Report.to_dict` returns it, as an HTML document: its data is a compressed block a part."""
    style, charts, script = page_style(), chart_library(), bundle(SEVERAL if len(parts["systems"]) > 2 else FEW)
    return _PAGE.substitute(
        policy=_policy([charts, script], [style, WITHOUT_SCRIPT], parts["documents"]["picture"] is not None),
        program=escape(parts["program"]),
        title=escape(parts["title"]),
        style=style,
        bare=WITHOUT_SCRIPT,
        static=static_body(parts),
        data="\n".join(_block(name, part) for name, part in parts.items()),
        charts=charts,
        script=script,
    )


def _policy(scripts: list[str], styles: list[str], pictures: bool) -> str:
    """Allow the page's own scripts and styles, and pictures of the web where they were asked for; nothing else."""
    images = "data: https:" if pictures else "data:"
    return (
        f"default-src 'none'; script-src {_hashes(scripts)}; style-src {_hashes(styles)}; img-src {images}; "
        "connect-src 'none'; base-uri 'none'; form-action 'none'"
    )


def _hashes(texts: list[str]) -> str:
    return " ".join(_hash(text) for text in texts)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _block(name: str, part: Any) -> str:
    """Write a part as JSON, compressed, in base64: nothing in it can end the element."""
    text = json.dumps(part, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Without its time, so that the same report has the same bytes. A page is mailed: level 8 takes 2 % off 6's bytes.
    packed = base64.b64encode(gzip.compress(text.encode("utf-8", "surrogatepass"), 8, mtime=0)).decode()
    return f'<script type="application/gzip" id="part-{name}">{packed}</script>'


# Scripts and styles.


FEW, SEVERAL = "two.js", "several.js"
"""The script that begins the page: of one or two systems, and of more."""
STYLES = ("base", "front", "charts", "query", "print")
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[\w./]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_INDENT = re.compile(r"^ +", re.MULTILINE)
_STYLE_COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
_COMMENT = re.compile(r"^ *(//[^\n]*|/\*\*.*?\*/)\n", re.MULTILINE | re.DOTALL)


def read_asset(name: str) -> str:
    """Return the text of a file of this folder."""
    return (files(__package__) / name).read_text("utf-8")


@cache
def bundle(entry: str = SEVERAL) -> str:
    """Return all modules that the entry needs as one script, each after those it imports.

    A page opened from a file may not import modules, so each becomes a function that is called where it stands: its
    names stay its own, and what it exports is what the function returns. Comments that are lines of their own and
    indents are left out: they are a sixth of the bytes, and a page is mailed. So no text in a script goes over lines.
    """
    modules: dict[str, str] = {}
    _add_module(entry, modules)
    return _INDENT.sub("", _COMMENT.sub("", "\n".join(modules.values())))


def _add_module(path: str, modules: dict[str, str]) -> None:
    """Add a module, by its path among the scripts, after those it imports."""
    text = read_asset(f"scripts/{path}")
    for _, imported in _IMPORT.findall(text):
        other = normpath(join(dirname(path), imported))
        if other not in modules:
            _add_module(other, modules)
    modules[path] = _wrap_module(path, text)


def _wrap_module(path: str, text: str) -> str:
    """Write a module as a constant that holds its exports; it takes what it imports out of those of others."""

    def imports(line: re.Match[str]) -> str:
        names = line[1].replace(" as ", ": ")
        return f"const {{{names}}} = {_constant(normpath(join(dirname(path), line[2])))};\n"

    exports = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(imports, text))
    return f"const {_constant(path)} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"


def _constant(path: str) -> str:
    """Name the constant of a module: ``$charts_drawing`` of ``charts/drawing.js``."""
    return "$" + path.removesuffix(".js").replace("/", "_")


def chart_library() -> str:
    """Return the vendored chart library, under its licence: a page is passed on."""
    return f"/*!\n{read_asset('vendor/uPlot.LICENSE')}*/\n{read_asset('vendor/uPlot.iife.min.js')}"


@cache
def page_style() -> str:
    """Return the styles, those of the chart library first, then the colours; without comments and indents."""
    sheets = [_INDENT.sub("", _STYLE_COMMENT.sub("", read_asset(f"styles/{name}.css"))) for name in STYLES]
    return "\n".join([read_asset("vendor/uPlot.min.css"), properties(), *sheets])


# What is readable without script.


WITHOUT_SCRIPT = """
.live { display: none !important }
.bar { position: static }
"""
"""The style where scripts do not run: what needs script is not there."""

LINKS = (("summary", ""), ("queries", "live"), ("charts", "live"), ("agreement", ""), ("method", ""))
"""The entries of the bar, and what needs script."""


def static_body(parts: ReportSections) -> str:
    """Write the body of the page but for its data and scripts."""
    texts = "" if parts["documents"]["text"] is None else " data-texts"
    return f"""<a class="skip live" href="#queries">Skip to the queries</a>
<nav class="bar" id="bar" aria-label="Report"><p class="names">{_system_names(parts)}</p>
<div class="links">{_links(parts)}</div><div class="tools live"></div></nav>
<main id="report">
{answer(parts)}
{_remarks(parts)}
{front_table(parts)}
{calibration(parts)}
{settings(parts)}
<p id="notice" class="notice live" role="status" hidden></p>
{changes(parts)}
{made(parts)}
{_shown_note(parts)}
<section id="queries" class="live" aria-label="Queries" tabindex="-1"></section>
<section id="query" class="live" aria-label="Chosen query" tabindex="-1"{texts} hidden></section>
<section id="charts" class="live" aria-label="Charts" tabindex="-1"></section>
{raters(parts)}
{method(parts)}
</main>
<footer class="foot">{name(parts["program"])} · {_loads_note(parts)}
<button type="button" class="live plain" id="print-all">Print everything</button></footer>"""


def _shown_note(parts: ReportSections) -> str:
    """Say which queries are shown, where not all are."""
    note = parts["queries"]["note"]
    return f'<p id="some-queries" class="note live">{escape(note)}</p>' if note else ""


def _loads_note(parts: ReportSections) -> str:
    """Say what the page loads."""
    if parts["documents"]["picture"] is None:
        return "This file is complete: it loads nothing and sends nothing."
    return "This file loads pictures of documents from the web, and nothing else."


def _system_names(parts: ReportSections) -> str:
    """Name the systems: the baseline and the other, or how many there are."""
    systems = parts["systems"]
    if len(systems) > 2:
        base = "" if parts["baseline"] is None else f", baseline {name(parts['baseline'])}"
        return f"{plural(len(systems), 'system')}{base}"
    return " → ".join(map(name, parts["pairs"][0] if parts["pairs"] else systems))


def _remarks(parts: ReportSections) -> str:
    """Write what is odd about the inputs, below the verdict, but for the doubts that stand above it."""
    doubts = tuple(doubts_of(parts))
    texts = [text for text in parts["ledger"]["warnings"] if not text.startswith(doubts)]
    if not texts:
        return ""
    return f'<section id="warnings" class="notice" aria-label="Remarks on the inputs">{bullets(texts)}</section>'


def _links(parts: ReportSections) -> str:
    several = parts["grades"] is not None and parts["grades"]["raters"] is not None
    entries = [(key, live) for key, live in LINKS if key != "agreement" or several]
    return "".join(f'<a class="{live}" href="#{key}">{key.capitalize()}</a>' for key, live in entries)
