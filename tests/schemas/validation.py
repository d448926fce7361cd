"""Check JSON against the schemas of the package, by a validator that is not ours."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from idealrank.cli.schemas import Output, catalogue, schema_of
from tests.schemas.records import undocumented

WRITING = (0, 1, 4)
"""Exit codes of commands that have printed what was asked for."""


@functools.cache
def validator(name: str) -> Draft202012Validator:
    """Return the validator of a schema."""
    return Draft202012Validator(schema_of(name))


def refused(text: Any) -> Any:
    """Refuse NaN and Infinity, which are no JSON."""
    raise AssertionError(f"{text} is no JSON")


def read(text: str) -> Any:
    """Read the first JSON value of a text as a strict reader does."""
    return json.JSONDecoder(parse_constant=refused).raw_decode(text)[0]


def faults(name: str, value: Any) -> list[str]:
    """Return what a schema does not allow in a value, each with its place; a column that is not described, too."""
    errors = validator(name).iter_errors(value)
    found = [f"{name}{each.json_path.removeprefix('$')}: {each.message[:300]}" for each in errors]
    return found or [f"{name}.{text}" for text in undocumented(value, schema_of(name))]


def check(name: str, text: str) -> Any:
    """Check a text against a schema; return its value."""
    value = read(text)
    found = faults(name, value)
    assert not found, "\n".join(found[:5])
    return value


def outputs_of(words: Sequence[str]) -> list[Output]:
    """Return the outputs that a call may print: those of its command with the most of its flags."""
    given = {word.partition("=")[0] for word in words}
    known = [each for each in catalogue().values() if each.command == words[0] and not each.of_file]
    fitting = [each for each in known if given.issuperset(each.flags)]
    most = max((len(each.flags) for each in fitting), default=0)
    return [each for each in fitting if len(each.flags) == most]


def check_printed(words: Sequence[str], out: str, folder: Path) -> None:
    """Check the JSON that a call printed, or wrote with -o; calls that write none are left alone."""
    if not words:
        return
    target = next((words[i + 1] for i, word in enumerate(words[:-1]) if word in ("-o", "--output")), "")
    text = _written(words, out, folder / target) if outputs_of(words) else ""
    if not text:
        return
    value = read(text)
    found = {output.name: faults(output.name, value) for output in outputs_of(words)}
    assert not all(found.values()), "\n".join(fault for each in found.values() for fault in each[:5])


def check_files(words: Sequence[str], files: Iterable[Path]) -> None:
    """Check the JSON files that a call wrote: each is one of the files described, or what the call prints."""
    known = [*(each for each in catalogue().values() if each.of_file), *outputs_of(words)]
    for file in files:
        value = read(file.read_text("utf-8"))
        found = [fault for each in known if each.of_file for fault in faults(each.name, value)[:3]]
        fits = any(not faults(each.name, value) for each in known)
        assert fits, "\n".join([f"{file}: no schema describes it: add one with of_file, or mend one:", *found])


OF_SERVERS = ("gl-code-quality-report.json", "idealrank-issues.json")
"""Files in formats of build servers, which are described there."""


def json_files(folder: Path | None) -> dict[Path, int]:
    """Return the JSON files in a folder, with when each was written."""
    files = [] if folder is None else folder.rglob("*.json")
    return {file: file.stat().st_mtime_ns for file in files if file.name not in OF_SERVERS}


def _written(words: Sequence[str], out: str, file: Path) -> str:
    """Return the JSON that was written; empty where none was asked for."""
    if file.suffix == ".json" and words[0] != "replay":
        return file.read_text("utf-8") if file.exists() else ""
    return out.strip() if "--json" in words and not file.suffix else ""
