"""How each tool is called, by name."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from datasets import BENCH, OUT, DataSet
from timing import Command

MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100")
OURS = "idealrank"
REFERENCE = "pytrec_eval"
PEERS = ("pytrec_eval", "ir_measures", "pandas", "ranx")
DISTRIBUTIONS = (
    "idealrank", "pytrec_eval-terrier", "ir_measures", "ranx", "pandas", "polars", "pyarrow", "numpy", "scipy"
)  # fmt: skip
NUMBA_CACHE = OUT / "numba-cache"
SIGNIFICANCE_TOOLS = ("idealrank", "scipy", "ranx")
JOBS = {
    "baseline": ("100 systems against one, 10,000 queries, 4 measures, 10,000 flips", 400),
    "pairs": ("20 systems, all pairs, 1,000 queries, 4 measures, 10,000 draws", 760),
}
"""The jobs of significance.py: what is asked, and how many tests of one pair on one measure that is."""


def script(name: str) -> str:
    """A console script beside the running interpreter."""
    return str(Path(sys.executable).parent / name)


def present(tool: str) -> bool:
    """Whether a tool is installed here."""
    return importlib.util.find_spec(tool) is not None


def ours(data: DataSet) -> list[str]:
    """The shipped command under its default, all checks on."""
    wanted = [part for measure in MEASURES for part in ("-m", measure)]
    return [script("idealrank"), "evaluate", str(data.qrels), str(data.run), *wanted]


def command(tool: str, data: DataSet) -> Command:
    """What is timed: the whole process from TREC text to means."""
    if tool == OURS:
        return ours(data), {}
    if tool == "ir_measures":
        return [script("ir_measures"), str(data.qrels), str(data.run), " ".join(MEASURES)], {}
    env = {"NUMBA_CACHE_DIR": str(NUMBA_CACHE)} if tool == "ranx" else {}
    peer = BENCH / "peers" / f"with_{tool}.py"
    return [sys.executable, str(peer), str(data.qrels), str(data.run)], env


def all_trec(tool: str, data: DataSet) -> Command:
    """Every measure of trec_eval's all_trec: the drop-in, and pytrec_eval with all measures it has."""
    if tool == OURS:
        return [script("idealrank"), "trec_eval", "-m", "all_trec", str(data.qrels), str(data.run)], {}
    return [sys.executable, str(BENCH / "peers" / "all_pytrec_eval.py"), str(data.qrels), str(data.run)], {}


def significance(tool: str, job: str) -> Command:
    """Tests of many systems: all of them by ours, one of them by the others."""
    env = {"NUMBA_CACHE_DIR": str(NUMBA_CACHE)} if tool == "ranx" else {}
    return [sys.executable, str(BENCH / "significance.py"), job, tool], env


def per_query(tool: str, data: DataSet, path: Path) -> Command:
    """The same with every value of every query; outside the timed runs."""
    words, env = command(tool, data)
    if tool == OURS:
        return [*words, "--as", "trec_eval-9.0.8", "--per-query", "--csv", "-o", str(path)], env
    if tool == "ir_measures":
        return [*words, "--by_query", "--no_summary", "--output_format", "jsonl"], env
    return [*words, "--per-query", str(path)], env
