"""Scores in a file: values, states and counts as they are, and the judged lists behind them.

The file is a zip archive. ``scores.json`` says what was measured and what was counted, the members ``….npy`` are
arrays, and the members ``….arrow`` the tables, which other programs read, too. It is read back as the same scores.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from importlib import metadata
from typing import Any

import numpy as np

from idealrank._core import Column, Frame, arrow_file, from_columns, read_arrow
from idealrank.arrays import Cache
from idealrank.conventions import parse_convention
from idealrank.data.formats.archives import RATIO, UNREADABLE, most_unpacked
from idealrank.data.formats.head import SCORES_HEAD, is_saved_scores
from idealrank.data.formats.source import Source, SpelledSource
from idealrank.data.ids import Keyed
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries, QueryTable
from idealrank.data.query_join import MatchedQueries
from idealrank.data.results import Results
from idealrank.data.roles import Roles
from idealrank.data.search_queries import SearchJudgments, SearchResults
from idealrank.data.units import is_map
from idealrank.decisions.decisions import DEFAULT
from idealrank.display.files import write_file
from idealrank.errors import DataError, IdealrankError, UsageError, either, option, plural
from idealrank.evaluation.buckets import score_bucket
from idealrank.evaluation.ledger.accounts import make_ledger
from idealrank.evaluation.ledger.counts import (
    Counts,
    JudgmentCounts,
    RankCounts,
    ResultCounts,
    ScoreCounts,
    SearchCounts,
    TimeCounts,
)
from idealrank.evaluation.ledger.ledger import Ledger, MeanShift
from idealrank.evaluation.ledger.oddities import Oddity
from idealrank.evaluation.partitioned import InMemory, NoLists
from idealrank.evaluation.scoring import QueryState
from idealrank.evaluation.values import Values
from idealrank.judged_lists.join import Join
from idealrank.measures import parse
from idealrank.measures.definition import Measure

FORM, VERSION = "idealrank scores", 1
"""What the file says of its form, with the newest version."""

FOR_PEOPLE = (".html", ".md", ".csv", ".tsv", ".json", ".xlsx", ".tex")
"""Endings of files that others read."""


def save_values(values: Values, ledger: Ledger, path: str | os.PathLike[str], *, lists: bool) -> None:
    """Write values and what was found in their tables to a file; see `Scores.save`."""
    name = os.fspath(path)
    if os.path.splitext(name)[1].lower() in FOR_PEOPLE:
        raise UsageError(
            f"{name}: scores are saved for ir.read_scores alone, as monday.scores. For people: "
            "ir.report(scores).save('report.html'), or scores.per_query.to_csv('scores.csv')."
        )
    if os.path.exists(name) and os.path.getsize(name) and not is_saved_scores(name):
        raise UsageError(f"{name}: not saved scores, so it is not written over. Give another file, or remove it.")
    _refuse_tables_of_units(values)
    arrays = {"values": values.values, "states": values.states, "weights": values.weights}
    members = {f"{what}.npy": _npy(of) for what, of in arrays.items() if of is not None}
    pack = _Packer(members)
    head = {
        "form": f"{FORM} {VERSION}",
        "idealrank": metadata.version("idealrank"),
        "setting": values.setting.text,
        "measures": [_packed_measure(measure) for measure in values.measures],
        "systems": list(values.systems),
        "queries": values.queries,
        "only": pack(values.only),
        "counts": pack(values.counts),
        "table": pack(values.table),
        "odd": pack(ledger.odd),
        "moves": pack(ledger.moves),
        "lists": _packed_lists(values, pack) if lists else None,
    }
    content = _archive({SCORES_HEAD: json.dumps(head).encode(), **members})
    read = _values_of(_Saved(name, content))
    if lists:
        again = score_bucket(read.joins, read.measures, read.setting, read.only)
        if again.queries != values.queries or not np.array_equal(again.values, values.values, equal_nan=True):
            raise UsageError(f"The lists of these scores cannot be saved: they read back otherwise. {_WITHOUT}")
    with contextlib.suppress(OSError):  # what hinders writing says `write_file`
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    write_file(name, content, "file")


def _refuse_tables_of_units(values: Values) -> None:
    """Refuse units that a table says: it may be another one, or gone, when the scores are read."""
    for decisions in (values.setting.decisions, *(measure.decisions for measure in values.measures)):
        if is_map(decisions.unit):
            raise UsageError(
                f"These scores cannot be saved: {option('unit', decisions.text('unit'))} is a table beside them, which "
                "may change. Write the units into a column of the judgments and results, and name that as the unit; "
                "or save the values: scores.per_query.to_csv('scores.csv')."
            )


def _packed_measure(measure: Measure) -> dict[str, Any]:
    """Return a measure as text: its name alone does not say what a convention or a caller decided for it."""
    of = {"decisions": measure.decisions.departures(), "base": measure.base.departures()}
    return {"name": measure.fingerprint, "typed": measure.typed, **of}


def _measure_of(packed: Mapping[str, Any]) -> Measure:
    decisions, base = (DEFAULT.but(**packed[part]) for part in ("decisions", "base"))
    return replace(parse(packed["name"])[0], typed=packed["typed"], decisions=decisions, base=base)


def _packed_lists(scores: Values, pack: _Packer) -> Any:
    if not scores.lists.in_memory:
        raise UsageError(
            "The lists of these scores are not at hand in one piece: they were evaluated in parts, put together, or "
            f"saved without lists. {_WITHOUT}"
        )
    try:
        return pack([(each.judgments, each.results, each.system) for each in scores.joins])
    except _UnfitError as unfit:
        raise UsageError(f"The lists of these scores cannot be saved: {unfit}. {_WITHOUT}") from None


_WITHOUT = "Save the values alone: lists=False."

_SMALL = 1 << 16
"""Bytes that are packed however well they pack."""


def _archive(members: Mapping[str, bytes]) -> bytes:
    """Return an archive that is the same for the same members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            # What packs too well stays as it is: reading refuses a small file that claims to contain much.
            well = len(content) > _SMALL and len(zlib.compress(content, 1)) * RATIO < len(content)
            packing = zipfile.ZIP_STORED if well else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), content, packing, compresslevel=1)
    return out.getvalue()


