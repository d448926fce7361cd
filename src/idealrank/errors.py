"""The errors of idealrank: every message says where, what is wrong, what is allowed and what to do next."""

from __future__ import annotations

from collections.abc import Iterable


class IdealrankError(ValueError):
    """Base of every error idealrank raises on purpose."""


class UsageError(IdealrankError):
    """A call that cannot be answered: an unknown name, a value that is not allowed (exit code 2)."""


class DataError(IdealrankError):
    """Judgments or results that cannot be read or used as they are (exit code 3)."""


class NoColumnError(DataError):
    """A table in which the columns needed are missing or ambiguous."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return " Did you mean …?" for the closest known spelling, or an empty string.

    Examples
    --------
    >>> nearest("NDGC", ["nDCG", "P"])
    ' Did you mean nDCG?'
    """
    import difflib  # only where something is misspelt

    by_lower: dict[str, str] = {}
    for word in known:
        by_lower.setdefault(word.lower(), word)
    close = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.5)
    return f" Did you mean {by_lower[close[0]]}?" if close else ""


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """Build the error for a name that does not exist, with the nearest spelling or the whole list."""
    words = sorted(set(known), key=str.lower)
    hint = nearest(name, words) or f" Known: {', '.join(words)}."
    return UsageError(f"No {kind} called {name!r}.{hint}")


def not_allowed(field: str, value: object, answers: Iterable[str]) -> UsageError:
    """Build the error for a value a decision or option does not take."""
    words = list(answers)
    hint = nearest(str(value), words)
    return UsageError(f"{field}={value!s} is not an answer. Allowed: {', '.join(words)}.{hint}")


def some(names: Iterable[str], most: int = 5) -> str:
    """List names in prose, the first few by name and the rest by count.

    Examples
    --------
    >>> some(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    words = [repr(name) for name in names]
    shown = ", ".join(words[:most])
    return shown if len(words) <= most else f"{shown} and {len(words) - most} more"
