"""The entries that are possible now in a game with a line of play, on pages and at the box:
everything that the rules accept, and every possible call of bogus play. Players have to judge
themselves whether a call is right."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.core.seats import Seat
from companion.core.values import Json
from companion.core.words import ordinal
from companion.games.bogus.calls import (
    RuledBy,
    RulingResult,
    board_of,
    hand_in_question,
    may_call,
    ruling_of,
    turns_to_call,
)
from companion.games.entries import (
    BogusCalled,
    CallRuled,
    CountCalled,
    CountNotCalled,
    HandBlocked,
    HandRedealt,
    Misdraw,
    MugginsCalled,
    TileReturned,
    TilesDrawn,
    TimeUp,
    TotalPipsShown,
    TurnPassed,
    WentOut,
    WrongTileCount,
)
from companion.games.game import AmbiguousEntry, AnyGame, AnyState, B, Choice, Entry
from companion.games.house_rules import OFF, Value
from companion.games.line.game import LineGame, ends_counted, scored_in
from companion.games.line.hand import BIG_6, Hand, Turn
from companion.games.line.line import TILE_SET, TilePlayed
from companion.games.round import Stage
from companion.presentation import keys
from companion.presentation.keys import (
    APART,
    FITS,
    LAID,
    LAY,
    NUMBER,
    Act,
    ExpectedEntry,
    ExpectedNumber,
    GameKeys,
    OpenAnswer,
    OpenEntry,
    OpenQuestion,
    OtherEntryWay,
    accepted_acts,
    seems_out,
    tile_states,
)
from companion.presentation.line.sayings import turn_in_words
from companion.presentation.sayings import say
from companion.record.journal import Journal
from companion.record.settings import ENTRY_SCORES, ENTRY_WAY


def _expected_entry(game: AnyGame, state: AnyState, settings: Mapping[str, Value]) -> ExpectedEntry:
    """Returns the expected entry: a tile to play; a holding, at a hand's end or in a call; or a
    score, if only scores are entered."""
    scores_only = settings.get(ENTRY_WAY) == ENTRY_SCORES
    asked = _expected_without_way(game, state, scores_only=scores_only)
    if state.finished or _find_accused(state) is not None:
        return asked
    return asked._replace(way=BY_TILES if scores_only else BY_SCORES)


def _expected_without_way(game: AnyGame, state: AnyState, *, scores_only: bool) -> ExpectedEntry:
    hand: Hand | None = state.board.hand
    accused = _find_accused(state)
    if accused is not None:
        return _with_pips_together(game, _expected_holdings(hand, (accused,)))
    playing = hand is not None and hand.round.playing and not state.finished
    if hand is not None and playing and (scores_only or hand.round.scores_only):
        scores = _score_number(game)
        if not scores:
            return NOTHING_EXPECTED
        return NOTHING_EXPECTED._replace(
            asks=NUMBER,
            seats=state.seats.order,
            question=say("key.ask-score"),
            numbers=scores,
        )
    if hand is not None and playing:
        ends = ExpectedNumber("ends", "{seat} ends", TILE_SET.highest, digits=True)
        return NOTHING_EXPECTED._replace(
            asks=LAY,
            seat=hand.round.to_move,
            tiles=lambda: _states_of_tiles(hand, _leadable_tiles(game, state, hand)),
            fits="fits",
            numbers=(
                ends,
                ExpectedNumber("count", "{seat} count", TILE_SET.pips),
                *_score_number(game),
            ),
        )
    if hand is not None and hand.round.ended and not state.finished and isinstance(game, LineGame):
        needed = game.seats_to_show(state)
        if not hand.round.out:
            return _expected_holdings(hand, needed)
        if needed and (scores_only or hand.round.scores_only) and TotalPipsShown in game.entries:
            asked = NOTHING_EXPECTED._replace(asks=NUMBER, question=say("key.ask-together"))
        else:
            asked = _expected_holdings(hand, needed)
        return _with_pips_together(game, asked)
    return NOTHING_EXPECTED


NOTHING_EXPECTED = ExpectedEntry("double-six")
"""Expects no entry; the tile set is the double-six set."""
BY_SCORES = OtherEntryWay("scores", f"{ENTRY_WAY} {ENTRY_SCORES}")
BY_TILES = OtherEntryWay("tiles", f"{ENTRY_WAY} tile")


def _score_number(game: AnyGame) -> tuple[ExpectedNumber, ...]:
    """Returns the number for entering a score without its play; () if nothing scores during play.
    Once a score is entered in this way, only scores can be entered in that hand."""
    scored = scored_in(game)
    if scored is None:
        return ()
    return (ExpectedNumber("score", "{seat} points", scored.scores[-1], step=scored.scores.step),)


def _expected_holdings(hand: Hand | None, needed: tuple[Seat, ...]) -> ExpectedEntry:
    """Returns the expected holdings of the `needed` seats. The first seat's is expected, but any of
    them may go first."""
    if not needed:
        return NOTHING_EXPECTED
    shown = keys.with_holdings_expected(NOTHING_EXPECTED, needed, TILE_SET.pips)
    return shown._replace(tiles=lambda: _states_of_tiles(hand), fits="shown")


def _with_pips_together(game: AnyGame, expected: ExpectedEntry) -> ExpectedEntry:
    """Returns `expected` and, if the game has an entry for the pips of all holdings together, with
    the number for that entry."""
    if TotalPipsShown not in game.entries:
        return expected
    together = ExpectedNumber("pips-together", TotalPipsShown.words[0], TILE_SET.pips)
    return expected._replace(numbers=(*expected.numbers, together))


def _find_accused(state: AnyState) -> Seat | None:
    """Returns the seat that was called bogus and isn't judged yet; None if there is none."""
    board = board_of(state)
    called = board.open_to_calls if board is not None else None
    return called.claim.accused if called is not None and called.claim is not None else None


