"""The store: nothing that was confirmed is lost, nobody overwrites anybody, and a fault is one sentence."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import idealrank as ir
from idealrank.errors import DataError
from idealrank.studio import store as module
from idealrank.studio.store import StaleError, Store

KILLS = 16


def test_a_rating_is_there_for_whoever_opens_the_project_next(where: str) -> None:
    """Grade, comment, state and time come back as they were given, in their order."""
    first = Store(where)
    given = [
        first.rate("ana", "q1", "d1", 2.0, token="1"),
        first.rate("ana", "q1", "d2", state="cannot tell", comment="in Finnish; ¿?", token="2"),
        first.rate("ben", "q1", "d1", 0.0, token="3"),
        first.rate("ben", "q2", "d1", state="later", token="4"),
    ]
    first.close()
    again = Store(where)
    assert again.ratings() == given
    assert again.ratings("ben") == given[2:]
    assert again.raters == ["ana", "ben"]
    assert [one.grade for one in given] == [2.0, None, 0.0, None]
    again.close()


def test_the_last_word_on_a_pair_counts(store: Store) -> None:
    """A new grade stands in the place of the old one; undone, the old one is back; undone again, there is none."""
    first = store.rate("ana", "q", "d", 1.0, token="1")
    second = store.rate("ana", "q", "d", 3.0, token="2", seen=first.id)
    assert store.ratings() == [second]
    before = store.state
    assert store.undo("ana") == second
    assert store.state != before
    assert store.ratings() == [first]
    assert store.undo("ana") == first
    assert store.ratings() == []
    assert store.undo("ana") is None
    assert store.undo("nobody") is None


def test_undo_takes_back_ones_own(store: Store) -> None:
    """The last rating of the project is somebody else's: it stays."""
    mine = store.rate("ana", "q", "d", 1.0, token="1")
    theirs = store.rate("ben", "q", "d", 2.0, token="2")
    assert store.undo("ana") == mine
    assert store.ratings() == [theirs]


def test_the_same_page_sent_twice_saves_once(store: Store) -> None:
    """An answer that got lost is asked for again: one rating, the first."""
    first = store.rate("ana", "q", "d", 1.0, token="page")
    assert store.rate("ana", "q", "d", 1.0, token="page") == first
    assert len(store.ratings()) == 1


def test_a_stale_page_overwrites_nothing(store: Store) -> None:
    """Two tabs show a pair without a grade; the second to save is told what the first said."""
    store.rate("ana", "q", "d", 1.0, token="one tab")
    with pytest.raises(StaleError, match=r"it is graded 1 now. Nothing was saved") as raised:
        store.rate("ana", "q", "d", 3.0, token="other tab")
    assert raised.value.now is not None
    store.rate("ana", "q", "d", 3.0, token="other tab, shown again", seen=raised.value.now.id)
    store.undo("ana")
    store.undo("ana")
    with pytest.raises(StaleError, match="its grade was taken back"):
        store.rate("ana", "q", "d", 3.0, token="a third", seen=raised.value.now.id)
    assert store.ratings() == []


@pytest.mark.parametrize(("state", "grade"), [("graded", None), ("later", 1.0), ("cannot tell", 0.0), ("good", 1.0)])
def test_only_what_is_graded_has_a_grade(store: Store, state: Any, grade: float | None) -> None:
    """Neither the call nor the database takes anything else."""
    with pytest.raises(ir.UsageError, match="only 'graded' has a grade"):
        store.rate("ana", "q", "d", grade, state=state, token="1")
    assert store.ratings() == []


def test_the_database_refuses_a_grade_without_a_state(store: Store) -> None:
    """Whatever writes to it."""
    store.rate("ana", "q", "d", 1.0, token="1")
    with pytest.raises(sa.exc.IntegrityError), store._engine.begin() as connection:
        connection.execute(sa.update(module.ratings).values(grade=None))


def test_ids_are_text_and_no_part_of_a_statement(store: Store) -> None:
    """Quotes, statements and signs come back as they are."""
    for place, word in enumerate(["'); DROP TABLE ratings; --", '"', "\\", "é日🙂", " ", "%s :x ?"]):
        saved = store.rate(word, word, word, 1.0, comment=word, token=str(place))
        assert store.rating(word, word, word) == saved
        store.keep("results", word, word.encode(), word)
        store[f"name {place}"] = word
        assert store[f"name {place}"] == word
    assert len(store.ratings()) == 6


