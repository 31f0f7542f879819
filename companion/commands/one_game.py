"""`companion show`, `export` and `verify --word`: one game of the record."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.clock import day, instant
from companion.commands.printing import FOUND, WELL, cant, complain, print_json, say
from companion.commands.reading import Games, reading, said
from companion.errors import RuleError, SetupError
from companion.record.fold import Fold, Listed
from companion.record.journal import Journal
from companion.record.reader import Reader
from companion.record.tally import format_tally
from companion.record.word import check_word, words_so_far
from companion.replay import game_json, meaning, totals


def _with_game(
    path: Path, name: str, games: Games, tell: Callable[[Listed, Journal[object], Fold], int]
) -> int:
    return _with_reader(path, name, games, lambda one, journal, fold, _: tell(one, journal, fold))


def _with_reader(
    path: Path,
    name: str,
    games: Games,
    tell: Callable[[Listed, Journal[object], Fold, Reader], int],
) -> int:
    def find(reader: Reader) -> int:
        number = _number(reader, name)
        fold = None if number is None else reader.fold(number)
        if fold is None or fold.listed is None or fold.journal is None:
            complain(f"there is no game {name} in {path}: “companion games” lists them")
            return FOUND
        if status := tell(fold.listed, fold.journal, fold, reader):
            return status
        return said(reader, f"something is wrong with game {number}" if fold.told else "")

    return reading(path, games, find)


def _number(reader: Reader, name: str) -> int | None:
    if name.lower() == "last":
        found = reader.last_game()
        return found[0] if found else None
    return int(name) if name.isdecimal() and 0 < len(name) < 16 and int(name) else None


def show_game(path: Path, name: str, games: Games, *, as_json: bool) -> int:
    """Tells a game so that somebody who was not there can follow it."""

    def tell(one: Listed, journal: Journal[object], fold: Fold) -> int:
        word = check_word(fold.hashes)
        if as_json:
            doubtful = {"doubtful_from": _doubtful_from(journal), "wrong": fold.told}
            found = {"check_word": word, "number": one.number, "at": instant(one.at), **doubtful}
            print_json({**found, **game_json(journal)})
        else:
            say(_told(one, journal, fold.told, word))
        return WELL

    return _with_game(path, name, games, tell)


def _doubtful_from(journal: Journal[object]) -> int | None:
    """The line of the first entry after rows that are lost."""
    return journal.losses[0] + 1 if journal.losses else None


LOST_HERE = "      rows of the record are lost here: what follows is doubtful"


def _told(one: Listed, journal: Journal[object], wrong: list[str], word: str) -> Iterator[str]:
    opened = journal.opened
    when = f", {day(one.at)}" if one.at is not None else ""
    yield f"Game {one.number}: {journal.game.title}{when}"
    yield f"Turn order: {', '.join(opened.seats)}"
    for option in journal.game.options:
        value = opened.options[option.name]
        if value != option.default(len(opened.seats)):
            yield f"House rule: {option.name} {value}, {option.meaning}"
    if journal.withdrawn:
        yield "This game was taken back."
    yield from (f"Doubtful: {line}" for line in wrong)
    hand, scores = None, ""
    steps = [*zip(journal.entries, journal.states, strict=True)]
    wide = max((len(str(entry)) for entry, _ in steps), default=0)
    for place, (entry, after) in enumerate(steps):
        effect = after.effect
        if effect.hand != hand:
            hand = effect.hand
            yield f"\nHand {hand}"
        if place in journal.losses:
            yield LOST_HERE
        turn = "" if effect.turn is None else effect.turn
        now = ", ".join(f"{seat} {score}" for seat, score in after.scores.items())
        told = (meaning(opened.game, after), now if now != scores else "")
        said = "; ".join(filter(None, told))
        scores = now
        yield f"{turn:4}  {entry!s:<{wide}}  {said}".rstrip()
    if journal.length in journal.losses:
        yield LOST_HERE
    yield ""
    yield from totals(journal)
    yield f"Check word: {word}"


def show_moment(path: Path, name: str, games: Games, *, at: int) -> int:
    """Tells one moment of a game as JSON: as it was after the entry `at`, counted from 1."""

    def tell_it(one: Listed, journal: Journal[object], fold: Fold, reader: Reader) -> int:
        from companion.telling.moment import Moment, tell

        if _beyond(one, journal, at):
            return FOUND
        print_json(tell(Moment(journal, fold.row, one.number, reader.settings()), at))
        return WELL

    return _with_reader(path, name, games, tell_it)


def _beyond(one: Listed, journal: Journal[object], at: int | None) -> bool:
    """Says so where the game has no such entry."""
    if at is None or at <= journal.length:
        return False
    complain(f"game {one.number} has {journal.length} entries: there is no {at}")
    return True


def draw_game(path: Path, name: str, games: Games, *, at: int | None, svg: Path) -> int:
    """Draws what lies on the table, now or as it lay after the entry `at`, counted from 1."""

    def tell(one: Listed, journal: Journal[object], _fold: Fold) -> int:
        from companion.telling.catalog import picture_of
        from companion.telling.paper import Paper

        if _beyond(one, journal, at):
            return FOUND
        state = journal.state if at is None else journal.states[at - 1]
        drawn = picture_of(journal.opened.game).draw(state, Paper(16, 9))
        if drawn is None:
            complain(f"{journal.game.title} can't be drawn")
            return FOUND
        svg.write_text(drawn, "utf-8")
        return WELL

    return _with_game(path, name, games, tell)


def draw_card(
    path: Path, name: str, games: Games, *, at: int | None, png: Path, colours: bool
) -> int:
    """Saves one moment as a picture: now, or as it was after the entry `at`, counted from 1."""

    def tell(one: Listed, journal: Journal[object], fold: Fold, reader: Reader) -> int:
        from companion.export.card import draw_card
        from companion.export.png import png_of
        from companion.telling.moment import Moment

        if _beyond(one, journal, at):
            return FOUND
        try:
            shown = _to_send(journal, reader, games, colours=colours)
            moment = Moment(shown, fold.row, one.number, reader.settings())
            png.write_bytes(png_of(draw_card(moment, day(one.at), at)))
        except (RuleError, SetupError) as error:
            return cant(str(error))
        return WELL

    return _with_reader(path, name, games, tell)


def _to_send(
    journal: Journal[object], reader: Reader, games: Games, *, colours: bool
) -> Journal[object]:
    """The game as others may see it: without names, or without those of whom is hidden. Raises
    RuleError where that can't be."""
    from companion.export.colours import by_colours, without_hidden
    from companion.record.people import read_people

    return (
        by_colours(journal, games)
        if colours
        else without_hidden(journal, games, read_people(reader))
    )


