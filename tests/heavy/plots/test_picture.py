"""The sheet: deterministic, its own looks, any name as text, and matplotlib only when asked for."""

from __future__ import annotations

import base64
import functools
import hashlib
import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ET

import matplotlib
import matplotlib.pyplot
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import idealrank as ir
from idealrank.reports.plots import NAMES
from idealrank.reports.plots.picture import line_of
from tests.amounts import tried
from tests.comparison.worlds import random_world
from tests.reports.drawn_worlds import two

WITHOUT_IDS = ("distribution", "segments", "thresholds")
"""Plots that need values that differ, or attributes of queries."""

HOSTILE = (
    "$\\nomacro$",
    "a$b",
    "$x^2$",
    "<script>&\"'",
    "a\nb\tc\x00\x1b[31m",
    "_hidden",
    "אבג\u202e",
    "検索",
    "x" * 10_000,
    "-->",
    "{}%s",
)


def test_the_same_bytes_on_every_run() -> None:
    """Another process writes the same bytes as this one, without a date."""
    code = (
        "import hashlib, json; import idealrank as ir; from tests.reports.drawn_worlds import two; "
        "print(json.dumps([hashlib.sha256(getattr(ir.plots, n)(two()).file(f)).hexdigest() "
        "for n in ('means', 'grades', 'intervals') for f in ('svg', 'png', 'pdf')]))"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    files = [
        getattr(ir.plots, n)(two()).file(f) for n in ("means", "grades", "intervals") for f in ("svg", "png", "pdf")
    ]
    assert json.loads(other) == [hashlib.sha256(written).hexdigest() for written in files]
    assert all(len(written) > 4_000 and b"Date" not in written.replace(b"DateTime", b"") for written in files)


def test_the_file_states_the_fingerprint() -> None:
    """The metadata of an SVG name the measure with every decision."""
    root = ET.fromstring(ir.plots.curve(two(), "RR").file("svg"))
    assert ir.measure("RR").fingerprint.replace("@", "") in "".join(root.itertext()).replace("@", "")


def test_settings_of_the_user_are_left_alone() -> None:
    """Neither do they change the picture, nor does it change them, nor does pyplot know of it."""
    plain = ir.plots.differences(two()).file("png")
    before = dict(matplotlib.rcParams)
    with matplotlib.rc_context(
        {"axes.facecolor": "black", "text.color": "white", "font.size": 30, "lines.marker": "x"}
    ):
        dark = dict(matplotlib.rcParams)
        assert ir.plots.differences(two()).file("png") == plain
        assert dict(matplotlib.rcParams) == dark
    assert dict(matplotlib.rcParams) == before
    assert matplotlib.pyplot.get_fignums() == []


def test_it_is_drawn_under_its_own_settings_later_too() -> None:
    """What a user saves under settings of another style is what is saved under none."""

    def saved() -> bytes:
        out = io.BytesIO()
        ir.plots.means(two()).savefig(out, format="png", dpi=80)
        return out.getvalue()

    plain = saved()
    with matplotlib.rc_context({"xtick.color": "red", "xtick.labelsize": 20, "font.family": "DejaVu Serif"}):
        assert saved() == plain


def test_a_notebook_shows_it() -> None:
    """A picture hands a notebook its PNG by itself, alone and as HTML with its title as words; it is a figure."""
    picture = ir.plots.means(two())
    assert isinstance(picture, matplotlib.figure.Figure)
    shown = picture._repr_mimebundle_(include=None, exclude=None)
    assert set(shown) == {"text/html", "image/png"}
    assert base64.b64decode(shown["image/png"]).startswith(b"\x89PNG")
    assert shown["text/html"].startswith('<img alt="Means with 95% intervals. RR under')
    assert f"base64,{shown['image/png']}" in shown["text/html"]


@functools.cache
def of_hostile_names(systems: int) -> ir.Comparison:
    """Compare the first of so many systems with the others; queries and systems have all the names."""
    judgments = {f"{key}?": {"d": 1} for key in HOSTILE}
    rows = [
        (key, doc, score, i) for i, key in enumerate(judgments) for doc, score in (("d", 1.0), ("x", 2.0 * (i % 2)))
    ]
    run = dict(zip(("query", "doc", "score", "latency_ms"), map(list, zip(*rows, strict=True)), strict=True))
    scores = ir.evaluate(judgments, dict.fromkeys(HOSTILE[:systems], run), ["RR"])
    return ir.compare(scores, baseline=HOSTILE[0], draws=100)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_IDS])
