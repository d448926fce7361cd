"""The store of a project: what was read, who gave which grade when, and what was looked at.

One SQLite file, or a PostgreSQL database for a team, through one code path. Ratings are only ever added: an undone one
keeps its row. Contents are kept once, by their SHA-256.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import os
import re
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from idealrank.errors import DataError, UsageError, plural
from idealrank.studio.foreign import is_look, is_rating, read_json, setting_trouble, source_trouble

State = Literal["graded", "cannot tell", "later"]
STATES: tuple[State, ...] = ("graded", "cannot tell", "later")
"""What a rating is; only the first has a grade."""

WAITS = 30
"""Seconds that a write waits for another."""

FREE, RATIO = 1 << 26, 200
"""Beyond so many bytes, how many times its packed size a content may have: a small project fills no memory."""

_PIECE = 1 << 20

_tables = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)
contents = sa.Table(
    "contents",
    _tables,
    sa.Column("sha256", sa.String(64), primary_key=True),
    sa.Column("packed", sa.LargeBinary, nullable=False),
)
sources = sa.Table(
    "sources",
    _tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("file", sa.Text, nullable=False),
    sa.Column("sha256", sa.ForeignKey("contents.sha256"), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.UniqueConstraint("role", "name"),
)
settings = sa.Table(
    "settings", _tables, sa.Column("name", sa.String(64), primary_key=True), sa.Column("value", sa.JSON, nullable=False)
)
raters = sa.Table(
    "raters",
    _tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.UniqueConstraint("name"),
)
ratings = sa.Table(
    "ratings",
    _tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("rater", sa.ForeignKey("raters.id"), nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("doc", sa.Text, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("grade", sa.Float),
    sa.Column("comment", sa.Text, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("token", sa.String(64), nullable=False),
    sa.Column("undone", sa.String(32)),
    sa.UniqueConstraint("token"),
    # A rating without a grade would be read as one of 0 somewhere, one day.
    sa.CheckConstraint("(state = 'graded') = (grade IS NOT NULL)", name="graded"),
    sa.Index("ix_ratings_pair", "rater", "query", "doc"),
)
looks = sa.Table(
    "looks",
    _tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("used", sa.JSON, nullable=False),
    sa.Column("found", sa.JSON, nullable=False),
)


@dataclass(frozen=True)
class KeptTable:
    """A table of the project: its role and name, the file it came from, its content, and how it was read."""

    role: str
    name: str
    file: str
    sha256: str
    options: Mapping[str, Any]

    @property
    def columns(self) -> Mapping[str, Any]:
        """The names of its columns, as its reader takes them."""
        found: Mapping[str, Any] = self.options.get("columns", {})
        return found

    @property
    def systems(self) -> list[str]:
        """The systems of a table of results, of which the first names it."""
        found: list[str] = self.options.get("systems", [self.name])
        return found

    @property
    def part(self) -> str:
        """What of its content is read; "" for all."""
        return str(self.options.get("part", ""))

    @property
    def version(self) -> tuple[str, ...]:
        """What is read of it: another after its content, or how it is read, changed."""
        return self.role, self.name, self.sha256, json.dumps(self.options)


@dataclass(frozen=True)
class Rating:
    """What a rater said of a document for a query.

    Attributes
    ----------
    id
        Its place among all ratings, in the order they were given.
    state, grade
        ``graded`` with the grade, or why there is none.
    at
        When, in UTC.
    """

    id: int
    rater: str
    query: str
    doc: str
    state: State
    grade: float | None
    comment: str
    at: str


class StaleError(DataError):
    """Somebody, perhaps in another tab, rated the pair since the page was shown.

    Attributes
    ----------
    now
        What is said of the pair now; None if that was undone.
    again
        Where the pair is shown as it is now; "" as long as nobody said.
    """

    def __init__(self, now: Rating | None, since: str = "This result was rated in another window") -> None:
        self.now, self.again = now, ""
        what = "its grade was taken back" if now is None else f"it is {_rating_text(now)} now"
        super().__init__(f"{since} since it was shown here: {what}. Nothing was saved.")


def _rating_text(rating: Rating) -> str:
    return f"graded {rating.grade:g}" if rating.grade is not None else f"'{rating.state}'"


class Store:
    """A project's database.

    A row that the studio cannot have written counts for nothing, and `damage` says so.

    Parameters
    ----------
    where
        A path of a SQLite file, which is made if there is none, or ``postgresql://…``.

    Attributes
    ----------
    given
        The settings that were kept since it was opened: whoever made the file did not say them.

    Raises
    ------
    DataError
        If it is no project, is of a newer version, or cannot be opened or written.
    """

    def __init__(self, where: str | os.PathLike[str]) -> None:
        self.where = str(where)
        self._engine = _engine(self.where)
        self._damage: dict[str, str] = {}
        self.given: set[str] = set()
        self.name = self._engine.url.render_as_string(hide_password=True) if self.is_server else self.where
        try:
            with self._explained():
                upgrade(self._engine, self.name)
        except DataError:
            self.close()
            raise
        self._file = None if self.is_server else _identity(self.where)

    @property
    def damage(self) -> list[str]:
        """What was found damaged so far, a sentence each."""
        return list(self._damage.values())

    def _note(self, key: str, trouble: str) -> bool:
        """Remember that something is damaged, or is no longer; return whether it is."""
        if trouble:
            self._damage[key] = trouble
        else:
            self._damage.pop(key, None)
        return bool(trouble)

    @property
    def is_server(self) -> bool:
        """Whether it is a PostgreSQL database, and no file."""
        return self._engine.dialect.name == "postgresql"

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say in a sentence why the database cannot be used; what was saved before stays."""
        try:
            yield
        except sa.exc.DBAPIError as error:
            raise DataError(f"{self.name}: {_why(error)}") from None

    def _refuse_lost_file(self) -> None:
        """Refuse to write into a file that is no longer under its name: it would be gone with the program."""
        if not self.is_server and _identity(self.where) != self._file:
            raise DataError(
                f"{self.name}: the file was moved, deleted or replaced while the studio ran. Nothing was saved. Put it "
                "back, or start the studio again."
            )

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        self._refuse_lost_file()
        with self._explained(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with self._explained(), self._engine.connect().execution_options(reads=True) as connection:
            yield connection

    def _insert(self, table: sa.Table) -> Any:
        """Return an INSERT that can ignore or replace what is there, which SQL has no standard words for."""
        return (postgresql if self.is_server else sqlite).insert(table)

    # What was read.

    def keep(self, role: str, name: str, data: bytes, file: str = "", options: Mapping[str, Any] | None = None) -> str:
        """Keep a table, in the place of an older one of that role and name; return the SHA-256 of its content."""
        digest, packed = hashlib.sha256(data).hexdigest(), zlib.compress(data)
        if _is_too_large(len(data), len(packed)):
            raise DataError(f"{file or name}: the file {_TOO_LARGE}, and is not kept. Shorten what repeats in it.")
        row = {"role": role, "name": name, "file": file, "sha256": digest, "options": dict(options or {})}
        with self._writing() as connection:
            content = self._insert(contents).values(sha256=digest, packed=packed)
            connection.execute(content.on_conflict_do_nothing())
            source = self._insert(sources).values(row)
            changed = {key: source.excluded[key] for key in ("file", "sha256", "options")}
            connection.execute(source.on_conflict_do_update(index_elements=["role", "name"], set_=changed))
        return digest

    def sources(self, role: str | None = None) -> list[KeptTable]:
        """Return the tables, in the order they came in; of one role, if that is named."""
        query = sa.select(sources).order_by(sources.c.id)
        query = query if role is None else query.where(sources.c.role == role)
        with self._reading() as connection:
            rows = connection.execute(query).all()
        taken: list[str] = []
        return [self._table(row, taken) for row in rows if not self._is_damaged(row, taken)]

    def _is_damaged(self, row: Any, taken: Collection[str]) -> bool:
        what = source_trouble(row.role, row.name, row.file, row.options, taken)
        damage = (
            f"The table {str(row.file)[:80]!r} of this project is damaged: {what}. It counts for nothing; add it anew."
        )
        return self._note(f"sources {row.id}", damage if what else "")

    def _table(self, row: Any, taken: list[str]) -> KeptTable:
        table = KeptTable(row.role, row.name, row.file, row.sha256, row.options)
        taken += table.systems if row.role == "results" else []
        return table

    def content(self, sha256: str) -> bytes:
        """Return a content by its SHA-256, as `unpack` writes it."""
        out = io.BytesIO()
        self.unpack(sha256, out)
        return out.getvalue()

    def unpack(self, sha256: str, out: IO[bytes]) -> None:
        """Write a content, by its SHA-256, piece by piece.

        Raises
        ------
        DataError
            If there is none, it was changed, or it expands to more than a content may have; what was written by then
            is none of it.
        """
        with self._reading() as connection:
            packed = connection.execute(sa.select(contents.c.packed).where(contents.c.sha256 == sha256)).scalar()
        if packed is None:
            raise self._no_content(sha256, "is not there")
        if not isinstance(packed, bytes):
            raise self._no_content(sha256, "was changed")
        unpacking, digest, size, rest = zlib.decompressobj(), hashlib.sha256(), 0, packed
        try:
            while piece := unpacking.decompress(rest, _PIECE):
                size, rest = size + len(piece), unpacking.unconsumed_tail
                if _is_too_large(size, len(packed)):
                    raise self._no_content(sha256, _TOO_LARGE)
                digest.update(piece)
                out.write(piece)
        except zlib.error:
            raise self._no_content(sha256, "was changed") from None
        if digest.hexdigest() != sha256 or not unpacking.eof:
            raise self._no_content(sha256, "was changed")

    def _no_content(self, sha256: str, what: str) -> DataError:
        return DataError(f"{self.name}: the content {sha256[:12]}… {what}. Read the file again.")

    def remove(self, role: str, name: str) -> None:
        """Leave a table out of the project; its content stays, for the comparisons that used it."""
        with self._writing() as connection:
            connection.execute(sa.delete(sources).where(sources.c.role == role, sources.c.name == name))

    # What the project is asked for.

    def __getitem__(self, name: str) -> Any:
        """Return a setting; None if it was never given."""
        with self._reading() as connection:
            value = connection.execute(sa.select(settings.c.value).where(settings.c.name == name)).scalar()
        return None if self._note(f"setting {name}", setting_trouble(name, value)) else value

    def __setitem__(self, name: str, value: Any) -> None:
        """Keep a setting: anything JSON has."""
        self.given.add(name)
        row = self._insert(settings).values(name=name, value=value)
        with self._writing() as connection:
            connection.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": row.excluded.value}))

    # Ratings.

    def rate(
        self,
        rater: str,
        query: str,
        doc: str,
        grade: float | None = None,
        *,
        state: State = "graded",
        comment: str = "",
        token: str,
        seen: int | None = None,
    ) -> Rating:
        """Save what a rater says of a pair; when it returns, it is on the disk.

        Parameters
        ----------
        token
            Of the page that was shown: the same token saves once, however often it is sent.
        seen
            The id of the rating that the page showed of this pair; None: none was there.

        Raises
        ------
        StaleError
            If there is another by now.
        UsageError
            If a grade has a state without one, or the other way round.
        """
        if (state == "graded") == (grade is None) or state not in STATES:
            raise UsageError(f"state={state!r}, grade={grade!r}: only 'graded' has a grade.")
        with self._writing() as connection:
            self._lock(connection)
            now, used = _last(connection, rater, query, doc), _by_token(connection, token)
            if used is not None and used.undone is None:
                return _rating(used)
            if used is not None:  # Undo, and then Back: the page is the one before
                raise StaleError(now, "This page was used")
            if (None if now is None else now.id) != seen:
                raise StaleError(now)
            row = {
                "rater": self._rater_id(connection, rater), "query": query, "doc": doc, "state": state, "grade": grade,
                "comment": comment, "at": _utc(), "token": token,
            }  # fmt: skip
            connection.execute(sa.insert(ratings).values(row))
            saved = _by_token(connection, token)
        return _rating(saved)

    def undo(self, rater: str) -> Rating | None:
        """Take a rater's last rating back, and return it; None if there is none."""
        with self._writing() as connection:
            self._lock(connection)
            last = _first(connection, _kept().where(raters.c.name == rater).order_by(ratings.c.id.desc()).limit(1))
            if last is not None:
                connection.execute(sa.update(ratings).where(ratings.c.id == last.id).values(undone=_utc()))
        return last

    def _lock(self, connection: sa.Connection) -> None:
        """Let one rating be saved at a time: what is seen and what is saved belong together.

        SQLite has the whole file since the transaction began (`_engine`).
        """
        if self.is_server:
            connection.execute(sa.text("LOCK TABLE ratings IN SHARE ROW EXCLUSIVE MODE"))

    def _rater_id(self, connection: sa.Connection, name: str) -> int:
        connection.execute(self._insert(raters).values(name=name).on_conflict_do_nothing())
        return int(connection.execute(sa.select(raters.c.id).where(raters.c.name == name)).scalar_one())

    def ratings(self, rater: str | None = None, query: str | None = None, after: int = 0) -> list[Rating]:
        """Return what is said of each pair now, in the order it was said: of a rater, the last that was not undone.

        Parameters
        ----------
        rater, query
            Whose ratings, and of which query; None: all.
        after
            The id of a rating: only what was said after it.
        """
        kept = [ratings.c.undone.is_(None), ratings.c.id > after]
        kept += [] if query is None else [ratings.c.query == query]
        latest = (
            sa.select(sa.func.max(ratings.c.id)).where(*kept).group_by(ratings.c.rater, ratings.c.query, ratings.c.doc)
        )
        asked = _kept().where(ratings.c.id.in_(latest)).order_by(ratings.c.id)
        asked = asked if rater is None else asked.where(raters.c.name == rater)
        with self._reading() as connection:
            rows = connection.execute(asked).all()
        found = [_rating(row) for row in rows if is_rating(row, STATES)]
        if len(found) < len(rows):
            self._note("ratings", "Ratings of this project are damaged, and count for nothing.")
        return found

    def rating(self, rater: str, query: str, doc: str) -> Rating | None:
        """Return what a rater says of a pair now; None for nothing."""
        with self._reading() as connection:
            return _last(connection, rater, query, doc)

    @property
    def raters(self) -> list[str]:
        """Everybody who ever rated, in the order they began."""
        with self._reading() as connection:
            names = connection.execute(sa.select(raters.c.name).order_by(raters.c.id)).scalars()
            return [name for name in names if isinstance(name, str)]

    @property
    def state(self) -> tuple[int, int]:
        """The last rating and how many were undone: the same as long as nobody says anything else."""
        query = sa.select(sa.func.coalesce(sa.func.max(ratings.c.id), 0), sa.func.count(ratings.c.undone))
        with self._reading() as connection:
            last, undone = connection.execute(query).one()
        return int(last), int(undone)

    # What was looked at.

    def remember(self, used: Mapping[str, Any], found: Mapping[str, Any]) -> int:
        """Keep what a comparison used and what it found, unless the last one is the same; return its id."""
        with self._writing() as connection:
            last = connection.execute(sa.select(looks).order_by(looks.c.id.desc()).limit(1)).first()
            if last is not None and (last.used, last.found) == (_plain(used), _plain(found)):
                return int(last.id)
            row = sa.insert(looks).values(at=_utc(), used=_plain(used), found=_plain(found)).returning(looks.c.id)
            return int(connection.execute(row).scalar_one())

    def looks(self) -> list[tuple[int, str, dict[str, Any], dict[str, Any]]]:
        """Return every comparison that was looked at: its id, when, what it used, what it found."""
        with self._reading() as connection:
            rows = connection.execute(sa.select(looks).order_by(looks.c.id)).all()
        found = [(row.id, row.at, row.used, row.found) for row in rows if is_look(row.used, row.found)]
        damaged = plural(len(rows) - len(found), "comparison")
        self._note("looks", f"{damaged} of the history cannot be read, and left out." if len(found) < len(rows) else "")
        return found


def _kept() -> Any:
    return _ever_given().where(ratings.c.undone.is_(None))


def _ever_given() -> Any:
    columns = [ratings.c.id, raters.c.name.label("name"), *(ratings.c[key] for key in (*_SHOWN, "undone"))]
    return sa.select(*columns).join(raters, ratings.c.rater == raters.c.id)


_SHOWN = ("query", "doc", "state", "grade", "comment", "at")


def _last(connection: sa.Connection, rater: str, query: str, doc: str) -> Rating | None:
    given = _kept().where(raters.c.name == rater, ratings.c.query == query, ratings.c.doc == doc)
    return _first(connection, given.order_by(ratings.c.id.desc()).limit(1))


def _by_token(connection: sa.Connection, token: str) -> Any:
    """Return the row that a page wrote, also if it was undone; None if it wrote none."""
    return connection.execute(_ever_given().where(ratings.c.token == token)).first()


def _first(connection: sa.Connection, query: Any) -> Rating | None:
    row = connection.execute(query).first()
    return _rating(row) if row is not None and is_rating(row, STATES) else None


def _rating(row: Any) -> Rating:
    return Rating(row.id, row.name, *(getattr(row, key) for key in _SHOWN))


_TOO_LARGE = f"expands to more than {RATIO} times its packed size"


def _is_too_large(size: int, packed: int) -> bool:
    return size > FREE and size > RATIO * packed


def _plain(value: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(value))


def _utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


# Opening.


def _identity(file: str) -> tuple[int, int] | None:
    """Return what tells a file from another of its name; None where there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _engine(where: str) -> sa.Engine:
    """Return the engine of a file or of a server."""
    if where.startswith(("postgresql:", "postgres:")):
        url = sa.make_url(where.replace("postgres:", "postgresql:", 1) if where.startswith("postgres:") else where)
        driver = url.set(drivername="postgresql+psycopg")
        return sa.create_engine(driver, pool_pre_ping=True, json_deserializer=read_json)
    if "://" in where:
        raise UsageError(f"{where.partition(':')[0]}: a project is a file, or postgresql://….")
    if not Path(where).absolute().parent.is_dir():
        raise DataError(f"{where}: there is no folder {Path(where).absolute().parent.name!r} to make it in.")
    place = sa.URL.create("sqlite", database=where)
    engine = sa.create_engine(place, connect_args={"timeout": WAITS}, json_deserializer=read_json)

    @sa.event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: Any) -> None:
        # The driver's own transactions begin at the first write, after what they read may have changed.
        connection.isolation_level = None
        # One text that is no UTF-8 would make all of its table unreadable.
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        # What was written is in the file itself at once: a copy of it has all grades, without the log beside it.
        for pragma in (
            "trusted_schema = OFF",
            "journal_mode = WAL",
            "wal_autocheckpoint = 1",
            "foreign_keys = ON",
            "synchronous = FULL",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        reads = connection.get_execution_options().get("reads", False)
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


_REASONS: Sequence[tuple[str, str]] = (
    ("file is not a database", "this is no project of the studio. Name another file."),
    ("malformed", "the file is damaged. Restore it from a copy."),
    ("readonly", "it cannot be written. Change its permissions, or copy it elsewhere."),
    ("unable to open", "it cannot be opened. Check that the folder is there and can be written."),
    ("disk is full", "the disk is full. Make room; what was saved before is there."),
    ("disk I/O error", "the disk did not take it. What was saved before is there."),
    ("locked", f"somebody else has been writing for {WAITS} seconds. Close the other program, and try again."),
)


def _why(error: sa.exc.DBAPIError) -> str:
    """Say in a sentence what the database said."""
    message = str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else type(error.orig).__name__
    return next((why for words, why in _REASONS if words in message), f"{message}. What was saved before is there.")


def upgrade(engine: sa.Engine, name: str) -> None:
    """Bring a database to this version's tables.

    Raises
    ------
    DataError
        If it is of a newer version, or is some other database.
    """
    from alembic import command
    from alembic.script import ScriptDirectory

    config = _migrations()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    with engine.begin() as connection:
        version = _read_version(connection, name)
        if version is not None and version not in known:
            raise DataError(
                f"{name}: a newer idealrank wrote this project (its version is {version}). Update idealrank."
            )
        if version is not None and engine.dialect.name == "sqlite":
            _refuse_other_schema(_schema(connection, name), _written_schema(version), name)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        check_tables(connection, name)


def _migrations() -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


_VERSIONS = "alembic_version"


def _read_version(connection: sa.Connection, name: str) -> str | None:
    """Return the version of a database; None if it is empty.

    Raises
    ------
    DataError
        If it is some other database, or has several.
    """
    if connection.dialect.name == "sqlite":
        made = _schema(connection, name)
        there = {called for kind, called in made if kind == "table"}
        if _VERSIONS in there:
            written = {key: text for key, text in _written_schema("head").items() if key[1] == _VERSIONS}
            _refuse_other_schema({key: made[key] for key in written}, written, name)
    else:
        there = set(sa.inspect(connection).get_table_names())
    read = sa.text(f"SELECT substr(version_num, 1, 64) FROM {_VERSIONS} LIMIT 2")
    versions = connection.execute(read).scalars().all() if _VERSIONS in there else []
    if len(versions) > 1 or any(not isinstance(one, str) for one in versions):
        raise _changed(name, "it has no one version")
    if not versions and there - {_VERSIONS}:
        raise DataError(
            f"{name}: this database has {plural(len(there), 'table')}, and none is the studio's. Name another file."
        )
    return versions[0] if versions else None


_MOST_MADE, _LONGEST_SQL = 100, 10_000


def _schema(connection: sa.Connection, name: str = "") -> dict[tuple[str, str], str]:
    """Return the SQL of what a file has, by kind and name; spaces are not compared.

    Raises
    ------
    DataError
        If it has more than could all be looked at.
    """
    read = f"SELECT type, name, substr(sql, 1, {_LONGEST_SQL}) FROM sqlite_master LIMIT {_MOST_MADE + 1}"
    rows = connection.exec_driver_sql(read).all()
    if len(rows) > _MOST_MADE:
        raise _changed(name, f"it has more than {_MOST_MADE} tables, indexes and the like")
    automatic = {(kind, name) for kind, name, text in rows if kind == "index" and text is None}
    made = {(str(kind), str(name)): " ".join(str(text).split()) for kind, name, text in rows}
    return {key: re.sub(r" ?([(),]) ?", r"\1", text) for key, text in made.items() if key not in automatic}


@functools.cache
def _written_schema(version: str) -> dict[tuple[str, str], str]:
    """Return what the studio itself makes in a file of a version."""
    from alembic import command

    engine = sa.create_engine("sqlite://")
    config = _migrations()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
        return _schema(connection)


def _refuse_other_schema(
    made: Mapping[tuple[str, str], str], written: Mapping[tuple[str, str], str], name: str
) -> None:
    """Refuse what would run as a project is read or written: anybody may have made the file.

    Raises
    ------
    DataError
        If a file has views, triggers, indexes or virtual tables of its own making, or a table of the studio has a
        column, rule, order or value that the studio did not give it.
    """
    for (kind, called), text in made.items():
        if (kind, called) not in written and (kind != "table" or text.split()[1:2] != ["TABLE"]):
            raise _changed(name, f"it has the {kind} {called[:80]!r}, which the studio makes nowhere")
    for (kind, called), text in written.items():
        if made.get((kind, called)) != text:
            raise _changed(name, f"its {kind} {called!r} is not the studio's")


def check_tables(connection: sa.Connection, name: str) -> None:
    """Refuse tables with other columns or cells too long to read, and of a server rules, which would run unseen.

    Raises
    ------
    DataError
        With the first such table.
    """
    _refuse_other_tables(connection, name)
    _refuse_long_cells(connection, name)


def _refuse_other_tables(connection: sa.Connection, name: str) -> None:
    inspector = sa.inspect(connection)
    for table in _tables.tables.values():
        found = inspector.get_columns(table.name) if inspector.has_table(table.name) else []
        odd = {one["name"] for one in found} != set(table.columns.keys()) or any("computed" in one for one in found)
        if odd or (connection.dialect.name == "postgresql" and _has_rules(connection, table.name)):
            raise _changed(name, f"its table {table.name!r} is not the studio's")


def _has_rules(connection: sa.Connection, table: str) -> bool:
    """Whether a table of a server is a view, or has triggers, rules, defaults, checks or the like of its own."""
    odd, defaults, checks = connection.execute(sa.text(_RULES), {"called": table}).one()
    own = re.compile(rf"nextval\('{table}_id_seq'::regclass\)")
    plain = {re.sub(r"[\s()]|::\w+", "", text) for text in checks}
    return odd or not all(map(own.fullmatch, defaults)) or plain - {"CHECKstate='graded'=gradeISNOTNULL"} != set()


_RULES = """
SELECT
    c.relkind <> 'r' OR c.relrowsecurity
    OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal)
    OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = c.oid)
    OR EXISTS (SELECT FROM pg_inherits WHERE c.oid IN (inhparent, inhrelid))
    OR EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND (indexprs IS NOT NULL OR indpred IS NOT NULL)),
    ARRAY(SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = c.oid),
    ARRAY(SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = c.oid AND contype = 'c')
FROM pg_class c WHERE c.oid = to_regclass(:called)
"""

LONGEST_TEXT, LONGEST_JSON = 1 << 20, 1 << 22
"""Bytes of a cell; the studio writes none that is longer, and a table is read as a whole."""


def _refuse_long_cells(connection: sa.Connection, name: str) -> None:
    for table in _tables.tables.values():
        for column in table.columns:
            if not isinstance(column.type, sa.JSON | sa.String):
                continue
            most = LONGEST_JSON if isinstance(column.type, sa.JSON) else LONGEST_TEXT
            text = sa.func.octet_length(sa.cast(column, sa.Text))
            if connection.dialect.name == "sqlite":
                text = sa.func.length(sa.cast(column, sa.LargeBinary))
            if connection.execute(sa.select(1).select_from(table).where(text > most).limit(1)).first():
                raise _changed(name, f"its table {table.name!r} has more than {most >> 20} MiB in one {column.name!r}")


def _changed(name: str, what: str) -> DataError:
    return DataError(f"{name}: some other program changed this project: {what}. Restore it from a copy.")
