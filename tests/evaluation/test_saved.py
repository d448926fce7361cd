"""Scores that were saved are read back as they were, and compared as if they had just been computed."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import idealrank as ir
from idealrank.conventions import parse_convention
from idealrank.evaluation.requested_measures import measures_under
from idealrank.evaluation.saved import _archive, _measure_of, _packed_measure, _Saved
from tests.comparison.worlds import random_world
from tests.distributed.same import assert_same
from tests.evaluation.worlds import JUDGMENTS, RANDOMLY, RESULTS, Nested, several, worlds

SHOP = Path(__file__).parents[2] / "examples/shop"


def again(scores: ir.Scores, folder: Path, **how: Any) -> ir.Scores:
    """Save scores and read them back."""
    file = folder / "scores of today" / "kept.scores"  # a folder that is not there yet is made
    scores.save(file, **how)
    return ir.read_scores(file)


@RANDOMLY
@given(worlds())
def test_random_scores_come_back_to_the_last_bit(tmp_path_factory: Any, world: tuple[Nested, Nested]) -> None:
    """Values, states, means, ledger, and what is found in the lists."""
    folder = tmp_path_factory.mktemp("saved")
    scores = ir.evaluate(world[0], several(world[1]), ["nDCG@3", "AP", "RR"])
    kept = again(scores, folder)
    assert_same(kept, scores)
    assert_same(again(scores, folder, lists=False), scores)
    assert kept.tie_ranges.rows() == scores.tie_ranges.rows()
    assert kept.steps("AP", system="up").rows() == scores.steps("AP", system="up").rows()


FAILED = [
    {"query": "q1", "doc": "d1", "rank": 1, "latency_ms": 12.0},
    {"query": "q1", "doc": "x", "rank": 2, "latency_ms": 12.0},
    {"query": "q2", "error": "timed out"},
    {"query": "q3", "doc": "d1", "rank": 1, "latency_ms": 7.5},
]
RATED = [
    {"query": query, "doc": doc, "rater": rater, "grade": grade}
    for query, doc, rater, grade in (
        ("q1", "d1", "ann", 2), ("q1", "d1", "bob", 1), ("q1", "d3", "ann", 0), ("q3", "d1", "bob", 3),
    )
]  # fmt: skip
STEPS = {"query": ["q1"] * 4, "step": [1, 1, 2, 2], "doc": ["x", "d3", "d1", "d4"], "rank": [1, 2, 1, 2]}
SPANS = [
    {"query": "q1", "doc": "d1", "begin": 0, "end": 40, "grade": 1},
    {"query": "q2", "doc": "d2", "begin": 10, "end": 60, "grade": 1},
]
CHUNKS = [
    {"query": "q1", "doc": "d1", "begin": 0, "end": 20, "rank": 1},
    {"query": "q1", "doc": "d1", "begin": 20, "end": 50, "rank": 2},
    {"query": "q2", "doc": "d9", "begin": 0, "end": 9, "rank": 1},
    {"query": "q2", "doc": "d2", "begin": 0, "end": 30, "rank": 2},
]
SUBTOPICS = {"query": ["q1", "q1", "q1"], "subtopic": ["s", "t", "s"], "doc": ["d1", "d1", "d2"], "grade": [1, 0, 1]}
TEXTS = {"query_id": ["q1", "q2"], "query": ["red shoes", "hats"], "doc": ["d1", "d1"], "grade": [2, 1]}
KIND = {"query": ["q1"], "kind": ["head"]}
BY_TEXT = {"query": ["red shoes", "hats"], "doc": ["d1", "x"], "rank": [1, 1]}

CALLS: dict[str, Callable[[], ir.Scores]] = {
    "files of raters": lambda: ir.evaluate(SHOP / "judgments.csv", [SHOP / "bm25.csv", SHOP / "hybrid.csv"]),
    "failed searches and times": lambda: ir.evaluate(JUDGMENTS, FAILED, ["AP"], failed="skip"),
    "rows of raters": lambda: ir.evaluate(RATED, RESULTS, ["nDCG@10"], raters="max"),
    "searches in steps": lambda: ir.evaluate(JUDGMENTS, STEPS, ["AP"], steps="union"),
    "searches as queries": lambda: ir.evaluate(JUDGMENTS, STEPS, ["AP"], steps="each"),
    "spans": lambda: ir.evaluate(SPANS, CHUNKS, ["R@2"], unit="spans"),
    "subtopics": lambda: ir.evaluate(SUBTOPICS, RESULTS, ["alpha_nDCG@5"]),
    "queries called by their texts": lambda: ir.evaluate(TEXTS, BY_TEXT, ["RR"]),
    "weights": lambda: ir.evaluate(JUDGMENTS, RESULTS, ["RR"], weights={"q1": 3.0, "q2": 1.0, "q3": 0.5}),
    "some queries": lambda: ir.evaluate(
        JUDGMENTS, RESULTS, ["RR"], only=["q1", "q2"], queries={"query": ["q1"], "kind": ["head"]}
    ),
    "results left out": lambda: ir.evaluate(JUDGMENTS, RESULTS, ["RR"], exclude={"q1": {"d1": 1}}),
    "another convention": lambda: ir.evaluate(JUDGMENTS, RESULTS, ["map", "P_5"], convention="trec_eval-9.0.8"),
    "rounded ids": lambda: ir.evaluate({1: {7: 1}, 2: {8.0: 2}}, {1: {7: 1.0, 8: 2.0}, 2: {8: 1.0}}, ["RR"]),
}


@pytest.mark.parametrize("call", CALLS)
def test_every_kind_of_table_is_kept(tmp_path: Path, call: str) -> None:
    """Whatever the tables are, scores come back the same, with their lists."""
    scores = CALLS[call]()
    kept = again(scores, tmp_path)
    assert_same(kept, scores)
    assert str(kept) == str(scores)
    label, system = scores.labels[0], scores.systems[0]
    assert kept.steps(label, system=system).rows() == scores.steps(label, system=system).rows()


def trec_files(folder: Path) -> ir.Scores:
    """Return scores of TREC files, where the order by score is not that of the ranks."""
    (folder / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (folder / "bm25.run").write_text("1 Q0 b 1 1.0 tag\n1 Q0 a 2 2.0 tag\n1 Q0 c 3 0.5 tag\n")
    return ir.evaluate(folder / "qrels", folder / "bm25.run", ["RR"])


def test_a_trec_run_keeps_its_order(tmp_path: Path) -> None:
    """A TREC run goes by its scores whatever its ranks say, other tables with both by their ranks."""
    scores = trec_files(tmp_path)
    assert scores["RR"] == 1.0
    assert_same(again(scores, tmp_path), scores)


def test_what_was_kept_is_compared_with_what_is_new(tmp_path: Path) -> None:
    """The comparison, the gate and the moves of documents are those of two fresh evaluations."""
    judged, runs = random_world(5, holes=0.3)
    fresh = {name: ir.evaluate(judged, run, ["nDCG@5", "RR"]) for name, run in runs.items()}
    kept = {**fresh, "s0": again(fresh["s0"], tmp_path)}
    assert ir.compare(kept).to_dict() == ir.compare(fresh).to_dict()
    assert str(ir.compare(kept)) == str(ir.compare(fresh))
    asked: Any = {"fail_if": ["nDCG@5 drops 0.01", "RR drops 0.01"]}
    gates = [ir.gate(judged, kept["s0"], runs["s1"]), ir.gate(fresh["s1"], kept["s0"])]
    wanted = ir.gate(judged, runs["s0"], runs["s1"], **asked)
    for gate in gates:
        assert [each.sentence for each in gate.findings] == [each.sentence for each in wanted.findings]
        assert gate.code == wanted.code


def test_a_gate_refuses_kept_scores_of_other_judgments(tmp_path: Path) -> None:
    """As it refuses the file of a baseline, with what differs."""
    judged, runs = random_world(6)
    kept = again(ir.evaluate(judged, runs["s0"], ["RR"]), tmp_path)
    other = judged | {"q000": {"d1": 3, "d2": 1}}
    with pytest.raises(ir.DataError, match=r"cannot be compared.*\n.*q000"):
        ir.gate(other, kept, runs["s1"])


def test_a_gate_takes_finished_scores_in_place_of_judgments(tmp_path: Path) -> None:
    """Given as results, they are refused with the way."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR"])
    scores.save(tmp_path / "kept.scores")
    with pytest.raises(ir.UsageError, match=r"Give them in place of judgments: ir\.gate\(new, baseline\)"):
        ir.gate(JUDGMENTS, tmp_path / "kept.scores", scores)
    assert ir.gate(scores, tmp_path / "kept.scores").code == 0