def test_names_are_text(name: str) -> None:
    """System and query ids with dollars, tags, newlines, control characters or no letters in the font are drawn."""
    for systems in (2, len(HOSTILE)):
        written = getattr(ir.plots, name)(of_hostile_names(systems)).file("svg")
        assert ET.fromstring(written).tag.endswith("svg")
        assert b"<script" not in written


def test_a_name_that_begins_with_a_line_is_in_the_legend() -> None:
    """Matplotlib leaves out labels that begin with an underscore; here they stand."""
    run = {"q": {"d": 1.0}}
    picture = ir.plots.curve(ir.evaluate({"q": {"d": 1}}, {"_a": run, "b": run}, ["P@5"]))
    assert [text.get_text().strip() for text in picture.legends[0].get_texts()] == ["_a", "b"]


def test_no_two_lines_look_alike() -> None:
    """The first 140 lines have different looks, and any ten in a row different markers."""
    looks = [line_of(place) for place in range(140)]
    assert len({str(sorted(look.items(), key=str)) for look in looks}) == 140
    assert all(len({look["marker"] for look in looks[i : i + 10]}) == 10 for i in range(130))


def test_ten_thousand_queries_are_a_small_file() -> None:
    """No plot of 10,000 queries takes over 400 kB, of 2,500 as of 10,000; benchmarks measure how long each takes."""
    judgments, runs = random_world(1, queries=tried(10_000))
    found = ir.compare(judgments, runs, ["nDCG@10"], draws=100)
    for name in (name for name in NAMES if name not in ("segments", "thresholds", "latency")):
        assert len(getattr(ir.plots, name)(found).file("svg")) < 400_000, name