def test_a_content_is_kept_once(store: Store) -> None:
    """Two tables of the same content share it; a new content of a name stands in the place of the old one."""
    data = b"query,doc,grade\n" * 1000
    first = store.keep("judgments", "a", data, "a.csv", {"grade": "label"})
    assert store.keep("results", "b", data) == first
    assert store.content(first) == data
    with store._engine.connect() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(module.contents)).scalar() == 1
    other = store.keep("judgments", "a", b"new")
    assert [(one.name, one.sha256) for one in store.sources()] == [("a", other), ("b", first)]
    assert [one.name for one in store.sources("results")] == ["b"]
    assert store.content(first) == data  # what was looked at before still names it


def test_a_content_that_was_changed_is_refused(store: Store) -> None:
    """A hash that no longer fits, what cannot be unpacked, and one that is not there."""
    digest = store.keep("judgments", "a", b"grades")
    for packed in (zlib.compress(b"other"), b"no zlib"):
        with store._engine.begin() as connection:
            connection.execute(sa.update(module.contents).values(packed=packed))
        with pytest.raises(ir.DataError, match=r"was changed\. Read the file again"):
            store.content(digest)
    with pytest.raises(ir.DataError, match="is not there"):
        store.content("0" * 64)


def test_the_same_look_twice_is_one(store: Store) -> None:
    """A reload of the page is not a new comparison; another decision is."""
    used, found = {"baseline": "a", "system": "b", "measure": "nDCG@10", "answers": {}}, {"difference": 0.1}
    assert store.remember(used, found) == store.remember(used, found)
    store.remember({**used, "answers": {"gain": "exp2"}}, found)
    assert [(one[2]["answers"], one[3]) for one in store.looks()] == [({}, found), ({"gain": "exp2"}, found)]


def test_two_raters_at_once(where: str) -> None:
    """Eight threads, each with a connection of its own: 20 ratings each, none lost, none twice."""
    stores = [Store(where) for _ in range(8)]
    failed: list[BaseException] = []

    def rate(place: int) -> None:
        try:
            for number in range(20):
                stores[place].rate(f"rater {place % 4}", f"q{place}", f"d{number}", 1.0, token=f"{place} {number}")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=rate, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert sorted((one.query, one.doc) for one in stores[0].ratings()) == sorted(
        (f"q{place}", f"d{number}") for place in range(8) for number in range(20)
    )
    for each in stores:
        each.close()


