"""Bogus play settled by proof: what the entries say of a draw or pass.

A seat that draws or passes while it holds a playable tile makes a bogus play (RULES: High Five 18).
What a seat held nobody entered; but what it laid and showed later, the draws it made in between,
and where all other tiles are, often leave no choice. For each trail that the hand may have gone,
placing.py looks at every world at once:

* *proven*: in every world the seat held a matching tile at that moment,
* *excluded*: in none,
* *possible*: else; or where the ends are not known, tiles were miscounted, or the table insisted.

Pips and answers to the call for Big 6 are no evidence.
"""

from collections.abc import Iterable

from companion.games.entries import Drew, Laid, Passed
from companion.games.hand import Hand, Turn, Verdict
from companion.games.placing import END, Answer, Item, Places, Question, Window, ask
from companion.games.trails import Trail
from companion.tiles import TILES, Tile, tiles_in

TICKS = 64
"""Moments in a turn: time `turn * TICKS` is just before it, `+ n` its nth draw."""

_SET = frozenset(TILES)


def judge(hand: Hand, turn: Turn) -> Verdict:
    """The verdict on one draw or pass of the hand."""
    assert not isinstance(turn.did, Laid)
    if _after_noticing(hand, turn):
        return Verdict("proven", why="noticed")
    if turn.returned and isinstance(turn.did, Drew) and turn.did.number == 1:
        return Verdict("excluded", why="returned")
    if hand.doubtful or not hand.trails:
        return Verdict("possible", why="doubtful" if hand.doubtful else "unknown")
    return _combined(hand, turn, [(trail, places_of(hand, trail)) for trail in hand.trails])


def newly_proven(hand: Hand) -> dict[int, Verdict]:
    """The turns whose bogus play the record proves and that were not told yet."""
    turns = [
        turn
        for turn in hand.turns
        if not isinstance(turn.did, Laid) and turn.number not in hand.told
    ]
    if not turns:
        return {}
    judged: dict[int, Verdict] = {}
    known = [(trail, places_of(hand, trail)) for trail in hand.trails] if not hand.doubtful else []
    for turn in turns:
        if _after_noticing(hand, turn):
            judged[turn.number] = Verdict("proven", why="noticed")
        elif known and _may_be_proven(turn, known):
            verdict = _combined(hand, turn, known)
            if verdict.kind == "proven":
                judged[turn.number] = verdict
    return judged


def _after_noticing(hand: Hand, turn: Turn) -> bool:
    """A further draw of a go in which a tile drawn by mistake went back (High Five 19)."""
    if not isinstance(turn.did, Drew):
        return False
    for before in reversed(hand.turns[: turn.number - 1]):
        if before.seat != turn.seat or not isinstance(before.did, Drew):
            return False
        if before.returned:
            return True
    return False


def _moment(turn: Turn) -> int:
    """The time up to which tiles count as held: before a pass, before the last draw that stands."""
    if isinstance(turn.did, Passed):
        return turn.number * TICKS
    assert isinstance(turn.did, Drew)
    return turn.number * TICKS + turn.did.number - turn.returned


def places_of(hand: Hand, trail: Trail) -> Places:
    """All that was entered of the hand, if it went that way."""
    got: dict[str, list[int]] = {seat: [0] * hand.each for seat in hand.seats}
    windows: dict[str, dict[Item, Window]] = {seat: {} for seat in hand.seats}
    back: dict[Item, int] = {}
    tiles = iter(trail.laid)
    for turn in hand.turns:
        time = turn.number * TICKS
        if isinstance(turn.did, Laid):
            tile = next(tiles)
            seen = windows[turn.seat].get(tile, (0, END))
            windows[turn.seat][tile] = (back.pop(tile, seen[0]), min(time, seen[1]))
        elif isinstance(turn.did, Drew):
            drawn = turn.did.number - turn.returned
            got[turn.seat] += range(time + 1, time + 1 + drawn)
            if turn.back is not None:
                back[turn.back] = time + TICKS - 1
        for seen_now in (seen for seen in hand.seen if seen.turns == turn.number):
            for tile in seen_now.tiles:
                windows[seen_now.seat].setdefault(tile, (back.pop(tile, 0), time + TICKS - 1))
    return Places({seat: tuple(times) for seat, times in got.items()}, windows, back, _SET)


Known = list[tuple[Trail, Places]]


def _question(trail: Trail, turn: Turn, hand: Hand) -> Question:
    unforced = [each for each in hand.turns if not isinstance(each.did, Laid)]
    faced = trail.faced[unforced.index(turn)]
    return Question(turn.seat, _moment(turn), frozenset(tiles_in(faced)))


def _may_be_proven(turn: Turn, known: Known) -> bool:
    """Quick, and never wrong with a no: a proof takes a tile that the seat is known to have had
    afterwards, or nearly all tiles known."""
    at = _moment(turn)
    places = known[0][1]
    return len(places.free) < 14 or any(
        end > at for _, places in known for _, end in places.windows[turn.seat].values()
    )


def _combined(hand: Hand, turn: Turn, known: Known) -> Verdict:
    """One verdict from all trails; those that no world explains did not happen."""
    answers: list[tuple[Places, Question, Answer]] = []
    for trail, places in known:
        question = _question(trail, turn, hand)
        answer = ask(places, question)
        if answer.any_world:
            answers.append((places, question, answer))
    if not answers:
        return Verdict("possible", why="contradiction")
    if all(not answer.without for _, _, answer in answers):
        proof = [_proof(places, question, answer) for places, question, answer in answers]
        tiles = frozenset[Item]().union(*(tiles for tiles, _ in proof))
        return Verdict("proven", _sorted(tiles), proof[0][1])
    may_hold = frozenset[Item]().union(*(answer.may_hold for _, _, answer in answers))
    if not may_hold:
        return Verdict("excluded", why="returned" if turn.returned else "elsewhere")
    return Verdict("possible", _sorted(may_hold), "open")


def _proof(places: Places, question: Question, answer: Answer) -> tuple[frozenset[Item], str]:
    """The tiles that prove it, and how: one tile that can't have come later; several that can't
    all have; or, when nearly every tile is known, whichever tile it was."""
    later = frozenset(
        tile
        for tile, (_, end) in places.windows[question.seat].items()
        if tile in question.match and end > question.at
    )
    for tile in later:
        alone = Question(question.seat, question.at, frozenset({tile}))
        if not ask(places, alone).without:
            return frozenset({tile}), "deadline"
    if later and not ask(places, Question(question.seat, question.at, later)).without:
        return later, "draws"
    return answer.may_hold, "exhausted"


def _sorted(tiles: Iterable[Item]) -> tuple[Tile, ...]:
    return tuple(sorted(tile for tile in tiles if isinstance(tile, Tile)))