def _states_of_tiles(hand: Hand | None, leadable: int | None = None) -> dict[str, str]:
    """Returns the state of each tile. `leadable`: the tiles that may be led, as a bit mask; None if
    tiles are shown, not played."""
    assert hand is not None, "tiles are asked for in a hand"
    lines, laid = hand.line, hand.line.laid_for_sure
    fit = 0
    for line, lies in lines.possible:
        mask = line.suits if line is not None else leadable or 0
        fit |= mask & ~lies
    fit = TILE_SET.all & ~laid if lines.lost or leadable is None else fit
    return tile_states(TILE_SET, {laid: LAID, fit: FITS}, APART)


def _leadable_tiles(game: AnyGame, state: AnyState, hand: Hand) -> int:
    """Returns the tiles that may be led, as a bit mask: any, or the doubles that the rules
    accept."""
    if not hand.big_6 or hand.round.stage is not Stage.LEAD:
        return TILE_SET.all
    seat = hand.round.to_move or state.seats.order[0]
    doubles = (TILE_SET.tile(pips, pips) for pips in range(TILE_SET.highest + 1))
    return sum(
        double.bit
        for double in doubles
        if keys.is_accepted(game, state, TilePlayed(seat, (double.low, double.low)))
    )


def _single_key_acts(
    game: AnyGame, state: AnyState, settings: Mapping[str, Value]
) -> Iterator[Act]:
    """Returns the entries that take a single key now, likeliest first."""
    scores_only = settings.get(ENTRY_WAY) == ENTRY_SCORES
    hand: Hand | None = state.board.hand
    accused = _find_accused(state)
    if accused is not None:
        found: Iterable[Act] = (
            Act("rule-bogus", CallRuled(accused, True)),
            Act("rule-clear", CallRuled(accused, False)),
        )
    elif hand is None or hand.round.stage is Stage.OVER:
        rotates = state.options.get("rotate-lead") == "on"
        lead = state.board.next_lead
        lead_is_open = lead is None or (rotates and lead == BIG_6)
        found = (*keys.deal_acts(state, lead_is_open=lead_is_open), *_acts_at_any_time(state))
    else:
        found = _hand_acts(state, hand, scores_only=scores_only or hand.round.scores_only)
    if accused is None:
        yield from _count_call_acts(game, state)
        yield from accepted_acts(game, state, _overruling_acts(state))
    yield from accepted_acts(game, state, found)
    if are_calls_settled(game, state):
        yield from (Act("bogus", call) for call in _call_acts(game, state))


