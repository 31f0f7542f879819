"""A page with access: what it wants to see, and its messages. Each message is a JSON object;
anything else closes the connection."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from aiohttp import WSMsgType, web

from companion.core.budgets import TABLE_MESSAGES, PageSpending
from companion.core.json_text import PAGE, is_whole, read_json, read_whole
from companion.core.keys import Key
from companion.core.values import Json
from companion.presentation import moment as moment_module
from companion.presentation.drawing.svg import Paper
from companion.presentation.game import PresentedGames, rules_of
from companion.presentation.language import ENGLISH, Language
from companion.presentation.moment import Moment, describe
from companion.record.journal import Journal
from companion.record.tally import play_tally, read_tally
from companion.table.snapshot import Snapshot
from companion.web.broadcast import SHAPES, Broadcast
from companion.web.key_pacing import PressedKeys, TooFastError
from companion.web.keying import PageKeying
from companion.web.voice import CLIPS, WANTED, PageClips, PageVoice

# ---------------------------------------------------------------- messages


CLOSE_WITHIN_S: Final = 1.0
"""Seconds that a page has for closing its connection once it is asked to."""
MALFORMED, NOT_ALLOWED, TOO_MANY = 4400, 4401, 4429
"""Our own codes for closing a connection."""


def read_message(message: Any) -> Json:
    """The JSON object in a message, with its number `n`. Raises ValueError if it is not one."""
    if message.type is not WSMsgType.TEXT:
        raise ValueError("not a text")
    said = read_json(message.data)
    if not isinstance(said, dict) or not is_whole(said.get("n"), PAGE):
        raise ValueError("not a message of the page")
    return dict(said)


def letter_of(message: Json) -> str | None:
    """The letter of a name that a message types; None if there is none. Raises ValueError if it is
    not a single letter."""
    letter = message.get("letter")
    if letter is not None and (not isinstance(letter, str) or len(letter) != 1):
        raise ValueError("not a letter")
    return letter


def move_key(pressed: PressedKeys, message: Json) -> None:
    """Presses or releases a key if the message says so. Raises ValueError if it can't be parsed,
    TooFastError if too many movements wait."""
    if "key" in message:
        key, down = Key(message["key"]), message.get("down")
        if not isinstance(down, bool):
            raise ValueError("down or up?")
        pressed.put(key, down)


def spend(spending: PageSpending, message: Json) -> None:
    """Counts a message against the page's budgets. Raises TooFastError if that budget is used up,
    and ValueError if there is none for such a message."""
    if not spending.spend(message):
        raise TooFastError("too many messages")


# ---------------------------------------------------------------- pages


# ---------------------------------------------------------------- example
# An example evening that plays itself on the first page while nobody plays, for people without
# dominoes.
#
# Its entries are in a tally of the package. A page asks for one moment after another, at its own
# pace, and shows each like those of the table. None of it reaches the record or the loop. The
# example ends once there is a game on the table.


TALLY: Final = Path(moment_module.__file__).with_name("example.tally")
MOST_KEPT: Final = 32
"""How many moments are cached for other pages that watch at the same time."""


class Example:
    """The example evening, played under the rules of `games`."""

    def __init__(self, games: PresentedGames) -> None:
        self._games = games
        self._told: OrderedDict[tuple[int, Paper], Json] = OrderedDict()

    @cached_property
    def _journals(self) -> tuple[Journal[object], ...]:
        """The game after each of the tally's entries; the tally is read when somebody first
        watches."""
        rules = rules_of(self._games)
        tally = read_tally(TALLY.read_text("utf-8"), rules)
        return tuple(one.journal for one in play_tally(tally, rules))

    def moment(self, number: int, paper: Paper) -> Json:
        """The moment after the entry `number`, counted from 1, with its drawing on `paper`, and the
        number of the `last` entry. Raises IndexError if there is no such entry."""
        asked = number, paper
        if asked not in self._told:
            last = len(self._journals)
            if not 0 < number <= last:
                raise IndexError(number)
            moment = Moment(self._games, journal := self._journals[number - 1])
            drawing = moment.presentation.draw(journal.state, paper, stand_alone=False)
            self._told[asked] = {"last": last, "drawing": drawing, "moment": describe(moment)}
            if len(self._told) > MOST_KEPT:
                self._told.popitem(last=False)
        self._told.move_to_end(asked)
        return self._told[asked]


# ---------------------------------------------------------------- viewer

BOX = "box"
PROOF = "proof"
SEATS = "seats"
"""What a page may want to see besides the table. BOX: the box's display. PROOF: the table at the
turn that is called bogus. SEATS: the people who sit down before a game, and how others can."""


class Viewer:
    """A connected page, with what it wants to see and its `language`. `follows`: whether it always
    uses the table's language."""

    def __init__(
        self, page: web.WebSocketResponse, hello: Json, language: Language = ENGLISH
    ) -> None:
        self.page, self.language = page, language
        self.follows = hello.get("follows") is True
        self.news = asyncio.Event()
        self.device = device if isinstance(device := hello.get("device"), str) else ""
        """The name of the phone or computer that the page is on, as the page gives it."""
        self.plays = False
        """Whether this page may press keys and make entries."""
        self.gone = False
        """Whether the page is being closed, as its access code has ended: its messages are ignored,
        and it gets none."""
        self.close_code = NOT_ALLOWED
        """The code with which the page is closed."""
        self.code = ""
        """The access code of the page."""
        self.requested_url = ""
        """The address at which the page has reached this server, without the slash at its end."""
        self._queued: deque[str] = deque()
        self.box, self.shape, self.proof, self.seats = True, "", False, False
        self.voice: PageVoice | None = None
        """The voice of this page; None if it is off."""
        self.set_wants(hello)

    def set_wants(self, message: Json) -> None:
        """Stores what the message says that the page wants to see from now on. Raises ValueError if
        it names anything unknown."""
        if "wants" not in message:
            return
        wants = message["wants"]
        known = isinstance(wants, list) and all(
            isinstance(one, str)
            and (one in (BOX, PROOF, SEATS, CLIPS) or one in SHAPES or one in WANTED)
            for one in wants
        )
        if not known:
            raise ValueError("there is nothing of that kind to be seen")
        self.box = BOX in wants
        self.proof = PROOF in wants
        self.seats = SEATS in wants
        self.shape = next((one for one in wants if one in SHAPES), "")
        self._set_voice(next((WANTED[one] for one in wants if one in WANTED), None), CLIPS in wants)
        self.news.set()

    def _set_voice(self, level: str | None, clips: bool) -> None:
        """Sets the level of the page's voice (None: off), and whether it plays the box's
        `clips`."""
        if level is None:
            self.voice = None
        elif self.voice is None or self.voice.clips is not clips:
            self.voice = PageVoice(level, clips=clips)
        else:
            self.voice.level = level

    def send(self, message: Json) -> None:
        """Queues a message for this page alone."""
        self._queued.append(self.language.json(message))
        self.news.set()

    def queued_messages(self) -> Iterator[str]:
        """The messages that are waiting to be sent."""
        while self._queued:
            yield self._queued.popleft()


