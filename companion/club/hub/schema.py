"""The hub's database tables, for SQLite and PostgreSQL alike; docs/hub.md says what a row of each
is.

The migrations (migrations/versions) make these tables; a test compares the two, so that neither
drifts.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

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
    Column("number", Integer),  # of its table; NULL: none
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
    Column("kind", String(4)),  # box | club; NULL: an older program, which doesn't say
    PrimaryKeyConstraint("club", "box"),
    ForeignKeyConstraint(["club"], ["clubs.club"]),
)

chains = Table(
    "chains",
    METADATA,
    Column("club", String(ID)),
    Column("box", String(ID)),
    Column("chain", Integer),  # from 1
    Column("parent", Integer),  # the chain that it left; NULL: it begins with row 1
    Column("first", BigInteger, nullable=False),  # the number of its own first row
    Column("seq", BigInteger, nullable=False),  # of its newest row that the box has sealed
    Column("hash", LargeBinary, nullable=False),
    Column("seal", LargeBinary, nullable=False),  # the box's signature of that row; empty: none
    Column("countersign", LargeBinary, nullable=False),  # the club's
    Column("state", String(8), nullable=False),  # live | aside
    Column("began_at", Double, nullable=False),
    Column("grown_at", Double, nullable=False),
    Column("came_seq", BigInteger),  # of its newest row, if that came without the box's seal
    Column("came_hash", LargeBinary),
    Column("unsealed", Text),  # of a federated chain: see stretches_of (chains.py)
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
    Column("game", BigInteger),  # with the next three NULL: the row is private
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
    Column("address", Text),  # where boxes reach it
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
