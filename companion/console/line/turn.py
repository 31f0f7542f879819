"""The screen of a turn, which also shows what the previous turn paid; and the question that BACK
asks after a draw.

Digits and OK play a tile; DRAW, PASS, BOGUS and BACK do what their labels say. While digits are
keyed, the screen already shows the result of the play, so OK changes little. A payment stays on the
screen until the next key, which also has its usual effect.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from companion.console.fonts import fitted, text_width, wrapped
from companion.console.frame import WIDTH, Canvas
from companion.console.layout import (
    REFUSAL_LINES,
    TableLayout,
    draw_question,
    draw_table,
    refused_in_short,
    say_room,
)
from companion.console.lists import choose
from companion.console.screen import (
    ROWS_LOST_SENTENCE,
    Actions,
    Basis,
    Digits,
    DigitScreen,
    Item,
    Items,
    Outcome,
    Screen,
    View,
    is_allowed,
    keep,
    mover,
    scores_of,
    try_entry,
    who_pays,
)
from companion.console.screens.box_settings import BoxSetting
from companion.console.screens.changes import offer_undo, redo_change
from companion.core.errors import RuleError
from companion.core.keys import Key, Press
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import OR, listed, phrase
from companion.games.bogus.call_rules import BogusNotice
from companion.games.bogus.calls import RuledBy, ruling_of
from companion.games.bogus.verdict import proven
from companion.games.entries import HandDealt, TileReturned, TilesDrawn, TurnPassed
from companion.games.game import AmbiguousEntry, Choice, Entry, NoticeKind, Payment, State
from companion.games.line.game import ends_counted, scored_in
from companion.games.line.hand import Hand, LineBoard, LineNotice, Turn, hand_of
from companion.games.line.line import TILE_SET, CandidateLines, Ends, PlayConstraints, TilePlayed
from companion.games.round import RoundNotice, Stage
from companion.presentation.line.keys import needs_only_ends
from companion.presentation.line.sayings import entry_in_short
from companion.presentation.payments import exchange_in_short
from companion.record.rows import Setting, Undo
from companion.record.settings import ENTRY_SCORES, ENTRY_WAY

# ---------------------------------------------------------------- keying
# How a play is keyed: by tile, by open ends or by count; and the result that it would have.


ENTRY_WAYS = BoxSetting(ENTRY_WAY, phrase("How you key tiles"), (
    ("tile", phrase("Tile: 5 6 OK")), ("ends", phrase("Open ends: 5 5 0 OK")),
    ("count", phrase("Count: 15 OK")), (ENTRY_SCORES, phrase("Points: seat 15 OK")),
))  # fmt: skip
"""The setting for how plays are keyed, or that only scores are. It is an item of the game's menu,
not of the box's settings, because it is chosen for one game."""


def entry_way(view: View[LineBoard]) -> str:
    """Returns how plays are keyed in this game: `tile`, `ends`, `count` or, if only scores are
    keyed, `scores`. A value that exists only in another game means `tile`."""
    chosen = view.settings.get(ENTRY_WAY)
    return str(chosen) if chosen in dict(ENTRY_WAYS.choices) else "tile"


THIN = "\u2009"
"""A narrow space."""


@dataclass(frozen=True, slots=True)
class EntryWay:
    """A way to key tiles. `name`: its value in the settings; `digits`: the digits that it takes,
    from `least` to `most` of them; `format`: returns their text on the screen; `entry`: returns the
    play that they mean."""

    name: str
    label: str
    digits: range
    least: int
    most: int
    format: Callable[[Digits], str]
    entry: Callable[[Seat, Digits], TilePlayed]
    asks: str
    """The prompt for what to key."""
    said: Callable[[Digits], str]
    """Returns the digits in words: “the tile 6-3”."""

    def takes(self, keyed: Digits) -> bool:
        return self.least <= len(keyed) <= self.most and all(one in self.digits for one in keyed)


def _format_keyed_tile(digits: Digits) -> str:
    """Returns the keyed tile, “6-3”, with _ for a missing half. A narrow space follows a 1, which
    is narrower than the other digits, so that each half keeps its place."""
    halves = [*map(str, digits), "_", "_"][:2]
    between = "-" if digits else THIN * 4
    return between.join(f"1{THIN}" if half == "1" else half for half in halves)


