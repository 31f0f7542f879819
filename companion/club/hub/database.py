"""The database of a hub: SQLite in a file of its own, or PostgreSQL by its address.

All other modules write their statements once, for both. One thread does all of a hub's writing, so
that a process never waits for itself.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
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
from companion.core.errors import SaidError, SetupError

WAIT_S: Final = 10
"""Seconds to wait for another process that is writing, and for a connection."""
OLDEST_POSTGRESQL: Final = 150_000
MIGRATING: Final = 7_070_901
"""The number of the PostgreSQL lock that a hub holds while it changes the schema, so that only one
hub does so at a time."""
_WRITES = "companion_writes"


class AwayError(SaidError, RuntimeError):
    """The database can't be reached, is full or too busy: nothing was done, and it can be tried
    again."""


class Database:
    """A hub's database. Any thread may use it."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.engine = _engine(url)
        self._writing = self.engine.execution_options(**{_WRITES: True})

    @classmethod
    def at(cls, place: str | Path) -> "Database":
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
        """Whether several hubs may use it: PostgreSQL."""
        return self.url.get_backend_name() != "sqlite"

    @property
    def address(self) -> str:
        """The address in the form that PostgreSQL's own programs take, with the password."""
        return self.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def bring_up_to_date(self) -> None:
        """Makes the tables, or brings them up to this program's version. Raises AwayError, and
        SetupError if a newer program made them or PostgreSQL is too old."""
        config = Config()
        config.set_main_option("script_location", "companion.club.hub:migrations")
        try:
            with self.writing() as db:
                if db.dialect.name == "postgresql":
                    version = int(db.execute(text("SHOW server_version_num")).scalar_one())
                    if version < OLDEST_POSTGRESQL:
                        raise SetupError("this PostgreSQL is too old: the hub needs 15 or newer")
                    db.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
                config.attributes["connection"] = db
                command.upgrade(config, "head")
        except CommandError as error:
            raise SetupError("a newer companion made this database: update this one") from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection on which everything that is read is of one moment. Raises AwayError."""
        with _saying_why(), self.engine.connect() as db, db.begin():
            if db.dialect.name == "postgresql":
                db.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            yield db

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction, committed at its end. AwayError: nothing of it was kept."""
        with _saying_why(), self._writing.begin() as db:
            yield db

    def close(self) -> None:
        """Lets go of all connections."""
        self.engine.dispose()


@contextmanager
def _saying_why() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError, InternalError, IntegrityError) as error:
        raise _away(error) from error
    except (DBAPIError, TimeoutError) as error:  # the latter where all connections are in use
        if isinstance(error, TimeoutError) or error.connection_invalidated:
            raise _away(error) from error
        raise


def _away(error: SQLAlchemyError) -> AwayError:
    """The error for the caller to raise, with the cause in one line, without the statement."""
    told = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
    return AwayError("the database does not answer: {why}", why=told)


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(
            url, pool_pre_ping=True, pool_size=8, connect_args={"connect_timeout": WAIT_S}
        )
    engine = create_engine(url, connect_args={"timeout": WAIT_S})

    @event.listens_for(engine, "connect")
    def connected(db: Any, _record: object) -> None:
        db.isolation_level = None  # transactions begin where we say
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            db.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begun(db: Connection) -> None:
        """Begins a transaction that writes with the right to do so: one that only read at first may
        be refused that right later."""
        writes = db.get_execution_options().get(_WRITES)
        db.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


T = TypeVar("T")

READERS: Final = 4


class Committer:
    """Runs work that changes the database, one piece after the other, and meanwhile work that only
    reads it."""

    def __init__(self) -> None:
        self._writer = ThreadPoolExecutor(1, "committer")
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._waiting = 0

    async def change(self, work: Callable[[], T]) -> T:
        """Runs `work` after all changes that came before, and gives its result. Raises what `work`
        raises, and AwayError if too many changes wait."""
        if self._waiting >= CHANGES.most:
            raise AwayError("too many boxes push at once: try again")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._writer, work)
        finally:
            self._waiting -= 1

    async def read(self, work: Callable[[], T]) -> T:
        """The result of `work`, which changes nothing."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def close(self) -> None:
        """Ends both kinds of threads once all changes that wait are made; reads that wait are
        dropped."""
        self._writer.shutdown()
        self._readers.shutdown(cancel_futures=True)
