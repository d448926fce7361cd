"""faults=on: the known faults of a tool that answers can say."""

from __future__ import annotations

import pytest

import idealrank as ir
from idealrank.conventions import CONVENTIONS, Convention, parse_convention

QRELS = {"q": {"a": 1.7, "b": 0.5}, "r": {"c": 1}}
RUN = {"q": {"b": 2.0, "a": 1.0}}
FAULTY = [convention for convention in CONVENTIONS.values() if convention.switched]


@pytest.mark.parametrize("convention", FAULTY, ids=lambda convention: convention.name)
def test_a_fault_changes_an_answer(convention: Convention) -> None:
    """Every fault that can be switched on says its place, and answers otherwise than the convention does."""
    for fault in convention.switched:
        assert fault.what
        assert fault.seen
        assert all(convention.decisions.text(name) != answer for name, answer in fault.answers.items())
    faulty = parse_convention(f"{convention.name}, faults=on")
    assert set(faulty.decisions.departures(convention.decisions)) == {n for f in convention.switched for n in f.answers}


def test_faults_are_off_by_default() -> None:
    """A convention leaves the faults off; faults=off says so in words."""
    for text in ("trec_eval-9.0.8", "trec_eval-9.0.8, faults=off"):
        assert parse_convention(text).decisions.gain == "linear"


def test_a_setting_is_read_back() -> None:
    """The text of a setting holds faults=on, before the overrides, which win."""
    setting = parse_convention("trec_eval-10.0, gain=exp2, faults=on")
    assert setting.text == "trec_eval-10.0, faults=on, gain=exp2"
    assert setting.decisions == parse_convention(setting.text).decisions
    assert (setting.decisions.gain, setting.decisions.no_results) == ("exp2", "error")


def test_the_fraction_of_a_grade_is_cut_off() -> None:
    """1.7 counts as 1 and 0.5 as 0: the only relevant document stands at rank 2."""
    scores = ir.evaluate(QRELS, RUN, ["nDCG"], convention="trec_eval-9.0.8, faults=on")
    assert scores["nDCG"] == pytest.approx(0.6309297535714575, abs=1e-12)


def test_a_missing_topic_stops_trec_eval_10() -> None:
    """Without -c, trec_eval 10.0 stops at a topic the run lacks."""
    with pytest.raises(ir.DataError):
        ir.evaluate(QRELS, RUN, ["nDCG"], convention="trec_eval-10.0, faults=on")


def test_what_cannot_be_switched_is_said() -> None:
    """A convention without such a fault, an answer other than on and off, and a keyword are refused in words."""
    with pytest.raises(ir.UsageError, match=r"sklearn has no known fault .* Leave faults=on out"):
        parse_convention("sklearn, faults=on")
    with pytest.raises(ir.UsageError, match="Allowed: off, on"):
        parse_convention("trec_eval-9.0.8, faults=yes")
    with pytest.raises(ir.UsageError, match="beside its name"):
        ir.evaluate(QRELS, RUN, ["nDCG"], faults="on")
