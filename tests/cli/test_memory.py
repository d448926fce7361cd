"""evaluate --memory divides files, and prints what it prints of files at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from idealrank.cli import group, larger
from idealrank.distributed.buckets import sizes

SHOP = Path(__file__).parents[2] / "examples" / "shop"
FILES = [str(SHOP / name) for name in ("judgments.csv", "bm25.csv", "hybrid.csv")]


def _run(*words: str) -> tuple[str, str]:
    """Return what is printed, and the error in words."""
    done = CliRunner().invoke(group, ["evaluate", *words])
    return done.output, str(done.exception or "")


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the program itself need nothing, so that the shop's files can be too large."""
    monkeypatch.setattr(sizes, "BASE", 0)


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("view", [[], ["--per-query"], ["--worst", "3"], ["--ledger"], ["--describe"], ["--json"]])
def test_views(view: list[str]) -> None:
    """Every view of values is the same in parts."""
    words = [*FILES, "-m", "nDCG@10", "-m", "RR", *view]
    assert _run(*words, "--memory", "20kB") == _run(*words)


@pytest.mark.usefixtures("_small")
def test_tables_of_queries() -> None:
    """Weights, attributes and the queries asked for are those of all parts."""
    words = [*FILES, "--queries-table", str(SHOP / "queries.csv"), "--weights", "frequency", "--by", "segment"]
    assert _run(*words, "--memory", "20kB") == _run(*words)


@pytest.mark.usefixtures("_small")
def test_what_needs_lists() -> None:
    """A view of lists says that they are gone, and what to do."""
    assert "computed in parts" in _run(*FILES, "--memory", "20kB", "--tie-range")[1]


def test_sizes_and_standard_input() -> None:
    """A size that is none, and standard input, are refused."""
    for text in ("much", "4", "0GB"):
        assert "not a size" in _run(*FILES, "--memory", text)[1]
    assert "cannot be divided" in _run(FILES[0], "-", "--memory", "1GB")[1]


def test_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large files that would not fit in the free memory are divided without being asked."""
    monkeypatch.setattr(larger, "SMALL", 0)
    monkeypatch.setattr(sizes, "BASE", 0)
    monkeypatch.setattr(sizes, "available_memory", lambda: 30_000)
    divided = []
    monkeypatch.setattr(larger, "_told", lambda name, counter: divided.append(name) or larger.contextlib.nullcontext())
    assert _run(*FILES, "-m", "RR")[1] == ""
    assert len(divided) == len(FILES)
