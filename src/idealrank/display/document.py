"""Shown: a value that says what it shows, and is drawn as text, HTML and Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from idealrank.display.blocks import Block
from idealrank.errors import NoAttributeError, closest

_SPELT = 0.8
"""How alike a name is that is the same one, misspelt."""


def no_attribute(kind: str, name: str, meant: Mapping[str, str], choices: Iterable[str]) -> NoAttributeError:
    """Build the error for an attribute that does not exist: what is meant by it, or by the name most like it.

    That is nearly the spelling of what there is, or of what is known by another name; else a name whose words it
    contains, else the nearest spelling. A name in small letters is never taken for a class.

    Examples
    --------
    >>> print(no_attribute("Scores", "plot", {"plot": "ir.plot(scores)"}, []))
    Scores has no 'plot'. Use ir.plot(scores).
    >>> print(no_attribute("Scores", "means_by_system", {}, ["mean", "means"]))
    Scores has no 'means_by_system'. Did you mean means?
    """
    there = [choice for choice in choices if not (name.islower() and choice[0].isupper() and choice.lower() != choice)]
    names = [*there, *meant] if there else []
    word = name if name in meant else ""
    word = word or closest(name, there, _SPELT) or closest(name, names, _SPELT) or _longest_contained(name, names)
    word = word or closest(name, names)
    hint = f" Use {meant[word]}." if word in meant else f" Did you mean {word}?" if word else ""
    return NoAttributeError(f"{kind} has no {name!r}.{hint}")


def _longest_contained(name: str, choices: Iterable[str]) -> str:
    """Return the choice of the most words that are all words of a name, the first of these, or an empty string."""
    words = set(name.lower().split("_"))
    inside = [choice for choice in choices if words.issuperset(choice.lower().split("_"))]
    return max(inside, key=lambda choice: choice.count("_"), default="")


class Meant:
    """A value that completes to what a caller is meant to ask of it, and knows what is meant by what it does not have.

    Attributes
    ----------
    _instead
        What to call, by the name of an attribute that people expect and that is not here.
    _internal
        Attributes that other rooms read, and nobody else: completion leaves them out.
    """

    _instead: ClassVar[Mapping[str, str]] = {}
    _internal: ClassVar[frozenset[str]] = frozenset({"shown"})

    if not TYPE_CHECKING:  # a type checker is to find a misspelt attribute

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute(type(self).__name__, name, self._instead, () if name.startswith("_") else dir(self))

    def __dir__(self) -> list[str]:
        public = (name for name in super().__dir__() if name[0] != "_" or name[:2] == "__")
        return [name for name in public if name not in self._internal]


class Shown(Meant):
    r"""A value that says what it shows; a new form to draw it in is one function over the blocks.

    Examples
    --------
    >>> from idealrank.display.blocks import Lines
    >>> class Greeting(Shown):
    ...     def shown(self) -> list[Block]:
    ...         return [Lines([("hello", "world")])]
    >>> Greeting(), Greeting().to_markdown()
    (hello      world, '- hello: world\n')
    """

    def shown(self) -> list[Block]:
        """Return what is shown, block by block."""
        raise NotImplementedError

    def to_markdown(self) -> str:
        """Return what is shown as Markdown."""
        from idealrank.display.markdown import markdown

        return markdown(self.shown())

    def __repr__(self) -> str:
        from idealrank.display.text import text

        return text(self.shown())

    def _repr_html_(self) -> str:
        from idealrank.display.html import html

        return html(self.shown())


class Described:
    """A value of which JSON has every attribute whose type is `Annotated`: see `keys_of` of `display/schema.py`."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        from idealrank.display.schema import plain_value

        plain: dict[str, Any] = plain_value(self)
        return plain

    def to_json(self) -> str:
        """Return everything as JSON in full precision."""
        import json

        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