class PageContent:
    """The content of all pages: the box's newest picture, and the table. Pages that only watch see
    both during the evening (`live`), and a table without a game before and after it. `files`: the
    folder of the pages' files; `games`: those of the catalog; `language`: used until the table
    chooses one; `clips`: the box's own, for the voices of pages."""

    def __init__(
        self,
        files: Path,
        games: PresentedGames,
        live: Callable[[], bool],
        language: Language = ENGLISH,
        *,
        clips: PageClips | None = None,
    ) -> None:
        self._broadcast = Broadcast(files, games, language, clips=clips)
        self._without_game = Broadcast(files, games, language)
        self._example, self._live = Example(games), live
        self.picture = b""

    def update(self, snapshot: Snapshot) -> None:
        """Receives a new state of the table."""
        self._broadcast.update(snapshot)
        self._without_game.update(snapshot.without_game)

    @property
    def language(self) -> Language:
        return self._broadcast.language

    def snapshot(self, viewer: Viewer) -> Snapshot | None:
        """The table as this viewer may see it; None if nothing is known yet."""
        return self._broadcast_for(viewer).snapshot

    def moment(self, plays: bool) -> Json | None:
        """The newest moment for a viewer who `plays`, or only watches; None if nothing is known
        yet, or it can't be described."""
        return self._broadcast_of(plays).moment()

    def _broadcast_for(self, viewer: Viewer) -> Broadcast:
        return self._broadcast_of(viewer.plays)

    def _broadcast_of(self, plays: bool) -> Broadcast:
        return self._broadcast if plays or self._live() else self._without_game

    def example(self, viewer: Viewer, number: object) -> Json | None:
        """The moment `number` of the example evening, drawn as the viewer wants it; None if there
        is a game on the table, or the viewer wants no drawing. Raises ValueError if there is no
        such moment."""
        wanted = read_whole(number, PAGE)
        snapshot = self.snapshot(viewer)
        if not viewer.shape or snapshot is None or snapshot.journal is not None:
            return None
        try:
            return self._example.moment(
                wanted, replace(SHAPES[viewer.shape], language=viewer.language)
            )
        except IndexError as error:
            raise ValueError("the example has no such moment") from error

    async def send_news(self, viewer: Viewer, keying: PageKeying) -> None:
        """Sends a page the news that it wants, until it leaves; a slow page skips some."""
        sent, sent_text = b"", ""
        with suppress(ConnectionError):
            while not viewer.gone:
                broadcast = self._broadcast_for(viewer)
                seen = viewer.box and self.picture and broadcast is self._broadcast
                if seen and self.picture is not sent:
                    sent = self.picture
                    await viewer.page.send_bytes(sent)
                proof = viewer.proof
                reads = None if viewer.follows else viewer.language
                message = None
                if viewer.shape:
                    message = broadcast.message(viewer.shape, proof=proof, language=reads)
                if message and message is not sent_text:
                    sent_text = message
                    await viewer.page.send_str(sent_text)
                if viewer.voice and (said := broadcast.voice_message(viewer.voice, reads)):
                    await viewer.page.send_str(said)
                for text in (*viewer.queued_messages(), *keying.pending_messages()):
                    await viewer.page.send_str(text)
                await viewer.news.wait()
                viewer.news.clear()


async def listen_to(
    viewer: Viewer,
    keying: PageKeying,
    pressed: PressedKeys,
    type_letter: Callable[[str], bool],
    *,
    example: Callable[[Viewer, object], object],
    let_in: Callable[[Viewer, Json], None],
    club: Callable[[Viewer, Json], None] = lambda _, __: None,
) -> None:
    """Handles all messages of a page, until it leaves or sends one that our pages never send."""
    page, now = viewer.page, asyncio.get_running_loop().time
    spending = PageSpending(TABLE_MESSAGES, now)
    try:
        async for message in page:
            if viewer.gone:
                break
            said = read_message(message)
            spend(spending, said)
            viewer.set_wants(said)
            keying.handle_message(said)
            letter = letter_of(said) if viewer.plays else None
            if viewer.plays and not (letter and type_letter(letter)):
                move_key(pressed, said)
            if viewer.plays:
                let_in(viewer, said)
            club(viewer, said)
            with suppress(ConnectionError):
                if "example" in said and (moment := example(viewer, said["example"])):
                    await page.send_str(viewer.language.json({"example": moment}))
                await page.send_json({"n": said["n"]})
    except ValueError:
        await page.close(code=MALFORMED)
    except TooFastError:
        await page.close(code=TOO_MANY)
