"""Rows that were found anywhere, however many, and the `story` made of them: a chain of rows for a
record.

They lie in a temporary file of SQLite's that has no name and vanishes when it is closed. A few rows
never leave the memory; a million rows of a stick take no more memory than MEMORY_KIB.
"""

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Self

from companion.record.store.chain import COLUMNS, START, ChainLink
from companion.record.store.connection import connect

MEMORY_KIB = 8 << 10
"""How much of the rows SQLite holds in memory, in KiB."""

_TABLES = f"""
PRAGMA cache_size = -{MEMORY_KIB};
PRAGMA journal_mode = OFF;
CREATE TABLE found (
  id INTEGER PRIMARY KEY, place TEXT, seq INTEGER, game INTEGER, row TEXT, at REAL, source TEXT,
  before BLOB, hash BLOB
);
CREATE INDEX by_seq ON found (seq);
CREATE TABLE story (seq INTEGER PRIMARY KEY, id INTEGER, before BLOB, hash BLOB);
"""
_LINK = ", ".join(f"found.{column}" for column in COLUMNS.split(", "))
_STORY = "FROM story JOIN found ON found.id = story.id"
_OTHERS = "FROM found LEFT JOIN story ON story.seq = found.seq"
_FROM_START = f"SELECT x'{START.hex()}' AS hash, 0 AS seq"
_IN_ORDER = "ORDER BY found.seq, found.id"


