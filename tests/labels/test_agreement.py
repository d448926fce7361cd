"""Agreement of raters, against printed numbers and scikit-learn."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.statistics.agreement import (
    RatedUnits,
    agreement_sums,
    chance_agreement,
    cohen_kappa,
    count_grades,
    dawid_skene,
    fleiss_kappa,
    gwet_ac,
    gwet_error,
    kappa_weights,
    krippendorff_alpha,
    percent_agreement,
)
from tests.amounts import tried
from tests.cli.terminal import run
from tests.golden.oracles.ratings import tables

# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C: four observers, twelve units.
OBSERVERS = {
    "A": "1 2 3 3 2 1 4 1 2 . . .",
    "B": "1 2 3 3 2 2 4 1 2 5 . 3",
    "C": ". 3 3 3 2 3 4 2 2 5 1 .",
    "D": "1 2 3 3 2 4 4 1 2 5 1 .",
}


def ratings() -> list[dict[str, Any]]:
    """Return the same as a long table, three units a query."""
    return [
        {"query": f"q{unit // 3}", "doc": f"d{unit}", "rater": rater, "grade": float(grade)}
        for rater, row in OBSERVERS.items()
        for unit, grade in enumerate(row.split())
        if grade != "."
    ]


@pytest.mark.parametrize(
    ("scale", "alpha", "ac", "error"),
    [
        ("nominal", 0.743421052631579, 0.775444, 0.142950),
        ("ordinal", 0.815388, 0.898940, 0.106904),
        ("interval", 0.849107142857143, 0.914001, None),
        ("ratio", 0.797403, None, None),
    ],
)
def test_coefficients_are_the_printed_ones(scale: str, alpha: float, ac: float | None, error: float | None) -> None:
    """Alpha is Krippendorff's (2011), AC1 and AC2 with their errors are those of irrCAC 0.4.4."""
    found = ir.agreement(ratings(), scale=scale, draws=2)
    assert found["alpha"] == pytest.approx(alpha, abs=5e-7)
    if ac is not None:
        assert found["ac"] == pytest.approx(ac, abs=5e-7)
    if error is not None:
        assert found.standard_error == pytest.approx(error, abs=5e-7)


def test_fleiss_kappa_is_the_printed_one() -> None:
    """Fleiss (1971), table 1 as Wikipedia prints it: 14 raters, ten subjects, five categories."""
    table = """0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"""
    counts = np.array([[float(n) for n in row.split()] for row in table.split("|")])
    grades = np.arange(5.0)
    assert fleiss_kappa(agreement_sums(RatedUnits(counts, grades)), "nominal", grades) == pytest.approx(
        0.209931, abs=1e-6
    )


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(20))
def test_kappa_is_that_of_scikit_learn(seed: int) -> None:
    """Cohen's kappa, plain, linear and quadratic, of two raters who agree more or less."""
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(seed)
    first = rng.integers(0, 4, 60)
    second = np.where(rng.random(60) < rng.random(), first, rng.integers(0, 4, 60))
    table = np.zeros((4, 4))
    np.add.at(table, (first, second), 1)
    grades = np.arange(4.0)
    for scale, weights in (("nominal", None), ("ordinal", "linear"), ("interval", "quadratic")):
        theirs = cohen_kappa_score(first, second, labels=range(4), weights=weights)
        assert cohen_kappa(table, kappa_weights(scale, grades)).value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("seed", range(tried(20)))
def test_alpha_is_that_of_all_pairs_of_ratings(seed: int) -> None:
    """The sums give what Krippendorff's definition gives, pair by pair of ratings, on small worlds with gaps."""
    rng = np.random.default_rng(seed)
    unit = rng.integers(0, 12, 40)
    unit = np.unique(unit, return_inverse=True)[1]
    grade = rng.choice([0.0, 1.0, 3.0], 40)
    rated = count_grades(unit, grade)
    sums = agreement_sums(rated)
    many = np.bincount(unit)
    usable = [place for place in range(40) if many[unit[place]] >= 2]
    observed = sum(
        (grade[i] - grade[j]) ** 2 / (many[unit[i]] - 1)
        for i in usable
        for j in usable
        if i != j and unit[i] == unit[j]
    ) / len(usable)
    expected = sum((grade[i] - grade[j]) ** 2 for i in usable for j in usable) / (len(usable) * (len(usable) - 1))
    assert krippendorff_alpha(sums, "interval", rated.grades) == pytest.approx(1 - observed / expected, abs=1e-12)
    equal = [
        np.mean([grade[i] == grade[j] for i in usable for j in usable if i != j and unit[i] == unit[j] == u])
        for u in np.flatnonzero(many >= 2)
    ]
    assert percent_agreement(sums, "nominal", rated.grades) == pytest.approx(float(np.mean(equal)), abs=1e-12)


