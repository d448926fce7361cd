"""An engine that fails in every way a real one does: each query has its state, and the others their answers."""

from __future__ import annotations

import itertools
import json
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.heavy.engines.faulty import Faulty


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a tenth of the usual time before trying again."""
    monkeypatch.setattr("idealrank.engines.engine._FIRST", 0.02)


def replayed(faulty: Faulty, *texts: str, **options: Any) -> ir.Replay:
    """Ask the faulty server, which answers as OpenSearch."""
    return ir.replay(list(texts), f"opensearch+{faulty.address}/products", **{"k": 3, **options})


def asked(faulty: Faulty) -> Counter[str]:
    """Return how often each text was asked."""
    return Counter(text for event in faulty.events("asked") for text in event["texts"])


@pytest.mark.parametrize(
    ("fault", "said", "tries"),
    [
        ("!cut", "the answer was cut off before its end", 3),
        ("!500", "HTTP 500 Internal Server Error: .*Internal Server Error", 3),
        ("!429", "HTTP 429", 3),
        ("!400", "HTTP 400 Bad Request", 1),
        ("!json", "the answer is not JSON", 1),
        ("!latin1:silent", "no charset, so UTF-8, and it is not", 1),
        ("!slow:9", "no whole answer within 0.4 s", 1),
        ("!dribble:body", "no whole answer within 0.4 s", 1),
        ("!dribble:headers", "no whole answer within 0.4 s", 1),
    ],
)
def test_a_failed_search(faulty: Faulty, fault: str, said: str, tries: int) -> None:
    """A search that is not answered whole and in time has failed, and is no empty list; the others are answered.

    What may succeed later was asked again, as often as was said; what would fail again was not.
    """
    found = replayed(faulty, "red", f"shoes Ö {fault}", "hats", timeout=0.4, retries=2)
    assert found.account["state"] == ["answered", "failed", "answered"]
    (error,) = found.failures["error"]
    assert re.search(said, error)
    assert asked(faulty)[f"shoes Ö {fault}"] == tries


def test_what_succeeds_later(faulty: Faulty, tmp_path: Path) -> None:
    """Searches that are refused for a while are answered in the end, and named in the record."""
    found = replayed(
        faulty,
        "a !500:2",
        "b !503:1",
        "c !429:1:0",
        "d !large",
        "e !latin1",
        "f !408:1",
        retries=2,
        output=tmp_path / "out",
    )
    assert found.account["state"] == ["answered"] * 6
    assert asked(faulty) == {
        "a !500:2": 3,
        "b !503:1": 2,
        "c !429:1:0": 2,
        "d !large": 1,
        "e !latin1": 1,
        "f !408:1": 2,
    }
    assert set(found.account["results"]) == {3}
    record = json.loads((tmp_path / "out" / "replay" / "products.json").read_text())
    assert record["retried"] == ["a !500:2", "b !503:1", "c !429:1:0", "f !408:1"]


@pytest.mark.parametrize("after", ["1", "date"])
def test_retry_after_is_honoured(faulty: Faulty, after: str) -> None:
    """Nothing is asked while the engine wants to be left alone, not even another query."""
    replayed(faulty, f"a !429:1:{after}", *"bcdefgh", concurrency=2)
    events = [(line["number"], line["time"], line["texts"]) for line in faulty.events("asked") if line["texts"]]
    refused = next(number for number, _, texts in events if texts[0].startswith("a"))
    times = [when for number, when, _ in events if number >= refused]
    gap = max(later - earlier for earlier, later in itertools.pairwise(times))
    assert gap >= 0.9
    assert len(events) == 9


def test_a_rate(faulty: Faulty) -> None:
    """Requests are sent no faster than was said."""
    begin = time.monotonic()
    replayed(faulty, *map(str, range(12)), rate=40, concurrency=8)
    assert time.monotonic() - begin >= 11 / 40


@pytest.mark.parametrize("concurrency", [1, 3])
def test_so_many_at_the_same_time(faulty: Faulty, concurrency: int) -> None:
    """No more requests are open at a time than were allowed, and as many as were."""
    replayed(faulty, *(f"{i} !slow:0.1" for i in range(9)), concurrency=concurrency)
    numbers = {line["number"] for line in faulty.events("asked") if line["texts"]}
    moves = [(line["time"], 1) for line in faulty.events("asked") if line["number"] in numbers]
    moves += [(line["time"], -1) for line in faulty.events("answered") if line["number"] in numbers]
    open_ones = itertools.accumulate(change for _, change in sorted(moves))
    assert max(open_ones) == concurrency


def test_stops_after_failures_in_a_row(faulty: Faulty, tmp_path: Path) -> None:
    """An engine that only fails is asked no more; what it answered before is kept, and no results are written."""
    texts = ["a", *(f"{i} !500" for i in range(30))]
    with pytest.raises(
        ir.DataError, match=r"stopped, 5 failures in a row; the last: HTTP 500.* 1 answer of 31 is kept"
    ):
        replayed(faulty, *texts, retries=0, stop_after=5, concurrency=1, output=tmp_path / "out")
    assert asked(faulty).total() == 6
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["replay"]


def test_failures_apart_do_not_stop(faulty: Faulty) -> None:
    """Failures with answers between them are failures of queries, not of the engine."""
    texts = [text for i in range(8) for text in (f"{i}", f"{i} !400")]
    found = replayed(faulty, *texts, stop_after=2, concurrency=1)
    assert found.account["state"] == ["answered", "failed"] * 8


@pytest.mark.parametrize("status", ["401", "403", "404"])
def test_hopeless(faulty: Faulty, status: str) -> None:
    """Where nobody may ask, or there is no index, the first failure is the last."""
    with pytest.raises(ir.DataError, match=f"every query would fail; the last: HTTP {status}"):
        replayed(faulty, f"a !{status}", *"bcd", concurrency=1)
    assert asked(faulty).total() == 1


def test_one_odd_query(faulty: Faulty) -> None:
    """Where another query was answered before, one that is refused is a failure of its own, and stops nothing."""
    found = replayed(faulty, "a", "b !403", "c", concurrency=1)
    assert found.account["state"] == ["answered", "failed", "answered"]


def test_a_batch_fails_once(faulty: Faulty) -> None:
    """A request of many queries that is not answered is one failure in a row, not many."""
    texts = [f"{i} !slow:2" for i in range(12)] + ["last"]
    found = replayed(faulty, *texts, batch=12, stop_after=2, timeout=0.3, concurrency=1)
    assert found.account["state"] == ["failed"] * 12 + ["answered"]


def test_the_others_are_written(faulty: Faulty, tmp_path: Path) -> None:
    """Where one system is stopped, the tables of the others are written, and that is said after it."""
    engines = [f"good=opensearch+{faulty.address}/products", f"bad=opensearch+{faulty.address}/!500/products"]
    with pytest.raises(ir.DataError, match=r"bad: stopped, 3 failures in a row"):
        ir.replay(list("abcdef"), engines, output=tmp_path / "out", retries=0, stop_after=3)
    assert [path.name for path in (tmp_path / "out").glob("*.csv")] == ["good.csv"]
    with pytest.raises(ir.DataError, match=r"Nothing is kept; with output=FOLDER"):
        ir.replay(list("abcdef"), engines, retries=0, stop_after=3)


def test_redirects(faulty: Faulty) -> None:
    """A redirect on the same host is followed; one to another is not, and its host is named."""
    same = ir.replay(["a"], f"opensearch+{faulty.address}/!redirect/products")
    assert same.account["state"] == ["answered"]
    with pytest.raises(ir.DataError, match=r"redirects to http://localhost:\d+, which is not followed"):
        ir.replay(["a"], f"opensearch+{faulty.address}/!redirect:localhost/products")


def test_nobody_there() -> None:
    """An engine that is not running is said at once, with its address."""
    with pytest.raises(ir.DataError, match=r"opensearch\+http://127.0.0.1:9/products: .*Is it running"):
        ir.replay(["a"], "opensearch+http://127.0.0.1:9/products")


def test_batches(faulty: Faulty) -> None:
    """Several queries in one request: each has its own answer or failure, and only failed ones are asked again."""
    texts = ["a", "b !400", "c !429:1", "d", "e"]
    found = replayed(faulty, *texts, batch=3, concurrency=1)
    assert found.account["state"] == ["answered", "failed", "answered", "answered", "answered"]
    sent = [line["texts"] for line in faulty.events("asked") if line["texts"]]
    assert sent == [["a", "b !400", "c !429:1"], ["c !429:1"], ["d", "e"]]
    assert found.account["seconds"] == [None] * 5
    assert found.account["took"][0] == 0.001


SECRET = 'hun"ter2/&Ö'


def test_secrets_are_seen_nowhere(
    faulty: Faulty, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A password is in no file, output, error or warning, even where the engine repeats it."""
    monkeypatch.setenv("SHOP", SECRET)
    options = {"user": "admin:${SHOP}", "headers": {"X-Token": "${SHOP}"}, "raw": True, "output": tmp_path / "out"}
    found = replayed(faulty, "a", "b !echo", "c !echo:500", retries=0, **options)
    assert found.account["state"] == ["answered", "failed", "failed"]
    header = faulty.events("asked")[-1]["authorization"]
    coded = header.removeprefix("Basic ")
    files = "".join(path.read_text() for path in (tmp_path / "out").rglob("*") if path.is_file())
    everything = files + repr(found) + json.dumps(found.account.to_dict()) + "".join(capfd.readouterr())
    for secret in (SECRET, "ter2", coded, json.dumps(SECRET)[1:-1]):
        assert secret not in everything
    assert "Authorization: Basic ***" in everything
    with pytest.raises(ir.DataError, match=r"the last: HTTP 401 .*Authorization: Basic \*\*\*") as stopped:
        replayed(faulty, "d !echo:401", user="admin:${SHOP}")
    assert coded not in str(stopped.value)
