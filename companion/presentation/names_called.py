"""By which names the seats of a game are shown: players may have been renamed since it was begun.

No game is rewritten: a seat stays what it is in entries, proposals and settings. Its name is put in
the place of the old one where people read it, by the language that they read (language.py).
"""

from collections import Counter
from collections.abc import Mapping

from companion.core.seats import Seats, shown
from companion.presentation.language import Language
from companion.record.journal import Journal
from companion.record.people.people import People


def names_called(seats: Seats, known: People) -> Mapping[str, str]:
    """What is shown for each seat whose player is called otherwise now; nothing where two seats
    would read the same."""
    called = {seat: known.name_of(seat) for seat in seats}
    often = Counter(called.values())
    return {shown(seat): shown(to) for seat, to in called.items() if to != seat and often[to] == 1}


def calling(language: Language, journal: Journal[object] | None, known: People) -> Language:
    """The language, with the seats of that game called as they are now."""
    if journal is None or not known.called:
        return language
    return language.calling(names_called(journal.opened.seats, known))
