"""Every plot, for one system, two and many; and what is refused."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.reports import plots
from idealrank.reports.plots import NAMES, OF_COMPARISONS, OF_HISTORIES, OF_SCORES
from idealrank.reports.subject import Subject, scores_of
from tests.amounts import tried
from tests.reports.drawn_worlds import several, several_of_spans, several_timed, two


@functools.cache
def subjects(systems: int, name: str) -> list[Subject]:
    """Return scores, and a comparison where there are two systems; of spans or with times for plots that need them."""
    worlds = {"thresholds": several_of_spans, "latency": several_timed}
    scores = worlds.get(name, several)(systems)
    if systems == 1:
        return [scores]
    return [scores, ir.compare(scores, baseline="s00", draws=100)]


def test_the_list_of_names_is_complete() -> None:
    """The module completes to the plots alone; each has a home, and a line where types are checked."""
    assert sorted(dir(ir.plots)) == sorted(plots.__all__) == sorted([*OF_SCORES, *OF_COMPARISONS, *OF_HISTORIES])
    assert sorted(name for names in plots._HOMES.values() for name in names) == sorted([*NAMES, *OF_HISTORIES])
    imported = re.findall(r"\b(\w+) as \1\b", Path(plots.__file__).read_text("utf-8"))
    assert sorted(imported) == sorted([*NAMES, *OF_HISTORIES])


def test_what_is_not_drawn() -> None:
    """What is neither scores nor a comparison, and scores where two systems are needed, are told with what to do."""
    with pytest.raises(ir.UsageError, match=r"not a dict\. Evaluate first: ir\.evaluate\(judgments, results\)"):
        ir.plots.means({})  # type: ignore[arg-type]
    with pytest.raises(ir.UsageError, match=r"Compare first: ir\.plots\.scatter\(ir\.compare\(scores\)\)"):
        ir.plots.scatter(several(2))  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match=r"No plot called .mean.\. Did you mean means"):
        ir.plots.mean  # noqa: B018


@pytest.mark.parametrize("systems", [1, 2, tried(20)])
@pytest.mark.parametrize("name", NAMES)
def test_every_plot(name: str, systems: int) -> None:
    """Each is drawn as a file, shows every system, and says in its footnote under what and of how many queries."""
    for each in subjects(systems, name):
        if name in OF_COMPARISONS and isinstance(each, ir.Scores):
            continue
        picture = getattr(ir.plots, name)(each)
        assert picture.file("png", 50).startswith(b"\x89PNG\r\n")
        said = picture.footnote.get_text().replace(", unit=spans", "")
        assert "under idealrank-1; 12 of 12 queries" in said.replace("idealrank-1, judged or not", "idealrank-1")
        assert name == "overlap" or said.startswith("RR")
        assert (
            picture.stated == () if name == "overlap" else picture.stated[0] == scores_of(each).measures[0].fingerprint
        )
        words = " ".join(text.get_text() for text in picture.findobj(lambda one: hasattr(one, "get_text")))
        assert all(system in words for system in ("s00", f"s{systems - 1:02}"))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "leaderboard"])
def test_measure_and_system_are_chosen(name: str) -> None:
    """A plot shows the measure asked for, and the one system asked for; a leaderboard is of all."""
    found = subjects(8, name)[1]
    words = {"system": "s07"} | ({} if name == "overlap" else {"measure": "P@5"})
    picture = getattr(ir.plots, name)(found, **words)
    assert len(picture.axes) == 1
    assert name == "overlap" or "P@5 under" in picture.footnote.get_text()
    with pytest.raises(ir.UsageError, match="s99"):
        getattr(ir.plots, name)(found, system="s99")


def test_a_leaderboard_is_drawn_as_it_was_ranked() -> None:
    """A leaderboard at 80% is drawn at 80%, also by ir.plot; other plots show its scores."""
    board = ir.leaderboard(several(3), level=0.8, draws=100)
    for picture in (ir.plots.leaderboard(board), ir.plot(board)):
        words = [text.get_text() for text in picture.findobj(lambda one: hasattr(one, "get_text"))]
        assert any("ranks with 80% confidence" in text for text in words)
    assert ir.plots.means(board).footnote.get_text() == ir.plots.means(board.scores).footnote.get_text()


def test_a_footnote_tells_queries_left_out() -> None:
    """Of four queries one is skipped: three are in the mean."""
    judgments = {key: {"d": 1} for key in "abcd"}
    scores = ir.evaluate(judgments, {key: {"d": 1.0} for key in "abc"}, ["RR"], no_results="skip")
    assert ir.plots.means(scores).footnote.get_text() == "RR under idealrank-1, no_results=skip; 3 of 4 queries"


def test_too_many_pairs_are_refused() -> None:
    """Twenty systems without a baseline are 190 pairs: a panel each is too much, and one is asked for."""
    found = ir.compare(several(10), draws=100)
    with pytest.raises(ir.UsageError, match=r"45 panels are more than can be read \(at most 40\)\. Name one system"):
        ir.plots.differences(found)
    assert len(ir.plots.differences(found, system="s01 vs s00").axes) == 1
    assert len(ir.plots.intervals(found, "RR").axes[0].get_yticklabels()) == 45


def test_segments_need_something_to_go_by() -> None:
    """Nothing known of the queries, and a name that is not known, are told with what to give."""
    scores = ir.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1.0}, "r": {"a": 1.0}}, ["RR"])
    with pytest.raises(ir.UsageError, match=r"Nothing known about the queries tells them apart\. Give queries=…"):
        ir.plots.segments(scores)
    with pytest.raises(ir.UsageError, match=r"No query attribute called 'kin'\. Did you mean kind"):
        ir.plots.segments(two(), by="kin")
    with pytest.raises(ir.UsageError, match="only comparisons have this segment"):
        ir.plots.segments(two().scores, by="results")


def test_segments_by_what_both_returned() -> None:
    """In a comparison the queries may go by which of the two systems answered them."""
    judgments = {key: {"d": 1} for key in "abc"}
    full, part = {key: {"d": 1.0} for key in "abc"}, {key: {"d": 1.0} for key in "ab"}
    (panel,) = ir.plots.segments(
        ir.compare(judgments, {"full": full, "part": part}, ["RR"], draws=100), by="results"
    ).axes
    assert [label.get_text() for label in panel.get_yticklabels()] == ["both (2)", "one (1)"]
    assert panel.containers[0][0].get_xdata().tolist() == [0.0, -1.0]