def _hand_acts(state: AnyState, hand: Hand, *, scores_only: bool) -> Iterator[Act]:
    now = hand.round
    last = now.last_to_play
    out = last is not None and not now.confirmed and WentOut(last)
    if scores_only:
        yield from (Act("out", WentOut(seat)) for seat in state.seats)
        out = False
    if out and now.held[out.seat] == 0:
        yield Act("out", out)
    if now.to_move is not None and not scores_only:
        yield Act("draw", TilesDrawn(now.to_move), most=now.tiles_to_draw, reopens=now.ended)
        yield Act("pass", TurnPassed(now.to_move), reopens=now.ended)
        yield Act("return", TileReturned(now.to_move))
    if now.stage is Stage.LEAD and not scores_only:
        yield Act("redeal", HandRedealt())
    if out and now.held[out.seat]:
        yield Act("out-early", out)
    if now.stage is not Stage.LEAD or scores_only:
        yield Act("blocked", HandBlocked())
    yield from (Act("misdraw", Misdraw(seat)) for seat in state.seats)
    yield from _acts_at_any_time(state)


def _acts_at_any_time(state: AnyState) -> Iterator[Act]:
    """Yields the acts that are possible during a hand and after it."""
    yield from (Act("wrong-count", WrongTileCount(seat)) for seat in state.seats)
    yield Act("time-up", TimeUp())


def _overruling_acts(state: AnyState) -> Iterator[Act]:
    """Yields the ruling that overrules the verdict with which a call was just closed."""
    ruling = ruling_of(state)
    if ruling is not None and ruling.by is RuledBy.RECORD:
        clear = ruling.result is RulingResult.BOGUS
        yield Act("rule-clear" if clear else "rule-bogus", CallRuled(ruling.seat, not clear))


def _count_call_acts(game: AnyGame, state: AnyState) -> Iterator[Act]:
    """Yields the acts for calling a count, if a house rule requires that. They are offered after
    every play, so that they don't reveal whether it scores."""
    layer = state.effect.seat
    called, counted = state.options.get("called", OFF), ends_counted(state)
    if called == OFF or layer is None or counted is None or CountCalled not in game.entries:
        return
    if counted.count is None:
        yield Act("called", CountCalled(layer))
    yield Act("not-called", CountNotCalled(layer))
    if called == "muggins":
        others = (seat for seat in state.seats if seat not in state.side_of(layer))
        yield from (Act("muggins", MugginsCalled(seat)) for seat in others)


def are_calls_settled(game: AnyGame, state: AnyState) -> bool:
    """Returns whether bogus plays can be called in this game, and a call counts now under its house
    rules."""
    return BogusCalled in game.entries and isinstance(game, LineGame) and game.calls_count(state)


def _may_call_bogus(game: AnyGame, state: AnyState) -> bool:
    """Returns whether bogus plays can be called in the hand being played, and no call is open."""
    hand: Hand | None = state.board.hand
    playing = hand is not None and hand.round.playing and not state.finished
    return playing and are_calls_settled(game, state) and _find_accused(state) is None


def _call_acts(game: AnyGame, state: AnyState) -> Iterator[BogusCalled]:
    """Yields the calls that can be made now, against each seat that has drawn or passed in the hand
    (or may have done so, if only scores are entered) and by each seat that may make the call. A
    call is about the accused seat's latest draw or pass."""
    if _find_accused(state) is not None:
        return
    hand, latest = hand_in_question(state), dict[Seat, Turn]()
    for turn in turns_to_call(state):
        latest.setdefault(turn.seat, turn)
    found = list[BogusCalled]()
    for seat in state.seats:
        if hand is not None and hand.round.scores_only:
            found += [BogusCalled(seat, by) for by in may_call(state, seat)]
        elif seat in latest:
            newest = hand.latest_draw_or_pass(seat) if hand is not None else None
            number = None if newest == latest[seat] else latest[seat].number
            found += [BogusCalled(seat, by, number) for by in may_call(state, seat)]
    # A game that is over can still be disputed if the end of a hand has won it.
    if not state.finished or (found and keys.is_accepted(game, state, found[0])):
        yield from found


def _open_questions(game: AnyGame, state: AnyState, entry: Entry, _begun: bool) -> OpenEntry:
    """Returns the questions about an entry: at which end a tile is played, with the count at each;
    or which tile is returned."""
    if isinstance(entry, TileReturned) and entry.tile is None:
        back = (TileReturned(entry.seat, tile) for tile in TILE_SET.tiles)
        offered = (
            OpenAnswer(each, say("offer.tile", tile=keys.tile_text(each.tile)))
            for each in back
            if each.tile is not None and keys.is_accepted(game, state, each)
        )
        return OpenEntry(None, (OpenQuestion("tile-back", tuple(offered)),))
    if isinstance(entry, BogusCalled) and entry.by is not None:
        return OpenEntry(
            keys.completed_entry(game, state, entry), tuple(_which_turn_question(state, entry))
        )
    try:
        return OpenEntry(keys.completed_entry(game, state, entry))
    except AmbiguousEntry as unclear:
        ends = (_end_answer(choice) for choice in unclear.choices)
        return OpenEntry(None, (OpenQuestion("end", tuple(ends)),))


