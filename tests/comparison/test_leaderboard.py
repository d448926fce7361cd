"""Leaderboards: ranks and means from grades worked out by hand, and what must not change them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.cli.comparison_summary import leaderboard_summary as board_said
from idealrank.comparison.leaderboard import Leaderboard, dominance as surely_better, without_results
from idealrank.evaluation.summary import summary_sentences
from idealrank.statistics.all_pairs import all_pairs
from idealrank.statistics.sample import make_sample as sampled, skewed_end, skewness

QUERIES = [f"q{i:02}" for i in range(60)]
QRELS = {query: {"d": 1} for query in QUERIES}

Run = dict[str, dict[str, float]]


def placed(*ranks: int) -> Run:
    """Return results with the relevant document at these ranks, in turn."""
    lists = {}
    for i, query in enumerate(QUERIES):
        rank = ranks[i % len(ranks)]
        lists[query] = {("d" if place == rank else f"x{place}"): -float(place) for place in range(1, 11)}
    return lists


SYSTEMS = {"first": placed(1), "close": placed(1, 1, 1, 1, 1, 1, 2), "half": placed(2), "low": placed(9, 10)}


def board(systems: dict[str, Run] | None = None, **options: Any) -> Leaderboard:
    """Rank by reciprocal rank."""
    return ir.leaderboard(QRELS, SYSTEMS if systems is None else systems, ["RR"], **options)


def ranks(of: Leaderboard) -> dict[str, tuple[int, int]]:
    """Return the ranks that each system can have."""
    return {row["system"]: (row["best rank"], row["worst rank"]) for row in of.table}


def test_ranks_and_sentence() -> None:
    """Of 60 queries 8 have rank 2 in one system: 1 − 8 · 0.5 / 60 = 0.9333 is not told from 1; 1/2 and 1/9.5 are."""
    found = board()
    assert found.systems == ("first", "close", "half", "low")
    assert found.table["mean"] == pytest.approx([1.0, 1 - 8 * 0.5 / 60, 0.5, (1 / 9 + 1 / 10) / 2])
    assert ranks(found)["half"] == (3, 3)
    assert ranks(found)["low"] == (4, 4)
    assert found.best[0] == "first"


def test_the_sentence_agrees_with_the_letters() -> None:
    """A system that shares a letter with the first is not called worse, though the second is surely better than it."""
    draw = np.random.default_rng(3)
    qrels = {query: {f"d{i}": int(grade) for i, grade in enumerate(draw.integers(0, 4, 10))} for query in QUERIES[:40]}
    systems = {
        f"s{k}": {query: {d: g * k / 4 + draw.random() * 3 for d, g in of.items()} for query, of in qrels.items()}
        for k in range(8)
    }
    found = ir.leaderboard(qrels, systems, ["nDCG@5"])
    first = set(found.table["group"][0])
    alike = [name for name, group in zip(found.systems, found.table["group"], strict=True) if first & set(group)]
    assert len(alike) == found.table["worst rank"][0] > len(found.best)
    assert "s6, s5 and s4 cannot be told from it; the other 4 systems are worse." in found.sentence


def test_observed_ranks_are_in_their_intervals() -> None:
    """Every rank by mean is between the best and the worst rank, for any systems."""
    rng = np.random.default_rng(4)
    for size in (2, 5, 12):
        systems = {f"s{i}": placed(*rng.integers(1, 11, 60).tolist()) for i in range(size)}
        for row in board(systems).table:
            assert row["best rank"] <= row["rank"] <= row["worst rank"]


def test_neither_order_of_systems_nor_of_queries_matters() -> None:
    """Systems and queries the other way round make the same board."""
    turned = {name: dict(reversed(run.items())) for name, run in reversed(SYSTEMS.items())}
    other = ir.leaderboard(dict(reversed(QRELS.items())), turned, ["RR"])
    assert other.table.to_csv() == board().table.to_csv()


def test_the_same_system_twice_shares_ranks() -> None:
    """A copy can have every rank that the original can, and both share one."""
    found = board({**SYSTEMS, "copy": SYSTEMS["half"]})
    assert ranks(found)["copy"] == ranks(found)["half"] == (3, 4)
    assert found.table["rank"].count(3) == 2


def test_equal_systems_are_all_the_best() -> None:
    """Of equal systems none is better, and the sentence says so."""
    found = board({"a": placed(1), "b": placed(1), "c": placed(1)})
    assert set(ranks(found).values()) == {(1, 3)}
    assert found.sentence == "a, b and c lead with the same RR (1.000)."


def test_a_constant_added_changes_no_rank() -> None:
    """All pairs of values plus a constant per query have the same intervals."""
    rng = np.random.default_rng(0)
    values, shift = rng.random((6, 50)), rng.random(50)
    one, other = (all_pairs(rows, seed=1) for rows in (values, values + shift))
    assert other.half_width == pytest.approx(one.half_width)
    assert other.difference == pytest.approx(one.difference)


@pytest.mark.parametrize("weighted", [False, True])
def test_doubts_are_those_of_verdicts(weighted: bool) -> None:
    """A pair is doubted where its interval, corrected for skewness, no longer ends above 0."""
    rng = np.random.default_rng(3)
    values = np.vstack([np.zeros(60), rng.exponential(size=(8, 60)) * -0.3 + 0.45])
    weights = rng.random(60) + 0.5 if weighted else None
    found = all_pairs(values, weights, seed=0)
    better = surely_better(found, values, weights, np.inf)
    for i, j in zip(*np.nonzero(found.difference - found.half_width > 0), strict=True):
        sample = sampled(values[i] - values[j], weights)
        wide = found.half_width[i, j] / found.error[i, j]
        end = skewed_end(wide, skewness(sample), sample.effective)
        assert better[i, j] == (sample.mean > end * sample.error)


def test_the_board_of_a_comparison_is_the_same() -> None:
    """Compare without a baseline has the ranks of leaderboard; so has compare with one, of fewer pairs."""
    compared = ir.compare(QRELS, SYSTEMS, ["RR"])
    one, other = compared.leaderboard.table, board().table
    assert one["system"] == other["system"]
    assert ranks(compared.leaderboard) == ranks(board())
    assert one["corrected low"] == pytest.approx(other["corrected low"])
    assert ranks(ir.compare(QRELS, SYSTEMS, ["RR"], baseline="first").leaderboard) == ranks(board())


def test_less_is_better() -> None:
    """The rank of the first relevant document ranks upward: 1 is before 2."""
    found = ir.leaderboard(QRELS, {"far": placed(9), "near": placed(1), "mid": placed(4)}, ["ARP"])
    assert found.systems == ("near", "mid", "far")
    assert found.table["rank"] == [1, 2, 3]


def test_failed_queries_are_left_out_for_all() -> None:
    """Means and ranks are over the queries that every system has a value for, and the others are named."""
    short = {query: docs for query, docs in SYSTEMS["half"].items() if query != "q07"}
    found = board({**SYSTEMS, "half": short}, no_results="skip")
    assert found.queries == 59
    assert found.left_out == ("q07",)
    assert "1 left out (q07)" in found.to_markdown()


def test_one_system_is_no_board() -> None:
    """One system is refused."""
    with pytest.raises(ir.UsageError, match="needs two systems"):
        board({"only": placed(1)})


def test_forms() -> None:
    """JSON has every number; LaTeX escapes names, has those that may be the best in bold, and says n and convention."""
    found = board({"a_1": placed(1), "b&c": placed(5)})
    whole = json.loads(found.to_json())
    assert whole["best"] == ["a_1"]
    assert [row["best rank"] for row in whole["systems"]] == [1, 2]
    latex = found.to_latex()
    assert r"1 & \textbf{a\_1} & 1.0000" in latex
    assert r"2 & b\&c & 0.2000" in latex
    assert latex.index(r"a\_1") < latex.rindex(r"\midrule") < latex.index(r"b\&c")  # the rule below the best
    assert "60 queries" in latex
    assert "idealrank-1" in latex
    assert "| 2 | b\\&c | 0.2000 |" in found.to_markdown()


def test_mteb_predictions_are_called_by_their_model(tmp_path: Path) -> None:
    """Folders of models and revisions, as mteb 2 writes them: the name is that of the model, per subset if several."""
    for model, rank in (("org/one", 1), ("org/two", 5)):
        folder = tmp_path / "predictions" / model.replace("/", "__") / "abc"
        folder.mkdir(parents=True)
        meta = {"mteb_model_meta": {"model_name": model, "revision": "abc"}}
        (folder / "Toy_predictions.json").write_text(json.dumps({**meta, "default": {"test": placed(rank)}}))
    found = ir.leaderboard(QRELS, str(tmp_path / "predictions"), ["RR"])
    assert found.systems == ("org/one", "org/two")
    several = {**meta, "en": {"test": placed(1)}, "de": {"test": placed(2)}}
    (tmp_path / "x.json").write_text(json.dumps(several))
    assert ir.read_results(tmp_path / "x.json").systems == ("org/two en.test", "org/two de.test")


@pytest.mark.parametrize("turned", [False, True])
def test_every_split_of_mteb_predictions_is_a_system(tmp_path: Path, turned: bool) -> None:
    """Subsets and splits, also those of a rare name, are systems with their own means, in any order of the keys."""
    splits = {"default": {"test": placed(1), "dev": placed(2), "queries": placed(5)}, "en": {"test": placed(4)}}
    document = {"mteb_model_meta": {"model_name": "vendor/m"}, **splits}
    file = tmp_path / "Toy_predictions.json"
    file.write_text(json.dumps(dict(reversed(document.items())) if turned else document), "utf-8")
    scores = ir.evaluate(QRELS, file, ["RR"])
    means = {"default.test": 1.0, "default.dev": 0.5, "default.queries": 0.2, "en.test": 0.25}
    assert {name: scores["RR", f"vendor/m {name}"] for name in means} == means
    assert len(scores.systems) == 4
    assert ir.evaluate(QRELS, file, ["RR"], system="vendor/m en.test")["RR"] == 0.25


def test_pairs_doubted_beyond_their_interval_are_said() -> None:
    """20 queries gain 1/5 − 1/8 each, and none loses: that 17 % lose all is not ruled out, and would undo it."""
    few = QUERIES[:20]
    judgments = {query: QRELS[query] for query in few}
    runs = {name: {query: placed(rank)[query] for query in few} for name, rank in (("a", 5), ("b", 8))}
    found = ir.leaderboard(judgments, runs, ["RR"])
    assert found.table["corrected high"][1] == pytest.approx(1 / 8 - 1 / 5)
    assert ranks(found) == {"a": (1, 2), "b": (1, 2)}
    assert found.table["doubted"] == [1, 1]
    assert json.loads(found.to_json())["doubted_pairs"] == 1
    said = "1 pair whose interval leaves out 0 counts as not told apart, because a few queries could undo"
    for text in (found.to_markdown(), found.to_latex(), str(found), found.to_json()):
        assert said in " ".join(text.split())
    clear = board({"m00": placed(1), "m01": placed(2)})
    assert clear.doubted_pairs == 0
    assert "leaves out 0" not in clear.to_markdown()


def test_the_caption_in_latex_is_as_papers_write() -> None:
    """No capital after the colon, |t| as mathematics, and what bold means."""
    latex = board().to_latex()
    assert "Ranks: all true ranks are" in latex
    assert "largest $|t|$ under" in latex
    assert "in bold, systems that no other is surely better than." in latex


def test_queries_without_results_are_said_beside_the_ranks() -> None:
    """Two queries without results cost the lead: the caption and the terminal say so below the sentence."""
    lacking = {query: docs for query, docs in placed(1).items() if query not in ("q03", "q04")}
    found = board({"m00": placed(1), "m01": placed(5), "m02": lacking})
    said = "m02: 2 queries without results, scored 0."
    assert said in found.to_latex()
    assert " ".join(board_said(found, 200)) == f"{found.sentence} {found.lead} {said}"
    assert " ".join(board_said(board(), 200)) == f"{board().sentence} {board().lead}"
    row = found.table[1]
    assert f"{-row['difference']:+.4f} RR" in found.lead
    assert f"{-row['corrected high']:.4f}".replace("-", "−") in found.lead
    assert "without results" not in board({"a": placed(1), "b": lacking}, no_results="skip").to_latex()


def test_queries_without_results_cost_no_call_for_each_system() -> None:
    """Of systems that answer the same few queries, what became of the others is found once, not query by query."""

    def count_calls(queries: int) -> int:
        answered = {f"q{i}": {"d": 1.0} for i in range(20)}
        judged = {f"q{i}": {"d": 1} for i in range(queries)}
        found = ir.leaderboard(judged, {f"s{s}": answered for s in range(10)}, ["RR"])
        assert found.scores.ledger.systems[0].judged_and_returned == 20
        calls: list[str] = []
        sys.setprofile(lambda _, event, __: calls.append(event) if event in ("call", "c_call") else None)
        try:
            summary_sentences(found.scores)
            without_results(found)
        finally:
            sys.setprofile(None)
        return len(calls)

    assert count_calls(1020) - count_calls(520) < 500


def test_a_place_that_hangs_on_the_order_is_said() -> None:
    """Tied scores put the last row first, RR 1/10 by id; by rank RR is 1, which is before the other's 1/2."""
    rows = [(q, "a" if rank == 1 else f"x{rank}", rank, 1.0) for q in QUERIES for rank in range(1, 11)]
    tied = dict(zip(("query", "doc", "rank", "score"), map(list, zip(*rows, strict=True)), strict=True))
    judgments = {query: {"a": 1, "d": 1} for query in QUERIES}
    found = ir.leaderboard(judgments, {"tied": tied, "half": placed(2)}, ["RR"], order_by="score")
    notes = found.to_dict()["notes"]
    assert "tied: 600 results tied by score; order_by=rank would give 1.0000 for 0.1000, another place." in notes
    assert not any("another place" in note for note in board().to_dict()["notes"])