def test_a_gate_guards_the_queries_of_its_baseline(tmp_path: Path) -> None:
    """Queries that were added are not guarded, as with the file of a baseline."""
    judged, runs = random_world(9, queries=30)
    runs["s1"]["nobody judged this"] = {"d1": 1.0}
    few = {q: judged[q] for q in list(judged)[:20]}
    old = ir.evaluate(few, {q: runs["s0"][q] for q in few}, ["RR"])
    ir.bless(old, tmp_path / "base.json")
    gates = [ir.gate(judged, base, runs["s1"]) for base in (tmp_path / "base.json", again(old, tmp_path))]
    drops = [[(each.value, each.outcome) for each in gate.findings if each.kind == "drop"] for gate in gates]
    assert drops[0] == drops[1]
    said = [gate.to_dict()["changes"] for gate in gates]
    assert said[0] == said[1]
    assert any("10 queries not in the baseline, so not guarded" in text for text in said[1])
    assert "not guarded" in str(gates[1])


def test_parts_that_were_kept_are_put_together(tmp_path: Path) -> None:
    """Half of the queries from a file and half from now are all of them."""
    judged, runs = random_world(7, queries=20)
    halves = [{q: judged[q] for q in list(judged)[half]} for half in (slice(10), slice(10, 20))]
    parts = [ir.evaluate(half, {q: runs["s0"][q] for q in half}, ["nDCG@5"]) for half in halves]
    whole = ir.evaluate(judged, runs["s0"], ["nDCG@5"])
    together = ir.Scores.concat([again(parts[0], tmp_path, lists=False), parts[1]])
    assert together.values.tobytes() == whole.values.tobytes()


