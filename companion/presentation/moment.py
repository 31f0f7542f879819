"""One moment of a game as one JSON object, for the page, the TV, the command line and other
programs. docs/telling.md describes it; docs/telling.schema.json is its schema.

A pure function from a journal to plain data. The parts that only one game has come from its
presentation (game.py)."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from itertools import cycle, islice, takewhile
from typing import Final

from companion.core.seats import Seat
from companion.core.values import Json, dataclass
from companion.games.game import AnyState, Entry
from companion.games.house_rules import Value
from companion.presentation.corrections import ChipsDue, chips_due_json
from companion.presentation.game import GamePresentation, PresentedGames
from companion.presentation.highlights import BestScores, highlights_json
from companion.presentation.keys import COLLECT
from companion.presentation.news import actor_of, author_json, newest_json, public_change_name
from companion.presentation.payments import payment_json, pieces_json, stock_sentence
from companion.presentation.sayings import SeatsTogether, name_in_words, say
from companion.record.journal import ChangeSummary, Journal
from companion.record.match import MatchGame
from companion.record.rows import TELL_BOGUS, Author, KeptRow
from companion.record.settings import Star, possible_stars, stars_of

# ---------------------------------------------------------------- seats


SIGNS: Final = ("●", "■", "▲", "◆", "★", "✚", "⬟", "♥")
"""Signs that distinguish seats besides their colours. A seat's sign depends on its place in the
game's first turn order (`signs_by_seat`)."""


def signs_by_seat(journal: Journal[object]) -> dict[Seat, str]:
    return dict(zip(journal.begun.seats, cycle(SIGNS), strict=False))


def seats_json(
    journal: Journal[object], state: AnyState, held: Mapping[Seat, int | None]
) -> list[Json]:
    """Returns every seat, in turn order. `held`: the number of tiles to show for each seat; seats
    that are missing there, or have None, show no number."""
    signs, colours, seats = signs_by_seat(journal), journal.seat_colours, list[Json]()
    for seat in state.seats:
        tiles, to_win = held.get(seat), journal.game.to_win(state, seat)
        chips = _chips_json(journal, state, seat)
        seats.append(
            {
                "seat": seat,
                "shown": name_in_words(seat),
                "colour": colours[seat].lower() or None,
                "sign": signs[seat],
                "score": state.scores[seat],
                "to_win": to_win,
                "chips": chips,
                "tiles": tiles,
                "to_move": state.to_move == seat,
                "won": seat in state.winners,
                "labels": {
                    "to_win": None if to_win is None else say("seat.to-win", points=to_win),
                    **_games_won_label(journal, state, seat),
                    "chips": chips and stock_sentence(chips),
                    "tiles": None if tiles is None else _tiles_label(tiles),
                },
            }
        )
    return seats


def _games_won_label(journal: Journal[object], state: AnyState, seat: Seat) -> Json:
    """Returns the label for the games of the match that the seat has won; empty if it won none, or
    there is no match."""
    match = journal.opened.match
    won = match.after(state).won[state.side_of(seat)] if match is not None else 0
    if not won:
        return {}
    return {"games": say("seat.game-won") if won == 1 else say("seat.games-won", games=won)}


def _chips_json(journal: Journal[object], state: AnyState, seat: Seat) -> Json | None:
    found = journal.game.chips(state)
    if found is None:
        return None
    stock = found.stocks[seat]
    pays = found.payee_of(seat)
    return {"points": stock.points, "pieces": pieces_json(stock.home), "pays": pays}


def _tiles_label(number: int) -> Json:
    if number in (0, 1):
        return say("seat.tile" if number else "seat.no-tile")
    return say("seat.tiles", number=number)


# ---------------------------------------------------------------- remembered
# The entries that people have starred, which are listed at a game's end.


