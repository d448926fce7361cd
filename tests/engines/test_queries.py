"""The queries of a replay: vectors arrive as lists, and judgments are read as the queries they name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import idealrank as ir
from idealrank.engines.queries import read_replay_queries
from tests.cli.terminal import run, tsv

KNN = '{"query": {"knn": {"v": {"vector": {{embedding}}, "k": {{k}}}}}}'
VECTOR = {"query_id": ["q1"], "query": ["red"], "embedding": [[0.1, 0.25]]}


def _file(kind: str, folder: Path) -> str:
    path = folder / f"queries.{kind}"
    if kind == "jsonl":
        path.write_text(json.dumps({name: values[0] for name, values in VECTOR.items()}) + "\n")
    else:
        path.write_text('query_id,query,embedding\nq1,red,"[0.1, 0.25]"\n')
    return str(path)


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_a_vector_of_a_file(kind: str, tmp_path: Path) -> None:
    """A vector of a file stands in a JSON template as a list of numbers, as every search by vectors wants it."""
    (tmp_path / "knn.json").write_text(KNN)
    address = f"opensearch+http://127.0.0.1:1/p?template={tmp_path}/knn.json"
    shown = run("replay", _file(kind, tmp_path), address, "--show").out
    body = json.loads(shown.partition("\n\n")[2])
    assert body["query"]["knn"]["v"]["vector"] == [0.1, 0.25]


def vectors_given(table: Any) -> list[Any]:
    """Return what a search function is given beside the text of each query."""
    given: list[Any] = []

    def find(text: str, embedding: Any) -> list[str]:
        given.append(embedding)
        return ["d1"]

    ir.replay(table, find)
    return given


@pytest.mark.parametrize(
    "table",
    [
        VECTOR,
        {**VECTOR, "embedding": [np.array([0.1, 0.25])]},
        {**VECTOR, "embedding": [(np.float64(0.1), np.float64(0.25))]},
        pd.DataFrame(VECTOR),
        pd.DataFrame({**VECTOR, "embedding": [np.array([0.1, 0.25])]}),
    ],
    ids=["dict", "array", "tuple", "pandas", "pandas of arrays"],
)
def test_a_vector_for_a_function(table: Any) -> None:
    """A search function is given the vector of its query as a list of floats."""
    assert vectors_given(table) == [[0.1, 0.25]]


def test_a_vector_in_sql(tmp_path: Path) -> None:
    """In SQL a vector is bound as its JSON text, which ``::vector`` of pgvector and SQLite's json_each read."""
    (tmp_path / "d.csv").write_text("id,title\nd1,red\nd2,blue\n")
    (tmp_path / "v.sql").write_text(
        "SELECT id, (SELECT max(value) FROM json_each({{embedding}})) AS score FROM documents "
        "WHERE documents MATCH {{query|any}}"
    )
    found = ir.replay(VECTOR, f"sqlite:{tmp_path}/d.csv?template={tmp_path}/v.sql", output=tmp_path / "out")
    assert found.account["results"] == [1]
    assert "d1,1,0.25" in (tmp_path / "out" / "v.csv").read_text()


JUDGMENTS = "query_id,query,grade,doc_id,segment\n1,red shoes,1,d1,a\n1,red shoes,2,d2,a\n2,hat,0,d1,b\n"


def test_judgments_as_queries(tmp_path: Path) -> None:
    """Rows of judgments that agree in id and text are one query; what they agree in are its values."""
    (tmp_path / "labels.csv").write_text(JUDGMENTS)
    found = read_replay_queries(str(tmp_path / "labels.csv"))
    assert (list(found.keys), list(found.texts), found.rows) == (["1", "2"], ["red shoes", "hat"], 3)
    assert found.columns == {"segment": ["a", "b"]}
    assert set(found.varying) == {"grade", "doc_id"}
    (tmp_path / "docs.csv").write_text("id,title\nd1,red shoes\n")
    printed = tsv("replay", "labels.csv", "sqlite:docs.csv", cwd=tmp_path)
    assert printed.code == 0
    assert "labels.csv: 3 rows of 2 queries: each is asked once." in " ".join(printed.err.split())


def test_quepids_ratings_as_queries() -> None:
    """Quepid's file of ratings is enough: its queries are known by their texts."""
    found = read_replay_queries(Path(__file__).parents[2] / "examples" / "engines" / "quepid.csv")
    assert found.texts == found.keys
    assert "running shoes" in found.texts


def test_two_texts_of_one_query(tmp_path: Path) -> None:
    """Rows of one id with two texts are refused with both lines, since nobody knows which to ask."""
    (tmp_path / "q.csv").write_text(JUDGMENTS.replace("red shoes,2", "Red shoes,2"))
    with pytest.raises(ir.DataError, match=r"line 3: query '1' is 'Red shoes', and 'red shoes' in line 2"):
        read_replay_queries(str(tmp_path / "q.csv"))


def test_ids_are_not_searched_for(tmp_path: Path) -> None:
    """A column query of ids such as q1, without a text beside it, is not taken for texts; the options name both."""
    (tmp_path / "ids.csv").write_text("query,doc,grade\nq1,d1,1\nq2,d1,1\n")
    with pytest.raises(ir.DataError, match="no column with the queries' texts, only 'query', 'doc', 'grade'"):
        read_replay_queries(str(tmp_path / "ids.csv"))
    assert read_replay_queries(str(tmp_path / "ids.csv"), text="query").texts == ["q1", "q2"]
    (tmp_path / "kt.txt.csv").write_text("KEY|WORDS\nk1|red\nk2|hat\n")
    with pytest.raises(ir.IdealrankError, match="column"):
        read_replay_queries(str(tmp_path / "kt.txt.csv"))


def test_a_value_of_documents(tmp_path: Path) -> None:
    """A template that names a column which differs within a query is refused, and told why."""
    (tmp_path / "labels.csv").write_text(JUDGMENTS)
    (tmp_path / "t.json").write_text('{"query": {"match": {"title": "{{query}} {{grade}}"}}}')
    with pytest.raises(ir.UsageError, match=r"\{\{grade\}\} has several values for one query"):
        ir.replay(str(tmp_path / "labels.csv"), f"opensearch+http://127.0.0.1:1/p?template={tmp_path}/t.json")