def test_matplotlib_is_imported_when_a_plot_is_asked_for() -> None:
    """Neither the package, nor scores, nor a comparison with all it prints imports matplotlib; a plot does."""
    code = (
        "import sys, idealrank as ir; from idealrank.reports.plots import NAMES; "
        "run = {'q': {'d': 1.0}, 'r': {'d': 1.0}}; "
        "c = ir.compare({'q': {'d': 1}, 'r': {'d': 1}}, {'a': run, 'b': run}, ['RR'], draws=100); "
        "repr(c), c._repr_html_(), c.scores._repr_html_(), ir.plots, dir(ir.plots); "
        "assert 'matplotlib' not in sys.modules; ir.plots.means(c); assert 'matplotlib' in sys.modules; "
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_matplotlib() -> None:
    """Where matplotlib is missing one line says which command brings it, in Python and on the command line."""
    code = (
        "import sys; sys.modules['matplotlib'] = None; import idealrank as ir\n"
        "try: ir.plots.means(ir.evaluate({'q': {'d': 1}}, {'q': {'d': 1.0}}, ['RR']))\n"
        "except ir.UsageError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Plots need matplotlib, and it is not installed. pip install matplotlib\n"


def test_an_svg_has_no_outside() -> None:
    """Nothing in the file is fetched from elsewhere: every reference is within it, or the data itself."""
    root = ET.fromstring(ir.plots.grades(two()).file("svg"))
    links = [value for one in root.iter() for key, value in one.attrib.items() if key.endswith("href")]
    assert links
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in links)


def test_strips_are_in_the_order_of_the_values() -> None:
    """Queries stand by the mean of both systems, best first, equal ones by id; the least where less is better."""
    from idealrank.reports.plots.queries import sort_queries as best_first

    found = two().scores
    means = np.mean([[1.0, 0.5, 0.25, 0.5], [1.0, 1.0, 0.5, 0.25]], axis=0)
    order = sorted(range(4), key=lambda q: (-means[q], q))
    assert best_first(found, 0).tolist() == order
    low = two(("ARP",)).scores
    assert best_first(low, 0).tolist() == order


LONG = "a name as long as a line of text, which no panel has the room for"


def test_long_names_are_cut_at_the_end_of_their_panel() -> None:
    """Neither titles nor labels of panels reach beyond them; the title above all ends before the sheet does."""
    ranks = {f"{LONG} {s}": {f"{LONG} {q}": 1 + (q * s) % 3 for q in range(6)} for s in range(4)}
    judgments = {query: {"d": 1} for query in ranks[f"{LONG} 0"]}
    runs = {
        name: {q: {**{f"x{i}": -float(i) for i in range(1, rank)}, "d": -float(rank)} for q, rank in found.items()}
        for name, found in ranks.items()
    }
    kinds = {"query_id": list(judgments), "kind": [LONG, "other"] * 3}
    found = ir.compare(judgments, runs, ["RR", "P@2"], baseline=f"{LONG} 0", queries=kinds, draws=100)
    plots = (ir.plots.grades, ir.plots.segments, ir.plots.scatter, ir.plots.intervals, ir.plots.differences)
    for figure in (plot(found) for plot in plots):
        figure.file("png", 100)
        renderer = FigureCanvasAgg(figure).get_renderer()
        assert figure._suptitle.get_window_extent(renderer).x1 <= figure.bbox.x1  # type: ignore[attr-defined]
        for panel in figure.axes:
            box, title = panel.get_window_extent(renderer), panel._left_title  # type: ignore[attr-defined]
            assert title.get_window_extent(renderer).width <= box.width + 1
            assert panel.xaxis.label.get_window_extent(renderer).width <= box.width + 1
            assert panel.yaxis.label.get_window_extent(renderer).height <= box.height + 1


def test_long_ids_leave_room_for_the_bars() -> None:
    """With ids of sixty letters the bars are as high as with short ones."""
    heights = []
    for name in ("q", LONG):
        judgments = {f"{name}{q}": {"d": 1} for q in range(6)}
        old = {q: {"d": 1.0} for q in judgments}
        new = {q: {"x": 2.0, "d": 1.0} for q in judgments}
        figure = ir.plots.differences(ir.compare(judgments, {"old": old, "new": new}, ["RR"], draws=100))
        figure.file("png", 60)
        heights.append(figure.axes[0].get_window_extent().height / figure.dpi)
    assert heights[1] > 0.9 * heights[0]


@pytest.mark.parametrize("name", ["s{}", "bm25 k1=1.{:02} b=0.75 with stemming"])
def test_the_legend_of_many_systems_is_whole(name: str) -> None:
    """25 systems are all named below the panel, which keeps its height, and above the footnote."""
    results = {name.format(i): {"q": {"a": 1.0, "b": i / 100}} for i in range(25)}
    scores = ir.evaluate({"q": {"a": 1}}, results, ["P@5"])
    heights = []
    for system in ("", next(iter(results))):
        figure = ir.plots.curve(scores, system=system or None)
        figure.draw(renderer := FigureCanvasAgg(figure).get_renderer())
        panel = figure.axes[0].get_tightbbox(renderer)
        heights.append(figure.axes[0].get_window_extent(renderer).height)
        if not system:
            legend = figure.legends[0].get_window_extent(renderer)
            assert len(figure.legends[0].get_texts()) == 25
            assert figure.footnote.get_window_extent(renderer).y1 <= legend.y0 < legend.y1 <= panel.y0
            assert legend.x1 <= figure.bbox.x1
    assert heights[0] > 0.75 * heights[1]
