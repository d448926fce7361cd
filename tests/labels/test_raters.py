"""What raters' tables say beside grades: scales, times, groups, ids, columns, cells without a grade."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

import idealrank as ir
from idealrank.labels.ratings import read_ratings
from idealrank.statistics.agreement import interval_alpha, number_sums
from idealrank.statistics.correlations import rank_trend
from tests.amounts import tried
from tests.cli.terminal import run


def world(seed: int = 3, queries: int = 30, docs: int = 6) -> list[dict[str, Any]]:
    """Return ratings of two people who mostly agree, on grades from 0 to 3."""
    rng = np.random.default_rng(seed)
    rows = []
    for query in range(queries):
        for doc in range(docs):
            grade = int(rng.integers(0, 4))
            for rater in ("ana", "ben"):
                own = grade if rng.random() < 0.8 else int(rng.integers(0, 4))
                rows.append({"query": f"{query:03}", "doc": f"d{doc}", "rater": rater, "grade": float(own)})
    return rows


def mapped(rows: list[dict[str, Any]], change: Any) -> list[dict[str, Any]]:
    """Return ratings in which those of ben are changed."""
    return [{**row, "grade": change(row["grade"])} if row["rater"] == "ben" else row for row in rows]


def text(found: ir.Agreement) -> str:
    """Return what stands out as one text."""
    return "\n".join(found.findings)


# Weighted kappa.


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(tried(10)))
@pytest.mark.parametrize(("scale", "weights"), [("ordinal", "linear"), ("interval", "quadratic")])
def test_weighted_kappa_is_of_the_values_of_two_raters(seed: int, scale: str, weights: str) -> None:
    """Of grades with a gap it is scikit-learn's over every whole number between, whatever a third rater gives."""
    rng = np.random.default_rng(seed)
    first = rng.choice([0, 1, 4], 50)
    second = np.where(rng.random(50) < 0.6, first, rng.choice([0, 1, 4], 50))
    people = [
        {"query": f"q{doc % 5}", "doc": f"d{doc}", "rater": name, "grade": int(grade)}
        for name, grades in (("ana", first), ("ben", second))
        for doc, grade in enumerate(grades)
    ]
    third = [{"query": "q0", "doc": f"d{doc}", "rater": "eve", "grade": doc % 10} for doc in range(30)]
    from sklearn.metrics import cohen_kappa_score

    theirs = cohen_kappa_score(first, second, labels=range(5), weights=weights)
    for ratings in (people, people + third):
        (row,) = ir.agreement(ratings, scale=scale, draws=2).by_pair.filter(first="ana", second="ben")
        assert row["weighted kappa"] == pytest.approx(theirs, abs=1e-12)


# Scales.


def test_continuous_grades_are_refused_where_steps_are_asked_for() -> None:
    """Shares of clicks beside grades of people: one message names the rater, the range and what to do."""
    rng = np.random.default_rng(1)
    rows = mapped(world(), lambda grade: (grade + rng.random()) / 4)
    with pytest.raises(ir.UsageError) as refused:
        ir.agreement(rows)
    said = str(refused.value)
    assert "ben gave 180 different grades, from 0.0274" in said
    assert "most of them no whole numbers (beside ana from 0 to 3), and scale=ordinal compares steps" in said
    assert "idealrank clicks --grades" in said
    assert "scale=interval" in said
    with pytest.raises(ir.UsageError, match="scale=nominal compares steps"):
        ir.agreement(rows, scale="nominal")


def test_continuous_grades_have_an_alpha_of_numbers() -> None:
    """On an interval scale alpha is told, with its interval; that scales differ is said."""
    rng = np.random.default_rng(1)
    noisy = mapped(world(), lambda grade: min(max(grade + rng.normal(0, 0.2), 0), 3))
    found = ir.agreement(noisy, scale="interval", draws=200)
    low, high = found.intervals["alpha"]
    assert low < found["alpha"] < high
    assert np.isnan([found["percent"], found["kappa"], found["ac"]]).all()
    assert "only alpha can be told" in found.headline
    assert not len(found.by_grade)
    assert json.loads(found.to_json())["coefficients"][0]["value"] is None
    shares = ir.agreement(mapped(noisy, lambda grade: grade / 3), scale="interval", draws=2)
    assert re.search(r"Scales may differ: grades of ana from 0 to 3; ben from 0 to 1, most of them no wh", text(shares))