def stars_by_place(
    journal: Journal[object], game: int | None, since_hand: int = 0, until: int | None = None
) -> Mapping[int, Star]:
    """Returns the star that would mark each entry, by the entry's place. Covers at least the
    entries of hand `since_hand` and of later hands, up to but not including the place `until`.
    Empty if the game isn't in the record (`game` None)."""
    if game is None:
        return {}
    if until is not None and until < journal.length:
        return _all_stars(journal, game)
    steps = [*takewhile(lambda step: step[2].effect.hand >= since_hand, journal.newest_first())]
    return dict(possible_stars(game, reversed(steps)))


@lru_cache(1)
def _all_stars(journal: Journal[object], game: int) -> Mapping[int, Star]:
    """Returns the stars of all entries. Cached, because a page that shows an earlier moment usually
    needs all of them."""
    return dict(possible_stars(game, [*journal.newest_first()][::-1]))


def earlier_starred(settings: Mapping[str, Value], since: int, game: int) -> list[Json]:
    """Returns the marked entries, in tally form, of the games from `since` (the evening's first) up
    to but not including `game`."""
    found = [star for star in stars_of(settings) if since <= star.game < game]
    found.sort(key=lambda star: (star.game, star.hand))
    return [
        {
            "game": star.game,
            "hand": star.hand,
            "said": say("entry.plain", text=star.entry),
            "why": None,
            "payments": [],
        }
        for star in found
    ]


# ---------------------------------------------------------------- heard
# A moment as sound: for a screen reader, a sentence with what happened and what is expected; for a
# voice at the table, the count and the payments.


def spoken_summary(description: Json) -> Json:
    """Returns the moment's key `sentence`, for screen readers, and its key `aloud`: the count of
    the last entry and who pays whom, None if there are neither. `description`: the moment's JSON
    without these keys."""
    done, asked = [*_sentences_about_last_entry(description)], description["asked"]["words"]
    if done:
        sentence = say("heard.moment", done=done, asked=asked)
    else:
        sentence = say("heard.asked", asked=asked)
    latest = description["latest"][:1]
    said = [one["words"] for entry in latest for one in counts_and_payments(description, entry)]
    return {"sentence": sentence, "aloud": say("heard.aloud", said=said) if said else None}


def _sentences_about_last_entry(description: Json) -> Iterator[str]:
    """Yields the sentences about the last entry, its count, its payments, and a dispute with its
    verdict."""
    for entry in description["latest"][:1]:
        yield entry["said"]["words"]
        if count := count_sentence(description, entry):
            yield count["words"]
        yield from (payment["said"]["words"] for payment in entry["payments"])
        yield from (notice["words"] for notice in entry["notices"])
    claim, ruling = description["claim"], description["ruling"]
    if claim and not ruling:
        yield claim["verdict"]["words"]
        yield claim["evidence"]["words"]
    if ruling:
        yield ruling["said"]["words"]


def counts_and_payments(description: Json, entry: Json) -> Iterator[Json]:
    """Yields the sentences about the entry's count, unless a payment says the same number, and
    about who pays whom."""
    count, payments = count_sentence(description, entry), entry["payments"]
    if count and not payments:
        yield count
    elif count and all(one["points"] != count["parts"]["count"] for one in payments):
        yield say("voice.count", count=count["parts"]["count"])
    yield from (payment["said"] for payment in payments)


def count_sentence(description: Json, entry: Json) -> Json | None:
    """Returns the sentence about the count; None unless `entry` produced one on a line of play."""
    table, why = description["table"], entry["why"]
    if not table or table["kind"] != "line" or not why or "count" not in why["parts"]:
        return None
    return say("heard.count", count=why["parts"]["count"])


# ---------------------------------------------------------------- moment

PlayedStep = tuple[int, Entry, AnyState]
PlayedSteps = list[PlayedStep]

