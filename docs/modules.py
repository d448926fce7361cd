"""Modules that follow from definitions, for type checkers and editors: they need names written out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import idealrank
from idealrank.decisions import Question, questions
from idealrank.statistics.corrections import CORRECTIONS
from idealrank.statistics.intervals import INTERVALS
from idealrank.statistics.paired_tests import TESTS

_WIDTH = 120
_WRITTEN = "Written by docs/generate.py from {}: change that, then run it again."


def answers_module() -> str:
    """Every decision as a typed keyword."""
    return "\n".join(
        [
            '"""The decisions as typed keywords, for type checkers and editors.',
            "",
            _WRITTEN.format("decisions/stages"),
            '"""',
            "",
            "from __future__ import annotations",
            "",
            "from collections.abc import Mapping",
            "from typing import Literal, TypedDict",
            "",
            "",
            "class DecisionAnswers(TypedDict, total=False):",
            '    """Answers to decisions, by the names in `Decisions`; `weights` is named where it is taken."""',
            *(line for name, each in questions().items() if name != "weights" for line in _answer(name, each)),
            "",
        ]
    )


def _answer(name: str, question: Question) -> Iterator[str]:
    yield ""
    yield from _assigned(f"    {name}: ", _words(question), _others(question))
    yield f'    """{question.asks}"""'


def _words(question: Question) -> list[str]:
    """Return the words that are answers; those that are numbers as numbers, too."""
    words = [word for word in question.answers if question.form is None or word not in question.form.written]
    return [f'"{word}"' for word in words] + [word for word in words if word.isdigit()]


def _others(question: Question) -> str:
    """Return the types of the answers that are not words."""
    types = ["float"] if question.number else []
    return "".join(f" | {each}" for each in [*types, *([question.form.type] if question.form else [])])


def _assigned(start: str, words: Iterable[str], end: str = "") -> Iterator[str]:
    """Write a Literal as ruff formats it: in one line where it fits, else with its words on lines of their own."""
    line = f"{start}Literal[{', '.join(words)}]{end}"
    indent = " " * (len(start) - len(start.lstrip()))
    if len(line) <= _WIDTH:
        yield line
    else:
        yield f"{start}Literal["
        yield f"{indent}    {', '.join(words)}"
        yield f"{indent}]{end}"


def methods_module() -> str:
    """The names of tests, intervals and corrections."""
    catalogues = {"TestName": TESTS, "IntervalName": INTERVALS, "CorrectionName": CORRECTIONS}
    return "\n".join(
        [
            '"""The names of tests, intervals and corrections, for type checkers and editors.',
            "",
            _WRITTEN.format("TESTS, INTERVALS and CORRECTIONS in statistics"),
            '"""',
            "",
            "from typing import Literal",
            "",
            *(
                line
                for name, catalogue in catalogues.items()
                for line in _assigned(f"{name} = ", [f'"{word}"' for word in catalogue])
            ),
            "",
        ]
    )


def face_stub() -> str:
    """The public names with their homes."""
    homes = {f"idealrank.{home}": names for home, names in idealrank._HOMES.items()}
    return "\n".join(
        [
            '"""The public names, for type checkers and editors.',
            "",
            _WRITTEN.format("__init__.py"),
            '"""',
            "",
            *(line for home in sorted(homes) for line in _imported(home, homes[home])),
            "",
            "__version__: str",
            "",
        ]
    )


def _imported(home: str, names: Iterable[str]) -> Iterator[str]:
    """Write an import as ruff formats it."""
    said = [f"{name} as {name}" for name in sorted(names, key=_as_ruff_sorts)]
    line = f"from {home} import {', '.join(said)}"
    if len(line) <= _WIDTH:
        yield line
    else:
        yield f"from {home} import ("
        yield from (f"    {each}," for each in said)
        yield ")"


def _as_ruff_sorts(name: str) -> tuple[int, str]:
    """Constants first, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)
