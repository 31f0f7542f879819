"""The names under which the seats of a game are shown: players may have been renamed since it
began.

No game is rewritten: a seat keeps its old name in entries, proposals and settings. Only text that
people read has the new name, put in by the language that they read (language.py).
"""

from collections import Counter
from collections.abc import Mapping

from companion.core.seats import Seats, shown
from companion.presentation.language import Language
from companion.record.journal import Journal
from companion.record.people.people import People


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