@pytest.mark.parametrize("seed", range(tried(10)))
def test_alpha_of_numbers_is_alpha_of_grades(seed: int) -> None:
    """Where grades have steps, the sums of numbers give the alpha of the table of grades, query by query or not."""
    rng = np.random.default_rng(seed)
    rows = [row for row in world(seed) if rng.random() < 0.9]
    found = ir.agreement(rows, scale="interval", draws=2)
    ratings = found.ratings
    query = np.unique(ratings.query[ratings.first_of_unit], return_inverse=True)[1]
    sums = number_sums(ratings.unit, ratings.grade + 1e9, query)
    assert float(interval_alpha(sums.sum(axis=0))) == pytest.approx(found["alpha"], abs=1e-9)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda grade: grade * 10, "ana never goes above 3, as others do for"),
        (lambda grade: grade + 1, "grades of ana from 0 to 3; ben from 1 to 4. ana never goes above 3"),
        (lambda grade: max(grade, 1.0), "ben never goes below 1, as others do for"),
        (lambda grade: min(grade, 1.0), "ben never goes above 1, as others do for"),
        (lambda grade: grade / 2 + 0.25, "ben from 0.25 to 1.75, most of them no whole numbers"),
    ],
)
def test_scales_that_differ_are_told(change: Any, said: str) -> None:
    """A highest or lowest grade that others go beyond, and fractions beside whole numbers."""
    assert said in text(ir.agreement(mapped(world(), change), draws=2))


def test_one_scale_is_not_doubted() -> None:
    """Raters on one scale, one of whom rated little, and one of one grade, have no scales that differ."""
    rows = [*world(), *({"query": "000", "doc": f"d{doc}", "rater": "eve", "grade": doc % 2} for doc in range(4))]
    rows += [{**row, "rater": "flat", "grade": 1} for row in rows if row["rater"] == "ana"]
    assert "Scales" not in text(ir.agreement(rows, draws=2))


# Columns.


@pytest.mark.parametrize("form", ["grade_{}", "{}_grade", "Grade {}", "rating_{}", "rater-{}"])
def test_columns_named_by_rater_are_raters(form: str) -> None:
    """A column of grades for each rater, called by name in front or behind, with a Max who is a person."""
    names = ["Anna", "Jörg", "Max"]
    columns = {form.format(name): [3, 0, 1, None] for name in names} | {form.format("Max"): [1, 2, 0, 1]}
    table = {"query": ["q", "q", "r", "r"], "doc": ["a", "b", "a", "b"], **columns}
    assert ir.agreement(table, draws=2).ratings.raters == ("Anna", "Jörg", "Max")


@pytest.mark.parametrize(
    "names", [["grade_new", "grade_old"], ["grade_mean", "grade_sd"], ["grade_ana"], ["level", "grade_note"]]
)
def test_other_columns_are_no_raters(names: list[str]) -> None:
    """Versions of a grade, what was made of grades, and a single column are not several raters."""
    table = {"query": ["q", "q"], "doc": ["a", "b"], **{name: [1, 0] for name in names}}
    with pytest.raises(ir.DataError, match="no grade column"):
        ir.read_judgments(table)


def test_the_highest_of_the_ratings_is_no_rater() -> None:
    """grade_max beside raters whose highest grade it is, in every row, is left out."""
    ana, ben = [3, 0, 1, 2], [2, 1, 1, 0]
    table = {"query": ["q"] * 4, "doc": list("abcd"), "grade_ana": ana, "grade_ben": ben, "grade_max": [3, 1, 1, 2]}
    assert ir.agreement(table, draws=2).ratings.raters == ("ana", "ben")


# Ids.