@pytest.mark.parametrize("grade", [1, 5])
def test_parts_without_lists_are_put_together(tmp_path: Path, grade: int) -> None:
    """The means are there; what other answers would make of them is said not to be known."""
    judged, runs = random_world(8, queries=20, holes=0.3)
    judged["q003"] |= {"top": grade}
    halves = [list(judged)[:10], list(judged)[10:]]
    parts = [ir.evaluate({q: judged[q] for q in half}, {q: runs["s0"][q] for q in half}, ["RR"]) for half in halves]
    for n, part in enumerate(parts):
        part.save(tmp_path / f"{n}.scores", lists=False)
    together = ir.Scores.concat([ir.read_scores(tmp_path / f"{n}.scores") for n in (0, 1)])
    assert together["RR"] == ir.evaluate(judged, runs["s0"], ["RR"])["RR"]
    assert "it is not known what other answers would make of the means" in str(together)


def test_without_lists_there_are_no_documents(tmp_path: Path) -> None:
    """Nothing in the file is a document that the ledger does not name, and what needs lists says how to have them."""
    kept = again(ir.evaluate({"q": {"secret-doc": 1}}, {"q": {"secret-doc": 1.0}}, ["RR"]), tmp_path, lists=False)
    with zipfile.ZipFile(tmp_path / "scores of today" / "kept.scores") as archive:
        assert not any(b"secret-doc" in archive.read(name) for name in archive.namelist())
    assert kept["RR"] == 1.0
    for call in (lambda: kept.explain("RR", "q"), lambda: kept.tie_ranges, lambda: kept.joins):
        with pytest.raises(ir.UsageError, match=r"kept\.scores: .*without the lists.*scores\.save"):
            call()