class Gathered:
    """The rows found at some places, each place with a name, and the `story`: at most one row of
    each number, each of which should follow on the one before. Every method raises sqlite3.Error if
    the disk is full."""

    def __init__(self) -> None:
        self._db = connect("")
        self._db.executescript(_TABLES)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._db.close()

    def add(self, place: str, links: Iterable[ChainLink]) -> None:
        """Adds rows that were found at `place`, in the order in which they lie."""
        self._db.executemany(
            "INSERT INTO found VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((place, *link.columns) for link in links),
        )

    def replace(self, place: str, link: ChainLink) -> None:
        """Puts `link` in the place of all rows with its number that were found at `place`."""
        self._db.execute("DELETE FROM found WHERE seq = ? AND place = ?", (link.seq, place))
        self.add(place, (link,))

    # ------------------------------------------------------------ what there is

    def newest(self, place: str) -> tuple[float, int]:
        """The latest time at which a row of `place` was kept (0: the clock was not set), and the
        highest number of its rows."""
        question = "SELECT coalesce(max(at), 0), coalesce(max(seq), 0) FROM found WHERE place = ?"
        at, seq = self._one(question, place)
        return float(at), int(seq)

    @property
    def length(self) -> int:
        """How many rows the story has."""
        return int(self._one("SELECT count(*) FROM story")[0])

    @property
    def last(self) -> ChainLink | None:
        """The story's last row; None if it has none."""
        return next(self._links(f"{_STORY} ORDER BY story.seq DESC LIMIT 1"), None)

    def links(self) -> Iterator[ChainLink]:
        """The story's rows, in order."""
        return self._links(f"{_STORY} ORDER BY story.seq")

    def of_box(self, kind: str) -> Iterator[ChainLink]:
        """The rows of that kind that belong to no game, in order."""
        some = f'found.game = 0 AND found.row LIKE \'%"kind": "{kind}"%\''
        return self._links(f"{_STORY} WHERE {some} ORDER BY story.seq")

    def ends(self) -> dict[int, int]:
        """The number of the story's last row of each game."""
        return dict(self._db.execute(f"SELECT game, max(story.seq) {_STORY} GROUP BY game"))

    # ------------------------------------------------------------ making a story

    def tell(self, place: str) -> None:
        """Makes the story of the rows of one place. A row that was written but never committed may
        lie beside the row that took its place: the one that fits its neighbours counts, or else the
        later one."""
        self._db.execute("CREATE INDEX by_before ON found (before)")
        best: ChainLink | None = None
        tip = START
        for link in self._links(f"FROM found WHERE place = ? {_IN_ORDER}", place):
            if best is not None and link.seq == best.seq:
                best = self._better(best, link, tip, place)
                continue
            if best is not None:
                self._take(best, place)
                tip = best.hash
            best = link
        if best is not None:
            self._take(best, place)
        self._db.execute("DROP INDEX by_before")  # more rows come the quicker

    def _better(self, one: ChainLink, later: ChainLink, tip: bytes, place: str) -> ChainLink:
        followed = "SELECT EXISTS (SELECT 1 FROM found WHERE before = ? AND place = ?)"

        def worth(link: ChainLink) -> tuple[bool, bool]:
            return link.before == tip, bool(self._one(followed, link.hash, place)[0])

        return one if worth(one) > worth(later) else later

    def _take(self, link: ChainLink, place: str) -> None:
        """Takes a row into the story, by the id of any of its copies: these are alike."""
        self._db.execute(
            "INSERT OR IGNORE INTO story SELECT seq, id, before, hash FROM found "
            "WHERE seq = ? AND hash = ? AND place = ? LIMIT 1",
            (link.seq, link.hash, place),
        )

    def fill(self, may: Callable[[ChainLink], bool] = lambda _: True) -> int:
        """Adds rows of any place to the story if it lacks their numbers. They must follow on its
        rows, or its rows on them, judged by the hashes, so that no other story gets in. `may` says
        of each whether it is added. Returns how many were."""
        self._db.executescript(
            f"""
            CREATE TABLE lacking AS SELECT found.id, found.seq, found.before, found.hash
              {_OTHERS} WHERE story.seq IS NULL;
            CREATE INDEX lacking_before ON lacking (before);
            CREATE INDEX lacking_hash ON lacking (hash);
            CREATE TABLE fitting (seq INTEGER PRIMARY KEY, id INTEGER);
            """
        )
        self._follow("before", "hash")
        self._follow("hash", "before")
        many = 0
        chosen = "FROM fitting JOIN found ON found.id = fitting.id ORDER BY fitting.seq"
        allowed = (link for link in self._links(chosen) if may(link))
        for link in allowed:
            self._db.execute(
                "INSERT INTO story SELECT seq, id, ?, ? FROM fitting WHERE seq = ?",
                (link.before, link.hash, link.seq),
            )
            many += 1
        self._db.executescript("DROP TABLE lacking; DROP TABLE fitting")
        return many

    def _follow(self, theirs: str, ours: str) -> None:
        """Finds rows that fit the story, from each of its rows on, one after the other, as long as
        one fits and its number is free. A row fits if its column `theirs` equals the column `ours`
        of the row before."""
        start = "SELECT x'' AS hash, 0 AS seq" if theirs == "hash" else _FROM_START
        ends = f"SELECT story.{ours} AS hash, story.seq FROM story"
        firsts = (
            f"SELECT max(lacking.id) FROM ({start} UNION ALL {ends}) AS tip "
            f"JOIN lacking ON lacking.{theirs} = tip.hash GROUP BY tip.seq ORDER BY tip.seq"
        )
        following = (
            f"SELECT other.id FROM lacking JOIN lacking AS other "
            f"ON other.{theirs} = lacking.{ours} WHERE lacking.id = ? ORDER BY other.id DESC"
        )
        take = "INSERT OR IGNORE INTO fitting SELECT seq, id FROM lacking WHERE id = ?"
        self._db.execute("CREATE UNIQUE INDEX IF NOT EXISTS lacking_id ON lacking (id)")
        for (first,) in self._db.execute(firsts):
            at: tuple[int] | None = (first,)
            while at is not None and self._db.execute(take, at).rowcount:
                at = self._db.execute(following, at).fetchone()

    def apart(self, besides: str) -> int:
        """How many rows of all places but `besides` follow on a row of the story, directly or
        through others, and are not in it."""
        self._db.executescript(
            """
            CREATE TABLE apart (hash BLOB PRIMARY KEY) WITHOUT ROWID;
            CREATE INDEX story_hash ON story (hash);
            """
        )
        question = f"SELECT found.before, found.hash {_OTHERS} WHERE story.hash IS NOT found.hash "
        question += f"AND place <> ? {_IN_ORDER}"
        known = "SELECT EXISTS (SELECT 1 FROM story WHERE hash = ?1) OR EXISTS "
        known += "(SELECT 1 FROM apart WHERE hash = ?1)"
        for before, own in self._db.execute(question, (besides,)):
            if self._one(known, before)[0]:
                self._db.execute("INSERT OR IGNORE INTO apart VALUES (?)", (own,))
        many = int(self._one("SELECT count(*) FROM apart")[0])
        self._db.executescript("DROP TABLE apart; DROP INDEX story_hash")
        return many

    def _links(self, which: str, *values: object) -> Iterator[ChainLink]:
        for columns in self._db.execute(f"SELECT {_LINK} {which}", values):
            yield ChainLink(*columns)

    def _one(self, question: str, *values: object) -> Any:
        return self._db.execute(question, values).fetchone()
