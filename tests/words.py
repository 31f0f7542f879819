"""python -m tests.words: lists all that people read, for translators, as build/messages.pot.

Sentences are found by Babel where they stand in the code (core/words.py); those that programs know
by keys, in the catalogue (presentation/sayings.py), each with its key as context. Values that are
words themselves, such as a verdict, are listed one by one.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

import companion
from companion.app.catalog import CATALOG
from companion.games.bogus.claim import RulingResult
from companion.games.bogus.watched_hand import VerdictKind
from companion.games.game import Why
from companion.presentation.club_words import AT_A_HUB, CLUB
from companion.presentation.news import FIRST_PART
from companion.presentation.past_words import PAST
from companion.presentation.sayings import SAYINGS
from companion.web.words import DIRECTION, LANGUAGE

HOUSE: Final = Path(companion.__file__).parent
POT: Final = Path("build/messages.pot")
ROOMS: Final = (
    *("core", "events", "games", "record", "presentation"),
    *(
        "console",
        "link",
        "devices",
        "table",
        "web",
        "club",
        "export",
        "tv",
        "players",
        "hub",
        "card",
        "updates",
        "commands",
        "app",
    ),
)
"""Where people at the table are spoken to; the command line and what the log says stay English."""
FILES: Final = {
    "club": ("service.py",),
    "hub": ("archive.py", "event_api.py", "event_desk.py", "opened.py", "organiser.py"),
    "commands": ("copies.py", "update.py"),
    "app": ("background.py", "box_check.py", "club.py", "notice_socket.py"),
}
"""Of these only so many files: the others speak to programs, and to who has started one."""
SAID_BY: Final = {
    **dict.fromkeys(("phrase", "mark", "Sentence"), None),
    "counted": (1, 2),
    "cant": (1,),
    **dict.fromkeys(("refuse_value", "value_fault"), (2,)),
    **dict.fromkeys(("EntryError", "RuleError", "TallyError", "EventError", "Unclear"), None),
    **dict.fromkeys(("StoreError", "LockedError", "OvertakenError", "DamagedError"), None),
    "UnwritableError": None,
    "UpdateError": None,
    "RenewalError": None,
}
"""What is given a sentence, and where it stands among what it is given."""

DONE: Final = ("entry.", "short.")
WHO: Final = ("seat", "by")
"""Where it is said what somebody did, and which parts may be who."""


def messages() -> Catalog:
    """All that is to be translated."""
    found = Catalog(project="table-companion", fuzzy=False)
    for path, line, message in _in_code():
        found.add(message, locations=[(path, line)])
    for key, english in (*SAYINGS.items(), *PAST.items(), *AT_A_HUB.items(), *CLUB.items()):
        if key in (DIRECTION, LANGUAGE):
            continue
        found.add(english, context=key)
        first = FIRST_PART.match(english) if key.startswith(DONE) else None
        if first and first[1] in WHO:  # as news says it, behind who has keyed it
            found.add(english[first.end() :], context=key)
    assert all(CATALOG[name].rules for name in CATALOG), "each is loaded, with its own reasons"
    whys = (why for why in Why.__subclasses__() if why.__module__.startswith("companion."))
    kinds: list[type[StrEnum]] = [VerdictKind, RulingResult, *whys]
    for kind in kinds:
        for value in kind:
            found.add(value.value)
    return found


def _in_code() -> Iterator[tuple[str, int, str | tuple[str, ...]]]:
    for room in ROOMS:
        method = [(name, "python") for name in FILES.get(room, ("**.py",))]
        said_by = {by: at for by, at in SAID_BY.items() if (room, by) != ("commands", "cant")}
        for name, line, message, _, _ in extract_from_dir(HOUSE / room, method, keywords=said_by):
            yield f"companion/{room}/{name}", line, message


@cache
def listed() -> Catalog:
    """The same, found once a process, to be read only."""
    return messages()


if __name__ == "__main__":
    POT.parent.mkdir(exist_ok=True)
    with POT.open("wb") as pot:
        write_po(pot, messages(), width=100)
    print(f"{POT}: {len(messages())} messages")
