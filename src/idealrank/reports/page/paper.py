"""What stands on paper alone: when, of which files, by which rule, and the command that computes it again."""

import math
import re
import shlex
from itertools import takewhile
from pathlib import PurePath
from typing import NamedTuple

from idealrank.arrays import EQUAL
from idealrank.comparison.compare import default_equivalence
from idealrank.comparison.contrasts import Methods
from idealrank.comparison.verdict.rule import Rule
from idealrank.errors import plural
from idealrank.evaluation.ledger.ledger import LEFT_OUT
from idealrank.evaluation.mean_tables import LEVEL
from idealrank.measures import measure as one_measure
from idealrank.reports.types import InputEntry, ReportSections

_FLAGS = {"queries": "--queries-table", "documents": "--documents"}
"""The options that take a table which is no argument."""

_MOST = 6
"""Files that are listed; of more systems the table above has the names."""

_MOST_QUERIES = 20
"""Queries that the command names, at most."""

_PLAIN = re.compile(r"\w+")
"""An id that is itself in a list of queries, whatever else such a list can say."""


class ListedFiles(NamedTuple):
    """The folder that all tables are in ("" where there is none), some with what is known of them, how many more."""

    folder: str
    shown: list[tuple[str, str]]
    more: int


def listed_files(inputs: list[InputEntry]) -> ListedFiles:
    """Name the tables with the beginnings of their sums; the folder that all are in once."""
    folder, names = _in_folder([each["name"] for each in inputs])
    shown = [(name, _sum(each)) for name, each in zip(names, inputs, strict=True)][:_MOST]
    return ListedFiles(folder, shown, len(inputs) - len(shown))


def _in_folder(paths: list[str]) -> tuple[str, list[str]]:
    """Return the folder that all paths name, and the paths from there; "" where there is none."""
    folders = {str(PurePath(path).parent) for path in paths}
    if len(folders) != 1 or folders == {"."}:
        return "", paths
    return folders.pop(), [PurePath(path).name for path in paths]


def _sum(entry: InputEntry) -> str:
    known = [plural(entry["rows"], "row")] if entry["rows"] is not None else []
    known += [f"SHA-256 {entry['sha256'][:8]}…"] if entry["sha256"] else []
    return f" ({', '.join(known)})" if known else ""


def command_of(report: ReportSections) -> str:
    """Return the command that writes this report, from the folder of its files; "" where that is not known.

    It is not where a table was no file, and where something was asked for that it has in words alone. How the files
    were read, what was excluded and limits of latency are not in it at all.
    """
    inputs, compared = report["inputs"], report["compared"]
    if not all(PurePath(each["name"]).suffix for each in inputs) or report["queries"]["weight"] is not None:
        return ""
    decided, asked = _decided_by(report), _queries(report)
    if decided is None or asked is None or report["tuning"] is not None:
        return ""
    short = dict(zip((each["name"] for each in inputs), _in_folder([each["name"] for each in inputs])[1], strict=True))
    judgments, results = (
        [short[each["name"]] for each in inputs if each["role"] == role] for role in ("judgments", "results")
    )
    if len(judgments) != 1 or not results:
        return ""
    options: list[str] = []
    # Measures that nobody named are only shown; named, the others would guard.
    if compared is None or all(row["role"] != "shown" for row in compared["differences"]):
        options += [word for measure in report["measures"] for word in ("-m", measure["label"])]
    if report["decisions"]["changed"]:
        options += ["--as", report["decisions"]["setting"]]
    if report["baseline"] is not None:
        options += ["--baseline", report["baseline"]]
    tables = [word for each in inputs if each["role"] in _FLAGS for word in (_FLAGS[each["role"]], short[each["name"]])]
    others = [short[each["name"]] for each in inputs if each["role"] != "results"]
    named = " ".join([shlex.join(judgments), _results_words(results, others)])
    words = shlex.join([*options, *decided, *asked, *tables, "-o", "report.html"])
    return " ".join(["idealrank report", named, words])


def _decided_by(report: ReportSections) -> list[str] | None:
    """Return the options of the rule and of the intervals; None for a rule or methods that are not only these."""
    compared = report["compared"]
    if compared is None:
        return []
    level, bar, equivalence = compared["level"], compared["bar"], compared["equivalence"]
    rule = Rule(margin=abs(bar), kind="not_worse" if bar < 0 else "better", level=level, equivalence=equivalence)
    rows = [row for row in compared["differences"] if row["role"] != "shown"]
    if compared["rule"] != rule.text(list(dict.fromkeys(row["measure"] for row in rows))):
        return None
    if compared["methods"] != Methods(level=level).text:
        return None
    first = report["measures"][0]["label"]
    means = [row["mean"] for row in report["means"] if row["measure"] == first and row["mean"] is not None]
    words = ["--rule", "not_worse"] if bar < 0 else []
    words += ["--margin", f"{abs(bar)}"] if bar else []
    words += ["--level", f"{level}"] if level != LEVEL else []
    usual = math.isclose(equivalence, default_equivalence(one_measure(first), means, rule), rel_tol=EQUAL)
    return words if usual else [*words, "--equivalence", f"{equivalence}"]


def _queries(report: ReportSections) -> list[str] | None:
    """Return the option that leaves queries out; None where those that stay are too many, or no list says them."""
    left_out = {row["query"] for row in report["states"] if row["state"] == LEFT_OUT}
    if not left_out:
        return []
    asked = [query for query in report["queries"]["id"] if query not in left_out]
    listed = 0 < len(asked) <= _MOST_QUERIES and report["queries"]["all"] == len(report["queries"]["id"])
    return ["--queries", ",".join(asked)] if listed and all(map(_PLAIN.fullmatch, asked)) else None


def _results_words(results: list[str], others: list[str]) -> str:
    """Write results as words of a shell; very many whose names begin alike by a pattern that is of no other table."""
    kinds = {(PurePath(path).parent, PurePath(path).suffix) for path in results}
    first, last = min(results), max(results)
    start = "".join(letter for letter, _ in takewhile(lambda two: two[0] == two[1], zip(first, last, strict=False)))
    if len(results) <= _MOST or len(kinds) > 1 or not start:
        return shlex.join(results)
    [(folder, suffix)] = kinds
    alike = [path for path in others if PurePath(path).parent == folder and path.startswith(start)]
    if any(PurePath(path).suffix == suffix for path in alike):
        return shlex.join(results)
    return f"{shlex.quote(start)}*{suffix}"
