"""`companion games`: a line for each game of the record; with `--resume`, `--close` and
`--take-back` it continues, ends or removes a game that was left unfinished."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.opening import changing, reading, said
from companion.commands.replay import side_words
from companion.commands.terminal import FOUND, WELL, complain, printed_json, progress_shown, say
from companion.core.clock import day, instant
from companion.core.values import Json, dataclass
from companion.core.words import phrase
from companion.games.entry import Ended
from companion.players.cache import beside
from companion.players.history import evenings, read_history, result_of
from companion.players.statistics import CountedGame, GameResult
from companion.presentation.unfinished import is_unfinished
from companion.record.fold import Fold
from companion.record.people.forget import Names, written_without
from companion.record.people.people import People, called_instead
from companion.record.repair.verify import Survey
from companion.record.rows import Opened, Setting, Step, Undo
from companion.record.settings import ON_TABLE
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.session import TableSession


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A line of the list. `opened` is None if the game's first row is missing, `title` if the game
    can't be shown; `names`: what hidden people are called instead; `wrong`: what is wrong with the
    game."""

    number: int
    at: float | None
    opened: Opened | None
    title: str | None = None
    entries: int | None = None
    scores: Mapping[str, int] = field(default_factory=dict)
    sides: tuple[tuple[str, ...], ...] = ()
    winners: tuple[str, ...] = ()
    result: GameResult = GameResult.OPEN
    names: Names = field(default_factory=dict)
    wrong: tuple[str, ...] = ()
    evening: float | None = None
    """When its evening began, which is known even if the game itself has no time."""

    @property
    def finished(self) -> bool:
        """Whether somebody has won the game, or it was ended."""
        return self.result in (GameResult.WON, GameResult.ENDED)


def list_games(path: Path, games: Catalog, *, as_json: bool) -> int:
    """Prints a line for each game (`as_json`: one array of JSON), the newest last, with what is
    wrong with it. Games that were counted before are taken from the figures' cache, as long as
    their rows have not changed. Gives the exit status."""

    def report(reader: Reader) -> int:
        with progress_shown() as progress:
            history = read_history(reader, beside(path), games.statistics, progress)
        if history.lost:  # what can't be counted stands in no cache
            found = Survey(reader, partial(_of_fold, people=history.people)).games()
        else:
            days = {
                game.number: evening.at
                for evening in evenings(history.games)
                for game in evening.games
            }
            opened = {one.number: one.opened for one in reader.games()}
            found = (
                replace(
                    _of_counted(one, opened, reader, history.people, games),
                    evening=days.get(one.number),
                )
                for one in history.games
            )
        wrong = (_print_array if as_json else _print_list)(found)
        return said(reader, f"something is wrong with {_many(wrong, 'game')}" if wrong else "")

    return reading(path, games, report)


def _many(number: int, of: str) -> str:
    return f"{number} {of}{'' if number == 1 else 's'}"


def _print_list(found: Iterable[ListedGame]) -> int:
    """Prints a line for each game; gives the number of games with which something is wrong."""
    wrong = 0
    for one in found:
        say([_line(one)])
        wrong += bool(one.wrong)
    return wrong


def _print_array(found: Iterable[ListedGame]) -> int:
    """Prints the games one by one as an array of JSON; gives the number of games with which
    something is wrong."""
    between, wrong = "[", 0
    for one in found:
        text = printed_json([_as_json(one)])
        print(between + text[1:-2], end="")
        between, wrong = ",", wrong + bool(one.wrong)
    print("[]" if between == "[" else "\n]")
    return wrong


# ---------------------------------------------------------------- from a game


def _of_counted(
    game: CountedGame, all_opened: Mapping[int, Opened], reader: Reader, people: People,
    games: Catalog,
) -> ListedGame:  # fmt: skip
    """A line from a game as it was counted; a game with which something is wrong is read again."""
    if game.doubtful:
        return _of_fold(reader.fold(game.number), people)
    rules, opened = games[game.game].rules, all_opened[game.number]
    names = called_instead(opened, people, rules) if people.hidden else {}
    sides = game.sides or tuple((seat,) for seat in game.seats)
    at = game.opened or game.begun
    return ListedGame(
        game.number, at, opened, rules.title, game.entries, dict(game.scores), sides,
        game.winners, game.result, names,
    )  # fmt: skip


