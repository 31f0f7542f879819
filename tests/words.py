"""python -m tests.words: lists all texts that people read, for translators, as build/messages.pot.

Babel finds sentences in the code (core/words.py). Sentences that programs know by keys come from
the catalogue (presentation/sayings.py), each with its key as context. Values that are words
themselves, such as a verdict, are listed one by one.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

import companion
from companion.app.catalog import CATALOG
from companion.games.bogus.calls import RulingResult, VerdictKind
from companion.games.game import PaymentReason
from companion.presentation.club_words import CLUB, EVENT_WORDS, HUB_PAGE_WORDS
from companion.presentation.news import FIRST_PART
from companion.presentation.page_words import PAST
from companion.presentation.sayings import SAYINGS
from companion.web.files import DIRECTION, LANGUAGE

HOUSE: Final = Path(companion.__file__).parent
POT: Final = Path("build/messages.pot")
ROOMS: Final = (
    *("core", "events", "games", "record", "presentation"),
    *("console", "devices", "table", "web", "players", "club/box", "club/hub", "card"),
    *("app/updates", "commands", "app/check", "app"),
)
"""Rooms that speak to people at the table; the command line and the log stay English."""
FILES: Final = {
    "club/box": ("service.py",),
    "commands": ("copies.py", "events.py", "publish.py", "update.py"),
    "app/check": tuple(f"{one}.py" for one in ("board", "disk", "peripherals")),
    "app": (
        "background.py",
        "club.py",
        "notice_socket.py",
        "retention.py",
        "run.py",
    ),
}
"""Rooms of which only these files count: the others speak to programs, and to people who have
started one."""
SAID_BY: Final = {
    **dict.fromkeys(("phrase", "mark", "Sentence"), None),
    "counted": (1, 2),
    "store_error": (1,),
    **dict.fromkeys(("refuse_value", "value_fault"), (2,)),
    **dict.fromkeys(
        ("EntryError", "RuleError", "TallyError", "EventError", "AmbiguousEntry"), None
    ),
    **dict.fromkeys(("UnavailableError", "ChangedError"), None),
    **dict.fromkeys(("StoreError", "LockedError", "OvertakenError", "DamagedError"), None),
    "UnwritableError": None,
    "UpdateError": None,
    "RenewalError": None,
    **dict.fromkeys(("VoiceError", "MissingClipError", "MissingPlayerError"), None),
}
"""Functions and errors that are given a sentence, and which of their arguments it is (None for the
first)."""

DONE: Final = ("entry.", "short.")
WHO: Final = ("seat", "by")
"""Beginnings of the keys that say what somebody did (DONE), and the parts that may name who did
it."""


def messages() -> Catalog:
    """A catalogue of all messages to be translated."""
    found = Catalog(project="table-companion", fuzzy=False)
    for path, line, message in _in_code():
        found.add(message, locations=[(path, line)])
    tables = SAYINGS, PAST, HUB_PAGE_WORDS, CLUB, EVENT_WORDS
    for key, english in chain.from_iterable(table.items() for table in tables):
        if key in (DIRECTION, LANGUAGE):
            continue
        found.add(english, context=key)
        first = FIRST_PART.match(english) if key.startswith(DONE) else None
        if first and first[1] in WHO:  # as news says it, behind who has keyed it
            found.add(english[first.end() :], context=key)
    assert all(CATALOG[name].rules for name in CATALOG), "each is loaded, with its own reasons"
    whys = (
        why for why in PaymentReason.__subclasses__() if why.__module__.startswith("companion.")
    )
    kinds: list[type[StrEnum]] = [VerdictKind, RulingResult, *whys]
    for kind in kinds:
        for value in kind:
            found.add(value.value)
    return found


def _in_code() -> Iterator[tuple[str, int, str | tuple[str, ...]]]:
    for room in ROOMS:
        method = [(name, "python") for name in FILES.get(room, ("**.py",))]
        for name, line, message, _, _ in extract_from_dir(HOUSE / room, method, keywords=SAID_BY):
            yield f"companion/{room}/{name}", line, message


@cache
def listed() -> Catalog:
    """`messages()`, cached for the whole process; must not be changed."""
    return messages()


if __name__ == "__main__":
    POT.parent.mkdir(exist_ok=True)
    with POT.open("wb") as pot:
        write_po(pot, messages(), width=100)
    print(f"{POT}: {len(messages())} messages")
