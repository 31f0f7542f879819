"""Figures of players, and the words for them. Each figure states how many plays, hands or games it
was counted over; it has no value if these are too few."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from companion.core.values import dataclass
from companion.core.words import counted, phrase
from companion.players.statistics import (
    MIN_OVER,
    UNCALLED,
    Count,
    CountedGame,
    Definition,
    Denominator,
    MaximumFigure,
    NumberFigure,
    RatioFigure,
    SeatCounts,
    Statistics,
)
from companion.record.people.people import People


@dataclass(frozen=True, slots=True)
class EntryAt:
    """A place in the record: a game and one of its entries, counted from 1."""

    game: int
    entry: int


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a player. `value`: None if `over` is too small; a share is 0 to 1. `over`: the
    number of plays, hands, calls or games that it was counted over; `games`: the games that it
    comes from; `moments`: the entries to which it links, if any."""

    definition: Definition
    value: float | None
    over: int
    games: tuple[int, ...] = ()
    moments: tuple[EntryAt, ...] = ()

    @property
    def name(self) -> str:
        """The figure's name in output for programs."""
        return self.definition.name

    @property
    def denominator(self) -> Denominator:
        """The kind of events that the figure was counted over."""
        return self.definition.denominator

    @property
    def share(self) -> bool:
        """Whether the figure is shown as a percentage."""
        return isinstance(self.definition, RatioFigure) and self.definition.share


@dataclass(frozen=True, slots=True)
class Selection:
    """Which games to include; a field that is None restricts nothing."""

    game: str | None = None
    players: int | None = None
    """The number of seats in the game."""
    since: float | None = None
    """The wall time of the earliest games; if given, games without a date are left out."""
    numbers: frozenset[int] | None = None
    """The numbers of an evening's games."""

    def includes(self, game: CountedGame) -> bool:
        """Whether that game is selected."""
        return (
            game.is_counted
            and self.game in (None, game.game)
            and self.players in (None, len(game.seats))
            and (self.numbers is None or game.number in self.numbers)
            and (self.since is None or (game.begun is not None and game.begun >= self.since))
        )


@dataclass(frozen=True, slots=True)
class SeatInGame:
    """A seat of a player in one game, with what was counted for it."""

    game: CountedGame
    seat: str
    counts: SeatCounts


@dataclass(frozen=True, slots=True)
class MutualPayments:
    """The payments between a player and another in all games that both played."""

    other: str
    won: int
    paid: int
    games: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """A player's figures in one kind of game."""

    player: str
    game: str
    games: tuple[int, ...]
    won: tuple[int, ...]
    """The games won."""
    figures: tuple[Figure, ...]
    against: tuple[MutualPayments, ...] = ()
    combinations: dict[str, int] = field(default_factory=dict)
    plays: int = 0


def players_of(games: Iterable[CountedGame], people: People) -> list[str]:
    """All players who sat in one of these games, in order of appearance."""
    seats = (seat for game in games if game.is_counted for seat in game.seats)
    return list(dict.fromkeys(name for seat in seats if (name := people.player(seat)) is not None))


def played_by(
    player: str, games: Iterable[CountedGame], people: People, selection: Selection
) -> Iterator[SeatInGame]:
    """The seats in which a player sat, in the selected games."""
    for game in games:
        if selection.includes(game):
            for seat in game.seats:
                if people.player(seat) == player:
                    yield SeatInGame(game, seat, game.by_seat[seat])


def figures_of(
    player: str,
    games: Sequence[CountedGame],
    people: People,
    selection: Selection,
    statistics: Mapping[str, Statistics],
    *,
    uncalled_shown_in: frozenset[int] = frozenset(),
) -> list[PlayerFigures]:
    """The figures of a player, one PlayerFigures for each kind of game, by its `statistics`.
    `uncalled_shown_in`: the games whose uncalled bogus plays may be shown, as their evening is over
    and the house rules reveal them."""
    played = list(played_by(player, games, people, selection))
    kinds = dict.fromkeys(one.game.game for one in played)
    return [
        _figures_of_kind(
            player,
            kind,
            [one for one in played if one.game.game == kind],
            people,
            statistics[kind].figures,
            uncalled_shown_in=uncalled_shown_in,
        )
        for kind in kinds
    ]