def test_what_cannot_be_told_is_not_told() -> None:
    """One grade everywhere, and no document rated twice: every coefficient is missing, and a sentence says why."""
    one = ir.agreement({"ana": {"q": {"a": 3, "b": 3}}, "ben": {"q": {"a": 3, "b": 3}}}, draws=2)
    assert one.untold == "Cannot be told: only one grade was given, 3."
    assert all(math.isnan(one[name]) for name in ("alpha", "kappa", "ac"))
    apart = ir.agreement({"ana": {"q": {"a": 3}}, "ben": {"q": {"b": 1}}}, draws=2)
    assert apart.untold == "Cannot be told: no document was rated by two raters."
    assert math.isnan(apart["percent"])


def test_the_order_of_rows_does_not_matter() -> None:
    """The same ratings in another order give the same JSON, to the last bit."""
    rows = ratings()
    assert ir.agreement(rows).to_json() == ir.agreement(rows[::-1]).to_json()


def test_long_wide_and_a_table_for_each_are_the_same() -> None:
    """One table with a column of raters, one with a column for each, and one table for each rater."""
    wide: dict[str, list[Any]] = {"query": [], "doc": [], **{f"rater_{name}": [] for name in OBSERVERS}}
    for unit in range(12):
        wide["query"].append(f"q{unit // 3}")
        wide["doc"].append(f"d{unit}")
        for name, row in OBSERVERS.items():
            cell = row.split()[unit]
            wide[f"rater_{name}"].append(None if cell == "." else float(cell))
    each: dict[str, dict[str, dict[str, float]]] = {name: {} for name in OBSERVERS}
    for row in ratings():
        each[row["rater"]].setdefault(row["query"], {})[row["doc"]] = row["grade"]
    found = [ir.agreement(source).to_dict() for source in (ratings(), wide, each)]
    assert found[0] == found[1] == found[2]


def test_intervals_cover_more_where_queries_differ() -> None:
    """Ratings of a query are not independent: the interval by queries is wider than Gwet's error by documents."""
    rng = np.random.default_rng(5)
    rows = []
    for query in range(40):
        agree = rng.random() < 0.5  # in half of the queries raters agree on everything, in the others on nothing
        for doc in range(20):
            grade = int(rng.integers(0, 4))
            for rater in "ab":
                own = grade if agree else int(rng.integers(0, 4))
                rows.append({"query": f"q{query}", "doc": f"d{doc}", "rater": rater, "grade": own})
    found = ir.agreement(rows, scale="nominal")
    low, high = found.intervals["ac"]
    assert low < found["ac"] < high
    assert high - low > 2 * 2 * 1.96 * found.standard_error


def test_raters_who_stand_out_are_named() -> None:
    """A rater of one grade, a copy, one who contradicts himself, one with a single rating."""
    rng = np.random.default_rng(2)
    rows = []
    for doc in range(60):
        grades = {name: int(rng.integers(0, 4)) for name in ("ana", "ben")}
        grades |= {"copy": grades["ana"], "flat": 1}
        rows += [{"query": f"q{doc % 6}", "doc": f"d{doc}", "rater": r, "grade": g} for r, g in grades.items()]
    rows += [{"query": "q0", "doc": "d0", "rater": "ana", "grade": 9}]
    rows += [{"query": "q0", "doc": "d0", "rater": "zoe", "grade": 2}]
    text = "\n".join(ir.agreement(rows, draws=2).findings)
    assert "flat gave grade 1 to all 60 documents" in text
    assert "ana and copy gave the same grade to 100% of 60 documents" in text
    assert "ben and" not in text
    assert "ana rated 1 document again and gave the same grade to 0%" in text
    assert "1 rater with a single rating: zoe." in text


