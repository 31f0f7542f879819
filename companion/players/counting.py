"""Counts each kind of game entry by entry, and lists the figures computed from the counts."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from companion.core.seats import Seat
from companion.core.words import mark
from companion.games.bogus.calls import (
    CallsBoard,
    RulingResult,
    WatchedHand,
    board_of,
    judged_claim,
)
from companion.games.bogus.verdict import proven_turns
from companion.games.entries import (
    BogusCalled,
    CountNotCalled,
    MugginsCalled,
    PointsScored,
    TilesDrawn,
    TurnPassed,
)
from companion.games.game import AnyGame, AnyState
from companion.games.high_five_tiles.entries import RowCompleted, SingleTilePlayed
from companion.games.high_five_tiles.rules import HighFiveTilesPaymentReason
from companion.games.high_fives.entries import PointsEntered, TilePutDown
from companion.games.highrise.entries import OneTileDrawn, TileStacked
from companion.games.highrise.rules import HighrisePaymentReason
from companion.games.line.game import LineGame, ends_counted
from companion.games.line.hand import Hand
from companion.games.line.line import Line, TilePlayed
from companion.games.round import Round, Stage
from companion.games.settlement import HandEnding
from companion.games.tiles import Tile
from companion.players.statistics import (
    BONEYARD,
    COUNTED_PLAYS,
    HANDS,
    PLAYS,
    UNCALLED,
    Count,
    CountsBySeat,
    Denominator,
    Maximum,
    MaximumFigure,
    NumberedEntry,
    NumberFigure,
    RatioFigure,
    ScoringRuns,
    Statistics,
    numbered_entries,
)
from companion.record.journal import Journal
from companion.record.match import MATCH_WORD

# ---------------------------------------------------------------- games with a line of play


TurnKey = tuple[int, int]
"""The number of a hand, and the number of a turn in it."""
Turns = dict[TurnKey, NumberedEntry]

LINE = (
    *COUNTED_PLAYS,
    RatioFigure(
        "given_to_the_next",
        mark("points left for the next player, per play"),
        Count.GIVEN,
        Count.FOLLOWED,
    ),
    *BONEYARD,
    RatioFigure(
        "passes_forced",
        mark("passes forced on the next player, per play"),
        Count.FORCED,
        Count.PLAYS,
    ),
    *HANDS,
    RatioFigure(
        "best_open",
        mark("share of the best possible score"),
        Count.OPEN_MADE,
        Count.OPEN_BEST,
        share=True,
    ),
)
CALLS = (Count.CALLED_RIGHT, Count.CALLED_WRONG)
BOGUS = (
    NumberFigure(
        "called_right",
        mark("bogus calls that were right"),
        Count.CALLED_RIGHT,
        CALLS,
        Denominator.CALLS,
    ),
    NumberFigure(
        "called_wrong",
        mark("bogus calls that were wrong"),
        Count.CALLED_WRONG,
        CALLS,
        Denominator.CALLS,
    ),
    UNCALLED,
)


MATCHES_WON = NumberFigure(
    "matches_won", mark("matches won"), Count.MATCHES_WON, (Count.MATCHES,), Denominator.MATCHES
)


def line_statistics(rules: AnyGame) -> Statistics:
    """The statistics of a game with a line of play, including calls and matches if the game has
    them."""
    figures = (*LINE, *BOGUS) if BogusCalled in rules.entries else LINE
    if any(option.name == MATCH_WORD for option in rules.options):
        figures = (*figures, MATCHES_WON)
    return Statistics(count_line_game, figures)


def count_line_game(journal: Journal[object], by_seat: CountsBySeat) -> None:
    """Counts a game with a line of play."""
    entries = tuple(map(_counted_entry, _with_next_entry(numbered_entries(journal))))
    _count_plays(entries, by_seat)
    _count_payments(entries, by_seat)
    _count_calls(entries, by_seat)
    turns = {
        (one.after.effect.hand, one.after.effect.turn): one
        for one in entries
        if one.after.effect.turn is not None
    }
    for hand in _hands_by_number(entries).values():
        _count_turns(hand, by_seat)
        _count_result(hand, by_seat, journal.state)
        _compare_with_best(hand, turns, by_seat, journal.game)
        _count_uncalled(hand, turns, by_seat)
    _count_match(journal, by_seat)


def _count_match(journal: Journal[object], by_seat: CountsBySeat) -> None:
    """Counts a match in the game that decides it, for the players of that game."""
    match = journal.opened.match
    if match is None or not match.decided(journal.state):
        return
    winner = match.after(journal.state).winner or ()
    for seat in journal.opened.seats:
        by_seat[seat].add(Count.MATCHES)
        if seat in winner:
            by_seat[seat].add(Count.MATCHES_WON, entry=journal.length)


# ---------------------------------------------------------------- lays


def _with_next_entry(
    entries: Iterable[NumberedEntry],
) -> Iterator[tuple[NumberedEntry, NumberedEntry | None]]:
    """Each entry with the next one; None after the last."""
    before: NumberedEntry | None = None
    for one in entries:
        if before is not None:
            yield before, one
        before = one
    if before is not None:
        yield before, None


def _counted_entry(pair: tuple[NumberedEntry, NumberedEntry | None]) -> NumberedEntry:
    """Returns the first entry of the pair as it is counted: a play without the points that were
    lost because its count was not called, and without the points for the end of the hand."""
    one, following = pair
    paid = one.after.effect.payments
    of_lay = tuple(each for each in paid if not isinstance(each.why, HandEnding))
    if isinstance(one.entry, TilePlayed) and of_lay != paid:
        points = one.after.effect.points - sum(each.points for each in paid if each not in of_lay)
        effect = one.after.effect._replace(points=points, payments=of_lay)
        return one._replace(after=one.after._replace(effect=effect))
    if following is None or not isinstance(following.entry, CountNotCalled | MugginsCalled):
        return one
    effect = one.after.effect._replace(points=0, payments=())
    return one._replace(after=one.after._replace(effect=effect))


def _count_plays(entries: tuple[NumberedEntry, ...], by_seat: CountsBySeat) -> None:
    runs, last = ScoringRuns(), None
    for number, entry, _, after in entries:
        if entry.deals:
            last = None
        if isinstance(entry, TurnPassed):
            if last is not None and after.seats.left_of(last) == entry.seat:
                by_seat[last].add(Count.FORCED)
            last = None
        if isinstance(entry, PointsScored):
            # Where only scores are keyed, a score is not counted as a play, because plays that
            # scored nothing are not entered.
            if after.effect.points:
                by_seat[entry.seat].keep_highest(Maximum.BIGGEST, entry.points, number)
            runs.count_play(by_seat[entry.seat], entry.seat, None, number)
            last = None
        if not isinstance(entry, TilePlayed):
            continue
        seat, lay_count = entry.seat, ends_counted(after)
        points = None if lay_count is None or lay_count.count is None else after.effect.points
        runs.count_play(by_seat[seat], seat, points, number)
        if lay_count is not None and points:
            by_seat[seat].keep_highest(Maximum.BIGGEST, lay_count.count or 0, number)
        if last is not None and after.seats.left_of(last) == seat and points is not None:
            by_seat[last].add(Count.FOLLOWED)
            by_seat[last].add(Count.GIVEN, points)
        last = seat


def _count_payments(entries: tuple[NumberedEntry, ...], by_seat: CountsBySeat) -> None:
    for one in entries:
        for paid in one.after.effect.payments:
            if paid.payer is not None:
                owed = by_seat[paid.to].paid_by
                owed[paid.payer] = owed.get(paid.payer, 0) + paid.points


# ---------------------------------------------------------------- calls of bogus play


def _count_calls(entries: tuple[NumberedEntry, ...], by_seat: CountsBySeat) -> None:
    """Counts each call by its last ruling, as the table may have overruled the record."""
    calls: dict[int, tuple[Seat, RulingResult]] = {}
    number, caller = 0, None
    for one in entries:
        if isinstance(one.entry, BogusCalled):
            number = one.number
            claim = judged_claim(one.after)
            caller = claim.claim.by if claim is not None else None
        board = board_of(one.after)
        if caller is not None and board is not None and board.ruling is not None:
            calls[number] = caller, board.ruling.result
    for number, (by, result) in calls.items():
        right = result is RulingResult.BOGUS
        by_seat[by].add(Count.CALLED_RIGHT if right else Count.CALLED_WRONG, entry=number)


class PlayedHand(NamedTuple):
    """The last state of a hand and, in a game with bogus plays, the evidence that was collected in
    it."""

    hand: Hand
    watched: WatchedHand | None


def _hands_by_number(entries: tuple[NumberedEntry, ...]) -> dict[int, PlayedHand]:
    """All hands by number, each in the last state of the game that contains it."""
    found: dict[int, PlayedHand] = {}
    for one in entries:
        for played in _hands_in(one.after):
            found[played.hand.round.number] = played
    return found


def _hands_in(state: AnyState) -> Iterator[PlayedHand]:
    board = state.board
    if isinstance(board, CallsBoard):
        for watched in (board.before, board.watched):
            if watched is not None:
                yield PlayedHand(watched.hand, watched)
    elif board.hand is not None:
        yield PlayedHand(board.hand, None)


def _count_uncalled(played: PlayedHand, turns: Turns, by_seat: CountsBySeat) -> None:
    """Counts bogus plays that the record proves but that were not called. Only for hands in which
    no call was right."""
    watched = played.watched
    if watched is None or watched.bogus is not None or watched.claim is not None:
        return
    for turn in proven_turns(watched):
        play = turns.get((watched.hand.round.number, turn.number))
        by_seat[turn.seat].add(Count.UNCALLED, entry=play.number if play else None)


# ---------------------------------------------------------------- hands


def _count_turns(played: PlayedHand, by_seat: CountsBySeat) -> None:
    for turn in played.hand.newest_first:
        if isinstance(turn.did, TilesDrawn):
            by_seat[turn.seat].add(Count.DRAWN, turn.did.number - turn.returned)
        elif isinstance(turn.did, TurnPassed):
            by_seat[turn.seat].add(Count.PASSES)


def _count_result(played: PlayedHand, by_seat: CountsBySeat, state: AnyState) -> None:
    """Counts how a hand ended for each seat. A seat whose partner went out has not lost."""
    now = played.hand.round
    if now.stage is not Stage.OVER:
        return
    bogus = played.watched is not None and played.watched.bogus is not None
    for seat in now.seats:
        counts = by_seat[seat]
        counts.add(Count.HANDS)
        counts.add(Count.DOMINOED, int(now.out == seat and not bogus))
        counts.add(Count.BLOCKED, int(now.out is None and not bogus))
        lost = now.winner is not None and now.winner not in state.side_of(seat)
        counts.add(Count.LOST, int(lost))
        shown = now.shown[seat]
        if shown is not None and now.out != seat:
            counts.add(Count.SHOWN)
            counts.add(Count.PIPS, shown.pips)


# ---------------------------------------------------------------- the best that was open


def _compare_with_best(
    played: PlayedHand, turns: Turns, by_seat: CountsBySeat, game: AnyGame
) -> None:
    """Counts the points scored, and the most points possible, for plays before which the seat's
    tiles are known. These are the plays since its last draw, if all tiles that it held then were
    later played or shown."""
    hand = played.hand
    if hand.round.stage is not Stage.OVER or hand.round.scores_only:
        return
    for seat in hand.round.seats:
        for play, held in _known_holdings(hand, seat, turns):
            best = _best_possible_points(play, held, game)
            if best:
                by_seat[seat].add(Count.OPEN_PLAYS)
                by_seat[seat].add(Count.OPEN_BEST, best)
                by_seat[seat].add(Count.OPEN_MADE, play.after.effect.points)


def _known_holdings(
    hand: Hand, seat: Seat, turns: Turns
) -> Iterator[tuple[NumberedEntry, tuple[Tile, ...]]]:
    """Yields the seat's plays, the last one first, each with all the tiles that the seat held
    before it."""
    now = hand.round
    shown = now.shown[seat]
    held = () if now.out == seat else shown.tiles if shown is not None else None
    for turn in hand.newest_first:
        if turn.seat != seat:
            continue
        if isinstance(turn.did, TilesDrawn) or held is None:
            return
        if not isinstance(turn.did, TilePlayed):
            continue
        play = turns.get((now.number, turn.number))
        if turn.did.tile is None or play is None:
            return
        held = (*held, turn.did.tile)
        before = play.before.board.hand
        if before is None or before.round.held[seat] != len(held):
            return
        yield play, held


def _best_possible_points(play: NumberedEntry, held: tuple[Tile, ...], game: AnyGame) -> int:
    """The most points that a play of one of these tiles could score. 0 if no play could score, the
    line was not known, or the player could not choose the tile."""
    hand: Hand = play.before.board.hand
    seat = play.entry.named_seat
    if hand.line.lost or len(hand.line.possible) != 1 or seat is None:
        return 0
    line = hand.line.single
    if line is None:
        if hand.big_6:
            return 0
        counts = [Line.led(tile.high, tile.low).open_count for tile in held]
    else:
        counts = [
            line.with_tile(place.arm, tile).open_count
            for tile in held
            for place in line.places
            if tile.has(place.pips)
        ]
    assert isinstance(game, LineGame), "it has a line of play"
    scoring = game.hand.scoring
    scores = map(scoring.of_count, counts)
    return max(
        (scoring.points_that_count(play.before, seat, points) for points in scores), default=0
    )


# ---------------------------------------------------------------- games without one


def count_high_fives(journal: Journal[object], by_seat: CountsBySeat) -> None:
    """Counts High Fives: points and captures per turn."""
    runs = ScoringRuns()
    for number, entry, _, after in numbered_entries(journal):
        if not isinstance(entry, TilePutDown | PointsEntered):
            continue
        counts, points = by_seat[entry.seat], after.effect.points
        runs.count_play(counts, entry.seat, points, number)
        counts.keep_highest(Maximum.BIGGEST, points, number)
        if isinstance(entry, TilePutDown):
            counts.add(Count.CAPTURING_TURNS)
            counts.add(Count.CAPTURES, (entry.takes is not None) + (entry.pair is not None))


def count_tiles(journal: Journal[object], by_seat: CountsBySeat) -> None:
    """Counts High Five! with tiles: the rows made, by combination."""
    runs = ScoringRuns()
    for number, entry, _, after in numbered_entries(journal):
        if not isinstance(entry, RowCompleted | SingleTilePlayed):
            continue
        counts = by_seat[entry.seat]
        points = sum(
            paid.points
            for paid in after.effect.payments
            if paid.why is HighFiveTilesPaymentReason.ROW
        )  # an out that follows by itself is no part of the row
        runs.count_play(counts, entry.seat, points, number)
        counts.keep_highest(Maximum.BIGGEST, points, number)
        if isinstance(entry, RowCompleted):
            made = entry.combination.value
            counts.combinations[made] = counts.combinations.get(made, 0) + 1


def count_highrise(journal: Journal[object], by_seat: CountsBySeat) -> None:
    """Counts Highrise: points and levels of the plays, and how hands ended."""
    runs, rounds = ScoringRuns(), dict[int, Round]()
    for play in numbered_entries(journal):
        _count_play(play, runs, by_seat)
        now = play.after.board.round
        if now is not None:
            rounds[now.number] = now
    for now in rounds.values():
        if now.stage is Stage.OVER:
            _count_end(now, by_seat)


def _count_play(play: NumberedEntry, runs: ScoringRuns, by_seat: CountsBySeat) -> None:
    number, entry, _, after = play
    match entry:
        case TileStacked():
            counts = by_seat[entry.seat]
            points = sum(
                paid.points
                for paid in after.effect.payments
                if paid.why is HighrisePaymentReason.LAY
            )
            runs.count_play(counts, entry.seat, points, number)
            counts.keep_highest(Maximum.BIGGEST, points, number)
            scored = after.board.scored
            counts.add(Count.LEVELS, scored.level)
            counts.keep_highest(Maximum.LEVEL, scored.level, number)
        case OneTileDrawn():
            by_seat[entry.seat].add(Count.DRAWN)
        case TurnPassed():
            by_seat[entry.seat].add(Count.PASSES)


def _count_end(now: Round, by_seat: CountsBySeat) -> None:
    for seat in now.seats:
        counts = by_seat[seat]
        counts.add(Count.HANDS)
        counts.add(Count.DOMINOED, int(now.out == seat))
        counts.add(Count.BLOCKED, int(now.out is None))
        counts.add(Count.LOST, int(now.out not in (None, seat)))
        shown = now.shown[seat]
        if shown is not None and now.out != seat:
            counts.add(Count.SHOWN)
            counts.add(Count.PIPS, shown.pips)


HIGH_FIVES = Statistics(
    count_high_fives,
    (
        *PLAYS,
        RatioFigure(
            "captures_a_turn", mark("captures per turn"), Count.CAPTURES, Count.CAPTURING_TURNS
        ),
    ),
)
HIGHRISE = Statistics(
    count_highrise,
    (
        *PLAYS,
        RatioFigure("level", mark("level of a play"), Count.LEVELS, Count.PLAYS),
        MaximumFigure("highest_level", mark("highest level"), Maximum.LEVEL),
        *BONEYARD,
        *HANDS,
    ),
)
HIGH_FIVE_TILES = Statistics(count_tiles, PLAYS)
