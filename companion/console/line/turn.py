"""The screen of a turn. It also shows what the turn before paid.

Digits and OK lay a tile; DRAW, PASS, BOGUS and BACK do what they say. While digits are keyed, the
screen already shows what the lay would make, so OK itself changes little. A payment stays until the
next key, and that key counts.
"""

from dataclasses import replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.glyphs import wrapped
from companion.console.keyed import Digits, Keyed
from companion.console.layout import REFUSAL_LINES, draw_question, draw_table
from companion.console.line.keying import (
    THIN,
    WAYS,
    EntryWay,
    Preview,
    choice_lines,
    entry_way,
    glance,
    insisted,
    makes,
    preview,
    right_ways,
)
from companion.console.line.turn_table import mover, turn_table, which
from companion.console.lists import choose
from companion.console.screen import Actions, Item, Items, Outcome, Screen, View, keep, would_be
from companion.console.screens.undo import offer_undo
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import OR, listed, phrase
from companion.games.entries import Drew, Passed
from companion.games.entry import Choice, Entry
from companion.games.line.candidate_lines import CandidateLines
from companion.games.line.hand import LineBoard, hand_of
from companion.games.line.laid import Laid
from companion.record.rows import Setting
from companion.record.settings import ENTRY_WAY


@dataclass(frozen=True, slots=True)
class LineTurn(Keyed[LineBoard]):
    """The turn of a seat. `fresh`: nothing was pressed since the last entry. `read`: OK has taken
    the last entry and its payment off the screen. `choices`: the lays that the digits can mean.
    `asked`: OK has asked which of these it is. `lies`: the table insists that this tile was laid;
    the open ends are asked for, since the record doesn't know them. `why_not`: why OK was refused.
    `passing`: PASS waits for OK."""

    fresh: bool = True
    read: bool = False
    entry: Entry | None = None
    """What OK would keep."""
    tried: Preview | None = None
    choices: tuple[Choice, ...] = ()
    asked: bool = False
    passing: bool = False
    lies: tuple[int, int] | None = None

    plays: ClassVar = True
    is_turn: ClassVar = True

    def whose(self, view: View[LineBoard]) -> Seat:
        """The seat whose turn it is."""
        return mover(view.state)

    @property
    def asks(self) -> bool:
        """Whether a pass waits for OK, or the ends of a tile are asked for."""
        return self.passing or self.lies is not None

    def renewed(self, view: View[LineBoard]) -> Screen[LineBoard]:
        """This turn with its digits tried anew."""
        return self._with(view, self.keyed) if self.keyed else self

    # ------------------------------------------------------------ digits

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """The digits by which tiles are keyed, then the other keys that a turn takes."""
        digits = (Key(str(digit)) for digit in self.way(view).digits)
        return (*digits, Key.OK, Key.DRAW, Key.PASS, Key.BOGUS, Key.BACK, Key.MENU)

    def way(self, view: View[LineBoard]) -> EntryWay:
        """The way to key tiles; always by ends for a tile that the table insists on (`lies`)."""
        return WAYS["ends"] if self.lies else WAYS.get(entry_way(view), WAYS["tile"])

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """Takes one more digit, and tries the digits as soon as they can be a lay; or picks one of
        the choices."""
        way = self.way(view)
        if self.choices and (self.asked or len(self.keyed) == way.most):
            return self._pick(view, digit - 1)
        keyed = replace(self, fresh=False, passing=False, why_not=None)
        if digit not in way.digits:
            return Outcome(keyed, refused=phrase("Half a tile has 0 to 6 pips."))
        if len(self.keyed) >= way.most:
            return Outcome(keyed, refused=self._what_first(way))
        return Outcome(self._with(view, (*self.keyed, digit)))

    def _what_first(self, way: EntryWay) -> str:
        """Which key the digits need before others can be keyed."""
        done = self.tried is not None and self.tried.refused is not None and not self.choices
        key, state = ("BACK", phrase("refused")) if done else ("OK", phrase("keyed"))
        digits = way.format(self.keyed).replace(f"{THIN}-", "-").rstrip(THIN)
        return phrase("{key} first: {digits} is {state}.", key=key, digits=digits, state=state)

    def _with(self, view: View[LineBoard], keyed: Digits) -> "LineTurn":
        """This turn with the digits `keyed`, tried if they are enough for a lay."""
        way = self.way(view)
        if len(keyed) < way.least:
            return LineTurn(keyed=keyed, fresh=False, read=self.read, lies=self.lies)
        laid = way.entry(self.whose(view), keyed)
        if self.lies:
            laid = replace(laid, halves=self.lies)
            laid = laid if _line_is_lost(view) else insisted(laid)
        tried = glance(view, laid)
        return LineTurn(
            keyed=keyed,
            fresh=False,
            read=self.read,
            entry=laid,
            tried=tried,
            choices=tried.choices,
            lies=self.lies,
        )

    def _pick(self, view: View[LineBoard], at: int) -> Outcome[LineBoard]:
        """Picks the choice at the place `at`, from 0. If OK was pressed before, so that the screen
        asks for a choice, keeps it at once; else shows it until OK is pressed. Refused if there is
        no such choice."""
        if not 0 <= at < len(self.choices):
            to = "or" if len(self.choices) == 2 else "to"
            return Outcome(
                self,
                refused=phrase(
                    "Which end? 1 {or_to} {number}.", or_to=to, number=len(self.choices)
                ),
            )
        entry = self.choices[at].entry
        if self.asked:
            return keep(entry)
        return Outcome(replace(self, entry=entry, tried=preview(view, entry)))

    # ------------------------------------------------------------ OK

    def accept(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK: keeps the lay, or a pass that waited; without digits it takes a payment off the
        screen, or says what to key."""
        if self.passing:
            return self._keep(view, Passed(self.whose(view)))
        if self._tells_a_payment(view):
            return Outcome(_EMPTY)
        if self.tried is None or self.entry is None:
            return Outcome(self, refused=self.way(view).asks)
        if self.tried.choices:
            return Outcome(self._ask(view))
        tried = preview(view, self.entry) if self.tried.unexplained else self.tried
        if tried.refused is None:
            return keep(self.entry)
        if isinstance(self.entry, Laid) and _only_the_ends_tell(view, self.entry):
            return Outcome(replace(_EMPTY, lies=self.entry.halves))
        put = view.language.put
        ways = [way.said(self.keyed) for way in self._right_ways(view)]
        # “It is right as the tile 6-3: MENU.”
        right_as = phrase("It is right as {ways}: MENU.", ways=listed(ways, OR)) if ways else ""
        why_not = _refusal(put(tried.refused), put(right_as))
        return replace(self, tried=tried).refuse(why_not)

    def _tells_a_payment(self, view: View[LineBoard]) -> bool:
        """Whether all that OK does is to take the payment off the screen."""
        empty = not self.keyed and not self.lies
        return empty and not self.read and bool(view.state.effect.payments)

    def _right_ways(self, view: View[LineBoard]) -> tuple[EntryWay, ...]:
        """The other ways of keying in which the rules would take these digits; none if the box
        doesn't know the line."""
        if self.lies or _line_is_lost(view):
            return ()
        return right_ways(view, self.whose(view), self.keyed, self.way(view))

    def _keep(self, view: View[LineBoard], entry: Entry) -> Outcome[LineBoard]:
        """Keeps a draw or a pass, or says why not."""
        after = would_be(view, entry)
        if isinstance(after, RuleError):
            turn = LineTurn(keyed=self.keyed, fresh=False, read=self.read, lies=self.lies)
            return turn.refuse(after.why)
        return keep(entry)

    def _ask(self, view: View[LineBoard]) -> Screen[LineBoard]:
        """Asks which of the possible lays is meant, each with its result: on this screen, or in a
        list if they don't fit there."""
        if len(self.choices) <= 9 and choice_lines(self.choices):
            return replace(self, asked=True)
        lines = tuple(map(_line, self.choices))
        return choose(which(self.choices), lines, self, only=self.whose(view))

    def held(self, view: View[LineBoard], key: Key) -> Outcome[LineBoard]:
        """OK held on a refused lay: the table insists that it was laid."""
        doubted = self.tried is not None and self.tried.refused is not None and not self.choices
        return self.insist(view) if key is Key.OK and doubted else Outcome(self)

    @property
    def refused(self) -> bool:
        """Whether OK was pressed on a lay that the record refuses."""
        return self.why_not is not None and self.tried is not None

    def insist(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """Lets the lay count anyway. A tile alone doesn't say which ends are open now, so the ends
        are asked for first."""
        if not isinstance(self.entry, Laid):
            return Outcome(self)
        if self.entry.ends is None and self.entry.count is None:
            return Outcome(replace(_EMPTY, lies=self.entry.halves))
        tried = preview(view, insisted(self.entry))
        if tried.refused:
            return self.refuse(tried.refused)
        return keep(insisted(self.entry))

    # ------------------------------------------------------------ the other keys

    def menu(self, view: View[LineBoard]) -> Outcome[LineBoard] | None:
        """MENU on a refused lay: a list of what can be done about it. None if the lay isn't
        refused: MENU then opens the menu of the game."""
        if not self.refused:
            return None
        cleared, right = _EMPTY, self._right_ways(view)
        lines: Items[LineBoard] = (
            (phrase("It's on the table anyway"), lambda view, _list: self.insist(view)),
            (phrase("Key it again"), lambda _view, _list: Outcome(cleared)),
            (phrase("Take back the last entry"), lambda view, _list: offer_undo(view, cleared)),
            *(self._as(way) if way in right else None for way in WAYS.values()),
        )
        return Outcome(choose(phrase("Refused"), lines, self))

    def _as(self, way: EntryWay) -> Item[LineBoard]:
        """The item “It is the tile 6-3”: takes the digits as keyed in `way`, and sets this way for
        the rest of the game."""

        def take(view: View[LineBoard], _list: Screen[LineBoard]) -> Outcome[LineBoard]:
            settings = {**view.settings, ENTRY_WAY: way.name}
            turn = LineTurn()._with(replace(view, settings=settings), self.keyed)
            return Outcome(turn, Setting(ENTRY_WAY, way.name))

        return phrase("It is {way}", way=way.said(self.keyed)), take

    def draw_tile(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """DRAW: one tile, at once."""
        return self._keep(view, Drew(self.whose(view)))

    def pass_turn(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        """PASS waits for OK."""
        return Outcome(LineTurn(fresh=False, read=self.read, passing=True))

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK takes back a question, a digit or a pass; with nothing keyed it offers to take back
        the last entry."""
        if self.asked:
            return Outcome(replace(self, asked=False))
        if self.keyed:
            return Outcome(self._with(view, self.keyed[:-1]))
        if self.passing or self.lies:
            return Outcome(LineTurn(fresh=False, read=self.read))
        return offer_undo(view, self)

    def on(self) -> Actions[LineBoard]:
        return {
            Key.OK: self.accept,
            Key.BACK: self.back,
            Key.DRAW: self.draw_tile,
            Key.PASS: self.pass_turn,
        }

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """The table, and over it a question or a refusal."""
        draw_table(canvas, turn_table(view, self, self.way(view)))
        if self.passing:
            hand, seat = hand_of(view.state), shown(self.whose(view))
            left = hand.round.boneyard - hand.round.leave
            why = phrase("{left} left to draw", left=left) if left > 0 else ""
            draw_question(
                canvas,
                phrase("{seat} passes? {left}", seat=seat, left=why),
                phrase("OK: pass   BACK: no"),
            )
        self.draw_why_not(canvas, HOLD if self.refused else phrase("OK: go on"))


HOLD = phrase("OK: change  Hold OK: keep it")
"""What OK does on a lay that is refused: pressed, and held."""

_EMPTY = LineTurn(fresh=False, read=True)
"""A turn on which nothing is keyed and nothing is asked."""


def _refusal(why: str, right_as: str) -> str:
    """Why a lay is refused, and the ways of keying in which the digits would be right. If both
    take too many lines, the reason ends before its first colon; if that is still too long, it is
    left out."""
    whys = (why, why.split(":", maxsplit=1)[0].rstrip())
    texts = (f"{_ended(why)} {right_as}".rstrip() for why in whys)
    return next((text for text in texts if len(wrapped(text, WIDTH)) <= REFUSAL_LINES), right_as)


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith(("?", ".")) else f"{sentence}."


def _line(choice: Choice) -> Item[LineBoard]:
    """A choice as a line of a list."""
    return makes(choice, " = "), lambda _view, _list: keep(choice.entry)


def _line_is_lost(view: View[LineBoard]) -> bool:
    """Whether nothing is known of the line but what the last entry said."""
    line: CandidateLines = hand_of(view.state).line
    return line.lost


def _only_the_ends_tell(view: View[LineBoard], laid: Laid) -> bool:
    """Whether only the ends can say where this tile is, since the line is lost."""
    line: CandidateLines = hand_of(view.state).line
    alone = laid.ends is None and laid.count is None
    return line.lost and alone and laid.tile is not None and not line.said & laid.tile.bit
