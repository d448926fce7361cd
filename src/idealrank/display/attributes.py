"""Attributes that a value does not have: what to ask for instead."""

from collections.abc import Iterable, Mapping

from idealrank.errors import NoAttributeError, closest


def no_attribute(kind: str, name: str, meant: Mapping[str, str], choices: Iterable[str]) -> NoAttributeError:
    """Build the error for an attribute that does not exist: what is meant by it, or by the name most like it.

    That is nearly its spelling, else a name whose words it contains, else the nearest spelling.

    Examples
    --------
    >>> print(no_attribute("Scores", "plot", {"plot": "ir.plot(scores)"}, []))
    Scores has no 'plot'. Use ir.plot(scores).
    >>> print(no_attribute("Scores", "means_by_system", {}, ["mean", "means"]))
    Scores has no 'means_by_system'. Did you mean means?
    """
    names = [*choices, *meant] if choices else []
    word = name if name in meant else closest(name, names, 0.85) or _contained(name, names) or closest(name, names)
    hint = f" Use {meant[word]}." if word in meant else f" Did you mean {word}?" if word else ""
    return NoAttributeError(f"{kind} has no {name!r}.{hint}")


def _contained(name: str, choices: Iterable[str]) -> str:
    """Return the choice of the most words that are all words of a name, the first of these, or an empty string."""
    words = set(name.lower().split("_"))
    inside = [choice for choice in choices if words.issuperset(choice.lower().split("_"))]
    return max(inside, key=lambda choice: choice.count("_"), default="")
