"""The database of a hub (SQLite in its own file, or PostgreSQL at an address), its tables, and the
notifications between hubs that share it.

All other modules use the same statements for both databases. A single thread does all of a hub's
writing, so that a process never waits for its own lock. The migrations (migrations/versions) create
the tables; a test compares them with the tables here. docs/hub.md describes the rows of each table.

A notification to the club's other hubs only means that there is something new. The batch is already
in the database, and a hub that misses the notification finds it a second later. A hub on SQLite has
no other hubs.
"""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Engine,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    SQLAlchemyError,
    TimeoutError,
)

from companion.core.budgets import CHANGES
from companion.core.clock import Clock
from companion.core.errors import ReportedError, SetupError
from companion.core.values import Json

# ---------------------------------------------------------------- tables

ID: Final = 16
"""The length of a club's or a box's identity, in letters: see club/box/keys.py."""

METADATA = MetaData()

clubs = Table(
    "clubs",
    METADATA,
    Column("club", String(ID), primary_key=True),
    Column("key", LargeBinary, nullable=False),
    Column("name", Text, nullable=False),
)

boxes = Table(
    "boxes",
    METADATA,
    Column("club", String(ID)),
    Column("box", String(ID)),
    Column("key", LargeBinary, nullable=False),
    Column("name", Text, nullable=False),
    Column("state", String(8), nullable=False),  # member | left | away | own
    Column("joined_at", Double, nullable=False),
    Column("heard_at", Double),  # by the hub's own clock, seconds since 1970
    Column("kind", String(4), nullable=False, server_default="box"),  # box | club
    Column("number", Integer),  # of its table; NULL if none
    PrimaryKeyConstraint("club", "box"),
    ForeignKeyConstraint(["club"], ["clubs.club"]),
)

joinings = Table(
    "joinings",
    METADATA,
    Column("club", String(ID)),
    Column("box", String(ID)),
    Column("key", LargeBinary, nullable=False),
    Column("name", Text, nullable=False),
    Column("digits", String(6), nullable=False),
    Column("asked_at", Double, nullable=False),
    Column("kind", String(4)),  # box | club; NULL from older programs, which don't send it
    PrimaryKeyConstraint("club", "box"),
    ForeignKeyConstraint(["club"], ["clubs.club"]),
)

chains = Table(
    "chains",
    METADATA,
    Column("club", String(ID)),
    Column("box", String(ID)),
    Column("chain", Integer),  # from 1
    Column("parent", Integer),  # the chain from which it branches; NULL if it begins with row 1
    Column("first", BigInteger, nullable=False),  # the number of its own first row
    Column("seq", BigInteger, nullable=False),  # of its newest row that the box has sealed
    Column("hash", LargeBinary, nullable=False),
    Column("seal", LargeBinary, nullable=False),  # the box's signature of that row; empty if none
    Column("countersign", LargeBinary, nullable=False),  # the club's
    Column("state", String(8), nullable=False),  # live | aside
    Column("began_at", Double, nullable=False),
    Column("grown_at", Double, nullable=False),
    Column("came_seq", BigInteger),  # the newest row's number, if the box hasn't sealed it yet
    Column("came_hash", LargeBinary),
    Column("unsealed", Text),  # of a federated chain: see parse_ranges (chains.py)
    PrimaryKeyConstraint("club", "box", "chain"),
    ForeignKeyConstraint(["club", "box"], ["boxes.club", "boxes.box"]),
)

