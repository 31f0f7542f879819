"""What the table has agreed on: how a game begins, its house rules, the settings of the box."""

from collections.abc import Iterator
from typing import Any

from companion.games.bogus.board import chips_of
from companion.record.journal import Journal
from companion.record.rows import Setting
from companion.record.settings import ON_TABLE
from companion.telling.sayings import say

Json = dict[str, Any]


def begun(journal: Journal[object]) -> Iterator[Json]:
    """A game that would begin so: the order, who pays whom, and what differs from the usual."""
    opened, seats = journal.opened, journal.opened.seats
    yield say("house.begins", game=journal.game.title, seats=seats.order)
    if chips_of(journal.start) is not None:
        scores = seats.order[1]
        yield say("house.pays", seat=scores, payer=seats.payer_of(scores))
        for seat, colour in journal.colours.items():
            if seat != colour:
                yield say("house.colour", seat=seat, colour=colour.lower())
    for option in journal.game.options:
        value = opened.options[option.name]
        if value != option.default(len(seats)):
            yield say("house.rule", rule=option.sentence(value))


def setting_said(setting: Setting) -> Json:
    """A setting that would be so."""
    if setting.name == ON_TABLE:
        return say("house.resumes", number=setting.value)
    return say("house.set", name=setting.name, value=setting.value)
