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

from collections.abc import Mapping
from dataclasses import replace

from companion.games.entries import Drew, Laid, Passed
from companion.games.hand import Hand, Turn, Verdict
from companion.games.placing import (
    END,
    Answer,
    Part,
    Places,
    Question,
    Window,
    ask,
    has_world,
    may_be_without,
)
from companion.games.trails import Trail
from companion.seats import Seat
from companion.tiles import ALL, mask_of, tiles_in

TICKS = 64
"""Moments in a turn: time `turn * TICKS` is just before it, `+ n` its nth draw."""


def judge(hand: Hand, turn: Turn) -> Verdict:
    """The verdict on one draw or pass of the hand, by the rules that it is played by: where these
    have changed since, `hand.rules` says which count."""
    assert not isinstance(turn.did, Laid)
    if hand.doubtful:
        return Verdict("possible", why="doubtful")
    if _after_noticing(hand, turn):
        return Verdict("proven", why="noticed")
    if turn.returned and isinstance(turn.did, Drew) and turn.did.number == 1:
        return Verdict("excluded", why="returned")
    if not hand.trails:
        return Verdict("possible", why="unknown")
    return _combined(hand, turn, [(trail, places_of(hand, trail)) for trail in hand.trails])


def newly_proven(hand: Hand) -> dict[int, Verdict]:
    """The turns whose bogus play the last turn has made provable, not told before."""
    if not hand.turns or hand.doubtful:
        return {}
    judged: dict[int, Verdict] = {}
    last = hand.turns[-1]
    if _after_noticing(hand, last) and last.number not in hand.told:
        judged[last.number] = Verdict("proven", why="noticed")
    if not hand.trails:
        return judged
    for turn in _worth_judging(hand):
        verdict = judge(hand, turn)
        if verdict.kind == "proven":
            judged[turn.number] = verdict
    return judged


def _worth_judging(hand: Hand) -> list[Turn]:
    """The untold draws and passes that may be proven bogus now. Quick, and leaves none out: a turn
    is passed over where the last entry taught nothing of it, or where in a way that the hand may
    have gone its seat need not have held a match."""
    unforced = hand.unforced
    untold = [(at, turn) for at, turn in enumerate(unforced) if turn.number not in hand.told]
    if any(turn.back for turn in unforced):
        return [turn for _, turn in untold]
    if len(hand.trails) == 1:
        untold = [(at, turn) for at, turn in untold if _news(hand, turn, at)]
    for trail in hand.trails:
        if not untold:
            break
        seats = {turn.seat for _, turn in untold} if len(hand.trails) == 1 else hand.seats
        parts = {seat: _part(hand, trail, seat, {}) for seat in seats}
        places = Places(parts, {}, ALL)
        if len(hand.trails) == 1 or has_world(places):
            free = ALL & ~trail.world[1] & ~_seen(hand)
            new = trail.laid[-1].bit if len(hand.trails) == 1 and not hand.seen else ALL
            untold = [
                (at, turn)
                for at, turn in untold
                if not _still_open(turn, parts[turn.seat], trail.faced[at], free, new)
            ]
    return [turn for _, turn in untold]


def _still_open(turn: Turn, part: Part, match: int, free: int, new: int) -> bool:
    """Whether the seat need not have held a match. It was so before the tile `new` was laid: where
    that is no match, and all known tiles that are none find room among what was held, nothing has
    become tighter."""
    moment = _moment(turn)
    if not new & match:
        others = (part.mask & ~match).bit_count()
        room = sum(time < moment for time in part.got)
        if others <= room <= others + (free & ~match).bit_count():
            return True
    return may_be_without(part, Question(turn.seat, moment, match), free)


