"""Scores and comparisons in the trackers of experiments, read back from what MLflow and W&B wrote."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import idealrank as ir
from tests.docs.blocks import ROOT

JUDGMENTS = {"q1": {"a": 3, "b": 1}, "q2": {"c": 1}, "q3": {"d": 2}}
FIRST = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"x": 2.0, "c": 1.0}}
SECOND = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 2.0}, "q3": {"d": 1.0, "y": 0.5}}
FIRST_RR, SECOND_RR = (1 + 1 / 2 + 0) / 3, (1 + 1 + 1) / 3
"""By hand: the first answers q3 with nothing."""


def one() -> ir.Scores:
    """One system under two measures."""
    return ir.evaluate(JUDGMENTS, FIRST, ["RR", "P(rel=2)@5"])


def two() -> ir.Comparison:
    """Two systems compared."""
    return ir.compare(JUDGMENTS, {"bm25": FIRST, "bm25 k1=2": SECOND}, ["RR", "nDCG@10"])


class Kept(SimpleNamespace):
    """What a tracker kept of a run."""

    metrics: dict[str, float]
    decisions: dict[str, str]
    facts: dict[str, str]
    page: str


class OfMlflow:
    """A tracking store in a folder."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        patch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
        patch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
        self.tool: Any = pytest.importorskip("mlflow")
        self.tool.set_tracking_uri((folder / "runs").as_uri())
        self.log = ir.to_mlflow

    def begin(self) -> Any:
        """Begin a run, as a caller would."""
        return self.tool.start_run()

    def id(self, run: Any) -> str:
        """Return the id of a run."""
        return str(run.info.run_id)

    def end(self) -> None:
        """Forget the folder."""
        self.tool.set_tracking_uri(None)

    def kept(self, run_id: str) -> Kept:
        """Read a run back with MLflow's client."""
        run = self.tool.MlflowClient().get_run(run_id)
        ours = {name: text for name, text in run.data.tags.items() if name.startswith("idealrank/")}
        page = self.tool.artifacts.load_text(f"{run.info.artifact_uri}/idealrank-report.html")
        assert run.info.status == "FINISHED"
        return Kept(metrics=run.data.metrics, decisions=run.data.params, facts=ours, page=page)


class OfWandb:
    """A folder of runs that nothing sends."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        for name, value in {"MODE": "offline", "SILENT": "true", "DIR": str(folder)}.items():
            patch.setenv(f"WANDB_{name}", value)
        for name in ("DATA_DIR", "CACHE_DIR", "CONFIG_DIR", "ARTIFACT_DIR"):
            patch.setenv(f"WANDB_{name}", str(folder / name))
        patch.setenv("WANDB_ERROR_REPORTING", "false")
        self.tool: Any = pytest.importorskip("wandb")
        self.folder, self.log = folder, ir.to_wandb

    def begin(self) -> Any:
        """Begin a run, as a caller would."""
        return self.tool.init(project="search")

    def id(self, run: Any) -> str:
        """Return the id of a run."""
        return str(run.id)

    def end(self) -> None:
        """Forget the folder."""
        self.tool.teardown()

    def kept(self, run_id: str) -> Kept:
        """Read back the records that ``wandb sync`` would send; the file is whole once W&B's process has ended."""
        from wandb.proto import wandb_internal_pb2 as proto

        self.tool.teardown()
        (path,) = self.folder.rglob(f"run-{run_id}.wandb")
        kept = Kept(metrics={}, decisions={}, facts={}, page="")
        for data in records(path.read_bytes()):
            record = proto.Record()
            record.ParseFromString(data)
            for item in [*record.history.item]:
                name = item.key or "/".join(item.nested_key)
                kept.metrics |= {} if name.startswith("_") else {name: json.loads(item.value_json)}
            for item in [*record.run.config.update, *record.config.update]:
                kept.decisions |= {item.key: json.loads(item.value_json)} if item.key != "_wandb" else {}
            for item in record.summary.update:
                name = item.key or "/".join(item.nested_key)
                kept.facts |= {name: str(json.loads(item.value_json))} if name.startswith("idealrank/") else {}
            for entry in record.artifact.manifest.contents:
                kept.page = Path(entry.local_path).read_text("utf-8")
            for entry in record.request.log_artifact.artifact.manifest.contents:
                kept.page = Path(entry.local_path).read_text("utf-8")
        return kept


