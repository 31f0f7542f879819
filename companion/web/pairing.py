"""Letting phones in: opening the network, showing the invitation, new codes, the evening's end.

Who may play says one of these, and is answered with texts of their own:

    "invite": true       show me what invites others; where only this machine may come in, let the
                         network in first. Then come {"invite": {"address": "http://192.168.1.7/",
                         "code": "<svg …>", "digits": "0815"}}, and another one when the digits are
                         others; or {"invite": null, "why": "…"}: it can't be opened
    "invite": false      I show it no more
    "keep": true         keep this phone (false: till the evening ends): {"word": "…", "kept": true}
    "newCodes": true     end all that was handed out: {"word": "…", …} for this page; all others
                         are sent away, and have to be let in again
"""

import asyncio
from collections.abc import Callable

from companion.core.clock import BREAK_S
from companion.core.phones import PageWish, Phones
from companion.core.values import Json
from companion.presentation.sayings import say
from companion.web.access import Access, Guard
from companion.web.address import network_address, place, reachable
from companion.web.invitation import Invitation
from companion.web.qr import rows_of, svg_of
from companion.web.viewer import Viewer

BOX = "the box"
"""Who shows the digits on a display."""


class Reception:
    """Belongs to the server's event loop.

    `open_network` makes the page listen everywhere; OSError: it can't. `send_away` ends the visits
    of those whose word is worth nothing any more. `tell_box` gives a display what it shows of this.
    """

    def __init__(
        self,
        guard: Guard,
        port: int,
        open_network: Callable[[], None],
        send_away: Callable[[], None],
        tell_box: Callable[[Phones], None],
    ) -> None:
        self._guard, self._port = guard, port
        self._open_network, self._send_away, self._tell_box = open_network, send_away, tell_box
        self._loop = asyncio.get_running_loop()
        self._invitation = Invitation(guard, self._loop.time)
        self._shows: dict[object, Callable[[], None]] = {}
        """Who shows the invitation, and what shows them another one."""
        self._renewal: asyncio.TimerHandle | None = None
        self._evening: asyncio.TimerHandle | None = None
        self._why = ""

    # ------------------------------------------------------------ pages

    def hear(self, viewer: Viewer, said: Json) -> None:
        """What a page says that may play."""
        if said.get("invite") is True:
            self.open()
            self._show(viewer, lambda: viewer.send(self._invite(viewer)))
        elif "invite" in said:
            self._hide(viewer)
        if isinstance(kept := said.get("keep"), bool):
            words = self._guard.codes.words
            self._give(viewer, words.keep if kept else words.play)
        if said.get("newCodes") is True:
            self.renew_codes(viewer)

    def leave(self, viewer: Viewer) -> None:
        """A page has gone."""
        self._hide(viewer)

    def word(self, digits: object, whose: str, access: Access) -> str | None:
        """The word that the digits stand for which somebody types; see Invitation.word."""
        self.end_evening()
        return self._invitation.word(digits, whose, access)

    def _invite(self, viewer: Viewer) -> Json:
        if not self._guard.open_to_all:
            return {"invite": None, "why": self._why}
        where = reachable(viewer.host, self._port)
        return {
            "invite": {
                "address": f"{where}/",
                "code": svg_of(where, self._guard.codes.words.play),
                "digits": self._invitation.show(viewer),
            }
        }

    def _give(self, viewer: Viewer, word: str) -> None:
        viewer.word = word
        viewer.send({"word": word, "kept": self._guard.is_kept(word)})

    # ------------------------------------------------------------ the box

    def deal_with(self, wish: PageWish) -> None:
        """What somebody at the box wants."""
        match wish:
            case PageWish.SHOW:
                self._show(BOX, self.tell_box)
            case PageWish.HIDE:
                self._hide(BOX)
                self.tell_box()
            case PageWish.OPEN:
                self.open()
                self._show(BOX, self.tell_box)
            case PageWish.NEW_CODES:
                self.renew_codes()

    def tell_box(self) -> None:
        """What a display shows of this now."""
        if not self._guard.open_to_all:
            self._tell_box(Phones(False, why=self._why))
            return
        where = place(network_address(), self._port)
        shown = BOX in self._shows
        self._tell_box(
            Phones(
                True,
                address=where,
                code=rows_of(where, self._guard.codes.words.play) if shown else (),
                digits=self._invitation.show(BOX) if shown else "",
            )
        )

    # ------------------------------------------------------------ what changes

    def open(self) -> None:
        """Lets the network in, if it isn't."""
        if self._guard.open_to_all:
            return
        try:
            self._open_network()
        except OSError as error:
            self._why = say(
                "answer.not-opened", reason=(error.strerror or str(error)).partition(" (")[0]
            )["words"]
        else:
            self._guard.open_to_all, self._why = True, ""
            self.tell_box()

    def renew_codes(self, by: Viewer | None = None) -> None:
        """Ends all that was handed out, but for the page that asks for it."""
        kept = by is not None and self._guard.is_kept(by.word)
        self._guard.codes.renew()
        if by is not None:
            words = self._guard.codes.words
            self._give(by, words.keep if kept else words.play)
        self._others_hold()

    def end_evening(self) -> None:
        """Ends what the evening's word allowed, if the evening is over."""
        if self._guard.codes.end_evening():
            self._others_hold()

    def row_came(self) -> None:
        """From now on it takes a whole break again until the evening is over."""
        if self._evening:
            self._evening.cancel()
        self._evening = self._loop.call_later(BREAK_S + 1, self.end_evening)

    def close(self) -> None:
        """No timer goes on."""
        for timer in (self._evening, self._renewal):
            if timer:
                timer.cancel()

    def _others_hold(self) -> None:
        """Other words hold now."""
        self._send_away()
        self._show_anew()

    # ------------------------------------------------------------ who shows it

    def _show(self, by: object, show: Callable[[], None]) -> None:
        self.end_evening()
        self._shows[by] = show
        show()
        self._renew_in_time()

    def _hide(self, by: object) -> None:
        self._shows.pop(by, None)
        self._invitation.hide(by)

    def _show_anew(self) -> None:
        for show in list(self._shows.values()):
            show()
        self._renew_in_time()

    def _renew_in_time(self) -> None:
        if self._renewal:
            self._renewal.cancel()
            self._renewal = None
        if self._shows and self._guard.open_to_all:
            self._renewal = self._loop.call_later(self._invitation.left_s + 0.1, self._show_anew)
