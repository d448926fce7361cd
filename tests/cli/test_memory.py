"""--memory divides files, and a command prints what it prints of files at once."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from idealrank.cli import group, inputs as larger
from idealrank.distributed import memory as sizes

SHOP = Path(__file__).parents[2] / "examples" / "shop"
FILES = [str(SHOP / name) for name in ("judgments.csv", "bm25.csv", "hybrid.csv")]


def _run(*words: str, command: str = "evaluate") -> tuple[str, str]:
    """Return what is printed, and the error in words."""
    done = CliRunner().invoke(group, [command, *words])
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
    """A view of the lists of all queries is that of files at once."""
    for words in (
        [*FILES, "-m", "RBP", "-m", "nDCG@10", "--reading"],
        [*FILES, "--queries-table", str(SHOP / "queries.csv"), "--lost-value", "3"],
    ):
        found = _run(*words)
        assert found[0]
        assert _run(*words, "--memory", "20kB") == found


@pytest.mark.usefixtures("_small")
def test_tie_ranges() -> None:
    """The ranges over the orders of tied results are those of files at once."""
    words = [*FILES, "-m", "nDCG@10", "--tie-range", "--order-by", "score"]
    assert _run(*words, "--memory", "20kB") == _run(*words)


@pytest.mark.usefixtures("_small")
def test_compare() -> None:
    """A comparison in parts prints what one at once prints, in every view."""
    files = [*FILES, "-m", "nDCG@10", "-m", "RR"]
    views = [[], ["--json"], ["--to-judge", "5"], ["--per-query", "--csv"], ["--changes", "q12"]]
    for view in [*views, ["--losses", "5", "--segments", str(SHOP / "queries.csv")]]:
        ours, theirs = (
            _run(*files, *view, "--quiet", *more, command="compare")[0] for more in (["--memory", "20kB"], [])
        )
        assert ours == theirs, view


@pytest.mark.usefixtures("_small")
def test_report(tmp_path: Path) -> None:
    """A report in parts is that of one at once, but for what raters say of each other, for which all are needed."""
    pages = []
    for name, more in (("ours", ["--memory", "20kB"]), ("theirs", [])):
        file = tmp_path / f"{name}.json"
        words = [*FILES, "-m", "nDCG@10", "--segments", str(SHOP / "queries.csv"), "-o", str(file), *more]
        assert _run(*words, command="report")[1] == ""
        pages.append(json.loads(file.read_text()))
    assert pages[0].pop("grades") is None
    assert pages[1].pop("grades")["raters"]["agreement"]["raters"] == 3
    assert pages[0] == pages[1]


@pytest.mark.usefixtures("_small")
def test_gate(tmp_path: Path) -> None:
    """A baseline is blessed and checked in parts as it is of files at once; conditions on two files are, too."""
    files = [tmp_path / "ours.json", tmp_path / "theirs.json"]
    for file, more in zip(files, (["--memory", "20kB"], []), strict=True):
        said = _run(FILES[0], FILES[1], "-m", "nDCG@10", "--bless", "--baseline", str(file), *more, command="gate")
        assert said[1] == ""
    assert files[0].read_bytes() == files[1].read_bytes()
    for words in (
        [FILES[0], FILES[2], "--baseline", str(files[0])],
        [*FILES, "--fail-if", "nDCG@10 drops 0.01"],
        [FILES[0], FILES[2], "--min", "nDCG@10>=0.9", "--max-unjudged", "0.5"],
    ):
        ours, theirs = (_run(*words, *more, "--json", command="gate")[0] for more in (["--memory", "20kB"], []))
        assert json.loads(ours)["conditions"]
        assert ours == theirs


def _divided(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return a set that gets the name of every file whose order is read, or that is divided."""
    names: set[str] = set()

    def told(step: str, _: object) -> contextlib.AbstractContextManager[None]:
        names.add(step.rpartition(" ")[2])
        return contextlib.nullcontext()

    monkeypatch.setattr(larger, "_show_step", told)
    return names


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("memory", [True, False])
@pytest.mark.parametrize("layout", ["a folder of systems", "a pattern", "hive partitions"])
def test_folders(layout: str, memory: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files within folders and patterns are counted beside judgments that fit, asked or not; the numbers stay."""
    for name in ("bm25.csv", "hybrid.csv"):
        folder = tmp_path / (f"system={name[:-4]}" if layout == "hive partitions" else "")
        folder.mkdir(exist_ok=True)
        shutil.copy(SHOP / name, folder)
    enough = sizes.needed_memory(FILES[:1])  # for the judgments alone
    monkeypatch.setattr(larger, "SMALL_FILES", Path(FILES[0]).stat().st_size)
    words = [FILES[0], str(tmp_path / "*.csv" if layout == "a pattern" else tmp_path), "-m", "RR"]
    at_once, names = _run(*words), _divided(monkeypatch)
    monkeypatch.setattr(sizes, "available_memory", lambda: enough / larger.MEMORY_SHARE)
    assert _run(*words, *(["--memory", f"{enough / 1000}kB"] if memory else [])) == at_once
    assert len(names) == len(FILES)


def test_sizes_and_standard_input() -> None:
    """A size that is none, and standard input, are refused."""
    for text in ("much", "4", "0GB"):
        assert "not a size" in _run(*FILES, "--memory", text)[1]
    assert "cannot be divided" in _run(FILES[0], "-", "--memory", "1GB")[1]


def test_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large files that would not fit in the free memory are divided without being asked."""
    monkeypatch.setattr(larger, "SMALL_FILES", 0)
    monkeypatch.setattr(sizes, "BASE", 0)
    monkeypatch.setattr(sizes, "available_memory", lambda: 30_000)
    divided = _divided(monkeypatch)
    assert _run(*FILES, "-m", "RR")[1] == ""
    assert len(divided) == len(FILES)