def export_game(path: Path, name: str, games: Games) -> int:
    """Writes a game as a tally."""

    def tell(_one: Listed, journal: Journal[object], fold: Fold) -> int:
        tally = "".join(f"# doubtful: {line}\n" for line in fold.told) + format_tally(journal)
        if sys.stdout.isatty():  # a file gets it as it is
            say(tally.splitlines())
        else:
            print(tally, end="")
        return WELL

    return _with_game(path, name, games, tell)


def export_html(path: Path, name: str, games: Games, *, html: Path, colours: bool) -> int:
    """Writes a game as one HTML file, in which it is looked at again."""

    def tell(one: Listed, journal: Journal[object], fold: Fold, reader: Reader) -> int:
        from companion.export.colours import stars_by_colours
        from companion.export.html_file import game_file
        from companion.telling.moment import Moment

        try:
            shown = _to_send(journal, reader, games, colours=colours)
        except RuleError as error:
            return cant(str(error))
        stars = stars_by_colours(reader.settings(), one.number, journal, shown)
        moment = Moment(shown, fold.row, one.number, stars)
        html.write_text(game_file(moment, day(one.at)), "utf-8", errors="backslashreplace")
        return WELL

    return _with_reader(path, name, games, tell)


def verify_word(path: Path, name: str, word: str, games: Games) -> int:
    """Whether a game has the check word that was noted; without one, which it has."""

    def tell(one: Listed, _journal: Journal[object], fold: Fold) -> int:
        words = list(words_so_far(fold.hashes))
        wanted = word.lower()
        if wanted in ("", words[-1]):
            say([f"game {one.number}: {words[-1]}"])
            return WELL
        if wanted in words:
            since = len(words) - 1 - max(at for at, one in enumerate(words) if one == wanted)
            came = "1 row has come" if since == 1 else f"{since} rows have come"
            say([f"game {one.number}: {words[-1]}; it was {wanted}, and {came} since"])
            return WELL
        say([f"game {one.number}: {words[-1]}, not {wanted}: rows are missing, "
              "or another game was meant"])  # fmt: skip
        return FOUND

    return _with_game(path, name, games, tell)
