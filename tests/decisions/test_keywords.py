"""A keyword that nothing is called by is refused with what was probably meant."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir

QRELS = {"q1": {"d1": 1}}
RUN = {"q1": {"d1": 1.0}}


@pytest.mark.parametrize(
    ("keyword", "hint"),
    [
        ("k", "put the cutoff in the measure's name, as in measures=['nDCG@10']"),
        ("as_", "convention='trec_eval-9.0.8'"),
        ("metrics", "measures=['nDCG@10', 'P@5']"),
        ("grade", "read_judgments(table, grade='…') returns"),
        ("rank", "read_results(table, rank='…') returns"),
        ("query", "read_judgments(table, query='…') and read_results(table, query='…') return"),
        ("doc_col", "read_results(table, doc='…')"),
        ("weight", "weights=…"),
        ("qrels", "judgments are the first argument"),
        ("run", "results are the second argument"),
        ("gian", "No keyword or decision called 'gian'. Did you mean gain?"),
        ("convntion", "Did you mean convention?"),
    ],
)
def test_what_was_meant(keyword: str, hint: str) -> None:
    """The hint names the argument or the function to use."""
    for call in (ir.evaluate, ir.explain, ir.flavors):
        if (call, keyword) in ((ir.flavors, "k"), (ir.explain, "query")):
            continue
        with pytest.raises(ir.UsageError) as refused:
            call(QRELS, RUN, **{keyword: "x"})  # type: ignore[operator]
        assert hint in str(refused.value)


@pytest.mark.parametrize("answers", [{"ideal": "local"}, {"unjudged": "filter"}, {"short_list": "k"},
                                     {"convention": "sklearn, ideal=max"}])  # fmt: skip
def test_flavors_refuse_what_they_do_not_read(answers: dict[str, Any]) -> None:
    """What every flavour answers for itself, and what none reads, is refused with the way out."""
    with pytest.raises(ir.UsageError, match="Leave out"):
        ir.flavors(QRELS, RUN, **answers)


def test_flavors_keep_what_they_read() -> None:
    """Other decisions, and a convention's own ideal, are no mistake."""
    assert ir.flavors(QRELS, RUN, gain="exp2", convention="sklearn")["NDCG-zg"] == {"q1": 1.0}


@pytest.mark.parametrize("name", ["SKLEARN", "Trec_Eval-9.0.8", "trec-eval-9.0.8, no_results=0"])
def test_conventions_by_any_case(name: str) -> None:
    """Conventions are found whatever the letter case, - or _."""
    assert ir.evaluate(QRELS, RUN, ["nDCG@5"], convention=name)["nDCG@5"] == 1.0


def test_the_tool_s_measures_by_any_case() -> None:
    """So are the tool's names for measures."""
    from idealrank.conventions import CONVENTIONS

    for convention in CONVENTIONS.values():
        for name in convention.names:
            assert list(ir.evaluate(QRELS, RUN, [name.upper()], convention=convention.name).measures)


def test_a_missing_comma() -> None:
    """An answer behind a convention without a comma is told as that."""
    with pytest.raises(ir.UsageError) as refused:
        ir.evaluate(QRELS, RUN, convention="trec_eval-9.0.8 no_results=0")
    said = "'trec_eval-9.0.8 no_results=0': a comma is missing. Write 'trec_eval-9.0.8, no_results=0'."
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("typed", "hint"),
    [("xyzzy", "Known: AP,"), ("ndcgg", "mean nDCG?"), ("mpa", "mean map?"), ("recal", "mean recall?")],
)
def test_the_nearest_measure(typed: str, hint: str) -> None:
    """The nearest name is suggested; a single letter is near to nothing."""
    with pytest.raises(ir.UsageError) as refused:
        ir.evaluate(QRELS, RUN, [typed])
    assert hint in str(refused.value)
