"""Previews the effect of a row on a game, for the person who enters it, before it is stored: for an
entry, its own effect; for a change of earlier entries, the totals after it, the entries that are no
longer possible, and the chips that go back. Secrets stay secret: the preview of a call of bogus
play shows only the entry, because its effect would reveal the verdict."""

from collections.abc import Iterator
from dataclasses import replace

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.game import AnyState, Entry
from companion.presentation.corrections import (
    changed_verdicts,
    chip_move_json,
    chip_moves,
    dropped_with_calls,
    was_corrected_to_count,
)
from companion.presentation.game import GamePresentation, rules_of
from companion.presentation.house_rule_words import (
    lookalike_question,
    opening_sentences,
    rename_sentence,
    setting_sentence,
)
from companion.presentation.keys import OpenEntry
from companion.presentation.moment import Describer, Moment, change_json
from companion.presentation.sayings import SeatsTogether, say
from companion.record.journal import AmendedGame, InvalidEntry, Journal
from companion.record.rows import (
    Amend,
    GameOpened,
    PeopleReplaced,
    PlayerRenamed,
    Redo,
    Reseat,
    Rewind,
    Row,
    Setting,
    Step,
    Undo,
)

# ---------------------------------------------------------------- changes


def preview_change(
    journal: Journal[object],
    row: Amend | Rewind | Reseat | PeopleReplaced,
    presentation: GamePresentation,
) -> Json:
    """Returns the effect of a change, tried on a copy of the journal. Raises RuleError or
    EntryError."""
    mine = replace(journal)
    amended = mine.amended(row)
    found = {
        **_difference_json(journal, amended.journal),
        "lost": _lost_sentence(journal, amended, presentation),
        "calls": [*_call_sentences(journal, amended, presentation)],
    }
    if isinstance(row, Amend):
        found["later"] = _later_turns_choices(mine, amended, row)
        after = amended.journal.states[row.at : row.at + len(row.entries)]
        entries = zip(row.entries, after, strict=True)
        found["lines"] = [presentation.describe_entry(entry, state) for entry, state in entries]
    return found


def preview_undo(journal: Journal[object], row: Undo | Redo) -> Json:
    """Returns the effect of undo or redo, and the name of the change. Raises RuleError."""
    what = journal.next_undo if isinstance(row, Undo) else journal.next_redo
    after = journal if what is None else journal.fold(row)
    found = {**_difference_json(journal, after), "lost": None, "change": change_json(what)}
    return (
        found | {"chips": []}
        if isinstance(row, Undo) and was_corrected_to_count(journal)
        else found
    )


def _difference_json(before: Journal[object], after: Journal[object]) -> Json:
    was, now = before.state, after.state
    called = dict(zip(after.begun.seats, before.begun.seats, strict=True))

    def scored(seat: Seat) -> int:  # `seat` may have had another name before
        return was.scores[seat if seat in was.seats else called[seat]]

    scores = {" + ".join(side): [scored(side[0]), now.scores[side[0]]] for side in now.scorers}
    same = before.begun.seats == after.begun.seats
    wins = say("change.wins", seats=SeatsTogether(now.winners))
    won = wins if now.winners else say("change.nobody-wins")
    return {
        "told": [],
        "scores": scores,
        "winners": None if now.winners == was.winners else won,
        "chips": [*_chip_moves_json(before, was, now)] if same else [],
    }


def _lost_sentence(
    journal: Journal[object], amended: AmendedGame[object], presentation: GamePresentation
) -> Json | None:
    """Returns the sentence about the first entry that is no longer possible, and the number of
    entries dropped with it; after a rewind, only the number. None if no entry is dropped."""
    number = amended.dropped - len(amended.gone)
    if amended.broken is not None:
        return _dropped_sentence(journal, amended.broken, number, presentation)
    if number == 1:
        return say("change.taken-back-one")
    return say("change.taken-back", number=number) if number else None


