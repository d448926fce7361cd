"""Which measures a convention computes: those its tool has, by the tool's own list of names."""

from __future__ import annotations

import ir_measures
import pytest
import pytrec_eval

import idealrank as ir
from idealrank.conventions import CONVENTIONS, parse_convention
from idealrank.errors import UsageError
from idealrank.evaluation.requested_measures import measures_under
from idealrank.integrations.trec_eval.arguments import MEASURES
from idealrank.measures import parse

F_OF_ANY_BETA = {"F"}
"""set_F and SetF are F1 as they stand, and F with a parameter."""

NOT_A_MEASURE = ("runid", "relstring")
"""Names of trec_eval that say something else than a number of a measure here."""


def meant(names: set[str]) -> set[str]:
    """Return our measures behind names of trec_eval."""
    return {parse(name)[0].definition.name for name in names if not name.startswith(NOT_A_MEASURE)}


@pytest.mark.parametrize("version", ["9.0.8", "10.0"])
def test_trec_eval(version: str) -> None:
    """trec_eval has the measures behind its names (measures.c), dcg, rbp and unj in 10.0 only."""
    names = {name for name, entry in MEASURES.items() if entry.is_in(version)}
    assert CONVENTIONS[f"trec_eval-{version}"].measures == meant(names) | F_OF_ANY_BETA


def test_pytrec_eval() -> None:
    """pytrec_eval has its supported_measures."""
    assert CONVENTIONS["pytrec_eval"].measures == meant(pytrec_eval.supported_measures) | F_OF_ANY_BETA


def test_ir_measures() -> None:
    """ir_measures has the measures of its registry, and RBOToIdeal as Compat(normalize=False)."""
    under = parse_convention("ir_measures")
    own = {"IPrec": "IPrec@0.1", "SDCG": "nDCG(ideal=max)"}
    names = [own.get(name, name) for name in ir_measures.measures.registry if not name.startswith("α")]
    found = {measure.definition.name for name in names for measure in measures_under(under, [name])}
    assert CONVENTIONS["ir_measures"].measures == found | F_OF_ANY_BETA | {"RBOToIdeal"}


@pytest.mark.parametrize("convention", ["trec_eval-9.0.8", "trec_eval-10.0", "pytrec_eval", "real-life"])
@pytest.mark.parametrize("measure", ["alpha_nDCG", "ERR", "PFound"])
def test_others_are_refused(convention: str, measure: str) -> None:
    """A measure the tool does not have is not supported under its convention, and stands so in the table."""
    data = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    with pytest.raises(UsageError, match=f"{measure} is not supported under {convention}"):
        ir.evaluate(*data, [measure], convention=convention)
    assert ir.conventions_table(*data, measure, conventions=[convention])["note"][0] == "unsupported"


def test_9_0_8_has_no_dcg() -> None:
    """DCG and RBP came with 10.0."""
    data = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    assert ir.evaluate(*data, ["dcg"], convention="trec_eval-10.0")["dcg"] == 1.0
    with pytest.raises(UsageError, match="not supported under"):
        ir.evaluate(*data, ["dcg"], convention="trec_eval-9.0.8")