def test_lost_zeros_of_ids_are_told() -> None:
    """Ids of one rater that lost their leading zeros meet none of the other's, and a sentence says why."""
    rows = world()
    people = {name: [row for row in rows if row["rater"] == name] for name in ("ana", "ben")}
    lost = [{**row, "query": str(int(row["query"]))} for row in people["ben"]]
    found = ir.agreement(people["ana"] + lost, draws=2)
    assert found.untold == "Cannot be told: no document was rated by two raters."
    assert "30 query ids of raters differ only in leading zeros: '0' of ben, '000' of ana." in text(found)
    both = [*rows, *({**row, "query": str(int(row["query"]))} for row in rows)]
    assert "differ only" not in text(ir.agreement(both, draws=2))


# Cells without a grade.


def test_withheld_grades_are_counted_by_rater_and_once(tmp_path: Path) -> None:
    """A file given twice counts once; what was put off and graded later is not withheld."""
    ana, ben = tmp_path / "ana.csv", tmp_path / "ben.csv"
    ana.write_text("query,doc,grade\nq,a,2\nq,b,cannot tell\nq,c,later\nq,c,1\nq,d,later\n")
    ben.write_text("query,doc,grade\nq,a,2\nq,b,1\nq,c,1\n")
    found = ir.agreement([ana, ana, ben], draws=2)
    assert found.ratings.withheld == {"cannot tell": 1, "later": 1}
    assert found.by_rater["no grade"] == [2, 0]
    wide = tmp_path / "wide.csv"
    wide.write_text("query,doc,rater_ana,rater_ben\nq,a,2,2\nq,b,cannot tell,1\nq,c,1,cannot tell\n,,,\n")
    assert ir.agreement(wide, draws=2).by_rater["no grade"] == [1, 1]


def test_a_rater_without_a_grade_is_listed(tmp_path: Path) -> None:
    """Who could never tell has a row, and no mean."""
    path = tmp_path / "r.csv"
    path.write_text("query,doc,rater,grade\nq,a,ana,2\nq,a,ben,1\nq,a,eve,cannot tell\n")
    rows = json.loads(run("agreement", str(path), "--json").out)["by_rater"]
    assert (rows[2]["rater"], rows[2]["ratings"], rows[2]["no grade"], rows[2]["mean"]) == ("eve", 0, 1, None)


@pytest.mark.parametrize("cell", ["weiß nicht", "?", "n/a", "don't know", "not sure"])
@pytest.mark.parametrize("name", ["grade", "rater_1"])
def test_a_cell_of_doubt_is_told_its_word(cell: str, name: str, tmp_path: Path) -> None:
    """Other ways to say that one cannot tell are refused, with the word that is counted."""
    path = tmp_path / "r.csv"
    path.write_text(f"query;doc;{name};rater\n1;a;1,5;ana\n1;b;{cell};ana\n1;c;cannot tell;ana\n")
    with pytest.raises(ir.DataError, match=r"line 3: .* is not a number\..* write 'cannot tell' there"):
        ir.evaluate(path, {"1": {"a": 1}}, ["nDCG@10"])


def test_decimal_commas_stand_beside_cells_without_a_grade(tmp_path: Path) -> None:
    """1,5 is a number in a column with cells that say cannot tell, too."""
    path = tmp_path / "r.csv"
    path.write_text("query;doc;rater_1;rater_2\n1;a;1,5;2\n1;b;cannot tell;2\n1;c;0;0,5\n")
    assert ir.agreement(path, draws=2).ratings.grade.tolist() == [1.5, 2.0, 2.0, 0.0, 0.5]


def test_a_word_of_doubt_is_no_label(tmp_path: Path) -> None:
    """Among words it is not proposed as a label that is worth something; nicht relevant is."""
    path = tmp_path / "r.csv"
    path.write_text("query,doc,grade\n1,a,nicht relevant\n1,b,weiß nicht\n1,c,gut\n")
    with pytest.raises(ir.DataError, match=r"'nicht relevant': …, 'gut': …}.*write 'cannot tell'"):
        ir.evaluate(path, {"1": {"a": 1}}, ["nDCG@10"])