def _npy(values: Any) -> bytes:
    out = io.BytesIO()
    np.save(out, values, allow_pickle=False)
    return out.getvalue()


# Reading: what is in the file is checked before it is believed.


def read_values(path: str | os.PathLike[str]) -> tuple[Values, Ledger]:
    """Read what `save_values` wrote; see `idealrank.read_scores`."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            saved = _Saved(name, file.read())
    except OSError as error:
        raise DataError(f"{name}: cannot be read: {error.strerror or error}. {_ANEW}.") from None
    _refuse_form(name, saved.head)
    try:
        values = _values_of(saved)
        ledger = make_ledger(values, known=(saved.unpack(saved.head["odd"]), saved.unpack(saved.head["moves"])))
    except Exception as error:  # damaged bytes may raise anything
        theirs, ours = saved.head.get("idealrank", "?"), metadata.version("idealrank")
        if theirs != ours:
            why = str(error).partition(". ")[0] if isinstance(error, IdealrankError) else repr(error)
            raise DataError(
                f"{name}: saved by idealrank {theirs}, with what this version, {ours}, does not know: {why}. Install "
                "that version, or evaluate again."
            ) from None
        raise DataError(f"{name}: damaged saved scores: {error!r}. {_ANEW}.") from None
    if saved.head["lists"] is not None and saved.head.get("idealrank") != metadata.version("idealrank"):
        _refuse_other_values(saved, values)
    return values, ledger


_ANEW = "Get it back, or evaluate again and save it anew: " + either(
    "scores.save(path)", "idealrank evaluate JUDGMENTS RESULTS --save FILE"
)


def _refuse_form(name: str, head: Mapping[str, Any]) -> None:
    form, _, version = str(head.get("form", "")).rpartition(" ")
    if form != FORM or not (version.isascii() and version.isdecimal() and len(version) < 9) or not int(version):
        raise DataError(f"{name}: no saved scores. Give a file that scores.save(path) wrote.")
    if int(version) > VERSION:
        raise DataError(
            f"{name}: version {version} of saved scores, written by idealrank {head.get('idealrank', '?')}; this "
            f"idealrank reads up to {VERSION}. Install a newer idealrank."
        )


def _values_of(saved: _Saved) -> Values:
    head = saved.head
    values, states = saved.array("values.npy"), saved.array("states.npy")
    weights = saved.array("weights.npy") if "weights.npy" in saved.members else None
    systems, queries = tuple(head["systems"]), list(head["queries"])
    measures = tuple(map(_measure_of, head["measures"]))
    _refuse_unsound(values, states, weights, (systems, measures, queries))
    return Values(
        measures=measures, systems=systems, queries=queries, values=values, states=states,
        setting=parse_convention(head["setting"]), only=saved.unpack(head["only"]), table=saved.unpack(head["table"]),
        weights=weights, lists=NoLists(saved.name) if head["lists"] is None else InMemory(saved.joins),
        counted=saved.unpack(head["counts"]),
    )  # fmt: skip


def _refuse_unsound(values: Any, states: Any, weights: Any, axes: tuple[Sequence[Any], ...]) -> None:
    """Refuse arrays that are not those of scores: other types, other sizes, impossible states or weights."""
    if (values.dtype, states.dtype) != (np.float64, np.int8) or {values.shape, states.shape} != {tuple(map(len, axes))}:
        raise ValueError(f"{values.dtype} values of shape {values.shape}")
    if states.size and not 0 <= states.min() <= states.max() < len(QueryState):
        raise ValueError(f"states from {states.min()} to {states.max()}")
    if weights is not None and (
        weights.dtype != np.float64 or weights.shape != values.shape[2:] or not (weights >= 0).all()
    ):
        raise ValueError("weights that are none")
    for ids in (axes[0], axes[2]):
        if len(set(ids)) < len(ids) or not all(isinstance(each, str) for each in ids):
            raise ValueError("a system or a query twice")


def _refuse_other_values(saved: _Saved, scores: Values) -> None:
    """Refuse lists that another version of idealrank scored otherwise: they would be compared with other numbers.

    Raises
    ------
    DataError
        With the first value that differs.
    """
    try:
        bucket = score_bucket(scores.joins, scores.measures, scores.setting, scores.only)
    except IdealrankError as error:
        raise DataError(f"{saved.name}: {error}") from None
    differ = np.argwhere(~((bucket.values == scores.values) | (np.isnan(bucket.values) & np.isnan(scores.values))))
    if len(differ):
        (s, m, q), version = differ[0], saved.head.get("idealrank", "?")
        raise DataError(
            f"{saved.name}: idealrank {version} gave {scores.labels[m]} {scores.values[s, m, q]} to "
            f"query {scores.queries[q]!r} of {scores.systems[s]}, and this version gives {bucket.values[s, m, q]}; "
            f"{plural(len(differ), 'value')} in all differ. {_ANEW}."
        )


@dataclass(frozen=True, eq=False)
class _Saved:
    """The content of a file of saved scores.

    Attributes
    ----------
    name
        The file, for messages.
    """

    name: str
    content: bytes = field(repr=False)
    kept: Cache = field(default_factory=Cache, repr=False)

    @property
    def head(self) -> dict[str, Any]:
        """What ``scores.json`` says."""
        return self.kept.once("head", self._read_head)

    def _read_head(self) -> dict[str, Any]:
        try:
            self._refuse_large()
            head = json.loads(self.member(SCORES_HEAD))
        except (*UNREADABLE, KeyError, ValueError, EOFError, RecursionError) as error:
            raise DataError(f"{self.name}: no saved scores, or damaged ones ({error}). {_ANEW}.") from None
        return head if isinstance(head, dict) else {}

    @property
    def members(self) -> list[str]:
        """The names of all members."""
        with zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            return archive.namelist()

    def _refuse_large(self) -> None:
        """Refuse a small file that claims to contain more than any packing gains."""
        with zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > most_unpacked(len(self.content)):
            raise ValueError(f"{size:,} bytes in a file of {len(self.content):,}")

    def member(self, name: str) -> bytes:
        """Return the bytes of a member, whose checksum is right."""
        with zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            return archive.read(name)

    def array(self, name: str) -> Any:
        """Return an array, read once however often it is named."""
        return self.kept.once(name, lambda: np.load(io.BytesIO(self.member(name)), allow_pickle=False))

    def frame(self, name: str) -> Frame:
        """Return a table, read once however often it is named."""
        return self.kept.once(name, lambda: read_arrow(self.member(name)))

    def unpack(self, packed: Any) -> Any:
        """Return a value that was packed."""
        return _Unpacker(self)(packed)

    @property
    def joins(self) -> list[Join]:
        """The join of each system's results with the judgments."""
        return [Join(*parts) for parts in self.unpack(self.head["lists"])]


