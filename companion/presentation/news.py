"""Describes changes and their authors: the author of a row (“Anna's phone”, “Anna for Granny”, “The
box”); the names of changes in undo, redo and news (“Red 5-6”, “the removal of Red 5-6”, “this
game”); and the news of the newest row."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.core.seats import Seat, display_name
from companion.core.values import Json
from companion.core.words import AsWritten, Sentence, listed, phrase
from companion.games.entries import (
    BogusCalled,
    CallRuled,
    ChipsAudited,
    ChipsCorrected,
    HandDealt,
    HoldingShown,
    PipsShown,
)
from companion.games.game import Entry
from companion.games.house_rules import Value
from companion.presentation.game import GamePresentation
from companion.presentation.sayings import SeatsTogether, part_in_words, say
from companion.record.journal import ChangeKind, ChangeSummary, Journal
from companion.record.rows import (
    Amend,
    Author,
    GameOpened,
    KeptRow,
    PeopleReplaced,
    PlayerRenamed,
    Redo,
    Reseat,
    Rewind,
    Setting,
    Step,
    Undo,
)
from companion.record.settings import ON_TABLE, seat_setting

# ---------------------------------------------------------------- names of changes


ACTS: Final = {"draw": phrase("draw"), "pass": phrase("pass"), "misdraw": phrase("misdraw")}
"""The entries that are named after their seat, such as a draw, each with its word."""
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
"""The words in the tally other than seats, tiles and numbers, for translation."""


def change_name(what: ChangeSummary, entry_name: Callable[[Entry], str] = str) -> str:
    """Returns the name of a change; `entry_name` returns the name of each entry in it."""
    if what.entry is None:
        name = _change_words(what, entry_name)
    elif what.kind is ChangeKind.REMOVED:
        name = phrase("the removal of {entry}", entry=entry_name(what.entry))
    elif what.kind is ChangeKind.PUT_IN:
        entry, where = entry_name(what.entry), _quoted_entry(what, entry_name)
        name = phrase("{entry} put in before {where}", entry=entry, where=where)
    else:
        name = entry_name(what.entry)
    return phrase("{change} and {more} more", change=name, more=what.more) if what.more else name


def _change_words(what: ChangeSummary, entry_name: Callable[[Entry], str]) -> str:
    match what.kind:
        case ChangeKind.CHANGED:
            return phrase("the change of {where}", where=_quoted_entry(what, entry_name))
        case ChangeKind.REWOUND:
            return phrase("the rewind to {where}", where=_quoted_entry(what, entry_name))
        case ChangeKind.REWIND_TOOK:
            return phrase("what the rewind to {where} took", where=_quoted_entry(what, entry_name))
        case ChangeKind.RESEATED:
            return phrase("the seat change")
        case ChangeKind.OTHER_PEOPLE:
            return phrase("who sits here")
        case ChangeKind.BEGUN_NEXT:
            return phrase("the next game")
    return phrase("this game")


def _quoted_entry(what: ChangeSummary, entry_name: Callable[[Entry], str]) -> str:
    """Returns the earlier entry at which a change was made, in quotes."""
    assert what.earlier is not None, "it was changed nowhere"
    return phrase("“{entry}”", entry=entry_name(what.earlier))


def public_change_name(what: ChangeSummary) -> str:
    """Returns a name for a change that is safe for everybody: without tiles or pips that a seat has
    shown."""
    if what.first is not None and _is_holding(what.first):
        return _without_holding(what.first)
    return change_name(what, _without_holding)


def _is_holding(entry: Entry) -> bool:
    """Returns whether the entry is a holding, which only some players may have seen."""
    return isinstance(entry, HoldingShown | PipsShown)


def _without_holding(entry: Entry) -> str:
    if not _is_holding(entry):
        return _plain_name(entry) or _entry_in_words(entry)
    return phrase("what {seat} has shown", seat=display_name(entry.named_seat or ""))


def change_as_spoken(what: ChangeSummary) -> str:
    """Returns the name of a change as a player would say it."""
    thing = _plain_name(what.first) if what.first is not None else None
    if thing is not None:
        return thing
    alone = what.kind in (ChangeKind.ENTERED, ChangeKind.REMOVED) and not what.more
    return change_name(what, _possessive if alone else _entry_in_words)


def _plain_name(entry: Entry) -> str | None:
    """Returns a name such as “the deal” for an entry whose tally text isn't plain English;
    otherwise None."""
    match entry:
        case HandDealt():
            return phrase("the deal")
        case BogusCalled():
            return phrase("the bogus call")
        case CallRuled(accused, _):
            return phrase("the ruling on {seat}", seat=display_name(accused))
        case ChipsCorrected():
            return phrase("the chip correction")
        case ChipsAudited():
            return phrase("the count of chips")
    return None


def _entry_in_words(entry: Entry) -> str:
    """Returns the entry as in the tally, but with the seat's name as people read it."""
    text, seat = str(entry), entry.named_seat
    if seat is None or not text.startswith(f"{seat} "):
        return _translated_words(text)
    return listed((display_name(seat), _translated_words(text.removeprefix(f"{seat} "))), " ")


