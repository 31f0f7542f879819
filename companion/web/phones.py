"""Gives phones access, and lets their players take seats.

Phones get access with an invitation and its digits, after the page was opened to the network.
Access ends with new codes or with the evening.

A page that may play sends one of these, and is answered with texts of their own:

    "invite": true       show me an invitation for others; if only this machine has access, open
                         the page to the network first. Answered by {"invite":
                         {"address": "http://192.168.1.7/", "code": "<svg …>", "digits": "0815"}},
                         and by another one whenever the digits change; or by
                         {"invite": null, "why": "…"}: it can't be opened
    "invite": false      I no longer show it
    "keep": true         keep this phone (false: for this evening): {"word": "…", "kept": true}
    "letIn": "k3x…"      let in the TV that shows this name as a code to scan: instead of a hello it
                         sends {"n": 0, "waits": "k3x…"} until it gets the watch code
    "newCodes": true     end all access codes: this page gets {"word": "…", …}; all others
                         are closed, and need a new code

An invitation is an address as a code to scan, and four digits, which can be typed at the address
without a code. The page where the digits are typed decides what they allow: a TV only watches.
Digits are valid while they are shown somewhere, for at most two minutes, or a quarter of an hour
while people sit down; then new ones are shown. Each address has five tries, and all addresses
together have twenty; after that no digits are accepted until new ones are shown.

Sitting down: the page on which somebody starts a game manages the seats, and sends them whenever
they change. Each seat has a colour, even if it is free:

    "sitting": {"game": "High Five", "seats": ["Anna", ""], "colours": ["Red", "Blue"],
                "names": ["Anna", "Ben"], "clockwise": true}
    "sitting": null                         nobody sits down any more

All other pages that play get this message, with the `palette` of colours to choose from, and may
request a free seat: `"sit": {"place": 1, "name": "Ben"}`, with `"colour": "Green"` if one was
chosen, with the place null for any free one, and with `"was": "Bne"` if the name is corrected. The
first page gets this as `{"sit": …}`, and decides. With `"me": false` a name that somebody else has
at the table is answered by `{"taken": "Ben"}`; `"me": true` confirms that it is the same person. A
TV that wants the `seats` gets the same without the list of known names, and an
invitation, which it shows until all seats are taken; so does the box. None of this is stored; the
row that starts a game has the seats."""

import asyncio
import hmac
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from companion.core.box_page import PageRequest, Phones
from companion.core.budgets import ALL_GUESSES, GUESSES, TVS
from companion.core.clock import BREAK_S, Clock
from companion.core.json_text import SEATS, is_whole
from companion.core.seats import COLOUR_NAMES, display_name
from companion.core.values import Json
from companion.presentation.sayings import say
from companion.web.access import CODE_PATTERN, Access, AccessRules
from companion.web.address import network_address, page_url, qr_rows, qr_svg, qr_svg_file
from companion.web.behind_proxy import address_for_others
from companion.web.panels import LONGEST_NAME, MOST_PLAYERS, MOST_SEATS, palette
from companion.web.viewer import Viewer

BOX = "the box"
"""The key for the box's own display among the places that show the digits."""
VALID_S: Final = 120.0
SITTING_S: Final = 900.0
"""Seconds for which digits are valid while people sit down; the number of allowed tries stays the
same."""


class Invitation:
    """The digits that are shown now, if any. `clock` gives monotonic seconds."""

    def __init__(self, access_rules: AccessRules, clock: Clock) -> None:
        self._access_rules, self._clock = access_rules, clock
        self._digits, self._until, self._valid_s = "", 0.0, VALID_S
        self._tries: Counter[str] = Counter()
        self._shown_by: set[object] = set()

    def show(self, by: object) -> str:
        """Returns the present digits if they are still valid, else new ones, and registers that
        `by` shows them."""
        self._shown_by.add(by)
        now = self._clock()
        if now >= self._until or self._tries.total() >= ALL_GUESSES.most:
            self._digits, self._until = f"{secrets.randbelow(10_000):04}", now + self._valid_s
            self._tries.clear()
        return self._digits

    def hide(self, by: object) -> None:
        """Registers that `by` no longer shows the digits; they expire when they are shown
        nowhere."""
        self._shown_by.discard(by)
        if not self._shown_by:
            self._until = 0.0

    def set_sitting(self, sitting: bool) -> None:
        """Registers whether people are sitting down."""
        self._valid_s = SITTING_S if sitting else VALID_S
        now = self._clock()
        if now < self._until:
            end = now + self._valid_s
            self._until = end if sitting else min(self._until, end)

    @property
    def left_s(self) -> float:
        return max(self._until - self._clock(), 0.0)

    def code_for_digits(self, digits: object, address: str, access: Access) -> str | None:
        """The access code that the digits give for `access`. None if they are wrong or have
        expired, or if that `address`, or all addresses together, have used up their
        tries."""
        if self._clock() >= self._until or self._tries[address] >= GUESSES.most:
            return None
        if self._tries.total() >= ALL_GUESSES.most:
            return None
        typed = digits.encode(errors="replace") if isinstance(digits, str) else b""
        if not hmac.compare_digest(typed, self._digits.encode()):
            self._tries[address] += 1
            if self._tries.total() >= ALL_GUESSES.most:  # no more tries until new digits are shown
                self._until = min(self._until, self._clock() + VALID_S)
            return None
        words = self._access_rules.codes.current
        return words.play if access is Access.PLAY else words.watch