def test_a_rater_of_one_grade_is_told_with_advice(tmp_path: Path) -> None:
    """What to do is said, with what alpha would be, and -q says it, too."""
    rows = [*world(), *({**row, "rater": "flat", "grade": 2.0} for row in world() if row["rater"] == "ana")]
    path = tmp_path / "r.csv"
    path.write_text("query,doc,rater,grade\n" + "".join(f"{','.join(map(str, row.values()))}\n" for row in rows))
    said = " ".join(run("agreement", str(path), "-q").out.split())
    assert "flat gave grade 2 to all 180 documents: such ratings say nothing. Leave flat out (alpha without" in said


# Times.


def test_a_rater_who_drifts_is_told() -> None:
    """Grades that rise with time against those of others are told with both ends; steady ones are not."""
    rng = np.random.default_rng(5)
    rows: list[dict[str, Any]] = []
    for query in range(60):
        turn = 59 - query  # the last query is rated first
        for doc in range(8):
            grade = float(rng.integers(0, 4))
            for rater in ("ana", "ben", "eve"):
                own = grade if rng.random() < 0.7 else float(rng.integers(0, 4))
                own = min(3.0, own + 1) if rater == "eve" and rng.random() < turn / 60 else own
                time = 1.7e9 + turn * 600 + doc * 5
                rows.append({"query": f"q{query}", "doc": f"d{doc}", "rater": rater, "grade": own, "time": time})
    found = ir.agreement(rows, draws=2)
    # ben falls against the others, of whom one rises, and is not told of.
    assert found.drift.filter(rater="ben")[0]["p"] < 0.001
    (said,) = [one for one in found.findings if "with time" in one]
    assert said.startswith("eve's grades rise with time against those of others: 0.0469 above in the first third of 60")
    assert "0.6687 above in the last" in said
    row = found.drift.filter(rater="eve")[0]
    assert row["last third"] > row["first third"] + 0.3
    assert row["p"] < 0.001
    assert found.to_dict()["drift"][2]["queries"] == 60
    steady = ir.agreement([row for row in rows if row["rater"] != "eve"], draws=2)
    assert len(steady.drift) == 2
    assert "with time" not in text(steady)
    assert not len(ir.agreement(world(), draws=2).drift)


@pytest.mark.parametrize("seed", range(tried(10)))
def test_the_rank_test_is_that_of_scipy(seed: int) -> None:
    """The correlation is Spearman's, ties or not; its p-value is near that of 2,000 orders."""
    rng = np.random.default_rng(seed)
    time, values = rng.random(20), rng.integers(0, 5, 20).astype(float)
    found = rank_trend(time, values)
    assert found.correlation == pytest.approx(spearmanr(time, values).statistic, abs=1e-12)
    orders = [abs(rank_trend(time, rng.permutation(values)).correlation) for _ in range(2000)]
    assert found.p == pytest.approx(np.mean(np.array(orders) >= abs(found.correlation) - 1e-12), abs=0.05)


@pytest.mark.parametrize(
    ("time", "message"),
    [
        ("-5", r"line 3: time -5 is before 1970 or after 2100. Mend it, or leave the column out"),
        ("99999999999999", r"line 3: time 99999999999999 is before 1970 or after 2100"),
        ("1890-01-01", r"line 3: time .*1890-01-01.*"),
        ("noon", r"line 3: time .*noon.*"),
    ],
)
def test_impossible_times_are_refused(time: str, message: str, tmp_path: Path) -> None:
    """Negative and huge times, and texts that are none, are refused with their line."""
    path = tmp_path / "r.csv"
    path.write_text(f"query,doc,rater,grade,time\nq,a,ana,1,1700000000\nq,b,ana,2,{time}\nq,c,ana,2,1700000009\n")
    with pytest.raises(ir.DataError, match=message):
        ir.agreement(path)


