"""What the screens see of the table: a view for each moment."""

from contextlib import suppress
from operator import is_not

from companion.console.screen import View
from companion.console.set_up import SET_UP, PlayableGames
from companion.core.keys import Key, is_pad
from companion.core.phones import Phones
from companion.record.store.faults import StoreError
from companion.record.store.store import Store
from companion.table.session import TableSession

Parts = tuple[TableSession, str | None, tuple[Key, ...], frozenset[str], Phones | None]
"""How everything stands, what the table has to tell, the keys that are stuck, the seats' keypads
that are there by their serial numbers, and how phones come in."""


class Outlook:
    """Gives one view as long as nothing changes of what it is made of. `switches_off` and `wired`
    as the loop has them (loop.py)."""

    def __init__(
        self,
        store: Store,
        games: PlayableGames,
        *,
        switches_off: bool,
        wired: bool,
    ) -> None:
        self._store = store
        self._games = games
        self._switches_off, self._wired = switches_off, wired
        self._seen: tuple[Parts, View[object]] | None = None
        """What the screens saw last, and what it was made of."""

    def view(self, parts: Parts) -> View[object]:
        """The view of a moment that is made of these."""
        if self._seen is None or differ(self._seen[0], parts):
            self._seen = parts, self._look_round(parts)
        return self._seen[1]

    def _look_round(self, parts: Parts) -> View[object]:
        session, message, stuck, plugged_in, phones = parts
        seats = session.keypads
        return View(
            journal=session.journal,
            games=self._games,
            set_up=SET_UP,
            settings=session.settings,
            names=session.names,
            won=session.won,
            message=message,
            game_number=session.number,
            newest_game=session.newest,
            evening=session.evening,
            game_after=session.game_after,
            stuck=stuck,
            switches_off=self._switches_off,
            evening_games=lambda: session.won.games(session.known, session.journal),
            check_word=lambda: self._check_word(session.number),
            phones=phones,
            keypads={keypad: seats.get(keypad) for keypad in sorted(self._for_seats(plugged_in))},
        )

    def _check_word(self, number: int | None) -> str:
        """Empty where the record can't be read just now."""
        with suppress(StoreError):
            return "" if number is None else self._store.check_word(number)
        return ""

    def _for_seats(self, plugged_in: frozenset[str]) -> frozenset[str]:
        """The keypads that seats may take: on a box without keys a lone number pad is its keys."""
        lone = not self._wired and len(plugged_in) == 1
        return frozenset() if lone and all(map(is_pad, plugged_in)) else plugged_in


def differ(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Whether any of these is another object than before. Most turns of the loop change nothing: a
    contact moves, a key comes up."""
    return any(map(is_not, before, now))
