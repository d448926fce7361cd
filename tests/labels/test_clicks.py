"""Clicks as a rater: logs simulated from known attention, likelihoods maximised directly, and counts by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import idealrank as ir
from idealrank.labels.click_log import read_click_log
from idealrank.statistics.clicks import Cells, attractiveness, position_attention
from tests.cli.terminal import run

THETA = np.array([1.0, 0.62, 0.45, 0.36, 0.27, 0.24, 0.2, 0.17, 0.15, 0.12])


def simulated(searches: int, seed: int = 2026, swaps: int = 3, queries: int = 400) -> tuple[dict[str, Any], Any]:
    """Return a log of known attention, whose lists are shifted by up to so many places, and the true attractiveness."""
    rng = np.random.default_rng(seed)
    chance = 1 / np.arange(1, queries + 1)
    query = rng.choice(queries, searches, p=chance / chance.sum())
    alpha = rng.beta(0.8, 1.6, (queries, 12))
    alpha = -np.sort(-alpha, axis=1)  # an engine that ranks well: COEC takes rank for attention here
    place = np.tile(np.arange(10), searches)
    doc = (place + np.repeat(rng.integers(0, swaps, searches), 10)) % 12
    query = np.repeat(query, 10)
    clicked = rng.random(len(query)) < THETA[place] * alpha[query, doc]
    return {"query": query, "doc": doc, "position": place + 1, "clicked": clicked.astype(int)}, alpha


def shuffled(log: dict[str, Any], seed: int = 1) -> dict[str, Any]:
    """Return the same rows in another order."""
    order = np.random.default_rng(seed).permutation(len(log["query"]))
    return {name: np.asarray(values)[order] for name, values in log.items()}


# Attention.


def test_attention_is_that_of_the_simulation() -> None:
    """θ is within .01 at every position, where rates by position are off by more than .05."""
    log, alpha = simulated(200_000)
    found = ir.clicks(log, model="pbm")
    assert np.abs(found.attention - THETA).max() < 0.01
    assert np.abs(ir.clicks(log, model="coec").attention - THETA).max() > 0.05
    grade = np.array([row["grade"] for row in found.table])
    truth = np.array([alpha[int(row["query"]), int(row["doc"])] for row in found.table])
    often = np.array([row["evidence"] >= 200 for row in found.table])
    assert np.corrcoef(grade[often], truth[often])[0, 1] > 0.97


def test_attention_is_not_bent_by_pairs_of_few_clicks() -> None:
    """With 25 impressions of each of 8,000 pairs the mean of the equations is right; a joint likelihood is off."""
    rng = np.random.default_rng(2026)
    theta, pairs = np.array([1.0, 0.5]), 8000
    alpha = rng.beta(1, 1, pairs)
    shown = np.tile([13.0, 12.0], pairs)
    pair, position = np.repeat(np.arange(pairs), 2), np.tile([0, 1], pairs)
    clicked = rng.binomial(shown.astype(int), alpha[pair] * theta[position]).astype(float)
    found = position_attention(Cells(pair, position, shown, clicked), 2)
    assert found.theta[1] == pytest.approx(0.5, abs=0.01)


def small_world(shown: float, seed: int = 3) -> tuple[Cells, Any]:
    """Return cells of six pairs at four positions."""
    rng = np.random.default_rng(seed)
    theta, alpha = np.array([1.0, 0.7, 0.4, 0.2]), np.array([0.1, 0.3, 0.2, 0.5, 0.25, 0.05])
    pair, position = (each.ravel() for each in np.meshgrid(np.arange(6), np.arange(4), indexing="ij"))
    kept = (pair + position) % 4 != 3
    pair, position = pair[kept], position[kept]
    times = np.full(len(pair), shown)
    clicked = rng.binomial(times.astype(int), theta[position] * alpha[pair]).astype(float)
    return Cells(pair, position, times, clicked), theta


@pytest.mark.parametrize("seed", range(3))
def test_attention_has_the_highest_likelihood(seed: int) -> None:
    """A general maximiser of the likelihood of Poisson counts, which knows nothing of rounds, finds the same."""
    cells, _ = small_world(300, seed)

    def loss(values: np.ndarray[Any, Any]) -> float:
        expected = cells.shown * np.exp(np.append(0.0, values[:3])[cells.position] + values[3:][cells.pair])
        return float(np.sum(expected - cells.clicked * np.log(expected)))

    best = minimize(loss, np.full(9, -1.0), method="BFGS", options={"gtol": 1e-9})
    found = position_attention(cells, 4)
    assert found.theta[1:] == pytest.approx(np.exp(best.x[:3]), abs=1e-5)


def test_attention_is_that_of_the_likelihood_of_clicks_where_there_are_many() -> None:
    """With many impressions of few pairs the likelihood of clicks that happen or not says the same."""
    cells, theta = small_world(200_000)

    def loss(values: np.ndarray[Any, Any]) -> float:
        shares = 1 / (1 + np.exp(-values))
        product = np.append(1.0, shares[:3])[cells.position] * shares[3:][cells.pair]
        missed = cells.shown - cells.clicked
        return -float(np.sum(cells.clicked * np.log(product) + missed * np.log1p(-product))) / 1e5

    best = minimize(loss, np.zeros(9), method="L-BFGS-B", options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-10})
    found = position_attention(cells, 4)
    assert found.theta[1:] == pytest.approx(1 / (1 + np.exp(-best.x[:3])), abs=0.005)
    assert found.theta == pytest.approx(theta, abs=0.01)


def test_the_position_based_model_is_refused_without_swaps() -> None:
    """No document was seen at two positions: the message says to take COEC, and why."""
    log, _ = simulated(3000, swaps=1)
    said = "no document was seen at two positions, so a position nobody looks at cannot be told from documents nobody"
    with pytest.raises(ir.DataError, match=f"{said} wants. Take model=coec"):
        ir.clicks(log, model="pbm")
    assert len(ir.clicks(log, model="coec").table)


def test_the_position_based_model_needs_impressions() -> None:
    """A document seen at two positions, but nine times in all, says little."""
    log = {"query": ["q"] * 9, "doc": ["a"] * 9, "position": [1, 2, 3] * 3, "clicked": [1, 0, 0] * 3}
    with pytest.raises(ir.DataError, match="no document with 20 impressions and a click was seen at two positions"):
        ir.clicks(log, model="pbm")


def test_positions_that_nothing_joins_are_no_evidence() -> None:
    """The first document never moves: the others are compared among themselves, and what is lost is counted."""
    log = {
        "query": ["q"] * 300,
        "doc": ["a"] * 100 + ["b", "c"] * 50 + ["c", "b"] * 50,
        "position": [1] * 100 + [2, 3] * 100,
        "clicked": [1] * 50 + [0] * 50 + [1, 0, 1, 1] * 25 + [1, 0, 0, 0] * 25,
    }
    found = ir.clicks(log, model="pbm", minimum=10)
    assert np.isnan(found.attention[0])
    assert found.attention[1] == 1
    assert {row["doc"] for row in found.table} == {"b", "c"}
    assert "100 impressions at position 1 are no evidence" in found.notes[0]
    assert found.notes[1] == "Attention is relative to position 2, whose attention is set to 1."


def test_of_positions_that_nothing_joins_the_most_shown_are_kept() -> None:
    """Positions 1 and 2 are joined, and so are 3 and 4, which have more impressions."""
    cells = Cells(
        np.array([0, 0, 1, 1]), np.arange(4), np.array([100.0, 100, 300, 300]), np.array([60.0, 30, 90, 30])
    )  # fmt: skip
    found = position_attention(cells, 4)
    assert np.isnan(found.theta[:2]).all()
    assert found.theta[2:] == pytest.approx([1, 1 / 3])
    assert (found.reference, found.pairs) == (2, 1)


def test_a_share_is_at_most_one() -> None:
    """Under models of looks, clicks over looks and the ends of its interval are shares."""
    log = {"session": [1, 2], "query": ["q"] * 2, "doc": ["a"] * 2, "position": [1] * 2, "clicked": [1] * 2}
    (row,) = ir.clicks(log, model="sdbn", minimum=1).table
    assert (row["grade"], row["high"]) == (1, 1)


def test_more_clicks_than_expected_are_no_share_above_one() -> None:
    """Of ten impressions at 2, expected to be as good as one at 1, five clicks: the ratio stays, and the share is 1."""
    log = {"query": ["q"] * 210, "doc": ["a"] * 100 + ["b"] * 100 + ["c"] * 10, "position": [1] * 100 + [2] * 110}
    found = ir.clicks(log | {"clicked": [1] * 40 + [0] * 60 + [0] * 100 + [1] * 5 + [0] * 5}, minimum=1)
    rows = {row["doc"]: row for row in found.table}
    evidence = 10 * (5 / 110) / (40 / 100)
    assert rows["c"]["evidence"] == pytest.approx(evidence)
    assert (rows["c"]["grade"], rows["c"]["high"]) == (1, 1)
    assert rows["c"]["coec"] == pytest.approx(5 / (evidence * 0.4))
    assert "1 pair with more clicks than evidence counts as a share of 1: no more than" in found.notes[0]


# Grades.


def graded_log() -> dict[str, list[Any]]:
    """Of 100 impressions each at the first position, documents are clicked 0, 9, 10, 29, 30, 60 and 90 times."""
    often = [0, 9, 10, 29, 30, 60, 90]
    return {
        "query": ["q"] * 700,
        "doc": [f"d{many:02}" for many in often for _ in range(100)],
        "position": [1] * 700,
        "clicked": [int(place < many) for many in often for place in range(100)],
    }


@pytest.mark.parametrize("cuts", [(0, 0.1, 0.3, 0.6), "0,0.1,0.3,0.6"])
def test_cut_points_make_whole_grades(cuts: Any) -> None:
    """A share at a cut point has the grade that begins there; the share, and how sure it is, stay beside it."""
    found = ir.clicks(graded_log(), grades=cuts)
    assert {row["doc"]: row["grade"] for row in found.table} == {
        "d00": 0, "d09": 0, "d10": 1, "d29": 1, "d30": 2, "d60": 3, "d90": 3,
    }  # fmt: skip
    row = found.table[2]
    assert (row["doc"], row["attractiveness"]) == ("d30", 0.3)
    assert row["low"] < 0.3 < row["high"]
    assert found.notes[:2] == (
        "Grades by the attractiveness of a pair: 0 from 0 (2 pairs), 1 from 0.1 (2 pairs), 2 from 0.3 (1 pair), 3 from "
        "0.6 (2 pairs). The cut points are a decision: --grades (in Python, grades=…).",
        "For 5 of 7 pairs the interval of the attractiveness reaches into another grade.",
    )
    assert found.to_dict()["cuts"] == [0, 0.1, 0.3, 0.6]
    assert ir.clicks(graded_log()).to_dict()["cuts"] is None


def test_grades_of_clicks_are_compared_with_people() -> None:
    """Without cut points no share is a person's grade; with them the two raters share a scale."""
    people = {"ana": {"q": {"d00": 0, "d10": 1, "d30": 2, "d90": 3}}}
    agreed = ir.agreement({**people, "clicks": ir.clicks(graded_log(), grades=(0, 0.1, 0.3, 0.6))})
    assert "Two raters give the same grade in 100% of cases" in agreed.headline


