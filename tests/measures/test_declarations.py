"""How measures are declared: their order, their descriptions, and that they are pickled by name."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

import idealrank as ir
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures import DEFINITIONS, FAMILIES, Definition, parse
from idealrank.measures.definition import COUNT, Family
from idealrank.measures.steps import Steps, ones, unsplit

ORDER = """
    nDCG DCG CG ERR LinearERR P R F1 RR AP Bpref Rprec Success AllRecall StepsToFirst StepsToAll RBP BinaryNDCG
    Judged NumRet NumRel NumRelRet NumQ F SetAP RprecMult IPrec IAP11 infAP yaap binG G nDCGRel RnDCG IDCG
    Utility Unjudged RBPResidual NumNonRelRet prefs_simp prefs_pair prefs_avgjg prefs_simp_imp prefs_pair_imp
    prefs_avgjg_imp prefs_simp_ret prefs_pair_ret prefs_avgjg_ret prefs_avgjg_Rnonrel prefs_avgjg_Rnonrel_ret
    prefs_num_prefs_poss prefs_num_prefs_ful prefs_num_prefs_ful_ret INSQ INST BPM NERR8 NERR9 NERR10 NERR11
    GradedRBP NormalisedRBP Compat RBOToIdeal PFound Q OPA AUC ARP Fallout AverageGain RankBiasedGain alpha_DCG
    alpha_nDCG ERR_IA nERR_IA NRBP nNRBP AP_IA P_IA StRecall AP_avgjg P_avgjg RprecMult_avgjg CharR CharP
    CharIoU
"""


def test_the_order_of_the_tables() -> None:
    """Tables, pages and `--json` list the measures in this order: what is added goes where its family ends."""
    assert [definition.name for definition in DEFINITIONS] == ORDER.split()


def test_families_hold_every_measure() -> None:
    """Every measure is declared in one family, and a family says what it is."""
    assert [each for family in FAMILIES for each in family.definitions] == list(DEFINITIONS)
    assert all(family.about.endswith((".", ")")) for family in FAMILIES)


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda definition: definition.name)
def test_a_definition_is_pickled_by_name(definition: Definition) -> None:
    """A process that unpickles a definition has its own of that name: functions and partials are not sent."""
    sent = pickle.dumps(definition)
    assert pickle.loads(sent) is definition
    assert len(sent) < 100 + len(definition.name)


def test_a_measure_arrives_as_it_was() -> None:
    """A measure keeps its cutoff, parameters and decisions, and equals the one that was sent."""
    measure = parse("RBP(p=0.5, rel=2)@7")[0]
    arrived = pickle.loads(pickle.dumps(measure))
    assert arrived == measure
    assert (arrived.name, arrived.fingerprint) == (measure.name, measure.fingerprint)
    assert arrived.definition is measure.definition


def zero(lists: JudgedLists, decisions: Decisions) -> Steps:
    """0 for each query.

    Source: nobody.
    """
    del decisions
    return unsplit(lists, {}, 0 * ones(lists), "it is always 0")


@pytest.mark.parametrize(
    ("declared", "documentation"),
    [
        pytest.param({}, "0 for each query.\n\nSource: nobody.", id="the docstring"),
        pytest.param(
            {"shared": "It has no use."},
            "0 for each query.\n\nIt has no use.\n\nSource: nobody.",
            id="and what is shared",
        ),
        pytest.param({"about": "Nothing."}, "Nothing.", id="a description in its place"),
    ],
)
def test_a_measure_is_described(declared: dict[str, str], documentation: str) -> None:
    """A measure is described by its docstring; what several share comes before the source."""
    family = Family("Measures of nothing.\n\nMore.", total="sum")
    assert family.measure("Zero", title="Zero", reads=(), properties=COUNT, **declared)(zero) is zero
    (definition,) = family.definitions
    assert (family.about, definition.total, definition.compute) == ("Measures of nothing.", "sum", zero)
    assert definition.documentation == documentation


@pytest.mark.heavy
def test_without_docstrings_the_title_describes() -> None:
    """Under `python -OO`, which drops docstrings, a measure is described by its title."""
    code = "import idealrank as ir; print(ir.measures('mrr')['says'][:2])"
    found = subprocess.run([sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == (
        "['Reciprocal rank of the first relevant result', 'Reciprocal rank of the first relevant result.']\n"
    )


@pytest.mark.parametrize("name", ["rbp.95", "RBP.8"])
def test_a_persistence_is_not_read_as_a_cutoff(name: str) -> None:
    """Ranx writes the persistence of RBP behind a point, where others have a cutoff: which it is, is asked."""
    digits = name.partition(".")[2]
    with pytest.raises(ir.UsageError, match=rf"Write RBP\(p=0\.{digits}\) or RBP@{digits}\."):
        ir.measure(name)
    assert ir.measure("P.5").cutoff == 5
