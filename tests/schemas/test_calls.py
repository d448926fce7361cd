"""What commands print is what their schemas say, and not anything else."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from idealrank.cli.schemas import catalogue, schema_of
from tests.cli.terminal import run
from tests.schemas.calls import CALLS, WRITES
from tests.schemas.records import CLOSED, records
from tests.schemas.validation import WRITING, check, check_files, faults, validator

SCHEMAS = list(catalogue())


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    """Every schema is one of draft 2020-12, and each of its own keys is described in words."""
    whole = schema_of(name)
    Draft202012Validator.check_schema(whole)
    assert whole["$id"] == f"urn:idealrank:schema:{name}"
    assert whole["title"]
    assert not list(_undescribed(whole)), "keys without a description"


def _undescribed(schema: Any, place: str = "") -> Iterator[str]:
    """Yield the keys that say nothing of what they contain; a common part says it itself."""
    for key, inner in schema.get("properties", {}).items():
        if not {"description", "$ref", "anyOf"} & set(inner):
            yield f"{place}.{key}"
    for key in ("properties", "$defs"):
        for name, inner in schema.get(key, {}).items():
            yield from _undescribed(inner, f"{place}.{name}")
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from _undescribed(schema[key], f"{place}[]")
    for key in ("anyOf", "oneOf"):
        for each in schema.get(key, ()):
            yield from _undescribed(each, place)


def test_every_schema_is_tried() -> None:
    """There is a call for every schema: of what a command prints, or of a file that it writes."""
    assert set(CALLS) == {name for name, output in catalogue().items() if not output.of_file}
    assert set(WRITES) == {name for name, output in catalogue().items() if output.of_file}


@pytest.mark.parametrize(("name", "words"), [(name, words) for name, calls in CALLS.items() for words in calls])
def test_printed(name: str, words: tuple[str, ...], files: Path) -> None:
    """The JSON of a call is what its own schema says, and not one of another view; it is refused if it is changed."""
    found = run(*words, "--json", cwd=files)
    assert found.code in WRITING, found.err
    _check_whole(name, found.out)


@pytest.mark.parametrize("name", WRITES)
def test_written(name: str, files: Path) -> None:
    """A file that a call writes is what its own schema says; it is refused if it is changed."""
    words, file = WRITES[name]
    assert run(*words, cwd=files).code == 0
    _check_whole(name, (files / file).read_text("utf-8"))


REFUSED: set[tuple[str, str]] = set()
"""Schemas and changes that were refused in this process: another call of the same schema need not try them again."""


def _check_whole(name: str, text: str) -> None:
    value = _shortened(check(name, text))
    assert not faults(name, value)
    for place, change, how in _changed(value, name):
        if (name, how) not in REFUSED:
            assert faults(name, _with(value, place, change)), how
            REFUSED.add((name, how))


def _shortened(value: Any) -> Any:
    """Leave two items of every list: one is changed below, and whatever is looked for is in the first."""
    if isinstance(value, list):
        return [_shortened(each) for each in value[:2]]
    return {key: _shortened(each) for key, each in value.items()} if isinstance(value, dict) else value


def test_a_file_without_a_schema(tmp_path: Path) -> None:
    """A JSON file that a call writes and no schema describes is told, whatever command writes it."""
    (tmp_path / "summary.json").write_text('{"mean": 0.5}', "utf-8")
    with pytest.raises(AssertionError, match=r"summary\.json: no schema describes it"):
        check_files(["evaluate"], [tmp_path / "summary.json"])


def _changed(value: Any, name: str) -> Iterator[tuple[tuple[Any, ...], Any, str]]:
    """Yield a key fewer, a key more, and a number as text, wherever keys are described: the place and the change."""
    whole = validator(name).schema
    for place, _, schema in records(value, whole, whole.get("$defs", {})):
        for key in schema["required"]:
            yield place, lambda at, key=key: at.pop(key), f"{place} without {key}"
        if schema["additionalProperties"] in CLOSED:
            yield place, lambda at: at.update({"no such key": 1}), f"{place} with another key"
        for key, inner in list(_at(value, place).items()):
            if isinstance(inner, (int, float)) and key in schema["properties"]:
                yield place, lambda at, key=key: at.update({key: "much"}), f"{place}.{key} as text"


def _with(value: Any, place: tuple[Any, ...], change: Any) -> Any:
    copied = copy.deepcopy(value)
    change(_at(copied, place))
    return copied


def _at(value: Any, place: tuple[Any, ...]) -> Any:
    for step in place:
        value = value[step]
    return value


def test_the_command_prints_the_schema(files: Path) -> None:
    """`schema NAME` prints the schema, to a file too; without a name it lists all, a line each."""
    assert json.loads(run("schema", "gate").out) == schema_of("gate")
    assert run("schema", "gate", "-o", "gate.schema.json", cwd=files).out == ""
    assert json.loads((files / "gate.schema.json").read_text("utf-8")) == schema_of("gate")
    assert [line.split()[0] for line in run("schema").lines if not line.startswith(" ")] == SCHEMAS
    assert "\t" not in run("schema").out  # a list to read; a table is written
    assert run("schema", "-o", "all.tsv", cwd=files).out == ""
    assert [line.split("\t")[0] for line in (files / "all.tsv").read_text("utf-8").splitlines()] == SCHEMAS
    assert "Did you mean compare?" in run("schema", "compar").err


def test_names_are_completed() -> None:
    """A shell completes the name of a schema."""
    words = {"_IDEALRANK_COMPLETE": "bash_complete", "COMP_WORDS": "idealrank schema compare-lo", "COMP_CWORD": "2"}
    assert [line.rpartition(",")[2] for line in run(env=words).lines] == ["compare-losses", "compare-lost-value"]