@pytest.mark.parametrize("cuts", ["a", "", "0", (0.1, 0.3), (0, 0.3, 0.3), (0, 0.5, 0.2), (0, 2), (0, float("nan"))])
def test_refuses_cut_points_that_are_none(cuts: Any) -> None:
    """They begin with 0, rise, and are shares."""
    with pytest.raises(ir.UsageError, match=r"grades=.*: these are no cut points\. Give the share from which each"):
        ir.clicks(graded_log(), grades=cuts)


def test_cells_are_counted_alike_where_there_are_many_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of all pairs at all positions, or a list of those there are: the counts are the same."""
    log, _ = simulated(500, queries=20)
    table = ir.clicks(log, minimum=5).table.to_csv()
    monkeypatch.setattr("idealrank.labels.clicks.DENSE", 0)
    monkeypatch.setattr("idealrank.labels.click_log.SMALL", 0)
    assert ir.clicks(log, minimum=5).table.to_csv() == table


# By hand.


def test_clicks_over_expected_clicks_by_hand() -> None:
    """Position 1 is clicked in 4 of 10 cases, position 2 in 1 of 10: an impression at 2 is a quarter of one at 1.

    b was clicked 3 times in 5 impressions at 1 and 0 times in 5 at 2: evidence 6.25, expected clicks 2.5.
    """
    log = {
        "query": ["q"] * 20,
        "doc": ["a", "b"] * 5 + ["b", "a"] * 5,
        "position": [1, 2] * 10,
        "clicked": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0],
    }
    found = ir.clicks(log, minimum=1)
    rows = {row["doc"]: row for row in found.table}
    assert found.attention.tolist() == [1, 0.25]
    assert (rows["b"]["evidence"], rows["b"]["clicks"], rows["b"]["impressions"]) == (6.25, 3, 10)
    assert rows["b"]["grade"] == pytest.approx(3 / 6.25)
    assert rows["b"]["coec"] == pytest.approx(3 / (5 * 0.4 + 5 * 0.1))
    assert rows["a"]["coec"] == pytest.approx(2 / 2.5)


def test_last_clicks_by_hand() -> None:
    """Who clicks looks down to the last click, who does not looks at all.

    Session 1 clicks a and c of a, b, c, d: a, b, c are looked at, c satisfies. Session 2 clicks b of b, a: both in view
    are b alone. Session 3 clicks nothing of a, b: both are looked at.
    """
    log = {
        "session": [1, 1, 1, 1, 2, 2, 3, 3],
        "query": ["q"] * 8,
        "doc": ["a", "b", "c", "d", "b", "a", "a", "b"],
        "position": [1, 2, 3, 4, 1, 2, 1, 2],
        "click": [1, 0, 1, 0, 1, 0, 0, 0],
    }
    found = ir.clicks(log, model="sdbn", minimum=1)
    rows = {row["doc"]: row for row in found.table}
    assert {doc: (row["clicks"], row["evidence"]) for doc, row in rows.items()} == {
        "a": (1, 2),
        "b": (1, 3),
        "c": (1, 1),
    }
    assert {doc: row["satisfaction"] for doc, row in rows.items()} == {"a": 0, "b": 1, "c": 1}
    assert rows["b"]["grade"] == pytest.approx(1 / 3)
    assert found.to_dict()["below"] == 1  # d, which nobody looked at


def test_last_clicks_need_sessions() -> None:
    """Rows without a session are not together in a list."""
    log, _ = simulated(100)
    with pytest.raises(ir.UsageError, match="no sessions, and model=sdbn needs the results of each search together"):
        ir.clicks(log, model="sdbn")


def test_the_interval_is_of_the_evidence() -> None:
    """Of pairs at low positions 95 % intervals cover the truth; with impressions in the place of evidence few do."""
    rng = np.random.default_rng(2026)
    alpha, attention, shown = rng.beta(1, 3, 4000), 0.2, 400
    clicked = rng.binomial(shown, alpha * attention).astype(float)

    def coverage(evidence: float) -> float:
        found = attractiveness(clicked, np.full(len(clicked), evidence))
        return float(np.mean((found.low <= alpha) & (alpha <= found.high)))

    assert 0.94 < coverage(shown * attention) < 0.99
    assert coverage(shown) < 0.3


def test_a_person_counts_once() -> None:
    """A session that shows and clicks the same again and again is one impression and one click; it is said."""
    log: dict[str, Any] = {
        "session": ["bot"] * 50 + [f"s{n}" for n in range(10)],
        "query": ["q"] * 60, "doc": ["a"] * 60, "position": [1] * 60, "clicked": [1] * 50 + [0] * 9 + [1],
    }  # fmt: skip
    found = ir.clicks(log, minimum=1)
    (row,) = found.table
    assert (row["clicks"], row["impressions"]) == (2, 11)
    assert "49 impressions that the same session repeats" in found.notes[0]
    # At another position it is one more impression, until there was a click; a row without a session is a person's own.
    log = {
        "session": ["x", "x", "x", "y", "y", None, None],
        "query": ["q"] * 7, "doc": ["a"] * 7, "position": [1, 3, 3, 2, 1, 1, 1], "clicked": [0, 1, 0, 1, 1, 1, 0],
    }  # fmt: skip
    (row,) = ir.clicks(log, minimum=0.1).table
    assert (row["clicks"], row["impressions"]) == (3, 5)


@pytest.mark.parametrize("model", ["coec", "pbm", "sdbn"])
def test_the_order_of_rows_does_not_matter(model: str) -> None:
    """Shuffled rows give the same judgments, to the last digit."""
    log, _ = simulated(3000, queries=40)
    log["session"] = np.repeat(np.arange(3000) % 1500, 10)
    first, second = (ir.clicks(each, model=model, minimum=5) for each in (log, shuffled(log)))  # type: ignore[arg-type]
    assert first.table.to_csv() == second.table.to_csv()
    assert first.positions.to_csv() == second.positions.to_csv()
    assert first.notes == second.notes


def test_pairs_below_the_minimum_are_counted_and_named() -> None:
    """What is left out is said with the pairs shown most."""
    log = {
        "query": ["q"] * 70, "doc": ["a"] * 60 + ["b"] * 7 + ["c"] * 3, "position": [1] * 70, "clicked": [1] + [0] * 69,
    }  # fmt: skip
    found = ir.clicks(log)
    assert [row["doc"] for row in found.table] == ["a"]
    assert found.notes == ("2 pairs of 3 with evidence below 50 are left out: q / b, q / c.",)
    with pytest.raises(ir.DataError, match=r"none of 3 pairs .* has evidence of 100; the most is 60.0"):
        ir.clicks(log, minimum=100)


# Events.


def event(action: str, search: str, doc: str, position: int | None = None, **more: Any) -> dict[str, Any]:
    """Return an event as UBI logs it."""
    attributes: dict[str, Any] = {"object": {"object_id": doc, "object_id_field": "id"}}
    if position is not None:
        attributes["position"] = {"ordinal": position}
    return {
        "action_name": action,
        "query_id": search,
        "client_id": f"of {search}",
        "event_attributes": attributes,
        **more,
    }


def ubi(shown: str = "impression") -> list[dict[str, Any]]:
    """Return two searches for shoes of two documents each: a is clicked in both, first and second."""
    return [
        event(shown, "s1", "a", 1, user_query="shoes"),
        event(shown, "s1", "b", 2, user_query="shoes"),
        event("click", "s1", "a", 1, user_query="shoes"),
        event(shown, "s2", "b", 1, user_query="shoes"),
        event(shown, "s2", "a", 2, user_query="shoes"),
        event("click", "s2", "a", user_query="shoes"),
        event("add_to_cart", "s2", "a", user_query="shoes"),
    ]


def lines(path: Path, events: list[dict[str, Any]]) -> str:
    """Write events as lines of JSON."""
    path.write_text("".join(f"{json.dumps(each)}\n" for each in events))
    return str(path)


@pytest.mark.parametrize(
    ("way", "shown"),
    [("lines", "view"), ("list", "impression"), ("objects", "view"), ("bulk", "impression")]
    + [pytest.param(way, "view", marks=pytest.mark.heavy) for way in ("parquet", "flat")],
)
def test_events_of_ubi(shown: str, way: str, tmp_path: Path) -> None:
    """Events are read from lines of JSON, an array, objects, Parquet, a bulk file and a flat table alike."""
    events = ubi(shown)
    path = tmp_path / "events.json"
    source: Any = str(path)
    if way in ("lines", "bulk"):
        action = [{"index": {"_index": "ubi_events"}}] if way == "bulk" else []
        lines(path, [each for event in events for each in (*action, event)])
    elif way == "list":
        path.write_text(json.dumps(events))
    elif way == "objects":
        source = events
    else:
        import polars

        flat = [
            {"action_name": e["action_name"], "query_id": e["query_id"], "client_id": e["client_id"],
             "user_query": e["user_query"],
             "event_attributes.object.object_id": e["event_attributes"]["object"]["object_id"],
             "event_attributes.position.ordinal": e["event_attributes"].get("position", {}).get("ordinal")}
            for e in events
        ]  # fmt: skip
        polars.DataFrame(flat if way == "flat" else events).write_parquet(path)
    found = ir.clicks(source, minimum=0.1, model="sdbn")
    rows = {(row["query"], row["doc"]): (row["clicks"], row["impressions"], row["evidence"]) for row in found.table}
    assert rows == {("shoes", "a"): (2, 2, 2), ("shoes", "b"): (0, 2, 1 + 0)}


def test_which_action_shows_is_a_decision() -> None:
    """Where view and impression are both there, it asks."""
    events = [*ubi("impression"), event("view", "s1", "a", 1, user_query="shoes")]
    with pytest.raises(ir.UsageError, match=r"both view and impression .* decision.*: shown=impression or shown=view"):
        ir.clicks(events)
    assert ir.clicks(events, shown="view", minimum=0.1).to_dict()["impressions"] == 1
    assert ir.clicks(events, shown="impression", minimum=0.1).to_dict()["impressions"] == 4
    with pytest.raises(ir.UsageError, match=r"shown=vew: no such action. Did you mean view\?"):
        ir.clicks(events, shown="vew")


def test_the_text_of_a_search_is_in_the_ubi_queries(tmp_path: Path) -> None:
    """Without the text in the events each search is a query of its own; the UBI queries say what was asked for."""
    events = [{name: value for name, value in each.items() if name != "user_query"} for each in ubi()]
    with pytest.raises(ir.DataError, match="If each search has an id of its own, give the UBI queries"):
        ir.clicks(events, minimum=2)
    logged = [
        {"query_id": search, "user_query": "shoes", "client_id": "c", "query_response_hit_ids": ["a", "b"]}
        for search in ("s1", "s2")
    ]
    found = ir.clicks(events, minimum=0.1, queries=lines(tmp_path / "queries.ndjson", logged))
    assert {(row["query"], row["doc"]) for row in found.table} == {("shoes", "a"), ("shoes", "b")}


def test_events_that_cannot_be_used_are_counted(tmp_path: Path) -> None:
    """Clicks without an impression, too early, or without a document are left out, with the line of the first."""
    at = "2026-01-01T00:00:{:02}Z"
    events = [
        event("impression", "s1", "a", 1, timestamp=at.format(10)),
        event("click", "s1", "b", 2, timestamp=at.format(11)),
        event("click", "s1", "c", 3, timestamp=at.format(12)),
        event("click", "s1", "a", 1, timestamp=at.format(9)),
        event("click", "s1", "a", 1, timestamp=at.format(20)),
        {"action_name": "click", "query_id": "s1", "timestamp": at.format(21)},
        event("impression", "s1", "d", None, timestamp=at.format(10)),
    ]
    path = lines(tmp_path / "e.ndjson", events)
    found = ir.clicks(path, minimum=0.1)
    assert [row["doc"] for row in found.table] == ["a"]
    assert [note.replace(path, "F") for note in found.notes] == [
        "1 impression without a query, a document or a position is left out (F line 7).",
        "1 click without a query or a document is left out (F line 6).",
        "2 clicks without an impression are left out (the first: F line 2).",
        "1 click earlier than the impression of its document is left out (F line 4).",
    ]


def test_a_click_before_its_impression_is_none(tmp_path: Path) -> None:
    """Where it is the only one there is no click; times are ISO with a zone, or numbers."""
    for shown, hit in (("2026-01-01T12:00:00+02:00", "2026-01-01T09:59:59Z"), (1700000000001, 1700000000000)):
        events = [event("view", "s1", "a", 1, timestamp=shown), event("click", "s1", "a", 1, timestamp=hit)]
        path = lines(tmp_path / "e.ndjson", events)
        said = "no click in 1 impression, so there is nothing to learn. 1 click earlier than the impression of its"
        with pytest.raises(ir.DataError, match=said):
            ir.clicks(path)
    events[1]["timestamp"] = "last week"
    events[0]["timestamp"] = "2026-01-01T12:00:00Z"
    with pytest.raises(ir.DataError, match="line 2: timestamp 'last week' is no time"):
        ir.clicks(lines(tmp_path / "e.ndjson", events))
    events[1]["timestamp"] = "2199-01-01T12:00:00Z"
    with pytest.raises(ir.DataError, match="line 2: timestamp 2199-01-01T12:00:00Z is before 1970 or after 2100"):
        ir.clicks(lines(tmp_path / "e.ndjson", events))


def test_a_click_is_at_the_position_it_names() -> None:
    """A document shown at 1 and at 3, clicked at 3; without a position the click is at the highest."""
    for position, clicks in ((3, [0, 1]), (None, [1, 0]), (7, [1, 0])):
        events = [event("view", "s1", "a", place, user_query="shoes") for place in (1, 3)]
        found = read_click_log([*events, event("click", "s1", "a", position, user_query="shoes")])
        # Who clicked at one position is nobody new at another, and both are of one search.
        assert np.bincount(found.position[found.clicked], minlength=2).tolist() == clicks
    # Without ids of searches, those of the same text by two people are two.
    rows = [("x", "view"), ("y", "click"), ("x", "click")]
    table = [{"session": who, "query": "q", "doc": "a", "position": 1, "action": what} for who, what in rows]
    assert read_click_log(table).notes == ("1 click without an impression is left out (events row 1).",)
    mixed = [event("click", "s2", "a", 1), event("view", "s1", "a", 1), event("click", "s1", "a", 1)]
    assert len(read_click_log(mixed).notes) == 1


# Bad input.

GOOD = [("q", "a", 1, 1, 5), ("q", "b", 2, 0, 6), ("q", "a", 1, 0, 7)]


def written(tmp_path: Path, rows: list[Any], header: str = "query,doc,position,clicked,time") -> str:
    """Write a log."""
    path = tmp_path / "log.csv"
    path.write_text(f"{header}\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    return str(path)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        pytest.param(("q", "a", 0, 1, 5), "line 5: position 0. Positions are whole numbers from 1 up", id="position 0"),
        pytest.param(("q", "a", -2, 1, 5), "line 5: position -2.", id="negative position"),
        pytest.param(("q", "a", 1.5, 1, 5), "line 5: position 1.5.", id="half a position"),
        pytest.param(("q", "a", "top", 1, 5), "line 5: position 'top' is not a number.", id="position in words"),
        pytest.param(("q", "a", 1, "maybe", 5), "line 5: clicked 'maybe'. Write 1", id="maybe clicked"),
        pytest.param(("q", "a", 1, -1, 5), "line 5: clicked '-1'.", id="negative clicks"),
        pytest.param(("q", "a", 1, "", 5), "line 5: clicked is empty, in 1 row.", id="empty click"),
        pytest.param(("q", "a", 1, 1, -3), "line 5: time -3 is before 1970 or after 2100", id="negative time"),
        pytest.param(("q", "a", 1, 1, 9e18), "line 5: time 9000000000000000000 is before 1970", id="huge time"),
        pytest.param(("q", "a", 1, 1, "inf"), "line 5: time inf is before 1970", id="endless time"),
        pytest.param(("q", "a", "inf", 1, 5), "line 5: position inf.", id="endless position"),
    ],
)
def test_refuses_what_cannot_be(row: Any, message: str, tmp_path: Path) -> None:
    """A value that cannot mean what it says is refused with its line."""
    with pytest.raises(ir.DataError, match=re.escape(message)):
        ir.clicks(written(tmp_path, [*GOOD, row]), minimum=1)


def test_times_of_two_kinds_and_times_without_an_end_are_refused() -> None:
    """Dates beside numbers cannot be compared; of events whose times have no end there is no unit."""
    seen = event("view", "s1", "a", 1)
    with pytest.raises(
        ir.DataError, match=r"timestamp '1700000000' is a number, and other times are dates\. Write all"
    ):
        ir.clicks([seen | {"timestamp": "2026-01-01T00:00:00Z"}, event("click", "s1", "a", 1) | {"timestamp": 1.7e9}])
    endless = [event(what, "s1", "a", 1) | {"timestamp": float("inf")} for what in ("view", "click")]
    with pytest.raises(ir.DataError, match=r"timestamp inf \(2 rows in all\) is before 1970"):
        ir.clicks(endless)


def test_what_was_left_out_is_said_where_the_first_position_has_no_click() -> None:
    """A click before its impression is left out: the message that there is none says so."""
    times = {"s1": (7, 5), "s2": (5, 7)}
    rows = [
        event(what, who, doc, place) | {"timestamp": 1.7e9 + when}
        for (who, moments), doc, place in zip(times.items(), "ab", (1, 2), strict=True)
        for what, when in zip(("view", "click"), moments, strict=True)
    ]
    with pytest.raises(ir.DataError, match=r"no click at position 1.* 1 click earlier than the impression of its"):
        ir.clicks(rows, minimum=0.1)


@pytest.mark.parametrize(
    ("header", "rows", "message"),
    [
        ("query,doc,position", [("q", "a", 1)], "no clicked or action column"),
        ("query,doc,clicked", [("q", "a", 1)], "no position column. Found: query, doc, clicked."),
        ("doc,position,clicked", [("a", 1, 1)], "no query column"),
        ("query,doc,position,clicked", [("q", "a", 1, 0)], "no click in 1 impression, so there is nothing"),
        ("query,doc,position,action", [("q", "a", 1, "click")], "no event says that a document was shown"),
        ("query,doc,position,action", [("q", "a", 1, "view")], "no event says that a document was clicked"),
        (
            "query,doc,position,clicked",
            [("", "a", 1, 1)],
            "no impression is left. 1 row without a query, a document or a position",
        ),
    ],
)
def test_refuses_a_log_that_lacks_something(header: str, rows: list[Any], message: str, tmp_path: Path) -> None:
    """A column that is missing, or that says nothing, is named."""
    with pytest.raises(ir.DataError, match=re.escape(message)):
        ir.clicks(written(tmp_path, rows, header), minimum=0.1)


def test_rows_that_lack_something_are_counted(tmp_path: Path) -> None:
    """A row without a document is left out, with its line."""
    path = written(tmp_path, [*GOOD, ("q", "", 1, 1, 5)])
    found = ir.clicks(path, minimum=1)
    assert found.notes[0] == f"1 row without a query, a document or a position is left out ({path} line 5)."


def test_no_click_may_be_an_empty_cell_where_no_row_says_no(tmp_path: Path) -> None:
    """A join of impressions and clicks leaves null where there was none."""
    path = written(tmp_path, [("q", "a", 1, 1), ("q", "a", 1, "")], "query,doc,position,clicked")
    assert ir.clicks(path, minimum=1).table[0]["grade"] == 0.5


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "dbn"}, "model=dbn is not an answer. Allowed: coec, pbm, sdbn."),
        ({"minimum": 0}, "minimum=0: the least evidence is a number above 0."),
        ({"document": "d"}, "No keyword called 'document'."),
        ({"shown": "view"}, "shown=view: each row of events is an impression. Leave it out."),
    ],
)
def test_refuses_a_setting(settings: dict[str, Any], message: str) -> None:
    """A setting that is none is refused in words."""
    log = {"query": ["q"], "doc": ["a"], "position": [1], "clicked": [1]}
    with pytest.raises(ir.UsageError, match=re.escape(message)):
        ir.clicks(log, **settings)


# The command.


def test_the_command_writes_judgments(tmp_path: Path) -> None:
    """What it writes is read as judgments of the rater clicks; what was left out is said on standard error."""
    path = written(tmp_path, [*GOOD * 20, ("q", "c", 3, 1, 5)])
    out = tmp_path / "judgments.csv"
    done = run("clicks", path, "--minimum", "20", "-o", str(out))
    assert "1 judgment for 1 query by clicks over expected clicks" in done.err
    assert "2 pairs of 3 with evidence below 20 are left out: q / b, q / c." in done.err
    judgments = ir.read_judgments(out)
    assert judgments.raters == ("clicks",)
    assert ir.evaluate(judgments, {"q": {"a": 1.0}}, ["CG@1"])["CG@1"] == pytest.approx(0.5)


def test_clicks_are_judgments_themselves() -> None:
    """A function that takes judgments takes what `clicks` returns."""
    found = ir.clicks({"query": ["q"] * 4, "doc": ["a"] * 4, "position": [1] * 4, "clicked": [1, 1, 0, 0]}, minimum=1)
    for judgments in (found, found.judgments):
        assert ir.evaluate(judgments, {"q": {"a": 1.0}}, ["CG@1"])["CG@1"] == pytest.approx(0.5)