def test_two_tabs_at_once_save_one_grade(where: str) -> None:
    """Many tabs rate the same pair at the same time: one is saved, and the others are told."""
    stores = [Store(where) for _ in range(6)]
    outcomes: list[str] = []
    together = threading.Barrier(6)

    def rate(place: int) -> None:
        together.wait()
        try:
            stores[place].rate("ana", "q", "d", float(place), token=str(place))
            outcomes.append("saved")
        except StaleError:
            outcomes.append("stale")

    threads = [threading.Thread(target=rate, args=(place,)) for place in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["saved", *["stale"] * 5]
    for each in stores:
        each.close()


RATES = """
import sys
from idealrank.studio.store import Store
store = Store(sys.argv[1])
begin = len(store.ratings())
print("ready", flush=True)
for number in range(begin, begin + 10_000):
    store.rate("ana", f"q{number}", "d", 1.0, token=f"{sys.argv[2]} {number}")
    print(number, flush=True)
"""


@pytest.mark.heavy
@pytest.mark.skipif(sys.platform == "win32", reason="a process is not killed so there")
def test_killed_again_and_again(tmp_path: Path) -> None:
    """Killed at any moment, sixteen times, it has every rating that was confirmed, and no half of one."""
    where, draw, confirmed = tmp_path / "project.db", random.Random(5), -1
    Store(where).close()
    for kill in range(KILLS):
        command = [sys.executable, "-c", RATES, str(where), str(kill)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            for _ in range(draw.randrange(1, 30)):
                confirmed = int(process.stdout.readline())
            os.kill(process.pid, signal.SIGKILL)
            for line in process.stdout:  # what it had said when it was killed
                confirmed = int(line) if line.endswith("\n") else confirmed
        store = Store(where)
        saved = [int(one.query[1:]) for one in store.ratings()]
        store.close()
        assert saved == list(range(len(saved)))
        assert len(saved) in (confirmed + 1, confirmed + 2)  # one may have been saved that was not confirmed any more


# Faults, each in one sentence.


def test_the_file_alone_has_every_grade(tmp_path: Path) -> None:
    """A copy made while the studio runs has all that was confirmed: nobody copies SQLite's log with it."""
    store = Store(tmp_path / "project.db")
    store.rate("ann", "q", "d", 2.0, token="1")
    (tmp_path / "copy.db").write_bytes((tmp_path / "project.db").read_bytes())
    store.close()
    copied = Store(tmp_path / "copy.db")
    assert [one.grade for one in copied.ratings()] == [2.0]
    copied.close()


@pytest.mark.parametrize("put", ["nothing", "another"])
def test_a_file_that_is_gone_takes_no_grade(tmp_path: Path, put: str) -> None:
    """What is written into a deleted file is gone with the program: whoever grades is told. Put back, it goes on."""
    store = Store(tmp_path / "project.db")
    store.rate("ann", "q", "d", 2.0, token="1")
    (tmp_path / "project.db").rename(tmp_path / "moved.db")
    if put == "another":
        (tmp_path / "project.db").write_bytes((tmp_path / "moved.db").read_bytes())
    with pytest.raises(DataError, match="moved, deleted or replaced"):
        store.rate("ann", "q", "e", 2.0, token="2")
    (tmp_path / "moved.db").replace(tmp_path / "project.db")
    store.rate("ann", "q", "e", 2.0, token="2")
    assert len(store.ratings()) == 2
    store.close()


def test_a_file_that_is_no_project(tmp_path: Path) -> None:
    """A file of something else, and a database of somebody else, are left as they are."""
    other = tmp_path / "other.db"
    other.write_bytes(b"query,doc,grade\n" * 200)
    with pytest.raises(ir.DataError, match="this is no project of the studio"):
        Store(other)
    assert other.read_bytes() == b"query,doc,grade\n" * 200
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE customers (name)")
    with pytest.raises(ir.DataError, match="has 1 table, and none is the studio's"):
        Store(foreign)


def test_a_project_of_a_newer_version(where: str) -> None:
    """It is not touched, and says what to do."""
    store = Store(where)
    with store._engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(ir.DataError, match="a newer idealrank wrote this project"):
        Store(where)


def test_no_folder_and_no_such_scheme(tmp_path: Path) -> None:
    """A path into nowhere, and a scheme that is none, are refused."""
    with pytest.raises(ir.DataError, match="there is no folder 'nowhere'"):
        Store(tmp_path / "nowhere" / "project.db")
    with pytest.raises(ir.UsageError, match="a project is a file, or postgresql"):
        Store("mysql://localhost/x")


@pytest.mark.heavy
def test_no_such_server() -> None:
    """A server that does not answer is named without its password."""
    with pytest.raises(ir.DataError, match=r"postgresql\+psycopg://ana:\*\*\*@127.0.0.1:1/x: ") as raised:
        Store("postgresql://ana:secret@127.0.0.1:1/x")
    assert "secret" not in str(raised.value)


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """It says so, and what was saved is there."""
    store = Store(tmp_path / "project.db")
    store.rate("ana", "q", "d", 1.0, token="1")
    store.close()
    (tmp_path / "project.db").chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(ir.DataError, match="cannot be"):
            Store(tmp_path / "project.db").rate("ana", "q", "d2", 1.0, token="2")
    finally:
        tmp_path.chmod(0o755)


def test_a_full_disk(tmp_path: Path) -> None:
    """SQLite is given no more pages, which is what it says of a full disk: one sentence, and what was saved stays."""
    store = Store(tmp_path / "project.db")
    saved = store.rate("ana", "q", "d", 1.0, token="1")
    with store._engine.connect() as connection:
        pages = connection.execute(sa.text("PRAGMA page_count")).scalar()
        connection.execute(sa.text(f"PRAGMA max_page_count = {pages}"))
        connection.commit()
    with pytest.raises(ir.DataError, match=r"the disk is full\. Make room; what was saved before is there"):
        store.keep("results", "large", os.urandom(1_000_000))
    assert store.ratings() == [saved]
    store.close()


def test_the_migrations_make_the_tables_that_are_used(where: str) -> None:
    """Columns, keys and constraints of the database are those of the module."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    store = Store(where)
    with store._engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), module._tables) == []
    store.close()