FORMAT: Final = 1
"""The object's version. It rises with changes that programs have to know about."""
LATEST: Final = 24
"""How many of the latest entries the object has."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A game after one of its rows, with everything needed to describe it.

    `row`: the number of the last row of the record that it includes (None if not recorded).
    `number`: the game's number in the record. `settings`: the table's settings. `newest`: the
    record's newest row, if its author is to be named."""

    games: PresentedGames
    journal: Journal[object] | None = None
    row: int | None = None
    number: int | None = None
    settings: Mapping[str, Value] = field(default_factory=dict)
    newest: KeptRow | None = None
    since: int | None = None
    """The number of the first game whose marked entries are listed at the end; None for this game
    only."""
    due: ChipsDue | None = None
    """The chips to move because earlier entries were corrected."""
    taken_over: Seat | None = None
    """The seat that another phone has taken since the newest row, reported as the news; None
    without such a change."""
    earlier: BestScores | None = None
    """The best scores of earlier games of this kind on the same evening; None if not known."""

    @property
    def presentation(self) -> GamePresentation:
        """The presentation of the moment's game, which must exist."""
        assert self.journal is not None, "a moment with a presentation has a game"
        return self.games[self.journal.opened.game].presentation

    @property
    def shows_proof(self) -> bool:
        """Whether the table's settings show a proven bogus play before anybody calls it."""
        return self.settings.get(TELL_BOGUS, "off") != "off"


def describe(moment: Moment, at: int | None = None, latest: int = LATEST) -> Json:
    """Returns the moment as JSON. `at`: describe the earlier moment after that many entries
    instead. `latest`: the most entries to list. Raises IndexError if the game has fewer entries
    than `at`."""
    journal = moment.journal
    found: Json = {"telling": FORMAT, "row": moment.row, "number": moment.number}
    if journal is None:
        found |= NO_GAME | {"asked": say("asks.game")}
        return found | spoken_summary(found)
    steps = _steps_to_list(journal, at, latest)
    state = steps[0][2] if steps else journal.start
    describer = Describer(moment, journal, state)
    effect = state.effect
    found |= NO_GAME | {
        "game": {"name": journal.opened.game, "title": journal.game.title},
        "options": dict(journal.opened.options),
        "entry": steps[0][0] + 1 if steps else 0,
        "entries": journal.length,
        "hand": effect.hand or None,
        "turn": effect.turn,
        # The game's own keys; `held` is part of the seats.
        **{name: value for name, value in describer.of_game.items() if name != "held"},
        "where": describer.where(),
        "match": describer.match(),
        "seats": seats_json(journal, state, describer.of_game.get("held", {})),
        "sides": [list(side) for side in state.sides],
        "asked": describer.asked(now=at is None),
        "latest": describer.latest(steps),
        "highlights": highlights_json(
            journal, _all_steps(journal, at), describer.presentation, moment.earlier
        ),
        "remembered": describer.starred_entries(),
        "undo": None if at else change_json(journal.next_undo),
        "redo": None if at else change_json(journal.next_redo),
        "winners": list(state.winners),
        "finished": state.finished,
        "doubtful_from": journal.losses[0] + 1 if journal.losses else None,
        "news": None if at else describer.news(),
        "chips_to_move": chips_due_json(journal, moment.due) if moment.due and not at else None,
    }  # fmt: skip
    return found | spoken_summary(found)


NO_GAME: Final[Json] = {
    "game": None,
    "options": {},
    "entry": 0,
    "entries": 0,
    "hand": None,
    "turn": None,
    "where": None,
    "match": None,
    "boneyard": None,
    "table": None,
    "claim": None,
    "ruling": None,
    "seats": [],
    "sides": [],
    "asked": None,
    "latest": [],
    "highlights": None,
    "remembered": [],
    "undo": None,
    "redo": None,
    "winners": [],
    "finished": False,
    "doubtful_from": None,
    "sentence": None,
    "aloud": None,
    "news": None,
    "chips_to_move": None,
}
"""Every key of a moment, without a value."""


