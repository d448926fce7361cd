"""On a terminal the answer comes first and fits a screen: numbers, what was left out, what matters, what to do."""

from __future__ import annotations

import csv
import os
import re
from collections import defaultdict
from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import COMMAND, SHOP, copied, drawn, on_terminal, plain, run, tsv

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")

BOTH = ("judgments.csv", "bm25.csv", "hybrid.csv")
SCREEN = 22
"""Lines that 24 rows show beside the call and the prompt."""


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a file of the shop."""
    with (SHOP / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def unjudged_share(name: str) -> float:
    """Count by hand which share of the top 10 of judged queries nobody judged."""
    judged = defaultdict(set)
    for row in rows("judgments.csv"):
        if any(row[rater] for rater in ("rater_1", "rater_2", "rater_3")):
            judged[row["query_id"]].add(row["product_id"])
    top = [row for row in rows(f"{name}.csv") if row["query_id"] in judged and int(row["rank"]) <= 10]
    return sum(row["product_id"] not in judged[row["query_id"]] for row in top) / len(top)


def test_evaluating_the_shop_fits_a_screen() -> None:
    """At 80 x 24 nothing of the means, the left-out queries, the choices and the convention scrolls off."""
    drawn_in_bold = on_terminal("evaluate", *BOTH, cwd=SHOP).out
    assert drawn_in_bold.startswith("\x1b[1mmeasure")
    lines = plain(drawn_in_bold).splitlines()
    assert len(lines) <= SCREEN
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["measure", "bm25", "hybrid"]
    assert [line.split()[0] for line in lines[2:7]] == ["nDCG@10", "P@10", "R@100", "RR", "AP"]
    sentences = " ".join(lines[8:11])
    assert sentences.startswith("All 41 queries counted. No results: q19 (bm25), q28 (hybrid), scored 0. ")
    assert "No judgments: q42, left out." in sentences
    shares = [f"{unjudged_share(name):.0%} of {name}" for name in ("bm25", "hybrid")]
    assert f"Unjudged in the top 10, counted as not relevant: {', '.join(shares)}." in sentences
    assert lines[-1] == "Convention idealrank-1. All choices and the full ledger: --verbose"


def test_long_names_of_systems_keep_one_table(tmp_path: Path) -> None:
    """Where two long names leave no room, means are called baseline and mean, and choices name what moves most."""
    names = ["a-very-long-name-of-the-baseline", "a-very-long-name-of-the-challenger"]
    for name, file in zip(names, BOTH[1:], strict=True):
        (tmp_path / f"{name}.csv").write_text((SHOP / file).read_text("utf-8"), "utf-8")
    files = (SHOP / "judgments.csv", *(f"{name}.csv" for name in names))
    lines = plain(on_terminal("compare", *files, cwd=tmp_path).out).splitlines()
    assert [line.split()[:3] for line in lines if line.startswith("measure")] == [["measure", "baseline", "mean"]]
    assert f"Baseline: {names[0]}." in lines
    assert len(lines) <= SCREEN + 3
    chosen = plain(on_terminal("evaluate", *files, "-m", "nDCG@10", columns=110, cwd=tmp_path).out).splitlines()
    (row,) = [line for line in chosen if "--unjudged filter" in line]
    assert row.endswith(f"{names[1]} 0.771 → 0.819")


def test_the_choices_that_matter_are_those_that_move_the_mean() -> None:
    """Each choice is an option that gives the mean beside it when it is typed, the largest change first."""
    text = plain(on_terminal("evaluate", *BOTH, "-m", "nDCG@10", columns=120, cwd=SHOP).out)
    _, _, table = text.partition("These choices matter most here (nDCG@10):\n")
    found = [line.split("  --")[1].split() for line in table.partition("\n\n")[0].splitlines()[2:]]
    changes = []
    for option, answer, *cells in found:
        for name, cell in zip(("bm25", "hybrid"), " ".join(cells).replace(" → ", ">").split(), strict=True):
            scores = [
                ir.evaluate(SHOP / "judgments.csv", SHOP / f"{name}.csv", ["nDCG@10"], **words)["nDCG@10"]
                for words in ({}, {option.replace("-", "_"): answer})
            ]
            assert cell == ">".join(f"{score:.3f}" for score in scores)
            changes.append(abs(scores[1] - scores[0]))
    assert [option for option, *_ in found] == ["unjudged", "no-relevant", "no-results", "no-judgments"]
    pairs = [max(pair) for pair in zip(changes[::2], changes[1::2], strict=True)]
    assert pairs == sorted(pairs, reverse=True)


def test_comparing_the_shop_fits_a_screen() -> None:
    """At 80 x 24: the headline, two sentences, one table with both means, the steps and the convention."""
    lines = plain(on_terminal("compare", *BOTH, cwd=SHOP).out).splitlines()
    assert len(lines) <= SCREEN
    assert max(map(len, lines)) <= 80
    comparison = ir.compare(SHOP / "judgments.csv", [SHOP / "bm25.csv", SHOP / "hybrid.csv"])
    assert lines[0] == comparison.verdict.headline
    head = lines.index(next(line for line in lines if line.startswith("measure")))
    assert " ".join(lines[1 : head - 1]) == " ".join(comparison.verdict.summary)
    assert lines[head].split() == ["measure", "bm25", "hybrid", "change", "95%", "interval", "better/worse", "role"]
    for line, row in zip(lines[head + 2 : head + 7], comparison.differences, strict=True):
        assert line.split() == [
            row["measure"], f"{row['baseline mean']:.4f}", f"{row['mean']:.4f}", "▲", f"{row['difference']:+.4f}",
            f"{row['corrected low']:+.4f}".replace("-", "−"), "to", f"{row['corrected high']:+.4f}",
            f"{row['wins']}/{row['losses']}", row["role"],
        ]  # fmt: skip
    steps = " ".join(" ".join(lines).partition("What would settle it: ")[2].split())
    assert steps.startswith(
        f"1. {comparison.verdict.steps[0]} 2. {comparison.verdict.steps[1]} "
        "No results: q19 (bm25), q28 (hybrid), scored 0. Convention idealrank-1;"
    )
    assert lines[-1].endswith("--verbose")


def shops(folder: Path, many: int) -> list[str]:
    """Write judgments, a good system with the relevant document first, and a bad one that has it fifth."""
    queries = [f"q{i:02}" for i in range(many)]
    (folder / "j.csv").write_text("query,doc,grade\n" + "".join(f"{q},a,1\n{q},b,0\n" for q in queries))
    lists = {"good": ["a", "b"], "bad": ["b", "b1", "b2", "b3", "a"]}
    for name, docs in lists.items():
        own = {q: ["b", *docs] if name == "good" and i % 3 == 0 else docs for i, q in enumerate(queries)}
        text = "".join(f"{q},{d},{n}\n" for q in queries for n, d in enumerate(dict.fromkeys(own[q]), 1))
        (folder / f"{name}.csv").write_text(f"query,doc,rank\n{text}")
    return ["j.csv", "bad.csv", "good.csv"]


def test_the_outcome_has_the_colours_of_the_page(tmp_path: Path) -> None:
    """SHIP and gains are blue, DON'T and losses orange; under NO_COLOR, TERM=dumb and in a pipe there is no colour."""
    judgments, bad, good = shops(tmp_path, 60)
    ship = on_terminal("compare", judgments, bad, good, "-m", "RR", cwd=tmp_path)
    assert ship.lines[0] == "\x1b[1m\x1b[38;5;32mShip good\x1b[0m"
    assert "\x1b[38;5;32m▲ +" in ship.out
    assert "\x1b[38;5;166m" not in ship.out
    dont = on_terminal("compare", judgments, good, bad, "-m", "RR", cwd=tmp_path)
    assert dont.lines[0] == "\x1b[1m\x1b[38;5;166mDo not ship bad\x1b[0m"
    assert "\x1b[38;5;166m▼ −" in dont.out
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b" not in on_terminal("compare", judgments, bad, good, "-m", "RR", cwd=tmp_path, env=env).out
    piped = run("compare", judgments, bad, good, "-m", "RR", cwd=tmp_path)
    assert "\x1b" not in piped.out + piped.err


