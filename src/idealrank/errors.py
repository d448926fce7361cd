"""The errors of idealrank: every message says where, what is wrong, what is allowed and what to do next.

Here too: how text from data is shown, so that nothing in it acts on the screen it is read on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from numbers import Integral
from types import MappingProxyType

# Patterns are texts, which `re` compiles when first used: most runs find no error, and nothing to set apart.

_TWO_WAYS = "\x02([^\x02\x1f\x03]*)\x1f([^\x02\x1f\x03]*)\x03"

_OBEYED = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff"
"""Control characters, those that turn the direction of writing, the other line ends, and halves of characters."""

_HEBREW_TO_ARABIC = "\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_TURNED = f"[{_HEBREW_TO_ARABIC}]"
_RUN = rf"[{_HEBREW_TO_ARABIC}]+(?:[^\w\n{_OBEYED}]?[{_HEBREW_TO_ARABIC}]+)*"
"""Words written from right to left, with one sign at most between two of them: columns stand further apart."""

_TURNED_RUN = f"\u2068{_RUN}\u2069|{_RUN}"
_IN_LINES = f"\u2068{_RUN}\u2069|[{_OBEYED}]"
_IN_A_LINE = rf"[\t\n{_OBEYED}]"
_LINE_END = "[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]"
"""What `str.splitlines` splits at."""

_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


LARGEST_CUTOFF = (1 << 63) - 1


class IdealrankError(ValueError):
    """Base of every error idealrank raises on purpose.

    Parameters
    ----------
    lines
        The message, line by line: a line end within one is that of an id or a value, and begins no line of a log.

    Attributes
    ----------
    typed
        The message as the command line says it: with flags where `str` has keyword arguments.
    """

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(visible_line(re.sub(_TWO_WAYS, r"\1", line)) for line in lines))
        self.typed = "\n".join(visible_line(re.sub(_TWO_WAYS, r"\2", line)) for line in lines)

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows: the caller's line and the message, without the frames of this package."""
        from traceback import extract_tb

        ours = (os.path.dirname(__file__), os.path.dirname(os.__file__))  # and Python's, as of functools
        frames = [frame for frame in extract_tb(self.__traceback__) if not frame.filename.startswith(ours)]
        called = [f"line {frames[-1].lineno}: {frames[-1].line}"] if frames else []
        return [*called, f"{type(self).__name__}: {self}"]


class UsageError(IdealrankError):
    """A call that cannot be answered: an unknown name, a value that is not allowed (exit code 2)."""


class UnknownMeasureError(UsageError):
    """A measure that there is not.

    Attributes
    ----------
    meant
        The name that was probably meant; "" where none is near.
    """

    def __init__(self, message: str, meant: str = "") -> None:
        super().__init__(message)
        self.meant = meant


class NoAttributeError(UsageError, AttributeError):
    """An attribute that a value does not have, with what to ask for instead."""


class IncomparableError(UsageError):
    """A measure under which systems can be shown side by side, but not compared query by query."""


class DataError(IdealrankError):
    """Judgments or results that cannot be read or used as they are (exit code 3)."""


class NoColumnError(DataError):
    """A table in which the columns needed are missing or ambiguous.

    Attributes
    ----------
    offered
        The columns that have the cells of the missing roles, by role; empty if that cannot be told.
    table
        Which table it is, judgments or results, where columns are offered.
    """

    offered: Mapping[str, str] = MappingProxyType({})
    table: str = ""


class StrangersError(DataError):
    """Results of which nothing is judged: no decision helps."""


def either(python: str, typed: str) -> str:
    """Put into a message what is said one way in Python and another way on the command line.

    Examples
    --------
    >>> error = UsageError(f"Pass {either('queries=…', '--queries-table FILE')}.")
    >>> str(error), error.typed
    ('Pass queries=….', 'Pass --queries-table FILE.')
    """
    return f"\x02{python}\x1f{typed}\x03"


NOBODY_JUDGED = either(
    "If nobody has judged anything yet: ir.pool(results) lists what to judge, and ir.judge asks a model.",
    "If nobody has judged anything yet: idealrank studio RESULTS… to grade, idealrank judge RESULTS… to ask a model.",
)
"""What to do without judgments; for the end of a message."""


def option(name: str, value: str = "…", flag: str = "") -> str:
    """Put an option into a message: a keyword argument in Python, a flag on the command line.

    Examples
    --------
    >>> error = UsageError(f"Use {option('no_results', 'skip')}, or name it: {option('doc', flag='doc-col')}.")
    >>> str(error), error.typed
    ('Use no_results=skip, or name it: doc=….', 'Use --no-results skip, or name it: --doc-col NAME.')
    """
    typed = "NAME" if value == "…" else _quoted(value)
    return either(f"{name}={value}", f"--{flag or name.replace('_', '-')} {typed}")


