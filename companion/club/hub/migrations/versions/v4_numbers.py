"""Gives boxes table numbers, initially those in their names, as in “Table 7”."""

import re

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Adds the column, and fills it for members whose name contains a number that no other member's
    does."""
    op.add_column("boxes", sa.Column("number", sa.Integer))
    boxes = sa.table("boxes", *map(sa.column, ("club", "box", "name", "state", "kind", "number")))
    db = op.get_bind()
    found = dict[tuple[str, int], list[str]]()
    asked = sa.select(boxes.c.club, boxes.c.box, boxes.c.name).where(
        boxes.c.state == "member", boxes.c.kind == "box"
    )
    for club, box, name in db.execute(asked):
        numbers = re.findall(r"\d+", name)
        if len(numbers) == 1 and 0 < int(numbers[0]) < 1000:
            found.setdefault((club, int(numbers[0])), []).append(box)
    for (club, number), named in found.items():
        if len(named) == 1:
            mine = boxes.c.club == club, boxes.c.box == named[0]
            db.execute(sa.update(boxes).where(*mine).values(number=number))