def _of_fold(fold: Fold, people: People) -> ListedGame:
    one, journal = fold.listed, fold.journal
    names: Names = {}
    if one is not None and people.hidden:
        names = called_instead(one.opened, people, journal.game if journal else None)
    wrong = tuple(written_without(line, names) for line in fold.doubts)
    at, opened = (fold.begun_at, one.opened) if one else (None, None)
    if journal is None:
        return ListedGame(fold.number, at, opened, names=names, wrong=wrong)
    state = journal.state
    sides = tuple(map(tuple, state.scorers))
    scores = {str(seat): score for seat, score in state.scores.items()}
    result = GameResult.WITHDRAWN if journal.withdrawn else result_of(state)
    return ListedGame(
        fold.number, at, opened, journal.game.title, journal.length, scores, sides,
        tuple(state.winners), result, names, wrong,
    )  # fmt: skip


# ---------------------------------------------------------------- in words


def _line(game: ListedGame) -> str:
    if game.opened is None:
        return f"{game.number:4}  no date     can't be shown: its first row is missing"
    on = day(game.at) or day(game.evening) or "no date"
    if game.title is None:
        return f"{game.number:4}  {on:10}  {game.opened.game}: can't be shown, see verify"
    scores = ", ".join(
        f"{side_words(side, game.names)} {game.scores[side[0]]}" for side in game.sides
    )
    doubt = f"; {_doubts(game.wrong)}" if game.wrong else ""
    return f"{game.number:4}  {on:10}  {game.title}: {scores}; {_standing(game)}{doubt}"


def _standing(game: ListedGame) -> str:
    if game.result is GameResult.WON:
        return f"{side_words(game.winners, game.names)} won"
    return {
        GameResult.WITHDRAWN: "taken back",
        GameResult.ENDED: "ended unfinished",
    }.get(game.result, "not finished")


def _as_json(game: ListedGame) -> Json:
    opened, names = game.opened, game.names
    shown = game.title is not None
    winners = [names.get(seat, seat) for seat in game.winners]
    return {
        "number": game.number,
        "at": instant(game.at) if opened else None,
        "game": opened.game if opened else None,
        "seats": [names.get(seat, seat) for seat in opened.seats] if opened else [],
        "after": opened.after if opened else None,
        "entries": game.entries,
        "scores": {names.get(seat, seat): score for seat, score in game.scores.items()}
        if shown
        else None,
        "winner": winners[0] if len(winners) == 1 else None,
        "winners": winners,
        "finished": game.finished if shown else None,
        "withdrawn": game.result is GameResult.WITHDRAWN if shown else None,
        "wrong": [*game.wrong],
    }


def _doubts(wrong: Sequence[str]) -> str:
    """Words for the first row that is lost or no longer holds, and how many more there are."""
    more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    return f"doubtful: {wrong[0]}{more}"


def resume_game(path: Path, number: int, games: Catalog) -> int:
    """Puts this game on the table again: play goes on there when the table is started next."""

    def change(store: Store) -> int:
        row = Setting(ON_TABLE, number)
        game, _ = TableSession.resumed(store).after(row, store, games.rules)
        store.keep(game, row)
        say([phrase("game {number} is on the table again", number=number)])
        return WELL

    return changing(path, games, change)


def close_game(path: Path, number: int, games: Catalog) -> int:
    """Ends this game as it stands; nobody has won it."""

    def change(store: Store) -> int:
        journal, row = store.game(number), Step((Ended(),))
        if journal is None or journal.withdrawn:
            complain(phrase("there is no game {number} to close", number=number))
            return FOUND
        journal.fold(row)
        store.keep(number, row)
        say([phrase("game {number} is closed, unfinished", number=number)])
        return WELL

    return changing(path, games, change)


def take_back_game(path: Path, number: int, games: Catalog) -> int:
    """Takes this game back, all entries and the game itself, as pressing undo again and again
    would. It counts for nobody; the record still has it."""

    def change(store: Store) -> int:
        journal = store.game(number)
        if journal is None or not is_unfinished(journal):
            complain(phrase("there is no game {number} to take back", number=number))
            return FOUND
        rows = 0
        while not journal.withdrawn:
            journal, rows = journal.fold(Undo()), rows + 1
        for _ in range(rows):
            store.keep(number, Undo())
        say([phrase("game {number} is taken back: it counts for nobody", number=number)])
        return WELL

    return changing(path, games, change)
