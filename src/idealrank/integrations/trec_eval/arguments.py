"""The arguments of trec_eval, read in order as getopt_long reads them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from idealrank.errors import nearest
from idealrank.integrations.trec_eval.names import MEASURES, NICKNAMES
from idealrank.integrations.trec_eval.numbers import whole
from idealrank.integrations.trec_eval.stop import USAGE, Stop

VERSIONS = ("9.0.8", "10.0")
"""Values of ``--compat``; the first is the default."""

LONG = {
    "help": "h",
    "version": "v",
    "query_eval_wanted": "q",
    "measure": "m:",
    "complete_rel_info_wanted": "c",
    "level_for_rel": "l:",
    "nosummary": "n",
    "Debug_level": "D:",
    "Judged_docs_only": "J",
    "Number_docs_in_coll": "N:",
    "Max_retrieved_per_topic": "M:",
    "Rel_info_format": "R:",
    "Results_format": "T:",
    "Output_old_results_format": "o:",
    "Zscore": "Z:",
}
"""trec_eval's long options and their short forms; a colon means it takes a value."""

_VALUED = {flag[0] for name, flag in LONG.items() if flag.endswith(":") and flag != "o:"}
_FLAGS = {flag[0] for flag in LONG.values()}


@dataclass(frozen=True)
class Arguments:
    """The arguments of a call.

    Attributes
    ----------
    compat
        Version of trec_eval to imitate.
    files
        Judgments and results.
    flags
        Short options without a value that were given.
    level, most, documents
        -l, -M, -N.
    rel_format, results_format
        -R, -T.
    topic
        The text after the point of -D: the only topic that counts.
    zscores
        -Z.
    measures
        Names of measures, nicknames resolved.
    parameters
        Parameters by measure, as typed; the first ones given.
    """

    compat: str = VERSIONS[0]
    files: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    level: int = 1
    most: int | None = None
    documents: int = 0
    rel_format: str = "qrels"
    results_format: str = "trec_results"
    topic: str | None = None
    zscores: str | None = None
    measures: frozenset[str] = frozenset()
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def preferences(self) -> bool:
        """Whether the judgments are preferences; trec_eval then puts the smaller id of a tie first."""
        return self.rel_format in ("prefs", "qrels_prefs")


def read_arguments(words: Sequence[str]) -> Arguments:
    """Read the arguments of a call, up to -v.

    Raises
    ------
    Stop
        If trec_eval stops with exit code 1.

    Examples
    --------
    >>> arguments = read_arguments(["-q", "-mP.5,10", "qrels", "run", "-l2"])
    >>> arguments.files, arguments.level, sorted(arguments.measures), arguments.parameters
    (('qrels', 'run'), 2, ['P'], {'P': '5,10'})
    """
    compat, words = _compat(list(words))
    files: list[str] = []
    flags: set[str] = set()
    values: dict[str, str] = {}
    measures: set[str] = set()
    parameters: dict[str, str] = {}
    for flag, value in _options(words, files):
        flags.add(flag)
        if flag == "v":
            break
        if flag == "m":
            name, point, typed = value.partition(".")
            measures |= _marked(name, point, typed, compat)
            if point:
                parameters.setdefault(name, typed)
        elif flag == "D":
            values |= {"D": value.partition(".")[2]} if "." in value else {}
        elif flag in _VALUED:
            values[flag] = value
    return Arguments(
        compat=compat,
        files=tuple(files),
        flags=frozenset(flags),
        level=whole(values.get("l", "1")),
        most=whole(values["M"]) if "M" in values else None,
        documents=whole(values.get("N", "0")),
        rel_format=values.get("R", "qrels"),
        results_format=values.get("T", "trec_results"),
        topic=values.get("D"),
        zscores=values.get("Z"),
        measures=frozenset(measures),
        parameters=parameters,
    )


def _compat(words: list[str]) -> tuple[str, list[str]]:
    """Remove our own option, so that no short option takes it as its value."""
    compat, left = VERSIONS[0], []
    rest = iter(words)
    for word in rest:
        if word == "--":
            left += [word, *rest]
        elif word == "--compat" or word.startswith("--compat="):
            compat = word.partition("=")[2] if "=" in word else next(rest, "")
        else:
            left.append(word)
    if compat not in VERSIONS:
        raise Stop(USAGE, f"--compat {compat}: no such version. Allowed: {', '.join(VERSIONS)}.")
    return compat, left


def _options(words: list[str], files: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each option with its value; other arguments are added to the files."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            files += rest
        elif word.startswith("--"):
            yield _long(word[2:], rest)
        elif word.startswith("-") and word != "-":
            yield from _short(word[1:], rest)
        else:
            files.append(word)


def _long(word: str, rest: Iterator[str]) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    options = [name] if name in LONG else [option for option in LONG if option.startswith(name)]
    if len(options) != 1:
        problem = f"stands for {' and '.join(options)}" if options else f"is not an option.{nearest(name, LONG)}"
        raise Stop(USAGE, f"--{name} {problem}")
    flag = LONG[options[0]]
    if not flag.endswith(":"):
        if equals:
            raise Stop(USAGE, f"--{options[0]} does not take a value.")
        return flag, ""
    return flag[0], value if equals else _next(rest, f"--{options[0]}")


def _short(letters: str, rest: Iterator[str]) -> Iterator[tuple[str, str]]:
    for place, letter in enumerate(letters):
        if letter not in _FLAGS:
            raise Stop(USAGE, f"-{letter} is not an option. Known: {', '.join(f'-{flag}' for flag in sorted(_FLAGS))}.")
        if letter in _VALUED:
            yield letter, letters[place + 1 :] or _next(rest, f"-{letter}")
            return
        yield letter, ""


def _next(rest: Iterator[str], option: str) -> str:
    value = next(rest, None)
    if value is None:
        raise Stop(USAGE, f"{option} needs a value.")
    return value


def _marked(name: str, point: str, typed: str, compat: str) -> set[str]:
    """Return the measures that a name means."""
    if point and not typed:
        raise Stop(USAGE, f"-m {name}.: no parameters after the point. Remove the point, or add them, as in -m P.5,10.")
    if name in NICKNAMES:
        return {measure for measure in NICKNAMES[name] if MEASURES[measure].there(compat)}
    there = [measure for measure, entry in MEASURES.items() if entry.there(compat)]
    if name in there:
        return {name}
    only = "" if name not in MEASURES else " It exists in trec_eval 10.0: --compat 10.0."
    raise Stop(USAGE, f"-m {name}: no such measure.{only or nearest(name, [*there, *NICKNAMES])}")
