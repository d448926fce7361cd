"""The table of queries: what a filter keeps, in which order, and that it says what the comparison says."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import idealrank as ir
from idealrank.studio.project import StudioProject
from idealrank.studio.query_lists import QueryLists
from idealrank.studio.query_table import OUTCOMES, Filter, LookTable, fold, query_table
from idealrank.studio.scale import grade_keys
from idealrank.studio.store import Store
from tests.studio.worlds import SHOP, shop_project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[StudioProject]:
    """The shop as a project."""
    opened = shop_project(str(tmp_path / "shop.db"))
    yield opened
    opened.close()


@pytest.fixture
def table(project: StudioProject) -> LookTable:
    """Its table, as it is looked at first."""
    return query_table(project, project.look())


def _rows(name: str) -> list[list[str]]:
    return list(csv.reader((SHOP / f"{name}.csv").read_text("utf-8").splitlines()))[1:]


def _ids(table: LookTable, **asked: object) -> list[str]:
    return [table.scores.queries[q] for q in table.order(Filter(**asked))]  # type: ignore[arg-type]


def test_the_worst_change_comes_first(project: StudioProject, table: LookTable) -> None:
    """As the comparison lists its losses and gains; a query without a value comes last."""
    found = project.comparison(project.look())
    losses, wins = found.losses(100)["query"], found.wins(100)["query"]
    ids = _ids(table)
    assert ids[: len(losses)] == losses
    assert set(_ids(table, outcome="loss")) == set(losses)
    assert set(_ids(table, outcome="gain")) == set(wins)
    assert len(ids) == len(found.scores.queries)


def test_outcomes_are_what_the_files_say(table: LookTable) -> None:
    """Unjudged results in the first ten, and raters who differ, counted from the files themselves."""
    judged: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for row in _rows("judgments"):
        judged[row[0]][row[1]] = [grade for grade in row[2:] if grade]
    unjudged = set()
    for system in ("bm25", "hybrid"):
        for query, doc, rank, _ in _rows(system):
            if query in judged and int(rank) <= 10 and doc not in judged[query]:
                unjudged.add(query)
    differ = {q for q, docs in judged.items() if any(len(set(grades)) > 1 for grades in docs.values())}
    assert set(_ids(table, outcome="unjudged")) == unjudged
    assert set(_ids(table, outcome="disputed")) == differ
    assert {query for query in judged if query not in {row[0] for row in _rows("hybrid")}} <= set(
        _ids(table, outcome="state")
    )
    assert table.counts["unjudged"] == len(unjudged)


def test_every_column_sorts_both_ways(table: LookTable) -> None:
    """What has no value is last either way, and equal ones keep the order of the judgments."""
    for column in table.columns(everything=True):
        up, down = (table.order(Filter(sort=f"{sign}{column.key}")) for sign in ("", "-"))
        assert sorted(up) == sorted(down) == list(range(len(table)))
        ranks = column.ranks[up]
        known = ranks[~np.isnan(ranks)]
        assert (np.diff(known) >= 0).all()
        assert not np.isnan(ranks[: len(known)]).any()
        assert (np.diff(column.ranks[down][: len(known)]) <= 0).all()
        equal = np.diff(known) == 0
        assert (np.diff(up[: len(known)])[equal] > 0).all()


def test_a_text_is_found_by_case_and_accents_folded(table: LookTable) -> None:
    """In ids and in texts; a segment and a text together keep what has both."""
    assert fold("Fjällräven ÖVIK") == "fjallraven ovik"
    assert _ids(table, find="Q01") == ["q01"]
    shoes = set(_ids(table, find="SHÖES"))
    assert "q01" in shoes
    assert set(_ids(table, find="shoes", segments=(("segment", "category"),))) <= shoes
    assert _ids(table, find="nothing like this") == []


def test_what_is_not_there_is_named(table: LookTable) -> None:
    """A column, a segment and an outcome of an address that somebody edited."""
    with pytest.raises(ir.UsageError, match="colour"):
        table.order(Filter(sort="colour"))
    with pytest.raises(ir.UsageError, match="colour"):
        table.order(Filter(segments=(("colour", "red"),)))
    with pytest.raises(ir.UsageError, match="lost"):
        Filter.of({"outcome": "lost"})
    assert Filter.of(Filter("x", "gain", (("segment", "a b"),), "-query", True).parameters) == Filter(
        "x", "gain", (("segment", "a b"),), "-query", True
    )
    assert set(table.outcomes) == set(OUTCOMES)


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "RR", "P@10"])
def test_lists_add_up_to_the_value(project: StudioProject, measure: str) -> None:
    """What results add is what `explain` says, list by list."""
    look = project.look({"measure": measure})
    made = query_table(project, look)
    for query in ("q01", "q14"):
        lists = QueryLists(project, made, made.place_of[query], [look.baseline, look.system])
        for shown in lists.lists[:2]:
            explained = made.scores.explain(measure, query, shown.system)
            steps = explained.steps.rows()[: len(shown.items)]
            assert [item.doc for item in shown.items] == [step["doc"] for step in steps]
            assert [item.adds or 0.0 for item in shown.items] == pytest.approx([step["contribution"] for step in steps])
            assert shown.value == pytest.approx(explained.score)


def test_documents_move(project: StudioProject, table: LookTable) -> None:
    """A document that is in both lists moved by the difference of its ranks, once; others are new or gone."""
    left, right, _ = QueryLists(project, table, table.place_of["q01"], ["bm25", "hybrid"]).lists
    before = {item.doc: item.rank for item in left.items}
    for item in right.items:
        assert item.move is not None
        step = before.get(item.doc, 0) - item.rank
        assert item.move.text == (
            "new" if item.doc not in before else "=" if not step else f"{'▲' if step > 0 else '▼'}{abs(step)}"
        )
    assert {item.doc for item in left.items if item.move} == set(before) - {item.doc for item in right.items}


def test_a_failed_search_lost_no_document(tmp_path: Path) -> None:
    """It says that the search failed, and no document is gone."""
    project = StudioProject(Store(tmp_path / "p.db"))
    (tmp_path / "j.csv").write_text("query,doc,grade\na,d1,1\na,d2,0\nb,d1,1\n")
    (tmp_path / "one.csv").write_text("query,doc,rank\na,d1,1\na,d2,2\nb,d1,1\n")
    (tmp_path / "two.csv").write_text("query,doc,rank,error\nb,d1,1,\na,,,timeout\n")
    project.add("judgments", tmp_path / "j.csv")
    project.add("results", tmp_path / "one.csv")
    project.add("results", tmp_path / "two.csv")
    table = query_table(project, project.look())
    lists = QueryLists(project, table, table.place_of["a"], ["one", "two"]).lists
    assert lists[1].absent == "search failed"
    assert all(item.move is None for item in lists[0].items)
    assert [table.scores.queries[q] for q in table.states(table.order(Filter(outcome="state")))] == ["a"]
    project.close()


def test_a_grade_has_one_shade_everywhere(project: StudioProject) -> None:
    """In the lists of a query as on the buttons of the queue, also where it is halfway between two."""
    project.store["scale"] = [[grade, ""] for grade in range(9)]
    lists = QueryLists(project, query_table(project, project.look()), 0, ["bm25", "hybrid"])
    keys = grade_keys(project.scale)
    assert [lists.level(each.grade) for each in keys] == [str(each.level) for each in keys]
