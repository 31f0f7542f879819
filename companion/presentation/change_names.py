"""The names that undo, redo and news have for a change: “Red 5-6”, “the removal of Red 5-6”, “this
game”."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from companion.core.seats import Seats, shown
from companion.core.words import listed, phrase
from companion.games.entry import Dealt, Entry, Held, HeldPips
from companion.games.penalties import Audited, Called, Corrected, Ruled
from companion.presentation.language import Language
from companion.record.journal import Journal
from companion.record.people.people import People
from companion.record.versions import ChangeKind, WhatChanged

# ---------------------------------------------------------------- names called
# The names under which the seats of a game are shown: players may have been renamed since it began.
#
# No game is rewritten: a seat keeps its old name in entries, proposals and settings. Only text that
# people read has the new name, put in by the language that they read (language.py).


def names_called(seats: Seats, known: People) -> Mapping[str, str]:
    """For each seat whose player has another name now, the old name and the new one, as people read
    them. A name that two seats would share is left out."""
    called = {seat: known.name_of(seat) for seat in seats}
    often = Counter(called.values())
    return {shown(seat): shown(to) for seat, to in called.items() if to != seat and often[to] == 1}


def calling(language: Language, journal: Journal[object] | None, known: People) -> Language:
    """The `language`, with the present names for the seats of the journal's game."""
    return language.calling(names_of(journal, known))


def names_of(journal: Journal[object] | None, known: People) -> Mapping[str, str]:
    """The names of the journal's game that are no longer those of its players, each with the
    present one; none if there is no game."""
    if journal is None or not known.called:
        return {}
    return names_called(journal.opened.seats, known)


# ---------------------------------------------------------------- change names

ACTS: Final = {"draw": phrase("draw"), "pass": phrase("pass"), "misdraw": phrase("misdraw")}
"""The entries that belong to a seat, each with its word."""
WORDS: Final = {
    **ACTS,
    "@left": phrase("@left"),
    "@right": phrase("@right"),
    "@up": phrase("@up"),
    "@down": phrase("@down"),
    "blocked": phrase("blocked"),
    "out": phrase("out"),
    "ends": phrase("ends"),
    "count": phrase("count"),
    "chips": phrase("chips"),
    "agreed": phrase("agreed"),
}
"""The words that the tally writes besides seats, tiles and numbers, to be translated."""


def change_named(what: WhatChanged, said: Callable[[Entry], str] = str) -> str:
    """The name of a change; `said` gives the name of each entry in it."""
    if what.entry is None:
        name = _without(what, said)
    elif what.kind is ChangeKind.REMOVED:
        name = phrase("the removal of {entry}", entry=said(what.entry))
    elif what.kind is ChangeKind.PUT_IN:
        entry, where = said(what.entry), _where(what, said)
        name = phrase("{entry} put in before {where}", entry=entry, where=where)
    else:
        name = said(what.entry)
    return phrase("{change} and {more} more", change=name, more=what.more) if what.more else name


def _without(what: WhatChanged, said: Callable[[Entry], str]) -> str:
    match what.kind:
        case ChangeKind.CHANGED:
            return phrase("the change of {where}", where=_where(what, said))
        case ChangeKind.REWOUND:
            return phrase("the rewind to {where}", where=_where(what, said))
        case ChangeKind.REWIND_TOOK:
            return phrase("what the rewind to {where} took", where=_where(what, said))
        case ChangeKind.RESEATED:
            return phrase("the change of the seats")
        case ChangeKind.OTHER_PEOPLE:
            return phrase("who sits here")
        case ChangeKind.BEGUN_NEXT:
            return phrase("the next game")
    return phrase("this game")


def _where(what: WhatChanged, said: Callable[[Entry], str]) -> str:
    """A place in the game, named by the entry that stood there, in quotes."""
    assert what.there is not None, "it was changed nowhere"
    return phrase("“{entry}”", entry=said(what.there))


def named_for_all(what: WhatChanged) -> str:
    """The name of a change that everybody may read: it doesn't say which tiles or pips a seat has
    shown."""
    if what.first is not None and _is_shown(what.first):
        return _unsaid(what.first)
    return change_named(what, _unsaid)


def _is_shown(entry: Entry) -> bool:
    """Whether the entry is a holding, which may have been shown to some players only, in a
    claim."""
    return isinstance(entry, Held | HeldPips)


def _unsaid(entry: Entry) -> str:
    if not _is_shown(entry):
        return _thing(entry) or _by_seat(entry)
    return phrase("what {seat} has shown", seat=shown(entry.said_by or ""))


def spoken(what: WhatChanged) -> str:
    """The name of a change as a player says it."""
    thing = _thing(what.first) if what.first is not None else None
    if thing is not None:
        return thing
    alone = what.kind in (ChangeKind.ENTERED, ChangeKind.REMOVED) and not what.more
    return change_named(what, _acted if alone else _said)


def _thing(entry: Entry) -> str | None:
    """What an entry is called, as in “the deal”, if the tally's words are not plain English; else
    None."""
    match entry:
        case Dealt():
            return phrase("the deal")
        case Called():
            return phrase("the bogus call")
        case Ruled(accused, _):
            return phrase("the ruling on {seat}", seat=shown(accused))
        case Corrected():
            return phrase("the chip correction")
        case Audited():
            return phrase("the count of chips")
    return None


def _said(entry: Entry) -> str:
    return _by_seat(entry)


def _by_seat(entry: Entry) -> str:
    """The entry as the tally writes it, with the seat as people read it."""
    text, seat = str(entry), entry.said_by
    if seat is None or not text.startswith(f"{seat} "):
        return _worded(text)
    return listed((shown(seat), _worded(text.removeprefix(f"{seat} "))), " ")


def _worded(text: str) -> str:
    return listed((WORDS.get(word) or shown(word) for word in text.split(" ")), " ")


def _acted(entry: Entry) -> str:
    """The entry as in “Red's draw”, if it is one of ACTS; else as `_said`."""
    act = entry.words[0]
    if entry.said_by is None or act not in ACTS or not str(entry).endswith(f" {act}"):
        return _said(entry)
    return phrase("{seat}'s {act}", seat=shown(entry.said_by), act=ACTS[act])
