"""Plays random games by entries that a surface offers, with two checks at each step: every offered
entry must be accepted, and every entry that the rules accept must be offered, by one key or by
several: on a page those in `GameKeys`, on the box and keypads those that screens lead to.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.app.catalog import CATALOG
from companion.console.console import Console
from companion.console.line.bogus_calls import AskRuling
from companion.console.lists import ListScreen, Note
from companion.core.errors import EntryError, RuleError
from companion.core.keys import Key, Press
from companion.core.seats import COLOURS, Seat, Seats
from companion.games.bogus.calls import RulingResult, ruling_of
from companion.games.entries import CallRuled, HandBlocked, TilesDrawn, TurnPassed
from companion.games.game import AmbiguousEntry, AnyState, Entry, parse_entry, settle_options
from companion.games.line.hand import Hand
from companion.games.round import Stage
from companion.presentation import keys as page_keys
from companion.presentation.keys import (
    APART,
    FITS,
    FREE,
    LAID,
    Act,
    ExpectedEntry,
    GameKeys,
    OpenEntry,
)
from companion.record.journal import Journal
from companion.record.rows import Amend, GameOpened, Setting, Step
from companion.record.settings import ENTRY_SCORES, ENTRY_WAY
from tests.catalog import GAMES
from tests.console.rig import Rig

PANELS = frozenset({"end", "chips", "audit"})
"""Words of entries that have a panel of their own on a page, and a list in the menu of the box."""
BY_ITSELF = frozenset({"hand"})
"""Words of entries that say what the rules know anyway, or what is asked in a step of its own."""


@dataclass
class Walk:
    """A random game, played step by step; `given` are its house rules, `settings` those of the
    table."""

    name: str
    players: int
    given: Mapping[str, str]
    random: Random
    settings: dict[str, Any] = field(default_factory=dict)
    journal: Journal[Any] = field(init=False)

    def __post_init__(self) -> None:
        seats = Seats.of(*COLOURS[: self.players])
        options = settle_options(GAMES[self.name], self.players, self.given)
        self.journal = Journal.begin(GameOpened(self.name, seats, options), GAMES)

    @property
    def keys(self) -> GameKeys:
        """The keys that a page gets."""
        return CATALOG[self.name].presentation.keys

    @property
    def state(self) -> AnyState:
        """The game as people know it."""
        return self.journal.state

    def place(self) -> str:
        """The state of the game in words, for reproducing a fault."""
        entries = "\n".join(map(str, self.journal.entries))
        options = " ".join(f"{name}={value}" for name, value in self.given.items())
        return f"{self.name} of {self.players} {options}\n{entries}"

    # ------------------------------------------------------------ what the rules accept

    def accepts(self, entry: Entry) -> bool:
        """Whether the record accepts the entry's text."""
        try:
            said = parse_entry(str(entry), self.journal.game, self.state.seats)
            self.journal.fold(Step((said,)))
        except (RuleError, EntryError):
            return False
        return True

    def accepted(self) -> Iterator[Entry]:
        """The entries without a tile or a number that the record accepts now."""
        for text in self._texts():
            try:
                entry = parse_entry(text, self.journal.game, self.state.seats)
            except EntryError:
                continue
            if self.accepts(entry):
                yield entry

    def _texts(self) -> Iterator[str]:
        seats = self.state.seats
        for kind in self.journal.game.entries:
            for word in kind.words:
                if not word or word in PANELS:
                    continue
                if kind.seat_first:
                    yield from (f"{seat} {word}" for seat in seats)
                    continue
                yield word
                if word == "bogus":
                    yield from self._calls()
                yield from (f"{word} {seat} bogus" for seat in seats)
                yield from (f"{word} {seat} clear" for seat in seats)
                yield from (f"{word} lead {seat}" for seat in seats)

    def _calls(self) -> Iterator[str]:
        board = self.state.board
        watched = getattr(board, "open_to_calls", None)
        turns = watched.hand.draws_and_passes if watched is not None else ()
        for accused in self.state.seats:
            for by in self.state.seats:
                yield f"bogus {accused} by {by}"
                yield from (
                    f"bogus {accused} by {by} turn {turn.number}"
                    for turn in turns
                    if turn.seat == accused
                )

    # ------------------------------------------------------------ what a page offers

    def asked(self) -> ExpectedEntry:
        """The questions of a page."""
        return self.keys.expected_entry(self.journal.game, self.state, self.settings)

    def acts(self) -> list[Act]:
        """The acts of a page."""
        found = self.keys.acts(self.journal.game, self.state, self.settings)
        return [*found, *self.keys.insertions(self.journal)]

    def open(self, entry: Entry, *, begun: bool) -> OpenEntry:
        """The entries that OK would make, and the acts beside it."""
        return self.keys.open(self.journal.game, self.state, entry, begun)

    def takes(self, act: Act) -> bool:
        """Whether the record accepts an act, or one of the answers to its question."""
        if act.at is not None:
            try:
                self.journal.fold(Amend(act.at, (act.entry,), insert=True))
            except (RuleError, EntryError):
                return False
            return True
        return self.accepts(act.entry)

    def lay(self, tile: str, seat: Seat) -> Entry | None:
        """The play of that tile, as a page begins it; None if the game has no such entry."""
        try:
            return parse_entry(f"{seat} {tile}", self.journal.game, self.state.seats)
        except EntryError:
            return None

    def answers(self, entry: Entry, *, begun: bool) -> list[Entry]:
        """All entries to which a begun entry can lead."""
        opened = self.open(entry, begun=begun)
        found = [opened.entry] if opened.entry is not None else []
        for question in opened.questions:
            for answer in question.answers:
                found.append(answer.entry)
        return found

    # ------------------------------------------------------------ both ways on a page

    def faults_of_page(self) -> Iterator[str]:
        """The entries that a page offers although the record refuses them, or that no page offers
        although the record accepts them."""
        if self.state.held_back is not None and self.state.held_back.winners:
            return  # a count that nobody has called yet has won: nothing that is offered may tell
        acts = self.acts()
        for act in acts:
            if not self.takes(act) and act.name not in TELL_NOTHING:
                yield f"offered, but refused: {act.name} “{act.entry}”"
        yield from self._faults_of_tiles()
        for way in (ENTRY_SCORES, "tile"):  # one tap leads from one way to the other
            settings = {**self.settings, ENTRY_WAY: way}
            acts += self.keys.acts(self.journal.game, self.state, settings)
        offered = {str(act.entry) for act in acts if act.at is None}
        for act in filter(self.takes, acts):
            if act.at is None and act.name in ("bogus", "return"):
                offered |= {str(one) for one in self.answers(act.entry, begun=True)}
        for entry in self.accepted():
            if str(entry) not in offered and not self._said_otherwise(entry, acts):
                yield f"accepted, but not offered: “{entry}”"

    def _said_otherwise(self, entry: Entry, acts: list[Act]) -> bool:
        """Whether an offered act has the same effect, or the entry is asked for in another way."""
        words = set(entry.words)
        if words & {"holds", "pips", "points", "left", "tableau", "basement", "row"}:
            return True
        if words & BY_ITSELF:
            return any(type(act.entry) is type(entry) for act in acts)
        same = [act for act in acts if type(act.entry) is type(entry)]
        after = self._after(entry)
        if after == self.state or self._has_no_key(entry):
            return True
        return any(self._after(act.entry) == after for act in same if act.at is None)

    def _leads_on(self, entry: Entry, more: int = 3) -> bool:
        """Whether further questions about the entry lead to one that the record accepts."""
        try:
            led = self.answers(entry, begun=True)
        except (RuleError, AmbiguousEntry):
            return False
        self.random.shuffle(led)
        return any(self.accepts(one) for one in led) or (
            more > 0 and any(self._leads_on(one, more - 1) for one in led[:8] if one != entry)
        )

    def _has_no_key(self, entry: Entry) -> bool:
        """Whether the entry has no key by design: a ruling that agrees with the record's, a block
        of a hand that passes have already ended and settled, or a draw or pass in a game keyed by
        scores only, where it has no effect."""
        hand = getattr(self.state.board, "hand", None)
        ruling = ruling_of(self.state)
        if isinstance(entry, CallRuled) and ruling is not None:
            return entry.bogus is (ruling.result is RulingResult.BOGUS)
        if isinstance(entry, HandBlocked) and isinstance(hand, Hand):
            return hand.round.stage is Stage.OVER
        if not isinstance(entry, TilesDrawn | TurnPassed) or not isinstance(hand, Hand):
            return False
        return hand.round.scores_only or self.settings.get(ENTRY_WAY) == ENTRY_SCORES

    def _after(self, entry: Entry) -> object:
        return self.journal.fold(Step((entry,))).state._replace(effect=self.state.effect)

    def _faults_of_tiles(self) -> Iterator[str]:
        asked = self.asked()
        if asked.asks != page_keys.LAY:
            return
        stands = asked.tiles()
        seats = asked.seats or ((asked.seat,) if asked.seat else tuple(self.state.seats))
        some = self.random.sample(sorted(stands), min(6, len(stands)))
        for tile in some:
            for seat in seats:
                lay = self.lay(tile, seat)
                if lay is None:
                    continue
                fits = stands[tile] in (FITS, FREE)
                try:
                    led = self.answers(lay, begun=True)
                except (RuleError, AmbiguousEntry):
                    led = []
                taken = [one for one in led if self.accepts(one)]
                taken = [one for one in led if one in taken or self._leads_on(one)]
                if fits and len(seats) == 1 and not taken:
                    yield f"offered, but refused: {tile} {stands[tile]} for {seat}"
                if fits and len(taken) < len(led):
                    vain = [str(one) for one in led if one not in taken]
                    yield f"an answer to {tile} of {seat} is refused: {vain}"
                if taken and stands[tile] in (LAID, APART):
                    yield f"accepted, but not offered: {tile} of {seat} ({stands[tile]})"

    # ------------------------------------------------------------ walking

    def step(self) -> bool:
        """Makes one offered entry; returns False if there is none."""
        asked, acts = self.asked(), self.acts()
        ways = list[Entry]()
        seat = asked.seat or self.random.choice(self.state.seats.order)
        if asked.asks == page_keys.LAY:
            stands = asked.tiles()
            tiles = [tile for tile, how in stands.items() if how in (FITS, FREE)]
            self.random.shuffle(tiles)
            for tile in tiles[:3]:
                lay = self.lay(tile, seat)
                if lay is not None:
                    try:
                        ways += self.answers(lay, begun=True)
                    except (RuleError, AmbiguousEntry):
                        continue
        if asked.collects is not None and asked.asks in (page_keys.SHOW, page_keys.COLLECT):
            ways += self._collected(asked, seat)
        if asked.asks == page_keys.ROW:
            row = self.random.choice(asked.rows)
            ways += self._parsed(f"{seat} row {row.name}")
        for number in asked.numbers:
            if asked.asks not in (page_keys.LAY, page_keys.COLLECT) or self.random.random() < 0.03:
                some = self.random.randrange(0, number.most + 1, number.step) or number.step
                ways += self._parsed(
                    f"{number.before.format(seat=seat)} {some} {number.after}".strip()
                )
        chosen = [act for act in acts if act.at is None]
        likely = [act for act in chosen if act.name in LIKELY]
        self.random.shuffle(ways)
        if likely and (not ways or self.random.random() < 0.4):
            ways.insert(0, self.random.choice(likely).entry)
        if chosen and (not ways or self.random.random() < 0.12):
            ways.insert(0, self.random.choice(chosen).entry)
        for entry in ways:
            if self.accepts(entry):
                self.journal = self.journal.fold(Step((entry,)))
                return True
        return False

    def _collected(self, asked: ExpectedEntry, seat: Seat) -> list[Entry]:
        assert asked.collects is not None
        free = [tile for tile, how in asked.tiles().items() if how != LAID]
        self.random.shuffle(free)
        number = asked.collects.number or self.random.randint(1, 4)
        before = asked.collects.before.format(seat=seat)
        return self._parsed(f"{before} {' '.join(free[:number])}")

    def _parsed(self, text: str) -> list[Entry]:
        try:
            return [parse_entry(text, self.journal.game, self.state.seats)]
        except EntryError:
            return []

    # ------------------------------------------------------------ both ways at the box

    def _asks_who_is_out(self) -> bool:
        """Whether the box asks first whether a seat is out, because the counts suggest that."""
        return type(self.rig().screen).__name__ in ("AskOut", "HighriseAskOut")

    def rig(self) -> Rig:
        """The box with this game on the table."""
        rig = Rig()
        rig.console = Console.start()
        rig.view = rig._with(self.journal.opened)
        rig.view = rig.view.__class__(
            **{
                **{name: getattr(rig.view, name) for name in rig.view.__dataclass_fields__},
                "journal": self.journal,
                "settings": self.settings,
            }
        )
        rig._frame = None
        return rig

    def faults_of_box(self, seat: Seat | None = None) -> Iterator[str]:
        """The entries that a screen offers although the record refuses them, or that no keys lead
        to although the record accepts them. `seat`: on that seat's keypad, from which its own
        entries must be reached."""
        reached, faults = Search(self, seat).run()
        yield from faults
        for entry in self.accepted():
            words = set(entry.words)
            if words & {"holds", "pips", "points", "left", "tableau", "basement", "row", "return"}:
                continue
            if self._asks_who_is_out():
                continue
            if seat is not None and (getattr(entry, "by", None) != seat):
                continue
            if str(entry) in reached or words & BY_ITSELF:
                continue
            after = self._after(entry)
            if after == self.state or self._has_no_key(entry):
                continue
            same = [one for one in reached.values() if type(one) is type(entry)]
            if not any(self._after(one) == after for one in same):
                yield f"accepted, but no keys lead to it: “{entry}”"


