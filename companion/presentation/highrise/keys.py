"""What can be keyed now in Highrise: the basement, a tile and its place, holdings."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.core.seats import Seat
from companion.games.entry import Blocked, Entry, Passed, Unclear, WentOut
from companion.games.game import AnyGame, AnyState, B
from companion.games.highrise.building import (
    NEIGHBOURS,
    Layouts,
    PlayScored,
    Result,
    Ways,
    as_said,
    matches,
    ways_of,
)
from companion.games.highrise.entries import COLUMNS, SET, WILD, Built, DrewOne, Halves, format_half
from companion.games.highrise.rules import Highrise, HighriseState
from companion.games.options import Value
from companion.games.round import Round, Stage
from companion.presentation import acts, keys
from companion.presentation.acts import Act, taken
from companion.presentation.keys import (
    APART,
    COLLECT,
    FITS,
    FREE,
    LAID,
    LAY,
    AskedNow,
    AskedTiles,
    GameKeys,
    Open,
    OpenAnswer,
    OpenQuestion,
    seems_out,
    tiles_of,
)
from companion.presentation.sayings import say
from companion.presentation.short import many
from companion.record.journal import Journal

BASEMENT: Final = "basement"
"""The setting that says whether the basement is keyed."""
NOT_TOLD: Final = "not-told"
"""Its value if it is not."""
MOST_TOLD = 9
"""The number of levels in one group of answers; no fewer levels are offered."""


def _asked(game: AnyGame, state: HighriseState, settings: Mapping[str, Value]) -> AskedNow:
    """What is asked for: after a deal the basement, if the table keys it; then turns; at the end
    holdings."""
    now, asked = state.board.round, AskedNow("highrise")
    if now is None or state.finished or now.stage is Stage.OVER:
        return asked
    if now.playing:
        asked = asked._replace(seat=now.to_move, tiles=lambda: _tiles(state), fits="fits")
        if now.turn or state.board.basement or settings.get(BASEMENT) == NOT_TOLD:
            return asked._replace(asks=LAY)
        below = AskedTiles("basement", "basement", COLUMNS, turns=True)
        return asked._replace(
            asks=COLLECT, question=say("key.ask-basement", number=COLUMNS), collects=below
        )
    assert isinstance(game, Highrise), "these are its keys"
    needed = game.needed(state)
    if not needed:
        return asked
    asked = asked._replace(tiles=lambda: _not_lying(state), fits="shown")
    return keys.shown_by(asked, needed, SET.pips)


def _acts(game: AnyGame, state: HighriseState, _settings: Mapping[str, Value]) -> Iterable[Act]:
    now = state.board.round
    if state.finished:
        return ()
    if now is None or now.stage is Stage.OVER:
        found = acts.deals(state, lead_is_open=game.next_lead(state) is None)
    else:
        found = _moves(state, now)
    return taken(game, state, found)


def _moves(state: HighriseState, now: Round) -> Iterator[Act]:
    """The entries of a hand that take one key now, the likeliest first."""
    last = now.laid_last
    out = last is not None and not now.confirmed and WentOut(last)
    if out and now.held[out.seat] == 0:
        yield Act("out", out)
    for seat in [now.to_move] if now.to_move else state.seats:
        draw, most = "draw" if now.to_move else "draw-of", min(now.drawable, 1)
        yield Act(draw, DrewOne(seat), most=most, reopens=now.ended)
        yield Act("pass" if now.to_move else "pass-of", Passed(seat), reopens=now.ended)
    if out and now.held[out.seat]:
        yield Act("out-early", out)
    yield Act("blocked", Blocked())


# ---------------------------------------------------------------- the tiles


def _tiles(state: HighriseState) -> Mapping[str, str]:
    """How each tile stands: if the building is known, whether it fits somewhere; else all that are
    not on the table may be laid."""
    board = state.board
    if board.layouts is None:
        return _not_lying(state)
    fit = _fitting(board.layouts, spacer=board.spacers != 0)
    return tiles_of(SET, {board.lying: LAID, fit: FITS}, APART)


def _not_lying(state: HighriseState) -> Mapping[str, str]:
    return tiles_of(SET, {state.board.lying: LAID}, FREE)


def _fitting(layouts: Layouts, *, spacer: bool) -> int:
    """The tiles that fit somewhere in one of the layouts, as a mask."""
    sites: set[Halves] = set()
    for layout in layouts:
        tops = layout.tops
        for at, beside in NEIGHBOURS:
            one, other = tops[at], tops[beside]
            if one.tile != other.tile and abs(one.level - other.level) <= int(spacer):
                sites.add((one.half, other.half))
    return sum(
        tile.bit
        for tile in SET.tiles
        if any(
            (matches(tile.low, one) and matches(tile.high, other))
            or (matches(tile.low, other) and matches(tile.high, one))
            for one, other in sites
        )
    )


# ---------------------------------------------------------------- where a tile lies


def _open(game: AnyGame, state: AnyState, entry: Entry, begun: bool) -> Open:
    """The questions about a play: where the tile lies; if the building is not known, what the tile
    covers, its level and the spacer."""
    if not isinstance(entry, Built):
        return Open(keys.whole(game, state, entry))
    if state.board.layouts is None:
        return _as_entered(game, state, entry, begun=begun)
    layouts, spacer = state.board.layouts, state.board.spacers != 0
    ways = ways_of(layouts, entry.halves, spacer=spacer)
    try:
        said = keys.whole(game, state, entry)
    except Unclear:
        said = None
    if len(ways) < 2:
        return Open(said)
    fitting = as_said(ways, entry) if said is None else ways
    return Open(said, (_places(entry, ways, fitting, said),))


def _places(built: Built, ways: Ways, fitting: Ways, said: Entry | None) -> OpenQuestion:
    """The question where the tile lies, with the answer that scores most first."""
    best = sorted(fitting, key=lambda result: -PlayScored.of(built, result).points)
    levels = {result.level for result in best}
    answers = (_place(built, result, ways, said, levels) for result in best)
    return OpenQuestion("where", tuple(answers))


def _place(
    built: Built, result: Result, ways: Ways, said: Entry | None, levels: set[int]
) -> OpenAnswer:
    entry = result.said(built)
    parts: dict[str, object] = {
        **_two(result.on),
        "level": result.level,
        "points": many(PlayScored.of(built, result).points, "point"),
    }
    label = say("offer.place", **parts)
    if result.spacer is not None:
        label = say("offer.place-spacer", **parts, spacer=format_half(result.spacer))
    places = sorted({place.fields for _, place in ways[result]})
    under = [say("offer.on-level", level=result.level)["words"]] if len(levels) > 1 else []
    return OpenAnswer(entry, label, entry == said, {"places": [*map(list, places)], "under": under})


def _two(on: Halves) -> dict[str, str]:
    """The two halves as parts of a sentence."""
    return {"one": format_half(on[0]), "other": format_half(on[1])}


# ---------------------------------------------------------------- without the basement


def _as_entered(game: AnyGame, state: HighriseState, built: Built, *, begun: bool) -> Open:
    """A play in a building that is not known: people have to say its level, whether a spacer is
    under it and, if a half is wild, what it covers."""
    questions, wild = list[OpenQuestion](), WILD in built.halves
    if wild:
        questions.append(_covering(built))
    questions.append(_levels(state, built))
    if built.level and built.level > 1 and state.board.spacers != 0:
        questions.append(_spacers(built))
    said = built.level is not None and (built.on is not None or not wild)
    if not said and not begun:
        game.apply(state, built)  # which says what is missing
    return Open(keys.whole(game, state, built) if said else None, tuple(questions))


def _covering(built: Built) -> OpenQuestion:
    """The question what a wild tile covers; a half that isn't wild covers its like."""
    first, second = built.halves
    both = first == second
    ons = (
        (one, other)
        for one in (range(WILD + 1) if first == WILD else (first,))
        for other in (range(WILD + 1) if second == WILD else (second,))
        if not both or one <= other
    )
    answers = (
        OpenAnswer(
            replace(built, on=on, spacer=built.spacer if built.spacer in on else None),
            say("offer.covered", **_two(on)),
            built.on == on,
            {
                "under": [
                    say("offer.covered-one", half=format_half(half))["words"] for half in {*on}
                ]
            },
        )
        for on in ons
    )
    return OpenQuestion("covers", tuple(answers))