class Pairing:
    """Gives phones access. Belongs to the server's event loop. `open_network` makes the page listen
    on all networks, or raises OSError. `send_away` disconnects the pages whose access code is no
    longer valid. `tell_box` is called with the state of the phones for a display."""

    def __init__(
        self,
        access_rules: AccessRules,
        port: int,
        open_network: Callable[[], None],
        send_away: Callable[[], None],
        tell_box: Callable[[Phones], None],
    ) -> None:
        self._access_rules, self.port = access_rules, port
        self._open_network, self._send_away, self._tell_box = open_network, send_away, tell_box
        self._loop = asyncio.get_running_loop()
        self._invitation = Invitation(access_rules, self._loop.time)
        self._displays: dict[object, Callable[[], None]] = {}
        """The pages (or BOX) that show the invitation, each with the function that shows a new one
        there."""
        self._tvs: dict[str, float] = {}
        """Until when each TV may request its access code, in the event loop's seconds, by the name
        that the TV shows."""
        self._renewal: asyncio.TimerHandle | None = None
        self._evening: asyncio.TimerHandle | None = None
        self._why = ""
        self._sitting: tuple[str, ...] | None = None
        """The names on the seats of a game that is about to begin; None if people are not sitting
        down."""

    # ------------------------------------------------------------ pages

    def handle_message(self, viewer: Viewer, message: Json) -> None:
        """Handles a message of a page that may play."""
        if message.get("invite") is True:
            if self._address_for_others(viewer.requested_url) != viewer.requested_url:
                self.open()
            self._show(viewer, lambda: viewer.send(self._invitation_json(viewer)))
        elif "invite" in message:
            self.hide(viewer)
        if isinstance(kept := message.get("keep"), bool):
            words = self._access_rules.codes.current
            self._send_code(viewer, words.keep if kept else words.play)
        if isinstance(tv := message.get("letIn"), str) and CODE_PATTERN.fullmatch(tv):
            self._tvs[tv] = self._loop.time() + VALID_S
            while len(self._tvs) > TVS.most:
                del self._tvs[next(iter(self._tvs))]
        if message.get("newCodes") is True:
            self.renew_codes(viewer)

    def show_invitation_on(self, tv: Viewer) -> None:
        """Shows the invitation on a TV until it leaves, or `hide` is called."""
        self._show(tv, lambda: tv.send(self._invitation_json(tv)))

    def code_for_digits(self, digits: object, address: str, access: Access) -> str | None:
        """The access code for typed digits; see Invitation.code_for_digits."""
        self.end_evening()
        word = self._invitation.code_for_digits(digits, address, access)
        if word is None:
            self._schedule_renewal()
        return word

    def code_for_tv(self, name: object) -> str | None:
        """The watch code for the TV that shows `name`, once a phone has let it in, and None before
        that. The code is returned only once."""
        until = self._tvs.pop(name, 0.0) if isinstance(name, str) else 0.0
        return self._access_rules.codes.current.watch if self._loop.time() < until else None

    def tv_qr_code(self, name: str, requested_url: str) -> bytes:
        """The code, as SVG, with which a phone lets in the TV called `name`; the TV has reached the
        page at the address `requested_url`."""
        return qr_svg_file(f"{self._address_for_others(requested_url)}/TV", name)

    def _address_for_others(self, requested_url: str) -> str:
        return address_for_others(requested_url, self.port, self._access_rules.names)

    def _invitation_json(self, viewer: Viewer) -> Json:
        where = self._address_for_others(viewer.requested_url)
        if not self._access_rules.open_to_all and where != viewer.requested_url:
            return {"invite": None, "why": self._why}
        return {
            "invite": {
                "address": f"{where}/",
                "code": qr_svg(where, self._access_rules.codes.current.play),
                "digits": self._invitation.show(viewer),
            }
        }

    def _send_code(self, viewer: Viewer, code: str) -> None:
        viewer.code = code
        viewer.send({"word": code, "kept": self._access_rules.is_keep_code(code)})

    # ------------------------------------------------------------ the box

    def handle_request(self, request: PageRequest) -> None:
        """Carries out a request from the box."""
        match request:
            case PageRequest.SHOW:
                self._show(BOX, self.tell_box)
            case PageRequest.HIDE:
                self.hide(BOX)
                self.tell_box()
            case PageRequest.OPEN:
                self.open()
                self._show(BOX, self.tell_box)
            case PageRequest.NEW_CODES:
                self.renew_codes()

    def tell_box(self) -> None:
        """Sends the present state of the phones to the box's display."""
        if not self._access_rules.open_to_all:
            self._tell_box(Phones(False, why=self._why))
            return
        where = page_url(network_address(), self.port)
        shows = BOX in self._displays or self._sitting is not None
        self._tell_box(
            Phones(
                True,
                address=where,
                code=qr_rows(where, self._access_rules.codes.current.play) if shows else (),
                digits=self._invitation.show(BOX) if shows else "",
                sitting=self._sitting,
            )
        )

    # ------------------------------------------------------------ changes of access

    def open(self) -> None:
        """Opens the page to the network, unless it is open already."""
        if self._access_rules.open_to_all:
            return
        try:
            self._open_network()
        except OSError as error:
            self._why = say(
                "answer.not-opened", reason=(error.strerror or str(error)).partition(" (")[0]
            )["words"]
        else:
            self._access_rules.open_to_all, self._why = True, ""
            self.tell_box()
            self._renew_invitations()

    def renew_codes(self, by: Viewer | None = None) -> None:
        """Ends all access codes and invitations that were handed out; the requesting page `by` gets
        a new code."""
        kept = by is not None and self._access_rules.is_keep_code(by.code)
        self._access_rules.codes.renew()
        self._tvs.clear()
        if by is not None:
            words = self._access_rules.codes.current
            self._send_code(by, words.keep if kept else words.play)
        self._end_old_codes()

    def end_evening(self) -> None:
        """Replaces the play code if the evening is over, and closes the pages that used it."""
        if self._access_rules.codes.end_evening():
            self._end_old_codes()

    def note_row(self) -> None:
        """Restarts the timer that ends the evening after BREAK_S seconds without a new row."""
        if self._evening:
            self._evening.cancel()
        self._evening = self._loop.call_later(BREAK_S + 1, self.end_evening)

    def set_sitting(self, seats: Iterable[str] | None) -> None:
        """Registers who is sitting down (None if nobody is any more). Meanwhile digits are valid
        for longer, and the box shows them."""
        sits = seats is not None
        if sits is (self._sitting is None):
            self._invitation.set_sitting(sits)
        self._sitting = None if seats is None else tuple(map(display_name, filter(None, seats)))
        self.tell_box()
        self._schedule_renewal()

    def close(self) -> None:
        """Stops the timers."""
        for timer in (self._evening, self._renewal):
            if timer:
                timer.cancel()

    def _end_old_codes(self) -> None:
        """Closes pages whose access code is no longer valid, and shows a new invitation."""
        self._send_away()
        self._renew_invitations()

    # ------------------------------------------------------------ places that show the invitation

    def _show(self, by: object, show: Callable[[], None]) -> None:
        self.end_evening()
        self._displays[by] = show
        show()
        self._schedule_renewal()

    def hide(self, by: object) -> None:
        """Registers that `by`, a page or the box, no longer shows an invitation or has gone."""
        self._displays.pop(by, None)
        self._invitation.hide(by)

    def _renew_invitations(self) -> None:
        for show in list(self._displays.values()):
            show()
        self._schedule_renewal()

    def _schedule_renewal(self) -> None:
        if self._renewal:
            self._renewal.cancel()
            self._renewal = None
        if self._displays and self._access_rules.open_to_all:
            self._renewal = self._loop.call_later(
                self._invitation.left_s + 0.1, self._renew_invitations
            )