def quoted_option(flag: str, value: str) -> str:
    """Write a flag with a value from the data as it is typed: quoted where it must be.

    Examples
    --------
    >>> quoted_option("query-col", "Query text")
    "--query-col 'Query text'"
    """
    return f"--{flag} {_quoted(value)}"


def named(name: str, value: str, flag: str = "") -> str:
    """Put an option with a name from the data into a message: quoted where it must be.

    Examples
    --------
    >>> error = UsageError(f"As {named('system', 'my run')}.")
    >>> str(error), error.typed
    ("As system='my run'.", "As --system 'my run'.")
    """
    return either(f"{name}={value!r}", f"--{flag or name.replace('_', '-')} {_quoted(value)}")


def _quoted(value: str) -> str:
    if value.isascii() and value.replace("_", "").isalnum():
        return value
    import shlex  # only where a value has signs

    return shlex.quote(value)


_SURE = 0.85
"""How alike two words are that begin with different letters, and are still a slip of the same word."""


def closest(name: str, choices: Iterable[str], alike: float = 0.7) -> str:
    """Return the closest spelling among some, one of the same letters first, or an empty string.

    A wrong hint costs more than none: a slip rarely touches the first letter, so words that begin differently must be
    more alike, and a few letters are taken for the beginning of a word only if no other begins so.

    Parameters
    ----------
    alike
        How alike it must be, from 0 to 1.

    Examples
    --------
    >>> closest("NDGC", ["nDCG", "P"])
    'nDCG'

    Zeros before a number do not matter.

    >>> closest("q1", ["q41", "q01"])
    'q01'

    Nor do signs between letters.

    >>> closest("treceval", ["pytrec_eval-0.5.10", "trec_eval-9.0.8"])
    'trec_eval-9.0.8'
    """
    import difflib  # only where something is misspelt

    by_lower: dict[str, str] = {}
    for word in choices:
        by_lower.setdefault(word.lower(), word)
    filled = [word for word in by_lower if word != name.lower() and _unfilled(word) == _unfilled(name.lower())]
    exchanged = filled or [word for word in by_lower if sorted(word) == sorted(name.lower())]
    bare = re.sub(r"[\W_]", "", name.lower())
    begun = [word for word in by_lower if len(bare) > 2 and re.sub(r"[\W_]", "", word).startswith(bare)]
    if exchanged or (begun and (len(bare) > 4 or len(begun) == 1)):
        return by_lower[(exchanged or begun)[0]]
    akin = [word for word in by_lower if word[:1] == name[:1].lower()]
    alike_but_one = [
        word for word in by_lower if len(word) == len(name) and _differing_letters(word, name.lower()) == 1
    ]
    close = [word for word in alike_but_one if len(word) > 4 or (len(word) > 2 and word in akin)]
    close = close or difflib.get_close_matches(name.lower(), akin, n=1, cutoff=alike)
    close = close or difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=max(alike, _SURE))
    return by_lower[close[0]] if close else ""


def _unfilled(word: str) -> str:
    return re.sub(r"(?<!\d)0+(?=\d)", "", word)


def _differing_letters(one: str, other: str) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def nearest(name: str, choices: Iterable[str]) -> str:
    """Return " Did you mean …?" for the closest spelling among some, or an empty string.

    Examples
    --------
    >>> nearest("NDGC", ["nDCG", "P"])
    ' Did you mean nDCG?'
    """
    word = closest(name, choices)
    return f" Did you mean {word}?" if word else ""


def unknown(kind: str, name: str, choices: Iterable[str]) -> UsageError:
    """Build the error for a name that does not exist, with the nearest spelling or the whole list."""
    words = sorted(set(choices), key=str.lower)
    hint = nearest(name, words) or f" Known: {', '.join(words)}."
    return UsageError(f"No {kind} called {name!r}.{hint}")


def not_allowed(field: str, value: object, answers: Iterable[str], meant: str = "") -> UsageError:
    """Build the error for a value a decision or option does not take; `meant` is what to write in its place."""
    words = list(answers)
    hint = f" {meant}" if meant else nearest(str(value), words)
    return UsageError(f"{field}={value!s} is not an answer. Allowed: {', '.join(words)}.{hint}")


