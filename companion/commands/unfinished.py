"""`companion games --resume`, `--close`, `--take-back`: continue, end or remove a game that was
left unfinished."""

from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.opening import changing
from companion.commands.terminal import FOUND, WELL, complain, say
from companion.core.errors import RuleError
from companion.core.words import phrase
from companion.games.entries import Ended
from companion.presentation.unfinished import is_unfinished
from companion.record.rows import Setting, Step, Undo
from companion.record.settings import ON_TABLE
from companion.record.store.store import Store
from companion.table.session import TableSession


def resume_game(path: Path, number: int, games: Catalog) -> int:
    """Puts this game on the table again: play goes on there when the table is started next."""

    def change(store: Store) -> int:
        row = Setting(ON_TABLE, number)
        try:
            game, _ = TableSession.resumed(store).after(row, store, games.rules)
        except RuleError as error:
            complain(error.why)
            return FOUND
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
        try:
            journal.fold(row)
        except RuleError as error:
            complain(error.why)
            return FOUND
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
        try:
            while not journal.withdrawn:
                journal, rows = journal.fold(Undo()), rows + 1
        except RuleError as error:
            complain(error.why)
            return FOUND
        for _ in range(rows):
            store.keep(number, Undo())
        say([phrase("game {number} is taken back: it counts for nobody", number=number)])
        return WELL

    return changing(path, games, change)