def _steps_to_list(journal: Journal[object], at: int | None, latest: int) -> PlayedSteps:
    """Returns the entries to list, newest first: place, entry, and the state after it."""
    if at is None:
        return [*islice(journal.newest_first(), latest)]
    if not 0 < at <= journal.length:
        raise IndexError(f"the game has {journal.length} entries: there is no {at}")
    return [*_steps_oldest_first(journal)[max(at - latest, 0) : at][::-1]]


def _all_steps(journal: Journal[object], at: int | None) -> PlayedSteps:
    """Returns all entries up to that number, newest first."""
    return [*journal.newest_first()] if at is None else [*_steps_oldest_first(journal)[:at][::-1]]


@lru_cache(1)
def _steps_oldest_first(journal: Journal[object]) -> tuple[PlayedStep, ...]:
    """Returns all steps, oldest first. Cached, because a page that shows an earlier moment usually
    needs all of them."""
    return (*journal.newest_first(),)[::-1]


@lru_cache(1)
def _authors_oldest_first(journal: Journal[object]) -> tuple[Author | None, ...]:
    return (*journal.authors,)[::-1]


def change_json(what: ChangeSummary | None) -> Json | None:
    """Returns the name of the change that undo or redo would make; None if there is nothing to undo
    or redo."""
    return say("change", text=public_change_name(what)) if what else None


def _match_game_sentence(match: MatchGame) -> Json:
    if match.extra_games:
        return say("match.extra-game", number=match.extra_games)
    return say("match.game", number=match.number, of=match.of)


def _next_match_game_sentence(match: MatchGame) -> Json:
    if match.extra_games:
        return say("match.extra-next", number=match.extra_games)
    return say("match.next", number=match.number, of=match.of)


