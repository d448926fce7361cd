"""The evaluated topics, their order, and their values."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats
from idealrank.evaluation.scoring import PART_SIZE, map_in_threads
from idealrank.integrations.trec_eval.arguments import CALCULATION, NOTHING, Arguments, Stop
from idealrank.integrations.trec_eval.files import TrecFiles
from idealrank.integrations.trec_eval.judgment_groups import average_columns, preference_columns
from idealrank.integrations.trec_eval.measures import Formulas, PrintedMeasure, relevance_strings
from idealrank.judged_lists.join import JoinedLists
from idealrank.judged_lists.lists import JudgedLists

ABSENT = {"num_ret": 0.0, "utility": 0.0, "rbp_resid": 0.0}
"""Printed names with a value of 0 in 10.0 for a topic missing from the run; so have all that begin with unj."""


class TopicValues(NamedTuple):
    """The values of the evaluated topics.

    Attributes
    ----------
    topics
        Their ids, in the order of their bytes.
    columns
        (T,) values by column.
    strings
        The text relstring prints, by topic.
    judged
        Number of topics in the judgments.
    positive
        Judgments above 0, which -c prints as num_rel.
    stop
        The reason for stopping after these topics, if there is one.
    """

    topics: list[bytes]
    columns: list[Floats]
    strings: list[bytes]
    judged: int
    positive: int
    stop: Stop | None


def evaluate(files: TrecFiles, columns: list[PrintedMeasure], arguments: Arguments) -> TopicValues:
    """Compute every column for every topic that counts.

    Raises
    ------
    Stop
        If no topic counts, or none can be computed.
    """
    from idealrank._core import judge

    formulas = Formulas(arguments, files.pool)
    precision: Any = formulas.decisions.score_precision
    ties: Any = "docid_asc" if arguments.preferences else "docid_desc"
    dense = arguments.level < 0  # unjudged results are then relevant, and so are hits
    judged = judge(files.pool, files.run, "score", ties, precision, "close", dense)
    joined = JoinedLists(
        judged=judged, pool=files.pool, run=files.run, order="score", max_grade=float(files.pool.grade.max()),
        form="dense" if dense else "sparse",
    )  # fmt: skip
    ids = [query.encode(files.encoding) for query in files.pool.queries]
    order, stop = _choose_topics(files, ids, judged.listed.tolist(), columns, arguments)

    columns_of_topics = [np.zeros(0) for _ in columns]
    strings: list[bytes] = []
    if order and arguments.preferences:
        columns_of_topics, contradiction = preference_columns(joined, files, columns, arguments, order)
        order, stop = order[: len(columns_of_topics[0])], contradiction or stop
    elif order and arguments.rel_format == "qrels_jg":
        columns_of_topics = [each[order] for each in average_columns(joined, files, columns, formulas)]
    elif order:
        columns_of_topics, strings = _evaluate_parts(joined, columns, formulas, order)
    return TopicValues([ids[place] for place in order], columns_of_topics, strings, joined.size, files.positive, stop)


def _evaluate_parts(
    joined: JoinedLists, columns: list[PrintedMeasure], formulas: Formulas, order: list[int]
) -> tuple[list[Floats], list[bytes]]:
    """Return the values of each column for topics in order, and the text relstring prints for them."""
    arguments = formulas.arguments

    def part(bound: tuple[int, int]) -> tuple[list[Floats], list[bytes]]:
        lists = formulas.prepare(_add_made_up_results(joined, bound, arguments))
        values = [_zero_absent(formulas.values(column, lists), column, joined, bound, arguments) for column in columns]
        return values, _relevance_strings(columns, joined, bound, lists, arguments)

    bounds = [(first, min(first + PART_SIZE, joined.size)) for first in range(0, joined.size, PART_SIZE)]
    parts = list(map_in_threads(part, bounds))
    columns_of_topics = [np.concatenate([values[c] for values, _ in parts])[order] for c in range(len(columns))]
    highest = joined.pool.grade[joined.pool.start[:-1][order]]
    columns_of_topics = [
        _repeat_ideal(each, highest) if column.measure == "ideal_dcg" else each
        for column, each in zip(columns, columns_of_topics, strict=True)
    ]
    strings = [text for _, texts in parts for text in texts]
    return columns_of_topics, [strings[place] for place in order] if strings else []


def _add_made_up_results(joined: JoinedLists, bound: tuple[int, int], arguments: Arguments) -> JudgedLists:
    """Give each topic missing from the run the one unjudged document that 10.0 makes up for it."""
    lists = joined.part(*bound)
    if arguments.compat == "9.0.8" or "c" not in arguments.flags:
        return lists
    return replace(lists, returned=np.where(joined.judged.listed[slice(*bound)], lists.returned, 1))


def _zero_absent(
    values: Floats, column: PrintedMeasure, joined: JoinedLists, bound: tuple[int, int], arguments: Arguments
) -> Floats:
    """Print 0 for a topic missing from the run where 10.0 does."""
    if arguments.compat == "9.0.8" or not (column.name in ABSENT or column.name.startswith("unj")):
        return values
    return np.where(joined.judged.listed[slice(*bound)], values, 0.0)


def _relevance_strings(
    columns: list[PrintedMeasure], joined: JoinedLists, bound: tuple[int, int], lists: JudgedLists, arguments: Arguments
) -> list[bytes]:
    column = next((column for column in columns if column.measure == "relstring"), None)
    if column is None:
        return []
    strings = relevance_strings(lists, column.values[0])
    if arguments.compat == "9.0.8" or column.name != "relstring":
        return strings
    listed = joined.judged.listed[slice(*bound)].tolist()
    return [text if there else b"" for text, there in zip(strings, listed, strict=True)]


def _repeat_ideal(values: Floats, highest: Floats) -> Floats:
    """Repeat the previous topic's ideal if all grades are below 0: 10.0 then counts that topic's again."""
    source = np.maximum.accumulate(np.where(highest >= 0, np.arange(len(values)), 0))
    return values[source]


def _choose_topics(
    files: TrecFiles, ids: list[bytes], listed: list[bool], columns: list[PrintedMeasure], arguments: Arguments
) -> tuple[list[int], Stop | None]:
    """Return the topics to evaluate, up to one at which trec_eval stops."""
    topic = None if arguments.topic is None else arguments.topic.encode("utf-8", "surrogateescape")
    wrong = _wrong_format(columns, arguments)
    every = arguments.compat != "9.0.8"
    highest = files.pool.grade[files.pool.start[:-1]].tolist()
    doubled = {query.encode(files.encoding) for query in files.doubled}
    room = not _reads_documents(columns)  # trec_eval gets its first room from a topic with a grade from 0 up
    chosen: list[int] = []
    for place in sorted(range(len(ids)), key=ids.__getitem__):
        if topic is not None and ids[place] != topic:
            continue
        if not listed[place] and not (every and "c" in arguments.flags):
            if not every:
                continue
            problem = f"topic {_decode(ids[place])} is judged but missing from the run. Add -c to count it as 0."
            return chosen, Stop(CALCULATION, problem)
        if wrong is not None:
            return chosen, wrong
        if ids[place] in doubled and _reads_documents(columns):
            return chosen, Stop(CALCULATION, f"topic {_decode(ids[place])}: a document appears twice. Give each once.")
        room = room or highest[place] >= 0
        if not room:
            problem = (
                f"topic {_decode(ids[place])}: all grades of this first topic are below 0, at which trec_eval stops."
            )
            return chosen, Stop(CALCULATION, problem)
        chosen.append(place)
    return chosen, None if chosen else Stop(NOTHING, "no topic has both judgments and results. Compare their ids.")


def _wrong_format(columns: list[PrintedMeasure], arguments: Arguments) -> Stop | None:
    read = "prefs" if arguments.preferences else arguments.rel_format
    for column in columns:
        if column.measure not in _DOCUMENTLESS and column.entry.form != read:
            problem = f"-m {column.measure} needs -R {_READERS.get(column.entry.form, column.entry.form)}."
            return Stop(CALCULATION, problem)
        if column.measure == "utility" and len(column.values) != 4:
            return Stop(CALCULATION, f"-m {column.name}: {len(column.values)} numbers, not 4, as in utility.1,-1,0,0.")
    return None


def _reads_documents(columns: list[PrintedMeasure]) -> bool:
    return any(column.measure not in _DOCUMENTLESS for column in columns)


_DOCUMENTLESS = ("runid", "num_q")
_READERS = {"prefs": "prefs or qrels_prefs"}


def _decode(topic: bytes) -> str:
    return topic.decode("utf-8", "replace")
