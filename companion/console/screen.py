"""The data that a screen may use (View), the screens themselves (Screen), and the screens of one
game (Play), all generic over the game's board. First come the words for seats, points and payments
on every screen, shortened to the free columns.

A screen is an immutable value that takes keys and draws itself. A key returns an Outcome: the
screen to show next and perhaps a row to store. An outcome without a screen leads to the screen for
the state of the game, which its Play returns. The console and generic screens check the attributes
of a screen or a play, never its class."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass as plain_dataclass
from dataclasses import field, replace
from enum import Enum
from typing import ClassVar, Generic, Protocol, Self, runtime_checkable

from companion.console.fonts import fitted, text_width
from companion.console.frame import WIDTH, Canvas
from companion.console.layout import PARTNERS, cut_names, draw_refusal, draw_scores
from companion.core.box_page import BoxCheck, PageRequest, Phones
from companion.core.club import Club, ClubRequest, GivenSeats
from companion.core.errors import EntryError, RuleError
from companion.core.keys import Key, Press
from companion.core.seats import BySeat, Seat, display_name
from companion.core.values import changed, dataclass
from companion.core.words import listed, phrase
from companion.games.chips import Chips
from companion.games.game import AnyGame, B, Entry, Payment, State
from companion.games.house_rules import Value
from companion.presentation.highlights import BestScores
from companion.presentation.keys import ExpectedEntry, GameKeys
from companion.presentation.language import ENGLISH, Language
from companion.presentation.news import change_as_spoken
from companion.presentation.sayings import common_entry_in_short, short
from companion.presentation.voice import VoiceQuestion
from companion.record.copies.restore import Offer
from companion.record.journal import NEXT_GAME, ChangeSummary, Journal
from companion.record.rows import GameOpened, Row, Step

ROWS_LOST_SENTENCE = phrase("Doubtful: entries are lost")
"""The sentence about a game of which rows are missing in the record."""


def capitals(seat: str) -> str:
    """Returns a seat's name in capitals, as in who pays whom."""
    return display_name(seat).upper()