# ---------------------------------------------------------------- sitting down
# The seats that players take before a game begins.


LONGEST_TITLE = 40


class Sitting:
    """Shows all pages how people take seats before a game. `viewers` returns all pages; `pairing`
    gives more phones access meanwhile."""

    def __init__(self, viewers: Callable[[], Iterable[Viewer]], pairing: Pairing) -> None:
        self._viewers, self._pairing = viewers, pairing
        self._starter: Viewer | None = None
        self._seats: Json | None = None
        self._names: dict[Viewer, str] = {}
        """The name under which each page has requested a seat."""

    def handle_message(self, viewer: Viewer, message: Json) -> None:
        """Handles a message of a page that may play. Raises ValueError if it can't be
        understood."""
        if "sitting" in message:
            told = message["sitting"]
            if told is not None and not _is_seating(told):
                raise ValueError("nobody can sit down so")
            if told is not None or viewer is self._starter:
                self._tell(viewer, told)
        if "sit" in message:
            asked = message["sit"]
            if not _is_seat_request(asked):
                raise ValueError("there is no such seat")
            if asked.get("me") is False and self._is_taken(viewer, asked["name"]):
                viewer.send({"taken": asked["name"]})
            elif self._starter:
                self._names[viewer] = asked["name"]
                self._starter.send({"sit": asked})

    def _is_taken(self, viewer: Viewer, name: str) -> bool:
        """Whether another page has the name, or it was typed on the page that manages the seats."""
        if self._names.get(viewer) == name:
            return False
        seated = self._seats is not None and name in self._seats["seats"]
        return seated or name in self._names.values()

    def greet(self, viewer: Viewer) -> None:
        """Sends a new page the seats, if people are sitting down."""
        if self._seats is not None:
            self._send(viewer, self._seats, begins=True)

    def leave(self, viewer: Viewer) -> None:
        """Forgets the leaving page, and ends sitting down if it managed the seats."""
        self._names.pop(viewer, None)
        if viewer is self._starter:
            self._tell(viewer, None)

    def _tell(self, starter: Viewer, seats: Json | None) -> None:
        begins = self._seats is None
        self._starter, self._seats = starter if seats is not None else None, seats
        seated = seats["seats"] if seats is not None else ()
        self._names = {page: name for page, name in self._names.items() if name in seated}
        self._pairing.set_sitting(None if seats is None else seats["seats"])
        for one in self._viewers():
            if one is not starter:
                self._send(one, seats, begins=begins)

    def _send(self, viewer: Viewer, seats: Json | None, *, begins: bool) -> None:
        """Sends a page the seats, without the known names unless it plays. A TV also gets the
        invitation when sitting down `begins`."""
        if viewer.seats:
            known = {} if seats is None else {key: seats[key] for key in seats if key != "names"}
            viewer.send({"sitting": known or None})
            if seats is None:
                self._pairing.hide(viewer)
            elif begins:
                self._pairing.show_invitation_on(viewer)
        elif viewer.plays:
            more = {} if seats is None else {"palette": palette(len(seats["seats"]))}
            viewer.send({"sitting": None if seats is None else {**seats, **more}})