def unsaid(name: str, answer: object, module: str) -> NotImplementedError:
    """Build the error for an answer that a decision takes, and that the module which computes it says nothing of.

    Examples
    --------
    >>> raise unsaid("ties", "by_luck", "idealrank.judged_lists.join")
    Traceback (most recent call last):
        ...
    NotImplementedError: ties=by_luck: judged_lists/join.py does not say what it does.
    """
    file = module.removeprefix("idealrank.").replace(".", "/") + ".py"
    return NotImplementedError(f"{name}={answer}: {file} does not say what it does.")


def refuse_count(name: str, value: object, what: str = "it", least: int = 1) -> None:
    """Refuse a count that is no whole number from the least one up.

    Parameters
    ----------
    name, what
        How the option is called, and what it counts.

    Raises
    ------
    UsageError
        With what it is.

    Examples
    --------
    >>> refuse_count("n", 2.5, "how many queries")
    Traceback (most recent call last):
        ...
    idealrank.errors.UsageError: n=2.5: how many queries is a whole number from 1 up.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise UsageError(f"{option(name, repr(value))}: {what} is a whole number from {least} up.")


def refuse_cutoff(k: object) -> None:
    """Refuse a cutoff that is no whole number from 1 to 2^63 - 1: ranks are counted in 64 bits."""
    refuse_count("k", k, "the cutoff k")
    if isinstance(k, Integral) and int(k) > LARGEST_CUTOFF:
        raise UsageError(f"{option('k', repr(k))}: the cutoff k is at most {LARGEST_CUTOFF:,}.")


def listed(names: Iterable[str], most: int = 3, between: str = ", ") -> str:
    """List names in prose, the first few by name and the rest by count.

    Examples
    --------
    >>> listed(["q1", "q2", "q3", "q4", "q5"])
    'q1, q2, q3 and 2 more'
    """
    words = list(names)
    shown = between.join(words[:most])
    return shown if len(words) <= most else f"{shown} and {len(words) - most} more"


def some(names: Iterable[object], most: int = 5) -> str:
    """List names as they were given, in quotes.

    Examples
    --------
    >>> some(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    return listed(map(repr, names), most)


def plural(count: int, noun: str) -> str:
    """Write a count with its noun, thousands apart.

    Examples
    --------
    >>> plural(1, "query"), plural(2, "query"), plural(30000, "tied result")
    ('1 query', '2 queries', '30,000 tied results')
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("y") else f"{count:,} {noun}s"


def visible(text: str) -> str:
    r"""Show every control character and every mark that turns the direction of writing as text; one line.

    Examples
    --------
    >>> print(visible("\x1b[31mq1"), visible("a\nb"), visible("\u202egpj"), visible("nDCG"))
    \x1b[31mq1 a\nb \u202egpj nDCG
    """
    return text if text.isprintable() else re.sub(_IN_A_LINE, _escaped, text)


def visible_line(text: str) -> str:
    r"""Show the same as text and keep what `isolated` set apart and tabs: a text with line ends stays one line.

    A line of a log may be obeyed, as those are that begin with ``::error::`` in a build, so no id begins one.

    Examples
    --------
    >>> print(visible_line("q1\n::error::no"))
    q1\n::error::no
    """
    return visible_lines(text).replace("\n", r"\n")


def without_line_ends(text: str) -> str:
    r"""Show what some program takes for the end of a line as text, and leave everything else.

    Examples
    --------
    >>> print(without_line_ends("q1\n::error::no"))
    q1\n::error::no
    """
    return text if text.isprintable() else re.sub(_LINE_END, _escaped, text)


def visible_lines(text: str) -> str:
    r"""Show the same as text, but leave line ends and tabs, and what `isolated` set apart.

    Examples
    --------
    >>> print(visible_lines("a\x9b2J\nb"))
    a\u009b2J
    b
    """
    return text if text.isprintable() else re.sub(_IN_LINES, _kept_or_escaped, text)


def isolated(text: str) -> str:
    r"""Set apart what is written from right to left, so that it turns nothing beside it.

    Examples
    --------
    >>> ascii(isolated("\u05d0\u05d1  0.5")), isolated("a  0.5")
    ("'\\u2068\\u05d0\\u05d1\\u2069  0.5'", 'a  0.5')
    """
    return re.sub(_TURNED_RUN, _isolate, text) if not text.isascii() and re.search(_TURNED, text) else text


def _isolate(run: re.Match[str]) -> str:
    words = run[0]
    return words if words[0] == "\u2068" else f"\u2068{words}\u2069"


def _escaped(sign: re.Match[str]) -> str:
    code = ord(sign[0])
    return _SHORT.get(sign[0]) or (f"\\x{code:02x}" if code < 0x20 else f"\\u{code:04x}")


def _kept_or_escaped(found: re.Match[str]) -> str:
    return _escaped(found) if len(found[0]) == 1 else found[0]
