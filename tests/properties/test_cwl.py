"""Readers of the C/W/L family against the paper's definitions, rank by rank in plain Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest

from idealrank.decisions import DEFAULT
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures import parse
from idealrank.measures.reader import UserModel, between_from_sums, read_lists, residual_utility, stop_when_content
from idealrank.measures.steps import Steps
from idealrank.measures.user_models import with_goal
from tests.properties.ranked import GRADED, VERY_LONG, Corpus, Ranked

Continuation = Callable[[int, float, float], float]
"""Chance to go on, of the rank, the worth of its result, and the worth of all results up to it."""

RANKS = 1000
CONTENT = UserModel(lambda rank, _: np.ones_like(rank), between_from_sums(lambda rank: rank), stop_when_content)
"""Reads on until a result satisfies: NERR8."""
MODELS: dict[str, Continuation] = {
    "INSQ(T=2)": lambda i, worth, got: ((i + 3) / (i + 4)) ** 2,
    "INST(T=1.5)": lambda i, worth, got: ((i + 2 - got) / (i + 3 - got)) ** 2,
    "BPM(T=1)": lambda i, worth, got: float(got < 1 - 1e-9),
    "NERR8": lambda i, worth, got: 1 - worth,
    "NERR9": lambda i, worth, got: i / (i + 1) * (1 - worth),
    "NERR10(p=0.7)": lambda i, worth, got: 0.7 * (1 - worth),
    "NERR11(T=2)": lambda i, worth, got: ((i + 3) / (i + 4)) ** 2 * (1 - worth),
    "SDCG": lambda i, worth, got: float(np.log(i + 1) / np.log(i + 2)),
}


def worths(query: Ranked, top: float) -> list[float]:
    """Grades as shares of the top, and nothing behind the last."""
    found = [max(grade or 0.0, 0.0) / top for grade in query.grades]
    return [*found, *(0.0,) * (RANKS - len(found))]


def walked(worth: Sequence[float], goes_on: Continuation, last: int) -> tuple[float, float]:
    """Expected total utility, and expected number of results read, rank by rank."""
    reached, got, total, depth = 1.0, 0.0, 0.0, 0.0
    for rank, one in itertools.islice(enumerate(worth, 1), last):
        got, total, depth = got + one, total + reached * one, depth + reached
        reached *= goes_on(rank, one, got)
    return total, depth


CORPUS = Corpus(tuple(query for query in GRADED.queries if len(query.grades) > 2)[::5], top=3.0)


@pytest.mark.parametrize("cutoff", [1, 3, 10, RANKS])
@pytest.mark.parametrize("name", MODELS)
def test_walked(name: str, cutoff: int) -> None:
    """The value is the utility of a reader who goes on with the chance the paper gives, and stops at rank k."""
    (measure,) = parse(f"{name}@{cutoff}")
    found = measure.steps(CORPUS.lists(measure)).scores(DEFAULT)
    for query, value in zip(CORPUS.queries, found.tolist(), strict=True):
        total, depth = walked(worths(query, 3.0), MODELS[name], cutoff)
        assert value == pytest.approx(total / depth, abs=1e-12)


def lists() -> JudgedLists:
    """The lists of the corpus."""
    return CORPUS.lists(parse("INST")[0])


@pytest.mark.parametrize(("reader", "goes_on"), [(with_goal(1.5), MODELS["INST(T=1.5)"]), (CONTENT, MODELS["NERR8"])])
def test_reading(reader: UserModel, goes_on: Continuation) -> None:
    """Total utility, depth and cost are those of the walk; utility x depth is the total."""
    reading = read_lists(lists(), reader, np.full(len(CORPUS.queries), 20.0))
    walks = [walked(worths(query, 3.0), goes_on, 20) for query in CORPUS.queries]
    np.testing.assert_allclose(np.transpose([reading.total, reading.depth]), walks, atol=1e-12)
    np.testing.assert_allclose(reading.utility * reading.cost, reading.total, atol=1e-12)
    steps: Steps = reading.steps()
    np.testing.assert_allclose(steps.scores(DEFAULT), reading.utility, atol=1e-12)


@pytest.mark.parametrize(
    ("reader", "goes_on"), [(with_goal(1.5), MODELS["INST(T=1.5)"]), (CONTENT, MODELS["NERR8"])], ids=["INST", "NERR8"]
)
def test_residual(reader: UserModel, goes_on: Continuation) -> None:
    """The residual is what the walk gains where all that is not judged is of highest worth; so is a grade below 0."""
    corpus = Corpus(tuple(query for query in GRADED.queries if len(query.grades) > 2)[::3], top=3.0)
    found = residual_utility(corpus.lists(parse("INST")[0]), reader, np.full(len(corpus.queries), 9.0))
    for query, value in zip(corpus.queries, found.tolist(), strict=True):
        best = [1.0 if grade is None or grade < 0 else grade / 3.0 for grade in query.grades] + [1.0] * 9
        (most, longest), (least, depth) = (walked(worth, goes_on, 9) for worth in (best, worths(query, 3.0)))
        assert value == pytest.approx(most / longest - least / depth, abs=1e-12)


READERS = {**MODELS, "GradedRBP(p=0.7)": lambda i, worth, got: 0.7}
"""Those whose reading can be told."""
del READERS["SDCG"]


def gained(query: Ranked, goes_on: Continuation, last: int) -> float:
    """What the utility gains where all that nobody judged, up to the last rank, is of highest worth."""
    best = [1.0 if grade is None or grade < 0 else grade / 3.0 for grade in query.grades]
    walks = [
        walked([*worth, *[rest] * last], goes_on, last) for worth, rest in ((best, 1.0), (worths(query, 3.0), 0.0))
    ]
    (most, longest), (least, depth) = walks
    return most / longest - least / depth


@pytest.mark.parametrize("name", [name for name in READERS if "RBP" not in name])
def test_residual_of_measures(name: str) -> None:
    """The residual of a measure at rank k is what the walk to rank k gains."""
    (measure,) = parse(f"{name}@7")
    assert measure.definition.reading
    found = measure.computed(CORPUS.lists(measure), measure.definition.reading)
    for query, value in zip(CORPUS.queries, found.residual.tolist(), strict=True):
        assert value == pytest.approx(gained(query, READERS[name], 7), abs=1e-12)


@pytest.mark.parametrize("name", [name for name in READERS if name not in ("BPM(T=1)", "NERR8", "NERR9")])
def test_residual_without_end(name: str) -> None:
    """Without a cutoff there are results of highest worth behind the list for ever: a walk of 20,000 comes near."""
    (measure,) = parse(name)
    assert measure.definition.reading
    found = measure.computed(CORPUS.lists(measure), measure.definition.reading)
    for query, value in list(zip(CORPUS.queries, found.residual.tolist(), strict=True))[::9]:
        assert value == pytest.approx(gained(query, READERS[name], 20_000), abs=1e-3 if "INSQ" in name else 1e-4)


@pytest.mark.parametrize("goal", ["0.5", "1e9", "1e20", "1e300"])
def test_residual_of_any_goal(goal: str) -> None:
    """A reader who wants more than there is reads so far that what nobody judged is all: the residual nears 1."""
    for name in (f"INST(T={goal})", f"NERR11(T={goal})", f"INSQ(T={goal})"):
        (measure,) = parse(name)
        assert measure.definition.reading
        found = measure.computed(CORPUS.lists(measure), measure.definition.reading)
        assert ((found.residual >= 0) & (found.residual <= 1 + 1e-12)).all()
        if goal != "0.5" and not name.startswith("NERR"):
            np.testing.assert_allclose(found.residual, 1.0, atol=1e-6)


@pytest.mark.parametrize(
    ("reader", "printed"),
    [
        (with_goal(1.0), [0.2546708644408664, 0.7198167113025198, 0.05694840978073212]),
        (with_goal(2.0), [0.36961975285509546, 0.6128560973805043, 0.1300620227074482]),
        (CONTENT, [0.0, 0.8333333333333334, 0.0]),
    ],
    ids=["INST-T=1.0", "INST-T=2.0", "NERR-EQ8"],
)
def test_residual_of_cwl_eval(reader: UserModel, printed: list[float]) -> None:
    """What cwl_eval 1.0.12 gives as residual_expected_utility, with max_n=6 and nan for what nobody judged."""
    grades = ((3.0, None, 0.0, 1.0, None), (None, 0.0, 2.0), (0.0, 3.0, 1.0, 0.0))
    corpus = Corpus(tuple(map(Ranked, grades)), top=3.0)
    found = residual_utility(corpus.lists(parse("INST")[0]), reader, np.full(3, 6.0))
    np.testing.assert_allclose(found, printed, atol=1e-12)


@pytest.mark.parametrize("cutoff", [1, 3, 100])
@pytest.mark.parametrize("goal", ["1e-320", "1e-20", "1e-9", "0.001", "1e4", "1e9", "1e20", "1e300"])
def test_any_goal(goal: str, cutoff: int) -> None:
    """INSQ weighs rank i with (2T / (i - 1 + 2T))^2, whatever T: from the first result alone to all alike."""
    (measure,) = parse(f"INSQ(T={goal})@{cutoff}")
    found = measure.steps(CORPUS.lists(measure)).scores(DEFAULT)
    twice = 2 * Fraction(float(goal))
    weights = [float((twice / (i + twice)) ** 2) for i in range(cutoff)]
    for query, value in zip(CORPUS.queries, found.tolist(), strict=True):
        gained = sum(weight * worth for weight, worth in zip(weights, worths(query, 3.0), strict=False))
        assert value == pytest.approx(gained / sum(weights), rel=1e-12)


@pytest.mark.parametrize("name", ["INSQ(T=2)", "INST(T=1.5)", "NERR10(p=0.7)", "NERR11(T=2)"])
def test_endless(name: str) -> None:
    """Without a cutoff all ranks count: a million of them come within what is left behind the millionth."""
    for corpus in (CORPUS, VERY_LONG):
        whole, part = (parse(name + behind)[0] for behind in ("", "@1000000"))
        scores = [m.steps(corpus.lists(m)).scores(DEFAULT) for m in (whole, part)]
        np.testing.assert_allclose(scores[0], scores[1], atol=1e-4)
        assert (scores[0] <= scores[1] + 1e-15).all()
