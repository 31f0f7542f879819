"""Yes/no questions: OK answers yes, BACK no. They are asked before storing an entry that costs
points or is doubtful; before storing a row that another surface has just stored; before making or
taking back a ruling, to which all have to agree; before switching off the box; and before taking
over games from a stick or the club."""

from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.layout import draw_question
from companion.console.lists import draw_title
from companion.console.screen import Basis, Item, Outcome, Screen, View, keep
from companion.core.clock import day
from companion.core.keys import Key, Press
from companion.core.seats import Seat, display_name
from companion.core.values import changed, dataclass
from companion.core.words import counted, phrase
from companion.games.game import B, Entry
from companion.presentation.corrections import ChangedRuling
from companion.record.copies.restore import Offer
from companion.record.rows import Row

NOTHING_IS_LOST = phrase(
    "Everything is kept: the game goes on from here when the box is switched on again."
)


class YesOrNo(Screen[B]):
    """A question that OK answers with yes. BACK means no, and leads to the screen `below` it."""

    __slots__ = ()
    below: Screen[B] | None

    def back(self, _view: View[B], /) -> Outcome[B]:
        return Outcome(self.below)


@dataclass(frozen=True, slots=True)
class ConfirmEntry(YesOrNo[B]):
    """Shows in words what an entry would mean. OK stores it together with the entries `more`; BACK
    stores nothing."""

    title: str
    text: str
    entry: Entry
    below: Screen[B] | None = None
    more: tuple[Entry, ...] = ()

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return keep(self.entry, *self.more)

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        draw_confirm(canvas, self.title, self.text, phrase("OK: yes   BACK: no"))


def item_asking_first(label: str, title: str, text: str, entry: Entry) -> Item[B]:
    """Returns a list item that asks for confirmation before the entry is stored."""

    def asked(_view: View[B], parent: Screen[B]) -> Outcome[B]:
        return Outcome(ConfirmEntry(title, text, entry, parent))

    return label, asked


def draw_confirm(canvas: Canvas, title: str, text: str, answers: str) -> None:
    """Draws a question, what it means in up to five lines, and the answers."""
    draw_title(canvas, title)
    for row, line in enumerate(canvas.wrapped(text, WIDTH)[:5]):
        canvas.text(0, 12 + 8 * row, line)
    canvas.text(2, 56, answers, room=WIDTH - 4)
    canvas.invert(0, 7, WIDTH)


@dataclass(frozen=True, slots=True)
class ConfirmDuplicate(YesOrNo[B]):
    """Asks `question` over the screen `below`. OK stores `row`, and leads to `then`; BACK leads to
    `below`. `by`: the seat whose keypad is asked; None for the box."""

    row: Row
    question: str
    below: Screen[B] | None = None
    by: Seat | None = None
    then: Screen[B] | None = None

    owned: ClassVar = True
    basis: ClassVar = Basis.RECORD

    def screen_for_key(self, view: View[B], press: Press, key: Key) -> Screen[B]:
        """Returns this question for keys of the box and of the seat that is asked, and for every
        BACK; the screen below for all others, so that other seats can go on with the game."""
        if press.seat in (None, self.by) or key is Key.BACK:
            return self
        return self._screen_below(view)

    def asked_about(self, row: Row) -> bool:
        return row == self.row

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.then, self.row)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        self._screen_below(view).draw(view, canvas)
        draw_question(canvas, self.question, phrase("OK: yes   BACK: no"))

    def _screen_below(self, view: View[B]) -> Screen[B]:
        return self.below or view.screen


def ask_if_all_agree(changed: ChangedRuling) -> str:
    """Returns the question whether everybody agrees, for a ruling of the table that is about to be
    stored or taken back."""
    accused, _, bogus = changed.ruling
    if not changed.made:
        return phrase("Take back the ruling on {seat}: all agreed?", seat=display_name(accused))
    if bogus:
        return phrase("{seat} made a bogus play: all agreed?", seat=display_name(accused))
    return phrase("{seat} is clear: all agreed?", seat=display_name(accused))


@dataclass(frozen=True, slots=True)
class SwitchOff(YesOrNo[B]):
    """Asks before the box is switched off. BACK leads to the screen on which MENU was pressed. Only
    the box's own keys answer, because a keypad's OK is meant for the game."""

    below: Screen[B] | None

    @property
    def before_menu(self) -> Screen[B]:
        return self.below or self

    def handle_press(self, view: View[B], press: Press) -> Outcome[B]:
        """Refuses the keys of keypads."""
        if press.seat is not None or press.source is not None:
            return Outcome(
                self, refused=phrase("The question is on the box: answer with its keys.")
            )
        return self.press(view, press.key)

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self, off=True)

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """Draws the question, a line saying that nothing is lost, and the answers."""
        draw_confirm(
            canvas,
            phrase("Switch the box off?"),
            NOTHING_IS_LOST,
            phrase("OK: switch it off   BACK: no"),
        )


@dataclass(frozen=True, slots=True)
class TakeGames(YesOrNo[B]):
    """Asks whether to take the offered games. OK takes them; BACK declines, and leads to the
    previous screen."""

    offer: Offer
    below: Screen[B] | None = None

    def with_newer_offer(self, offer: Offer) -> "TakeGames[B]":
        """Returns the question about whichever of the two offers has the games that were played
        last."""
        return changed(self, offer=offer) if offer.recency > self.offer.recency else self

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self, takes=self.offer)

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.below, declines=True)

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """Draws the question, how many games there are, and the answers."""
        offer, club = self.offer, phrase("Take the club's games?")
        games = counted("1 game", "{number} games", offer.games)
        what = phrase("It has {games}. The box has none.", games=games)
        if (last := day(offer.last)) is not None:
            what = phrase(
                "It has {games}, last played {day}. The box has none.", games=games, day=last
            )
        draw_confirm(
            canvas,
            club if offer.club else phrase("Take the stick's games?"),
            what,
            phrase("OK: take them   BACK: no"),
        )