def test_the_same_scores_are_the_same_bytes(tmp_path: Path) -> None:
    """Also when they were read from a file, which can so be kept in version control."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR"])
    files = [tmp_path / f"{name}.scores" for name in "abc"]
    scores.save(files[0])
    scores.save(files[1])
    ir.read_scores(files[0]).save(files[2])
    assert len({file.read_bytes() for file in files}) == 1


def test_nothing_else_is_written_over(tmp_path: Path) -> None:
    """A table that somebody named by mistake stays."""
    table = tmp_path / "results.run"
    table.write_text("q Q0 d 1 1 x\n")
    with pytest.raises(ir.UsageError, match=r"results\.run: not saved scores"):
        ir.evaluate(JUDGMENTS, RESULTS, ["RR"]).save(table)
    assert table.read_text() == "q Q0 d 1 1 x\n"


def change_head(file: Path, **changes: Any) -> None:
    """Write a file of saved scores anew, with another head."""
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["scores.json"] = json.dumps(json.loads(members["scores.json"]) | changes).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"form": "idealrank scores 2"}, "version 2 of saved scores.*Install a newer"),
        ({"form": "something"}, "no saved scores"),
        ({"queries": ["q1"]}, "damaged"),
        ({"table": {"new": "0", "kind": "Popen", "parts": {}}}, "damaged"),
        ({"counts": {"same": "99"}}, "damaged"),
        ({"setting": "idealrank-1, colour=red"}, "damaged.*colour"),
        (
            {"setting": "idealrank-1, colour=red", "idealrank": "9.9"},
            "by idealrank 9.9, .*colour.*Install that version",
        ),
    ],
)
def test_a_changed_file_is_refused(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    """With the file and what to do; and no class is made but those that scores consist of."""
    file = tmp_path / "kept.scores"
    ir.evaluate(JUDGMENTS, RESULTS, ["RR"]).save(file)
    change_head(file, **changes)
    with pytest.raises(ir.DataError, match=rf"kept\.scores: .*{said}"):
        ir.read_scores(file)


def test_damaged_bytes_are_refused(tmp_path: Path) -> None:
    """A file that ends early, and one in which a byte changed."""
    file = tmp_path / "kept.scores"
    ir.evaluate(SHOP / "judgments.csv", SHOP / "bm25.csv", ["RR"]).save(file)
    whole = file.read_bytes()
    for content in (whole[:-100], whole[:2000] + b"\0\0\0\0" + whole[2004:], b"", b"PK"):
        file.write_bytes(content)
        with pytest.raises(ir.DataError, match=r"kept\.scores: "):
            ir.read_scores(file)
    with pytest.raises(ir.DataError, match=r"nowhere\.scores: cannot be read"):
        ir.read_scores(tmp_path / "nowhere.scores")


def test_lists_that_another_version_scored_otherwise_are_refused(tmp_path: Path) -> None:
    """The first value that differs is named, so that no comparison mixes two versions of a measure."""
    file = tmp_path / "kept.scores"
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR"])
    scores.save(file)
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with (tmp_path / "values.npy").open("wb") as out:
        np.save(out, scores.values * 0.5)
    members["values.npy"] = (tmp_path / "values.npy").read_bytes()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    change_head(file, idealrank="0.0.1")
    with pytest.raises(ir.DataError, match=r"idealrank 0\.0\.1 gave RR 0\.5 to query 'q1'.*gives 1\.0; 2 values"):
        ir.read_scores(file)


def test_units_of_a_table_are_refused(tmp_path: Path) -> None:
    """A table of units lies beside the scores, and may be another one when they are read."""
    units = tmp_path / "units.csv"
    units.write_text("doc,unit\n" + "".join(f"d{i},a\n" for i in range(9)))
    for unit in ({f"d{i}": "a" for i in range(9)}, f"map({units})"):
        scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR"], unit=unit)
        for lists in (True, False):
            with pytest.raises(ir.UsageError, match=r"unit.*is a table beside them"):
                scores.save(tmp_path / "kept.scores", lists=lists)


def test_every_measure_of_every_convention_is_kept() -> None:
    """Also what a convention decides for single measures, which the name does not say."""
    packed = 0
    for convention in ir.CONVENTIONS:
        setting = parse_convention(convention)
        for definition in ir.DEFINITIONS:
            with contextlib.suppress(ir.UsageError):  # the convention does not have it
                for measure in measures_under(setting, [definition.name]):
                    again = _measure_of(json.loads(json.dumps(_packed_measure(measure))))
                    assert (again, again.typed) == (measure, measure.typed)
                    packed += 1
    assert packed > 300


def test_what_a_caller_decided_for_a_measure_is_kept(tmp_path: Path) -> None:
    """The decisions of a measure made beforehand are not those of the call."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, [ir.measure("nDCG@3")], gain="exp2")
    kept = again(scores, tmp_path)
    assert kept.fingerprints == scores.fingerprints
    assert kept.explain("nDCG@3", "q1").score == scores.explain("nDCG@3", "q1").score