def _dropped_sentence(
    journal: Journal[object], broken: InvalidEntry, number: int, presentation: GamePresentation
) -> Json:
    """Returns the sentence about an entry that is no longer possible. `number`: how many entries
    are dropped, including this one."""
    place, entry, refused = broken
    state = next(state for at, _, state in journal.newest_first() if at == place)
    said = presentation.describe_entry(entry, state)
    more = {"number": number} if number > 1 else {}
    key = "change.lost-more" if more else "change.lost"
    return say(key, entry=said["words"], why=refused.why, **more)


def _call_sentences(
    journal: Journal[object], amended: AmendedGame[object], presentation: GamePresentation
) -> Iterator[Json]:
    """Yields the sentences about calls that are dropped by themselves, and about calls whose
    verdict changes."""
    for broken, number in dropped_with_calls(amended):
        yield _dropped_sentence(journal, broken, number, presentation)
    for judged in changed_verdicts(amended):
        said = presentation.describe_entry(judged.call, judged.state)
        yield say("change.verdict", call=said["words"], now=judged.now, was=judged.was)


def _later_turns_choices(
    journal: Journal[object], amended: AmendedGame[object], row: Amend
) -> list[Json] | None:
    """Returns the two ways to treat the later turns of that hand: move them to other seats, or
    leave them. `asked`: whether `row` does it in this way. Returns None unless moving them
    preserves more of them."""
    stay = journal.amended(replace(row, later_turns=0)) if row.later_turns else amended
    places = stay.places_to_move(deleted=not row.entries)
    if not places:
        return None
    try:
        moved = journal.amended(replace(row, later_turns=places))
    except (RuleError, EntryError):
        return None
    if moved.dropped >= stay.dropped:
        return None
    way, seats = "on" if places > 0 else "back", abs(places)
    on = say(f"change.turns-{way}") if seats == 1 else say(f"change.turns-{way}-some", seats=seats)
    return [
        _later_turns_json(on, moved.dropped, places, row),
        _later_turns_json(say("change.turns-stay"), stay.dropped, 0, row),
    ]


def _later_turns_json(said: Json, lost: int, places: int, row: Amend) -> Json:
    what = say("change.turns-lost", number=lost) if lost else say("change.turns-hold")
    asked = row.later_turns == places
    return {"later_turns": places, "said": said, "lost": lost, "then": what, "asked": asked}


def _chip_moves_json(journal: Journal[object], before: AnyState, after: AnyState) -> Iterator[Json]:
    """Yields the moves that lead from the chips of the state `before` to those of `after`."""
    was, now = journal.game.chips(before), journal.game.chips(after)
    if was is None or now is None or before.seats != after.seats:
        return
    yield from (chip_move_json(journal, move) for move in chip_moves(was, now))


# ---------------------------------------------------------------- any row


def preview(moment: Moment, row: Row, *, tapped: bool = False) -> Json:
    """Returns the effect of a row. `told`: what each of its entries does. For a change of earlier
    entries, the keys of `preview_change` or `preview_undo` are added. `lines`: sentences about any
    other row. `refused`: why the rules refuse the row, otherwise null; if it is refused, `lies` is
    how the table may insist on it.

    For a single entry, `offers` has the questions about its open parts, and `entry` the text that
    OK would keep, or null while something has to be chosen. `tapped`: whether only the entry's tile
    was tapped."""
    try:
        match row:
            case GameOpened():
                return {
                    "told": [],
                    "lines": [*opening_sentences(Journal.begin(row, rules_of(moment.games)))],
                }
            case Setting():
                return {"told": [], "lines": [setting_sentence(row)]}
            case PlayerRenamed():
                return {
                    "told": [],
                    "lines": [rename_sentence(row), *_lookalike_questions(moment.journal, row)],
                }
        if moment.journal is None:
            return {"refused": say("asks.game")}
        return _preview_in_game(moment, moment.journal, row, tapped=tapped)
    except (RuleError, EntryError) as refused:
        return {
            "refused": say("answer.refused", why=refused.why),
            "lies": _insist_json(moment, row),
        }