def test_systems_with_the_same_values_are_named() -> None:
    """Copies under other names have the same value in every query; the same mean of other values is no copy."""
    found = board({"a": placed(1), "b": placed(1), "c": placed(2, 4), "d": placed(4, 2)})
    notes = found.to_dict()["notes"]
    assert [note for note in notes if "in every query" in note] == ["The same RR in every query: a, b."]


def test_one_query_makes_no_rank_certain() -> None:
    """No interval has a confidence from one query, and none is claimed."""
    found = ir.leaderboard({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}, "b": {"q": {"x": 2.0, "d": 1.0}}}, ["RR"])
    for text in (found.to_markdown(), found.to_latex()):
        assert "confidence" not in text.partition("decisions")[0]
        assert "1 query cannot tell systems apart, so no rank is certain" in text.replace("Ranks: 1", "1")


@pytest.mark.parametrize("how", [{"interval": "bca"}, {"interval": "percentile", "correction": "none"}, {}])
def test_the_first_is_ahead_of_the_second_by_the_interval_of_the_comparison(how: dict[str, Any]) -> None:
    """An interval may reach farther on one side; and one that is not corrected is not called simultaneous."""
    options = {"correction": "holm"} | how
    compared = ir.compare(QRELS, SYSTEMS, ["RR"], draws=500, **options)
    found = compared.leaderboard
    rows = {(row["baseline"], row["system"]): row for row in compared.differences}
    for system in found.systems[1:]:
        row, behind = rows[found.systems[0], system], next(iter(found.table.filter(system=system)))
        ends = [row["difference"], row["corrected low"], row["corrected high"]]
        assert [behind["difference"], behind["corrected low"], behind["corrected high"]] == pytest.approx(ends)
    assert ("simultaneous" in found.lead) == (options["correction"] == "holm")


def test_many_systems_on_few_queries_wait_for_no_letters() -> None:
    """A hundred systems on fifty queries, each with queries of its own that it fails: no letters, and no hour."""
    rng = np.random.default_rng(1)
    grades = {f"q{i}": {f"d{d}": int(grade) for d, grade in enumerate(rng.integers(0, 4, 10))} for i in range(50)}
    runs = {}
    for name in range(100):
        noise = rng.random(50) * (0.5 + 2.5 * rng.random())
        runs[f"s{name:03}"] = {
            query: {d: grade + float(noise[i] * rng.normal()) for d, grade in documents.items()}
            for i, (query, documents) in enumerate(grades.items())
        }
    found = ir.leaderboard(grades, runs, ["nDCG@10"], draws=500)
    assert set(found.table["group"]) == {None}
    assert not any("share a letter" in note for note in found.to_dict()["notes"])
