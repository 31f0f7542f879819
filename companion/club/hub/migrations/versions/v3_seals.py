"""Adds the distinction between boxes and clubs, and between sealed and unsealed rows."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Adds the columns. A member that has acted as a club, and never as a box, becomes a club. A
    chain whose newest row has no seal gets its beginning as its head: all its rows wait for a
    seal."""
    op.add_column("boxes", sa.Column("kind", sa.String(4), nullable=False, server_default="box"))
    op.add_column("joinings", sa.Column("kind", sa.String(4)))
    op.add_column("chains", sa.Column("came_seq", sa.BigInteger))
    op.add_column("chains", sa.Column("came_hash", sa.LargeBinary))
    op.add_column("chains", sa.Column("unsealed", sa.Text))
    op.execute(
        "UPDATE boxes SET kind = 'club' WHERE box <> club AND box IN (SELECT club FROM clubs)"
        " AND NOT EXISTS (SELECT 1 FROM chains"
        " WHERE chains.club = boxes.club AND chains.box = boxes.box)"
    )
    op.execute(
        "UPDATE chains SET came_seq = seq, came_hash = hash, seq = first - 1, hash ="
        " (SELECT rows.before FROM rows WHERE rows.club = chains.club AND rows.box = chains.box"
        " AND rows.chain = chains.chain AND rows.seq = chains.first)"
        " WHERE length(seal) = 0"
    )
