"""Every message that names an option is believed: its option is typed on the data that caused it, and helps.

Helps means: a number that was counted by hand, or another question. Never the same message again, and never results
as their own judgments.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import idealrank as ir
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


NAMES = [
    ("Suchanfrage,Dokument,Bewertung", "Suchanfrage,Dokument,Rang"),
    ("Anfrage,Artikel,Note", "Anfrage,Artikel,Platz"),
    ("requête,document,note", "requête,document,rang"),
    ("recherche,produit,pertinence", "Recherche,Produit,classement"),
    ("consulta,documento,relevancia", "consulta,documento,posición"),
    ("la búsqueda,producto,puntuación", "la búsqueda,producto,puesto"),
]
"""The columns of judgments and of results in German, French and Spanish."""

GRADED = [("rote Schuhe", "p1", 3), ("rote Schuhe", "p2", 0), ("rote Schuhe", "p3", 1), ("Tasche", "p4", 2)]
RANKED = [("rote Schuhe", "p2", 1), ("rote Schuhe", "p1", 2), ("rote Schuhe", "p3", 3), ("Tasche", "p4", 1)]
"""Of two queries; by hand: the first relevant documents are at the ranks 2 and 1, so RR is 3/4."""


@pytest.mark.parametrize(("judged", "returned"), NAMES)
def test_unknown_names_are_offered_in_one_call(judged: str, returned: str, tmp_path: Path) -> None:
    """The first message has the whole call with the columns of all tables, by their cells, and it works as it is."""
    for name, header, rows in (("my j.csv", judged, GRADED), ("r.csv", returned, RANKED), ("s.csv", returned, RANKED)):
        lines = [header, *(",".join(map(str, row)) for row in rows)]
        (tmp_path / name).write_text("\n".join(lines), "utf-8")
    for files in (("my j.csv", "r.csv"), ("my j.csv", "r.csv", "s.csv")):
        found = run("evaluate", *files, "-m", "RR", "--csv", cwd=tmp_path)
        call = shlex.split(found.err.partition("The whole call: ")[2])
        assert found.code == 3
        assert call[:2] == ["idealrank", "evaluate"]
        then = run(*call[1:], cwd=tmp_path)
        assert then.code == 0
        assert then.out.splitlines()[1].split(",")[1] == "0.75"
    with pytest.raises(ir.DataError) as refused:
        ir.read_results(tmp_path / "r.csv")
    call_of_python = str(refused.value).partition("By the cells: ")[2].partition(". Check")[0]
    results = eval(call_of_python, {"ir": ir})
    assert ir.evaluate({"rote Schuhe": {"p1": 1}, "Tasche": {"p4": 1}}, results, ["RR"])["RR"] == 0.75
    assert "rank=" in " ".join(str(ir.peek(tmp_path / "r.csv")).split())


def test_no_call_is_offered_that_leaves_something_open(tmp_path: Path) -> None:
    """Where the columns of one table cannot be told by their cells, no whole call is printed."""
    (tmp_path / "j.csv").write_text("Suche,Ware,Note\nq1,a,1\nq1,b,0\n")
    (tmp_path / "r.csv").write_text("Suche,Ware,Menge,Preis\nq1,a,17,3.5\nq1,b,12,4.5\n")
    found = run("evaluate", "j.csv", "r.csv", "-m", "RR", cwd=tmp_path)
    assert found.code == 3
    assert "By the cells: " in found.err
    assert "The whole call" not in found.err