def _format_keyed_ends(digits: Digits) -> str:
    """Returns the digits, padded with _ to two, because a line has at least two ends. There is no
    cursor after more digits, because each digit would move it."""
    return THIN.join([*map(str, digits), "_", "_"][: max(len(digits), 2)])


def _format_keyed_count(digits: Digits) -> str:
    return "".join(map(str, digits)) or "_"


def _keyed_number(digits: Digits) -> int:
    return int("".join(map(str, digits)))


def _tile_in_words(digits: Digits) -> str:
    return phrase("the tile {high}-{low}", high=digits[0], low=digits[1])


def _ends_in_words(digits: Digits) -> str:
    return phrase("open ends {ends}", ends=" ".join(map(str, sorted(digits))))


def _count_in_words(digits: Digits) -> str:
    return phrase("the count {count}", count=_keyed_number(digits))


WAYS = {
    way.name: way
    for way in (
        EntryWay("tile", phrase("tile"), range(7), 2, 2, _format_keyed_tile,
            lambda seat, d: TilePlayed(seat, (d[0], d[1])),
            phrase("Key both halves, then OK."), _tile_in_words),
        EntryWay("ends", phrase("ends"), range(7), 2, 8, _format_keyed_ends,
            lambda seat, d: TilePlayed(seat, ends=tuple(sorted(d))),
            phrase("Key all open ends, then OK."), _ends_in_words),
        EntryWay("count", phrase("count"), range(10), 1, 2, _format_keyed_count,
            lambda seat, d: TilePlayed(seat, count=_keyed_number(d)),
            phrase("Key the count, then OK."), _count_in_words),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayPreview:
    """The result of trying a play: the `state` after it; or the `choices` if it can mean several
    plays; or why it is `refused`."""

    state: State[LineBoard] | None = None
    choices: tuple[Choice, ...] = ()
    refused: str | None = None
    unexplained: bool = False
    """Whether no tile has these ends or this count, for a reason that is still unknown. The box
    looks for it only when OK is pressed, because that can take long and more digits may follow."""


def quick_preview(view: View[LineBoard], laid: TilePlayed) -> PlayPreview:
    """Tries the play in memory while digits are keyed. If the line can't have the ends or the count
    that were keyed, returns only `unexplained`, because finding the reason takes longer."""
    line = hand_of(view.state).line
    said = PlayConstraints(laid.halves, laid.arm, laid.ends, laid.count)
    if laid.tile is None and not laid.insisted and not line.lost and not line.ways(said):
        return PlayPreview(unexplained=True)
    return preview(view, laid)


def valid_ways(
    view: View[LineBoard], seat: Seat, keyed: Digits, way: EntryWay
) -> tuple[EntryWay, ...]:
    """Returns the ways of keying, other than `way`, in which these digits would be a valid play."""
    others = (other for other in WAYS.values() if other is not way and other.takes(keyed))
    tried = ((other, quick_preview(view, other.entry(seat, keyed))) for other in others)
    return tuple(other for other, made in tried if made.state or made.choices)


def preview(view: View[LineBoard], laid: Entry) -> PlayPreview:
    """Tries the play without storing it; returns the result, or why it is refused."""
    after = try_entry(view, laid)
    if isinstance(after, AmbiguousEntry):
        return PlayPreview(choices=after.choices, refused=after.why)
    if isinstance(after, RuleError):
        return PlayPreview(refused=after.why)
    return PlayPreview(state=after)


def count_lines(choices: tuple[Choice, ...]) -> tuple[str, ...]:
    """Returns the choices as two lines that show only their counts: “1: 6” and “2: 12”; three or
    four choices are two per line. Empty if two choices have the same count, if players call the
    counts, or if there are more than four choices."""
    if len({choice.makes.count for choice in choices}) < len(choices) or len(choices) > 4:
        return ()
    texts = [f"{number}: {choice.makes.count}" for number, choice in enumerate(choices, 1)]
    half = (len(texts) + 1) // 2
    return "  ".join(texts[:half]), "  ".join(texts[half:])


def format_choice(choice: Choice, equals: str) -> str:
    """Returns the open ends after a choice, “4 2=6”, with their count after `equals` unless players
    call the counts."""
    ends, count = " ".join(map(str, choice.makes.ends)), choice.makes.count
    return ends if count is None else f"{ends}{equals}{count}"


def choice_lines(choices: tuple[Choice, ...]) -> tuple[str, ...]:
    """Returns the choices in one or two lines of small letters, each with its number, open ends and
    count: “1: 4 2=6  2: 0 2 4=6”; if players call the counts, without them: “1: 4 2  2: 0 2 4”.
    Empty if they take more lines."""
    lines = [""]
    for number, choice in enumerate(choices, 1):
        text = f"{number}: {format_choice(choice, '=')}"
        longer = f"{lines[-1]}  {text}" if lines[-1] else text
        if text_width(longer) <= WIDTH:
            lines[-1] = longer
        else:
            lines.append(text)
    return tuple(lines) if len(lines) <= 2 else ()


def insisted(laid: TilePlayed) -> TilePlayed:
    return replace(laid, insisted=True)


# ---------------------------------------------------------------- proofs
# Bogus plays that are proven but not called, and whether the display announces them.


PROVEN_MARK = phrase("BOGUS: one is proven")
"""The line that says that a bogus play is proven, and which key shows it."""


def proofs(view: View[LineBoard]) -> tuple[Turn, ...]:
    """Returns the proven bogus plays that can be called and may be shown, latest first."""
    return (
        ()
        if _announcement_setting(view) == "off" or view.state.ended is not None
        else proven(view.state)
    )


def mark(view: View[LineBoard]) -> str:
    """Returns the line that is shown while a proven bogus play can be called and may be shown;
    otherwise empty."""
    return PROVEN_MARK if proofs(view) else ""


def aloud(view: View[LineBoard]) -> str:
    """Returns the line that names the seat whose bogus play the last entry has proven; empty if
    there is none, or the table doesn't want the line."""
    if _announcement_setting(view) != "aloud":
        return ""
    for notice in view.state.effect.notices:
        if notice.kind is BogusNotice.PROVEN:
            besides = text_width(view.language.translate(_bogus_if_correct("")))
            return _bogus_if_correct(fitted(display_name(str(notice["seat"])), WIDTH - besides))
    return ""


def _announcement_setting(view: View[LineBoard]) -> str:
    return str(view.settings.get("tell-bogus", "off"))


def _bogus_if_correct(seat: str) -> str:
    return phrase("If entered right: {seat} bogus", seat=seat)


# ---------------------------------------------------------------- turn table
# The layout of the screen while a turn is keyed: whose turn it is, and the results of the keyed
# play and of the previous turn.


WRONG_DRAW = phrase("Wrong? BACK")
WHICH_PLAY = phrase("Which end? by count")
"""The question when a tile fits at several ends with different counts."""
WHICH_ENDS = phrase("Which ends does it leave?")
"""The question in its place if players call the counts."""


def turn_table(view: View[LineBoard], turn: "LineTurn", way: EntryWay) -> TableLayout:
    """Returns the layout of a turn, with the table as it is or as the keyed play would leave it.
    The seat to move, the count, and the keyed digits are large. The last payment stays until OK
    clears it, or until the next entry."""
    journal = view.game
    state = journal.state
    made = turn.tried.state if turn.tried else None
    seat, before = mover(state), hand_of(state)
    hand = hand_of(made) if made else before
    number, label = count_or_tiles(view, hand, seat)
    due = _last_payment(made) if made else None
    fails = turn.tried and (turn.tried.choices or turn.tried.refused)
    paid = None if due or fails or turn.read else _last_payment(state)
    moves = due or (None if turn.keyed else paid)
    counts, asked = _question_lines(turn)
    to_win = journal.game.to_win(state, seat)
    need = phrase("to win {need}", need=to_win) if to_win is not None else ""
    return TableLayout(
        seat=display_name(seat),
        number=number if hand.last else "",
        label=label if hand.last else "",
        need=which_question(turn.choices) if asked and not counts else need,
        ends=_ends_line(hand, begun=before.last is not None),
        keyed_label=way.label,
        last="" if turn.keyed else _last_laid(before),
        keyed=way.format(turn.keyed),
        chips=exchange_in_short(moves) if moves else "",
        colour=view.colour(moves.payer) if moves else "",
        options=counts,
        say=asked[0] if asked else _bottom_line(view, turn, due, paid),
        paid=_points_text(paid) if paid else "",
        scores=scores_of(state),
        second=asked[1] if len(asked) > 1 else aloud(view) if turn.fresh else "",
        mark="" if turn.keyed else mark(view),
        asks=turn.asking,
    )


def _question_lines(turn: "LineTurn") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the lines beside the tile and the lines below it that ask which of several plays is
    meant: by count or, if these are equal, by ends and counts. Both are empty if there is no
    choice."""
    if not turn.tried or not turn.tried.choices:
        return (), ()
    counts = count_lines(turn.choices)
    return counts, (WHICH_PLAY,) if counts else choice_lines(turn.choices)


def which_question(choices: tuple[Choice, ...]) -> str:
    """Returns the question to show if the digits can mean several plays."""
    return WHICH_ENDS if any(choice.makes.count is None for choice in choices) else WHICH_PLAY


def count_or_tiles(view: View[LineBoard], hand: Hand, seat: Seat) -> tuple[str, str]:
    """Returns the large number and its label: the count or, where nothing scores during play, how
    many tiles the seat holds, as far as they were counted."""
    if scored_in(view.game.game) is None:
        return ("", "") if hand.round.scores_only else (str(hand.round.held[seat]), phrase("tiles"))
    count = hand.line.known_count
    return "–" if count is None else str(count), phrase("count")


def _last_payment(state: State[LineBoard]) -> Payment | None:
    return state.effect.payments[-1] if state.effect.payments else None


def _points_text(paid: Payment) -> str:
    return str(abs(paid.points))


def _last_laid(hand: Hand) -> str:
    """Returns the tile played last, “last 6-3”. Empty if that play was keyed as its ends or count,
    which the screen shows anyway."""
    lays = (turn.did for turn in hand.newest_first if isinstance(turn.did, TilePlayed))
    laid = next(lays, None)
    return (
        phrase("last {high}-{low}", high=laid.halves[0], low=laid.halves[1])
        if laid and laid.halves
        else ""
    )


def _ends_line(hand: Hand, *, begun: bool) -> str:
    """Returns the line about the open ends or, before the first tile, about the lead. `begun`:
    whether the hand had a turn before the one being keyed."""
    if hand.round.stage is Stage.LEAD:
        return phrase("leads a double") if hand.big_6 else phrase("leads any tile")
    if hand.line.known_ends is not None:
        return phrase("open {ends}", ends=_format_ends(hand.line, hand.line.known_ends))
    return phrase("open ends unknown") if begun else ""


def _format_ends(line: CandidateLines, ends: Ends) -> str:
    """Returns the ends that make up the count, followed in brackets by places for a tile that add
    nothing to it: “0 3 (5)”. “(5?)” means that only some of the possible lines have that place."""
    besides = " ".join(f"{pips}" if sure else f"{pips}?" for pips, sure in line.uncounted_pips())
    return " ".join(map(str, ends)) + (f" ({besides})" if besides else "")


def _bottom_line(
    view: View[LineBoard], turn: "LineTurn", due: Payment | None, paid: Payment | None
) -> str:
    """Returns why the play is refused, or what it scores; without a play, what the last entry
    scored."""
    tried = turn.tried
    if tried and tried.choices:
        return phrase("Several ways: OK asks which")
    if tried and tried.refused:
        return refused_in_short(view.language.translate(tried.refused))
    if due:
        if not (tried and tried.state and tried.state.winning_side):
            return who_pays(due, view.language)
        room = WIDTH - text_width(
            view.language.translate(phrase("This wins: {payment}", payment=""))
        )
        return phrase("This wins: {payment}", payment=who_pays(due, view.language, room))
    if turn.insisted_tile and not turn.keyed:
        return phrase("Which ends are open?")
    if paid:
        return who_pays(paid, view.language, say_room(_points_text(paid)))
    return "" if turn.read else _last_entry_line(view, not turn.keyed)


def _count_waits_for_call(state: State[LineBoard]) -> bool:
    """Returns whether the last play's count stays hidden until the player calls it."""
    ends = ends_counted(state)
    return ends is not None and ends.count is None


def _last_entry_line(view: View[LineBoard], asks: bool) -> str:
    """Returns the doubt about the last entry; if there is none, the entry's name or the ruling that
    it caused. `asks`: whether to add that BACK can still correct a draw."""
    journal = view.game
    entry, state = journal.last, journal.state
    ruling = ruling_of(state)
    if ruling is not None:
        why = phrase(", by the record") if ruling.by is RuledBy.RECORD else ""
        return phrase(
            "{seat} is {result}{why}", seat=display_name(ruling.seat), result=ruling.result, why=why
        )
    if (
        isinstance(entry, TilePlayed)
        and hand_of(state).counts_called
        and _count_waits_for_call(state)
    ):
        return phrase("Count called? MENU 5")
    doubts = [_NOTICES[n.kind] for n in state.effect.notices if n.kind in _NOTICES]
    if doubts or entry is None or isinstance(entry, TilePlayed | HandDealt):
        return doubts[0] if doubts else ROWS_LOST_SENTENCE if journal.losses else ""
    if isinstance(entry, TilesDrawn):
        wrong = phrase(". {back}", back=WRONG_DRAW) if asks and drew_last(view) else ""
        return phrase("Drew, {tiles} left{wrong}", tiles=hand_of(state).round.boneyard, wrong=wrong)
    return entry_in_short(entry, state)


_NOTICES: Mapping[NoticeKind, str] = {
    RoundNotice.COUNT_DOUBTFUL: phrase("Tiles don't add up: check."),
    LineNotice.BLOCK_KNOWN: phrase("No tile fits: blocked? (MENU)"),
    BogusNotice.JUDGED_ANEW: phrase("New verdict: BOGUS again?"),
    BogusNotice.NOTHING_PROVABLE: phrase("Nothing more can be proven."),
}


# ---------------------------------------------------------------- turn


@dataclass(frozen=True, slots=True)
class LineTurn(DigitScreen[LineBoard]):
    """The turn of a seat.

    `fresh`: whether nothing was pressed since the last entry. `read`: whether OK has removed the
    last entry and its payment from the screen. `choices`: the plays that the digits can mean.
    `asking`: whether OK has asked which of these it is. `insisted_tile`: the tile that the table
    insists on; its open ends are asked for, because the record doesn't know them. `why_not`: why OK
    was refused. `passing`: whether PASS waits for OK."""

    fresh: bool = True
    read: bool = False
    entry: Entry | None = None
    """What OK would store."""
    tried: PlayPreview | None = None
    choices: tuple[Choice, ...] = ()
    asking: bool = False
    passing: bool = False
    insisted_tile: tuple[int, int] | None = None

    shows_table: ClassVar = True
    is_turn: ClassVar = True

    def only_seat(self, view: View[LineBoard]) -> Seat:
        return mover(view.state)

    @property
    def in_progress(self) -> bool:
        return self.passing or self.insisted_tile is not None

    def updated(self, view: View[LineBoard]) -> Screen[LineBoard]:
        return self._with_keyed(view, self.keyed) if self.keyed else self

    # ------------------------------------------------------------ digits

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """Returns the digits with which tiles are keyed, then the other keys of a turn."""
        digits = (Key(str(digit)) for digit in self.way(view).digits)
        draws = (Key.DRAW,) if TilesDrawn in view.game.game.entries else ()
        return (*digits, Key.OK, *draws, Key.PASS, Key.BOGUS, Key.BACK, Key.MENU)

    def way(self, view: View[LineBoard]) -> EntryWay:
        """Returns the way to key tiles. For the `insisted_tile` it is always by ends."""
        return WAYS["ends"] if self.insisted_tile else WAYS.get(entry_way(view), WAYS["tile"])

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """Adds a digit, and tries the digits as soon as they can be a play; or picks one of the
        choices."""
        way = self.way(view)
        if self.choices and (self.asking or len(self.keyed) == way.most):
            return self._pick_choice(view, digit - 1)
        keyed = replace(self, fresh=False, passing=False, why_not=None)
        if digit not in way.digits:
            return Outcome(keyed, refused=phrase("Half a tile has 0 to 6 pips."))
        if len(self.keyed) >= way.most:
            return Outcome(keyed, refused=self._missing_key_message(way))
        return Outcome(self._with_keyed(view, (*self.keyed, digit)))

    def _missing_key_message(self, way: EntryWay) -> str:
        """Returns which key is needed before more digits can be keyed."""
        done = self.tried is not None and self.tried.refused is not None and not self.choices
        key, state = ("BACK", phrase("refused")) if done else ("OK", phrase("keyed"))
        digits = way.format(self.keyed).replace(f"{THIN}-", "-").rstrip(THIN)
        return phrase("{key} first: {digits} is {state}.", key=key, digits=digits, state=state)

    def _with_keyed(self, view: View[LineBoard], keyed: Digits) -> "LineTurn":
        """Returns this turn with the digits `keyed`, tried if they are enough for a play."""
        way = self.way(view)
        if len(keyed) < way.least:
            return LineTurn(
                keyed=keyed, fresh=False, read=self.read, insisted_tile=self.insisted_tile
            )
        laid = way.entry(self.only_seat(view), keyed)
        if self.insisted_tile:
            laid = replace(laid, halves=self.insisted_tile)
            laid = laid if hand_of(view.state).line.lost else insisted(laid)
        tried = quick_preview(view, laid)
        return LineTurn(
            keyed=keyed,
            fresh=False,
            read=self.read,
            entry=laid,
            tried=tried,
            choices=tried.choices,
            insisted_tile=self.insisted_tile,
        )

    def _pick_choice(self, view: View[LineBoard], at: int) -> Outcome[LineBoard]:
        """Picks the choice at index `at`. If OK has asked for a choice, stores it at once;
        otherwise shows it until OK is pressed. Refused if there is no such choice."""
        if not 0 <= at < len(self.choices):
            to = "or" if len(self.choices) == 2 else "to"
            return Outcome(
                self,
                refused=phrase(
                    "Which end? 1 {or_to} {number}.", or_to=to, number=len(self.choices)
                ),
            )
        entry = self.choices[at].entry
        if self.asking:
            return keep(entry)
        return Outcome(replace(self, entry=entry, tried=preview(view, entry)))

    # ------------------------------------------------------------ OK

    def handle_ok(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK stores the play, or a pass that waited. Without digits it removes a payment from the
        screen, or says what to key."""
        if self.passing:
            return self._store_entry(view, TurnPassed(self.only_seat(view)))
        if self._only_dismisses_payment(view):
            return Outcome(_EMPTY)
        if self.tried is None or self.entry is None:
            return Outcome(self, refused=self.way(view).asks)
        if self.tried.choices:
            return Outcome(self._ask_which_play(view))
        tried = preview(view, self.entry) if self.tried.unexplained else self.tried
        if tried.refused is None:
            return keep(self.entry)
        if isinstance(self.entry, TilePlayed) and needs_only_ends(hand_of(view.state), self.entry):
            return Outcome(replace(_EMPTY, insisted_tile=self.entry.halves))
        put = view.language.translate
        ways = [way.said(self.keyed) for way in self._ways_that_fit(view)]
        # “It is right as the tile 6-3: MENU.”
        right_as = (
            phrase("It could be {ways}: MENU to choose.", ways=listed(ways, OR)) if ways else ""
        )
        why_not = _refusal_text(put(tried.refused), put(right_as))
        return replace(self, tried=tried).refuse(why_not)

    def _only_dismisses_payment(self, view: View[LineBoard]) -> bool:
        empty = not self.keyed and not self.insisted_tile
        return empty and not self.read and bool(view.state.effect.payments)

    def _ways_that_fit(self, view: View[LineBoard]) -> tuple[EntryWay, ...]:
        """Returns the other ways of keying in which the rules would accept these digits; none if
        the line is not known."""
        if self.insisted_tile or hand_of(view.state).line.lost:
            return ()
        return valid_ways(view, self.only_seat(view), self.keyed, self.way(view))

    def _store_entry(self, view: View[LineBoard], entry: Entry) -> Outcome[LineBoard]:
        """Stores a draw or a pass, or shows why it can't be stored."""
        after = try_entry(view, entry)
        if isinstance(after, RuleError):
            turn = LineTurn(
                keyed=self.keyed, fresh=False, read=self.read, insisted_tile=self.insisted_tile
            )
            return turn.refuse(after.why)
        return keep(entry)

    def _ask_which_play(self, view: View[LineBoard]) -> Screen[LineBoard]:
        """Asks which of the possible plays is meant, each with its result: on this screen, or in a
        list if they don't fit there."""
        if len(self.choices) <= 9 and choice_lines(self.choices):
            return replace(self, asking=True)
        lines = tuple(map(_choice_item, self.choices))
        return choose(which_question(self.choices), lines, self, only=self.only_seat(view))

    def handle_hold(self, view: View[LineBoard], key: Key) -> Outcome[LineBoard]:
        doubted = self.tried is not None and self.tried.refused is not None and not self.choices
        return self.insist(view) if key is Key.OK and doubted else Outcome(self)

    @property
    def refused(self) -> bool:
        """Whether OK was pressed on a play that the rules refuse."""
        return self.why_not is not None and self.tried is not None

    def insist(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """Insists on the play. If it was keyed as a tile, asks for the open ends first, because a
        tile alone doesn't determine them."""
        if not isinstance(self.entry, TilePlayed):
            return Outcome(self)
        if self.entry.ends is None and self.entry.count is None:
            return Outcome(replace(_EMPTY, insisted_tile=self.entry.halves))
        tried = preview(view, insisted(self.entry))
        if tried.refused:
            return self.refuse(tried.refused)
        return keep(insisted(self.entry))

    # ------------------------------------------------------------ the other keys

    def menu(self, view: View[LineBoard]) -> Outcome[LineBoard] | None:
        """MENU on a refused play opens a list of what can be done about it. Returns None if the
        play isn't refused: MENU then opens the menu of the game."""
        if not self.refused:
            return None
        cleared, right = _EMPTY, self._ways_that_fit(view)
        lines: Items[LineBoard] = (
            (phrase("It's on the table anyway"), lambda view, _list: self.insist(view)),
            (phrase("Key it again"), lambda _view, _list: Outcome(cleared)),
            (phrase("Take back the last entry"), lambda view, _list: offer_undo(view, cleared)),
            *(self._other_way_item(way) if way in right else None for way in WAYS.values()),
        )
        return Outcome(choose(phrase("Refused"), lines, self))

    def _other_way_item(self, way: EntryWay) -> Item[LineBoard]:
        """Returns an item such as “It is the tile 6-3”. Choosing it takes the digits as keyed in
        `way`, and keeps that way for the rest of the game."""

        def take(view: View[LineBoard], _list: Screen[LineBoard]) -> Outcome[LineBoard]:
            settings = {**view.settings, ENTRY_WAY: way.name}
            turn = LineTurn()._with_keyed(replace(view, settings=settings), self.keyed)
            return Outcome(turn, Setting(ENTRY_WAY, way.name))

        return phrase("It is {way}", way=way.said(self.keyed)), take

    def draw_tile(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        return self._store_entry(view, TilesDrawn(self.only_seat(view)))

    def pass_turn(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        return Outcome(LineTurn(fresh=False, read=self.read, passing=True))

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK cancels a question, a digit or a pass; with nothing keyed it offers to take back the
        last entry."""
        if self.asking:
            return Outcome(replace(self, asking=False))
        if self.keyed:
            return Outcome(self._with_keyed(view, self.keyed[:-1]))
        if self.passing or self.insisted_tile:
            return Outcome(LineTurn(fresh=False, read=self.read))
        return offer_undo(view, self)

    def key_bindings(self) -> Actions[LineBoard]:
        own = {Key.DRAW: self.draw_tile, Key.PASS: self.pass_turn}
        return {**Screen.key_bindings(self), **own}

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """Draws the table, and over it a question or a refusal."""
        draw_table(canvas, turn_table(view, self, self.way(view)))
        if self.passing:
            hand, seat = hand_of(view.state), display_name(self.only_seat(view))
            left = hand.round.boneyard - hand.round.leave
            why = phrase("{left} left to draw", left=left) if left > 0 else ""
            draw_question(
                canvas,
                phrase("{seat} passes? {left}", seat=seat, left=why),
                phrase("OK: pass   BACK: no"),
            )
        self.draw_why_not(canvas, INSIST_HINT if self.refused else phrase("OK: go on"))


INSIST_HINT = phrase("OK: change  Hold OK: keep it")
"""The hint about OK on a refused play, pressed or held."""

_EMPTY = LineTurn(fresh=False, read=True)
"""A turn on which nothing is keyed and nothing is asked."""


def _refusal_text(why: str, right_as: str) -> str:
    """Returns why a play is refused, and the ways of keying in which the digits would be valid. If
    both take too many lines, the reason is cut at its first colon, and if it is still too long,
    left out."""
    whys = (why, why.split(":", maxsplit=1)[0].rstrip())
    texts = (f"{_with_full_stop(why)} {right_as}".rstrip() for why in whys)
    return next((text for text in texts if len(wrapped(text, WIDTH)) <= REFUSAL_LINES), right_as)


def _with_full_stop(sentence: str) -> str:
    return sentence if sentence.endswith(("?", ".")) else f"{sentence}."


def _choice_item(choice: Choice) -> Item[LineBoard]:
    return format_choice(choice, " = "), lambda _view, _list: keep(choice.entry)


# ---------------------------------------------------------------- returned tile


@dataclass(frozen=True, slots=True)
class OfferTileReturn(Screen[LineBoard]):
    """The question that BACK asks after a draw, over the screen `below` on which it was pressed.

    OK takes the draw back. Keying the two halves of a tile and then DRAW means that the tile was
    drawn by mistake: it was shown, and goes back into the boneyard (games/high_five.py, 19). DRAW
    alone redoes what was taken back, as in every question of BACK. `by`: the seat whose keypad
    asked; None for the box.
    """

    below: Screen[LineBoard]
    keyed: tuple[int, ...] = ()
    by: Seat | None = None

    digits: ClassVar = range(7)
    offers_undo: ClassVar = True
    owned: ClassVar = True
    basis: ClassVar = Basis.RECORD

    @property
    def pending(self) -> bool:
        return bool(self.keyed)

    def screen_for_key(self, _view: View[LineBoard], press: Press, key: Key) -> Screen[LineBoard]:
        """Returns the screen that takes a press: this one or the screen below. From another seat's
        keypad this screen takes only BACK, because DRAW or OK there is meant for the game."""
        mine = press.seat in (None, self.by) or key is Key.BACK
        return self if mine else self.below

    def digit(self, _view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        return Outcome(replace(self, keyed=(*self.keyed, digit)[:2]))

    def undo(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        return Outcome(None, Undo())

    def goes_back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """DRAW after two halves returns that tile, which was drawn by mistake. DRAW alone redoes
        what was taken back, or shows what to key, so that a player who only wants to correct a
        mistake returns no tile."""
        if not self.keyed and view.next_redo is not None:
            return redo_change(view)
        seat = drew_last(view)
        if not self.keyed:
            return Outcome(self, refused=phrase("Which tile goes back? Its halves, then DRAW."))
        if seat is None or len(self.keyed) < 2:
            return Outcome(self)
        returned = TileReturned(seat, TILE_SET.tile(*self.keyed))
        if isinstance(try_entry(view, returned), RuleError):
            return Outcome(replace(self, keyed=()))
        return keep(returned)

    def back(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        return Outcome(replace(self, keyed=self.keyed[:-1]) if self.keyed else self.below)

    def key_bindings(self) -> Actions[LineBoard]:
        return {Key.OK: self.undo, Key.DRAW: self.goes_back, Key.BACK: self.back}

    def keys(self, _view: View[LineBoard]) -> tuple[Key, ...]:
        return (Key.DRAW, Key.OK, Key.BACK, *(Key(str(digit)) for digit in self.digits))

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """Draws the screen below, and the question over its lowest lines."""
        self.below.draw(view, canvas)
        seat = display_name(drew_last(view) or "")
        question = phrase("{seat} drew by mistake?", seat=seat)
        draw_question(
            canvas, question, phrase("OK: undo draw   BACK: no"), *self._effects_of_draw(view)
        )

    def _effects_of_draw(self, view: View[LineBoard]) -> tuple[str, ...]:
        """Returns lines about what DRAW would do now, one per effect."""
        if self.keyed:
            tile = "-".join([*map(str, self.keyed), "_"][:2])
            if len(self.keyed) < 2:
                return (phrase("Digits: {tile} goes back", tile=tile),)
            return (phrase("DRAW: {tile} goes back", tile=tile),)
        goes_back, again = phrase("Its halves, DRAW: goes back"), view.next_redo
        if again is None:
            return (goes_back,)
        return (
            goes_back,
            phrase("DRAW: {spoken} again", spoken=view.play.name_change(view, again)),
        )


def drew_last(view: View[LineBoard]) -> Seat | None:
    """Returns the seat whose draw is the last entry and may still go back; None if there is
    none."""
    entry = view.game.last
    if not isinstance(entry, TilesDrawn) or not is_allowed(view, TileReturned(entry.seat)):
        return None
    return entry.seat
