"""A turn, keyed by its tile or by its points."""

from dataclasses import replace
from typing import ClassVar, NamedTuple

from companion.console.frame import WIDTH, Canvas, draw_question
from companion.console.in_play import FIRST_SCORES, InPlay, asked_now, draw_seats, opened
from companion.console.lists import Choices
from companion.console.screen import Actions, Digits, Item, Outcome, Screen, View, keep, would_be
from companion.console.screens.box import BoxSetting
from companion.console.words import LOST
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.high_fives.entries import SET, PointsEntered, PutDown
from companion.games.high_fives.rules import HighFivesBoard, HighFivesState, held, sizes_of
from companion.games.high_fives.tableau import worth_of
from companion.games.tiles import Tile
from companion.presentation.game import many
from companion.presentation.high_fives import ENTRY_POINTS, captured, what_lies
from companion.presentation.keys import NUMBER, Open, OpenAnswer, OpenQuestion
from companion.record.settings import ENTRY_WAY

# ---------------------------------------------------------------- halves
# Tiles of double-fifteen as they are keyed: DRAW adds ten to the next digit, so the box never has
# to wait for a second digit of a half. `7 8` is 7-8, `DRAW 0 DRAW 5` is 10-15.


TEN = 10
"""The value that stands for DRAW among the keyed digits."""
OVER_TEN = phrase("0 to 5 only: half a tile has 15 at most.")


def halves_of(keyed: Digits) -> tuple[int, ...]:
    """The halves that these keys make; a DRAW without its digit makes none yet."""
    before = (TEN if key == TEN else 0 for key in (0, *keyed))
    return tuple(ten + key for ten, key in zip(before, keyed, strict=False) if key != TEN)


def tiles_of(keyed: Digits) -> tuple[Tile, ...]:
    """The tiles of which both halves are keyed."""
    halves = halves_of(keyed)
    return tuple(SET.by_halves[pair] for pair in zip(halves[::2], halves[1::2], strict=False))


def format_tile(keyed: Digits) -> str:
    """The tile that is being keyed: “7-_”, “7-1_”, its halves in the order of the keys."""
    ten = keyed[-1:] == (TEN,)
    halves = [*map(str, halves_of(keyed)), *(["1_"] if ten else [])]
    return "-".join([*halves, "_", "_"][:2])


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedTiles(InPlay[HighFivesBoard]):
    """A screen on which tiles are keyed. BACK takes the last key off."""

    digits: ClassVar = range(10)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of which both halves are keyed."""
        return tiles_of(self.keyed)

    def room(self, _view: View[HighFivesBoard], /) -> int:
        """How many tiles can be keyed."""
        return 1

    def digit(self, view: View[HighFivesBoard], digit: int) -> Outcome[HighFivesBoard]:
        """Takes a digit, which completes a half; refused if the half would be over 15."""
        if len(self.tiles) >= self.room(view):
            return self.beyond(view, digit)
        if self.keyed[-1:] == (TEN,) and digit > SET.highest - TEN:
            return Outcome(self, refused=OVER_TEN)
        return Outcome(self.with_digits((*self.keyed, digit)))

    def beyond(self, _view: View[HighFivesBoard], _digit: int, /) -> Outcome[HighFivesBoard]:
        """What a digit or DRAW does once all tiles are keyed: it is refused."""
        return Outcome(self, refused=phrase("OK first, or BACK to key it again."))

    def ten_more(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """DRAW: the next digit counts ten more. A second DRAW takes the first one back."""
        if self.keyed[-1:] == (TEN,):
            return Outcome(self.with_digits(self.keyed[:-1]))
        if len(self.tiles) >= self.room(view):
            return self.beyond(view, TEN)
        return Outcome(self.with_digits((*self.keyed, TEN)))

    def on(self) -> Actions[HighFivesBoard]:
        return {**InPlay.on(self), Key.DRAW: self.ten_more}


# ---------------------------------------------------------------- drawing
# The one layout of the screens of High Fives, for two seats as for eight.
#
# page 0 SEAT TO ACT, in large capitals hand 3 of 8 page 1 5 to lay page 2-3 what is keyed, large;
# beside it, in two small lines, what it would take and its worth page 4 the tiles that lie there,
# as far as there is room page 7 each seat's points, two seats a line; with eight seats, from page 4
# on


BESIDE_X = 58
"""Where the two small lines beside what is keyed begin."""


class Beside(NamedTuple):
    """Two small lines beside what is keyed; `paid`: points, lit, at the end of the first line."""

    first: str = ""
    second: str = ""
    paid: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The words for each place."""

    head: str
    corner: tuple[str, str] = ("", "")
    keyed: str = ""
    beside: Beside = Beside()
    below: str = ""


