"""The page of one evening, which can also be printed: its games with their races, the number of
wins, the figures, and the marked entries, each with a drawing of the table."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.core.html import Html, between, element, joined
from companion.core.seats import display_name
from companion.core.values import dataclass
from companion.core.words import isolated, phrase
from companion.players.exports import bg_stats_link
from companion.players.history import PlayedEvening, PlayersHistory
from companion.players.pages.document import (
    bar,
    document,
    figure_tables,
    link_to_all,
    link_to_evening,
    link_to_game,
    link_to_player,
    link_to_table,
    section,
    table,
)
from companion.players.player_figures import Selection, figures_of, games_words, players_of
from companion.players.statistics import CountedGame, GameResult
from companion.presentation.dates import date_words
from companion.presentation.drawing.race import draw_race
from companion.presentation.drawing.svg import Paper
from companion.presentation.game import PresentedGames
from companion.presentation.language import ENGLISH, Language
from companion.presentation.moment import Moment, describe, stars_by_place
from companion.record.fold import Fold
from companion.record.journal import Journal
from companion.record.people.people import People, without_hidden
from companion.record.settings import Star, stars_of
from companion.record.store.reader import Reader

# ---------------------------------------------------------------- drawings


RACE_HEIGHT = 190.0
PAPER = Paper(16, 9)
"""The shape of the drawing of the table at a marked entry."""
MAX_CACHED_GAMES = 60
"""The most games whose pictures stay in memory."""


@dataclass(frozen=True, slots=True)
class MarkedEntry:
    """A marked entry: its place, its sentence (`said`), sentences about its outcome (`more`), and a
    `drawing` of the table after it (None if nothing can be drawn)."""

    game: int
    hand: int
    entry: int
    said: str
    more: tuple[str, ...]
    drawing: Html | None


@dataclass(frozen=True, slots=True)
class GameDrawings:
    """The race of a game, and its marked entries that are still valid."""

    race: Html
    marked: tuple[MarkedEntry, ...] = ()


DrawnFrom = tuple[bytes, People, frozenset[Star], str]
"""The data that a game's pictures depend on: the hash of its last row, the people with their names,
its stars, and the name of the language."""


class EveningDrawings:
    """The pictures of a record's games. Replaying a game takes long, so the pictures of recently
    viewed games stay in memory until something changes."""

    def __init__(self, games: PresentedGames) -> None:
        self._games = games
        self._known: dict[int, tuple[DrawnFrom, GameDrawings | None]] = {}

    def draw(
        self,
        reader: Reader,
        numbers: Collection[int],
        people: People,
        language: Language = ENGLISH,
    ) -> dict[int, GameDrawings]:
        """The pictures of these games, by their numbers, in that language; games that can't be
        shown are left out. Raises StoreError."""
        stars: dict[int, set[Star]] = {}
        for star in stars_of(reader.settings()):
            stars.setdefault(star.game, set()).add(star)
        found = dict[int, GameDrawings]()
        for number in sorted(numbers):
            marked = frozenset(stars.get(number, ()))
            made_of = reader.tip(number), people, marked, language.name
            known = self._known.pop(number, None)
            if known is None or known[0] != made_of:
                known = made_of, _draw_game(reader, self._games, number, made_of, language)
            self._known[number] = known
            if known[1] is not None:
                found[number] = known[1]
        while len(self._known) > max(MAX_CACHED_GAMES, len(numbers)):
            del self._known[next(iter(self._known))]
        return found


def _draw_game(
    reader: Reader,
    games: PresentedGames,
    number: int,
    made_of: DrawnFrom,
    language: Language,
) -> GameDrawings | None:
    _, people, stars, _ = made_of
    kept = reader.fold(number)
    journal = without_hidden(reader, kept, people).journal
    if kept.journal is None or journal is None or not journal.length:
        return None
    race = Html(draw_race(journal, language, height=RACE_HEIGHT))
    marked = _marked_entries(kept, games, journal, stars, replace(PAPER, language=language))
    return GameDrawings(race, tuple(marked) if stars else ())


def _marked_entries(
    kept: Fold,
    games: PresentedGames,
    shown: Journal[object],
    stars: Collection[Star],
    paper: Paper,
) -> Iterator[MarkedEntry]:
    """The marked entries. The stars refer to entries of the `kept` game; the words come from the
    game as it is `shown`."""
    assert kept.journal is not None, "a game that is drawn is there"
    number = kept.number
    moment = Moment(games, shown, None, number)
    nothing = moment.presentation.draw(shown.start, paper, stand_alone=False)
    places = stars_by_place(kept.journal, number)
    for place in sorted(place for place, star in places.items() if star in stars):
        told = describe(moment, place + 1, 1)["latest"][0]
        why = [told["why"]["words"]] if told["why"] else []
        paid = [payment["said"]["words"] for payment in told["payments"]]
        drawn = moment.presentation.draw(shown.states[place], paper, stand_alone=False)
        drawing = None if drawn is None or drawn == nothing else Html(drawn)
        said = told["said"]["words"]
        yield MarkedEntry(number, told["hand"], place + 1, said, (*why, *paid), drawing)


# ---------------------------------------------------------------- the page


ANCHOR = "games"
LOOKS = ("/drawing.css", "/win.css")
"""The style sheets for races and for drawings of the table."""
HALF_A_PAGE = 4
"""The most players whose figures of a game fit in half the width of a sheet of paper."""


def evening_page(
    number: int, history: PlayersHistory, titles: Mapping[str, str], now: float | None,
    draw: Callable[[Collection[int]], Mapping[int, GameDrawings]],
) -> str | None:  # fmt: skip
    """The page of the evening on which game `number` was played; None if there is none. `draw`
    returns the pictures of the games with the given numbers."""
    found = history.evenings
    place = next((at for at, one in enumerate(found) if number in one.numbers), None)
    if place is None:
        return None
    evening = found[place]
    title, heading = _title(evening, now)
    pictures = draw(evening.numbers)
    parts = [
        _intro(evening, history),
        _wins_table(evening, history),
        _games_section(evening, history, titles, pictures),
        _marked_section([one for each in pictures.values() for one in each.marked]),
        *_figure_sections(evening, history, titles, now),
    ]
    ways = [link_to_table(), link_to_all()]
    if place > 0:
        ways.append(link_to_evening(found[place - 1].number, phrase("The evening before")))
    if place + 1 < len(found):
        ways.append(link_to_evening(found[place + 1].number, phrase("The evening after")))
    return document(title, *parts, ways=ways, heading=heading, looks=LOOKS if pictures else ())


def _title(evening: PlayedEvening, now: float | None) -> tuple[str, Html]:
    """The page's title and its heading. Printed on paper, the heading always includes the year."""
    when = date_words(evening.began_at, now)
    if when is None:
        title = phrase("An evening, date unknown")
        return title, joined(title)
    title, whole = (
        phrase("The evening of {day}", day=one)
        for one in (when, date_words(evening.began_at, None))
    )
    if whole == title:
        return title, joined(title)
    on_paper = element("span", whole, class_="on-paper")
    return title, joined(element("span", title, class_="unprinted"), on_paper)