def test_much_that_nobody_judged_is_said_first(tmp_path: Path) -> None:
    """Where three of five results were never judged, a warning is the first thing below the means."""
    judgments, bad, _ = shops(tmp_path, 60)
    lines = plain(on_terminal("evaluate", judgments, bad, "-m", "RR", "-q", cwd=tmp_path).out).splitlines()
    assert len(lines) == 3
    lines = plain(on_terminal("evaluate", judgments, bad, "-m", "RR", cwd=tmp_path).out).splitlines()
    assert " ".join(" ".join(lines[4:6]).split()) == (
        "warning Most of what these systems returned was never judged (60%): judge more before you trust these numbers"
    )


def test_several_systems_are_a_table_without_the_measures_only_shown(tmp_path: Path) -> None:
    """Three challengers: a headline and sentences each, the deciding measure's rows, the others in --verbose."""
    judgments, bad, good = shops(tmp_path, 60)
    for name in ("good2", "good3"):
        (tmp_path / f"{name}.csv").write_text((tmp_path / "good.csv").read_text())
    words = ("compare", judgments, bad, good, "good2.csv", "good3.csv", "--baseline", "bad")
    lines = plain(on_terminal(*words, cwd=tmp_path).out).splitlines()
    files = [tmp_path / name for name in (bad, good, "good2.csv", "good3.csv")]
    verdicts = ir.compare(tmp_path / judgments, files, baseline="bad").verdict
    heads = [verdict.headline for verdict in verdicts.values()]
    assert [line for line in lines if line in heads] == heads
    head = next(place for place, line in enumerate(lines) if line.startswith("measure "))
    table = [line.split()[:2] for line in lines[head:] if line.startswith("nDCG@10")]
    assert table[:3] == [["nDCG@10", "good"], ["nDCG@10", "good2"], ["nDCG@10", "good3"]]
    assert "12 more rows: --verbose" in lines
    (tmp_path / "good4.csv").write_text((tmp_path / "good.csv").read_text())
    more = plain(on_terminal(*words, "good4.csv", cwd=tmp_path).out).splitlines()
    assert more[:2] == ["Verdicts", heads[0]]
    assert "What would settle each: --verbose" in more
    every = plain(on_terminal(*words[:-2], cwd=tmp_path).out).splitlines()
    board = ir.leaderboard(tmp_path / judgments, files)
    assert board.sentence in " ".join(every)