def test_documents_of_tools_are_kept(tmp_path: Path) -> None:
    """Tables out of JSON documents come back as what they were read from."""
    folder = SHOP.parent / "tools" / "elasticsearch"
    scores = ir.evaluate(folder / "judgments.json", folder / "solr", ["nDCG@10"])
    assert_same(again(scores, tmp_path), scores)


def npy(values: Any) -> bytes:
    """Return an array as a member of the archive."""
    with io.BytesIO() as out:
        np.save(out, values)
        return out.getvalue()


HUGE = b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 9999999999999), }\n"
"""An array that says it has ten thousand billion numbers."""


@pytest.mark.parametrize(
    ("member", "content"),
    [
        ("values.npy", npy(np.full((1, 1, 3), "x"))),
        ("values.npy", npy(np.zeros((1, 1, 4)))),
        ("values.npy", HUGE),
        ("states.npy", npy(np.full((1, 1, 3), 99, np.int8))),
        ("states.npy", npy(np.zeros((1, 1, 3)))),
        ("weights.npy", npy(np.array([-1.0, 1.0, 1.0]))),
        ("weights.npy", npy(np.ones(2))),
        ("scores.json", b"[" * 100_000),
        ("values.npy", b"\0" * 100_000_000),
    ],
)  # fmt: skip
def test_what_no_scores_consist_of_is_refused(tmp_path: Path, member: str, content: bytes) -> None:
    """Arrays of other types and sizes, impossible states and weights, and a file that claims to contain much."""
    file = tmp_path / "kept.scores"
    ir.evaluate(JUDGMENTS, RESULTS, ["RR"]).save(file)
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()} | {member: content}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, of in members.items():
            archive.writestr(name, of)
    with pytest.raises(ir.DataError, match=r"kept\.scores: .*damaged"):
        ir.read_scores(file)


def test_a_small_file_that_claims_to_contain_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """However it is divided; and what packs so well is not packed when scores are saved."""
    file = tmp_path / "kept.scores"
    ir.evaluate(JUDGMENTS, RESULTS, ["RR"]).save(file)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        for n in range(40):
            archive.writestr(f"more {n}.npy", bytes(1_000_000))
    with pytest.raises(ir.DataError, match=r"kept\.scores: .*damaged.* bytes in a file of "):
        ir.read_scores(file)
    content = _archive({"scores.json": b"{}", "states.npy": bytes(40_000_000)})
    assert _Saved("kept.scores", content).head == {}


def test_a_report_names_the_files_that_scores_are_from(tmp_path: Path) -> None:
    """By the SHA-256 of their bytes, as it does beside the files themselves."""
    scores = ir.evaluate(SHOP / "judgments.csv", SHOP / "bm25.csv", ["RR"])
    sums = [
        [each["sha256"] for each in json.loads(ir.report(of).to_json())["inputs"]]
        for of in (scores, again(scores, tmp_path))
    ]
    assert sums[0] == sums[1]
    assert hashlib.sha256((SHOP / "bm25.csv").read_bytes()).hexdigest() in sums[1]
