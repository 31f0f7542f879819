"""What a row would make of a game, told before it is kept: for who keys it.

Nothing is given away: of what belongs to a call of bogus play only the entry is told, as its
verdict comes with the call.
"""

from companion.core.errors import EntryError, RuleError
from companion.core.values import Json
from companion.games.game import AnyState, Entry
from companion.presentation.changes import changed, taken_back
from companion.presentation.game import rules_of
from companion.presentation.house_rules import begun, rename_said, setting_said
from companion.presentation.keys import Open
from companion.presentation.moment import Moment, Teller
from companion.presentation.refusals import worded
from companion.presentation.sayings import say
from companion.record.journal import Journal
from companion.record.rows import (
    Amend,
    Opened,
    Redo,
    Renamed,
    Reseat,
    Rewind,
    Row,
    Setting,
    Step,
    Undo,
)


def preview(moment: Moment, row: Row, *, tapped: bool = False) -> Json:
    """What the row comes to: `told` with what each of its entries does, or what a change would make
    of the game; `lines` about anything else; `refused` where it isn't taken, and `lies` how the
    table may say that it lies there all the same, else null. Of one entry `offers`
    has what else it might be, and `entry` the text that OK would keep, null while something is
    still to be chosen; `tapped`: only its tile was tapped."""
    try:
        match row:
            case Opened():
                return {"told": [], "lines": [*begun(Journal.begin(row, rules_of(moment.games)))]}
            case Setting():
                return {"told": [], "lines": [setting_said(row)]}
            case Renamed():
                return {"told": [], "lines": [rename_said(row)]}
        if moment.journal is None:
            return {"refused": say("asks.game")}
        return _of_game(moment, moment.journal, row, tapped=tapped)
    except (RuleError, EntryError) as refused:
        return {"refused": say("answer.refused", why=worded(refused)), "lies": _lies(moment, row)}


def _lies(moment: Moment, row: Row) -> Json | None:
    """How the table may insist on a lay that is refused."""
    journal = moment.journal
    if journal is None or not isinstance(row, Step) or len(row.entries) != 1:
        return None
    return moment.presentation.keys.lies(journal.game, journal.state, row.entries[0])


def _of_game(moment: Moment, journal: Journal[object], row: Row, *, tapped: bool) -> Json:
    match row:
        case Step():
            return _entered(moment, journal, row, tapped=tapped)
        case Amend():
            return _amended(moment, journal, row)
        case Rewind() | Reseat():
            return changed(journal, row, moment.presentation)
        case Undo() | Redo():
            return taken_back(journal, row)
    return {"refused": say("answer.on-box")}


def _entered(moment: Moment, journal: Journal[object], row: Step, *, tapped: bool) -> Json:
    """Tried by the rules alone: nothing of the journal is touched."""
    game, state, told = journal.game, journal.state, list[Json]()
    found = _opened(moment, journal, state, row.entries, tapped=tapped)
    entries = row.entries if found is None else (found.entry,) if found.entry else ()
    for place, entry in enumerate(entries, journal.length):
        state = game.apply(state, entry)
        told.append(_told(moment, journal, place, entry, state))
    return {"told": told, **_offered(found)}


def _amended(moment: Moment, journal: Journal[object], row: Amend) -> Json:
    """A change of an entry, or one put before it, as far as it is said."""
    found = None
    if 0 <= row.at < journal.length:
        before = (journal.start, *journal.states)[row.at]
        found = _opened(moment, journal, before, row.entries, tapped=False)
    if found is not None and found.entry is None:
        return {"told": [], **_offered(found)}
    return {**changed(journal, row, moment.presentation), **_offered(found)}


def _opened(
    moment: Moment,
    journal: Journal[object],
    state: AnyState,
    entries: tuple[Entry, ...],
    *,
    tapped: bool,
) -> Open | None:
    """What else an entry might be at that state; None of several entries."""
    if len(entries) != 1:
        return None
    return moment.presentation.keys.open(journal.game, state, entries[0], tapped)


def _offered(found: Open | None) -> Json:
    if found is None:
        return {"offers": []}
    offers = [question.json() for question in found.questions]
    return {"entry": found.entry and str(found.entry), "offers": offers}


def _told(
    moment: Moment, journal: Journal[object], place: int, entry: Entry, after: AnyState
) -> Json:
    presentation, teller = moment.presentation, Teller(moment, journal, after)
    if teller.told.get("claim") or teller.told.get("ruling"):
        return {"said": presentation.said(entry, after), "why": None, "payments": [], "notices": []}
    whole = teller.entry(place, entry, after)
    return {name: whole[name] for name in ("said", "why", "payments", "notices")}
