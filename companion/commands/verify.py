"""`companion verify`: checks every row of the record, or the check word of one game."""

from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.one_game import ShownGame, with_game
from companion.commands.opening import reading
from companion.commands.terminal import FOUND, WELL, print_json, progress_shown, say
from companion.core.words import counted
from companion.players.cache import beside
from companion.players.history import played_before
from companion.record.store.chain import words_so_far
from companion.record.store.reader import Reader


def verify_record(path: Path, games: Catalog, *, as_json: bool, everything: bool) -> int:
    """Checks every row and its place in the chain, and plays the games by the rules; without
    `everything` only those that were not yet played with the same rows. Prints a line for each
    finding."""

    def report(reader: Reader) -> int:
        from companion.record.repair.verify import verify

        before = frozenset[int]()
        with progress_shown() as progress:
            if not everything:
                before = played_before(reader, beside(path), games.statistics, progress)
            findings = verify(reader, progress, before)
        if as_json:
            print_json({"record": str(path), "findings": findings, "played_before": len(before)})
        else:
            say(findings or [f"{path}: every row is as it was written"])
            if before:
                say([_not_again(len(before))])
        return FOUND if findings else WELL

    return reading(path, games, report)


def _not_again(number: int) -> str:
    return counted(
        "1 game is as it was when it was last played by the rules: --all plays it again",
        "{number} games are as they were when they were last played by the rules:"
        " --all plays them again",
        number,
    )


def verify_word(path: Path, name: str, word: str, games: Catalog) -> int:
    """Says whether a game has the check word that was noted; if `word` is empty, which word it
    has."""

    def report(shown: ShownGame) -> int:
        number, words = shown.number, list(words_so_far(shown.fold.hashes))
        wanted = word.lower()
        if wanted in ("", words[-1]):
            say([f"game {number}: {words[-1]}"])
            return WELL
        if wanted in words:
            since = len(words) - 1 - max(at for at, one in enumerate(words) if one == wanted)
            came = "1 row has come" if since == 1 else f"{since} rows have come"
            say([f"game {number}: {words[-1]}; it was {wanted}, and {came} since"])
            return WELL
        say([f"game {number}: {words[-1]}, not {wanted}: rows are missing, "
              "or another game was meant"])  # fmt: skip
        return FOUND

    return with_game(path, name, games, report)