def _figures_of_kind(
    player: str,
    kind: str,
    played: list[SeatInGame],
    people: People,
    definitions: tuple[Definition, ...],
    *,
    uncalled_shown_in: frozenset[int],
) -> PlayerFigures:
    figures = []
    for definition in definitions:
        open_now = played
        if definition is UNCALLED:
            open_now = [one for one in played if one.game.number in uncalled_shown_in]
            if not open_now:
                continue
        figures.append(_compute_figure(definition, open_now))
    combined: dict[str, int] = {}
    for one in played:
        for name, number in one.counts.combinations.items():
            combined[name] = combined.get(name, 0) + number
    return PlayerFigures(
        player,
        kind,
        _game_numbers(played),
        _game_numbers([one for one in played if one.seat in one.game.winners]),
        tuple(figures),
        tuple(_payments_with_others(player, played, people)),
        combined,
        _sum_counts(played, Count.PLAYS),
    )


def _game_numbers(played: Iterable[SeatInGame]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(one.game.number for one in played))


def _sum_counts(played: Iterable[SeatInGame], *counts: Count) -> int:
    return sum(one.counts[count] for one in played for count in counts)


def _compute_figure(definition: Definition, played: list[SeatInGame]) -> Figure:
    match definition:
        case RatioFigure():
            return _compute_ratio(definition, played)
        case NumberFigure():
            over = _sum_counts(played, *definition.over)
            number = _sum_counts(played, definition.counted)
            moments = tuple(
                EntryAt(one.game.number, entry)
                for one in played
                for entry in one.counts.moments.get(definition.counted, ())
            )
            value = float(number) if over >= MIN_OVER[definition.denominator] else None
            if value is None:
                moments = ()
            return Figure(definition, value, over, _game_numbers(played), moments)
        case MaximumFigure():
            return _find_highest(definition, played)


def _compute_ratio(definition: RatioFigure, played: list[SeatInGame]) -> Figure:
    by = _sum_counts(played, definition.over)
    over = _sum_counts(played, Count.OPEN_PLAYS) if definition.over is Count.OPEN_BEST else by
    enough = over >= MIN_OVER[definition.denominator] and by > 0
    value = _sum_counts(played, definition.counted) / by if enough else None
    games = _game_numbers([one for one in played if one.counts[definition.over]])
    return Figure(definition, value, over, games)


def _find_highest(definition: MaximumFigure, played: list[SeatInGame]) -> Figure:
    """The highest value of this kind in these games; of equal ones, the first."""
    over = _sum_counts(played, Count.PLAYS)
    tops = [(one, top) for one in played if (top := one.counts.tops.get(definition.best))]
    if not tops or over < MIN_OVER[Denominator.PLAYS]:
        return Figure(definition, None, over)
    one, top = max(tops, key=lambda each: each[1].value)
    moment = EntryAt(one.game.number, top.entry)
    return Figure(definition, float(top.value), over, (one.game.number,), (moment,))


def _payments_with_others(
    player: str, played: list[SeatInGame], people: People
) -> Iterator[MutualPayments]:
    """The payments between the player and each other player, in the others' order of appearance;
    payments between two seats of the same person don't count."""
    won: dict[str, int] = {}
    paid: dict[str, int] = {}
    games: dict[str, list[SeatInGame]] = {}
    for one in played:
        for seat in one.game.seats:
            other = people.player(seat)
            if other is None or other == player:
                continue
            games.setdefault(other, []).append(one)
            won[other] = won.get(other, 0) + one.counts.paid_by.get(seat, 0)
            paid[other] = paid.get(other, 0) + one.game.by_seat[seat].paid_by.get(one.seat, 0)
    for other, both in games.items():
        if won[other] or paid[other]:
            yield MutualPayments(other, won[other], paid[other], _game_numbers(both))


TOO_FEW: Final = "–"


def figure_label(figure: Figure) -> str:
    """The figure's label for people."""
    return phrase(figure.definition.label)


def figure_value(figure: Figure) -> str:
    """Returns the value as text, such as “43 %”, “2.60” or “25”; a dash if the figure was counted
    over too few events to have a value."""
    value = figure.value
    if value is None:
        return TOO_FEW
    if figure.share:
        return phrase("{number} %", number=round(value * 100))
    if value == int(value) and figure.moments:
        return f"{value:.0f}"
    return phrase("{value:.2f}", value=value)


def figure_over(figure: Figure) -> str:
    """The number that the figure was counted over, as in “over 640 plays”."""
    match figure.denominator:
        case Denominator.PLAYS:
            return counted("over 1 play", "over {number} plays", figure.over)
        case Denominator.HANDS:
            return counted("over 1 hand", "over {number} hands", figure.over)
        case Denominator.CALLS:
            return counted("of 1 call", "of {number} calls", figure.over)
        case Denominator.GAMES:
            return counted("over 1 game", "over {number} games", figure.over)
        case Denominator.MATCHES:
            return counted("of 1 match", "of {number} matches", figure.over)


def games_words(number: int) -> str:
    """The number of games in words, as in “1 game” or “12 games”."""
    return counted("1 game", "{number} games", number)
