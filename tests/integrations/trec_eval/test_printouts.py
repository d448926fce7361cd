"""trec_eval's printouts, byte for byte."""

from __future__ import annotations

import hashlib

import pytest

from tests.golden.tables import read_printout
from tests.integrations.trec_eval.calls import COVERED, GOLDEN, GROUPS, PREFS, QRELS, RUN, call

CALLS = {
    "9.0.8": ["-q", "-m", "all_trec", "-m", "yaap", COVERED, RUN],
    "9.0.8-c": ["-q", "-c", "-m", "all_trec", QRELS, RUN],
    "9.0.8-l2": ["-q", "-l2", "-m", "all_trec", COVERED, RUN],
    "10.0": ["--compat", "10.0", "-q", "-m", "all_trec", "-m", "yaap", "-m", "dcg", "-m", "ideal_dcg", COVERED, RUN],
    "10.0-c": ["--compat", "10.0", "-q", "-c", "-m", "all_trec", QRELS, RUN],
} | {
    f"{compat}-{form}": ["--compat", compat, "-q", "-c", "-R", form, "-m", nickname, judgments, RUN]
    for compat in ("9.0.8", "10.0")
    for form, nickname, judgments in (
        ("prefs", "all_prefs", PREFS),
        ("qrels_prefs", "all_prefs", GROUPS),
        ("qrels_jg", "qrels_jg", GROUPS),
    )
}
DIGESTS = dict(line.split("\t") for line in (GOLDEN / "digests.tsv").read_text("utf-8").splitlines())
"""SHA-256 of what the tool printed, without the lines of rbp, which 10.0 computes from memory it never wrote."""


def without_rbp(out: bytes) -> bytes:
    """Leave out the lines of rbp."""
    return b"".join(line for line in out.splitlines(keepends=True) if not line.startswith(b"rbp  "))


@pytest.mark.parametrize("name", CALLS)
def test_bytes(name: str) -> None:
    """The printout has the bytes of the tool's."""
    found = call(*CALLS[name])
    assert found.code == 0
    assert hashlib.sha256(without_rbp(found.out)).hexdigest() == DIGESTS[name]


@pytest.mark.parametrize("name", CALLS)
def test_values(name: str) -> None:
    """Every value of the golden table is printed, and where bytes differ this says which."""
    printed = read_printout(f"{name}.tsv")
    for measure, query, value in call(*CALLS[name]).lines:
        if measure in printed and value != printed[measure].get(query, value):
            raise AssertionError(f"{measure} of {query}: {value} for {printed[measure][query]}")
