"""`companion stats`: the figures of the players."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.history import with_history, write_csv
from companion.commands.printing import FOUND, WELL, complain, print_json, say
from companion.core.clock import now
from companion.core.values import Json, dataclass
from companion.players.evenings import PlayedEvening
from companion.players.figure_words import figure_label, figure_over, figure_value, many_games
from companion.players.figures import Figure, PlayerFigures, Selection, figures_of, players_of
from companion.players.history import PlayersHistory
from companion.presentation.phrases import phrase


@dataclass(frozen=True, slots=True)
class StatsWanted:
    """Whose figures, and of which games; None: all."""

    player: str | None = None
    evening: str | None = None
    since: date | None = None
    game: str | None = None
    players: int | None = None


CSV = ("player", "game", "figure", "value", "over", "of", "games", "moments")


def tell_figures(path: Path, games: Catalog, wanted: StatsWanted, form: str) -> int:
    """The figures as text, json or csv."""

    def tell(history: PlayersHistory) -> int:
        selection = _selection(history, wanted, games)
        if isinstance(selection, str):
            complain(selection)
            return FOUND
        told = _told(history, wanted, selection)
        if not told and wanted.player is not None:
            complain(
                f"{wanted.player} has played no such game: “companion players” lists everybody"
            )
            return FOUND
        if form == "json":
            print_json([_json(one) for one in told])
        elif form == "csv":
            write_csv([*CSV], _rows(told))
        else:
            say(_lines(told, games))
        return WELL

    return with_history(path, games, tell)


def _selection(history: PlayersHistory, wanted: StatsWanted, games: Catalog) -> Selection | str:
    """Which games are wanted, or what is wrong with that."""
    if wanted.game is not None and wanted.game not in games:
        return f"there is no game {wanted.game}: {', '.join(games)}"
    since = None
    if wanted.since is not None:
        since = datetime.combine(wanted.since, datetime.min.time()).timestamp()
    numbers = None
    if wanted.evening is not None:
        evening = _evening(history.evenings, wanted.evening)
        if evening is None:
            return f"there is no evening {wanted.evening}: “companion evenings” lists them"
        numbers = evening.numbers
    return Selection(wanted.game, wanted.players, since, numbers)


def _evening(evenings: Sequence[PlayedEvening], name: str) -> PlayedEvening | None:
    """By the number of any of its games."""
    if name == "last":
        return evenings[-1] if evenings else None
    return next((one for one in evenings if name in {str(game.number) for game in one.games}), None)


def _told(
    history: PlayersHistory, wanted: StatsWanted, selection: Selection
) -> list[PlayerFigures]:
    tells = history.tells_uncalled(now())
    players = [wanted.player] if wanted.player else players_of(history.games, history.people)
    return [
        one
        for player in players
        for one in figures_of(
            player,
            history.games,
            history.people,
            selection,
            history.statistics,
            tells_uncalled=tells,
        )
    ]


# ---------------------------------------------------------------- as text


def _lines(told: Sequence[PlayerFigures], games: Catalog) -> Iterator[str]:
    for place, one in enumerate(told):
        if place:
            yield ""
        yield phrase(
            "{player}, {title}: {games}, {won} won",
            player=one.player,
            title=games[one.game].rules.title,
            games=many_games(len(one.games)),
            won=len(one.won),
        )
        yield from (_line(figure) for figure in one.figures)
        for made, number in one.combinations.items():
            yield f"  {made.replace('-', ' '):42} {number:>6}"
        for against in one.against:
            yield phrase(
                "  paid by {other} {won}, to {other} {paid}, in {games}",
                other=against.other,
                won=against.won,
                paid=against.paid,
                games=many_games(len(against.games)),
            )


def _line(figure: Figure) -> str:
    where = "; ".join(
        phrase("game {game}, entry {entry}", game=one.game, entry=one.entry)
        for one in figure.moments
    )
    over = figure_over(figure)
    told = f"{over}: {where}" if where else over
    return f"  {figure_label(figure):42} {figure_value(figure):>6}  {told}"


# ---------------------------------------------------------------- for programs


def _json(one: PlayerFigures) -> Json:
    return {
        "player": one.player,
        "game": one.game,
        "games": list(one.games),
        "won": list(one.won),
        "lays": one.lays,
        "figures": [
            {
                "figure": figure.name,
                "value": figure.value,
                "over": figure.over,
                "of": figure.of,
                "games": list(figure.games),
                "moments": [[moment.game, moment.entry] for moment in figure.moments],
            }
            for figure in one.figures
        ],
        "combinations": one.combinations,
        "against": [
            {"player": other.other, "won": other.won, "paid": other.paid,
             "games": list(other.games)}
            for other in one.against
        ],
    }  # fmt: skip


def _rows(told: Sequence[PlayerFigures]) -> Iterator[Json]:
    for one in told:
        for figure in one.figures:
            yield {
                "player": one.player,
                "game": one.game,
                "figure": figure.name,
                "value": figure.value,
                "over": figure.over,
                "of": str(figure.of),
                "games": list(figure.games),
                "moments": [f"{moment.game}:{moment.entry}" for moment in figure.moments],
            }