TELL_NOTHING = frozenset({"not-called", "muggins"})
"""Acts that are offered after every lay, since it must not be told whether it scores."""
TELLS_ON = frozenset({"OfferTileReturn", "AskHighestDouble"})
"""Screens on which DRAW or PASS goes on with a line that says what is still to be keyed."""
LIKELY = frozenset({
    "draw", "pass", "out", "deal", "deal-lead", "rule-bogus", "rule-clear", "called", "bogus",
    "one-tile", "next-hand", "pass-of", "draw-of",
})  # fmt: skip
"""Names of acts that the machine prefers: else it would block and call all the time."""


class Search:
    """Everything that can be reached with the keys of the box without typing tiles or numbers:
    lists, questions, the game's own items of the menu."""

    MOST = 400
    """The most screens that are looked at."""

    def __init__(self, walk: Walk, seat: Seat | None) -> None:
        self.walk, self.seat = walk, seat
        self.reached = dict[str, Entry]()
        self.faults = list[str]()
        self._seen = set[object]()

    def run(self) -> tuple[dict[str, Entry], list[str]]:
        """The entries that were reached, and the complaints about offers that lead to nothing."""
        waiting = [(self.walk.rig(), "")]
        while waiting and len(self._seen) < self.MOST:
            rig, keys = waiting.pop(0)
            parent = getattr(rig.screen, "parent", None)  # two goes ask alike who calls them
            looks = type(rig.screen).__name__, rig.frame.words, getattr(parent, "at", None)
            if looks in self._seen:
                continue
            self._seen.add(looks)
            for key in self._keys(rig):
                if self.seat and rig.screen.why_not_taken(rig.view, self.seat, key):
                    continue  # it waits for another seat
                after = rig.copy()
                after.send(Press(key, self.seat))
                pressed = f"{keys} {key.value}".strip()
                if len(after.rows) > len(rig.rows) and not isinstance(after.rows[-1], Setting):
                    self._kept(after)
                    continue
                self._complain(rig, after, key, pressed)
                if len(pressed.split()) < 12:
                    waiting.append((after, pressed))
        return self.reached, self.faults

    def _kept(self, rig: Rig) -> None:
        row = rig.rows[-1]
        if isinstance(row, Step):
            self.reached |= {str(entry): entry for entry in row.entries}

    def _complain(self, before: Rig, after: Rig, key: Key, pressed: str) -> None:
        """Reports a line of a list that only leads to a refusal."""
        told = after.console.message
        typed = before.screen.pending or type(before.screen).__name__ in TELLS_ON
        if key in (Key.DRAW, Key.PASS) and not typed and told and told != before.console.message:
            where = type(before.screen).__name__
            self.faults.append(f"offered, but refused: {key.value} on {where}: {told}")
        if not isinstance(before.screen, ListScreen) or key.digit is None:
            return
        screen = after.screen
        refused = len(after.refused) > len(before.refused)
        message = after.console.message
        if refused and "follows a scoring play" in after.refused[-1]:
            return  # else the list would tell whether the lay scores
        if refused or (isinstance(screen, Note) and screen.then is before.screen):
            words = after.frame.words if isinstance(screen, Note) else after.refused[-1:]
            self.faults.append(f"offered, but refused: keys {pressed}: {words}")
        elif (
            message
            and message != before.console.message
            and "follows a scoring play" not in message
        ):
            self.faults.append(f"offered, but refused: keys {pressed}: {message}")

    def _keys(self, rig: Rig) -> list[Key]:
        """The keys to press on a screen: no digits of tiles, and only the game's own items of the
        menu."""
        screen, view = rig.screen, rig.view
        name = type(screen).__name__
        if name == "Menu":
            return [Key.D4, Key.D5, Key.D7]
        keys = [key for key in screen.keys(view) if key.digit is None]
        if isinstance(screen, ListScreen):
            keys = [Key(str(number)) for number in screen.keyable_digits(view)]
            if screen.count(view) > len(keys):
                keys += [Key.DRAW, Key.OK]
        elif name in ("ScoreTurn", "AskSeat") and not screen.pending:
            keys += [Key(str(digit)) for digit in range(1, 1 + len(view.state.seats))]
        elif isinstance(screen, AskRuling) or len(screen.digits) <= 4:
            keys += [Key(str(digit)) for digit in screen.digits]
        if screen.shows_table:
            keys += [Key.MENU, Key.BOGUS]
        skipped = (Key.UP, Key.DOWN, Key.LEFT, Key.RIGHT, Key.PRESS)
        return [key for key in dict.fromkeys(keys) if key not in skipped]