def draw_words(canvas: Canvas, state: HighFivesState, words: Words) -> None:
    """Draws a screen of High Fives."""
    edge = WIDTH - max(map(canvas.width, words.corner)) - 4
    for page, line in enumerate(words.corner):
        canvas.right(WIDTH + 1, 8 * page, line)
    canvas.text(0, 0, canvas.loud(words.head, edge, "caps"), "caps")
    end = canvas.text(0, 16, words.keyed, "caps")
    x = max(BESIDE_X, end + 2) if words.keyed else 0
    beside = words.beside
    room = WIDTH - x - (canvas.width(beside.paid) + 5 if beside.paid else 0)
    end = canvas.text(x, 16, beside.first, room=room)
    canvas.text(x, 24, beside.second, room=WIDTH - x)
    if beside.paid:
        behind = canvas.text(end + 3, 16, beside.paid)
        canvas.invert(end + 2, 2, behind - end - 2)
    if FIRST_SCORES[len(state.seats)] > 4:
        canvas.text(0, 32, words.below, room=WIDTH)
    draw_seats(canvas, state)


# ---------------------------------------------------------------- captures
# What a tile captures: the tile that it takes, and a pair that lies in the tableau besides. The
# answers are the same as on pages; since a list fills the display, the box asks one question after
# the other.


MOST_LISTED = 9
"""Pairs that a list can show, each with a digit. If there are more, people first choose one tile of
the pair."""


def ask_or_keep(found: Open, seat: Seat, parent: Screen[HighFivesBoard]) -> Outcome[HighFivesBoard]:
    """Asks which tile is taken, if that is open; then which pair, if one can be taken; else keeps
    the turn."""
    takes, pair = found.question("takes"), found.question("pair")
    if found.entry is None and takes is not None:
        return Outcome(_list_of(takes, seat, parent))
    assert found.entry is not None, "nothing else is open about a tile"
    return keep(found.entry) if pair is None else Outcome(_list_of(pair, seat, parent))


def _list_of(question: OpenQuestion, seat: Seat, parent: Screen[HighFivesBoard]) -> "ChooseCapture":
    """A list of the answers; 0 takes nothing, if that is allowed. If there are more pairs than
    digits, the list has their tiles, each of which opens its pairs, as on a page."""
    none = without(question)
    others = tuple(answer for answer in question.answers if answer != none)

    def item(*answers: OpenAnswer) -> Item[HighFivesBoard]:
        def chosen(
            view: View[HighFivesBoard], _list: Screen[HighFivesBoard]
        ) -> Outcome[HighFivesBoard]:
            if question.name == "pair":
                return keep(answers[0].entry)
            found = opened(view, answers[0].entry, begun=False)
            assert isinstance(found, Open), "answers are what the rules take"
            return ask_or_keep(found, seat, parent)

        return answers[0].label["words"], chosen

    def items_under(tile: str) -> Item[HighFivesBoard]:
        under = tuple(answer for answer in others if tile in answer.more["under"])
        if len(under) == 1:
            return item(*under)
        asked = question._replace(answers=(*((none,) if none else ()), *under))
        label = phrase("{tile}: {pairs}", tile=tile, pairs=many(len(under), "pair"))
        return label, lambda _view, tiles: Outcome(_list_of(asked, seat, tiles))

    tiles = dict.fromkeys(tile for answer in others for tile in answer.more.get("under", ()))
    many_pairs = len(others) > MOST_LISTED and bool(tiles)
    items = map(items_under, tiles) if many_pairs else map(item, others)
    nothing = item(none) if none else None
    heading = question.label["words"]
    return ChooseCapture(1 if none else 0, heading, (nothing, *items), parent, seat)


def without(question: OpenQuestion) -> OpenAnswer | None:
    """The answer that takes nothing; None if something must be taken."""
    return next((answer for answer in question.answers if "tiles" not in answer.more), None)


@dataclass(frozen=True, slots=True)
class ChooseCapture(Choices[HighFivesBoard]):
    """A list of what can be taken, the most valuable first; 0: nothing."""

    digits: ClassVar = range(10)

    def numbers(self, _view: View[HighFivesBoard]) -> tuple[int, ...]:
        """The digits of the answers, from 0, or from 1 if something has to be taken."""
        return tuple(number for number, item in enumerate(self.items()) if item and number < 10)


# ---------------------------------------------------------------- turn

ENTRY_WAYS = BoxSetting(ENTRY_WAY, phrase("How you key tiles"), (
    ("tile", phrase("By tiles: 7 8 OK")), (ENTRY_POINTS, phrase("By points: 3 OK")),
))  # fmt: skip
"""How turns are keyed. It is asked before the first hand of each game."""
KEY_IT = phrase("Key both halves, then OK. DRAW is ten more: DRAW 5 is 15.")
NO_PASS = phrase("Nobody passes here: each turn lays a tile.")


