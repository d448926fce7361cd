"""trec_eval as a program: from the arguments of a call to the lines and the exit code."""

import contextlib
import math
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats
from idealrank.display.terminal import give, give_lines, say
from idealrank.evaluation.means import LOWEST_IN_LOG
from idealrank.integrations.trec_eval.arguments import (
    MEASURES,
    NICKNAMES,
    USAGE,
    ZSCORES,
    Arguments,
    Stop,
    atof,
    read_arguments,
)
from idealrank.integrations.trec_eval.files import FORMS, TrecFiles
from idealrank.integrations.trec_eval.measures import MIXED, Formulas, PrintedMeasure
from idealrank.integrations.trec_eval.topics import TopicValues


def run(words: Sequence[str], called: str = "idealrank trec_eval") -> int:
    """Do what trec_eval does with these arguments.

    Parameters
    ----------
    words
        Flags and files.
    called
        How the program was called, for its messages.

    Returns
    -------
    trec_eval's exit code.
    """
    try:
        _dispatch(read_arguments(words), called)
    except Stop as stop:
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.flush()
        hint = f" See {called} -h." if stop.code == USAGE else ""
        say(f"{called}: {stop.text}{hint}")
        return stop.code
    return 0


def _dispatch(arguments: Arguments, called: str) -> None:
    if "v" in arguments.flags:
        from importlib.metadata import version

        say(f"idealrank {version('idealrank')}, instead of trec_eval {arguments.compat}")
    elif "h" in arguments.flags:
        give(help_text(arguments, called))
    elif len(arguments.files) != 2:
        raise Stop(USAGE, f"{len(arguments.files)} files given, not 2. Give judgments, then a run.")
    else:
        _evaluate(arguments, called)


def _evaluate(arguments: Arguments, called: str) -> None:
    from idealrank.integrations.trec_eval.files import read_files
    from idealrank.integrations.trec_eval.measures import printed_columns
    from idealrank.integrations.trec_eval.topics import evaluate

    files = read_files(arguments)
    table = None if arguments.zscores is None else read_zscores(arguments.zscores)
    columns = printed_columns(arguments)
    for note in notes(columns, arguments, files):
        say(f"{called}: {note}")
    values = evaluate(files, columns, arguments)
    if table is not None:
        values = as_zscores(values, columns, table)
    if "q" in arguments.flags:
        give_lines(topic_lines(values, columns, table is not None))
    if values.stop is not None:
        raise values.stop
    if "n" not in arguments.flags:
        give_lines([summary_lines(values, columns, arguments, files.runid)])


# Help.


EXAMPLES = (
    "idealrank trec_eval qrels.txt bm25.run",
    "idealrank trec_eval -q -c -m ndcg_cut.10 -m map qrels.txt bm25.run",
    "idealrank trec_eval -l 2 -m P.5,10 qrels.txt bm25.run",
    "idealrank trec_eval --compat 10.0 -m all_trec qrels.txt bm25.run",
)

FLAGS = """\
  -q            print a line for each topic and measure, before those for all
  -n            print no lines for all
  -c            count topics missing from the run as 0
  -m MEASURE    print a measure or a nickname, with parameters after a point: P.5,10; repeatable
  -l LEVEL      take documents as relevant from this grade on (1)
  -J            remove unjudged results
  -M MANY       read at most this many results per topic
  -N DOCUMENTS  set the number of documents, for utility
  -Z FILE       print z-scores; the lines give topic, measure, mean, standard deviation
  -R FORMAT     set the format of the judgments (qrels); fields of a line:
{formats}
  -T trec_results
                set the format of the run: topic, Q0, document, rank, score, run
  -D 0.TOPIC    evaluate only this topic; the level before the point does nothing
  -o            do nothing
  -v            print the version
  -h            print this text; with -m, also the formulas of these measures
  --compat VERSION
                imitate this version of trec_eval: 9.0.8 or 10.0 (9.0.8)
"""

_INTRO = """\
Usage: {called} [flags] qrels run

  The bytes and exit codes of trec_eval, from the measures of this package.

Flags:
{flags}
Nicknames:
  {nicknames}

Measures:
{measures}

Exit codes:
  0 done, 1 usage, 2 files or parameters, 4 a topic, 7 no topic, 134 preferences, 255 z-scores
"""


