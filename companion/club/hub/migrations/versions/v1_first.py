"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None

ID = 16


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "clubs",
        sa.Column("club", sa.String(ID), primary_key=True),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
    )
    op.create_table(
        "boxes",
        sa.Column("club", sa.String(ID)),
        sa.Column("box", sa.String(ID)),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("joined_at", sa.Double, nullable=False),
        sa.Column("heard_at", sa.Double),
        sa.PrimaryKeyConstraint("club", "box"),
        sa.ForeignKeyConstraint(["club"], ["clubs.club"]),
    )
    op.create_table(
        "joinings",
        sa.Column("club", sa.String(ID)),
        sa.Column("box", sa.String(ID)),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("digits", sa.String(6), nullable=False),
        sa.Column("asked_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("club", "box"),
        sa.ForeignKeyConstraint(["club"], ["clubs.club"]),
    )
    _make_chains()
    op.create_table(
        "erased",
        sa.Column("club", sa.String(ID)),
        sa.Column("box", sa.String(ID)),
        sa.Column("first", sa.LargeBinary),
        sa.PrimaryKeyConstraint("club", "box", "first"),
    )


def _make_chains() -> None:
    op.create_table(
        "chains",
        sa.Column("club", sa.String(ID)),
        sa.Column("box", sa.String(ID)),
        sa.Column("chain", sa.Integer),
        sa.Column("parent", sa.Integer),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.LargeBinary, nullable=False),
        sa.Column("countersign", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("began_at", sa.Double, nullable=False),
        sa.Column("grown_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("club", "box", "chain"),
        sa.ForeignKeyConstraint(["club", "box"], ["boxes.club", "boxes.box"]),
    )
    op.create_table(
        "rows",
        sa.Column("club", sa.String(ID)),
        sa.Column("box", sa.String(ID)),
        sa.Column("chain", sa.Integer),
        sa.Column("seq", sa.BigInteger),
        sa.Column("game", sa.BigInteger),
        sa.Column("row", sa.Text),
        sa.Column("at", sa.Double),
        sa.Column("source", sa.Text),
        sa.Column("before", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("club", "box", "chain", "seq"),
        sa.ForeignKeyConstraint(
            ["club", "box", "chain"], ["chains.club", "chains.box", "chains.chain"]
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("rows_by_game", "rows", ["club", "box", "chain", "game", "seq"])
