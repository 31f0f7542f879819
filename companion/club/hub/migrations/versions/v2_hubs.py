"""Adds tables for several hubs of a club, and for the federation to which it pushes."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"

ID = 16


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "hubs",
        sa.Column("club", sa.String(ID)),
        sa.Column("address", sa.Text),
        sa.Column("seen_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("club", "address"),
        sa.ForeignKeyConstraint(["club"], ["clubs.club"]),
    )
    op.create_table(
        "federations",
        sa.Column("club", sa.String(ID), primary_key=True),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.club"]),
    )
