"""One grade of several ratings: weighted means by hand, Dawid and Skene beside the formula, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.decisions.decisions import questions
from tests.cli.terminal import run

PEOPLE = {"ana": {"q": {"a": 3, "b": 0, "c": 2}}, "ben": {"q": {"a": 1, "b": 1}}, "eve": {"q": {"a": 0, "c": 1}}}


def ratings(raters: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a long table of grades by rater, ten documents a query."""
    return [
        {"query": f"q{unit // 10}", "doc": f"d{unit}", "rater": name, "grade": float(grade)}
        for name, grades in raters.items()
        for unit, grade in enumerate(grades)
    ]


def worlds(seed: int = 7) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
    """Return true grades of 300 documents, and what raters of several skills make of them."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 300)
    right = {"ana": 0.9, "ben": 0.7, "cem": 0.5, "dot": 0.5}
    return truth, {
        name: np.where(rng.random(300) < share, truth, rng.integers(0, 3, 300)) for name, share in right.items()
    }


def test_weighted_means_by_hand() -> None:
    """Each document's mean is over those who rated it; its weight is the sum of theirs."""
    found = ir.combine(PEOPLE, "weighted", weights={"ana": 2, "ben": 1, "eve": 0.5})
    rows = {row["doc"]: (row["grade"], row["weight"], row["ratings"]) for row in found.table}
    assert rows == {
        "a": (pytest.approx((2 * 3 + 1 * 1) / 3.5), 3.5, 3),
        "b": (pytest.approx(1 / 3), 3, 2),
        "c": (pytest.approx((2 * 2 + 0.5 * 1) / 2.5), 2.5, 2),
    }
    assert found.raters["weight"] == [2, 1, 0.5]


def test_a_weight_of_nothing_rates_nothing() -> None:
    """A document that only such a rater rated has no grade, which is counted."""
    found = ir.combine({**PEOPLE, "zoe": {"q": {"z": 2}}}, "weighted", weights={"ana": 1, "ben": 1, "eve": 1, "zoe": 0})
    assert found.table["doc"] == ["a", "b", "c"]
    assert found.notes == ("1 document rated only by raters of weight 0 has no grade.",)
    with pytest.raises(ir.DataError, match="every rating has weight 0"):
        ir.combine(PEOPLE, "weighted", weights={"ana": 0, "ben": 0, "eve": 0})


def by_formula(raters: dict[str, Any], grades: int, rounds: int) -> np.ndarray[Any, Any]:
    """Return the probabilities of true grades as Dawid and Skene (1979) print them, element by element."""
    given = list(raters.values())
    units = len(given[0])
    chance = np.array([[np.mean([g[u] == k for g in given]) for k in range(grades)] for u in range(units)])
    for _ in range(rounds):
        prior = chance.mean(axis=0)
        errors = [
            np.array([[chance[g == said, true].sum() for said in range(grades)] for true in range(grades)])
            for g in given
        ]
        errors = [each / each.sum(axis=1, keepdims=True) for each in errors]
        for u in range(units):
            for true in range(grades):
                chance[u, true] = prior[true] * np.prod([e[true, g[u]] for e, g in zip(errors, given, strict=True)])
        chance /= chance.sum(axis=1, keepdims=True)
    return chance


def test_dawid_and_skene_are_those_of_the_formula() -> None:
    """Grade and probability are the largest of a plain transcription; the better rater is right more often."""
    truth, raters = worlds()
    found = ir.combine(ratings(raters))
    expected = by_formula(raters, 3, 200)
    order = [int(doc[1:]) for doc in found.table["doc"]]
    assert found.table["probability"] == pytest.approx(expected.max(axis=1)[order], abs=1e-6)
    assert found.table["grade"] == expected.argmax(axis=1)[order].tolist()
    median = np.median(np.array(list(raters.values())), axis=0)
    assert np.mean(np.array(found.table["grade"]) == truth[order]) > np.mean(median == truth)
    ana, ben, *others = found.raters["right"]
    assert ana > ben > max(others)