def _translated_words(text: str) -> str:
    return listed((WORDS.get(word) or display_name(word) for word in text.split(" ")), " ")


def _possessive(entry: Entry) -> str:
    """Returns “Red's draw” for an entry in ACTS, and other entries in words."""
    act = entry.words[0]
    if entry.named_seat is None or act not in ACTS or not str(entry).endswith(f" {act}"):
        return _entry_in_words(entry)
    return phrase("{seat}'s {act}", seat=display_name(entry.named_seat), act=ACTS[act])


# ---------------------------------------------------------------- authors and news


FIRST_PART: Final = re.compile(r"\{(\w+)\} ")
"""Matches the beginning of a template that starts with the seat that acts."""
CLUB, JUDGE = "club", "judge"
"""The surfaces of rows that come from the club's hub: from the club itself, and rulings by
judges."""
PHONE = "phone-"
"""The prefix of every page's surface; no keypad's name begins like this."""


def author_json(author: Author, settings: Mapping[str, Value], doer: Seat | None = None) -> Json:
    """Returns the author of a row as a sentence. It names the seat `doer` for which the row was
    entered, if that is another seat. For a ruling of the table it names who agreed, or the surface
    on which all were asked."""
    if author.agreed_by:
        alone = author_json(replace(author, agreed_by=None), settings, doer)
        said = "by.several-agreed" if len(author.agreed_by) > 1 else "by.agreed"
        return say(said, by=alone["words"], seats=SeatsTogether(author.agreed_by))
    surface, keyed_by = author.surface, author.keyed_by
    if surface == CLUB:
        return say("by.club")
    if surface == JUDGE:
        return say("by.judge", name=display_name(keyed_by or ""))
    asked_all = author.agreed_by is not None
    if surface is None:
        return say("by.at-the-box" if asked_all else "by.box")
    if asked_all:
        return say("by.one-phone" if surface.startswith(PHONE) else "by.one-keypad")
    if surface.startswith(PHONE):
        if keyed_by is None:
            return say("by.a-phone")
        if doer not in (None, keyed_by):
            return say("by.for", by=keyed_by, seat=doer)
        return say("by.phone", seat=keyed_by)
    seat = settings.get(seat_setting(surface))
    return say("by.keypad", seat=Seat(str(seat))) if seat else say("by.a-keypad")


def actor_of(entry: Entry) -> Seat | None:
    """Returns the seat that makes the entry; for a call of bogus play, the caller."""
    return entry.by if isinstance(entry, BogusCalled) else entry.named_seat


def is_call(entry: Entry) -> bool:
    """Returns whether the entry is a call of bogus play."""
    return isinstance(entry, BogusCalled)