def _lookalike_questions(journal: Journal[object] | None, row: PlayerRenamed) -> Iterator[Json]:
    """Yields a question if the new name of a player looks like that of another one at the table."""
    seats = journal.opened.seats.order if journal is not None else ()
    if row.name in seats and row.name != row.to:
        yield from lookalike_question((row.to, *(seat for seat in seats if seat != row.name)))


def _insist_json(moment: Moment, row: Row) -> Json | None:
    """Returns how the table may insist on a refused play; None if it may not."""
    journal = moment.journal
    if journal is None or not isinstance(row, Step) or len(row.entries) != 1:
        return None
    return moment.presentation.keys.insist(journal.game, journal.state, row.entries[0])


def _preview_in_game(moment: Moment, journal: Journal[object], row: Row, *, tapped: bool) -> Json:
    match row:
        case Step():
            return _preview_entered(moment, journal, row, tapped=tapped)
        case Amend():
            return _preview_amended(moment, journal, row)
        case PeopleReplaced(seats):
            found = preview_change(journal, row, moment.presentation)
            return {**found, "lines": [*lookalike_question(seats)]}
        case Rewind() | Reseat():
            return preview_change(journal, row, moment.presentation)
        case Undo() | Redo():
            return preview_undo(journal, row)
    return {"refused": say("answer.on-box")}


def _preview_entered(moment: Moment, journal: Journal[object], row: Step, *, tapped: bool) -> Json:
    """Returns the effect of new entries. They are tried on the rules only; the journal stays
    unchanged."""
    game, state, previews = journal.game, journal.state, list[Json]()
    found = _open_entry(moment, journal, state, row.entries, tapped=tapped)
    entries = row.entries if found is None else (found.entry,) if found.entry else ()
    for place, entry in enumerate(entries, journal.length):
        before, state = state, game.apply(state, entry)
        shown = _preview_entry(moment, journal, place, entry, state)
        if _reopens_hand(moment, journal, before, state):
            shown["notices"] = [say("change.reopens"), *shown["notices"]]
        previews.append(shown)
    return {"told": previews, **_offers_json(found)}


def _reopens_hand(
    moment: Moment, journal: Journal[object], before: AnyState, after: AnyState
) -> bool:
    """Returns whether the last entry is a play, draw or pass in a hand that was over."""
    acts = moment.presentation.keys.acts(journal.game, before, moment.settings)
    return after.effect.turn is not None and any(one.reopens for one in acts)


def _preview_amended(moment: Moment, journal: Journal[object], row: Amend) -> Json:
    """Returns the effect of changing or inserting an entry, as far as the entry is complete."""
    found = None
    if 0 <= row.at < journal.length:
        before = (journal.start, *journal.states)[row.at]
        found = _open_entry(moment, journal, before, row.entries, tapped=False)
    if found is not None and found.entry is None:
        return {"told": [], **_offers_json(found)}
    return {**preview_change(journal, row, moment.presentation), **_offers_json(found)}


def _open_entry(
    moment: Moment,
    journal: Journal[object],
    state: AnyState,
    entries: tuple[Entry, ...],
    *,
    tapped: bool,
) -> OpenEntry | None:
    """Returns the open questions about a single entry at that state; None for several entries."""
    if len(entries) != 1:
        return None
    return moment.presentation.keys.open(journal.game, state, entries[0], tapped)


def _offers_json(found: OpenEntry | None) -> Json:
    if found is None:
        return {"offers": []}
    offers = [question.json() for question in found.questions]
    return {"entry": found.entry and str(found.entry), "offers": offers}


def _preview_entry(
    moment: Moment, journal: Journal[object], place: int, entry: Entry, after: AnyState
) -> Json:
    presentation, describer = moment.presentation, Describer(moment, journal, after)
    if describer.of_game.get("claim") or describer.of_game.get("ruling"):
        return {
            "said": presentation.describe_entry(entry, after),
            "why": None,
            "payments": [],
            "notices": [],
        }
    whole = describer.entry(place, entry, after)
    return {name: whole[name] for name in ("said", "why", "payments", "notices")}
