"""A game without the names of those who played it: such a seat is called by its chips' colour."""

import re
from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Any

from companion.errors import RuleError
from companion.games.game import AnyGame, Entry
from companion.games.options import Value
from companion.record.journal import Journal
from companion.record.people import People
from companion.record.rows import Step, colour_words
from companion.record.stars import LONGEST, ON, star_setting, stars_of
from companion.seats import BySeat, Seat, Seats
from companion.telling.remembered import stars_by_place

PLAYER = "Player_{number}"
"""Where there is no colour."""
TEXTS = frozenset({"reason"})
"""Fields of entries in which people write what they like."""


def by_colours(
    journal: Journal[Any],
    catalog: Mapping[str, AnyGame],
    only: Collection[str] | None = None,
) -> Journal[Any]:
    """The same game, played by colours; with `only` these seats alone lose their names. Raises
    RuleError where rows of it are lost: it can't be played anew then."""
    hidden = journal.opened.seats if only is None else only
    if not any(seat in hidden for seat in journal.opened.seats):
        return journal
    if journal.losses:
        raise RuleError("rows of this game are lost: it can't be told by colours")
    opened, names = journal.opened, _names(journal, hidden)
    seats = Seats(tuple(names[seat] for seat in opened.seats))
    colours = BySeat(seats, tuple(journal.colours[seat] for seat in opened.seats))
    begun = replace(opened, seats=seats, words=colour_words(colours))
    found: Journal[Any] = Journal.begin(begun, catalog)
    for entry in journal.entries:
        found = found.fold(Step((_renamed(entry, names),)))
    return found


def without_hidden(
    journal: Journal[object], catalog: Mapping[str, AnyGame], people: People
) -> Journal[object]:
    """The game as it may be shown: who is hidden is called by the chips' colour. Raises RuleError
    where that can't be."""
    hidden = [seat for seat in journal.opened.seats if people.hides(seat)]
    return by_colours(journal, catalog, hidden)


def stars_by_colours(
    settings: Mapping[str, Value], number: int, journal: Journal[Any], shown: Journal[Any]
) -> dict[str, Value]:
    """The settings with the stars of game `number` for the same entries by colours: a star names
    its entry by the text."""
    marked = frozenset(stars_of(settings))
    named, called = (stars_by_place(one, number, 0) for one in (journal, shown))
    stars = [called[place] for place, star in named.items() if star in marked]
    stars = [star for star in stars if len(str(star)) <= LONGEST]
    return {**settings, **{star_setting(f"{ON} {star}").name: ON for star in stars}}


def _names(journal: Journal[Any], hidden: Collection[str]) -> dict[Seat, Seat]:
    """What each is called then."""
    seats, colours = journal.opened.seats, journal.colours
    shown = [seat if seat not in hidden else Seat(colours[seat]) for seat in seats]
    if not all(shown) or len(set(shown)) < len(shown):
        shown = [
            seat if seat not in hidden else Seat(PLAYER.format(number=number))
            for number, seat in enumerate(seats, start=1)
        ]
    return dict(zip(seats, shown, strict=True))


def _renamed(entry: Entry, names: dict[Seat, Seat]) -> Entry:
    """The entry with other names, also in what people wrote."""
    any_name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    written = re.compile(rf"(?<!\w)(?:{any_name})(?!\w)")
    changed: dict[str, Any] = {}
    for one in fields(entry):  # type: ignore[arg-type]
        value = getattr(entry, one.name)
        if not isinstance(value, str):
            continue
        if one.name in TEXTS:
            changed[one.name] = written.sub(lambda found: names[Seat(found[0])], value)
        elif "Seat" in str(one.type):
            changed[one.name] = names[Seat(value)]
    return replace(entry, **changed) if changed else entry  # type: ignore[type-var]