def _is_seating(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("game"), str):
        return False
    seats, names, colours = value.get("seats"), value.get("names"), value.get("colours")
    return (
        value.keys() == {"game", "seats", "colours", "names", "clockwise"}
        and len(value["game"]) <= LONGEST_TITLE
        and isinstance(value["clockwise"], bool)
        and _are_names(seats, MOST_SEATS)
        and _are_names(names, MOST_PLAYERS)
        and _are_names(colours, MOST_SEATS)
        and COLOUR_NAMES.issuperset(value["colours"])
        and len(value["colours"]) == len(value["seats"])
    )


def _are_names(names: object, most: int) -> bool:
    return isinstance(names, list) and len(names) <= most and all(map(_is_name, names))


def _is_name(name: object) -> bool:
    return isinstance(name, str) and len(name) <= LONGEST_NAME


def _is_seat_request(value: object) -> bool:
    if not isinstance(value, dict) or not {"place", "name"} <= value.keys():
        return False
    place, name, colour = value["place"], value["name"], value.get("colour")
    return (
        value.keys() <= {"place", "name", "was", "me", "colour"}
        and (place is None or is_whole(place, SEATS))
        and _is_name(name)
        and name.strip() != ""
        and _is_name(value.get("was", ""))
        and isinstance(value.get("me", True), bool)
        and (colour is None or (isinstance(colour, str) and colour in COLOUR_NAMES))
    )
