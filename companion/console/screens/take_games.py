"""Asks whether to take the games of a stick, or the club's, if the record has none."""

from companion.console.frame import Canvas
from companion.console.screen import Actions, Outcome, Screen, View
from companion.console.screens.confirm_entry import draw_confirm
from companion.core.clock import day
from companion.core.keys import Key
from companion.core.values import changed, dataclass
from companion.core.words import counted, phrase
from companion.games.game import B
from companion.record.copies.stick import Offer


@dataclass(frozen=True, slots=True)
class TakeGames(Screen[B]):
    """OK takes the offered games; BACK begins without them, and leads to the screen before."""

    offer: Offer
    under: Screen[B] | None = None

    def or_newer(self, offer: Offer) -> "TakeGames[B]":
        """The question about the one of the two offers whose games were played last."""
        return changed(self, offer=offer) if offer.age > self.offer.age else self

    def yes(self, _view: View[B]) -> Outcome[B]:
        """OK: takes the games; the question stays until they are taken."""
        return Outcome(self, takes=self.offer)

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK: no."""
        return Outcome(self.under, declines=True)

    def on(self) -> Actions[B]:
        return {Key.OK: self.yes, Key.BACK: self.back}

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """The question, how many games they are, and the answers."""
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
