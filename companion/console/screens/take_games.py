"""Asking whether to take the games of a stick, where the record has none."""

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
    """OK takes them; BACK begins without them, where it was before."""

    offer: Offer
    under: Screen[B] | None = None

    def or_newer(self, offer: Offer) -> "TakeGames[B]":
        """The question about its offer or a newer one: of two sticks the one that was played
        last."""
        return changed(self, offer=offer) if offer.age > self.offer.age else self

    def yes(self, _view: View[B]) -> Outcome[B]:
        """OK; until they are taken, the question stays."""
        return Outcome(self, takes=self.offer)

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK: no."""
        return Outcome(self.under, declines=True)

    def on(self) -> Actions[B]:
        return {Key.OK: self.yes, Key.BACK: self.back}

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """The question, how much it is, and the answers."""
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
