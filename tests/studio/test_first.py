"""The first screen: what it says of a flip."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest

import idealrank as ir
from idealrank.evaluation.ledger import oddities
from idealrank.evaluation.ledger.oddities import Oddity
from idealrank.studio.first import FirstScreen
from idealrank.studio.frame import Frame
from idealrank.studio.moves import moving
from idealrank.studio.project import StudioProject
from idealrank.studio.store import Store
from tests.studio.client import Client, serving
from tests.studio.worlds import SHOP, shop_project, tiny_project


@pytest.mark.parametrize("answers", [{"no_results": "skip"}, {"gain": "exp2"}, {"unjudged": "filter"}])
def test_a_flip_has_the_difference_of_the_card(tmp_path: Path, answers: dict[str, str]) -> None:
    """Where a query counts in one system alone, the difference of both means is not that of the comparison."""
    project = shop_project(str(tmp_path / "shop.db"))
    look = project.look(answers)
    said = FirstScreen(Frame(project)).flips(look)
    assert said["difference"] == pytest.approx(project.comparison(look)["nDCG@10"].difference, abs=1e-12)
    plain = project.comparison(project.look())["nDCG@10"].difference
    assert [flip["before"] for flip in said["flips"]] == [pytest.approx(plain, abs=1e-12)]
    project.close()


def test_a_decision_without_a_comparison_leaves_the_page(tmp_path: Path) -> None:
    """The means stand and the way back, and the place of the verdict says why there is none; so with script."""
    project = tiny_project(tmp_path)
    with serving(project) as address:
        client = Client(address)
        for average in ("geometric", "median"):
            page = client.get(f"/?average={average}")
            assert page.status == 200
            assert f"averaged with average={average}" in page.text
            assert "Back to arithmetic" in page.text
            part = client.get(f"/part/card?average={average}")
            assert (part.status, part.text.startswith('<div id="card">')) == (200, True)
        assert "<nav" not in client.get("/part/card?measure=nothing").text
    project.close()


def test_a_mean_is_one_number(tmp_path: Path) -> None:
    """Where a system has no value for a query, the means at the top are over the queries of both, as in the card."""
    judged, lists = tmp_path / "j.csv", {"old": "abc", "new": "bca"}
    queries = [f"q{place}" for place in range(8)]
    judged.write_text(
        "query,doc,grade\n" + "".join(f"{query},{'abc'[place % 3]},1\n" for place, query in enumerate(queries))
    )
    project = StudioProject(Store(tmp_path / "p.db"))
    project.add("judgments", judged)
    for name, docs in lists.items():
        asked = queries[1:] if name == "old" else queries
        rows = (f"{query},{doc},{rank}\n" for query in asked for rank, doc in enumerate(docs, 1))
        (tmp_path / f"{name}.csv").write_text("query,doc,rank\n" + "".join(rows))
        project.add("results", tmp_path / f"{name}.csv")
    look = project.look({"no_results": "skip", "measure": "RR"})
    found = project.comparison(look)["RR"]
    with serving(project) as address:
        page = Client(address).get(f"/?{look.address}").text
    top = re.search(r'id="numbers".*?</p>', page, re.DOTALL)
    assert top is not None
    means = [float(text) for text in re.findall(r"<b>.*?([0-9.]+)(?:</[a-z]+>)*</b>", top[0])]
    assert means == pytest.approx([found.baseline_mean, found.mean], abs=5e-4)
    assert project.scores(look)["RR", "new"] != pytest.approx(found.mean, abs=5e-3)
    assert "7 queries of 8 that both have a value for" in top[0]
    project.close()


def test_a_mistyped_measure_keeps_the_page(tmp_path: Path) -> None:
    """The card stays; beside the field stands what is wrong, with a link to what was probably meant."""
    project = tiny_project(tmp_path)
    with serving(project) as address:
        client = Client(address)
        for typed, meant in (("ndcg5", "nDCG@5"), ("nDGC@3", "nDCG@3"), ("foo", ""), ("nDCG@x", "")):
            page = client.get(f"/?{urlencode({'measure': typed, 'gain': 'exp2'})}")
            assert page.status == 400
            assert 'id="measure-wrong"' in page.text
            assert f'<input name="measure" value="{typed}"' in page.text
            assert 'id="summary"' in page.text
            assert "gain=exp2" in page.text
            links = [unescape(link) for link in re.findall(r'href="([^"]*)" data-live>nDCG', page.text)]
            assert bool(links) == bool(meant)
            for link in links:
                assert f'value="{meant}"' in client.get(link).text
    project.close()


def test_a_decision_says_how_far_it_moves_a_mean(tmp_path: Path) -> None:
    """What stands beside `ideal` is the farthest that another ideal takes either mean, as `evaluate` computes it."""
    files = [SHOP / "bm25.csv", SHOP / "hybrid.csv"]
    means = {
        ideal: [ir.evaluate(SHOP / "judgments.csv", file, "nDCG@10", ideal=ideal)["nDCG@10"] for file in files]
        for ideal in ("global", "returned", "local", "max")
    }
    farthest = max(abs(b - a) for each in means.values() for a, b in zip(means["global"], each, strict=True))
    project = shop_project(str(tmp_path / "shop.db"))
    with serving(project) as address:
        text = Client(address).get("/").text
    project.close()
    stated = re.search(r"<b>ideal</b>.*?Moves a mean by up to ([0-9.]+)\.", text)
    assert stated
    assert stated[1] == f"{farthest:.3f}"


def test_every_move_is_that_of_an_evaluation(tmp_path: Path) -> None:
    """Also of decisions that say what a query and a list are: steps of searches, weights, systems of a table."""
    rows = [
        (f"q{n}", step, doc, rank)
        for n in range(4)
        for step in (1, 2, 3)  # the second alone finds nothing: only steps=each shows that
        for rank, doc in enumerate(("y", "x") if step == 2 else (f"d{n}", "x"), 1)
    ]
    files = {
        "judgments": "query,doc,grade\n" + "".join(f"q{n},d{n},{1 + n % 2}\nq{n},y,0\n" for n in range(4)),
        "old": "query,step,doc,rank\n" + "".join(f"{q},{step},{doc},{rank}\n" for q, step, doc, rank in rows),
        "new": "query,step,doc,rank\n" + "".join(f"{q},{step},{doc},{3 - rank}\n" for q, step, doc, rank in rows),
    }
    project = StudioProject(Store(tmp_path / "p.db"))
    project.store["convention"] = "idealrank-1, steps=union"
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text)
        project.add("judgments" if name == "judgments" else "results", tmp_path / f"{name}.csv")
    look = project.look()
    usual = project.scores(look).all_means
    stated = {each.name: each for each in moving(project, look)}
    assert stated["steps"].moves > 0
    for name, choice in stated.items():
        farthest = 0.0
        for answer in choice.answers:
            with contextlib.suppress(ir.IdealrankError):
                means = project.scores(look.but(name, answer, choice.usual)).all_means
                moves = (abs(b - a) for (a, *_), (b, *_) in zip(usual, means, strict=True) if not math.isnan(b))
                farthest = max([farthest, *moves])
        assert choice.moves == pytest.approx(farthest, abs=1e-12), name
    project.close()


def test_grades_change_which_decisions_move(tmp_path: Path) -> None:
    """As long as raters agree, how they are combined moves nothing; once they differ, it does."""
    project = StudioProject(Store(tmp_path / "p.db"))
    files = {
        "judgments": "query,doc,grade\nq,a,0\nq,b,1\n",
        "old": "query,doc,rank\nq,a,1\nq,b,2\n",
        "new": "query,doc,rank\nq,b,1\nq,a,2\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text)
        project.add("judgments" if name == "judgments" else "results", tmp_path / f"{name}.csv")
    look = project.look()
    assert "raters" not in [each.name for each in moving(project, look)]
    for rater, grade in (("ana", 3.0), ("bo", 3.0)):
        project.store.rate(rater, "q", "a", grade, token=rater)
    assert "raters" in [each.name for each in moving(project, look)]
    project.close()


def test_what_is_odd_stands_above_the_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a check finds odd about a system is a warning on the first screen, without another word in the studio."""

    def named_alike(scores: Any, s: int) -> Iterator[Oddity]:
        if scores.systems[s] == "bm25":
            every = np.ones(len(scores.queries), np.bool_)
            yield Oddity("called bm25", "bm25", "bm25 is called bm25", "Ask for its age", every)

    monkeypatch.setattr(oddities, "CHECKS", (*oddities.CHECKS, named_alike))
    project = shop_project(str(tmp_path / "shop.db"))
    with serving(project) as address:
        assert "<li>bm25 is called bm25.</li>" in Client(address).get("/").text
    project.close()