def test_times_in_words_and_in_numbers_are_the_same(tmp_path: Path) -> None:
    """ISO 8601, seconds and milliseconds; numbers that took so many seconds are no times."""
    times = {
        "iso": ["2023-11-14T22:13:20Z", "2023-11-14 22:13:21", ""],
        "seconds": ["1700000000", "1700000001", ""],
        "milliseconds": ["1700000000000", "1700000001000", ""],
    }
    for name, (one, other, none) in times.items():
        path = tmp_path / f"{name}.csv"
        path.write_text(f"query,doc,rater,grade,time\nq,a,ana,1,{one}\nq,b,ana,2,{other}\nq,c,ana,2,{none}\n")
        np.testing.assert_array_equal(read_ratings(path).time, [1.7e9, 1.7e9 + 1, np.nan])
    path.write_text("query,doc,rater,grade,time\nq,a,ana,1,12.5\nq,b,ana,2,8\n")
    assert not len(read_ratings(path).time)


def test_the_earliest_rating_counts() -> None:
    """By time, and not by row, where a document was rated again; that rows are in another order is told."""
    base = {"query": "q", "doc": "a", "rater": "ana"}
    rows = [{**base, "grade": 3, "time": 1.7e9 + 60}, {**base, "grade": 1, "time": 1.7e9}]
    rows += [{**base, "rater": "ben", "grade": 1, "time": 1.7e9}]
    found = ir.agreement(rows, draws=2)
    assert found["percent"] == 1.0
    assert "1 document rated again in a row above the first rating" in text(found)
    assert "in a row above" not in text(ir.agreement(rows[1::-1] + rows[2:], draws=2))


# Groups.


def test_groups_of_raters_by_hand(tmp_path: Path) -> None:
    """Each document counts once; the groups are said by a dict, by a column, and on the command line."""
    grades = {"ana": [3, 0, 1], "ben": [3, 1, 1], "gpt": [3, 2, 3]}
    rows = [
        {"query": "q", "doc": f"d{doc}", "rater": name, "grade": grade, "kind": "model" if name == "gpt" else "people"}
        for name, given in grades.items()
        for doc, grade in enumerate(given)
    ]
    by_dict = ir.agreement(rows, groups={"model": ["gpt"], "people": ["ana", "ben"]}, draws=2)
    path = tmp_path / "r.csv"
    path.write_text(
        f"{','.join(rows[0])}\n" + "".join(f"{','.join(map(str, row.values()))}\n" for row in rows), "utf-8"
    )
    assert ir.agreement(path, groups="kind", draws=2).by_group.rows() == by_dict.by_group.rows()
    said = run("agreement", str(path), "--groups", "model=gpt", "--groups", "people=ana, ben", "--json").out
    assert json.loads(said)["by_group"] == by_dict.by_group.rows()
    alone, across, people = by_dict.by_group
    assert (alone["shared"], across["shared"], people["shared"]) == (0, 3, 3)
    assert people["agreement"] == pytest.approx(2 / 3)
    assert across["agreement"] == pytest.approx(1 / 3)
    assert across["above"] == pytest.approx(np.mean([0, 1.5, 2]))
    # By chance: the model gives 3, 2, 3; people 3, 0 or 1, 1.
    assert across["by chance"] == pytest.approx(2 / 3 * 1 / 3)
    assert across["kappa"] == pytest.approx((1 / 3 - 2 / 9) / (1 - 2 / 9))


def test_each_group_has_a_verdict() -> None:
    """With systems, a verdict is by group: that of people alone is what compare says of their ratings."""
    shop = Path(__file__).parents[2] / "examples" / "shop"
    systems = [shop / "bm25.csv", shop / "hybrid.csv"]
    groups = {"two": ["rater_1", "rater_2"], "one": ["rater_3"]}
    found = ir.agreement(shop / "judgments.csv", draws=2, results=systems, groups=groups)
    assert found.verdicts is not None
    assert found.verdicts["judged by"] == ["all raters", "two alone", "one alone"]
    both = ir.compare(ir.read_judgments(shop / "judgments.csv", grade=["rater_1", "rater_2"]), systems, ["nDCG@10"])
    assert found.verdicts["difference"][1] == pytest.approx(both["nDCG@10"].difference, abs=1e-12)