@dataclass(frozen=True, slots=True)
class LayTile(KeyedTiles):
    """A turn keyed by its tile: whose turn it is, the tile, and what it takes. `nothing`: 0 was
    pressed, so the tile takes nothing. `read`: OK has taken the last turn's capture off the screen.
    `lead`: the seat that leads, if the table says so and the deal didn't."""

    nothing: bool = False
    read: bool = False
    lead: Seat | None = None

    only_explained: ClassVar = frozenset({Key.PASS})

    def whose(self, view: View[HighFivesBoard]) -> Seat:
        """The seat whose turn it is."""
        return self.lead or mover(view)

    def with_digits(self, keyed: Digits) -> "LayTile":
        return replace(self, keyed=keyed, why_not=None, nothing=False)

    def beyond(self, view: View[HighFivesBoard], digit: int) -> Outcome[HighFivesBoard]:
        """0 after a tile: it takes nothing; 0 once more: it takes something after all. Any other
        digit is refused."""
        found = self._opened(view, nothing=False)
        if digit == 0 and not isinstance(found, RuleError) and found.question("takes"):
            return Outcome(replace(self, nothing=not self.nothing))
        return Outcome(self, refused=phrase("OK first: {tile} is keyed.", tile=self.tiles[0]))

    def accept(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """OK lays the tile. If it can take one tile, it does; if several, the box asks which."""
        if not self.tiles:
            unread = not self.keyed and not self.read and any(last_turn(view.state))
            return Outcome(replace(self, read=True)) if unread else self.refuse(KEY_IT)
        found = self._opened(view, nothing=self.nothing)
        if isinstance(found, RuleError):
            return self.refuse(found.why)
        return ask_or_keep(found, self.whose(view), self)

    def _opened(self, view: View[HighFivesBoard], *, nothing: bool) -> Open | RuleError:
        """What is open about the keyed tile, or why it can't be laid. `nothing`: it takes
        nothing."""
        return opened(view, PutDown(self.whose(view), self.tiles[0]), begun=not nothing)

    def held(self, view: View[HighFivesBoard], key: Key) -> Outcome[HighFivesBoard]:
        """OK held on a tile that is refused: the turn is keyed by its points."""
        if key is not Key.OK or not self.tiles:
            return Outcome(self)
        found = self._opened(view, nothing=self.nothing)
        refused = isinstance(found, RuleError)
        return Outcome(KeyPoints(lead=self.lead) if refused else self)

    def no_pass(self, _view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """PASS is refused: each turn lays a tile."""
        return Outcome(self, refused=NO_PASS)

    def leave(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """BACK without digits offers to take back the last entry. If the table said who leads, it
        asks that again; if the way of keying was changed meanwhile, it goes to the turn's other
        screen."""
        gone = self.lead or by_points(view)
        return Outcome(None) if gone else KeyedTiles.leave(self, view)

    def on(self) -> Actions[HighFivesBoard]:
        return {**KeyedTiles.on(self), Key.PASS: self.no_pass}

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """Whose turn it is, the tile, and what it takes; until a tile is keyed, what the turn
        before took."""
        beside = Beside() if self.read else last_turn(view.state)
        if self.tiles:
            beside = self._takes(view, self.tiles[0])
        elif self.keyed:
            beside = beside._replace(second="")
        draw_turn(view, self.whose(view), canvas, format_tile(self.keyed), beside)
        if self.why_not:
            hint = phrase("OK: change  Hold OK: points") if self.tiles else phrase("OK: go on")
            draw_question(canvas, self.why_not, hint)

    def _takes(self, view: View[HighFivesBoard], tile: Tile) -> Beside:
        """What OK will do, in two short lines, and the points."""
        found = self._opened(view, nothing=self.nothing)
        if isinstance(found, RuleError):
            return Beside(phrase("is refused"), phrase("OK says why"))
        put, takes = found.entry, found.question("takes")
        nothing = takes is not None and without(takes) is not None
        if not isinstance(put, PutDown):
            number = len(takes.answers) - nothing if takes else 0
            return Beside(phrase("takes 1 of {number}", number=number), phrase("OK: which?"))
        then = phrase("a pair, too?") if found.question("pair") else ""
        if put.takes is None:
            return Beside(phrase("takes nothing"), then)
        points = worth_of((tile, put.takes))
        may = phrase("0: nothing") if nothing and not points else ""
        paid = f"+{points}" if points else ""
        return Beside(phrase("takes {taken}", taken=put.takes), then or may, paid)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedPoints(InPlay[HighFivesBoard]):
    """A screen on which points are keyed. A digit that makes more than can be is refused at once,
    and not taken."""

    asked: ClassVar[str]
    """The name of the number that is asked for."""

    def too_many(self, view: View[HighFivesBoard], /) -> str:
        """Why the points keyed can't be."""
        raise NotImplementedError

    def digit(self, view: View[HighFivesBoard], digit: int) -> Outcome[HighFivesBoard]:
        """Takes a digit; a zero before others is left out."""
        number = asked_now(view).number(self.asked)
        assert number is not None, "it is shown only while that number is asked for"
        after = self.with_digits((*(self.keyed if self.number else ()), digit))
        return self.refuse(after.too_many(view)) if after.number > number.most else Outcome(after)


@dataclass(frozen=True, slots=True)
class KeyPoints(KeyedPoints):
    """A turn keyed by its points: whose turn it is, and the points that it captured. OK alone means
    none. `lead` as in LayTile."""

    lead: Seat | None = None

    asked: ClassVar = "points"
    only_explained: ClassVar = frozenset({Key.DRAW, Key.PASS})

    def whose(self, view: View[HighFivesBoard]) -> Seat:
        """The seat whose turn it is."""
        return self.lead or mover(view)

    def too_many(self, view: View[HighFivesBoard]) -> str:
        refused = would_be(view, PointsEntered(self.whose(view), self.number))
        assert isinstance(refused, RuleError), "what is asked for is what the rules take"
        return refused.why

    def accept(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """OK keeps the points."""
        return self.enter(view, PointsEntered(self.whose(view), self.number))

    def leave(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """BACK without digits leads back to the turn by tiles, or to the question who leads, if it
        came from there; else it offers to take back the last entry."""
        stays = by_points(view) and not self.lead
        return KeyedPoints.leave(self, view) if stays else Outcome(None)

    def no_pass(self, _view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """PASS and DRAW are refused: a turn that takes nothing is keyed by OK."""
        return Outcome(self, refused=phrase("Nothing captured? OK alone is 0 points."))

    def on(self) -> Actions[HighFivesBoard]:
        return {**KeyedPoints.on(self), Key.DRAW: self.no_pass, Key.PASS: self.no_pass}

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """Whose turn it is, the points keyed, and what the turn before took."""
        beside = last_turn(view.state)
        beside = beside if any(beside) else Beside(phrase("points won?"), phrase("OK alone: 0"))
        draw_turn(view, self.whose(view), canvas, f"{self.text}_", beside)
        if self.why_not:
            draw_question(canvas, self.why_not, phrase("OK: go on"))


def by_points(view: View[HighFivesBoard]) -> bool:
    """Whether turns are keyed by their points alone, because the setting says so or the tableau is
    not known."""
    return asked_now(view).asks == NUMBER


def turn_of(view: View[HighFivesBoard], seat: Seat) -> LayTile | KeyPoints:
    """The first turn of a hand, led by `seat`, if the record doesn't know who leads."""
    return KeyPoints(lead=seat) if by_points(view) else LayTile(lead=seat)


def mover(view: View[HighFivesBoard]) -> Seat:
    """The seat whose turn it is."""
    seat = view.state.to_move
    assert seat is not None, "a turn is shown only while somebody is to move"
    return seat


def draw_turn(
    view: View[HighFivesBoard],
    seat: Seat,
    canvas: Canvas,
    keyed: str,
    beside: Beside,
) -> None:
    """Draws the layout that both screens of a turn have. `keyed`: what is keyed, as text."""
    state = view.state
    words = Words(
        head=shown(seat),
        corner=(hand_of_hands(state), turns_to_come(view, seat)),
        keyed=keyed,
        beside=beside,
        below=LOST if view.game.losses else what_lies(state),
    )
    draw_words(canvas, state, words)


def turns_to_come(view: View[HighFivesBoard], seat: Seat) -> str:
    """“5 to lay”: the tiles that the seat still lays in this hand; “doubtful” if entries are lost,
    so that the number is not known."""
    left = held(view.state).get(seat)
    return (
        phrase("{left} to lay", left=left)
        if left is not None
        else phrase("doubtful")
        if view.game.losses
        else ""
    )


def hand_of_hands(state: HighFivesState) -> str:
    """“hand 3 of 8”"""
    return phrase("hand {hand} of {hands}", hand=state.board.hand, hands=sizes_of(state).hands)


def last_turn(state: HighFivesState) -> Beside:
    """What the last entry captured, if it was a turn: “Red”, “7-8: 3” (for which tiles), “+3”."""
    taken, seat = state.board.taken, state.effect.seat
    if taken is None or seat is None:
        return Beside()
    if not taken.points:
        return Beside(shown(seat), phrase("no points")) if state.board.table.known else Beside()
    return Beside(shown(seat), captured(state), f"+{taken.points}")
