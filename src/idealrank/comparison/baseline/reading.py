"""Reading a baseline's file: one that is cut off, edited or newer is refused with its line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from idealrank.comparison.baseline.baseline import VERSION, Baseline, BaselineQuery, Corpus, check_of
from idealrank.comparison.baseline.hashes import digest
from idealrank.data.formats.paths import refuse_endless
from idealrank.data.recognition.baselines import FORM
from idealrank.errors import DataError, IdealrankError, either

_ANEW = either("Get it back from version control, or write it anew: ir.bless(scores, path)",
               "Get it back from version control, or write it anew with --bless")  # fmt: skip


def read_baseline(path: str | Path, *, anew: str = "") -> Baseline:
    """Read the baseline that `bless` wrote.

    Parameters
    ----------
    path
        Its file.
    anew
        How to write it anew, for messages; "": by `bless`.

    Raises
    ------
    DataError
        If there is no such file, or it is not a whole baseline that nobody edited: with the line.

    Examples
    --------
    >>> import idealrank as ir, pathlib, tempfile
    >>> scores = ir.evaluate({"q": {"d": 1}}, {"q": {"x": 2.0, "d": 1.0}}, ["RR"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = ir.bless(scores, pathlib.Path(folder, "base.json"))
    ...     ir.read_baseline(pathlib.Path(folder, "base.json"))
    Baseline('results', 1 queries, RR 0.5000)
    """
    way = anew or _ANEW
    try:
        refuse_endless(str(path))
        text = Path(path).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not a baseline: byte {error.start} is not UTF-8. {way}.") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}. {way}.") from None
    try:
        return replace(_baseline(text), file=str(path))
    except _BrokenError as broken:
        raise DataError(f"{path}{broken}. {broken.way or way}.") from None


class _BrokenError(Exception):
    """What is wrong with a file, after its name: its line, and words."""

    def __init__(self, line: int, what: str, way: str = "") -> None:
        super().__init__(f" line {line}: {what}" if line else f": {what}")
        self.way = way


def _baseline(text: str) -> Baseline:
    whole = _json(text)
    _refuse_form(whole)
    rows = whole.pop("queries", None)
    if not isinstance(rows, dict):
        raise _BrokenError(_line(text, '  "queries"'), "not a baseline: it has no queries")
    queries = {query: _query(text, query, row) for query, row in rows.items()}
    _refuse_edited(text, whole, [row["check"] for row in rows.values()])
    return _made(whole, queries)


def _json(text: str) -> dict[str, Any]:
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip())
        what = "it ends in the middle" if cut else f"{error.msg} in column {error.colno}"
        raise _BrokenError(error.lineno, f"not a baseline: {what}") from None
    except RecursionError:
        raise _BrokenError(0, "not a baseline: it is nested too deeply") from None
    if not isinstance(whole, dict):
        raise _BrokenError(1, "not a baseline: it does not begin with {")
    return whole


def _refuse_form(whole: Mapping[str, Any]) -> None:
    name, _, version = str(whole.get("form", "")).rpartition(" ")
    if name != FORM or not version.isdecimal():
        raise _BrokenError(2, f'not a baseline: "form" is not {f"{FORM} {VERSION}"!r}')
    if int(version) > VERSION:
        newer = f"version {version} of the schema, written by idealrank {whole.get('idealrank', '?')}"
        raise _BrokenError(2, f"{newer}; this idealrank reads up to {VERSION}", "Install a newer idealrank")


def _query(text: str, query: str, row: Any) -> BaselineQuery:
    line = _line(text, f"    {json.dumps(query, ensure_ascii=False)}: ")
    if not isinstance(row, dict) or row.get("check") != check_of(query, {k: v for k, v in row.items() if k != "check"}):
        raise _BrokenError(line, f"query {query!r} was edited after it was blessed, or merged by hand")
    try:
        return BaselineQuery(
            values={name: None if value is None else float(value) for name, value in row["values"].items()},
            list=row["list"],
            results=row["results"],
            judgments=row["judgments"],
            grades=row["grades"],
            weight=row.get("weight"),
            failed=row.get("failed", False),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _BrokenError(line, f"query {query!r} cannot be read: {error!r}") from None


def _refuse_edited(text: str, head: Mapping[str, Any], checks: list[str]) -> None:
    if head.get("check") != digest([{k: v for k, v in head.items() if k != "check"}, checks]):
        what = "edited after it was blessed, or merged: what is above the queries, or which queries there are"
        raise _BrokenError(_line(text, '  "check"'), what)


def _made(head: Mapping[str, Any], queries: dict[str, BaselineQuery]) -> Baseline:
    try:
        corpus = head["corpus"]
        made = Baseline(
            system=head["system"],
            convention=head["convention"],
            measures=head["measures"],
            max_grade=head["max_grade"],
            queries=queries,
            unjudged=head["unjudged_queries"],
            corpus=Corpus(
                corpus["seen"], tuple(corpus["sketch"].split()), corpus.get("index", ""), corpus.get("documents")
            ),
            version=head["idealrank"],
            date=head.get("date", ""),
        )
        for name in made.measures:
            made.measure(name)
    except (KeyError, TypeError, ValueError, AttributeError, IdealrankError) as error:
        raise _BrokenError(0, f"not a baseline that can be read: {error}") from None
    return made


def _line(text: str, begin: str) -> int:
    """Return the line that begins so, from 1; 0 where there is none."""
    return next((number for number, line in enumerate(text.split("\n"), 1) if line.startswith(begin)), 0)
