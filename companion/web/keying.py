"""Entries from a page: previews, proposals to the table's loop, and the answers.

A message of the page may carry one of these:

    "preview": {"id": 3, "deed": "enter", "text": "Red 6-4", "begun": true}
                                     what would that do? `begun`: only the tile was tapped yet
    "propose": {"surface": "phone-k3x…", "run": 1, "number": 7, "game": 4, "tip": "0c9f…",
                "deed": "enter", "at": 0, "text": "Red 6-4", "again": false, "later_turns": 0}
    "became": {"surface": "phone-k3x…", "run": 1, "number": 7}   what became of that proposal? From
                                     a page that doesn't use the surface it changes nothing
    "role": {"name": "seat", "seat": "Anna", "over": false, "device": "k3x…"}     see roles.py
    "decline": 2                     no to the question for consent, see roles.py
    "moved": {"surface": "phone-k3x…", "row": 41}    the chips due since that row were moved

`run`, `game` (0: none) and `tip` are those of the moment that the page shows (broadcast.py). The
values of `deed`, and the `text` that each needs, are in record/requests.py. Answers are texts of
their own:

    {"preview": {"id": 3, …}}                                    see presentation/preview.py
    {"answer": {"surface": "phone-k3x…", "number": 7, "counted": true, "said": {…}}}
    {"role": {"name": "seat", "seat": "Anna", "said": null, "taken": ["Anna", "Ben"]}}
    {"asked": {"number": 2, "said": {…}}}              does this page's seat agree? null: not asked

`counted` is null if that isn't known at the moment. An answer has `again` true if another surface
entered the same a moment ago: a player who really wants to enter it once more proposes it a second
time, with `again`.

The answer to a ruling that needs somebody's consent has `asked` true if other phones are asked: one
of them then proposes it with the question's number as `agrees`. It has `agree` true if the page
itself has to ask: once all have agreed, it proposes the ruling again with `agreed`.

No call here blocks: proposals go on the loop's queue, and answers are sent when they arrive.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from companion.core.budgets import UNANSWERED
from companion.core.errors import EntryError
from companion.core.json_text import PAGE, PROPOSALS, read_whole
from companion.core.seats import Seat
from companion.core.values import Json
from companion.presentation.game import rules_of
from companion.presentation.language import ENGLISH, Language, with_present_names
from companion.presentation.moment import Moment
from companion.presentation.news import PHONE, newest_json
from companion.presentation.preview import preview
from companion.presentation.sayings import say
from companion.record.journal import Journal
from companion.record.requests import (
    NEEDS_NO_GAME,
    RequestContext,
    RequestKind,
    RowRequest,
    row_for,
)
from companion.record.rows import KeptRow, Step
from companion.table.events import (
    Answer,
    ChipsMoved,
    GameMovedOn,
    Inquiry,
    PossibleDuplicate,
    Proposal,
    ProposalAnswer,
    ProposalCounted,
    ProposalId,
    ProposalPending,
    ProposalRefused,
    ProposalVoid,
    Request,
)
from companion.table.snapshot import Snapshot
from companion.web.key_pacing import TooFastError
from companion.web.panels import PageGames, Panels
from companion.web.roles import Agreements, Role, Roles

# ---------------------------------------------------------------- answers
# Puts the loop's answers to a page's proposals into words, as the page gets them.


def answer_json(answer: Answer, snapshot: Snapshot | None, games: PageGames) -> Json:
    """The loop's `answer` in words, as the page gets it. Entries that others made in between are
    described as they are in the game now."""
    journal = snapshot.journal if snapshot else None
    match answer:
        case ProposalCounted():
            return {
                "counted": True,
                "row": answer.row,
                "said": say("answer.counted", row=answer.row),
            }
        case GameMovedOn():
            return {"counted": False, "said": _changed_notice(answer.between, journal, games)}
        case PossibleDuplicate():
            return {
                "counted": False,
                "again": True,
                "said": _duplicate_question(answer.kept, snapshot, games),
            }
        case ProposalRefused():
            return {"counted": False, "said": say("answer.refused", why=answer.why)}
        case ProposalVoid():
            return {"counted": False, "said": say("answer.not-counted")}
        case ProposalPending():
            return {"counted": None, "said": say("answer.only-watching")}
    return {"counted": None, "said": say("answer.not-known", why=answer.why)}


def _duplicate_question(kept: KeptRow, snapshot: Snapshot | None, games: PageGames) -> Json:
    """The question whether the same row should be added a second time: “Again? Ben's phone:
    draws”."""
    journal = snapshot.journal if snapshot else None
    if snapshot is None or journal is None:
        return say("answer.again", news="")
    presentation = games[journal.opened.game].presentation
    newest = newest_json(kept, snapshot.game, journal, snapshot.settings, presentation)
    return say("answer.again", news=newest["said"]["words"] if newest else "")


def _changed_notice(
    between: tuple[KeptRow, ...], journal: Journal[object] | None, games: PageGames
) -> Json:
    """The notice about rows that were added in between: “Anna lays 6-3: look again”."""
    rows = [kept.row for kept in between]
    steps = [row for row in rows if isinstance(row, Step)]
    entries = [entry for row in steps for entry in row.entries]
    if journal is None or not entries or len(steps) < len(rows):
        return say("answer.look-again-changed")
    presentation, states = games[journal.opened.game].presentation, {}
    for place, entry, state in journal.newest_first():
        if place < journal.length - len(entries):
            break
        states[place] = presentation.describe_entry(entry, state)["words"]
    said = [states[place] for place in sorted(states)]
    return say("answer.look-again", entries=said) if said else say("answer.look-again-changed")


# ---------------------------------------------------------------- keying

MOST_SEATS: Final = 16
"""The most seats that turns may move by: no table has more."""
LONGEST_DEVICE: Final = 40
"""The most characters of the name that a page gives for the phone it is on."""


_log = logging.getLogger("asyncio")


class MalformedError(ValueError):
    """A message that our pages never send."""


class PageKeying:
    """Handles the entries of one page. All methods run in the server's event loop, except that
    answers arrive in the thread of the table's loop. `put` puts requests on the queue of the
    table's loop, `newest_snapshot` returns the newest snapshot, `roles` decides who may key what,
    `agreements` who has to agree to it. `wake` is called when there is something to send; `read`
    reads the unfinished games. `plays`: whether the page may key at all. `games` are those of the
    catalog. Answers are in the page's `language`; `spoken` is the table's."""

    def __init__(
        self,
        put: Callable[[Request], None],
        newest_snapshot: Callable[[], Snapshot | None],
        roles: Roles,
        wake: Callable[[], None],
        read: Callable[[], list[Json]] = list,
        *,
        agreements: Agreements,
        plays: bool,
        games: PageGames,
        language: Language = ENGLISH,
        spoken: Language = ENGLISH,
        device: str = "",
    ) -> None:
        self._put, self._newest_snapshot, self._wake = put, newest_snapshot, wake
        self._roles, self._role = roles, roles.add_page(wake, plays=plays, device=device)
        self._agreements = agreements
        self._shown_question: Json | None = None
        self._games, self._language = games, language
        self._panels = Panels(
            newest_snapshot, wake, read, games, language, plays=plays, spoken=spoken
        )
        self._loop = asyncio.get_running_loop()
        self._unanswered = 0
        self._answers: deque[Json] = deque()
        self._preview_request: tuple[int, RowRequest, bool] | None = None
        """The newest preview that the page has requested; earlier ones are obsolete."""

    def handle_message(self, message: Json) -> None:
        """Handles everything in a message that is about keying or panels. Raises ValueError if it
        can't be understood, TooFastError if the page asks too much at once."""
        if "panel" in message:
            self._panels.handle_message(_require_object(message["panel"]))
        if "role" in message:
            self._take_role(_require_object(message["role"]))
        if "preview" in message:
            asked = _require_object(message["preview"])
            begun = asked.get("begun") is True
            self._preview_request = _require_whole(asked.get("id")), _read_row_request(asked), begun
            self._wake()
        if "propose" in message:
            self._propose(_require_object(message["propose"]))
        if "decline" in message:
            self._agreements.decline(
                self._role, _require_whole(message["decline"]), self._newest_snapshot()
            )
        if "moved" in message:
            self._note_chips_moved(_require_object(message["moved"]))
        if "became" in message:
            identity = _read_identity(_require_object(message["became"]))
            theirs = not self._roles.may_use_surface(self._role, identity.surface)
            self._send_request(Inquiry(identity, only_looks=theirs))

    def pending_messages(self) -> Iterator[str]:
        """The texts to send to the page now."""
        if role := self._roles.role_message(self._role):
            yield self._reader_language.json({"role": role})
        asked = self._agreements.question_message(self._role, self._newest_snapshot())
        if asked != self._shown_question:
            self._shown_question = asked
            yield self._reader_language.json({"asked": asked})
        yield from self._panels.pending_messages()
        while self._answers:
            yield self._reader_language.json({"answer": self._answers.popleft()})
        if self._preview_request is not None:
            (number, request, begun), self._preview_request = self._preview_request, None
            preview = {"id": number, "refused": None, **self._preview(request, begun)}
            yield self._reader_language.json({"preview": preview})

    @property
    def _reader_language(self) -> Language:
        """The page's language, with people's current names."""
        snapshot = self._newest_snapshot()
        return (
            with_present_names(self._language, snapshot.journal, snapshot.known)
            if snapshot
            else self._language
        )

    def leave(self) -> None:
        """Gives up the role of a page that has gone."""
        self._roles.remove_page(self._role, self._newest_snapshot())

    def _take_role(self, wanted: Json) -> None:
        role, seat = Role(wanted.get("name")), wanted.get("seat")
        device = wanted.get("device")
        self._role.device = device[:LONGEST_DEVICE] if isinstance(device, str) else ""
        if role is not Role.SEAT:
            self._roles.take_role(
                self._role, role, None, over=False, snapshot=self._newest_snapshot()
            )
        elif isinstance(seat, str):
            over = wanted.get("over") is True
            self._roles.take_role(
                self._role, role, Seat(seat), over=over, snapshot=self._newest_snapshot()
            )
        else:
            raise MalformedError("which seat?")

    def _propose(self, message: Json) -> None:
        if "agrees" in message:
            self._confirm_ruling(_require_whole(message["agrees"]), _read_identity(message))
            return
        proposal, snapshot = _read_proposal(message, self._role.seat), self._newest_snapshot()
        if why := self._roles.refusal(self._role, proposal, snapshot):
            self._queue_answer(proposal.identity, {"counted": False, "said": why})
            return
        self._check_surface(proposal.identity.surface)
        proposal, asks = self._agreements.ask(self._role, proposal, snapshot)
        if asks is None:
            self._send_request(proposal)
        else:
            self._queue_answer(proposal.identity, {"counted": False, **asks})

    def _note_chips_moved(self, message: Json) -> None:
        """Notifies the loop that the chips due at this moment were moved."""
        moved = ChipsMoved(_read_surface(message), _require_whole(message.get("row")))
        if self._role.role is not Role.WATCHER:
            self._check_surface(moved.surface)
            self._put(Request(moved, lambda _: None))

    def _check_surface(self, surface: str) -> None:
        """Raises MalformedError unless the page may use that surface."""
        if not self._roles.may_use_surface(self._role, surface):
            raise MalformedError("another page speaks for that surface")

    def _confirm_ruling(self, number: int, identity: ProposalId) -> None:
        """Proposes the ruling to which this phone has agreed on another phone's request, or answers
        that the question has expired."""
        proposal = self._agreements.agree(self._role, number, identity, self._newest_snapshot())
        if proposal is not None:
            self._check_surface(identity.surface)
            self._send_request(proposal)
        else:
            self._queue_answer(identity, {"counted": False, "said": say("answer.not-asked")})

    def _queue_answer(self, identity: ProposalId, answer: Json) -> None:
        named = {"surface": identity.surface, "number": identity.number}
        self._answers.append({**named, **answer})
        self._wake()

    def _send_request(self, what: Proposal | Inquiry) -> None:
        if self._unanswered >= UNANSWERED.most:
            raise TooFastError("too much is asked at once")
        self._unanswered += 1
        self._put(Request(what, self._answer_from_loop))

    def _answer_from_loop(self, answered: ProposalAnswer) -> None:
        """Passes an answer from the loop's thread to the server, if that is still running."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._handle_answer, answered)

    def _handle_answer(self, answered: ProposalAnswer) -> None:
        self._unanswered -= 1
        snapshot = self._newest_snapshot()
        answer = answer_json(answered.answer, snapshot, self._games)
        self._queue_answer(answered.identity, answer)

    def _preview(self, request: RowRequest, begun: bool) -> Json:
        snapshot = self._newest_snapshot()
        if snapshot is None or (snapshot.journal is None and request.kind not in NEEDS_NO_GAME):
            return {"refused": say("asks.game")}
        try:
            row = row_for(
                request, RequestContext(snapshot.journal, snapshot.game, rules_of(self._games))
            )
            moment = Moment(
                self._games, snapshot.journal, snapshot.row, snapshot.game, snapshot.settings
            )
            return {"tip": snapshot.tip.hex(), **preview(moment, row, tapped=begun)}
        except EntryError as refused:
            return {"refused": say("answer.refused", why=refused.why)}
        except Exception:
            # A fault of ours must not end the page: a preview decides nothing, only the loop does.
            _log.exception("what is keyed can't be previewed")
            return {"told": []}


# ---------------------------------------------------------------- parsing messages


def _require_object(value: object) -> Json:
    if not isinstance(value, dict):
        raise MalformedError("not an object")
    return value


def _read_identity(message: Json) -> ProposalId:
    """The key that identifies the proposal in a message. Raises MalformedError."""
    number = _require_whole(message.get("number"), PROPOSALS)
    return ProposalId(_read_surface(message), _require_whole(message.get("run")), number)


def _read_surface(message: Json) -> str:
    """The surface that a message names: the phone or page that made an entry. Raises
    MalformedError."""
    surface = message.get("surface")
    if not isinstance(surface, str) or not surface.startswith(PHONE):
        raise MalformedError("a page's surface is a phone")
    return surface


def _read_proposal(message: Json, seat: Seat | None) -> Proposal:
    """The proposal in a message of the page of `seat`. Raises ValueError."""
    request, tip = _read_row_request(message), message.get("tip")
    if not isinstance(tip, str):
        raise MalformedError("not a proposal")
    identity, game, again = (
        _read_identity(message),
        _require_whole(message.get("game")),
        message.get("again") is True,
    )
    agreed = () if message.get("agreed") is True else None
    wanted = request.text, request.kind, request.at, again, request.later_turns, agreed
    return Proposal(identity, seat, game, bytes.fromhex(tip), *wanted)


def _read_row_request(message: Json) -> RowRequest:
    """The row that a message requests. Raises ValueError."""
    text, turns = message.get("text", ""), message.get("later_turns", 0)
    if not isinstance(text, str):
        raise MalformedError("not a text")
    if not isinstance(turns, int) or isinstance(turns, bool) or abs(turns) > MOST_SEATS:
        raise MalformedError("turns don't move so far")
    return RowRequest(
        RequestKind(message.get("deed", "enter")), text, _require_whole(message.get("at", 0)), turns
    )


def _require_whole(value: object, allowed: range = PAGE) -> int:
    try:
        return read_whole(value, allowed)
    except ValueError as error:
        raise MalformedError("not a number") from error
