"""`idealrank plot`: files in three forms, and what is refused."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from idealrank.reports.plots import NAMES
from tests.cli.terminal import run

FILES = ("qrels.txt", "up.run", "other.run")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("thresholds", "latency")])
def test_every_name(name: str, folder: Path) -> None:
    """Each plot is written as SVG, whole; the convention is said, with -v decisions and ledger, with -q nothing."""
    also = ("--queries-table", "queries.csv") if name == "segments" else ()
    found = run("plot", name, *FILES, *also, "-m", "nDCG@3", "-o", "out.svg", cwd=folder)
    assert (found.code, found.out) == (0, "")
    assert found.err.endswith("Convention idealrank-1. All choices and the full ledger: --verbose\n")
    whole = run("plot", name, *FILES, *also, "-m", "nDCG@3", "-v", "-o", "out.svg", cwd=folder)
    assert "decisions  idealrank-1\n" in whole.err
    assert "\nledger     3 judged queries" in whole.err
    assert ET.fromstring((folder / "out.svg").read_bytes()).tag.endswith("svg")
    assert run("plot", name, *FILES, *also, "-m", "nDCG@3", "-q", "-o", "out.svg", cwd=folder).err == ""


def test_latency(folder: Path) -> None:
    """The plot of latency takes results with times; of others it says which column to add."""
    (folder / "timed.csv").write_text("query,doc,rank,latency_ms\nq1,d1,1,12\nq2,d1,1,20\n", "utf-8")
    assert run("plot", "latency", "qrels.txt", "timed.csv", "-m", "RR", "-q", "-o", "out.svg", cwd=folder).code == 0
    said = run("plot", "latency", "qrels.txt", "up.run", "-m", "RR", "-o", "out.svg", cwd=folder)
    assert said.code == 3
    assert "latency_ms" in said.err


def test_thresholds(folder: Path) -> None:
    """The plot of thresholds takes tables of spans; of others it says what to answer."""
    (folder / "spans.csv").write_text("query,doc,begin,end,grade\nq,d,10,20,1\n", "utf-8")
    (folder / "chunks.csv").write_text("query,doc,begin,end,rank\nq,d,0,15,1\n", "utf-8")
    of_spans = ("plot", "thresholds", "spans.csv", "chunks.csv", "-m", "R@1", "-o", "out.svg", "--unit", "spans")
    assert run(*of_spans, cwd=folder).code == 0
    assert ET.fromstring((folder / "out.svg").read_bytes()).tag.endswith("svg")
    found = run("plot", "thresholds", *FILES, "-m", "R@1", "-o", "out.svg", cwd=folder)
    assert (found.code, "thresholds are about chunks and judged spans. Use --unit spans." in found.err) == (2, True)


@pytest.mark.parametrize(("ending", "begin"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("PDF", b"%PDF-")])
def test_the_ending_says_the_form(ending: str, begin: bytes, folder: Path) -> None:
    """A file is what its ending says, and the same bytes in two runs; nothing is left beside it."""
    written = []
    for name in ("a", "b"):
        assert run("plot", "means", *FILES, "-q", "-o", f"{name}.{ending}", cwd=folder).code == 0
        written.append((folder / f"{name}.{ending}").read_bytes())
    assert written[0] == written[1]
    assert written[0].startswith(begin)
    assert len(os.listdir(folder)) == 6


def test_what_is_refused(folder: Path) -> None:
    """A wrong name, ending or option is told in one line before anything is written, with what to do."""
    for words, said in (
        (("mean", *FILES, "-o", "x.svg"), "No plot called 'mean'. Did you mean means?"),
        (("means", *FILES, "-o", "x.gif"), "-o x.gif: the ending says the form. Name it .svg, .png or .pdf."),
        (("means", *FILES), "Missing option '-o' / '--output'."),
        (("curve", *FILES, "-m", "RR", "-m", "AP", "-o", "x.svg"), "curve shows one measure, and 2 are given."),
        (("means", *FILES, "--depth", "5", "-o", "x.svg"), "--depth: means has none. It is an option of curve, grades"),
        (("curve", *FILES, "--depth", "0", "-o", "x.svg"), "--depth 0: how deep is a whole number from 1 up."),
        (
            ("scatter", *FILES, "--margin", "1", "-o", "x.svg"),
            "--margin: scatter shows none. It is an option of interv",
        ),
        (("scatter", *FILES[:2], "-o", "x.svg"), "A comparison needs two systems, and there is one: 'up'."),
        (("curve", *FILES, "-m", "num_q", "-o", "x.svg"), "NumQ takes no cutoff"),
        (("segments", *FILES, "--by", "kind", "-o", "x.svg"), "No query attribute called 'kind'."),
        (("means", *FILES, "--system", "down", "-o", "x.svg"), "No system called 'down'."),
        (("means", "qrels.txt", "up.run", "-o", "up.run"), "-o up.run: the ending says the form."),
    ):
        found = run("plot", *words, cwd=folder)
        assert (found.code, found.out) == (2, ""), words
        assert said in found.err
        assert len(found.err.splitlines()) == 1
        assert not (folder / "x.svg").exists()


def test_it_draws_the_numbers_of_evaluate(folder: Path) -> None:
    """The file states the measure with every decision as `evaluate` does, under the convention asked for."""
    under = ("--as", "trec_eval-9.0.8")
    run("plot", "curve", *FILES, *under, "-m", "ndcg_cut_3", "-o", "x.svg", cwd=folder)
    whole = json.loads(run("evaluate", *FILES, *under, "-m", "ndcg", "--json", cwd=folder).out)
    (fingerprint,) = whole["decisions"].values()
    assert fingerprint in "".join(ET.fromstring((folder / "x.svg").read_bytes()).itertext())


def test_without_a_measure(folder: Path) -> None:
    """Plots of one measure take the first of the project's, or nDCG@10; of the convention's where it has no nDCG."""
    assert _measures(folder, "curve", "x.svg") == {"nDCG"}
    assert _measures(folder, "differences", "x.svg") == {"nDCG"}
    assert _measures(folder, "means", "x.svg") == {"nDCG", "P", "R", "RR", "AP"}
    assert _measures(folder, "curve", "x.svg", "--as", "msmarco") == {"RR"}
    (folder / "pyproject.toml").write_text('[tool.idealrank]\nmeasures = ["P@2", "RR"]\n')
    assert _measures(folder, "differences", "x.svg") == {"P"}
    assert _measures(folder, "intervals", "x.svg") == {"P", "RR"}


def _measures(folder: Path, name: str, file: str, *words: str) -> set[str]:
    """Return the measures a file states."""
    assert run("plot", name, *FILES, *words, "-o", file, cwd=folder).code == 0
    text = "".join(ET.fromstring((folder / file).read_bytes()).itertext())
    return set(re.findall(r"(\w+)\[", text))


def test_a_baseline_makes_segments_of_differences(folder: Path) -> None:
    """Without a baseline the means of each system are drawn, with one the differences."""
    words = ("plot", "segments", *FILES, "-m", "RR", "--queries-table", "queries.csv", "--by", "segment", "-q")
    assert run(*words, "-o", "a.svg", cwd=folder).code == 0
    assert run(*words, "--baseline", "other", "-o", "b.svg", cwd=folder).code == 0
    plain, against = ((folder / name).read_text() for name in ("a.svg", "b.svg"))
    assert "<!-- up vs other -->" in against
    assert " vs " not in plain
