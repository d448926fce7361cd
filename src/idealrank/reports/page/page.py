"""A report as one HTML file: what is readable without script, the data, the scripts; no request leaves it."""

import base64
import gzip
import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from posixpath import dirname, join, normpath
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from idealrank.comparison.leaderboard import ranks_text
from idealrank.comparison.types import ESTIMATES
from idealrank.display.numbers import percent, span_amount
from idealrank.display.palette import properties
from idealrank.errors import plural, visible
from idealrank.evaluation.latency import coverage_text
from idealrank.reports.page import changes, front, grades, markup, method, paper, settings
from idealrank.reports.types import ReportSections, decided


def page(report: ReportSections) -> str:
    """Return a report, as `Report.to_dict` returns it, as an HTML document: its data is a compressed block a part."""
    style, charts, script = page_style(), chart_library(), bundle(SEVERAL if len(report["systems"]) > 2 else FEW)
    own = {
        "policy": _policy([charts, script], [style, WITHOUT_SCRIPT], report["documents"]["picture"] is not None),
        "style": style,
        "bare": WITHOUT_SCRIPT,
        "data": "\n".join(_block(name, part) for name, part in report.items()),
        "charts": charts,
        "script": script,
    }
    return render("page.html", report=report, **{name: Markup(text) for name, text in own.items()}) + "\n"


def render(template: str, **values: Any) -> str:
    """Return a template of the page, filled with values."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    made = environment()
    made.globals["link"] = lambda part, query="": "#" if query else f"#{part}"
    return made


FILTERS = (
    markup.name, markup.names, markup.system_name, markup.breakable, markup.aside, markup.count, markup.short,
    markup.fixed, markup.chance, markup.change, markup.difference, markup.signed, markup.estimate, decided, visible,
    method.milliseconds, method.segment_cell, settings.interval_of,
)  # fmt: skip
VALUES = (
    markup.strip, markup.difference_line, markup.mean_line, markup.tally, markup.range_of, markup.hull_of,
    markup.farthest, markup.span, markup.short_span, decided, plural, percent, span_amount, ranks_text, coverage_text,
    front.doubts_of, front.remarks_of, front.query_count, front.queries_without_results, front.to_judge, front.lead_row,
    front.in_short, front.means_by_key, front.means_beside, front.level_of, changes.changes, changes.value_in_words,
    grades.coefficients, paper.command_of, paper.listed_files, settings.shade_of, settings.sorted_points,
    settings.setting_line, method.question_and_meaning, method.counted_states, method.titles_by_id,
    method.rows_by_measure, method.rows_by_pair, method.outcome_counts, method.best_first, method.glyph_legend,
    method.pairings, method.differences_by_key, method.latency_columns, method.threshold_lines,
)  # fmt: skip
"""What templates call by its name."""
CONSTANTS = {
    "MARKS": markup.MARKS, "ESTIMATES": ESTIMATES, "LEAGUE": front.LEAGUE, "STARS": settings.STARS,
    "TITLES": method.TITLES, "STAGES": method.STAGES, "SHOWN": method.SHOWN, "CARDS": method.CARDS,
    "COLUMNS": method.COLUMNS, "CLOCKS": method.CLOCKS, "DASHES": method.DASHES,
}  # fmt: skip


def environment(*loaders: BaseLoader) -> Environment:
    """Return what renders templates, those of other loaders and the page's.

    All texts are escaped, and a name that is not known is an error. A template leads to a part of the report by
    ``link``, which is not here: the page and the studio have theirs.
    """
    made = Environment(
        loader=ChoiceLoader([*loaders, PackageLoader("idealrank.reports.page")]), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters.update({each.__name__: each for each in FILTERS})
    made.globals.update({each.__name__: each for each in VALUES})
    made.globals.update(CONSTANTS)
    return made


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


WITHOUT_SCRIPT = """
.live { display: none !important }
.bar { position: static }
"""
"""The style where scripts do not run: what needs script is not there."""