# Values as JSON: plain ones as they are, arrays and tables as members of the archive, others by the name of their kind.


KINDS: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        Counts, JudgmentCounts, Judgments, MatchedQueries, MeanShift, Oddity, Queries, QueryTable,
        RankCounts, ResultCounts, Results, ScoreCounts, SearchCounts, SearchJudgments, SearchResults, Source,
        SpelledSource, TimeCounts,
    )
}  # fmt: skip
"""What a file may contain: nothing else is ever made of one."""

_LEFT_OUT = frozenset(
    (
        "decimal_commas", "kept", "locate_row", "origin", "place", "plan", "respelled", "row_places", "unfit",
        "unfit_by_table",
    )
)  # fmt: skip
"""What says where rows stood in their file, and what is derived from the others: of a saved table it is not known."""


class _UnfitError(Exception):
    """A value that no file can contain."""


class _Packer:
    """Turns values into what JSON can say, and arrays and tables into members of an archive."""

    def __init__(self, members: dict[str, bytes]) -> None:
        self.members = members
        self.places: dict[int, tuple[str, Any]] = {}

    def __call__(self, value: Any) -> Any:
        """Return a value as JSON can say it."""
        if isinstance(value, float) and not math.isfinite(value):
            return {"float": repr(value)}
        if isinstance(value, np.generic):
            return self(value.item())
        if value is None or type(value) in (bool, int, float, str):
            return value
        if type(value) in (list, tuple):
            return {type(value).__name__: [self(each) for each in value]}
        if type(value) in (set, frozenset):
            return {"set": [self(each) for each in sorted(value)]}
        if isinstance(value, Mapping):
            return {"map": [[self(key), self(each)] for key, each in value.items()]}
        return self._once(value)

    def _once(self, value: Any) -> Any:
        """Pack what may occur more than once, and refer to it from then on."""
        if id(value) not in self.places:
            self.places[id(value)] = f"{len(self.places)}", value  # the value is held, or its id could be used again
            return {"new": self.places[id(value)][0], **self._whole(value)}
        return {"same": self.places[id(value)][0]}

    def _whole(self, value: Any) -> dict[str, Any]:
        if isinstance(value, np.ndarray):
            return {"array": self._member("npy", _npy(value))}
        if isinstance(value, Column):
            return {"column": self._member("arrow", arrow_file(from_columns(["column"], [value.to_list()])))}
        if isinstance(value, Frame):
            return {"table": self._member("arrow", arrow_file(value)), "format": value.format}
        if isinstance(value, Roles):
            parts = {name: self(getattr(value, name)) for name in _ROLES}
            return {"kind": "Roles", "parts": parts}
        if type(value).__name__ in KINDS:
            names = _saved_fields(value) if is_dataclass(value) else value._fields
            parts = {name: self(getattr(value, name)) for name in names}
            parts |= {"digest": value.sha256()} if isinstance(value, Source) else {}
            return {"kind": type(value).__name__, "parts": parts}
        raise _UnfitError(f"they contain a {type(value).__name__}")

    def _member(self, ending: str, content: bytes) -> str:
        name = f"{len(self.members)}.{ending}"
        self.members[name] = content
        return name


