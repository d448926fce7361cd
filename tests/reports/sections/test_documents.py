"""The documents table: titles and addresses by id, from anything that holds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import idealrank as ir
from idealrank.data.documents import read_documents

ROWS = [
    {"doc_id": "d1", "title": "Red shoe", "url": "https://shop.test/1"},
    {"doc_id": "7", "title": "Bücher & <b>Co.</b>", "url": "http://shop.test/?q=1&r=2"},
    {"doc_id": "d3", "title": None, "url": None},
]
TITLES = {"d1": "Red shoe", "7": "Bücher & <b>Co.</b>", "d3": None}
URLS = {"d1": "https://shop.test/1", "7": "http://shop.test/?q=1&r=2"}


def written(folder: Path, form: str) -> Path:
    """Write the rows as a file of a form."""
    file, frame = folder / f"documents.{form}", pd.DataFrame(ROWS)
    if form == "jsonl":
        file.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS), "utf-8")
    else:
        frame.to_csv(file, index=False)
    return file


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_file(form: str, tmp_path: Path) -> None:
    """A file of every form gives the same titles and addresses, and is named by its path."""
    file = written(tmp_path, form)
    found = read_documents(str(file))
    assert (found.titles, found.urls, found.untitled, found.name) == (TITLES, URLS, 1, str(file))
    assert read_documents(file).titles == TITLES


@pytest.mark.parametrize(
    "source",
    [
        pd.DataFrame(ROWS),
        ROWS,
        {row["doc_id"]: {"title": row["title"], "url": row["url"]} for row in ROWS},
        {"d1": ROWS[0], 7: {"url": ROWS[1]["url"], "title": ROWS[1]["title"]}, "d3": {}},
    ],
    ids=["pandas", "rows", "dict of rows", "dict of uneven rows"],
)
def test_an_object(source: Any) -> None:
    """Frames, rows and a dict of rows give the same."""
    found = read_documents(source)
    assert (found.titles, found.urls, found.name) == (TITLES, URLS, "documents")


def test_a_dict_of_titles() -> None:
    """A dict from id to title is taken as it stands; ids are text, whole numbers written as such."""
    found = read_documents({"d1": "Red shoe", 7: "Hat", 8.0: "", "d4": None})
    assert found.titles == {"d1": "Red shoe", "7": "Hat", "8": None, "d4": None}
    assert (found.urls, found.untitled) == ({}, 2)


def test_what_was_read_stays() -> None:
    """Documents that were read are returned as they are."""
    found = read_documents({"d1": "Red shoe"})
    assert read_documents(found) is found


@pytest.mark.parametrize(
    ("row", "key", "title"),
    [
        ({"id": "1", "title": "A"}, "1", "A"),
        ({"_id": "1", "title": "A", "text": "B"}, "1", "A"),
        ({"Product ID": "1", "Product Title": "A"}, "1", "A"),
        ({"docno": "1", "headline": "A", "text": "B"}, "1", "A"),
        ({"id": "1", "url": "https://a.test", "name": "A"}, "1", "A"),
        ({"url": "https://a.test", "title": "A"}, "https://a.test", "A"),
        ({"asin": "1", "title": "A", "name": "B"}, "1", "A"),
        ({"id": "1", "product": "A"}, "1", "A"),
        ({"id": "1", "document": "A"}, "1", "A"),
        ({"product": "1", "name": "A"}, "1", "A"),
        ({"doc_id": "1", "document": "A", "id": "9"}, "1", "A"),
        ({"pid": "1", "passage": "A"}, "1", "A"),
        ({"query_id": "q", "product_id": "1", "grade": 3, "product_title": "A"}, "1", "A"),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, dict) else None,
)
def test_columns_are_found(row: dict[str, Any], key: str, title: str) -> None:
    """Id and title are found under the names that people give them; an address is an id only without another."""
    assert read_documents([row]).titles == {key: title}


def test_columns_that_are_named() -> None:
    """A column that is named is taken, whatever else there is, but for case and separators."""
    rows = [{"id": "1", "sku": "s", "title": "A", "Short Name": "B", "text": "C"}, {"id": "2", "sku": "t"}]
    found = read_documents(rows, doc="sku", title="short_name")
    assert found.titles == {"s": "B", "t": None}


def test_a_text_in_place_of_a_title() -> None:
    """Where a document has no title, the first 200 characters of its text stand for it; a title is never cut."""
    long = "".join(f"{number:05d}" for number in range(60))
    rows = {"a": (long, "x"), "b": ("", long), "c": (None, long[:200]), "d": (" ", None)}
    source = {key: {"title": title, "text": text} for key, (title, text) in rows.items()}
    assert read_documents(source).titles == {"a": long, "b": long[:200] + "…", "c": long[:200], "d": None}


def test_a_title_that_is_a_number() -> None:
    """A title may be a number; a missing one in a column of numbers is missing."""
    frame = pd.DataFrame({"id": ["a", "b"], "title": [1984, None]})
    assert read_documents(frame).titles == {"a": "1984", "b": None}


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JavaScript:alert('https://a.test')",
        "data:text/html,https://a.test",
        "file:///etc/passwd",
        "//a.test",
        "a.test",
        "https://",
        "https://a.test/ b",
        "https://a.test\njavascript:x",
        "",
        None,
    ],
)
def test_addresses_of_the_web(address: str | None) -> None:
    """Only whole addresses of the web become links."""
    assert read_documents([{"id": "1", "title": "A", "url": address}]).urls == {}
    assert read_documents([{"id": "1", "title": "A", "url": " HTTPS://a.test/é "}]).urls == {"1": "HTTPS://a.test/é"}


def test_a_document_twice() -> None:
    """A document may come again with the same title, or where one row has none; the first address counts."""
    rows = [("a", None, None), ("b", "B", "https://b.test"), ("a", "A", None), ("b", "B", "https://c.test"),
            ("a", "", "https://a.test")]  # fmt: skip
    found = read_documents([{"id": key, "title": title, "url": url} for key, title, url in rows])
    assert found.titles == {"a": "A", "b": "B"}
    assert found.urls == {"a": "https://a.test", "b": "https://b.test"}


def test_two_titles(tmp_path: Path) -> None:
    """Two titles of a document are refused, with both lines."""
    file = tmp_path / "d.csv"
    file.write_text("id,title\n1,Red\n2,Blue\n1,\n1,Green\n")
    with pytest.raises(ir.DataError) as refused:
        read_documents(str(file))
    assert str(refused.value) == (
        f"{file} line 5: document '1' has the title 'Green', but 'Red' in line 2. Give each document one title, "
        "or choose which counts: duplicates=first or last."
    )


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"a": {"title": "A"}, "b": "B"},
         "documents: this dict mixes titles and rows. Give {id: title}, or {id: {'title': title, …}}."),
        ([{"id": "1", "price": 3}], "documents: no title column. Found: id, price. Name it: title=…."),
        ([{"x": "1", "title": "A"}], "documents: no doc column. Found: x, title. Name it: doc=…."),
        ([{"id": "1", "sku": "s", "title": "A"}],
         "documents: 'id', 'sku' could each be the doc. Say which: doc=id or doc=sku."),
        ([{"id": "1", "title": "A"}, {"title": "B"}],
         "documents row 1: the document id is missing. Give every row one."),
        ([{"id": "1", "title": "A", "url": 1}, {"id": "", "title": "B"}],
         "documents row 1: the document id is missing. Give every row one."),
    ],
)  # fmt: skip
def test_refusals(source: Any, said: str) -> None:
    """What is no table of documents is refused with the row or the columns there are."""
    with pytest.raises(ir.DataError) as refused:
        read_documents(source)
    assert str(refused.value) == said


def test_refused_names(tmp_path: Path) -> None:
    """A name no column has is refused; so is TREC text."""
    with pytest.raises(ir.DataError, match=r"no column called 'nam' for the title\. Did you mean name\?"):
        read_documents([{"id": "1", "name": "A"}], title="nam")
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    with pytest.raises(ir.DataError, match="text without column names, not a table of documents"):
        read_documents(tmp_path / "qrels")


def test_pictures_are_those_read_encrypted() -> None:
    """A column of pictures gives the https addresses, the first of each document; other addresses are left out."""
    found = read_documents(
        {
            "id": ["a", "b", "c", "d"],
            "title": ["A", "B", "C", "D"],
            "Image URL": ["https://shop.test/a.jpg ", "http://shop.test/b.jpg", None, "data:image/png;base64,AA"],
        }
    )
    assert found.pictures == {"a": "https://shop.test/a.jpg"}
    assert found.urls == {}
    assert read_documents({"a": "A"}).pictures == {}


WHOLE = "A shoe is red. A bag is blue."


@pytest.mark.parametrize("texts", [True, False])
@pytest.mark.parametrize("titled", [True, False])
def test_texts_of_spans_are_their_own(texts: bool, titled: bool) -> None:
    """A span has its document's title, and of its text what lies between its ends, or what its table says."""
    judged = {"query": ["q"], "doc": ["d"], "start": [0], "end": [14], "grade": [1]}
    returned = {"query": ["q"], "doc": ["d"], "start": [15], "end": [29], "rank": [1]}
    own = {"text": ["A shoe is red."]}, {"text": ["A bag is blue."]}
    tables = (judged | own[0], returned | own[1]) if texts else (judged, returned)
    scores = ir.evaluate(*tables, ["RR"], unit="spans")
    part = ir.report(
        scores, documents=[{"id": "d", "text": WHOLE, **({"title": "Colours"} if titled else {})}]
    ).documents
    said = ["A bag is blue.", "A shoe is red."]
    assert part["id"] == ["d[15:29]", "d[0:14]"]
    assert part["title"] == (["Colours"] * 2 if titled else said)
    assert part["text"] == (said if titled else None)


def test_titles_of_parts_are_not_those_of_their_unit() -> None:
    """Results name chunks 1 and 2 of the pages 2 and 1: the titles beside them are no titles of pages 1 and 2."""
    chunks = {"query": ["q", "q"], "doc": ["1", "2"], "page": ["2", "1"], "rank": [1, 2], "title": ["one", "two"]}
    pages = {"query": ["q", "q"], "page": ["1", "2"], "grade": [1, 0], "title": ["first", "second"]}
    for judged, titles in ((pages, ["second", "first"]), ({**pages, "title": ["", ""]}, None)):
        part = ir.report(ir.evaluate(judged, chunks, ["RR"], unit="page")).documents
        assert part["id"] == ["2", "1"]
        assert part["title"] in (titles, titles or [None, None])