rows = Table(
    "rows",
    METADATA,
    Column("club", String(ID)),
    Column("box", String(ID)),
    Column("chain", Integer),
    Column("seq", BigInteger),
    Column("game", BigInteger),  # NULL, with the next three, if the row is private
    Column("row", Text),
    Column("at", Double),
    Column("source", Text),
    Column("before", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    PrimaryKeyConstraint("club", "box", "chain", "seq"),
    ForeignKeyConstraint(["club", "box", "chain"], ["chains.club", "chains.box", "chains.chain"]),
    Index("rows_by_game", "club", "box", "chain", "game", "seq"),
    sqlite_with_rowid=False,
)

erased = Table(
    "erased",
    METADATA,
    Column("club", String(ID)),
    Column("box", String(ID)),
    Column("first", LargeBinary),  # the hash of a row that began a chain
    PrimaryKeyConstraint("club", "box", "first"),
)

hubs = Table(
    "hubs",
    METADATA,
    Column("club", String(ID)),
    Column("address", Text),  # the address at which boxes reach it
    Column("seen_at", Double, nullable=False),  # by its own clock
    PrimaryKeyConstraint("club", "address"),
    ForeignKeyConstraint(["club"], ["clubs.club"]),
)

federations = Table(
    "federations",
    METADATA,
    Column("club", String(ID), primary_key=True),
    Column("key", LargeBinary, nullable=False),  # the federation's
    Column("name", Text, nullable=False),
    Column("address", Text, nullable=False),
    ForeignKeyConstraint(["club"], ["clubs.club"]),
)


# ---------------------------------------------------------------- connection

WAIT_S: Final = 10
"""Seconds to wait for another process that is writing, and for a connection."""
OLDEST_POSTGRESQL: Final = 150_000
MIGRATING: Final = 7_070_901
"""The number of the PostgreSQL lock that a hub holds while it changes the schema, so that hubs do
it one at a time."""
_WRITES = "companion_writes"


class UnavailableError(ReportedError, RuntimeError):
    """The database can't be reached, is full or is too busy. Nothing was changed; trying again may
    work."""


class Database:
    """A hub's database. Any thread may use it."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.engine = _engine(url)
        self._writing = self.engine.execution_options(**{_WRITES: True})

    @classmethod
    def from_address(cls, place: str | Path) -> "Database":
        """The database at an address such as postgresql://hub@db/club, or in the SQLite file at a
        Path. Nothing is opened yet. Raises SetupError."""
        if isinstance(place, Path):
            return cls(URL.create("sqlite", database=str(place)))
        try:
            url = make_url(place)
        except ArgumentError:
            url = URL.create("unknown")
        if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
            return cls(url.set(drivername="postgresql+psycopg"))
        raise SetupError(
            "that database is none of ours: name one as in postgresql://user@host/club"
        )

    @property
    def is_shared(self) -> bool:
        """Whether several hubs can use the database at the same time, as with PostgreSQL."""
        return self.url.get_backend_name() != "sqlite"

    @property
    def address(self) -> str:
        """The address in the form that PostgreSQL's own programs take, with the password."""
        return self.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def migrate(self) -> None:
        """Creates the tables, or migrates them to this program's version. Raises UnavailableError,
        and SetupError if a newer program created them, PostgreSQL is too old or the database is
        not in UTF-8."""
        config = Config()
        config.set_main_option("script_location", "companion.club.hub:migrations")
        try:
            with self.writing() as db:
                if db.dialect.name == "postgresql":
                    version = int(db.execute(text("SHOW server_version_num")).scalar_one())
                    if version < OLDEST_POSTGRESQL:
                        raise SetupError("this PostgreSQL is too old: the hub needs 15 or newer")
                    if db.execute(text("SHOW server_encoding")).scalar_one() != "UTF8":
                        raise SetupError(
                            "this database can't store every name: make one by "
                            "createdb -E UTF8 -T template0"
                        )
                    db.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
                config.attributes["connection"] = db
                command.upgrade(config, "head")
        except CommandError as error:
            raise SetupError("a newer companion made this database: update this one") from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Opens a connection that reads a consistent snapshot of the database. Raises
        UnavailableError."""
        with _translated_errors(), self.engine.connect() as db, db.begin():
            if db.dialect.name == "postgresql":
                db.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            yield db

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is committed at its end. If it raises UnavailableError, nothing was
        changed."""
        with _translated_errors(), self._writing.begin() as db:
            yield db

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()


@contextmanager
def _translated_errors() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError, InternalError, IntegrityError) as error:
        raise _unavailable_error(error) from error
    except (DBAPIError, TimeoutError) as error:  # TimeoutError: all connections are in use
        if isinstance(error, TimeoutError) or error.connection_invalidated:
            raise _unavailable_error(error) from error
        raise


def _unavailable_error(error: SQLAlchemyError) -> UnavailableError:
    """The error to raise instead of `error`, with its cause in one line and without the SQL
    statement."""
    notice = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
    return UnavailableError("the database does not answer: {why}", why=notice)


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        arguments = {"connect_timeout": WAIT_S, "client_encoding": "utf8"}
        return create_engine(url, pool_pre_ping=True, pool_size=8, connect_args=arguments)
    engine = create_engine(url, connect_args={"timeout": WAIT_S})

    @event.listens_for(engine, "connect")
    def on_connect(db: Any, _record: object) -> None:
        db.isolation_level = None  # we begin transactions explicitly
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            db.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def on_begin(db: Connection) -> None:
        """Makes write transactions take the write lock at their start: a transaction that begins by
        reading may be refused the right to write later."""
        writes = db.get_execution_options().get(_WRITES)
        db.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


