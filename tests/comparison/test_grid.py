"""Systems named by their settings as points of a grid: read by hand, and against calls of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.comparison.settings_grid import parse_settings
from tests.comparison.worlds import one_relevant, random_world, reciprocal

Runs = dict[str, Any]


def renamed(runs: Runs, names: list[str]) -> Runs:
    """Return results under other names."""
    return dict(zip(names, runs.values(), strict=True))


@pytest.mark.parametrize(
    ("names", "values"),
    [
        (["q a=1", "q a=2"], {"a": (1, 2)}),
        (["q a=0.5", "q a=2", "q a=1e1"], {"a": (0.5, 2, 10.0)}),
        (["q a=-1", "q a=+2", "q a=.5"], {"a": (-1, 2, 0.5)}),
        (["q a=1", "q a=two"], {"a": ("1", "two")}),
        (["q a=1", "q a=1.0"], {"a": ("1", "1.0")}),
        (["q a=nan", "q a=1"], {"a": ("nan", "1")}),
        (["q a=1_0", "q a=2"], {"a": ("1_0", "2")}),
        (["q a=", "q a=2"], {"a": ("", "2")}),
        (["my query a=x y b=1", "my query a=z b=2"], {"a": ("x y", "z"), "b": (1, 2)}),
        (["q f=title^2=3", "q f=title"], {"f": ("title^2=3", "title")}),
        (["q a=1", "q a=2", "r a=1", "r a=2"], {"template": ("q", "q", "r", "r"), "a": (1, 2, 1, 2)}),
    ],
)
def test_names_of_points(names: list[str], values: dict[str, Any]) -> None:
    """Settings come after a name, each after a blank; numbers are numbers where all are, and differ as texts do."""
    found = parse_settings(["bm25", *names])
    assert found is not None
    assert found.places == tuple(range(1, len(names) + 1))
    assert found.values == values
    assert [[type(value) for value in each] for each in found.values.values()] == [
        [type(value) for value in each] for each in values.values()
    ]


@pytest.mark.parametrize(
    "names",
    [
        ["bm25", "hybrid"],
        ["q a=1", "bm25"],
        ["q a=1", "r a=2"],
        ["q a=1", "q b=1"],
        ["a=1", "a=2"],
        ["q a=1 a=2", "q a=2 a=3"],
        ["k1=1 b=2", "k1=2 b=2"],
    ],
)
def test_names_of_no_points(names: list[str]) -> None:
    """One point is no grid; neither are other names, other settings, settings given twice or without a name."""
    assert parse_settings(names) is None


def test_the_settings_of_most_systems_are_the_grid() -> None:
    """Three systems with `a` and `b` are the grid beside two with `a` alone."""
    found = parse_settings(["q a=1", "q a=2", "r a=1 b=1", "r a=1 b=2", "r a=2 b=1"])
    assert found is not None
    assert (found.places, found.values) == ((2, 3, 4), {"a": (1, 1, 2), "b": (1, 2, 1)})


def test_points_in_the_order_of_their_settings() -> None:
    """10 comes after 9, words as they come."""
    judged = one_relevant(8)
    names = ["q mode=or boost=10", "q mode=and boost=10", "q mode=or boost=9"]
    runs = {name: reciprocal(dict.fromkeys(judged, rank)) for name, rank in zip(names, (1, 2, 4), strict=True)}
    grid = ir.compare(judged, runs, ["RR"], baseline=names[1]).grid
    assert grid is not None
    assert grid["mode"] == ["or", "or", "and"]
    assert grid["boost"] == [9, 10, 10]
    assert grid["RR"] == [0.25, 1.0, 0.5]
    assert grid["difference"][:2] == [-0.25, 0.5]
    assert np.isnan(grid["difference"][2])
    assert grid["standing"][1] == "best"


@pytest.mark.parametrize("seed", range(3))
def test_brute_force(seed: int) -> None:
    """Means are those of `evaluate`, differences those of `compare`, and what may be best is what all pairs say."""
    judged, runs = random_world(seed, queries=60, systems=7, holes=0.1)
    names = ["old", *(f"q boost={b} fuzziness={f}" for b in (1, 2, 4) for f in (0, 1))]
    runs = renamed(runs, names)
    # the last is nearly a perfect ranking, so that most can be told from it
    runs[names[-1]] = {q: {d: float(g) + len(d) / 100 for d, g in docs.items()} for q, docs in judged.items()}
    found = ir.compare(judged, runs, ["nDCG@5", "RR"], baseline="old", draws=999)
    grid = found.grid
    assert grid is not None
    assert grid["system"] == names[1:]
    assert grid["boost"] == [1, 1, 2, 2, 4, 4]
    assert grid["fuzziness"] == [0, 1, 0, 1, 0, 1]
    for name, run in runs.items():
        if name != "old":
            (row,) = grid.filter(system=name)
            alone = ir.evaluate(judged, run, ["nDCG@5", "RR"])
            assert [row["nDCG@5"], row["RR"]] == pytest.approx([alone["nDCG@5"], alone["RR"]])
            contrast = found["nDCG@5", name]
            assert (row["difference"], row["corrected p"]) == (contrast.difference, contrast.p)
            assert (row["corrected low"], row["corrected high"]) == (contrast.corrected.low, contrast.corrected.high)
    points = {name: run for name, run in runs.items() if name != "old"}
    pairs = ir.compare(judged, points, ["nDCG@5"], draws=999)
    best = max(points, key=lambda name: ir.evaluate(judged, points[name], ["nDCG@5"])["nDCG@5"])
    for row in grid:
        if row["system"] == best:
            assert row["standing"] == "best"
            continue
        (said,) = (each for each in pairs.differences if {each["system"], each["baseline"]} == {row["system"], best})
        apart = said["corrected low"] > 0 or said["corrected high"] < 0
        assert row["standing"] == ("" if apart else "may be best")
    assert "" in grid["standing"]


def test_without_a_baseline_there_are_no_differences() -> None:
    """All pairs compared: the grid has means, and what may be best."""
    judged, runs = random_world(1, systems=3)
    grid = ir.compare(judged, renamed(runs, ["q a=1", "q a=2", "q a=3"]), ["RR"]).grid
    assert grid is not None
    assert grid.columns == ["system", "a", "RR", "low", "high", "standing"]


def test_a_setting_called_like_a_column() -> None:
    """A setting that is called like a measure or another column keeps its values, under a name of its own."""
    judged, runs = random_world(1, systems=3)
    names = [f"q low={i} RR={i} system={i}" for i in range(3)]
    found = ir.compare(judged, renamed(runs, names), ["RR"])
    assert found.grid is not None
    for name in ("low", "RR", "system"):
        assert found.grid[f"{name} (setting)"] == [0, 1, 2]
    assert found.grid["system"] == names
    assert "RR (setting)" in repr(found)


def test_with_a_hold_out_the_grid_is_of_the_tuning_queries() -> None:
    """Every point is there with its mean on the tuning queries, and the best is the one that was chosen."""
    judged, runs = random_world(2, queries=40, systems=4)
    runs = renamed(runs, [f"q a={a}" for a in (1, 2, 3, 4)])
    found = ir.compare(judged, runs, ["nDCG@5"], baseline="q a=1", hold_out=0.5)
    assert found.tuning is not None
    assert found.grid is not None
    tuning = ir.evaluate(judged, runs, ["nDCG@5"], only=list(found.tuning.queries))
    assert found.grid["nDCG@5"] == pytest.approx([tuning["nDCG@5", name] for name in runs])
    (best,) = found.grid.filter(standing="best")
    assert best["system"] == found.tuning.best
    assert "nDCG@5 by setting on the 20 tuning queries" in repr(found)
    assert found.to_dict()["grid"] == found.grid.rows()


def test_systems_on_no_grid() -> None:
    """Nothing changes where systems are not named by settings."""
    judged, runs = random_world(1)
    found = ir.compare(judged, runs, ["RR"])
    assert found.grid is None
    assert "grid" not in found.to_dict()
    assert "by setting" not in repr(found)


def by_rank(ranks: dict[str, int]) -> ir.Comparison:
    """Compare systems that have the relevant document at one rank in all of ten queries."""
    judged = one_relevant(10)
    return ir.compare(judged, {name: reciprocal(dict.fromkeys(judged, rank)) for name, rank in ranks.items()}, ["RR"])


def test_two_settings_are_a_matrix() -> None:
    """Rows are values of the first setting, columns of the second; a point that is missing leaves its cell empty."""
    text = repr(by_rank({"q b=2 f=0": 1, "q b=1 f=0": 4, "q b=1 f=10": 2, "q b=1 f=9": 10}))
    lines = text[text.index("RR by setting") :].splitlines()
    assert lines[1].split() == ["b", "f=0", "f=9", "f=10"]
    assert lines[3].split() == ["1", "0.2500", "0.1000", "0.5000"]
    assert lines[4].split() == ["2", "1.0000", "*"]


def test_three_settings_are_sorted() -> None:
    """The best mean comes first."""
    text = repr(by_rank({"q a=1 b=1 c=x": 4, "q a=1 b=2 c=y": 1, "q a=2 b=1 c=z": 2}))
    lines = text[text.index("RR by setting") :].splitlines()
    assert [line.split()[:4] for line in lines[3:6]] == [
        ["1", "2", "y", "1.0000"],
        ["2", "1", "z", "0.5000"],
        ["1", "1", "x", "0.2500"],
    ]
