"""Ids, texts and names that would act on what they are shown by: every face shows them as text."""

from __future__ import annotations

import csv
import io
import re
import unicodedata

import pytest

import idealrank as ir
from idealrank.display.markdown import code, escape
from idealrank.display.table import Table
from idealrank.errors import UsageError, isolated, named, visible, visible_lines
from tests.frame.house import HOUSE, files

RED = "\x1b[31mq1\x1b[0m"
HOSTILE = (RED, "\x9b2Jq2", "q3\x07\x08", "q4\u202egpj", "q5\u2066x", "q6\r", "q7\x7f", "q8\u2028z")
SAFE = "\n\u2068\u2069"


def assert_harmless(text: str) -> None:
    """No character of a text is a control character or turns the direction of writing, but for what sets apart."""
    acting = {c for c in text if c not in SAFE and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert not acting, ascii(acting)


def hostile() -> tuple[dict[str, dict[str, float]], dict[str, dict[str, dict[str, float]]]]:
    """Return judgments and the results of two systems: ids of queries, documents and systems are hostile."""
    judgments = {query: {f"d{query}": 1.0, f"e{query}": 2.0} for query in HOSTILE}
    one = {query: {f"d{query}": 2.0, f"e{query}": 1.0, "x": 0.5} for query in HOSTILE}
    return judgments, {RED: one, "b\u202e": {q: {d: -s for d, s in docs.items()} for q, docs in one.items()}}


def test_every_text_is_harmless() -> None:
    """What is shown of scores, tables, explanations, comparisons and ledgers holds no control character."""
    judgments, systems = hostile()
    scores, compared = ir.evaluate(judgments, systems, ["RR"]), ir.compare(judgments, systems, ["RR"])
    explained = scores.explain("RR", RED, RED)
    for shown in (scores, scores.per_query, scores.ledger, explained, compared, compared.per_query, compared.losses()):
        assert_harmless(repr(shown))
    assert r"\x1b[31mq1\x1b[0m" in repr(scores.per_query)
    for text in (compared.to_markdown(), compared.to_junit(), compared.to_latex(), ir.report(compared).to_markdown()):
        assert_harmless(text)


def test_columns_stay_in_line() -> None:
    """A cell is as wide as what is seen of it."""
    lines = repr(Table({"query": [RED, "q"], "RR": [1.0, 0.5]})).splitlines()
    assert len({len(line) for line in lines}) == 1


def test_messages_are_harmless() -> None:
    """A message has neither the control characters of a value, nor takes them for its own marks."""
    error = UsageError(f"{RED} {named('system', RED)} \x02")
    for text in (str(error), error.typed):
        assert_harmless(text)
    assert str(error).startswith(r"\x1b[31mq1\x1b[0m system='\x1b[31m")


def test_right_to_left_is_set_apart() -> None:
    """Words from right to left are set apart, one column from the next; once is enough."""
    line = "\u05d0\u05d1 \u05d2  \u0627  0.5"
    apart = "\u2068\u05d0\u05d1 \u05d2\u2069  \u2068\u0627\u2069  0.5"
    assert isolated(line) == isolated(isolated(line)) == visible_lines(apart) == apart
    assert isolated("検索") == "検索" == visible("検索")
    assert visible("\u2069\u05d0") == "\\u2069\u05d0"


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("<img src=x>", r"\<img src=x\>"),
        ("[a](http://b.test)", r"\[a\](http\://b.test)"),
        ("![a](b)", r"!\[a\](b)"),
        ("see https://b.test or www.b.test", r"see https\://b.test or www\.b.test"),
        ("a|b`c`", r"a\|b\`c\`"),
        ("@team and #12", "@&#8203;team and #&#8203;12"),
        ("a@b.test", "a@&#8203;b.test"),
        ("# head", r"\# head"),
        ("- point", r"\- point"),
        ("1. point", r"1\. point"),
        ("> quote", r"\> quote"),
        ("&lt;b&gt;", r"\&lt;b\&gt;"),
        ("\x1b[31m", r"\\x1b\[31m"),
    ],
)
def test_markdown_is_text(given: str, written: str) -> None:
    """What Markdown would read as HTML, a link, a style, a list or a call is escaped."""
    assert escape(given) == written


def test_code_is_text() -> None:
    """An id as code has no control character."""
    assert code("a\x1b`") == r"`` a\x1b` ``"


def test_latex_is_text() -> None:
    """Every special character of LaTeX in the name of a system is escaped, and a control character is shown."""
    judgments, systems = {"q": {"a": 1}, "r": {"a": 1}}, {}
    for name in (r"\input{/etc/passwd} $x^2$ 50% a_b #1 ~&`" + "\x1b", "plain"):
        systems[name] = {"q": {"a": 1.0}, "r": {"b": 1.0}}
    text = ir.compare(judgments, systems, ["RR"]).to_latex()
    assert (
        r"\textbackslash{}input\{/etc/passwd\} \$x\textasciicircum{}2\$ 50\% a\_b \#1 \textasciitilde{}\&"
        r"\textasciigrave{}\textbackslash{}x1b" in text
    )


FORMULAS = ('=HYPERLINK("http://b.test")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\tx", "\r=1")
IDS = ("-dQw4w9WgXcQ", "+4930", "-5", "@name", "a=b", "q1")


def test_csv_runs_nothing() -> None:
    """A spreadsheet is given no formula; ids and numbers are what they are, and tabs carry every text unchanged."""
    table = Table({"=doc": [*FORMULAS, *IDS], "n": [-1.5] * 12})
    rows = list(csv.reader(io.StringIO(table.to_csv(), newline="")))
    assert [row[0] for row in rows] == ["'=doc", *(f"'{text}" for text in FORMULAS), *IDS]
    assert {row[1] for row in rows[1:]} == {"-1.5"}
    exact = list(csv.reader(io.StringIO(table.to_csv("\t"), newline=""), delimiter="\t"))
    assert [row[0] for row in exact] == ["=doc", *FORMULAS, *IDS]


def test_one_door_to_the_terminal() -> None:
    """No other file prints, or writes to a stream: whatever goes to a terminal goes through one door."""
    writing = re.compile(r"(?<![\w.>] )\bprint\(|std(?:out|err)(?:\.buffer)?\.write|click\.echo|secho")
    example = re.compile(r"\s*(>>>|\.\.\.)")
    seen = {
        path.relative_to(HOUSE).as_posix()
        for path in files().values()
        if any(writing.search(line) and not example.match(line) for line in path.read_text("utf-8").splitlines())
    }
    assert seen <= {"display/terminal.py"}