def test_verbose_has_all_evidence(tmp_path: Path) -> None:
    """What the brief leaves out is there with -v, on a terminal, in a pipe, and beside data."""
    parts = ("SHIP if the", "Westfall and Young", "unjudged=zero", "46 ratings missing", "How much each")
    full = " ".join(on_terminal("compare", *BOTH, "-v", cwd=SHOP).out.split())
    brief = on_terminal("compare", *BOTH, cwd=SHOP).out
    beside = " ".join(tsv("compare", *BOTH, "-v", cwd=SHOP).err.split())
    assert all(part in full for part in parts)
    assert not any(part in brief for part in parts)
    assert all(part in beside for part in parts)
    assert all(part in " ".join(run("compare", *BOTH, "-v", cwd=SHOP).out.split()) for part in parts)


@pytest.mark.parametrize(
    "words",
    [("evaluate",), ("compare",), ("gate", "--min", "RR>=0"), ("report", "-o", "report.html")],
    ids=lambda words: words[0],
)
def test_warnings_fit_the_terminal(words: tuple[str, ...], tmp_path: Path) -> None:
    """A failed search and rows without scores are warned of, folded at the width."""
    judgments = "query,doc,grade\n" + "".join(f"q{i},a,1\n" for i in range(8))
    old = "query,doc\n" + "".join(f"q{i},a\n" for i in range(8))
    new = "query,doc,score,error\nq0,,,timeout after 3000 ms at the second shard of the index\n"
    new += "".join(f"q{i},a,1,\n" for i in range(1, 8))
    for name, text in {"judgments.csv": judgments, "old.csv": old, "new.csv": new}.items():
        (tmp_path / name).write_text(text, "utf-8")
    call = [COMMAND, words[0], "judgments.csv", "old.csv", "new.csv", *words[1:]]
    drawn_text = re.sub(r"\x1b\[[?\d;]*[a-zA-Z]", "", drawn(call, copied, 80, tmp_path, {}, apart=False).out)
    lines = [line for line in drawn_text.splitlines() if "━" not in line]  # without the bar of a report that takes long
    text = " ".join(" ".join(lines).split())
    failed = "the search failed for 1 query, which is left out: q0 (timeout after 3000 ms at the second shard"
    assert f"warning new: {failed} of the index)" in text
    assert "old.csv: no column of scores or ranks, so results are ranked in the order of the rows." in text
    assert max(map(len, lines)) <= 80


