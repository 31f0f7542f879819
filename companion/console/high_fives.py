"""The screens of High Fives: the tableau, turns keyed as tiles or as points, and the tiles left
over at the end."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, NamedTuple

from companion.console.frame import WIDTH, Canvas
from companion.console.in_play import (
    FIRST_SCORES,
    AskSeat,
    NextDeal,
    PlayScreen,
    acts_now,
    draw_seats,
    opened,
    tiles_asked,
)
from companion.console.layout import draw_question
from companion.console.lists import Choices, ListScreen, PagedText, submenu
from companion.console.screen import (
    ROWS_LOST_SENTENCE,
    Actions,
    Digits,
    Item,
    Items,
    Outcome,
    Play,
    Screen,
    View,
    keep,
    mover,
    try_entry,
)
from companion.console.screens.box_settings import BoxSetting, change_setting
from companion.console.screens.changes import offer_undo
from companion.console.screens.game_over import GameOver
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.game import Entry, Payment
from companion.games.high_fives.entries import (
    SET,
    WORTH,
    PointsEntered,
    TableauPointsLeft,
    TableauShown,
    TilePutDown,
)
from companion.games.high_fives.rules import HighFivesBoard, HighFivesState, held, sizes_of
from companion.games.high_fives.tableau import OPENING, total_points
from companion.games.tiles import Tile
from companion.presentation.high_fives import (
    ENTRY_POINTS,
    HIGH_FIVES_KEYS,
    entry_in_short,
    points_check_sentence,
    reason_in_short,
    scoring_tiles,
    tableau_in_short,
)
from companion.presentation.keys import (
    COLLECT,
    LAID,
    LAY,
    NUMBER,
    OpenAnswer,
    OpenEntry,
    OpenQuestion,
    tile_text,
)
from companion.presentation.sayings import number_in_short
from companion.record.journal import ChangeSummary
from companion.record.rows import Setting
from companion.record.settings import ENTRY_WAY

# ---------------------------------------------------------------- halves
# How the tiles of a double-fifteen set are keyed: DRAW adds ten to the next digit, so the box never
# has to wait for a second digit of a half. `7 8` is 7-8, `DRAW 0 DRAW 5` is 10-15.


ADD_TEN = 10
"""The value of DRAW among the keyed digits, which adds ten to the next digit."""
OVER_TEN = phrase("0 to 5 only: half a tile has 15 at most.")


def halves_of(keyed: Digits) -> tuple[int, ...]:
    """Returns the halves that these keys form. A DRAW that no digit follows yet forms none."""
    before = (ADD_TEN if key == ADD_TEN else 0 for key in (0, *keyed))
    return tuple(ten + key for ten, key in zip(before, keyed, strict=False) if key != ADD_TEN)


def tiles_of(keyed: Digits) -> tuple[Tile, ...]:
    """Returns the tiles whose two halves are both keyed."""
    halves = halves_of(keyed)
    return tuple(SET.by_halves[pair] for pair in zip(halves[::2], halves[1::2], strict=False))


def format_tile(keyed: Digits) -> str:
    """Returns the tile being keyed, with its halves in the order of the keys: “7-_”, “7-1_”."""
    ten = keyed[-1:] == (ADD_TEN,)
    halves = [*map(str, halves_of(keyed)), *(["1_"] if ten else [])]
    return "-".join([*halves, "_", "_"][:2])


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedTiles(PlayScreen[HighFivesBoard]):
    """A screen on which tiles are keyed. BACK deletes the last key."""

    digits: ClassVar = range(10)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles whose two halves are both keyed."""
        return tiles_of(self.keyed)

    def capacity(self, _view: View[HighFivesBoard], /) -> int:
        """Returns how many tiles can be keyed."""
        return 1

    def digit(self, view: View[HighFivesBoard], digit: int) -> Outcome[HighFivesBoard]:
        """Adds a digit, which completes a half; refused if the half would be over 15."""
        if len(self.tiles) >= self.capacity(view):
            return self.extra_digit(view, digit)
        if self.keyed[-1:] == (ADD_TEN,) and digit > SET.highest - ADD_TEN:
            return Outcome(self, refused=OVER_TEN)
        return Outcome(self.with_digits((*self.keyed, digit)))

    def extra_digit(self, _view: View[HighFivesBoard], _digit: int, /) -> Outcome[HighFivesBoard]:
        """Refuses a digit or DRAW once all tiles are keyed."""
        return Outcome(self, refused=phrase("OK first, or BACK to key it again."))

    def add_ten(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """DRAW adds ten to the next digit. A second DRAW cancels the first."""
        if self.keyed[-1:] == (ADD_TEN,):
            return Outcome(self.with_digits(self.keyed[:-1]))
        if len(self.tiles) >= self.capacity(view):
            return self.extra_digit(view, ADD_TEN)
        return Outcome(self.with_digits((*self.keyed, ADD_TEN)))

    def key_bindings(self) -> Actions[HighFivesBoard]:
        return {**PlayScreen.key_bindings(self), Key.DRAW: self.add_ten}


# ---------------------------------------------------------------- drawing
# All screens of High Fives share one layout, whether there are two seats or eight.
#
# page 0    SEAT TO ACT, in large capitals; at the right, “hand 3 of 8”
# page 1    at the right, “5 to lay”
# page 2-3  what is keyed, large; beside it, in two small lines, what it would take, and the points
# page 4    the tiles of the tableau, as far as there is room
# page 7    each seat's points, two seats per line; with eight seats these lines begin on page 4


BESIDE_X = 58
"""The x of the two small lines beside what is keyed."""


class SideLines(NamedTuple):
    """Two small lines beside what is keyed; `paid`: points, inverted, at the end of the first
    line."""

    first: str = ""
    second: str = ""
    paid: str = ""


@dataclass(frozen=True, slots=True)
class ScreenWords:
    """The words for each place of the screen."""

    head: str
    corner: tuple[str, str] = ("", "")
    keyed: str = ""
    beside: SideLines = SideLines()
    below: str = ""


def draw_screen(canvas: Canvas, state: HighFivesState, words: ScreenWords) -> None:
    """Draws a screen of High Fives."""
    edge = WIDTH - max(map(canvas.width, words.corner)) - 4
    for page, line in enumerate(words.corner):
        canvas.right(WIDTH + 1, 8 * page, line)
    canvas.text(0, 0, canvas.capitals(words.head, edge, "caps"), "caps")
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
# What a tile captures: the tile that it takes and, in addition, a pair from the tableau. The
# answers are the same as on the web pages. Because a list fills the display, the box asks one
# question at a time.


MAX_LISTED = 9
"""The most pairs in a list, each with a digit. If there are more, people first choose one tile of
the pair."""


def ask_or_keep(
    found: OpenEntry, seat: Seat, parent: Screen[HighFivesBoard]
) -> Outcome[HighFivesBoard]:
    """Returns the question which tile is taken, if more than one answer is possible; then the
    question which pair is taken, if one can be; otherwise the outcome that stores the turn."""
    takes, pair = found.question("takes"), found.question("pair")
    if found.entry is None and takes is not None:
        return Outcome(_capture_list(takes, seat, parent))
    assert found.entry is not None, "nothing else is open about a tile"
    return keep(found.entry) if pair is None else Outcome(_capture_list(pair, seat, parent))


def _capture_list(
    question: OpenQuestion, seat: Seat, parent: Screen[HighFivesBoard]
) -> "ChooseCapture":
    """Returns a list of the answers; 0 takes nothing, if that is allowed. If there are more pairs
    than digits, the list shows single tiles instead, and each of them opens the list of its
    pairs."""
    none = answer_without_tiles(question)
    others = tuple(answer for answer in question.answers if answer != none)

    def item(*answers: OpenAnswer) -> Item[HighFivesBoard]:
        def chosen(
            view: View[HighFivesBoard], _list: Screen[HighFivesBoard]
        ) -> Outcome[HighFivesBoard]:
            if question.name == "pair":
                return keep(answers[0].entry)
            found = opened(view, answers[0].entry, begun=False)
            assert isinstance(found, OpenEntry), "answers are what the rules take"
            return ask_or_keep(found, seat, parent)

        return answers[0].label["words"], chosen

    def items_under(tile: str) -> Item[HighFivesBoard]:
        under = tuple(answer for answer in others if tile in answer.more["under"])
        if len(under) == 1:
            return item(*under)
        asked = question._replace(answers=(*((none,) if none else ()), *under))
        label = phrase("{tile}: {pairs}", tile=tile, pairs=number_in_short(len(under), "pair"))
        return label, lambda _view, tiles: Outcome(_capture_list(asked, seat, tiles))

    tiles = dict.fromkeys(tile for answer in others for tile in answer.more.get("under", ()))
    many_pairs = len(others) > MAX_LISTED and bool(tiles)
    items = map(items_under, tiles) if many_pairs else map(item, others)
    nothing = item(none) if none else None
    heading = question.label["words"]
    return ChooseCapture(
        at=1 if none else 0, parent=parent, heading=heading, choices=(nothing, *items), only=seat
    )


def answer_without_tiles(question: OpenQuestion) -> OpenAnswer | None:
    """Returns the answer that takes nothing; None if something must be taken."""
    return next((answer for answer in question.answers if "tiles" not in answer.more), None)


@dataclass(frozen=True, slots=True)
class ChooseCapture(Choices[HighFivesBoard]):
    """A list of what can be taken, with the most points first; 0 takes nothing."""

    digits: ClassVar = range(10)

    def keyable_digits(self, _view: View[HighFivesBoard]) -> tuple[int, ...]:
        """Returns the digits of the answers: from 0, or from 1 if the played tile has to take
        something."""
        return tuple(number for number, item in enumerate(self.items()) if item and number < 10)


# ---------------------------------------------------------------- turn

ENTRY_WAYS = BoxSetting(ENTRY_WAY, phrase("How you key tiles"), (
    ("tile", phrase("By tiles: 7 8 OK")), (ENTRY_POINTS, phrase("By points: 3 OK")),
))  # fmt: skip
"""The setting for how turns are keyed. Each game asks for it before its first hand."""
KEY_IT = phrase("Key both halves, then OK. DRAW is ten more: DRAW 5 is 15.")
NO_PASS = phrase("There is no passing: each turn lays a tile.")


@dataclass(frozen=True, slots=True)
class PlayTile(KeyedTiles):
    """A turn keyed as its tile. Shows the seat to play, the tile, and what it takes.

    `nothing`: whether 0 was pressed, so that the tile takes nothing. `read`: whether OK has removed
    the last turn's capture from the screen. `lead`: the seat that leads, if it was chosen here
    because the deal didn't name one."""

    nothing: bool = False
    read: bool = False
    lead: Seat | None = None

    only_explained: ClassVar = frozenset({Key.PASS})

    def only_seat(self, view: View[HighFivesBoard]) -> Seat:
        return self.lead or mover(view.state)

    def with_digits(self, keyed: Digits) -> "PlayTile":
        return replace(self, keyed=keyed, why_not=None, nothing=False)

    def extra_digit(self, view: View[HighFivesBoard], digit: int) -> Outcome[HighFivesBoard]:
        """0 after a tile means that it takes nothing; a second 0 takes that back. Any other digit
        is refused."""
        found = self._open_questions(view, nothing=False)
        if digit == 0 and not isinstance(found, RuleError) and found.question("takes"):
            return Outcome(replace(self, nothing=not self.nothing))
        return Outcome(self, refused=phrase("OK first: {tile} is keyed.", tile=self.tiles[0]))

    def handle_ok(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """OK plays the tile. If it can take only one tile, it takes that one; if several, the box
        asks which."""
        if not self.tiles:
            unread = not self.keyed and not self.read and any(last_turn(view.state))
            return Outcome(replace(self, read=True)) if unread else self.refuse(KEY_IT)
        found = self._open_questions(view, nothing=self.nothing)
        if isinstance(found, RuleError):
            return self.refuse(found.why)
        return ask_or_keep(found, self.only_seat(view), self)

    def _open_questions(
        self, view: View[HighFivesBoard], *, nothing: bool
    ) -> OpenEntry | RuleError:
        """Returns the questions that are still open about the keyed tile, or why it can't be
        played. `nothing`: whether it takes nothing."""
        return opened(view, TilePutDown(self.only_seat(view), self.tiles[0]), begun=not nothing)

    def handle_hold(self, view: View[HighFivesBoard], key: Key) -> Outcome[HighFivesBoard]:
        """Holding OK on a refused tile opens the screen to key the turn as points."""
        if key is not Key.OK or not self.tiles:
            return Outcome(self)
        found = self._open_questions(view, nothing=self.nothing)
        refused = isinstance(found, RuleError)
        return Outcome(KeyPoints(lead=self.lead) if refused else self)

    def refuse_pass(self, _view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        return Outcome(self, refused=NO_PASS)

    def leave(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """BACK without digits offers to take back the last entry. If the leader was chosen here, it
        asks for it again; if the entry way has changed meanwhile, it opens the turn's other
        screen."""
        gone = self.lead or is_keyed_by_points(view)
        return Outcome(None) if gone else KeyedTiles.leave(self, view)

    def key_bindings(self) -> Actions[HighFivesBoard]:
        return {**KeyedTiles.key_bindings(self), Key.PASS: self.refuse_pass}

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """Draws the seat to play, the tile, and what it takes; until a tile is keyed, what the
        previous turn took."""
        beside = SideLines() if self.read else last_turn(view.state)
        if self.tiles:
            beside = self._capture_lines(view, self.tiles[0])
        elif self.keyed:
            beside = beside._replace(second="")
        draw_turn(view, self.only_seat(view), canvas, format_tile(self.keyed), beside)
        if self.why_not:
            hint = phrase("OK: change  Hold OK: points") if self.tiles else phrase("OK: go on")
            draw_question(canvas, self.why_not, hint)

    def _capture_lines(self, view: View[HighFivesBoard], tile: Tile) -> SideLines:
        """Returns what OK will do, in two short lines, and the points."""
        found = self._open_questions(view, nothing=self.nothing)
        if isinstance(found, RuleError):
            return SideLines(phrase("is refused"), phrase("OK says why"))
        put, takes = found.entry, found.question("takes")
        nothing = takes is not None and answer_without_tiles(takes) is not None
        if not isinstance(put, TilePutDown):
            number = len(takes.answers) - nothing if takes else 0
            return SideLines(phrase("takes 1 of {number}", number=number), phrase("OK: which?"))
        then = phrase("a pair, too?") if found.question("pair") else ""
        if put.takes is None:
            return SideLines(phrase("takes nothing"), then)
        points = total_points((tile, put.takes))
        may = phrase("0: nothing") if nothing and not points else ""
        paid = f"+{points}" if points else ""
        return SideLines(phrase("takes {taken}", taken=put.takes), then or may, paid)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedPoints(PlayScreen[HighFivesBoard]):
    """A screen on which points are keyed. A digit that would exceed the possible points is refused
    at once."""

    number_name: ClassVar[str]
    """The label of the number to enter."""

    def too_many(self, view: View[HighFivesBoard], /) -> str:
        raise NotImplementedError

    def digit(self, view: View[HighFivesBoard], digit: int) -> Outcome[HighFivesBoard]:
        """Adds a digit. Leading zeros are ignored."""
        number = view.expected_entry.number(self.number_name)
        assert number is not None, "it is shown only while that number is asked for"
        after = self.with_digits((*(self.keyed if self.number else ()), digit))
        return self.refuse(after.too_many(view)) if after.number > number.most else Outcome(after)


@dataclass(frozen=True, slots=True)
class KeyPoints(KeyedPoints):
    """A turn keyed as its points. Shows the seat to play and the points captured. OK alone means 0.
    `lead`: the seat that leads, if it was chosen here because the deal didn't name one."""

    lead: Seat | None = None

    number_name: ClassVar = "points"
    only_explained: ClassVar = frozenset({Key.DRAW, Key.PASS})

    def only_seat(self, view: View[HighFivesBoard]) -> Seat:
        return self.lead or mover(view.state)

    def too_many(self, view: View[HighFivesBoard]) -> str:
        refused = try_entry(view, PointsEntered(self.only_seat(view), self.number))
        assert isinstance(refused, RuleError), "what is asked for is what the rules take"
        return refused.why

    def handle_ok(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        return self.enter(view, PointsEntered(self.only_seat(view), self.number))

    def leave(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """BACK without digits returns to the turn by tiles or to the question of who leads,
        whichever it came from; otherwise it offers to take back the last entry."""
        stays = is_keyed_by_points(view) and not self.lead
        return KeyedPoints.leave(self, view) if stays else Outcome(None)

    def refuse_pass(self, _view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        return Outcome(self, refused=phrase("Nothing captured? OK alone is 0 points."))

    def key_bindings(self) -> Actions[HighFivesBoard]:
        return {
            **KeyedPoints.key_bindings(self),
            Key.DRAW: self.refuse_pass,
            Key.PASS: self.refuse_pass,
        }

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """Draws whose turn it is, the points keyed, and what the previous turn took."""
        beside = last_turn(view.state)
        beside = beside if any(beside) else SideLines(phrase("points won?"), phrase("OK alone: 0"))
        draw_turn(view, self.only_seat(view), canvas, f"{self.text}_", beside)
        if self.why_not:
            draw_question(canvas, self.why_not, phrase("OK: go on"))


def is_keyed_by_points(view: View[HighFivesBoard]) -> bool:
    """Returns whether turns can be keyed only as points, because the setting requires it or the
    tableau is not known."""
    return view.expected_entry.asks == NUMBER


def turn_of(view: View[HighFivesBoard], seat: Seat) -> PlayTile | KeyPoints:
    """Returns the screen for the first turn of a hand, led by `seat`. For a hand whose leader is
    not in the record."""
    return KeyPoints(lead=seat) if is_keyed_by_points(view) else PlayTile(lead=seat)


def draw_turn(
    view: View[HighFivesBoard],
    seat: Seat,
    canvas: Canvas,
    keyed: str,
    beside: SideLines,
) -> None:
    """Draws the layout that both screens of a turn share. `keyed`: the keyed text."""
    state = view.state
    words = ScreenWords(
        head=display_name(seat),
        corner=(hand_progress(state), tiles_to_play(view, seat)),
        keyed=keyed,
        beside=beside,
        below=ROWS_LOST_SENTENCE if view.game.losses else tableau_in_short(state),
    )
    draw_screen(canvas, state, words)


def tiles_to_play(view: View[HighFivesBoard], seat: Seat) -> str:
    """Returns how many tiles the seat still has to play in this hand: “5 to lay”, or “doubtful” if
    entries are lost."""
    left = held(view.state).get(seat)
    return (
        phrase("{left} to lay", left=left)
        if left is not None
        else phrase("doubtful")
        if view.game.losses
        else ""
    )


def hand_progress(state: HighFivesState) -> str:
    """Returns which hand this is: “hand 3 of 8”."""
    return phrase("hand {hand} of {hands}", hand=state.board.hand, hands=sizes_of(state).hands)


def last_turn(state: HighFivesState) -> SideLines:
    """Returns the capture of the last entry, if it was a turn: the seat “Red”, the tiles “7-8: 3”,
    and the points “+3”."""
    taken, seat = state.board.taken, state.effect.seat
    if taken is None or seat is None:
        return SideLines()
    if not taken.points:
        return (
            SideLines(display_name(seat), phrase("no points"))
            if state.board.table.known
            else SideLines()
        )
    return SideLines(display_name(seat), scoring_tiles(state), f"+{taken.points}")


# ---------------------------------------------------------------- hands
# The screens before the first hand, between hands, and after the last: who leads, the tiles turned
# face up, the deal, and the tiles left over.


@dataclass(frozen=True, slots=True)
class ChooseEntryWay(ListScreen[HighFivesBoard]):
    """Asks before the first hand whether turns are keyed as tiles or as points."""

    shows_table: ClassVar = True
    hint: ClassVar = phrase("Digit or OK. MENU")

    def title(self, _view: View[HighFivesBoard]) -> str:
        return phrase("How do you key turns?")

    def lines(self, _view: View[HighFivesBoard]) -> tuple[str, ...]:
        return tuple(words for _, words in ENTRY_WAYS.choices)

    def chosen(self, _view: View[HighFivesBoard], at: int) -> Outcome[HighFivesBoard]:
        return Outcome(None, Setting(ENTRY_WAY, ENTRY_WAYS.choices[at][0]))

    def back(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        return offer_undo(view, self)

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """Draws the two ways, and the advantage of keying tiles."""
        ListScreen.draw(self, view, canvas)
        says = phrase("If you key tiles, the box knows what each one takes, and adds up.")
        for row, line in enumerate(canvas.wrapped(says, WIDTH - 4)[:3]):
            canvas.text(2, 28 + 8 * row, line)


def which_seat(view: View[HighFivesBoard]) -> AskSeat[HighFivesBoard]:
    """Returns the question of who leads the first hand; the same seat also leads every later
    hand."""
    deal = phrase(
        "Deal {each} each; {face_up} face up.", each=sizes_of(view.state).first, face_up=OPENING
    )
    dealt = phrase("The hand is dealt.") if view.state.board.hand else deal
    return AskSeat(phrase("Who leads?"), (dealt, phrase("Key that seat's digit.")), turn_of)


@dataclass(frozen=True, slots=True)
class KeyTableau(KeyedTiles):
    """Asks for the tiles that were turned face up: five at the beginning and, before the last hand,
    the tiles left over. PASS skips them, and turns are then keyed as points."""

    capacity = staticmethod(tiles_asked)

    def digit(self, view: View[HighFivesBoard], digit: int) -> Outcome[HighFivesBoard]:
        """Adds a digit of a half. A tile that was keyed or seen before is refused at once."""
        outcome = KeyedTiles.digit(self, view, digit)
        after = outcome.screen
        if isinstance(after, KeyTableau) and len(after.tiles) > len(self.tiles):
            new, before = after.tiles[-1], after.tiles[:-1]
            if new in before or view.expected_entry.tiles()[tile_text(new)] == LAID:
                last = replace(self, keyed=_without_last_tile(self.keyed))
                why = phrase("is already keyed") if new in before else phrase("was already seen")
                return Outcome(
                    last, refused=phrase("{tile} {why}: look at the tile again.", tile=new, why=why)
                )
        return outcome

    def handle_ok(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """OK stores the tiles once all are keyed; until then it says how many are missing."""
        missing = self.capacity(view) - len(self.tiles)
        if missing:
            return self.refuse(
                phrase(
                    "{tiles} more: key both halves of each.", tiles=number_in_short(missing, "tile")
                )
            )
        return self.enter(view, TableauShown(self.tiles))

    def skip_tiles(self, _view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """PASS skips the tiles; turns are then keyed as points. Refused once a tile is keyed."""
        if self.keyed:
            return Outcome(self, refused=phrase("Tiles are keyed: go on, or BACK takes them off."))
        return Outcome(None, Setting(ENTRY_WAY, ENTRY_POINTS))

    def key_bindings(self) -> Actions[HighFivesBoard]:
        return {**KeyedTiles.key_bindings(self), Key.PASS: self.skip_tiles}

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """Draws how many tiles are keyed, the one being keyed, and those keyed so far."""
        room, tiles = self.capacity(view), self.tiles
        canvas.text(0, 0, phrase("FACE UP"), "caps")
        canvas.right(WIDTH + 1, 0, phrase("{number} of {room}", number=len(tiles), room=room))
        canvas.right(WIDTH + 1, 8, hand_progress(view.state))
        whole = len(tiles) == room
        canvas.text(0, 16, "OK" if whole else format_tile(_keys_of_last_tile(self.keyed)), "caps")
        canvas.text(58, 16, phrase("if it's right") if whole else phrase("DRAW: ten more"))
        canvas.text(58, 24, "" if tiles else phrase("PASS: by points"))
        for row, line in enumerate(canvas.wrapped(" ".join(map(str, tiles)), WIDTH)[:4]):
            canvas.text(0, 32 + 8 * row, line)
        if self.why_not:
            draw_question(canvas, self.why_not, phrase("OK: go on"))


def _keys_of_last_tile(keyed: Digits) -> Digits:
    """Returns the keys of the last tile if it is incomplete; otherwise none."""
    ends = [at for at, key in enumerate(keyed, 1) if key != ADD_TEN]
    return keyed[ends[len(ends) // 2 * 2 - 1] if len(ends) > 1 else 0 :]


def _without_last_tile(keyed: Digits) -> Digits:
    """Returns the keys without those of the last tile, if it is incomplete."""
    return keyed[: len(keyed) - len(_keys_of_last_tile(keyed))]


@dataclass(frozen=True, slots=True)
class NextHand(NextDeal[HighFivesBoard]):
    """The screen when all tiles of the hand are played. OK deals the next hand."""

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """Draws how many tiles each seat gets, and who leads."""
        state = view.state
        sizes, number = sizes_of(state), state.board.hand + 1
        over = sizes.left_over if number == sizes.hands else 0
        leads = phrase("{seat} leads", seat=display_name(state.board.leader or ""))
        deal = phrase("{each} each", each=sizes.tiles_each(number))
        words = ScreenWords(
            head=phrase("Hand {number}", number=number),
            corner=(phrase("of {hands}", hands=sizes.hands), leads),
            keyed=phrase("DEAL"),
            beside=SideLines(deal, phrase("last: {over} face up", over=over) if over else ""),
            below=ROWS_LOST_SENTENCE if view.game.losses else tableau_in_short(state),
        )
        draw_screen(canvas, state, words)
        if self.why_not:
            draw_question(canvas, self.why_not, phrase("OK: go on"))


@dataclass(frozen=True, slots=True)
class CountRemains(KeyedPoints):
    """Asks after the last turn for the points of the tiles left in the tableau. OK without digits
    means that they were not counted. `parent`: the menu, if the question was chosen there because
    the record doesn't know that all tiles are played."""

    parent: Screen[HighFivesBoard] | None = None

    number_name: ClassVar = "left"

    def too_many(self, _view: View[HighFivesBoard]) -> str:
        return phrase("All tiles together are worth {worth}.", worth=WORTH)

    def handle_ok(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        return self.enter(view, TableauPointsLeft(self.number if self.keyed else None))

    def leave(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """BACK without digits returns to the menu if the question came from there; otherwise it
        offers to take back the last turn."""
        return KeyedPoints.leave(self, view) if self.parent is None else Outcome(self.parent)

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """Draws the points that these tiles should have, and how many are missing or too many."""
        won = sum(view.state.scores.values)
        missing = WORTH - won - self.number
        comes_to = (phrase("all 100 are there"), phrase("{missing} missing", missing=missing))[
            missing != 0
        ]
        if missing < 0:
            comes_to = phrase("{missing} too many", missing=-missing)
        words = ScreenWords(
            head=phrase("Left over"),
            corner=(phrase("worth?"), ""),
            keyed=f"{self.text}_",
            beside=SideLines(comes_to, "OK")
            if self.keyed
            else SideLines(
                phrase("should be {worth}", worth=WORTH - won), phrase("OK: not counted")
            ),
            below=ROWS_LOST_SENTENCE
            if view.game.losses
            else phrase("{won} of {worth} are won", won=won, worth=WORTH),
        )
        draw_screen(canvas, view.state, words)
        if self.why_not:
            draw_question(canvas, self.why_not, phrase("OK: go on"))


# ---------------------------------------------------------------- play


class HighFivesPlay(Play[HighFivesBoard]):
    keys = HIGH_FIVES_KEYS

    def screen(self, view: View[HighFivesBoard]) -> Screen[HighFivesBoard]:
        state, expected = view.state, view.expected_entry
        if state.finished:
            return GameOver()
        if not state.board.hand and ENTRY_WAY not in view.settings:
            return ChooseEntryWay()
        if expected.asks is None:
            return NextHand() if state.board.hand else which_seat(view)
        if expected.asks == COLLECT:
            return KeyTableau()
        if expected.number("points") is None:
            return CountRemains()
        if expected.seat is None:
            return which_seat(view)
        return KeyPoints() if expected.asks == NUMBER else PlayTile()

    def menu(self, view: View[HighFivesBoard]) -> Mapping[int, Item[HighFivesBoard]]:
        way = view.settings.get(ENTRY_WAY)
        now = phrase("by points") if way == ENTRY_POINTS else phrase("by tiles")
        items: dict[int, Item[HighFivesBoard] | None] = {
            4: _points_item(view),
            5: submenu(phrase("More of this hand"), _hand_items(view)),
            7: (
                phrase("How you key: {way}", way=now),
                change_setting(ENTRY_WAYS),
            ),
        }
        return {digit: item for digit, item in items.items() if item}

    def describe_entry(self, entry: Entry, _state: HighFivesState) -> str:
        return entry_in_short(entry)

    def name_change(self, view: View[HighFivesBoard], what: ChangeSummary) -> str:
        """Returns the name of a change. Tiles turned face up are called “the tableau”, because
        their names would fill the display."""
        if isinstance(what.first, TableauShown):
            return phrase("the tableau")
        if isinstance(what.first, TableauPointsLeft):
            return phrase("what is left")
        return Play.name_change(self, view, what)

    def explain_points(self, _entry: Entry, state: HighFivesState, payment: Payment) -> str:
        return reason_in_short(state, payment)

    def highlight(self, view: View[HighFivesBoard]) -> str:
        """Returns the line shown at the end of a game: that the points of all seats and of the
        tiles left make 100, or how many are missing."""
        return points_check_sentence(view.state)

    def draw_scores(self, view: View[HighFivesBoard], canvas: Canvas) -> int:
        """Draws the scores; more than four seats are drawn two per line."""
        if len(view.state.seats) <= 4:
            return Play.draw_scores(self, view, canvas)
        return draw_seats(canvas, view.state)


def _points_item(view: View[HighFivesBoard]) -> Item[HighFivesBoard] | None:
    """Returns the item for keying this turn as points, in case the tableau on the table differs
    from the recorded one. None if no tile is to be played now."""
    asked = view.expected_entry
    if asked.asks != LAY or asked.seat is None:
        return None
    return phrase("This turn by points"), lambda _view, _menu: Outcome(KeyPoints())


def _hand_items(view: View[HighFivesBoard]) -> Items[HighFivesBoard]:
    """Returns the menu items during a hand: the tableau and, if entries were lost and it is unknown
    whether the hand is over, items to deal the next hand or to end the last one."""
    asked, deal = view.expected_entry, acts_now(view, "next-hand")
    lies: Item[HighFivesBoard] = (
        phrase("In the tableau"),
        lambda _view, menu: Outcome(TableauTiles(parent=menu)),
    )
    dealt: Item[HighFivesBoard] = (
        phrase("The next hand is dealt"),
        lambda _view, _menu: keep(deal[0].entry),
    )
    remains: Item[HighFivesBoard] = (
        phrase("All laid: what is left?"),
        lambda _view, menu: Outcome(CountRemains(parent=menu)),
    )
    all_laid = asked.number("points") is not None and asked.number("left") is not None
    return (
        lies if view.state.board.table.tiles else None,
        dealt if deal else None,
        remains if all_laid else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TableauTiles(PagedText[HighFivesBoard]):
    """The tiles of the tableau, according to the record."""

    parent: Screen[HighFivesBoard] | None = None

    def title(self, _view: View[HighFivesBoard]) -> str:
        return phrase("In the tableau")

    def sentences(self, view: View[HighFivesBoard]) -> tuple[str, ...]:
        tiles = sorted(view.state.board.table.tiles)
        return (phrase("{lies}.", lies=tableau_in_short(view.state)), "  ".join(map(str, tiles)))

    def foot(self, _view: View[HighFivesBoard]) -> tuple[str, ...]:
        return (phrase("BACK: go on"),)

    def handle_ok(self, _view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        return Outcome(self.parent)

    back = handle_ok