def help_text(arguments: Arguments, called: str) -> str:
    """Return the help, with the formulas of the requested measures."""
    names = [name for name, entry in MEASURES.items() if entry.is_in(arguments.compat)]
    formats = "\n".join(f"                {form}: {fields}" for form, fields in FORMS.items() if form != "run")
    flags = FLAGS.format(formats=formats)
    text = _INTRO.format(called=called, flags=flags, nicknames=", ".join(NICKNAMES), measures=_wrap(names))
    measures = [name for name in MEASURES if name in arguments.measures]
    formulas = "".join(f"\n{name}: {_formula(name)}\n" for name in measures)
    examples = "\n".join(f"  {line}" for line in EXAMPLES)
    return f"{text}{formulas}\nExamples:\n{examples}\n"


def _wrap(names: list[str]) -> str:
    import textwrap

    return textwrap.fill(", ".join(names), 98, initial_indent="  ", subsequent_indent="  ")


def _formula(name: str) -> str:
    from idealrank.errors import UsageError
    from idealrank.measures import parse

    try:
        (measure,) = parse(name)
    except UsageError:
        return "printed as trec_eval prints it"
    return f"{measure.definition.title}.\n  {measure.definition.documentation.splitlines()[0]}"


# Notes.


_CLIPPED = ("G", "ndcg_rel", "Rndcg")


def notes(columns: list[PrintedMeasure], arguments: Arguments, files: TrecFiles) -> Iterator[str]:
    """Yield one line for each number that differs."""
    yield from _level_notes(columns, files)
    for column in columns:
        if arguments.level < 0 and column.measure in MIXED:
            yield f"{column.name}: only judged results count; below -l 0, trec_eval mixes them with all results."
        if column.measure == "rbp":
            yield "rbp is RBP of relevant documents: trec_eval 10.0 reads uninitialised memory, and may print anything."
        elif column.pairs and not column.measure.startswith("rbp"):
            gains = Formulas(arguments, files.pool).gains(column)
            if min(gains) < 0:
                yield f"{column.name}: the gain below grade 0 is not used; trec_eval gives it to unjudged results."
            if column.measure in _CLIPPED and min(gains.values()) < 0:
                yield f"{column.name}: gains below 0 count as 0; trec_eval subtracts them."
            if any(0 < other - one < 1 for one, other in pairwise(sorted(gains.values()))):
                yield f"{column.name}: gains less than 1 apart are used as given; trec_eval mixes up their order."


def _level_notes(columns: list[PrintedMeasure], files: TrecFiles) -> Iterator[str]:
    if not any(column.entry.form == "prefs" for column in columns):
        return
    levels = [row.level for rows in (files.groups or {}).values() for row in rows]
    if any(map(math.isnan, levels)):
        yield "levels that are not numbers come last; where trec_eval puts them depends on how it sorts."
    if any(level < 0 for level in levels) and any("Rnonrel" in column.measure for column in columns):
        yield "prefs_avgjg_Rnonrel: only the lowest of the levels below 0 counts; trec_eval reads past its documents."


# Lines.


BLOCK = 1 << 12
"""Number of topics whose lines are built at a time."""


def topic_lines(values: TopicValues, columns: list[PrintedMeasure], zscores: bool) -> Iterator[bytes]:
    """Yield the lines of each topic, many topics at a time."""
    shown = [place for place, column in enumerate(columns) if column.entry.shown != "all"]
    template = b"".join(_line_template(columns[place], zscores) for place in shown)
    strings = next((at for at, place in enumerate(shown) if columns[place].measure == "relstring"), None)
    nan = np.flatnonzero(np.isnan([values.columns[place] for place in shown]).any(axis=0)) if shown else ()
    for first in range(0, len(values.topics) if shown else 0, BLOCK):
        rows = np.array([values.columns[place][first : first + BLOCK] for place in shown]).T.tolist()
        if strings is not None:
            for row, text in zip(rows, values.strings[first : first + BLOCK], strict=True):
                row[strings] = text
        topics = values.topics[first : first + BLOCK]
        lines = [
            template.replace(b"\0", topic.replace(b"%", b"%%")) % tuple(row)
            for topic, row in zip(topics, rows, strict=True)
        ]
        for place in nan:
            if first <= place < first + BLOCK:
                lines[place - first] = _nan_as_c(lines[place - first])
        yield b"".join(lines)


