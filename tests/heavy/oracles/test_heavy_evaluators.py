"""BEIR, mteb and recommenders: the numbers `make oracles` had from them, in tests/golden/oracles, query by query."""

from __future__ import annotations

import re
from typing import Any

import pytest

import idealrank as ir
from tests.golden.oracles import given
from tests.heavy.oracles.test_heavy import Numbers, rows, split, version
from tests.oracles.conftest import Compare
from tests.oracles.data import values

FIVE_DIGITS = 0.5001e-5
OF_BEIR = {"Accuracy": "Success"}
OF_MTEB = {"ndcg_cut": "nDCG", "map_cut": "AP", "recall": "R", "P": "P", "success": "Success"}

UNSUPPORTED = ("Hole", "r_precision_at_k")
"""A hole is there a document judged for no query; the other leaves out users by what was found."""


def supported(tool: str) -> list[Any]:
    """Return the measures of a tool that its convention has."""
    return [row for row in rows(tool) if not str(row.id).startswith(UNSUPPORTED)]


def own(found: Numbers, numbers: Numbers) -> Numbers:
    """Keep the queries the tool gave a number for."""
    return {query: value for query, value in found.items() if query in numbers}


@pytest.mark.parametrize(("grades", "order", "measure", "numbers"), supported("beir"))
def test_beir(grades: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """Its five decimals of single queries, and its means, which divide by two different numbers of queries."""
    name, k = measure.split("@")
    name = f"{OF_BEIR.get(name, name)}@{k}"
    scores = ir.evaluate(given.judgments(grades), given.results(order), [name], convention="beir")
    queries, mean = split(numbers)
    compare(version("beir"), own(values(scores), queries), queries, measure, FIVE_DIGITS)
    if mean:
        compare(version("beir"), {"all": scores.all_means[0][0]}, mean, f"mean {measure}", FIVE_DIGITS)


@pytest.mark.parametrize(("grades", "order", "measure", "numbers"), supported("mteb"))
def test_mteb(grades: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """Its numbers of single queries, those of pytrec_eval among them, and its means of five decimals."""
    name, k = re.fullmatch(r"(\w+?)(?:@|_at_|_)(\d+)", measure).groups()  # type: ignore[union-attr]
    said = f"R(recall_denominator=min(R,k))@{k}" if name == "R_cap" else f"{OF_MTEB.get(name, name)}@{k}"
    scores = ir.evaluate(given.judgments(grades), given.results(order), [said], convention="mteb")
    queries, mean = split(numbers)
    if queries:
        compare(version("mteb"), own(values(scores), queries), queries, measure)
    if mean:
        compare(version("mteb"), {"all": scores.all_means[0][0]}, mean, f"mean {measure}", FIVE_DIGITS)


def convention_of(score_type: str | None) -> str:
    """Return the convention of a gain: binary relevance is the default."""
    return f"recommenders-{score_type}" if score_type else "recommenders"


@pytest.mark.parametrize(("grades", "order", "measure", "numbers"), supported("recommenders"))
def test_recommenders(grades: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """Every row of its truth is relevant; NDCG has three gains and two discounts, and a mean over more users."""
    name, k, _, gain, base = re.fullmatch(  # type: ignore[union-attr]
        r"(\w+)\(k=(\d+)(,score_type=(\w+),discfun_type=(\w+))?\)", measure
    ).groups()
    judged = {query: {d: g for d, g in docs.items() if g > 0} for query, docs in given.judgments(grades).items()}
    judged = {query: docs for query, docs in judged.items() if docs}
    discount = "log2" if base == "log2" else "ln"
    convention = f"{convention_of(gain)}, discount={discount}"
    said = f"AP@{k}" if name == "map" else f"{name.removesuffix('_k')}_{k}"
    scores = ir.evaluate(judged, given.results(order), [said], convention=convention)
    queries, mean = split(numbers)
    compare(version("recommenders"), own(values(scores), queries), queries, measure)
    compare(version("recommenders"), {"all": scores.all_means[0][0]}, mean, f"mean {measure}")
