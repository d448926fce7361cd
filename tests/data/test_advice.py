"""Every message that names an option is believed: its option is typed on the data that caused it, and helps.

Helps means: a number that was counted by hand, or another question. Never the same message again, and never results
as their own judgments.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.terminal import run
from tests.data.refused import CASES, QRELS, RUN, Refused
from tests.data.test_refusals import flags

OPTION = re.compile(r"""--[a-z][a-z-]+(?:[ =](?:"[^"]*"|'[^']*'|[^\s,;()]+))?""")
"""An option in a sentence, with its value."""

OPEN = re.compile(r"NAME|FILE|COLUMN|…")
"""What a person has to fill in."""


def advised(said: str) -> list[list[str]]:
    """Return the options of a message that can be typed as they are."""
    return [shlex.split(found.rstrip(".:")) for found in OPTION.findall(said) if not OPEN.search(found)]


ADVISING = [pytest.param(case, id=name) for name, case in CASES.items() if advised(case.typed)]


@pytest.mark.parametrize("case", ADVISING)
def test_advice_leads_on(case: Refused, tmp_path: Path) -> None:
    """What a refusal names leads to numbers or to another question."""
    (tmp_path / "judgments").write_bytes(QRELS)
    (tmp_path / "results").write_bytes(RUN)
    (tmp_path / case.side).write_bytes(case.data)
    call = ("evaluate", "judgments", "results", "-m", "RR", "--csv")
    first = run(*call, *flags(case.options), cwd=tmp_path)
    assert first.code == 3
    for words in advised(first.err):
        if " ".join(words).replace(" ", "=") in flags(case.options):
            continue  # the message repeats what was given
        replaced = re.split("[ =]", words[0])[0]
        kept = {name: value for name, value in case.options.items() if f"--{name.replace('_', '-')}" != replaced}
        then = run(*call, *flags(kept), *words, cwd=tmp_path)
        assert then.code in (0, 3), words
        assert then.err != first.err, words


def test_there_is_advice_to_try() -> None:
    """The table of refusals contains advice to try."""
    assert len(ADVISING) >= 8


JUDGED = "query_id,doc_id,grade\n" + "".join(f"q{n},d{n},{grade}\n" for n, grade in ((1, 2), (2, 0), (3, 1)))
"""Of three queries; by hand: the documents at rank 1 have the grades 2, 0 and 1, so RR is 2/3."""

RETURNED = "query_id,doc_id,rank\n" + "".join(f"q{n},d{n},1\n" for n in (1, 2, 3))

FOLLOWED = {
    "a word among the grades of a table": ({"j.csv": JUDGED + "q3,d9,__invalid__\n", "r.csv": RETURNED}, 2 / 3),
    "a word among the grades of TREC text": (
        {"j.csv": "q1 0 d1 2\nq2 0 d2 0\nq3 0 d3 1\nq3 0 d9 refused_by_judge\n", "r.csv": RETURNED},
        2 / 3,
    ),
    "grades that are words": (
        {
            "j.csv": JUDGED.replace(",2\n", ",Exact\n").replace(",1\n", ",Partial\n").replace(",0\n", ",Irrelevant\n"),
            "r.csv": RETURNED,
        },
        2 / 3,
    ),
    "two columns that may be the rank": (
        {"j.csv": JUDGED, "r.csv": "query_id,doc_id,rank,position\n" + "".join(f"q{n},d{n},1,1\n" for n in (1, 2, 3))},
        2 / 3,
    ),
    "names in another language": (
        {
            "j.csv": "Suche,Artikel,Bewertung\nq1,d7,0\n"
            + "".join(f"q{n},d{n},{g}\n" for n, g in ((1, 2), (2, 0), (3, 1))),
            "r.csv": RETURNED,
        },
        2 / 3,
    ),
}


@pytest.mark.parametrize(("files", "right"), [pytest.param(*case, id=name) for name, case in FOLLOWED.items()])
def test_advice_ends_in_the_right_number(files: dict[str, str], right: float, tmp_path: Path) -> None:
    """Following the first option of each message, question after question, ends in the number counted by hand."""
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    words: list[str] = []
    seen: set[str] = set()
    for _ in range(4):
        found = run("evaluate", "j.csv", "r.csv", "-m", "RR", "--csv", *words, cwd=tmp_path)
        if found.code == 0:
            break
        assert found.err not in seen, "a circle"
        seen.add(found.err)
        assert advised(found.err), found.err
        words += advised(found.err)[0]
    assert f"{float(found.out.splitlines()[1].split(',')[1]):.9f}" == f"{right:.9f}"
