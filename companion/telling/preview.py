"""What a row would make of a game, told before it is kept: for who keys it.

Nothing is given away: of what belongs to a call of bogus play only the entry is told, as its
verdict comes with the call.
"""

from typing import Any

from companion.errors import EntryError, RuleError
from companion.games.catalog import GAMES
from companion.games.game import AnyState, Choice, Entry, Unclear
from companion.record.journal import Journal
from companion.record.rows import Amend, Opened, Redo, Reseat, Rewind, Row, Setting, Step, Undo
from companion.telling.catalog import picture_of
from companion.telling.changes import changed, taken_back
from companion.telling.house import begun, setting_said
from companion.telling.moment import Moment, Teller
from companion.telling.refusals import worded
from companion.telling.sayings import say

Json = dict[str, Any]


def preview(moment: Moment, row: Row) -> Json:
    """What the row comes to: `told` with what each of its entries does, or what a change would make
    of the game; `choices` where it could mean several things; `lines` about anything else;
    `refused` where it isn't taken."""
    try:
        match row:
            case Opened():
                return {"told": [], "lines": [*begun(Journal.begin(row, GAMES))]}
            case Setting():
                return {"told": [], "lines": [setting_said(row)]}
        if moment.journal is None:
            return {"refused": say("asks.game")}
        return _of_game(moment, moment.journal, row)
    except Unclear as unclear:
        assert moment.journal is not None, "an entry is of a game"
        choices = [_choice(moment.journal, choice) for choice in unclear.choices]
        return {"refused": None, "choices": choices}
    except (RuleError, EntryError) as refused:
        return {"refused": say("answer.refused", why=worded(refused))}


def _of_game(moment: Moment, journal: Journal[object], row: Row) -> Json:
    match row:
        case Step():
            return _entered(moment, journal, row)
        case Amend() | Rewind() | Reseat():
            return changed(journal, row)
        case Undo() | Redo():
            return taken_back(journal, row)
    return {"refused": say("answer.on-box")}


def _entered(moment: Moment, journal: Journal[object], row: Step) -> Json:
    """Tried by the rules alone: nothing of the journal is touched."""
    state, told = journal.state, []
    for place, entry in enumerate(row.entries, journal.length):
        state = journal.game.apply(state, entry)
        told.append(_told(moment, journal, place, entry, state))
    return {"told": told}


def _told(
    moment: Moment, journal: Journal[object], place: int, entry: Entry, after: AnyState
) -> Json:
    picture = picture_of(journal.opened.game)
    teller = Teller(moment, journal, picture, after)
    if teller.told.get("claim") or teller.told.get("ruling"):
        return {"said": picture.said(entry, after), "why": None, "payments": [], "notices": []}
    whole = teller.entry(place, entry, after)
    return {name: whole[name] for name in ("said", "why", "payments", "notices")}


def _choice(journal: Journal[object], choice: Choice) -> Json:
    """One of several meanings of a lay: the entry that says which, the arm, and what it makes."""
    entry, makes = choice.entry, choice.makes
    after = journal.game.apply(journal.state, entry)
    arm = getattr(entry, "arm", None)
    picture = picture_of(journal.opened.game)
    return {
        "entry": str(entry),
        "arm": arm and arm.value,
        "count": getattr(makes, "count", None),
        "ends": list(getattr(makes, "ends", None) or ()),
        "why": picture.why(entry, after),
    }
