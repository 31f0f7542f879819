"""`companion show` and `export`: one game of the record."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.catalog import Catalog
from companion.commands.opening import reading, said
from companion.commands.replay import game_json, meaning, scores_words, side_words, totals
from companion.commands.terminal import FOUND, WELL, cant, complain, print_json, say
from companion.core.clock import day, instant
from companion.core.errors import SetupError
from companion.core.seats import shown as in_words
from companion.core.values import dataclass
from companion.core.words import listed
from companion.games.entry import Entry
from companion.games.game import AnyState
from companion.games.options import Agreed, Options, agreed
from companion.record.fold import Fold, Listed
from companion.record.journal import Journal
from companion.record.people.people import by_colours, read_people, without_hidden
from companion.record.store.chain import check_word
from companion.record.store.reader import Reader
from companion.record.tally import format_tally

if TYPE_CHECKING:
    from companion.presentation.language import Language
    from companion.presentation.moment import Moment


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game as it may be shown: hidden people, or all people, are called by their chips'
    colour."""

    listed: Listed
    journal: Journal[object]
    fold: Fold
    reader: Reader
    games: Catalog

    @property
    def number(self) -> int:
        return self.listed.number

    @property
    def at(self) -> float | None:
        return self.fold.begun_at

    def language(self, wanted: str | None) -> "Language":
        """The language that was `wanted`, or the table's if None."""
        from companion.presentation.language import ENGLISH, language_of, spoken

        return language_of(wanted) if wanted else spoken(self.reader.settings(), ENGLISH)

    @property
    def moment(self) -> "Moment":
        """The newest moment of the game, with its marked entries (stars)."""
        from companion.presentation.moment import Moment

        settings = self.fold.settings(self.reader.settings())
        return Moment(self.games, self.journal, self.fold.row, self.number, settings)


def with_game(
    path: Path,
    name: str,
    games: Catalog,
    report: Callable[[ShownGame], int],
    *,
    colours: bool = False,
) -> int:
    """The exit status that `report` gives for a game, named by its number or “last”. Says what is
    wrong with the game, or that there is none. `colours`: all people are called by their chips'
    colour."""

    def find(reader: Reader) -> int:
        number = _number(reader, name)
        kept = None if number is None else reader.fold(number)
        shown = None if kept is None else _anonymous(reader, kept, colours=colours)
        if kept is None or shown is None or shown.listed is None or shown.journal is None:
            complain(f"there is no game {name} in {path}: “companion games” lists them")
            return FOUND
        if status := report(ShownGame(shown.listed, shown.journal, shown, reader, games)):
            return status
        return said(reader, f"something is wrong with game {number}" if shown.doubts else "")

    return reading(path, games, find)


def _anonymous(reader: Reader, kept: Fold, *, colours: bool) -> Fold:
    return (
        by_colours(reader, kept) if colours else without_hidden(reader, kept, read_people(reader))
    )


def _number(reader: Reader, name: str) -> int | None:
    if name.lower() == "last":
        found = reader.last_game()
        return found[0] if found else None
    return int(name) if name.isdecimal() and 0 < len(name) < 16 and int(name) else None


def show_game(path: Path, name: str, games: Catalog, *, as_json: bool, colours: bool) -> int:
    """Prints a game so that somebody who was not there can follow it."""

    def report(shown: ShownGame) -> int:
        journal, wrong = shown.journal, shown.fold.doubts
        word = check_word(shown.fold.hashes)
        if as_json:
            # The first entry after rows that are lost.
            doubtful_from = journal.losses[0] + 1 if journal.losses else None
            doubtful = {"doubtful_from": doubtful_from, "wrong": wrong}
            found = {"check_word": word, "number": shown.number, "at": instant(shown.at)}
            print_json({**found, **doubtful, **game_json(games, journal, discreet=True)})
        else:
            say(_game_lines(shown, wrong, word))
        return WELL

    return with_game(path, name, games, report, colours=colours)


def _text(entry: Entry, after: AnyState, shown: ShownGame) -> str:
    """An entry as the tally has it; tiles that were shown in a claim stay hidden while the hand
    goes on."""
    presentation = shown.games[shown.journal.opened.game].presentation
    if presentation.hides(entry, after, shown.journal.state):
        words: str = presentation.said(entry, after, shown.journal.state)["words"]
        return words
    return str(entry)


LOST_HERE = "      rows of the record are lost here: what follows is doubtful"