def fit_sentence(key: str, width: int, language: Language, **names: str) -> str:
    """Returns the short sentence with this key about two seats (presentation/sayings.py). Their
    names are shortened if it is wider than `width` columns in the language."""
    names = {part: language.translate(name) for part, name in names.items()}
    text = short(key, **names)
    if text_width(language.translate(text)) <= width:
        return text
    besides = text_width(language.translate(short(key, **dict.fromkeys(names, ""))))
    room = width - besides - 2
    widths = {part: text_width(name) for part, name in names.items()}
    whole = {part: wide for part, wide in widths.items() if wide <= room // len(names)}
    each = (room - sum(whole.values())) // max(len(names) - len(whole), 1)
    return short(key, **{part: fitted(name, each) for part, name in names.items()})


def who_pays(payment: Payment, language: Language, width: int = WIDTH) -> str:
    """Returns who pays whom, in `width` columns: “BLUE pays RED”; “RED scores” if no chips move."""
    if payment.payer is None:
        return short("loses" if payment.points < 0 else "scores", to=capitals(payment.to))
    key = "gives-back" if payment.points < 0 else "pays"
    return fit_sentence(
        key, width, language, payer=capitals(payment.payer), to=capitals(payment.to)
    )


def receiver(payment: Payment) -> str:
    """Returns the name of the seat that gained points by the payment."""
    if payment.points < 0 and payment.payer is not None:
        return display_name(payment.payer)
    return display_name(payment.to)


def points_label(payment: Payment) -> str:
    """Returns the label of a payment's large number: “paid” for chips, “points” if nobody pays."""
    return phrase("points") if payment.payer is None else phrase("paid")


def settlement_words(pips: int, payment: Payment, colour: str, language: Language) -> str:
    """Returns the payment that settled a hand: “BLUE pays RED: 12 → 10”, with the chips' `colour`,
    which is empty if the names are the colours."""
    key = "settled-in" if colour else "settled"
    sum_ = {"pips": pips, "points": payment.points, "colour": colour}
    room = WIDTH - text_width(language.translate(short(key, who="", **sum_))) - 1
    return short(key, who=who_pays(payment, language, room), **sum_)


def scored_at_once(state: State[B], paid: Payment) -> tuple[int, ...]:
    """Returns all points that the last entry scored for the seat of `paid`, if no seat pays them,
    because several reasons may score at once; otherwise only the points of `paid`."""
    if paid.payer is not None or paid.points < 0:
        return (paid.points,)
    all_paid = state.effect.payments
    return tuple(one.points for one in all_paid if one.to == paid.to and one.points > 0)


def what_it_paid(state: State[B]) -> str:
    """Returns the total that the last entry paid: “+15”, or “−50” if points went back; empty if
    nothing."""
    paid = sum(payment.points for payment in state.effect.payments)
    return f"+{paid}" if paid > 0 else f"−{-paid}" if paid else ""


def scores_of(state: State[B]) -> tuple[tuple[str, int], ...]:
    """Returns the name and points of each seat or side, for the lowest line of the screens of
    play."""
    return tuple((partner_names(side), state.scores[side[0]]) for side in state.scorers)


def partner_names(side: Sequence[Seat]) -> str:
    """Returns the names of partners: “Anna+Cleo”."""
    return listed(map(display_name, side), PARTNERS)


def mover(state: State[B]) -> Seat:
    """Returns the seat whose turn it is; a turn is shown only while somebody is to move."""
    assert state.to_move is not None, "somebody is to move"
    return state.to_move


def numbered(number: int, seat: Seat) -> str:
    """Returns a seat with the digit that chooses it: “1 Anna”."""
    return listed((str(number), display_name(seat)), " ")


def scores_line(
    state: State[B], language: Language, width: int = WIDTH, between: str = "  "
) -> str:
    """Returns all seats with their points. Names are shortened if the line is too long in the
    language; if it is still too long, only the points are left."""
    of_each = [(language.translate(name), score) for name, score in scores_of(state)]
    points = [score for _, score in of_each]
    besides = between.join(f". {each}" for each in points)
    room = width - text_width(besides) + len(points) * text_width(".")
    names = cut_names(tuple(name for name, _ in of_each), room)
    each = zip(names, map(str, points), strict=True)
    line = listed((listed(of_seat, " ") for of_seat in each), between)
    return line if text_width(line) <= width else " ".join(map(str, points))


def turn_order(seats: tuple[Seat, ...]) -> str:
    """Returns the seats in turn order: “Red, Blue, Green”."""
    return listed(map(display_name, seats))


@dataclass(frozen=True, slots=True)
class EveningGame:
    """A game of the evening: the winners, and the scores at its end or when it was left
    unfinished."""

    title: str
    scores: Mapping[str, int]
    winners: tuple[str, ...]
    game: str = ""
    best_scores: BestScores = BestScores()
    """This game's best scores. A record of the evening has to beat those of every game with the
    same `game`."""


def wins_of(games: Iterable[EveningGame]) -> Counter[str]:
    """Returns how many games each person has won, for everybody who played in one of these
    games."""
    won: Counter[str] = Counter()
    for game in games:
        won.update(dict.fromkeys(game.scores, 0))
        won.update(game.winners)
    return won


# ---------------------------------------------------------------- screens


@plain_dataclass(frozen=True, slots=True)
class View(Generic[B]):
    """All data that a screen may use. A View never changes; each moment has a new one. `journal` is
    None until there is a game. `games` are the games that can be played here, by name; `set_up` is
    the Play used without a game. `settings` are those of the box. `names` are the names of earlier
    players, most recent first. `won` counts how many games each player won earlier this evening.
    `message` is a line from the table, shown until the next key. `game_number`: the game's number
    in the record; `newest_game`: the number of the newest game there, 0 without one. `evening`: the
    number of the game that a new game would follow on the same evening. `game_after`: whether the
    game after this one was taken back and can be restored.

    `stuck` are keys that can't be pressed until they are freed. `switches_off`: whether a key can
    switch off this box. `keypads` are the seats' keypads that are plugged in, by serial number,
    each with its seat (None if it has none yet). `check_word` returns the game's check word, by
    which people notice that rows are missing. `evening_games` returns the games of the evening,
    this one last. `phones`: how phones connect, None without a page. `club`: the box's club, None
    if it can't join one. `box_check`: the state of the check of the box. `language`: the display's
    language.
    """

    journal: Journal[B] | None
    games: "Mapping[str, PlayableGame[B]]"
    set_up: "Play[B]"
    settings: Mapping[str, Value] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    won: Mapping[str, int] = field(default_factory=dict)
    message: str | None = None
    game_number: int | None = None
    newest_game: int = 0
    evening: int | None = None
    game_after: bool = False
    stuck: tuple[Key, ...] = ()
    switches_off: bool = False
    keypads: Mapping[str, Seat | None] = field(default_factory=dict)
    check_word: Callable[[], str] = str
    evening_games: Callable[[], Sequence[EveningGame]] = tuple
    phones: Phones | None = None
    club: Club | None = None
    box_check: BoxCheck | None = None
    language: Language = ENGLISH

    @property
    def game(self) -> Journal[B]:
        """The journal of the game. Only for screens that are shown during a game."""
        assert self.journal is not None, "this screen is shown only while there is a game"
        return self.journal

    @property
    def play(self) -> "Play[B]":
        """The Play of the game; the set-up if there is no game that can be played here."""
        journal = self.journal
        if journal is None or journal.withdrawn:
            return self.set_up
        game = self.games.get(journal.opened.game)
        return self.set_up if game is None else game.screens

    @property
    def screen(self) -> "Screen[B]":
        """The screen for the current state; without a game that can be played here, the set-up."""
        return self.play.screen(self)

    @property
    def state(self) -> State[B]:
        return self.game.state

    @property
    def game_keys(self) -> GameKeys:
        """The functions that return what can be keyed now. Only for games that have them."""
        keys = self.play.keys
        assert keys is not None, "the game of this screen says what can be keyed"
        return keys

    @property
    def expected_entry(self) -> ExpectedEntry:
        """What the game waits for now."""
        return self.game_keys.expected_entry(self.game.game, self.state, self.settings)

    @property
    def turn(self) -> tuple[object, ...]:
        """The identity of the current turn: the game, the hand, the seat, and whether the game is
        over or taken back; () without a game."""
        if self.journal is None:
            return ()
        state = self.state
        gone = self.journal.withdrawn
        return self.game_number, state.effect.hand, state.to_move, state.finished, gone

    @property
    def next_redo(self) -> ChangeSummary | None:
        """The change that Redo would restore, in this game or the game that came after it; None if
        there is none."""
        return self.game.next_redo or (NEXT_GAME if self.game_after else None)

    @property
    def chips(self) -> Chips | None:
        """The chips; None if the game has none."""
        return self.game.game.chips(self.state)

    @property
    def colours(self) -> BySeat[str] | None:
        """The colours of the seats' chips; None if the game has none."""
        return self.game.colours if self.chips is not None else None

    def colour(self, seat: Seat | None) -> str:
        """Returns the colour of a seat's chips, “blue”; empty without chips, or if it is the seat's
        name."""
        colours = self.colours
        if seat is None or colours is None or colours[seat] == seat:
            return ""
        return colours[seat].lower()

    def has_entry(self, kind: type[Entry]) -> bool:
        """Returns whether the game has this kind of entry."""
        return kind in self.game.game.entries


@dataclass(frozen=True, slots=True)
class VoiceRequest:
    """A question to the voice. `pips`: the number that it is about; `seat`: the seat that asks."""

    question: VoiceQuestion
    pips: int = 0
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Outcome(Generic[B]):
    """The result of a key.

    `screen`: the one to show next; None for the screen of the game's current state. `row`: a row to
    store. `lock`: whether to lock the keys; `off`: whether to switch off the box. `refused`: why
    the key did nothing, shown over the screen until the next key. `page_request`: a request to the
    page; `club_request`: a request to the club; `asks`: a question to the voice. `takes`: an offer
    of games that is accepted; `declines`: whether the offer is declined. `moved`: whether somebody
    has confirmed that the chips due after a correction were moved.
    """

    screen: "Screen[B] | None" = None
    row: Row | None = None
    lock: bool = False
    off: bool = False
    refused: str | None = None
    page_request: PageRequest | None = None
    club_request: ClubRequest | None = None
    takes: Offer | None = None
    declines: bool = False
    moved: bool = False
    asks: VoiceRequest | None = None


Action = Callable[[View[B]], Outcome[B]]
Actions = Mapping[Key, Action[B]]


class Basis(Enum):
    """The kind of data on which a screen depends."""

    TURN = "turn"
    """The turn: the game, the hand, and whose turn it is."""
    SEATS = "seats"
    """The game and its seats, but not whose turn it is."""
    GAME = "game"
    """The game, whatever is entered in it meanwhile."""
    RECORD = "record"
    """Every row of the game."""
    NOTHING = "nothing"


class Screen(Generic[B]):
    """One screen. Subclasses are frozen dataclasses."""

    __slots__ = ()
    basis: ClassVar[Basis] = Basis.TURN
    """The data on which it depends (depends_on)."""
    digits: ClassVar[range] = range(0)
    """The digits that it accepts."""
    shows_table: ClassVar[bool] = False
    """Whether it shows the table itself. Then MENU opens the menu, and BOGUS begins a call unless
    the screen uses that key itself (`takes_bogus`)."""
    is_turn: ClassVar[bool] = False
    """Whether it shows the state of the game and prompts for the next entry. The voice has its own
    words for such a screen, and reads others aloud."""
    any_key_goes_on: ClassVar[bool] = False
    """Whether it is only read, and any key closes it."""
    leads_to_questions: ClassVar[bool] = False
    """Whether MENU leads from here to the questions to the voice, while the voice is on."""
    hand_is_over: ClassVar[bool] = False
    """Whether it is shown once a hand or the game is over. Taking something back from here would
    reopen it, so the menu asks first."""
    takes_letters: ClassVar[bool] = False
    """Whether it accepts letters, to spell a name."""
    shows_access: ClassVar[bool] = False
    """Whether it shows how phones connect, with digits that are valid as long as they are shown."""
    claiming: ClassVar[bool] = False
    """Whether a keypad without a seat may claim one here."""
    offers_undo: ClassVar[bool] = False
    """Whether it asks if the last entry is to be taken back."""
    owned: ClassVar[bool] = False
    """Whether its field `by` notes the seat whose keypad opened it (None for the box)."""
    shows_chips_due: ClassVar[bool] = False
    """Whether it shows which chips have to be moved after corrections."""
    is_correction: ClassVar[bool] = False
    """Whether it corrects an entry that is already in the record. Then it doesn't depend on the
    game's current screen, and keyed digits stay when another device adds a row."""

    only_explained: ClassVar[frozenset[Key]] = frozenset()
    """The keys that only show why they do nothing here; a joystick skips them."""

    def handle_ok(self, _view: View[B], /) -> Outcome[B]:
        """Returns the outcome of OK."""
        return Outcome(self)

    def back(self, _view: View[B], /) -> Outcome[B]:
        """Returns the outcome of BACK: closes the screen."""
        return Outcome(None)

    def key_bindings(self) -> Actions[B]:
        """Returns the actions of the screen's keys, except for the digits."""
        return {Key.OK: self.handle_ok, Key.BACK: self.back}

    def keys(self, _view: View[B], /) -> tuple[Key, ...]:
        """Returns the keys that it accepts now, in the order for a joystick."""
        used = (key for key in self.key_bindings() if key not in self.only_explained)
        return (*(Key(str(digit)) for digit in self.digits), *used)

    @property
    def takes_bogus(self) -> bool:
        """Whether the screen uses BOGUS itself, so that it doesn't begin a call."""
        return Key.BOGUS in self.key_bindings()

    def joystick_keys(self, _view: View[B], /) -> frozenset[Key]:
        """Returns the joystick's keys that go to the screen itself, untranslated."""
        return frozenset(self.key_bindings())

    def repeats(self, _view: View[B], /) -> frozenset[Key]:
        """Returns the keys that repeat while they are held down."""
        return frozenset()

    # ------------------------------------------------------------ whose it is

    def only_seat(self, _view: View[B], /) -> Seat | None:
        """Returns the only seat whose keypad may use digits, OK, DRAW and PASS on this screen;
        None: every keypad may."""
        return None

    def opened_by(self, seat: Seat | None, /) -> "Screen[B]":
        """Returns this screen as opened from the keypad of `seat` (None for the box). A screen that
        isn't `owned` is the same for all keypads."""
        return changed(self, by=seat) if self.owned else self

    @property
    def pending(self) -> bool:
        """Whether digits or letters were keyed that need an OK."""
        return False

    def asks_seat_of(self, _keypad: str, /) -> bool:
        """Returns whether the screen asks which seat this keypad belongs to."""
        return False

    def why_not_taken(self, view: View[B], seat: Seat | None, key: Key, /) -> str:
        """Returns why a key of that seat's keypad is not accepted; empty if it is. Any seat may
        call a bogus play, and take back the last entry, unless that would delete another seat's
        digits."""
        turn = self.only_seat(view)
        if turn is None or seat is None or turn == seat or seat not in view.state.seats:
            return ""
        call = key is Key.BOGUS and not self.takes_bogus
        free = call or (key is Key.BACK and not self.pending)
        if self.shows_table and (free or view.settings.get("keypads") == "anyone"):
            return ""
        return self.wait_message(turn, seat)

    def wait_message(self, turn: Seat, seat: Seat, /) -> str:
        """Returns the message to `seat` while only `turn` may press keys."""
        return phrase(
            "It is {turn}'s turn: {seat} waits.",
            turn=display_name(str(turn)),
            seat=display_name(str(seat)),
        )

    @property
    def shows_refusal(self) -> bool:
        """Whether the screen currently shows why OK was refused, and which keys help."""
        return False

    # ------------------------------------------------------------ what it stands on

    def depends_on(self, view: View[B], /) -> object:
        """Returns the data that the screen depends on, according to its `basis`. A row from
        elsewhere that changes this data closes the screen. None if no row does."""
        match self.basis:
            case Basis.TURN:
                return view.turn
            case Basis.SEATS:
                return view.game_number, view.state.seats
            case Basis.GAME:
                return view.game_number
            case Basis.RECORD:
                return view.journal
        return None

    @property
    def in_progress(self) -> bool:
        """Returns whether a player has begun an entry here in another way than by keying digits."""
        return not self.shows_table

    def asked_about(self, _row: Row, /) -> bool:
        """Returns whether the screen asks for confirmation of this very row."""
        return False

    def with_newer_offer(self, _offer: Offer, /) -> "Screen[B] | None":
        """Returns this screen with the offer whose games were played last, if it asks about offered
        games; otherwise None."""
        return None

    def with_new_seats(self, _given: GivenSeats, /) -> "Screen[B] | None":
        """Returns this screen with the new seats, if it asks about the club's seats; otherwise
        None."""
        return None

    def updated(self, _view: View[B], /) -> "Screen[B]":
        """Returns this screen after a row from elsewhere that has not changed what it depends
        on."""
        return self

    def screen_for_key(self, _view: View[B], _press: Press, _key: Key, /) -> "Screen[B]":
        """Returns the screen that a key is meant for: this one or, if it is a question, the screen
        below it."""
        return self

    @property
    def before_call(self) -> "Screen[B]":
        """Returns the screen on which BOGUS was pressed, if that led here; otherwise this one."""
        return self

    @property
    def before_menu(self) -> "Screen[B]":
        """Returns the screen on which MENU was pressed, if that led here; otherwise this one."""
        return self

    # ------------------------------------------------------------ keys

    def digit(self, _view: View[B], _digit: int, /) -> Outcome[B]:
        """Returns the outcome of a digit, one of `digits`."""
        return Outcome(self)

    def handle_hold(self, _view: View[B], _key: Key, /) -> Outcome[B]:
        """Returns the outcome of a key that has been down for two seconds; its press was handled
        before."""
        return Outcome(self)

    def typed(self, _letter: str, /) -> "Screen[B]":
        """Returns the screen after a letter was typed on a keyboard; only called if it
        `takes_letters`."""
        return self

    def menu(self, _view: View[B], /) -> Outcome[B] | None:
        """Returns the outcome of MENU here; None if it opens the menu of the game."""
        return None

    def press(self, view: View[B], key: Key, /) -> Outcome[B]:
        """Returns the outcome of any key: that of `digit`, or of its action in `key_bindings`. A
        key that the screen doesn't use changes nothing."""
        if key.digit is not None:
            return self.digit(view, key.digit) if key.digit in self.digits else Outcome(self)
        act = self.key_bindings().get(key)
        return act(view) if act else Outcome(self)

    def handle_press(self, view: View[B], press: Press, /) -> Outcome[B]:
        """Returns the outcome of a press, for screens on which it matters which keypad it came
        from. By default that of `press`."""
        return self.press(view, press.key)

    def draw(self, view: View[B], canvas: Canvas, /) -> None:
        """Draws the screen on an empty canvas."""
        raise NotImplementedError


@runtime_checkable
class ChildScreen(Protocol):
    """A screen that was opened from another one, to which BACK leads."""

    @property
    def parent(self) -> Screen[object] | None:
        """The screen from which it was opened; None for the screen of the game's current state."""


@runtime_checkable
class OverlayScreen(Protocol):
    """A screen that was opened over another one, which is shown again when this one closes."""

    @property
    def below(self) -> Screen[object] | None:
        """The screen below; None for the screen of the game's current state."""


ChooseAction = Callable[[View[B], Screen[B]], Outcome[B]]
"""The function for choosing an item; it gets the list that the item is in."""
Item = tuple[str, ChooseAction[B]]
"""A line of a list, and the function for choosing it."""
Items = tuple[Item[B] | None, ...]
"""Items in fixed places: the first always has the digit 1, and so on. None is an item that can't be
chosen now: it is left out, and its digit does nothing."""


MakeTable = Callable[[Mapping[str, Value]], Screen[B]]
"""A function that returns the set-up's table with these options."""


class Play(Protocol[B]):
    """The screens, menu and texts of one game. The default methods suit most games."""

    calls: "Calls[B] | None" = None
    """Calls of bogus play; None if the game has no penalty for it."""
    keys: GameKeys | None = None
    """The functions that return what can be keyed now, used by the screens of in_play.py; None if
    the game's own screens don't need them."""

    def screen(self, view: View[B], /) -> Screen[B]:
        """Returns the screen for the current state."""
        ...

    def kept_options(self, _settings: Mapping[str, Value], /) -> Mapping[str, Value]:
        """Returns the options that the table chose at this box before, as defaults for the set-up.
        Options not returned have the game's defaults."""
        return {}

    def before_begin(
        self, _view: View[B], _opened: GameOpened, _table: "MakeTable[B]", /
    ) -> "Screen[B] | None":
        """Returns a screen with a question to answer before the game begins; None if there is none.
        BACK returns from it to the set-up screen that `_table` makes from the current options."""
        return None

    def menu(self, _view: View[B], /) -> Mapping[int, Item[B]]:
        """Returns the game's own menu items, by their fixed digits: 4, 5 and 7."""
        return {}

    def before_undo(self, _view: View[B], _under: Screen[B], /) -> Screen[B] | None:
        """Returns the game's own question for BACK, in place of whether to take back the last
        entry; None if it has none."""
        return None

    def describe_entry(self, entry: Entry, _state: State[B], /) -> str:
        """Returns an entry in a player's words. `_state`: the state after it."""
        return common_entry_in_short(entry)

    def name_change(self, _view: View[B], what: ChangeSummary, /) -> str:
        """Returns the name of a change in a player's words, for undo and redo."""
        return change_as_spoken(what)

    def explain_points(self, _entry: Entry, _state: State[B], payment: Payment, /) -> str:
        """Returns the reason for the points of a payment for that entry: “6-3: 12+3 = 15”."""
        return f"{payment.why}: {payment.points}"

    def highlight(self, _view: View[B], /) -> str:
        """Returns a line about the best moment, for the end of a game."""
        return ""

    def draw_scores(self, view: View[B], canvas: Canvas, /) -> int:
        """Draws the scores at the end of a game into the display's lowest lines, of eight pixels
        each. Returns the number of the first of these lines, counted from 0."""
        if len(view.state.seats) <= 4:
            draw_scores(canvas, scores_of(view.state))
        else:
            canvas.text(0, 56, scores_line(view.state, canvas.language))
        return 7


class Calls(Protocol[B]):
    """The screens and texts of a game in which bogus plays can be called."""

    def call(self, view: View[B], below: Screen[B], by: Seat | None, /) -> Outcome[B] | str:
        """Returns the outcome of BOGUS on the keypad of the seat `by` (None for the box), or a
        sentence about why no call is possible."""
        ...

    def result(self, _state: State[B], /) -> str:
        """Returns how the last entry closed a call of bogus play; empty if it closed none."""
        return ""

    def was_bogus(self, _state: State[B], /) -> bool:
        """Returns whether the last entry showed that a play was bogus, which has its own sound."""
        return False


class PlayableGame(Protocol[B]):
    """The parts of a game that the console uses."""

    @property
    def rules(self) -> AnyGame: ...

    @property
    def screens(self) -> Play[B]:
        """The game's screens, menu and texts."""
        ...


PlayableGames = Mapping[str, PlayableGame[object]]
"""The games that can be played at the box, by name, in the order in which they are offered."""


def keep(*entries: Entry, joined: bool = False) -> Outcome[B]:
    """Returns the outcome that stores these entries as one step, and leads to the screen for the
    state after them. `joined`: whether the step belongs to the previous one, so that both are taken
    back together."""
    return Outcome(None, Step(entries, joined))


def try_entry(view: View[B], entry: Entry) -> State[B] | RuleError:
    """Returns the state after `entry`, tried in memory, or why it is refused."""
    if type(entry) not in view.game.game.entries:
        return RuleError("{game} has no “{word}”", game=view.game.game.title, word=entry.words[0])
    try:
        return view.game.try_entry(entry)
    except RuleError as refused:
        return refused
    except EntryError as refused:
        return RuleError(refused.template, **refused.parts)


def is_allowed(view: View[B], entry: Entry) -> bool:
    """Returns whether the game accepts the entry now."""
    return not isinstance(try_entry(view, entry), RuleError)


# ---------------------------------------------------------------- keyed
# Screens on which digits are keyed, and which show why OK was refused.


Digits = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusingScreen(Screen[B]):
    """A screen that may refuse OK. It then shows `why_not` until OK or BACK is pressed; the keyed
    digits stay, to be corrected."""

    why_not: str | None = None

    @property
    def shows_refusal(self) -> bool:
        return self.why_not is not None

    def press(self, view: View[B], key: Key, /) -> Outcome[B]:
        if self.why_not is not None and key in (Key.OK, Key.BACK):
            return self.refuse(None)
        return Screen.press(self, view, key)

    def refuse(self, why_not: str | None) -> Outcome[B]:
        """Returns this screen showing the reason `why_not`; None for no reason."""
        return Outcome(replace(self, why_not=why_not))

    def draw_why_not(self, canvas: Canvas, hint: str = phrase("OK: go on")) -> None:
        """Draws why OK was refused, if it was, and the `hint` that says what the keys do."""
        if self.why_not is not None:
            draw_refusal(canvas, self.why_not, hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class DigitScreen(RefusingScreen[B]):
    """A screen on which up to `most` digits are keyed. BACK deletes the last one."""

    keyed: Digits = ()

    digits: ClassVar = range(10)
    most: ClassVar[int]

    @property
    def pending(self) -> bool:
        return bool(self.keyed)

    @property
    def text(self) -> str:
        """The digits as they were keyed."""
        return "".join(map(str, self.keyed))

    @property
    def number(self) -> int:
        """The number that the digits make; 0 without any."""
        return int(self.text or 0)

    def digit(self, _view: View[B], digit: int) -> Outcome[B]:
        """Adds a digit; ignored once there are `most`."""
        return Outcome(self.with_digits((*self.keyed, digit)[: self.most]))

    def with_digits(self, keyed: Digits) -> Self:
        """Returns this screen with the digits `keyed`, and no refusal."""
        return replace(self, keyed=keyed, why_not=None)

    def back(self, view: View[B]) -> Outcome[B]:
        """BACK deletes the last digit; without digits, leaves the screen."""
        return Outcome(self.with_digits(self.keyed[:-1])) if self.keyed else self.leave(view)

    def leave(self, _view: View[B]) -> Outcome[B]:
        """Returns the outcome of BACK without digits: closes the screen."""
        return Outcome(None)