def _intro(evening: PlayedEvening, history: PlayersHistory) -> Html:
    names = players_of(evening.games, history.people)
    who = [link_to_player(name) for name in names]
    games = games_words(len(evening.games))
    printed = element(
        "span", phrase(" Print this page for the evening's sheet."), class_="unprinted"
    )
    return element(
        "p", *([between(", ", *who), ": "] if who else []), games, ".", printed, class_="lead"
    )


def _wins_table(evening: PlayedEvening, history: PlayersHistory) -> Html:
    wins = evening.wins(history.people)
    if not wins:
        return Html()
    most = max(1, *wins.values())
    rows = (
        [link_to_player(player), str(number), bar(number, number, most)]
        for player, number in wins.items()
    )
    header = [phrase("Player"), phrase("Games won"), ""]
    return section(phrase("Won"), table(header, rows, phrase("Won")), anchor="won")


def _games_section(
    evening: PlayedEvening,
    history: PlayersHistory,
    titles: Mapping[str, str],
    pictures: Mapping[int, GameDrawings],
) -> Html:
    """The games, each with its race and its scores: the winners first, then the others by
    points."""
    lines = []
    for game in evening.games:
        drawn = pictures.get(game.number)
        race = drawn.race if drawn else Html()
        lines.append(element("li", *_game_with_scores(game, history, titles), race))
    return section(phrase("Games"), element("ul", *lines, class_="games chart"), anchor=ANCHOR)


def _game_with_scores(
    game: CountedGame, history: PlayersHistory, titles: Mapping[str, str]
) -> Iterator[Html]:
    yield link_to_game(game.number)
    yield element("span", titles[game.game])
    sides = game.sides or tuple((seat,) for seat in game.seats)
    # Winners come first, then the others by points.
    sides = tuple(sorted(sides, key=lambda one: (one[0] not in game.winners, -game.scores[one[0]])))
    people = history.people
    scores = []
    for side in sides:
        names = [
            isolated(display_name(people.name_of(seat)))
            for seat in side
            if not people.is_hidden(seat)
        ]
        won = side[0] in game.winners
        words = phrase("{seat} {score}", seat=" & ".join(names), score=game.scores[side[0]])
        if names:
            scores.append(element("b" if won else "span", words, class_="won" if won else None))
    left = {
        GameResult.OPEN: phrase("left unfinished"),
        GameResult.ENDED: phrase("ended early"),
    }.get(game.result)
    doubtful = [phrase("some of its entries are lost")] if game.doubtful else []
    scores += [element("i", words) for words in ([left] if left else []) + doubtful]
    yield element("span", between(", ", *scores), class_="wins")
    if link := bg_stats_link(game, titles[game.game], people):
        yield element("a", "BG Stats", href=link, class_="unprinted", rel="noreferrer")


def _marked_section(found: Sequence[MarkedEntry]) -> Html:
    if not found:
        return Html()
    lines = (
        element(
            "li",
            link_to_game(
                one.game,
                phrase("Game {number}, hand {hand}", number=one.game, hand=one.hand),
                one.entry,
            ),
            element("b", one.said),
            element("span", between(" · ", *one.more), class_="quiet"),
            one.drawing or Html(),
        )
        for one in found
    )
    title = phrase("Moments to remember")
    return section(title, element("ul", *lines, class_="stars"))


def _figure_sections(
    evening: PlayedEvening, history: PlayersHistory, titles: Mapping[str, str], now: float | None
) -> Iterator[Html]:
    """The figures of each kind of game, its players side by side."""
    selection = Selection(numbers=evening.numbers)
    tells = history.games_showing_uncalled(now)
    found = [
        one
        for player in players_of(evening.games, history.people)
        for one in figures_of(
            player,
            evening.games,
            history.people,
            selection,
            history.statistics,
            uncalled_shown_in=tells,
        )
    ]
    for kind in evening.kinds:
        of_kind = [one for one in found if one.game == kind]
        if of_kind:
            header = [link_to_player(one.player) for one in of_kind]
            figures = figure_tables(of_kind, header, f"#{ANCHOR}", titles[kind])
            half = "half" if len(of_kind) <= HALF_A_PAGE else None
            yield section(titles[kind], *figures, anchor=kind, class_=half)