def test_withheld_grades_are_no_grades(tmp_path: Path) -> None:
    """``cannot tell`` and ``later`` are counted, and never a grade of 0; another word is refused with its line."""
    path = tmp_path / "r.csv"
    path.write_text("query,doc,rater,grade\nq,a,ana,2\nq,a,ben,Cannot tell\nq,b,ana,1\nq,b,ben,1\nq,c,ben,later\n")
    found = ir.agreement(path, draws=2)
    assert found.ratings.withheld == {"cannot tell": 1, "later": 1}
    assert (len(found.ratings), found["percent"]) == (3, 1.0)
    scores = ir.evaluate(path, {"q": {"a": 2, "b": 1}}, ["nDCG@10"])
    assert scores["nDCG@10"] == 1.0
    path.write_text("query,doc,rater,grade\nq,a,ana,2\nq,a,ben,cannot tell\nq,b,ben,two\n")
    with pytest.raises(ir.DataError, match=r"line 4: grade 'two' is not a number"):
        ir.agreement(path)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param({"q": {"a": 1}}, "nothing says who rated", id="one rater without a name"),
        pytest.param(
            [{"query": "q", "doc": "a", "rater": "", "grade": 1}],
            "a grade without a rater",
            id="a grade without a rater",
        ),
    ],
)
def test_refuses_what_has_no_raters(source: Any, message: str) -> None:
    """A message says what is missing."""
    with pytest.raises(ir.DataError, match=message):
        ir.agreement(source)


def test_options_of_a_comparison_need_systems() -> None:
    """A measure without systems, and a scale there is not."""
    with pytest.raises(ir.UsageError, match="need systems"):
        ir.agreement(ratings(), measures=["nDCG@10"])
    with pytest.raises(ir.UsageError, match="ordinl"):
        ir.agreement(ratings(), scale="ordinl")


def test_dawid_and_skene_trust_the_better_raters() -> None:
    """Five raters, right in 85 % to 25 % of cases: more of 3,000 grades are right than by majority."""
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 4, 3000)
    right = [0.85, 0.7, 0.6, 0.4, 0.25]
    grades = np.array([np.where(rng.random(3000) < p, truth, rng.integers(0, 4, 3000)) for p in right])
    unit, rater = np.tile(np.arange(3000), 5), np.repeat(np.arange(5), 3000)
    found = dawid_skene(unit, rater, grades.ravel(), 4)
    counts = np.stack([(grades == grade).sum(axis=0) for grade in range(4)])
    by_model, by_majority = (float(np.mean(said == truth)) for said in (found.chances.argmax(1), counts.argmax(0)))
    assert by_model > by_majority + 0.01
    diagonal = [found.errors[r].diagonal().mean() for r in range(5)]
    assert diagonal == sorted(diagonal, reverse=True)


def test_the_verdict_under_each_rater_is_that_of_comparing_by_hand() -> None:
    """Each row is what `compare` says with the ratings of that rater alone."""
    shop = Path(__file__).parents[2] / "examples" / "shop"
    systems = [shop / "bm25.csv", shop / "hybrid.csv"]
    found = ir.agreement(shop / "judgments.csv", draws=2, results=systems)
    assert found.verdicts is not None
    alone = ir.compare(ir.read_judgments(shop / "judgments.csv", grade="rater_2"), systems, ["nDCG@10"])
    (row,) = found.verdicts.filter(**{"judged by": "rater_2 alone"})
    assert row["difference"] == pytest.approx(alone["nDCG@10"].difference, abs=1e-12)
    assert row["verdict"] == alone.verdict.outcome
    assert len(found.verdicts) == 7


def test_whoever_has_just_begun_has_no_verdict_yet() -> None:
    """A rater of nothing that was returned: no difference of theirs, and the verdicts of all others as they are."""
    shop = Path(__file__).parents[2] / "examples" / "shop"
    systems = [shop / "bm25.csv", shop / "hybrid.csv"]
    rows = ir.read_judgments(shop / "judgments.csv").rows_to_write()
    columns = {"query": [*rows.query, "q19"], "doc": [*rows.doc, "nowhere"], "rater": [*rows.words["rater"], "ana"]}
    found = ir.agreement({**columns, "grade": [*rows.grade.tolist(), 3.0]}, draws=2, results=systems)
    assert found.verdicts is not None
    (row,) = found.verdicts.filter(**{"judged by": "ana alone"})
    assert (row["queries"], row["verdict"]) == (0, "CAN'T TELL")
    assert math.isnan(row["difference"])
    before = ir.agreement(shop / "judgments.csv", draws=2, results=systems).verdicts
    assert before is not None
    for name in ("rater_1 alone", "rater_3 alone"):
        (now,), (then,) = (table.filter(**{"judged by": name}) for table in (found.verdicts, before))
        assert now["difference"] == then["difference"]


def test_the_command_says_the_base_rate_first(tmp_path: Path) -> None:
    """The text begins with equal grades and what chance would make of them; JSON has everything."""
    path = tmp_path / "r.csv"
    path.write_text("query,doc,rater,grade\n" + "\n".join(",".join(map(str, r.values())) for r in ratings()) + "\n")
    done = run("agreement", str(path))
    assert done.out.startswith("agreement  41 ratings by 4 raters; 11 documents of 12 rated by two or more.")
    assert "82% of cases; chance alone would make it 24%" in " ".join(done.out.split())
    whole = json.loads(run("agreement", str(path), "--json").out)
    assert whole["coefficients"][2]["value"] == pytest.approx(0.815388, abs=5e-7)