def _saved_fields(value: Any) -> list[str]:
    left_out = _LEFT_OUT if isinstance(value, (Source, Keyed, Queries, QueryTable)) else ()
    return [each.name for each in fields(value) if each.name not in left_out]


_ROLES = ("source", "names", "chosen", "several", "taken", "hint", "reader")


class _Unpacker:
    """Turns what was packed back into values."""

    def __init__(self, saved: _Saved) -> None:
        self.saved = saved
        self.made: dict[str, Any] = {}

    def __call__(self, packed: Any) -> Any:
        """Return a value that was packed."""
        if not isinstance(packed, dict):
            return packed
        (what, content), *_ = packed.items()
        if what in _PLAIN:
            return _PLAIN[what](self(each) for each in content)
        if what == "float":
            return float(content)
        if what == "map":
            return {self(key): self(each) for key, each in content}
        if what == "same":
            return self.made[content]
        self.made[content] = made = self._whole(packed)
        return made

    def _whole(self, packed: dict[str, Any]) -> Any:
        if "array" in packed:
            return self.saved.array(packed["array"])
        if "column" in packed:
            return self.saved.frame(packed["column"]).column(0)
        if "table" in packed:
            return self.saved.frame(packed["table"]).read_from(packed["format"])
        parts = {name: self(each) for name, each in packed["parts"].items()}
        if packed["kind"] == "Roles":
            roles = Roles(parts["source"], parts["names"], {}, parts["taken"], parts["hint"], parts["reader"])
            roles.chosen, roles.several = parts["chosen"], parts["several"]
            return roles
        return KINDS[packed["kind"]](**parts)


_PLAIN: dict[str, Callable[[Any], Any]] = {"list": list, "tuple": tuple, "set": frozenset}