def test_too_many_raters_are_told_to_form_groups() -> None:
    """A verdict for each of 21 raters is refused with what to do, which works."""
    rows = [
        {"query": f"q{q}", "doc": doc, "rater": f"r{rater}", "grade": (rater + q + place) % 3}
        for rater in range(21)
        for q in range(3)
        for place, doc in enumerate("ab")
    ]
    systems = [{f"q{q}": {"a": 2.0, "b": 1.0} for q in range(3)}, {f"q{q}": {"b": 2.0, "a": 1.0} for q in range(3)}]
    with pytest.raises(ir.UsageError, match=r"21 raters: a verdict by rater needs from 2 to 20\. Join raters into gro"):
        ir.agreement(rows, draws=2, results=systems)
    groups = {"even": [f"r{r}" for r in range(0, 21, 2)], "odd": [f"r{r}" for r in range(1, 21, 2)]}
    found = ir.agreement(rows, draws=2, results=systems, groups=groups).verdicts
    assert found is not None
    assert len(found) == 3


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"a": ["ana"]}, "groups: ben in none. Give each rater one"),
        ({"a": ["ana", "ben"], "b": ["ben"]}, "groups: ben is in a and in b."),
        ({"a": ["ana", "bem"]}, "groups: no rater called 'bem'. Did you mean ben?"),
        ("kind", "no column called 'kind'"),
        ("doc", "ana is in two groups by the column doc"),
    ],
)
def test_groups_that_do_not_fit_are_refused(groups: Any, message: str) -> None:
    """A rater in no group, in two, or unknown; a column that is not there or does not say it."""
    with pytest.raises((ir.UsageError, ir.DataError), match=re.escape(message)):
        ir.agreement(world(), groups=groups)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["a", "b"], "one column says the group"),
        (["a=ana", "ben"], "--groups 'ben' is not NAME=A,B"),
        (["=ana"], "--groups '=ana' is not NAME=A,B"),
    ],
)
def test_groups_are_typed_as_they_should(said: list[str], message: str, tmp_path: Path) -> None:
    """The command says how to write a group."""
    path = tmp_path / "r.csv"
    path.write_text("query,doc,rater,grade\nq,a,ana,1\nq,a,ben,1\n")
    done = run("agreement", str(path), *(word for text in said for word in ("--groups", text)))
    assert done.code == 2
    assert message in " ".join(done.err.split())


# Comments.


def test_comments_are_kept_beside_the_grade() -> None:
    """The documents most disputed show what raters wrote."""
    rows = [
        {"query": "q", "doc": "a", "rater": "ana", "grade": 3, "comment": "exact model"},
        {"query": "q", "doc": "a", "rater": "ben", "grade": 0, "comment": "  "},
    ]
    assert ir.agreement(rows, draws=2).disputed["ratings"] == ["ana 3 (exact model), ben 0"]


def test_a_rater_with_whom_nobody_can_tell_is_told_why() -> None:
    """Beside CAN'T TELL under an interval above 0 stands how much the rater left unjudged."""
    texts = [f"q{place:02}" for place in range(60)]
    first, second = {"x": 3.0, "d": 2.0, "y": 1.0}, {"d": 3.0, "z": 2.0, "e": 1.0}
    systems = {
        "old": {query: second if place % 3 == 0 else first for place, query in enumerate(texts)},
        "new": {query: first if place % 3 == 0 else second for place, query in enumerate(texts)},
    }
    graded = {"ana": {"d": 1, "e": 1, "x": 0, "y": 0, "z": 0}, "ben": {"d": 1, "e": 1}}
    rows = [
        {"query": query, "doc": doc, "rater": rater, "grade": grade}
        for rater, grades in graded.items()
        for query in texts
        for doc, grade in grades.items()
    ]
    found = ir.agreement(rows, draws=2, results=systems, measures="P@3", holes="worst_case").verdicts
    assert found is not None
    told = {row["judged by"]: (row["verdict"], row["low"] > 0, row["why"]) for row in found}
    assert told["all raters"] == ("SHIP", True, "")
    assert told["ben alone"] == ("CAN'T TELL", True, "50% unjudged")