def shows_tiles(entry: Entry) -> bool:
    """Returns whether the entry shows which tiles, or how many pips, a seat holds."""
    return isinstance(entry, HoldingShown | PipsShown)


def is_change(kept: KeptRow) -> bool:
    """Returns whether a row is announced to everybody, because it changes earlier entries, the
    game, its players or chips."""
    if isinstance(kept.row, Step):
        return any(isinstance(entry, ChipsCorrected | ChipsAudited) for entry in kept.row.entries)
    changes = Undo | Redo | Amend | Rewind | Reseat | PeopleReplaced | GameOpened | PlayerRenamed
    return isinstance(kept.row, changes)


def _is_for_another(kept: KeptRow) -> bool:
    """Returns whether another player entered the row on the seat's behalf."""
    entries = kept.row.entries if isinstance(kept.row, Step) else ()
    return kept.keyed_by is not None and any(
        actor_of(entry) not in (None, kept.keyed_by) for entry in entries
    )


def news(
    kept: KeptRow,
    settings: Mapping[str, Value],
    entered: Callable[[Entry], str],
    named: Callable[[ChangeSummary], str],
    journal: Journal[Any] | None,
) -> Json:
    """Returns the sentence about a row: who made it, and what it did. `entered` puts its last entry
    into words, `named` returns the name that undo uses for a change. `journal`: the game after the
    row; None without one."""
    row = kept.row
    if isinstance(row, Step) and row.entries:
        entry = row.entries[-1]
        doer = None if is_change(kept) else actor_of(entry)
        what = entered(entry)
        if kept.keyed_by is not None and doer is not None:
            what = _without_actor(doer, what)
        return say("news.entered", by=author_json(kept.author, settings, doer)["words"], what=what)
    by = author_json(kept.author, settings)["words"]
    match row:
        case GameOpened():
            return say("news.game", by=by)
        case PlayerRenamed(name, to):
            kind = "news.renamed" if name != to else "news.not-renamed"
            return say(
                kind, by=by, name=AsWritten(display_name(name)), to=AsWritten(display_name(to))
            )
        case Setting():
            return say("news.resumed" if row.name == ON_TABLE else "news.setting", by=by)
        case PeopleReplaced(seats):
            return say("news.people", by=by, seats=SeatsTogether(seats))
        case Undo():
            undone = journal.next_redo if journal else None
            return say("news.taken-back", by=by, what=_name_of_change_or_game(undone, named))
    done = _name_of_change_or_game(journal.next_undo if journal else None, named)
    return say("news.again" if isinstance(row, Redo) else "news.entered", by=by, what=done)


def _without_actor(doer: Seat, what: str) -> str:
    """Returns the sentence without `doer` at its beginning: “lays 6-3” for “Anna lays 6-3”."""
    if not isinstance(what, Sentence):
        return what
    found = FIRST_PART.match(what.template)
    if found is None or what.parts[found[1]] != part_in_words(doer):
        return what
    return Sentence.made(what.template[found.end() :], what.parts, what.context)


def _name_of_change_or_game(
    what: ChangeSummary | None, named: Callable[[ChangeSummary], str]
) -> str:
    return named(what) if what else phrase("a game")


def newest_json(
    kept: KeptRow | None,
    number: int | None,
    journal: Journal[object],
    settings: Mapping[str, Value],
    presentation: GamePresentation,
) -> Json | None:
    """Returns the news of the record's newest row for pages. `row`: its number; `announced`:
    whether it is announced to everybody; `said`: the sentence. Returns None if the row is not
    known, or belongs to another game than `number`."""
    if kept is None or not (kept.game == number or isinstance(kept.row, PlayerRenamed)):
        return None

    def entered(entry: Entry) -> str:
        words: str = presentation.describe_entry(entry, journal.state)["words"]
        return words

    said = news(kept, settings, entered, public_change_name, journal)
    return {"row": kept.seq, "announced": is_change(kept) or _is_for_another(kept), "said": said}