class Describer:
    """Describes one moment: a state of the journal, or one that would follow it."""

    def __init__(self, moment: Moment, journal: Journal[object], state: AnyState) -> None:
        self._moment, self._journal, self._state = moment, journal, state
        self.presentation = moment.presentation
        self.of_game = self.presentation.moment_json(state)
        """The moment's keys that come from the game (GamePresentation.moment_json)."""
        self._remembered = frozenset(stars_of(moment.settings))

    def where(self) -> Json:
        """Returns the sentence about how far the game has come."""
        hand, boneyard = self._state.effect.hand, self.of_game.get("boneyard")
        if not hand:
            return say("where.start")
        if boneyard is None:
            return say("where.hand", hand=hand)
        return self.presentation.describe_hand(self._state, hand, boneyard)

    def match(self) -> Json | None:
        """Returns the number of this game in its match, the match's score and, once the game is
        over, the next game; None without a match."""
        match, state = self._journal.opened.match, self._state
        if match is None:
            return None
        stands, following = match.after(state), match.next(state) if state.finished else None
        return {
            "number": match.number,
            "of": match.of,
            "target": stands.target,
            "won": {seat: stands.won[state.side_of(seat)] for seat in state.seats},
            "decided": match.decided(state),
            "winners": [*self._match_winners()],
            "level": [*self._match_level()],
            "said": _match_game_sentence(match),
            "next": following and _next_match_game_sentence(following),
        }

    def _match_winners(self) -> tuple[Seat, ...]:
        """Returns the winners of the match that this game decides; () without a match, or if it
        isn't decided."""
        match, state = self._journal.opened.match, self._state
        if match is None or not match.decided(state):
            return ()
        return match.after(state).winner or ()

    def _match_level(self) -> tuple[Seat, ...]:
        """Returns the seats that share the lead once all games of the match are played; () if there
        is a single leader or no match."""
        match = self._journal.opened.match
        level = match.after(self._state).level if match is not None else ()
        return tuple(seat for side in level for seat in side)

    def asked(self, *, now: bool) -> Json:
        """Returns the sentence about what the record waits for; with `now`, also the tiles that
        have to be entered, if there are several."""
        state = self._state
        if self._journal.withdrawn:
            return say("asks.withdrawn")
        if self.of_game.get("claim") and self.of_game["claim"]["open"]:
            return self.presentation.waits_for(self._journal.game, state)
        if won_match := self._match_winners():
            return say("asks.match-over", seats=SeatsTogether(won_match))
        if state.winners and (level := self._match_level()):
            return say("asks.match-level", seats=SeatsTogether(level))
        if state.winners:
            shared = "-shared" if len(state.winners) > 1 else ""
            return say(f"asks.over{shared}", seats=SeatsTogether(state.winners))
        if state.ended is not None:
            return say("asks.ended")
        if now:
            keyed = self.presentation.keys.expected_entry(
                self._journal.game, state, self._moment.settings
            )
            if keyed.asks == COLLECT and keyed.question:
                return keyed.question
        return self.presentation.waits_for(self._journal.game, state)

    def latest(self, steps: PlayedSteps) -> list[Json]:
        """Returns the latest entries with their stars."""
        if not steps:
            return []
        hand = min(after.effect.hand for _, _, after in steps)
        stars = stars_by_place(self._journal, self._moment.number, hand, steps[0][0] + 1)
        return [{**self.entry(*step), "star": self._star_json(step, stars)} for step in steps]

    def _star_json(self, step: PlayedStep, stars: Mapping[int, Star]) -> Json | None:
        place, entry, after = step
        star = stars.get(place)
        if star is None or self.presentation.hides_entry(entry, after, self._state):
            return None
        return {"name": str(star), "on": star in self._remembered}

    def starred_entries(self) -> list[Json]:
        """Returns the marked entries once the game has ended: first those of the evening's earlier
        games."""
        number, journal = self._moment.number, self._journal
        if number is None or not (self._state.winners or self._state.ended is not None):
            return []
        since = number if self._moment.since is None else self._moment.since
        stars = stars_by_place(journal, number)
        marked = [
            {
                "game": number,
                **{name: described[name] for name in ("hand", "said", "why", "payments")},
            }
            for step in reversed([*journal.newest_first()])
            if stars[step[0]] in self._remembered
            for described in [self.entry(*step)]
        ]
        return [*earlier_starred(self._moment.settings, since, number), *marked]

    def news(self) -> Json | None:
        """Returns the change made by the record's newest row and its author, or the seat that
        another phone has taken since."""
        moment = self._moment
        if moment.taken_over is not None and moment.taken_over in self._state.seats:
            said = say("news.taken-over", seat=moment.taken_over)
            return {"row": moment.row, "announced": True, "said": said}
        return newest_json(
            moment.newest, moment.number, self._journal, moment.settings, self.presentation
        )

    def entry(self, place: int, entry: Entry, after: AnyState) -> Json:
        """Returns an entry: its words, points, payments, notices and scores, and who entered it."""
        effect, presentation = after.effect, self.presentation
        hidden = presentation.hides_entry(entry, after, self._state)
        return {
            "at": place + 1,
            "hand": effect.hand,
            "turn": effect.turn,
            "seat": entry.named_seat,
            "entry": None if hidden else str(entry),
            "said": presentation.describe_entry(entry, after, self._state),
            "points": effect.points,
            "why": presentation.describe_reason(entry, after),
            "payments": [payment_json(payment) for payment in effect.payments],
            "notices": [*self._notices_json(after)],
            "scores": dict(after.scores.items()),
            "by": self._author_of(place, entry),
        }

    def _author_of(self, place: int, entry: Entry) -> Json | None:
        """Returns the author of an entry; None if the author is not recorded, or if the entry is
        only a preview."""
        known = _authors_oldest_first(self._journal)
        author = known[place] if place < len(known) else None
        if author is None:
            return None
        return author_json(author, self._moment.settings, actor_of(entry))

    def _notices_json(self, after: AnyState) -> Iterator[Json]:
        presentation, hand = self.presentation, after.effect.hand
        for notice in after.effect.notices:
            if presentation.reveals_holding(notice, hand, self._state):
                continue
            spoils = presentation.is_spoiler(notice, hand, self._state)
            if self._moment.shows_proof or not spoils:
                yield presentation.describe_notice(notice, after)
