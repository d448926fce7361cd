"""No line is wider than the terminal unless it is one word, in any command that lists something."""

from __future__ import annotations

from pathlib import Path

import pytest

from idealrank.display.blocks import text_width
from tests.cli.terminal import SHOP, on_terminal, plain, run

JUDGMENTS, BM25, HYBRID = (str(SHOP / name) for name in ("judgments.csv", "bm25.csv", "hybrid.csv"))
FILES, QUERIES = (JUDGMENTS, BM25, HYBRID), str(SHOP / "queries.csv")
WHOLE = ("evaluate", "explain", "flavors", "overlap")
"""Commands of whose tables nothing is cut."""

LISTINGS = (
    ("conventions",),
    ("conventions", "trec_eval-9.0.8"),
    ("conventions", "idealrank-1"),
    ("measures",),
    ("measures", "nDCG"),
    ("measures", "RBP"),
    ("schema",),
    ("evaluate", *FILES),
    ("evaluate", *FILES, "-v"),
    ("evaluate", *FILES, "--queries-table", QUERIES, "--per-query"),
    ("evaluate", *FILES, "--queries-table", QUERIES, "--by", "segment"),
    ("evaluate", *FILES, "--ledger"),
    ("compare", *FILES),
    ("compare", *FILES, "-v"),
    ("compare", *FILES, "--losses", "5"),
    ("compare", *FILES, "--robustness"),
    ("leaderboard", *FILES),
    ("gate", JUDGMENTS, BM25, "--min", "RR>=0.5"),
    ("peek", *FILES),
    ("doctor", *FILES),
    ("overlap", BM25, HYBRID),
    ("flavors", JUDGMENTS, BM25, "-k", "10"),
    ("explain", JUDGMENTS, BM25, "--query", "q14"),
    ("agreement", JUDGMENTS),
    ("label-next", *FILES, "--rows", "5", "--draws", "0"),
    ("reconcile", JUDGMENTS, BM25, "-m", "nDCG@10", "trec_eval-9.0.8", "sklearn"),
)
CODE = ("  >>> ", "next    ", "  idealrank ", "evaluate    ", "compare     ")
"""How lines begin that are to be copied as they are, and so are not folded."""


def too_wide(out: str, width: int) -> list[str]:
    """Return the lines of more than one word that are wider than the terminal."""
    lines = plain(out).splitlines()
    return [line for line in lines if text_width(line) > width and " " in line.strip() and not line.startswith(CODE)]


@pytest.mark.parametrize("width", [60, 120])
@pytest.mark.parametrize("words", LISTINGS, ids=lambda words: " ".join(words).replace(str(SHOP), ""))
def test_no_line_is_wider_than_the_terminal(words: tuple[str, ...], width: int, tmp_path: Path) -> None:
    """A line is folded at a blank, and no word is cut in the middle; of tables of numbers nothing is cut at all."""
    found = on_terminal(*words, columns=width, cwd=tmp_path)
    assert found.out, found.err
    assert too_wide(found.out, width) == []
    assert "…" not in found.out or words[0] not in WHOLE


@pytest.mark.parametrize("words", [("conventions",), ("measures",), ("measures", "nDCG"), ("schema",)], ids=" ".join)
def test_words_stay_whole(words: tuple[str, ...], tmp_path: Path) -> None:
    """The words of a list are the same at every width: none is broken in two."""
    narrow, wide = (plain(on_terminal(*words, columns=width, cwd=tmp_path).out).split() for width in (60, 120))
    assert narrow == wide
    piped = run(*words, cwd=tmp_path).out
    assert piped.split() == wide
    assert too_wide(piped, 100) == []