def tables_of(name: str) -> list[tuple[int, dict[str, str]]]:
    """Tables at which a game is played: numbers of players, each with house rules, so that each
    value of each option is used at one of them at least."""
    game = GAMES[name]
    found: list[tuple[int, dict[str, str]]] = []
    most = max(
        (len(one.choices(players)) for one in game.options for players in game.players), default=1
    )
    for turn in range(max(most, len(game.players))):
        players = game.players[turn % len(game.players)]
        given = dict[str, str]()
        for option in game.options:
            choices = option.choices(players)
            tried = {**given, option.name: str(choices[turn % len(choices)])}
            given = tried if _can_be_played(name, players, tried) else given
        found.append((players, given))
    found += [(players, dict(given)) for players, given in MORE.get(name, ())]
    for players in game.players:
        for option in game.options:
            for value in map(str, option.choices(players)):
                tried = {option.name: value}
                if any(given.get(option.name) == value for _, given in found):
                    continue
                if _can_be_played(name, players, tried):
                    found.append((players, tried))
    return found


def _can_be_played(name: str, players: int, given: Mapping[str, str]) -> bool:
    try:
        GAMES[name].start(Seats.of(*COLOURS[:players]), settle_options(GAMES[name], players, given))
    except (RuleError, EntryError):
        return False
    return True


MORE: Mapping[str, tuple[tuple[int, dict[str, str]], ...]] = {
    "all-fives": (
        (4, {"set": "R", "partners": "on"}),
        (4, {"set": "R", "partners": "on", "could-play-ends": "never"}),
        (4, {"set": "W", "partners": "on", "could-play-to": "opponent"}),
        (4, {"partners": "on", "called": "muggins", "could-play": "50-or-holding"}),
        (3, {"called": "muggins", "could-play": "30-or-20%", "could-play-ends": "always"}),
        (2, {"unit": "fives", "target": "61", "wrong-count": "50", "called": "lost"}),
        (2, {"set": "R", "finish-hand": "on", "target": "100"}),
    ),
    "high-five": ((4, {}), (3, {"wrong-call": "50", "table-overrules": "on"})),
}
"""Tables besides: what an option does may show only with another one."""