def _game_lines(shown: ShownGame, wrong: list[str], word: str) -> Iterator[str]:
    one, journal = shown.listed, shown.journal
    opened = journal.opened
    presentation = shown.games[opened.game].presentation
    when = f", {day(shown.at)}" if shown.at is not None else ""
    yield f"Game {one.number}: {journal.game.title}{when}"
    yield f"Turn order: {listed(map(in_words, opened.seats))}"
    if match := opened.match:
        before = match.before(journal.state).won.items()
        won = ", ".join(f"{side_words(side)} {games}" for side, games in before)
        number = f"extra game {match.extra}" if match.extra else f"game {match.number}"
        yield f"Match: {number} of {match.of}; won before it: {won}"
    for rule in agreed(journal.game.options, len(opened.seats), opened.options):
        if not rule.usual or rule.changes:
            yield f"House rule: {_rule_text(rule, opened.options)}, {rule.option.meaning}"
    if journal.withdrawn:
        yield "This game was taken back."
    yield from (f"Doubtful: {line}" for line in wrong)
    hand, scores = None, ""
    steps = [*zip(journal.entries, journal.states, strict=True)]
    texts = [_text(entry, after, shown) for entry, after in steps]
    wide = max(map(len, texts), default=0)
    for place, (_, after) in enumerate(steps):
        effect = after.effect
        if effect.hand != hand:
            hand = effect.hand
            yield f"\nHand {hand}"
        if place in journal.losses:
            yield LOST_HERE
        turn = "" if effect.turn is None else effect.turn
        now = scores_words(after)
        parts = (meaning(presentation, after), now if now != scores else "")
        said = "; ".join(filter(None, parts))
        scores = now
        yield f"{turn:4}  {texts[place]:<{wide}}  {said}".rstrip()
    if journal.length in journal.losses:
        yield LOST_HERE
    yield ""
    yield from totals(shown.games, journal)
    yield f"Check word: {word}"


def _rule_text(rule: Agreed, values: Options) -> str:
    """The rule as a tally has it. If it names a club's set of rules: with how many of them were
    changed, as in “set T with 1 change”."""
    text = f"{rule.option.name} {values[rule.option.name]}"
    changes = f"{rule.changes} change" + ("s" if rule.changes > 1 else "")
    return f"{text} with {changes}" if rule.changes else text


def show_moment(path: Path, name: str, games: Catalog, *, at: int, colours: bool) -> int:
    """Prints one moment of a game as JSON: as it was after the entry `at`, counted from 1."""

    def report(shown: ShownGame) -> int:
        from companion.presentation.moment import describe

        if _beyond(shown, at):
            return FOUND
        print_json(describe(shown.moment, at))
        return WELL

    return with_game(path, name, games, report, colours=colours)


def _beyond(shown: ShownGame, at: int | None) -> bool:
    """Whether the game has no entry `at`; says so on stderr."""
    length = shown.journal.length
    if at is None or at <= length:
        return False
    complain(f"game {shown.number} has {length} entries: there is no {at}")
    return True


def draw_game(
    path: Path, name: str, games: Catalog, *, at: int | None, svg: Path, colours: bool
) -> int:
    """Draws what lies on the table into the file `svg`: now, or as it lay after the entry `at`,
    counted from 1."""

    def report(shown: ShownGame) -> int:
        from companion.presentation.drawing.svg import Paper

        if _beyond(shown, at):
            return FOUND
        journal = shown.journal
        state = journal.state if at is None else journal.states[at - 1]
        drawn = shown.moment.presentation.draw(state, Paper(16, 9))
        if drawn is None:
            complain(f"{journal.game.title} can't be drawn")
            return FOUND
        svg.write_text(drawn, "utf-8")
        return WELL

    return with_game(path, name, games, report, colours=colours)


def draw_card(
    path: Path,
    name: str,
    games: Catalog,
    *,
    at: int | None,
    png: Path,
    colours: bool,
    language: str | None = None,
) -> int:
    """Saves one moment as a picture: now, or as it was after the entry `at`, counted from 1; in
    `language`, or the table's if None."""

    def report(shown: ShownGame) -> int:
        from companion.web.export.pictures import draw_card, png_of

        if _beyond(shown, at):
            return FOUND
        try:
            said_in = shown.language(language)
            png.write_bytes(png_of(draw_card(shown.moment, day(shown.at), at, said_in)))
        except SetupError as error:
            return cant(str(error))
        return WELL

    return with_game(path, name, games, report, colours=colours)


def export_game(path: Path, name: str, games: Catalog, *, colours: bool) -> int:
    """Prints a game as a tally."""

    def report(shown: ShownGame) -> int:
        wrong = (f"# doubtful: {line}\n" for line in shown.fold.doubts)
        tally = "".join(wrong) + format_tally(shown.journal)
        if sys.stdout.isatty():  # a file gets it as it is
            say(tally.splitlines())
        else:
            print(tally, end="")
        return WELL

    return with_game(path, name, games, report, colours=colours)


def export_html(
    path: Path,
    name: str,
    games: Catalog,
    *,
    html: Path,
    colours: bool,
    language: str | None = None,
) -> int:
    """Writes a game as one HTML file in which people can look at it again, in `language`, or the
    table's if None."""

    def report(shown: ShownGame) -> int:
        from companion.web.export.html_file import game_file

        page = game_file(shown.moment, day(shown.at), shown.language(language))
        html.write_text(page, "utf-8", errors="backslashreplace")
        return WELL

    return with_game(path, name, games, report, colours=colours)