def _levels(state: HighriseState, built: Built) -> OpenQuestion:
    """The question on which level: up to one for each tile laid and one more, MOST_TOLD at least;
    if the spacers are not known, after lost entries, all possible levels."""
    lost = state.board.spacers is None
    most = len(SET) - COLUMNS if lost else max(len(state.board.laid) + 1, MOST_TOLD)
    answers = (
        OpenAnswer(
            replace(built, level=level, spacer=built.spacer if level > 1 else None),
            say("offer.on-level", level=level),
            built.level == level,
            {"under": [say("offer.levels", first=level - (level - 1) % MOST_TOLD)["words"]]},
        )
        for level in range(1, most + 1)
    )
    return OpenQuestion("level", tuple(answers))


def _spacers(built: Built) -> OpenQuestion:
    """The question whether a spacer is under one of the covered halves, or under none."""
    none = OpenAnswer(replace(built, spacer=None), say("offer.no-spacer"), built.spacer is None)
    answers = (
        OpenAnswer(
            replace(built, spacer=half),
            say("offer.spacer-under", half=format_half(half)),
            built.spacer == half,
        )
        for half in sorted({*(built.on or built.halves)})
    )
    return OpenQuestion("spacer", (none, *answers))


def _mends(journal: Journal[Any]) -> Iterator[Act]:
    """The act that puts in a forgotten draw, if a seat seems to be out and has a turn without a
    draw."""
    state: HighriseState = journal.state
    seat = None if state.finished else seems_out(state.board.round)
    place = None if seat is None else last_play_without_draw(journal, seat)
    if seat is not None and place is not None:
        yield Act("forgot-draw", DrewOne(seat), place)


HIGHRISE_KEYS = GameKeys(_asked, _acts, _open, _mends)
"""The keys of Highrise."""


def last_play_without_draw(journal: Journal[B], seat: Seat) -> int | None:
    """The place of the seat's latest play in this hand with no draw before it; None if there is
    none. In Highrise a seat may draw only one tile a turn."""
    later: tuple[int, Built] | None = None
    for place, entry, _ in journal.newest_first():
        if later is not None and entry != DrewOne(seat):
            return later[0]
        later = (place, entry) if isinstance(entry, Built) and entry.seat == seat else None
        if entry.deals:
            break
    return None