def _news(hand: Hand, turn: Turn, at: int) -> bool:
    """Whether the last entry may have decided this turn: its seat has laid or shown a tile, or so
    few tiles are left unknown that they can't fill the seat's places."""
    last = hand.turns[-1].seat
    if turn.seat == last or hand.seen:
        return True
    trail = hand.trails[0]
    left = (ALL & ~trail.world[1] & ~trail.faced[at]).bit_count()
    if left >= ALL.bit_count() - hand.boneyard - hand.each * (len(hand.seats) - 1):
        return False  # more than this seat can have got, if all that was drawn was its
    drawn = sum(each.did.number for each in hand.turns[: turn.number]
                if isinstance(each.did, Drew) and each.did.seat == turn.seat)  # fmt: skip
    return left < hand.each + drawn


def _seen(hand: Hand) -> int:
    """All tiles that were shown, as a mask."""
    return mask_of(tile for seen in hand.seen for tile in seen.tiles)


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
    back = {
        turn.back.bit: turn.number * TICKS + TICKS - 1
        for turn in hand.turns
        if turn.back is not None
    }
    parts = {seat: _part(hand, trail, seat, back) for seat in hand.seats}
    known = sum(part.mask for part in parts.values())
    return Places(parts, {bit: time for bit, time in back.items() if not bit & known}, ALL)


def _part(hand: Hand, trail: Trail, seat: Seat, back: Mapping[int, int]) -> Part:
    """What is known of one seat's tiles; `back` says since when a tile was in the boneyard."""
    got, windows, tiles = [0] * hand.each, dict[int, Window](), iter(trail.laid)
    for seen in hand.seen:
        if seen.seat == seat:
            until = seen.turns * TICKS + TICKS - 1
            for tile in seen.tiles:
                windows.setdefault(tile.bit, (back.get(tile.bit, 0), until, END))
    for turn in hand.turns:
        did, time = turn.did, turn.number * TICKS
        if isinstance(did, Laid):
            bit = next(tiles).bit
            if did.seat == seat:
                start, until, _ = windows.get(bit, (back.get(bit, 0), time, time))
                windows[bit] = (start, min(time, until), time)
        elif did.seat == seat and isinstance(did, Drew):
            got += range(time + 1, time + 1 + did.number - turn.returned)
    return Part(tuple(got), windows)


Known = list[tuple[Trail, Places]]


def _question(trail: Trail, turn: Turn, hand: Hand) -> Question:
    at = next(at for at, each in enumerate(hand.unforced) if each.number == turn.number)
    return Question(turn.seat, _moment(turn), trail.faced[at])


def _combined(hand: Hand, turn: Turn, known: Known) -> Verdict:
    """One verdict from all trails; those that no world explains did not happen."""
    answers: list[tuple[Places, Question, Answer]] = []
    may_hold = 0
    for trail, places in known:
        question = _question(trail, turn, hand)
        answer = ask(places, question)
        if answer.any_world:
            answers.append((places, question, answer))
            may_hold |= answer.may_hold
    if not answers:
        return Verdict("possible", why="contradiction")
    if all(not answer.without for _, _, answer in answers):
        proofs = [_proof(places, question, answer) for places, question, answer in answers]
        tiles = {tile for mask, _ in proofs for tile in tiles_in(mask)}
        return Verdict("proven", tuple(sorted(tiles)), proofs[0][1])
    if not may_hold:
        return Verdict("excluded", why="returned" if turn.returned else "elsewhere")
    return Verdict("possible", tuple(tiles_in(may_hold)), "open")


def _proof(places: Places, question: Question, answer: Answer) -> tuple[int, str]:
    """The tiles that prove it, and how: one tile that can't have come later; several that can't
    all have; or, when nearly every tile is known, whichever tile it was."""
    later = [
        tile
        for tile, (_, _, left) in places.parts[question.seat].windows.items()
        if tile & question.match and left > question.at
    ]
    for tile in later:
        if not ask(places, replace(question, match=tile)).without:
            return tile, "deadline"
    if later and not ask(places, replace(question, match=sum(later))).without:
        return sum(later), "draws"
    return answer.may_hold, "exhausted"