def test_the_order_of_ratings_does_not_matter() -> None:
    """Shuffled rows give the same grades and probabilities."""
    rows = ratings(worlds()[1])
    mixed = [rows[place] for place in np.random.default_rng(1).permutation(len(rows))]
    assert ir.combine(rows).table.to_csv() == ir.combine(mixed).table.to_csv()


def test_copies_are_refused_unless_told() -> None:
    """A rater who copies another would be believed twice."""
    raters = worlds()[1]
    copied = ratings({**raters, "cem again": raters["cem"]})
    with pytest.raises(
        ir.DataError, match=r"cem and cem again gave the same grade to 100% of 300 documents.*copies=keep"
    ):
        ir.combine(copied)
    assert len(ir.combine(copied, copies="keep").table) == 300
    assert len(ir.combine(copied, "weighted", weights=dict.fromkeys([*raters, "cem again"], 1)).table) == 300


@pytest.mark.parametrize(
    ("source", "settings", "message"),
    [
        (PEOPLE, {"rule": "dawid"}, "rule=dawid is not an answer. Allowed: dawid_skene, weighted."),
        (PEOPLE, {"copies": "drop"}, "copies=drop is not an answer."),
        (PEOPLE, {"weights": {"ana": 1}}, "Dawid and Skene learn what raters are worth."),
        (PEOPLE, {"rule": "weighted"}, "weights are missing. Give one for each rater: weights={'ana': 1, …}."),
        (PEOPLE, {"rule": "weighted", "weights": {"ana": 1}}, "weights: none for ben, eve. Give 0"),
        (PEOPLE, {"rule": "weighted", "weights": {"anna": 1}}, "weights: no rater called 'anna'. Did you mean ana?"),
        (PEOPLE, {"rule": "weighted", "weights": {"ana": -1}}, "weights: ana has -1. A weight is a number from 0 up."),
        ([{"query": "q", "doc": "a", "rater": "ana", "grade": 1}], {}, "one rater, ana. There is nothing to combine"),
        (
            [
                {"query": "q", "doc": "a", "rater": name, "grade": word}
                for name, word in (("ana", "good"), ("ben", "bad"))
            ],
            {},
            "grades={",
        ),
    ],
)
def test_refuses(source: Any, settings: dict[str, Any], message: str) -> None:
    """A call that cannot be answered is told why, and what to do."""
    with pytest.raises((ir.UsageError, ir.DataError), match=re.escape(message)):
        ir.combine(source, **settings)


def test_combined_grades_are_judgments() -> None:
    """Any function that takes judgments takes them, and they are written as JSON."""
    found = ir.combine(PEOPLE, "weighted", weights={"ana": 1, "ben": 1, "eve": 1})
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    by_mean = ir.evaluate(
        {"q": {"a": 4 / 3, "b": 0.5, "c": 1.5}}, run, ["nDCG@10"],
    )["nDCG@10"]  # fmt: skip
    assert ir.evaluate(found, run, ["nDCG@10"])["nDCG@10"] == pytest.approx(by_mean)
    assert ir.evaluate(found.judgments, run, ["nDCG@10"])["nDCG@10"] == pytest.approx(by_mean)
    assert json.loads(found.to_json())["judgments"][1] == {
        "query": "q",
        "doc": "b",
        "grade": 0.5,
        "ratings": 2,
        "weight": 2.0,
    }


def test_optimistic_and_pessimistic_are_other_names() -> None:
    """The decision raters says so, and has no answers of these names."""
    answers = questions()["raters"].answers
    assert "optimistic" in answers["max"]
    assert "pessimistic" in answers["min"]
    assert {"optimistic", "pessimistic", "dawid_skene", "weighted"}.isdisjoint(answers)