def test_measures_are_listed_by_family() -> None:
    """On a terminal each family has its heading, and every name a column of its own, the longest too."""
    lines = plain(on_terminal("measures", cwd=SHOP).out).splitlines()
    assert "Binary measures: which results are relevant, and where." in lines
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("  IPrec@recall  Interpolated") for line in lines)
    shown = plain(on_terminal("measures", "nDCG", cwd=SHOP).out)
    assert "Under ties=average" in " ".join(shown.split())
    assert "`" not in shown
    assert "----" not in shown
    assert "In Python:\n  >>> import idealrank as ir\n" in shown


def test_the_steps_end_with_the_value_on_screen() -> None:
    """`explain` ends with the sum, the notes and the convention: the value is among the last 22 lines."""
    lines = plain(on_terminal("explain", "judgments.csv", "bm25.csv", "--query", "q14", cwd=SHOP).out).splitlines()
    assert "contributions 7.1665 / 7.2541 = 0.9879" in lines[-SCREEN:]
    assert lines[-1] == "Convention idealrank-1. All choices: --verbose"


@pytest.mark.heavy
def test_a_bar_names_its_phase_and_never_stands_full(tmp_path: Path) -> None:
    """Work that is done drawing is said to do what comes next; named steps are counted; no bar says 100 %."""
    from tests.cli.test_terminal import said_on_error

    code = (
        "import time; from idealrank.display import terminal; terminal.SOON = 0\n"
        "with terminal.progress_bar('resampling', 'bounding') as told:\n"
        "    if told:\n"
        "        for done, total, *step in ((5, 10), (10, 10), (2, 24, 'holes')):\n"
        "            told(done, total, *step); time.sleep(0.4)\n"
    )
    said = said_on_error(code, tmp_path, terminal=True)
    places = [said.index(part) for part in (b"resampling", b"bounding", b"resampling: holes (3 of 24)")]
    assert places == sorted(places)
    assert b"100" not in said
    assert said_on_error(code, tmp_path, terminal=False) == b""


@pytest.mark.parametrize("call", [("evaluate", *BOTH[:2]), ("compare", *BOTH)])
def test_a_measure_by_another_name(call: tuple[str, ...]) -> None:
    """The convention is followed by the name a measure was asked for by."""
    text = " ".join(plain(on_terminal(*call, "-m", "hit_rate@5", cwd=SHOP).out).split())
    assert text.count("hit_rate@5 is Success@5.") == 1