def summary_lines(values: TopicValues, columns: list[PrintedMeasure], arguments: Arguments, runid: bytes) -> bytes:
    """Return the lines for all topics."""
    lines = []
    for column, each in zip(columns, values.columns, strict=True):
        if column.entry.shown == "topic":
            continue
        line = _line_template(column, arguments.zscores is not None).replace(b"\0", b"all")
        lines.append(
            _nan_as_c(line % (runid if column.measure == "runid" else _total(column, each, values, arguments)))
        )
    return b"".join(lines)


def _line_template(column: PrintedMeasure, zscores: bool) -> bytes:
    """Return the line of a column, with a null byte as the topic."""
    name = column.name.encode("utf-8", "surrogateescape").ljust(22).replace(b"%", b"%%")
    if column.measure == "runid":
        return name + b"\t\0\t%b\n"
    if column.measure == "relstring":
        return name + b"\t\0\t'%b'\n"
    if zscores:
        return b"Z" + name + b"\t\0\t%6.4f\n"
    return name + (b"\t\0\t%d\n" if column.entry.whole else b"\t\0\t%6.4f\n")


def _nan_as_c(lines: bytes) -> bytes:
    """Write NaN as C does if it comes from 0/0."""
    return lines.replace(b"\t   nan\n", b"\t  -nan\n")


def _total(column: PrintedMeasure, column_values: Floats, values: TopicValues, arguments: Arguments) -> float:
    """Add the values in the order of the topics, and divide as -c says."""
    complete = "c" in arguments.flags
    many = values.judged if complete else len(values.topics)
    if column.measure == "num_q":
        return many
    if column.measure == "num_rel" and complete:
        return values.positive
    total = float(np.cumsum(column_values)[-1])
    if column.entry.whole:
        return total
    if column.entry.shown == "all":
        return math.exp((total + (many - len(values.topics)) * math.log(LOWEST_IN_LOG)) / many)
    return total / many


# Z-scores.


MISSING = -1000000.0
"""The text printed for a topic and a measure missing from the file."""


class ZScoreLine(NamedTuple):
    """A line of the file."""

    topic: bytes
    name: bytes
    mean: float
    deviation: float


def read_zscores(path: str) -> list[ZScoreLine]:
    """Read lines of topic, printed name, mean and standard deviation, and sort them by the first two.

    Raises
    ------
    Stop
        If the file cannot be read; trec_eval then exits with code 255.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError) as error:
        raise Stop(ZSCORES, f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if not data:
        raise Stop(ZSCORES, f"{path}: empty. Give lines of topic, measure, mean, standard deviation.")
    entries: list[ZScoreLine] = []
    for place, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        fields = line.split()
        if len(fields) != 4:
            problem = f"{path}, line {place}: {len(fields)} fields, not 4: topic, measure, mean, standard deviation."
            raise Stop(ZSCORES, problem)
        mean, deviation = (atof(field.decode("latin-1")) for field in fields[2:])
        entries.append(ZScoreLine(fields[0], fields[1], mean, deviation))
    return sorted(entries, key=lambda entry: entry[:2])


def as_zscores(values: TopicValues, columns: list[PrintedMeasure], table: list[ZScoreLine]) -> TopicValues:
    """Return the values as z-scores."""
    return values._replace(
        columns=[
            _convert(each, column, values.topics, table) for column, each in zip(columns, values.columns, strict=True)
        ]
    )


def _convert(scores: Floats, column: PrintedMeasure, topics: list[bytes], table: list[ZScoreLine]) -> Floats:
    name = column.name.encode("utf-8", "surrogateescape")
    references = [_look_up(table, topic, name) for topic in topics]
    mean, deviation = np.array(references).reshape(-1, 2).T
    same = np.where(scores == mean, 0.0, MISSING)
    scaled = np.where(deviation == 0, same, (scores - mean) / np.where(deviation == 0, 1.0, deviation))
    return np.where(np.isnan(mean), MISSING, scaled)


def _look_up(table: list[ZScoreLine], topic: bytes, name: bytes) -> tuple[float, float]:
    """Halve the lines of a topic as trec_eval does, including the line after them, which is the next topic's."""
    first, behind = (end(table, topic, key=lambda entry: entry.topic) for end in (bisect_left, bisect_right))
    low, high = 0, behind - first
    while first < behind and low <= high:
        middle = (low + high) // 2
        entry = table[first + middle] if first + middle < len(table) else None
        if entry is None or name < entry.name:
            high = middle - 1
        elif name > entry.name:
            low = middle + 1
        else:
            return entry.mean, entry.deviation
    return np.nan, np.nan