@pytest.mark.parametrize(
    ("word", "python", "typed"),
    [
        ("dawid_skene", "ir.combine(ratings, 'dawid_skene')", "idealrank combine RATINGS -o combined.csv"),
        ("Dawid-Skene", "ir.combine(ratings, 'dawid_skene')", "idealrank combine RATINGS -o combined.csv"),
        (
            "weighted",
            "ir.combine(ratings, 'weighted', weights={rater: weight, …})",
            "idealrank combine RATINGS --rule weighted --weight RATER=N … -o combined.csv",
        ),
        ("optimistic", "Optimistic is raters=max.", "Optimistic is --raters max."),
        ("pessimistic", "Pessimistic is raters=min.", "Pessimistic is --raters min."),
    ],
)
def test_ways_of_combining_that_are_no_answers_name_the_call(word: str, python: str, typed: str) -> None:
    """Whoever asks the decision for them is told what to write instead, in Python as on the command line."""
    with pytest.raises(ir.UsageError) as refused:
        ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, raters=word)  # type: ignore[arg-type]
    allowed = f"raters={word} is not an answer. Allowed: median, mean, majority, max, min. "
    assert str(refused.value).startswith(allowed)
    assert python in str(refused.value)
    shop = Path(__file__).parents[2] / "examples" / "shop"
    done = run("evaluate", str(shop / "judgments.csv"), str(shop / "bm25.csv"), "--raters", word)
    assert done.code == 2
    said = " ".join(done.err.split())
    assert allowed in said
    assert typed in said
    assert "ir." not in said


def test_the_command_writes_judgments(tmp_path: Path) -> None:
    """What it writes is read as judgments; -q leaves out the grades; weights are typed by rater."""
    path = tmp_path / "ratings.csv"
    rows = ratings(worlds()[1])
    path.write_text("query,doc,rater,grade\n" + "".join(f"{','.join(map(str, row.values()))}\n" for row in rows))
    assert run("combine", str(path), "-o", str(tmp_path / "one.csv")).code == 0
    scores = [
        ir.evaluate(judged, {"q0": {"d0": 1.0}}, ["nDCG@10"]) for judged in (tmp_path / "one.csv", ir.combine(rows))
    ]
    assert scores[0]["nDCG@10"] == scores[1]["nDCG@10"]
    brief, whole = run("combine", str(path), "-q").out, run("combine", str(path)).out
    assert brief.startswith("combined   300 grades of 1,200 ratings by 4 raters: Dawid and Skene.")
    assert len(whole) > 3 * len(brief)
    weights = [word for name in ("ana", "ben", "cem", "dot") for word in ("--weight", f"{name}=1")]
    said = json.loads(run("combine", str(path), "--rule", "weighted", *weights, "--json").out)
    assert said["judgments"][0]["weight"] == 4
    for typed, message in (
        (("--weight", "ana"), "--weight 'ana' is not NAME=NUMBER"),
        (("--rule", "weighted"), "Give one for each rater: --weight ana=1 …"),
        (("--weight", "ana=1"), "or take --rule weighted"),
    ):
        done = run("combine", str(path), *typed)
        assert (done.code, message in " ".join(done.err.split())) == (2, True)


def test_shares_beside_grades_are_no_grades() -> None:
    """Clicks from 0 to 1 beside people from 0 to 3: Dawid and Skene refuse, weighted means say that scales differ."""
    people = {f"q{i}": {f"d{j}": float((i + j) % 4) for j in range(4)} for i in range(20)}
    shares = {q: {d: 0.013 * i + int(q[1:]) / 90 for i, d in enumerate(docs)} for q, docs in people.items()}
    both = {"ana": people, "clicks": shares}
    with pytest.raises(ir.DataError, match="put them into the same few grades first"):
        ir.combine(both)
    assert any(
        "Scales may differ" in note for note in ir.combine(both, "weighted", weights={"ana": 1, "clicks": 1}).notes
    )


def test_a_file_without_a_column_of_grades_is_asked_for_it(tmp_path: Path) -> None:
    """A French sheet calls grades note, which is a comment elsewhere: nothing is taken for a grade of 1."""
    rows = [f"q{i // 8:02},shoes,d{i:03},{i % 4 if i else 'cannot tell'}" for i in range(160)]
    for name, column in (("ana", "grade"), ("ben", "note")):
        (tmp_path / f"{name}.csv").write_text("\n".join([f"query,text,doc,{column}", *rows]) + "\n")
    with pytest.raises(ir.DataError, match="no column of grades, so each row would be a grade of 1"):
        ir.agreement([tmp_path / "ana.csv", tmp_path / "ben.csv"])