T = TypeVar("T")

READERS: Final = 4


class Committer:
    """Runs all changes to the database one after the other in one thread, and reads from it in
    other threads."""

    def __init__(self) -> None:
        self._writer = ThreadPoolExecutor(1, "committer")
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._waiting = 0

    async def change(self, work: Callable[[], T]) -> T:
        """Runs `work` after all earlier changes, and returns its result. Raises whatever `work`
        raises, and UnavailableError if too many changes wait."""
        if self._waiting >= CHANGES.most:
            raise UnavailableError("too many boxes are sending at once: try again")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._writer, work)
        finally:
            self._waiting -= 1

    async def read(self, work: Callable[[], T]) -> T:
        """Runs `work`, which only reads, in the caller's context, and returns its result."""
        return await asyncio.get_running_loop().run_in_executor(
            self._readers, copy_context().run, work
        )

    def close(self) -> None:
        """Ends the writing and the reading threads: carries out all waiting changes first, but
        drops waiting reads."""
        self._writer.shutdown()
        self._readers.shutdown(cancel_futures=True)


# ---------------------------------------------------------------- other hubs on the same PostgreSQL

CHANNEL: Final = "companion"
TRY_AGAIN_S: Final = 2.0
"""Seconds until a lost connection is opened again."""
HUB_KNOWN_FOR_S: Final = 86_400.0
"""Seconds for which boxes still get the address of a hub after it was last seen, as it may come
back."""
LONGEST_NOTIFICATION: Final = 7_000
"""The most characters of a message to a box through another hub; PostgreSQL takes 8,000 bytes."""
MAX_HUBS: Final = 16


@cache
def this_process() -> str:
    """An id by which a hub recognises its own notifications."""
    return secrets.token_hex(4)


def notify_other_hubs(db: Connection, club: str) -> None:
    """Notifies the other hubs, once the transaction commits, that there is something new in that
    club."""
    _notify(db, {"club": club})


def send_by_other_hubs(database: Database, club: str, box: str, message: Json) -> None:
    """Has another hub send a message to a box that is connected there; does nothing if there are no
    other hubs, or if the message is longer than LONGEST_NOTIFICATION. Raises UnavailableError."""
    notice = {"club": club, "box": box, "say": message}
    if database.is_shared and len(json.dumps(notice)) <= LONGEST_NOTIFICATION:
        with database.writing() as db:
            _notify(db, notice)


def _notify(db: Connection, notice: Json) -> None:
    if db.dialect.name == "postgresql":
        payload = json.dumps({"from": this_process(), **notice})
        db.execute(
            text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload}
        )


async def keep_listening(
    database: Database,
    club: str,
    on_news: Callable[[], None],
    say: Callable[[str, Json], Awaitable[object]],
) -> None:
    """Listens to the club's other hubs until it is cancelled. `on_news` is called whenever there is
    something new, and after each reconnection; `say` is called with a message for a box, and sends
    it if that box is connected here."""
    if not database.is_shared:
        return
    import psycopg

    while True:
        with suppress(psycopg.Error, OSError):
            connection = await psycopg.AsyncConnection.connect(database.address, autocommit=True)
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                on_news()
                async for notified in connection.notifies():
                    notice = json.loads(notified.payload)
                    if notice.get("club") != club or notice.get("from") == this_process():
                        continue
                    if "box" in notice:
                        await say(notice["box"], notice["say"])
                    else:
                        on_news()
        await asyncio.sleep(TRY_AGAIN_S)


# ---------------------------------------------------------------- addresses of the club's hubs


def note_hub(database: Database, club: str, address: str, clock: Clock) -> list[str]:
    """Registers that this hub is running, and returns the addresses of all the club's hubs, the
    most recently seen first. Raises UnavailableError."""
    now, mine = clock(), (hubs.c.club == club, hubs.c.address == address)
    with database.writing() as db:
        if not db.execute(update(hubs).where(*mine).values(seen_at=now)).rowcount:
            db.execute(insert(hubs).values(club=club, address=address, seen_at=now))
        db.execute(delete(hubs).where(hubs.c.club == club, hubs.c.seen_at < now - HUB_KNOWN_FOR_S))
        known = select(hubs.c.address).where(hubs.c.club == club)
        return [*db.execute(known.order_by(hubs.c.seen_at.desc()).limit(MAX_HUBS)).scalars()]