def _which_turn_question(state: AnyState, called: BogusCalled) -> Iterator[OpenQuestion]:
    """Yields the question of which draw or pass is called, if there are several."""
    hand = hand_in_question(state)
    turns = [turn for turn in turns_to_call(state, called.by) if turn.seat == called.accused]
    if hand is None or len(turns) + hand.round.scores_only < 2:
        return
    on = called.turn
    if on is None and not hand.round.scores_only:
        on = turns[0].number
    answers = [
        OpenAnswer(
            replace(called, turn=turn.number),
            say(
                "offer.go-of",
                which=ordinal(hand.table_turn_number(turn)),
                did=turn_in_words(hand, turn),
            ),
            turn.number == on,
        )
        for turn in turns
    ]
    if hand.round.scores_only:
        answers.insert(0, OpenAnswer(replace(called, turn=None), say("offer.no-go"), on is None))
    yield OpenQuestion("go", tuple(answers))


def _end_answer(choice: Choice) -> OpenAnswer:
    """Returns the answer for one end, with the count there: “right: 10+5 = 15”. If players have to
    call counts, it shows only the open ends: “right: 5 5 5”."""
    arm = choice.entry.arm if isinstance(choice.entry, TilePlayed) else None
    made, ends = choice.makes, " ".join(map(str, choice.makes.ends))
    sum_ = "+".join(map(str, made.parts))
    count = f"{sum_} = {made.count}" if len(made.parts) > 1 else str(made.count)
    if arm is not None:
        label = say(f"offer.{arm.value}", count=ends if made.count is None else count)
    elif made.count is None:
        label = say("offer.ends-alone", ends=ends)
    else:
        label = say("offer.ends", ends=ends, count=count)
    return OpenAnswer(choice.entry, label, more={"arm": arm and arm.value})


def _draw_insertions(journal: Journal[Any]) -> Iterator[Act]:
    """Yields the act that inserts a forgotten draw, if a seat seems to be out of tiles."""
    hand: Hand | None = journal.state.board.hand
    seat = seems_out(hand.round) if hand is not None and not journal.state.finished else None
    if seat is not None and _find_accused(journal.state) is None:
        yield Act("forgot-draw", TilesDrawn(seat), last_play(journal, seat))


def _insist_json(game: AnyGame, state: AnyState, entry: Entry) -> Json | None:
    """Returns the JSON for insisting on a refused play. The open ends have to be entered too,
    because the tile alone doesn't show them. On a lost line, a tile that may be on the table needs
    only its ends, and no insisting."""
    hand: Hand | None = state.board.hand
    if hand is None or not isinstance(entry, TilePlayed) or entry.insisted:
        return None
    insisted = replace(entry, insisted=True)
    if not keys.is_accepted(game, state, insisted):
        return None
    if entry.ends is not None or entry.count is not None:
        return keys.insist_json(insisted)
    after = "" if needs_only_ends(hand, entry) else " !"
    before = f"{replace(entry, arm=None)} ends"
    return keys.insist_with_number_json(
        ExpectedNumber("ends-now", before, TILE_SET.highest, digits=True, after=after)
    )


def needs_only_ends(hand: Hand, laid: TilePlayed) -> bool:
    """Returns whether a play with its tile alone is refused only because the line is lost, so that
    entering the open ends makes it valid."""
    alone = laid.ends is None and laid.count is None
    return (
        hand.line.lost
        and alone
        and laid.tile is not None
        and not hand.line.tiles_entered & laid.tile.bit
    )


LINE_KEYS = GameKeys(
    _expected_entry,
    _single_key_acts,
    _open_questions,
    _draw_insertions,
    _insist_json,
    _may_call_bogus,
)


def last_play(journal: Journal[B], seat: Seat) -> int:
    """Returns the place of the seat's last play, before which a forgotten draw is inserted."""
    lays = (
        place
        for place, entry, _ in journal.newest_first()
        if isinstance(entry, TilePlayed) and entry.seat == seat
    )
    return next(lays)
