"""No measure without golden rows, no convention without an oracle or a transcription."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from idealrank.conventions import CONVENTIONS, parse_convention
from idealrank.errors import UsageError
from idealrank.measures import DEFINITIONS, parse
from tests.golden.tables import read_cases, read_printout
from tests.golden.test_tools import rows

TESTS = Path(__file__).parents[1]


def golden_measures() -> set[str]:
    """Return the measures that have rows in tests/golden: of a notebook, of trec_eval, or of another tool."""
    names = [str(case[key]) for case in read_cases() for key in ("measure", "measures") if key in case]
    names += [name for file in (TESTS / "golden" / "trec_eval").glob("*.tsv") for name in read_printout(file.name)]
    names += [row.measure for row in rows()]
    return {found for name in names for found in meant(name)}


def meant(name: str) -> set[str]:
    """Return the measures a name means, none where it is no measure."""
    try:
        return {measure.definition.name for measure in parse(name)}
    except UsageError:
        return set()


def conventions_in(folder: str) -> set[str]:
    """Return the conventions that tests in a folder evaluate under."""
    texts = [file.read_text("utf-8") for file in (TESTS / folder).glob("test_*.py")]
    quoted = {word for text in texts for word in re.findall(r"\"([^\"\n]+)\"", text)}
    found = set()
    for word in quoted:
        try:
            found.add(parse_convention(word).convention.name if word.split(",")[0] in CONVENTIONS else "")
        except UsageError:
            continue
    return found


@pytest.mark.parametrize("name", [definition.name for definition in DEFINITIONS])
def test_a_measure_has_golden_rows(name: str) -> None:
    """A measure has rows in tests/golden, from a paper or from another tool."""
    assert name in golden_measures(), f"{name}: put rows of a paper or another tool into tests/golden"


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_convention_has_an_oracle(name: str) -> None:
    """A convention is compared with the tool itself in tests/oracles, or with its printed numbers in tests/golden."""
    known = conventions_in("oracles") | conventions_in("golden")
    known |= {parse_convention(case["convention"]).convention.name for case in read_cases() if "convention" in case}
    assert name in known, f"{name}: compare it with the tool in tests/oracles"


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_name_has_one_home(name: str) -> None:
    """A convention names only what no measure is called by itself: names are listed once."""
    assert [theirs for theirs in CONVENTIONS[name].names if meant(theirs)] == []


@pytest.mark.parametrize("name", ["gm_map", "GM_MAP", "gm_bpref"])
def test_a_name_carries_its_answer(name: str) -> None:
    """A name that carries an answer carries it in any case of letters."""
    assert parse(name)[0].decisions.average == "geometric"
