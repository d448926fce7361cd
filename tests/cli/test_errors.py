"""Mistakes: one line that says where, what, what is allowed and what next; an exit code; no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import run

GOOD = "evaluate qrels.txt up.run"
USAGE = [
    ("evalute qrels.txt up.run", "No command called 'evalute'. Did you mean evaluate?"),
    ("qrels.txt up.run", "is a file, and no command. The command comes first, as idealrank evaluate qrels.txt up.run."),
    ("help compare", "No command called 'help'. Type idealrank --help; of one command: idealrank COMMAND -h."),
    (f"{GOOD} --html x.html", "No such option '--html'. A page is written by idealrank report JUDGMENTS RESULTS… -o"),
    (f"{GOOD} -o x.html", "html is not written. Name it .json, .csv or .tsv. A page is written by idealrank report."),
    (f"{GOOD} --per-topic", "No such option '--per-topic'. Show one line per query with --per-query."),
    ("compare qrels.txt up.run other.run --baseline up.run", "No system called 'up.run' to be the baseline. Did you"),
    (f"{GOOD} -m NDGC@10", "No measure called 'NDGC'. Did you mean nDCG@10?"),
    (f"{GOOD} -m ndcg10", "No measure called 'ndcg10'. Did you mean nDCG@10?"),
    (f"{GOOD} -m P(gain=exp2)@5", "gain does not change P"),
    (f"{GOOD} --prequery", "No such option '--prequery'. Did you mean --per-query?"),
    (f"{GOOD} --as trec_evl-9.0.8", "No convention called 'trec_evl-9.0.8'. Did you mean trec_eval-9.0.8?"),
    (f"{GOOD} --as trec", "No convention called 'trec'. Did you mean trec_eval-10.0?"),
    (f"{GOOD} --output-format json", "No such option '--output-format'. Choose the form with --format, or by"),
    (f"{GOOD} --format xml", "'xml' is not one of 'table', 'tsv', 'csv', 'json'."),
    (f"{GOOD} --format csv --json", "--format and --json exclude each other. Leave one out."),
    (f"{GOOD} --format table -o x.txt", "--format table and -o x.txt: a file gets data. Leave one out"),
    (f"{GOOD} -k 5", "No such option '-k'. The cutoff is part of the measure: -m nDCG@5."),
    (f"{GOOD} -k5", "The cutoff is part of the measure: -m nDCG@5."),
    (f"{GOOD} --top-k", "The cutoff is part of the measure: -m nDCG@10."),
    (f"{GOOD} --metrics RR", "Name the measures with -m, once for each"),
    (f"{GOOD} --alpha 0.05", "No such option '--alpha'. See"),
    (f"compare {GOOD[9:]} other.run --alpha 0.05", "confidence of the intervals: --level 0.95."),
    (f"{GOOD} --worst", "--worst needs a value: --worst N. Show the N queries of each system with the lowest"),
    ("identify qrels.txt up.run 0.7881", "0.7881: of which measure? Write MEASURE=NUMBER, as nDCG@10=0.7881."),
    ("identify qrels.txt up.run nDCG@10", "nDCG@10: the number is missing. Write MEASURE=NUMBER"),
    (f"{GOOD} --as trec_eval", "No convention called 'trec_eval': trec_eval-9.0.8 or trec_eval-10.0?"),
    (f"{GOOD} --as trec_eval-9.0.8,tie=best", "No decision called 'tie'. Did you mean ties?"),
    (f"{GOOD} --ties averag", "ties=averag is not an answer. Allowed: docid_desc"),
    (f"{GOOD} -m nDCG@0", "the cutoff k is a whole number from 1 up"),
    (f"{GOOD} --worst 0", "Invalid value for '--worst'"),
    (f"{GOOD} --system dense", "No system called 'dense'"),
    (f"{GOOD} --queries q77", "No judged query matches 'q77'"),
    (f"{GOOD} --queries no/such/file", "--queries no/such/file: no such file"),
    (f"{GOOD} --by segment", "No query attribute called 'segment'"),
    (f"{GOOD} --lost-value", "--weights"),
    ("explain qrels.txt up.run --query q11", "No judged query 'q11'. Did you mean q1?"),
    ("measures NDGC", "Did you mean nDCG?"),
    ("conventions sklearn,gian=exp2", "No decision called 'gian'. Did you mean gain?"),
    (f"{GOOD} --json -o x.csv", "--format json and -o x.csv: the file's ending says csv"),
    (f"{GOOD} --lost-value x", "'x' is no whole number from 1 up. Give files before --lost-value"),
    ("flavors qrels.txt up.run --ideal local", "Leave out --ideal local, or ask evaluate for one measure"),
    ("flavors qrels.txt up.run --unjudged filter", "nDCG(unjudged=filter)@10"),
    ("flavors qrels.txt up.run --short-list k", "short_list changes neither DCG nor nDCG. Leave out --short-list k."),
    ("flavors qrels.txt up.run --as sklearn,ideal=max", "flavors computes every answer to ideal"),
    ("explain qrels.txt up.run", "Name one by id or by text, as --query q1."),
    ("evaluate", "Missing argument 'JUDGMENTS'"),
]
DATA = [
    ("evaluate nothere.txt up.run", "nothere.txt"),
    ("evaluate qrels.txt upp.run", "Did you mean"),
    ("evaluate empty.txt up.run", "empty.txt"),
    ("evaluate qrels.txt bad.run", "bad.run line 2"),
    ("evaluate qrels.txt strangers.run", "The one query in strangers.run has no judgments"),
    ("evaluate qrels.txt up.run --no-results error", "1 judged query without results ('q3')"),
    ("evaluate qrels.txt up.run --max-grade 2", "is above --max-grade 2"),
    ("evaluate up.run qrels.txt", "Give judgments first, then results"),
]


@pytest.fixture
def mistakes(folder: Path) -> Path:
    """Return a folder with broken files beside the good ones."""
    (folder / "empty.txt").write_text("")
    (folder / "bad.run").write_text("q1 Q0 d1 1 9 up\nq1 Q0 d2 2 abc up\n")
    (folder / "strangers.run").write_text("zz Q0 d1 1 9 up\n")
    return folder


def check(words: str, message: str, code: int, folder: Path) -> None:
    """Check that a call ends with a message, an exit code, and nothing on standard output."""
    found = run(*words.split(), cwd=folder)
    assert message in found.err
    assert (found.code, found.out) == (code, "")
    assert "Traceback" not in found.err


@pytest.mark.parametrize(("words", "message"), USAGE, ids=[words for words, _ in USAGE])
def test_usage(words: str, message: str, mistakes: Path) -> None:
    """A wrong name or value ends with 2 and the nearest spelling or what is allowed."""
    check(words, message, 2, mistakes)


@pytest.mark.parametrize(("words", "message"), DATA, ids=[words for words, _ in DATA])
def test_bad_data(words: str, message: str, mistakes: Path) -> None:
    """Bad data ends with 3 and the place."""
    check(words, message, 3, mistakes)


def test_names_are_checked_before_files_are_read(folder: Path) -> None:
    """A wrong measure is said even where the files are missing: large files are not read in vain."""
    check("evaluate nothere.txt up.run --ties averag", "ties=averag", 2, folder)
    check("evaluate nothere.txt up.run -m NDGC", "Did you mean nDCG?", 2, folder)


def test_an_error_is_one_line(folder: Path) -> None:
    """Bad data is told in one line that begins with the program's name."""
    found = run("evaluate", "qrels.txt", "nothere.run", cwd=folder)
    assert found.err.startswith("idealrank: ")
    assert len(found.err.splitlines()) == 1