def test_chance_is_dealt_by_prevalence() -> None:
    """Half zeros and half ones agree by chance in half of the cases."""
    rated = count_grades(np.array([0, 0, 1, 1]), np.array([0.0, 1.0, 0.0, 1.0]))
    sums = agreement_sums(rated)
    assert chance_agreement(sums, "nominal", rated.grades) == 0.5
    assert gwet_ac(sums, "nominal", rated.grades) == pytest.approx(-1.0)
    assert math.isfinite(gwet_error(rated, "nominal"))


ORACLES = Path(__file__).parents[1] / "golden" / "oracles"


def said_by(tool: str) -> list[Any]:
    """Return what a tool said of the ratings that all tools were given."""
    return list(zip(tables(), json.loads((ORACLES / f"{tool}.json").read_text("utf-8"))["rows"], strict=True))


def rated(table: Any) -> RatedUnits:
    """Count the grades of raters × units."""
    unit, rater = np.nonzero(~np.isnan(table.T))
    return count_grades(unit, table[rater, unit])


@pytest.mark.parametrize("place", range(24))
def test_coefficients_are_those_of_other_packages(place: int) -> None:
    """Alpha is that of krippendorff; AC, its error and Fleiss' kappa are those of irrCAC: `make oracles` runs them."""
    (table, alpha), (_, gwet) = said_by("krippendorff")[place], said_by("irrcac")[place]
    units = rated(table)
    sums = agreement_sums(units)
    for scale, value in alpha.items():
        assert krippendorff_alpha(sums, scale, units.grades) == pytest.approx(value, abs=1e-10)
    assert fleiss_kappa(sums, "nominal", units.grades) == pytest.approx(gwet.pop("fleiss"), abs=1e-10)
    for scale, (value, error) in gwet.items():
        assert gwet_ac(sums, scale, units.grades) == pytest.approx(value, abs=1e-10)
        assert gwet_error(units, scale) == pytest.approx(error, abs=1e-10)


@pytest.mark.parametrize(("queries", "is_said"), [(1, False), (2, True), (19, True), (20, False)])
def test_few_queries_make_intervals_too_short_and_that_is_said(queries: int, is_said: bool) -> None:
    """Counted are the queries with a document rated twice: others say nothing of how raters agree."""
    ana = {f"q{i:02}": {"a": i % 3, "b": (i + 1) % 3} for i in range(30)}
    ben = {f"q{i:02}": {"a": i % 2, "b": (i + 1) % 3} for i in range(queries)}
    found = ir.agreement({"ana": ana, "ben": ben})
    note = f"{queries} queries with documents rated twice: with fewer than 20, intervals by queries are too short"
    assert found.interval_note == (note if is_said else "")
    assert found.to_dict()["interval_note"] == found.interval_note
    assert (f"on a scale that is ordinal; {note}" in " ".join(str(found).split())) == is_said


def test_untold_coefficients_have_no_note_of_intervals() -> None:
    """Where there is no interval, there is nothing to say of one."""
    same = {f"q{i}": {"a": 1} for i in range(5)}
    assert ir.agreement({"ana": same, "ben": same}).interval_note == ""


BY_HAND = [
    ("q1", "a", "ana", 2, "x"), ("q1", "a", "ben", 2, "x"), ("q1", "a", "eve", 1, "x"), ("q1", "b", "ana", 0, "x"),
    ("q1", "b", "ben", 1, "x"), ("q1", "c", "ana", 1, "x"), ("q2", "d", "ana", 2, "y"), ("q2", "d", "eve", 2, "y"),
    ("q3", "e", "ana", 0, None), ("q3", "f", "ana", 1, None),
]  # fmt: skip
"""Query, document, rater, grade and language: a is rated by three, b and d by two, the others by one."""


def by_hand(**options: Any) -> ir.Agreement:
    """Return the agreement of the ratings above."""
    names = ("query", "doc", "rater", "grade", "language")
    return ir.agreement(dict(zip(names, map(list, zip(*BY_HAND, strict=True)), strict=True)), draws=2, **options)


