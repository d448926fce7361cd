"""The arguments of trec_eval, read in order as getopt_long reads them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from idealrank.errors import nearest

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
    compat, words = _take_compat(list(words))
    files: list[str] = []
    flags: set[str] = set()
    values: dict[str, str] = {}
    measures: set[str] = set()
    parameters: dict[str, str] = {}
    for flag, value in _iterate_options(words, files):
        flags.add(flag)
        if flag == "v":
            break
        if flag == "m":
            name, point, typed = value.partition(".")
            measures |= _find_measures(name, point, typed, compat)
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
        level=atol(values.get("l", "1")),
        most=atol(values["M"]) if "M" in values else None,
        documents=atol(values.get("N", "0")),
        rel_format=values.get("R", "qrels"),
        results_format=values.get("T", "trec_results"),
        topic=values.get("D"),
        zscores=values.get("Z"),
        measures=frozenset(measures),
        parameters=parameters,
    )


def _take_compat(words: list[str]) -> tuple[str, list[str]]:
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


def _iterate_options(words: list[str], files: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each option with its value; other arguments are added to the files."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            files += rest
        elif word.startswith("--"):
            yield _read_long(word[2:], rest)
        elif word.startswith("-") and word != "-":
            yield from _read_short(word[1:], rest)
        else:
            files.append(word)


def _read_long(word: str, rest: Iterator[str]) -> tuple[str, str]:
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
    return flag[0], value if equals else _next_value(rest, f"--{options[0]}")


def _read_short(letters: str, rest: Iterator[str]) -> Iterator[tuple[str, str]]:
    for place, letter in enumerate(letters):
        if letter not in _FLAGS:
            raise Stop(USAGE, f"-{letter} is not an option. Known: {', '.join(f'-{flag}' for flag in sorted(_FLAGS))}.")
        if letter in _VALUED:
            yield letter, letters[place + 1 :] or _next_value(rest, f"-{letter}")
            return
        yield letter, ""


def _next_value(rest: Iterator[str], option: str) -> str:
    value = next(rest, None)
    if value is None:
        raise Stop(USAGE, f"{option} needs a value.")
    return value


def _find_measures(name: str, point: str, typed: str, compat: str) -> set[str]:
    """Return the measures that a name means."""
    if point and not typed:
        raise Stop(USAGE, f"-m {name}.: no parameters after the point. Remove the point, or add them, as in -m P.5,10.")
    if name in NICKNAMES:
        return {measure for measure in NICKNAMES[name] if MEASURES[measure].is_in(compat)}
    there = [measure for measure, entry in MEASURES.items() if entry.is_in(compat)]
    if name in there:
        return {name}
    only = "" if name not in MEASURES else " It exists in trec_eval 10.0: --compat 10.0."
    raise Stop(USAGE, f"-m {name}: no such measure.{only or nearest(name, [*there, *NICKNAMES])}")


# Measures.


Kind = Literal["plain", "cuts", "shares", "numbers", "pairs"]
"""The text after the point: nothing, ranks, shares, numbers in order, or name=number."""

_CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_FIFTHS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


class TrecMeasure(NamedTuple):
    """A measure of trec_eval.

    Attributes
    ----------
    kind
        The kind of its parameters.
    default
        The parameters if none are given.
    whole
        Whether it is printed as a whole number, and summed.
    shown
        Whether lines are printed for each topic, for all of them, or both.
    only
        The only version that has it, or "".
    form
        The format of judgments it needs, if that is not qrels.
    """

    kind: Kind = "plain"
    default: tuple[float, ...] = ()
    whole: bool = False
    shown: Literal["both", "all", "topic"] = "both"
    only: str = ""
    form: str = "qrels"

    def is_in(self, compat: str) -> bool:
        """Whether a version has it."""
        return self.only in ("", compat)


_PREFS = TrecMeasure(form="prefs")

_PREFS_COUNT = TrecMeasure(form="prefs", whole=True)

MEASURES: Mapping[str, TrecMeasure] = {
    "runid": TrecMeasure(shown="all"),
    "num_q": TrecMeasure(whole=True, shown="all"),
    "num_ret": TrecMeasure(whole=True),
    "num_rel": TrecMeasure(whole=True),
    "num_rel_ret": TrecMeasure(whole=True),
    "map": TrecMeasure(),
    "gm_map": TrecMeasure(shown="all"),
    "Rprec": TrecMeasure(),
    "bpref": TrecMeasure(),
    "recip_rank": TrecMeasure(),
    "iprec_at_recall": TrecMeasure("shares", _TENTHS),
    "P": TrecMeasure("cuts", _CUTS),
    "relstring": TrecMeasure("numbers", (10.0,), shown="topic"),
    "recall": TrecMeasure("cuts", _CUTS),
    "infAP": TrecMeasure(),
    "gm_bpref": TrecMeasure(shown="all"),
    "Rprec_mult": TrecMeasure("shares", _FIFTHS),
    "utility": TrecMeasure("numbers", (1.0, -1.0, 0.0, 0.0)),
    "11pt_avg": TrecMeasure("numbers", _TENTHS),
    "binG": TrecMeasure(),
    "G": TrecMeasure("pairs"),
    "dcg": TrecMeasure("pairs", only="10.0"),
    "ideal_dcg": TrecMeasure("pairs", only="10.0"),
    "ndcg": TrecMeasure("pairs"),
    "ndcg_rel": TrecMeasure("pairs"),
    "Rndcg": TrecMeasure("pairs"),
    "ndcg_cut": TrecMeasure("cuts", _CUTS),
    "map_cut": TrecMeasure("cuts", _CUTS),
    "relative_P": TrecMeasure("cuts", _CUTS),
    "success": TrecMeasure("cuts", (1, 5, 10)),
    "set_P": TrecMeasure(),
    "set_relative_P": TrecMeasure(),
    "set_recall": TrecMeasure(),
    "set_map": TrecMeasure(),
    "set_F": TrecMeasure("numbers", (1.0,)),
    "num_nonrel_judged_ret": TrecMeasure(whole=True),
    "prefs_num_prefs_poss": _PREFS_COUNT,
    "prefs_num_prefs_ful": _PREFS_COUNT,
    "prefs_num_prefs_ful_ret": _PREFS_COUNT,
    "prefs_simp": _PREFS,
    "prefs_pair": _PREFS,
    "prefs_avgjg": _PREFS,
    "prefs_avgjg_Rnonrel": _PREFS,
    "prefs_simp_ret": _PREFS,
    "prefs_pair_ret": _PREFS,
    "prefs_avgjg_ret": _PREFS,
    "prefs_avgjg_Rnonrel_ret": _PREFS,
    "prefs_simp_imp": _PREFS,
    "prefs_pair_imp": _PREFS,
    "prefs_avgjg_imp": _PREFS,
    "map_avgjg": TrecMeasure(form="qrels_jg"),
    "P_avgjg": TrecMeasure("cuts", _CUTS, form="qrels_jg"),
    "Rprec_mult_avgjg": TrecMeasure("shares", _FIFTHS, form="qrels_jg"),
    "yaap": TrecMeasure(),
    "rbp": TrecMeasure("pairs", only="10.0"),
    "rbp_resid": TrecMeasure("pairs", only="10.0"),
    "unj": TrecMeasure("cuts", (5, 10, 20), only="10.0"),
}

_COUNTED = ("runid", "num_q")
_PREFS_OFFICIAL = (
    *_COUNTED, "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret",
    "prefs_simp", "prefs_pair", "prefs_avgjg",
)  # fmt: skip
_NOT_ALL = {"dcg", "ideal_dcg", "yaap"}

NICKNAMES: Mapping[str, tuple[str, ...]] = {
    "official": tuple(name for place, name in enumerate(MEASURES) if place < 12),
    "set": (
        *_COUNTED, "num_ret", "num_rel", "num_rel_ret", "utility",
        "set_P", "set_recall", "set_relative_P", "set_map", "set_F",
    ),
    "all_trec": tuple(name for name, entry in MEASURES.items() if entry.form == "qrels" and name not in _NOT_ALL),
    "all_prefs": (*_COUNTED, *(name for name, entry in MEASURES.items() if entry.form == "prefs")),
    "prefs": _PREFS_OFFICIAL,
    "qrels_jg": (*_COUNTED, "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}  # fmt: skip
"""Names for several measures; measures missing from a version are skipped."""

# Numbers, as C's atol and atof read them.


_WHOLE = re.compile(r"\s*([+-]?)0*([0-9]{0,20})", re.ASCII)  # 20 digits are beyond 64 bits
_DECIMAL = re.compile(r"\s*([+-]?(?:inf(?:inity)?|nan|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?))", re.ASCII | re.I)
_HEX = re.compile(r"\s*([+-]?0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)", re.ASCII | re.I)
_MOST = (1 << 63) - 1


def atol(text: str) -> int:
    """Read a whole number.

    Examples
    --------
    >>> atol("1.7"), atol("-2x"), atol("x")
    (1, -2, 0)
    """
    match = next(_WHOLE.finditer(text))  # it fits any text
    return max(-_MOST - 1, min(int(match[1] + (match[2] or "0")), _MOST))


def atof(text: str) -> float:
    """Read a number.

    Examples
    --------
    >>> atof("2.5e1x"), atof(".5"), atof("x"), atof("0x10")
    (25.0, 0.5, 0.0, 16.0)
    """
    try:
        if match := _HEX.match(text):
            return float.fromhex(match[1])
    except OverflowError:
        return float("inf")
    match = _DECIMAL.match(text)
    return float(match[1]) if match else 0.0


USAGE, INPUT, CALCULATION, NOTHING, ABORTED, ZSCORES = 1, 2, 4, 7, 134, 255
"""trec_eval's exit codes: words of the call, files and parameters, a topic, no topic, what a shell sees of an abort,
a file of z-scores."""


class Stop(Exception):  # noqa: N818
    """The message on standard error, and the exit code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