def records(data: bytes) -> Iterator[bytes]:
    """Yield the records of W&B's file: blocks of 32 KiB with parts (checksum, length, kind), as in LevelDB's log."""
    place, whole = 7, b""
    while place + 7 <= len(data):
        if (left := 32768 - place % 32768) < 7:
            place += left
            continue
        length, kind = int.from_bytes(data[place + 4 : place + 6], "little"), data[place + 6]
        whole += data[place + 7 : place + 7 + length]
        place += 7 + length
        if kind in (1, 4):
            yield whole
            whole = b""


TRACKERS = {"mlflow": OfMlflow, "wandb": OfWandb}


def test_every_tracker_is_tried() -> None:
    """Each function `to_x` has a class here that reads back what the tool wrote, and an extra that installs it."""
    assert {f"to_{tool}" for tool in TRACKERS} == {name for name in ir.__all__ if name.startswith("to_")}
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    assert TRACKERS.keys() <= extras.keys()
    assert [tool for tool in TRACKERS if f"| `{tool}` |" not in page] == []


@pytest.fixture(params=TRACKERS.values(), ids=TRACKERS.keys())
def tracker(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Each tracker, with nothing but a folder."""
    monkeypatch.chdir(tmp_path)
    made = request.param(tmp_path, monkeypatch)
    yield made
    made.end()


def test_one_system(tracker: Any) -> None:
    """Means have the measures' names alone; the decisions are parameters, the counts are facts, the page is kept."""
    scores = one()
    kept = tracker.kept(tracker.log(scores))
    assert kept.metrics == pytest.approx({"RR": FIRST_RR, "P_rel_2_at_5": (1 / 5) / 3})
    assert kept.facts["idealrank/convention"] == "idealrank-1"
    assert kept.decisions["idealrank/P_rel_2_at_5"] == scores.fingerprints["P(rel=2)@5"]
    assert kept.facts["idealrank/judged_queries"] == "3"
    assert kept.facts["idealrank/judged_nothing_returned"] == "1"
    assert kept.page == ir.report(scores).to_html()


def test_a_comparison(tracker: Any) -> None:
    """Several systems are told apart by what is before the slash; the difference has its interval and p."""
    compared = two()
    kept = tracker.kept(tracker.log(compared))
    assert kept.metrics["bm25/RR"] == pytest.approx(FIRST_RR)
    assert kept.metrics["bm25_k1_2/RR"] == pytest.approx(SECOND_RR)
    found = {name: kept.metrics[f"bm25_k1_2_vs_bm25/RR_{name}"] for name in ("difference", "low", "high", "p")}
    assert found["difference"] == pytest.approx(SECOND_RR - FIRST_RR)
    contrast = compared["RR"]
    assert [found["low"], found["high"]] == [contrast.corrected.low, contrast.corrected.high]
    assert found["p"] == pytest.approx(contrast.p, abs=1e-3)
    assert kept.facts["idealrank/verdict/bm25_k1_2"] == compared.verdict.outcome
    assert kept.facts["idealrank/bm25/judged_nothing_returned"] == "1"
    assert kept.page == ir.report(compared).to_html()


def test_all_pairs_are_left_to_the_report(tracker: Any) -> None:
    """Three systems without a baseline have their means alone; with one, each other system has a difference from it."""
    systems = {"a": FIRST, "b": SECOND, "c": FIRST}
    kept = tracker.kept(tracker.log(ir.compare(JUDGMENTS, systems, ["RR"])))
    assert set(kept.metrics) == {"a/RR", "b/RR", "c/RR"}
    kept = tracker.kept(tracker.log(ir.compare(JUDGMENTS, systems, ["RR"], baseline="a")))
    assert {name.partition("/")[0] for name in kept.metrics} == {"a", "b", "c", "b_vs_a", "c_vs_a"}


def test_a_leaderboard_is_logged_as_its_scores(tracker: Any) -> None:
    """Of a leaderboard the means are logged, and the report of its scores."""
    board = ir.leaderboard(JUDGMENTS, {"bm25": FIRST, "b": SECOND}, ["RR"])
    kept = tracker.kept(tracker.log(board))
    assert kept.metrics == pytest.approx({"bm25/RR": FIRST_RR, "b/RR": SECOND_RR})
    assert kept.page == ir.report(board.scores).to_html()


def test_the_active_run_is_used(tracker: Any) -> None:
    """Within a run of the caller's it is that run, and it goes on afterwards."""
    with tracker.begin() as run:
        assert tracker.log(one()) == tracker.id(run)
        assert tracker.log(ir.report(one(), title="Shoes")) == tracker.id(run)
    assert "<title>Shoes" in tracker.kept(tracker.id(run)).page


def test_other_decisions_in_one_run_are_refused(tracker: Any) -> None:
    """A run whose measure was decided otherwise takes no second number of the same name."""
    other = ir.evaluate(JUDGMENTS, FIRST, ["RR"], relevant_from=2)
    with tracker.begin():
        tracker.log(one())
        with pytest.raises(Exception, match="RR"):
            tracker.log(other)
    assert sys.modules[tracker.tool.__name__] is tracker.tool


def test_steps_of_one_run_are_a_curve_in_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RR of two weeks in one run: MLflow's client reads both means back, each at the step it was given."""
    tracker = OfMlflow(tmp_path, monkeypatch)
    with tracker.begin() as run:
        for week, lists in ((41, FIRST), (42, SECOND)):
            ir.to_mlflow(ir.evaluate(JUDGMENTS, lists, ["RR"]), step=week)
    history = tracker.tool.MlflowClient().get_metric_history(tracker.id(run), "RR")
    assert [(point.step, point.value) for point in history] == [(41, FIRST_RR), (42, SECOND_RR)]


def test_steps_of_one_run_are_a_curve_in_wandb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RR of two weeks in one run: W&B's records have both means, each at the step it was given."""
    from wandb.proto import wandb_internal_pb2 as proto

    tracker = OfWandb(tmp_path, monkeypatch)
    run = tracker.begin()
    for week, lists in ((41, FIRST), (42, SECOND)):
        ir.to_wandb(ir.evaluate(JUDGMENTS, lists, ["RR"]), step=week)
    run.finish()
    tracker.end()
    (path,) = tmp_path.rglob(f"run-{run.id}.wandb")
    found = []
    for data in records(path.read_bytes()):
        record = proto.Record()
        record.ParseFromString(data)
        items = {item.key or "/".join(item.nested_key): json.loads(item.value_json) for item in record.history.item}
        found += [(items["_step"], items["RR"])] if "RR" in items else []
    assert found == [(41, FIRST_RR), (42, SECOND_RR)]


def test_same_names_are_refused(tracker: Any) -> None:
    """Two systems that would share a name are both named, before anything is written."""
    scores = ir.evaluate(JUDGMENTS, {"a b": FIRST, "a-b": SECOND}, ["RR"])
    with pytest.raises(ir.UsageError, match=r"systems 'a b' and 'a-b' would both be 'a_b'.*ir\.evaluate"):
        tracker.log(scores)
    assert not list(Path().rglob("*idealrank*"))


def test_a_long_decision_is_cut_and_still_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MLflow keeps 6,000 characters of a parameter: of longer ones the hash of the whole is kept, too."""
    tracker = OfMlflow(tmp_path, monkeypatch)
    texts = []
    for last in (1.0, 2.0):
        gains = dict.fromkeys(range(1, 2000), 1.0) | {2000: last}
        run = ir.to_mlflow(ir.evaluate(JUDGMENTS, FIRST, ["DCG@5"], gain=gains))
        texts.append(tracker.kept(run).decisions["idealrank/DCG_at_5"])
    assert [len(text) for text in texts] == [6000, 6000]
    assert texts[0][:5900] == texts[1][:5900]
    assert texts[0] != texts[1]