def near(rows: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> bool:
    """Whether rows have what is wanted of them."""
    found = [{name: row[name] for name in want} for row, want in zip(rows, wanted, strict=True)]
    return found == [{name: pytest.approx(cell, nan_ok=True) for name, cell in want.items()} for want in wanted]


def test_raters_are_as_by_hand() -> None:
    """Equal grades and means are over documents that others rated; each other rater of a document counts alike."""
    wanted: list[dict[str, Any]] = [
        # Of a, one of two others gave the same, of b none, of d the other.
        {"ratings": 6, "shared": 3, "agreement": (1 / 2 + 0 + 1) / 3, "mean": 6 / 6, "above others": (0.5 - 1 + 0) / 3},
        {"ratings": 2, "shared": 2, "agreement": (1 / 2 + 0) / 2, "mean": 3 / 2, "above others": (0.5 + 1) / 2},
        {"ratings": 2, "shared": 2, "agreement": (0 + 1) / 2, "mean": 3 / 2, "above others": (-1 + 0) / 2},
    ]
    found = by_hand()
    assert found.by_rater["rater"] == ["ana", "ben", "eve"]
    assert near(found.by_rater.rows(), wanted)
    rows = [row for row in BY_HAND if row[2] != "ben"]
    names = ("query", "doc", "rater", "grade")
    without = ir.agreement(dict(zip(names, list(map(list, zip(*rows, strict=True)))[:4], strict=True)), draws=2)
    assert found.by_rater["alpha without"][1] == pytest.approx(without["alpha"])
    assert without["alpha"] != pytest.approx(found["alpha"])


def test_pairs_of_raters_are_as_by_hand() -> None:
    """Chance is of the two raters' own grades, and on an ordinal scale a grade beside counts half of three."""
    wanted: list[dict[str, Any]] = [
        {"first": "ana", "second": "ben", "shared": 2, "agreement": 1 / 2, "by chance": 1 / 4, "kappa": 1 / 3,
         "weighted kappa": (3 / 4 - 1 / 2) / (1 / 2)},
        {"first": "ana", "second": "eve", "shared": 2, "agreement": 1 / 2, "by chance": 1 / 2, "kappa": 0},
        {"first": "ben", "second": "eve", "shared": 1, "agreement": 0, "by chance": 0, "kappa": 0},
    ]  # fmt: skip
    assert near(
        by_hand().by_pair.rows(),
        [{name: cell for name, cell in row.items() if not isinstance(cell, str)} for row in wanted],
    )
    assert [(row["first"], row["second"]) for row in by_hand().by_pair] == [
        (row["first"], row["second"]) for row in wanted
    ]


def test_grades_are_as_by_hand() -> None:
    """What another rater gave to the documents of each grade, where each document counts as much as another."""
    wanted: list[dict[str, Any]] = [
        {"grade": 0, "ratings": 2, "agreement": 0, "0": 0, "1": 1, "2": 0},
        # 1 was given to a, where both others gave 2 (a third of a's six pairs), and to b, where the other gave 0.
        {"grade": 1, "ratings": 4, "agreement": 0, "0": 0.6, "1": 0, "2": 0.4},
        {"grade": 2, "ratings": 4, "agreement": 0.8, "0": 0, "1": 0.2, "2": 0.8},
    ]
    assert near(by_hand().by_grade.rows(), wanted)


def test_segments_are_as_the_ratings_of_each_alone(tmp_path: Path) -> None:
    """A row per value of the column, those without one together; on the command line, too."""
    found = by_hand(by="language")
    assert [(row["segment"], row["ratings"], row["shared"]) for row in found.by_segment] == [
        ("(none)", 2, 0), ("x", 6, 2), ("y", 2, 1),
    ]  # fmt: skip
    assert found.by_segment["percent"] == pytest.approx([math.nan, (1 / 3 + 0) / 2, 1], nan_ok=True)
    names = ("query", "doc", "rater", "grade")
    rows = [row[:4] for row in BY_HAND if row[4] == "x"]
    alone = ir.agreement(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)), draws=2)
    for name in ("alpha", "kappa", "ac"):
        assert found.by_segment[name][1] == pytest.approx(alone[name])
    assert not len(by_hand().by_segment)
    lines = [",".join("" if cell is None else str(cell) for cell in row) for row in BY_HAND]
    (tmp_path / "ratings.csv").write_text("\n".join(["query,doc,rater,grade,language", *lines]) + "\n")
    done = run("agreement", "ratings.csv", "--by", "Language", "--json", cwd=tmp_path)
    assert [row["segment"] for row in json.loads(done.out)["by_segment"]] == ["(none)", "x", "y"]
    done = run("agreement", "ratings.csv", "--by", "langage", cwd=tmp_path)
    assert "no column called 'langage'. Did you mean language?" in done.err
