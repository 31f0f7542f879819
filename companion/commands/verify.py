"""`companion verify`: every row of the record, or the check word of one game."""

from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.one_game import ShownGame, with_game
from companion.commands.opening import reading
from companion.commands.terminal import FOUND, WELL, print_json, progress_shown, say
from companion.record.store.chain import words_so_far
from companion.record.store.reader import Reader


def verify_record(path: Path, games: Catalog, *, as_json: bool) -> int:
    """Checks everything; prints a line for each finding."""

    def report(reader: Reader) -> int:
        from companion.record.repair.verify import verify

        with progress_shown() as progress:
            findings = verify(reader, progress)
        if as_json:
            print_json({"record": str(path), "findings": findings})
        else:
            say(findings or [f"{path}: every row is as it was written"])
        return FOUND if findings else WELL

    return reading(path, games, report)


def verify_word(path: Path, name: str, word: str, games: Catalog) -> int:
    """Says whether a game has the check word that was noted; without one, which it has."""

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
