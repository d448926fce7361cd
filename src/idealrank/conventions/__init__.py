"""A tool's name goes in; its answers, names and faults come out. The only list of tools is here.

It may import display, decisions and errors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from idealrank.conventions.convention import Catalogue, Convention, Fault
from idealrank.decisions.decisions import DEFAULT, Decisions, questions
from idealrank.decisions.question import parse_answers, split_outside
from idealrank.display.rooms import make_callable
from idealrank.errors import UsageError, unknown

if TYPE_CHECKING:
    from idealrank.display.table import Table

__all__ = ["CONVENTIONS", "Convention", "Fault", "Setting", "conventions", "parse_convention"]

CONVENTIONS = Catalogue(
    "idealrank",
    "trec_eval",
    "sklearn",
    "catboost",
    "real_life",
    "trectools",
    "huggingface",
    "pytrec_eval",
    "ir_measures",
    "gdeval",
    "quepid",
    "opensearch",
    "elasticsearch",
    "rre",
    "phoenix",
    "haystack",
    "cheat_at_search",
    "lightgbm",
    "xgboost",
    "torchmetrics",
    "rax",
    "ranx",
    "beir",
    "mteb",
    "recommenders",
    "recbole",
    "msmarco",
    "azure",
    "ndeval",
    "cwl_eval",
    "tf_ranking",
    "llama_index",
    "ragas",
    "mlflow",
    "sentence_transformers",
    "trulens",
    "nemo",
)
"""Every convention by name, in the modules named here."""


class Setting(NamedTuple):
    """A convention with the caller's overrides."""

    convention: Convention
    overrides: dict[str, Any]

    @property
    def decisions(self) -> Decisions:
        """The convention's decisions with the overrides."""
        return self.convention.decisions.but(**self.overrides) if self.overrides else self.convention.decisions

    @property
    def text(self) -> str:
        """The setting as `parse_convention` reads it back."""
        decisions = self.decisions
        parts = [f"{name}={decisions.text(name)}" for name in self.overrides]
        return ", ".join([self.convention.name, *parts])

    def our_name(self, text: str) -> str:
        """A measure's string with the tool's name translated into ours: PrecisionAt@2 is P@2 under catboost."""
        whole = text.strip()
        folded = {theirs.lower(): ours for theirs, ours in self.convention.names.items()}
        for name in (whole, _UP_TO_CUTOFF.split(whole, maxsplit=1)[0]):
            ours = self.convention.names.get(name) or folded.get(name.lower())
            if ours is not None:
                return ours + whole[len(name) :]
        return text


_UP_TO_CUTOFF = re.compile(r"[@.(\[]|_(?=\d)")


def parse_convention(text: str, overrides: Mapping[str, Any] | None = None) -> Setting:
    """Read ``trec_eval-9.0.8, ties=average``; later overrides win.

    With ``faults=on`` after a convention, known faults of its tool are reproduced as well.

    Raises
    ------
    UsageError
        If the convention, a decision or an answer is unknown.

    Examples
    --------
    >>> parse_convention("trec_eval-9.0.8, no_results=0").text
    'trec_eval-9.0.8, no_results=0'
    >>> parse_convention("trec_eval-9.0.8, faults=on").decisions.gain
    'whole'
    """
    first, *rest = split_outside(text) or [""]
    name = first.strip()
    _refuse_missing_comma(name)
    if "=" in name:
        name, rest = "idealrank-1", [first, *rest]
    convention = CONVENTIONS.find_name(name)
    if convention is None:
        raise _unknown_convention(name)
    answers: dict[str, Any] = {**parse_answers(",".join(rest)), **(overrides or {})}
    setting = Setting(_apply_faults(convention, answers.pop("faults", "off")), answers)
    _ = setting.decisions  # refuses answers that are not allowed here, where the text is at hand
    return setting


def _unknown_convention(name: str) -> UsageError:
    """Build the error for a name that has no version or does not exist."""
    versions = [convention for convention in CONVENTIONS if convention.startswith(f"{name.lower()}-")]
    if versions:
        return UsageError(f"No convention called {name!r}: {' or '.join(versions)}?")
    if name and (begun := [each for each in CONVENTIONS if each.startswith(f"{name.lower()}_")]):
        return UsageError(f"No convention called {name!r}. Did you mean {begun[-1]}?")
    return unknown("convention", name, CONVENTIONS)


def _apply_faults(convention: Convention, faults: str) -> Convention:
    if faults not in ("on", "off"):
        raise UsageError(f"faults={faults} is not an answer. Allowed: off, on.")
    return convention.with_faults() if faults == "on" else convention


def _refuse_missing_comma(text: str) -> None:
    name, *answers = text.split() or [""]
    if answers and CONVENTIONS.find_name(name) is not None and "=" in answers[0]:
        raise UsageError(f"{text!r}: a comma is missing. Write {', '.join([name, *answers])!r}.")


def conventions(name: str | None = None) -> Table:
    """List the conventions, or describe one: its answer to every decision, and where that was read.

    Parameters
    ----------
    name
        The name of a convention, with overrides if need be; None: all.

    Raises
    ------
    UsageError
        If the convention, a decision or an answer is not known.

    Examples
    --------
    >>> import idealrank as ir
    >>> ir.conventions()["name"][0]
    'idealrank-1'
    >>> [row["answer"] for row in ir.conventions("sklearn") if row["decision"] == "ties"]
    ['average']
    """
    from idealrank.display.table import Table

    if name is None:
        names = ("name", "tool", "version", "about")
        return Table({each: [getattr(c, each) for c in CONVENTIONS.values()] for each in names}, "conventions")
    setting = parse_convention(name)
    columns = {
        "decision": list(questions()),
        "answer": [setting.decisions.text(field) for field in questions()],
        "idealrank-1": [DEFAULT.text(field) for field in questions()],
        "source": [setting.convention.sources.get(field, "") for field in questions()],
    }
    return Table(columns, setting.text)


make_callable(__name__, conventions)
