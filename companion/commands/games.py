"""`companion games`, `show`, `export` and `verify`: list, show and export the games of the record,
and check whether they are unchanged.

With `--resume`, `--close` or `--take-back`, `companion games` continues, ends or takes back an
unfinished game."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.catalog import Catalog
from companion.commands.opening import NO_GAME, change_record, read_record, report_faults
from companion.commands.replay import entry_meaning, game_json, scores_words, side_words, totals
from companion.commands.terminal import (
    PROBLEM,
    SUCCESS,
    fail,
    json_text,
    print_error,
    print_json,
    print_lines,
    show_progress,
)
from companion.core.clock import day, iso_time
from companion.core.errors import SetupError
from companion.core.seats import display_name as in_words
from companion.core.values import Json, dataclass
from companion.core.words import counted, listed, phrase
from companion.games.entries import GameEnded
from companion.games.game import AnyState, Entry
from companion.games.house_rules import AgreedRule, Options, agreed_rules
from companion.players.cache import figures_path
from companion.players.history import evenings, played_before, read_history, result_of
from companion.players.statistics import CountedGame, GameResult
from companion.presentation.house_rule_words import game_to_resume, is_unfinished
from companion.record.fold import Fold, OpenedGame
from companion.record.journal import Journal
from companion.record.people.forget import Names, text_with_other_names
from companion.record.people.people import (
    People,
    read_people,
    replacement_names,
    without_hidden,
    without_names,
)
from companion.record.rows import GameOpened, Setting, Step, Undo
from companion.record.settings import ON_TABLE
from companion.record.store.chain import check_word, check_words_so_far
from companion.record.store.reader import Reader
from companion.record.store.store import Store

if TYPE_CHECKING:
    from companion.presentation.language import Language
    from companion.presentation.moment import Moment


# ---------------------------------------------------------------- the list of games


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in the list. `opened`: the game's first row, None if it is missing; `title`: None if
    the game can't be shown; `names`: the replacements for hidden people's names; `faults`: the
    faults found in the game."""

    number: int
    at: float | None
    opened: GameOpened | None
    title: str | None = None
    entries: int | None = None
    scores: Mapping[str, int] = field(default_factory=dict)
    sides: tuple[tuple[str, ...], ...] = ()
    winners: tuple[str, ...] = ()
    result: GameResult = GameResult.OPEN
    names: Names = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    evening: float | None = None
    """The beginning of its evening, which is known even if the game itself has no time."""

    @property
    def finished(self) -> bool:
        """Whether somebody has won the game, or it was ended."""
        return self.result in (GameResult.WON, GameResult.ENDED)


def list_games(path: Path, games: Catalog, *, as_json: bool) -> int:
    """Prints a line for each game, or one JSON array if `as_json`: the newest game last, each with
    its faults. Games that were counted before come from the cache of the counts, unless their rows
    have changed."""

    def report(reader: Reader) -> int:
        from companion.record.repair.verify import Survey

        with show_progress() as progress:
            history = read_history(reader, figures_path(path), games.statistics, progress)
        if history.lost:  # what can't be counted stands in no cache
            found = Survey(reader, partial(_listed_from_fold, people=history.people)).games()
        else:
            days = {
                game.number: evening.began_at
                for evening in evenings(history.games)
                for game in evening.games
            }
            opened = {one.number: one.opened for one in reader.games()}
            found = (
                replace(
                    _listed_from_counts(one, opened, reader, history.people, games),
                    evening=days.get(one.number),
                )
                for one in history.games
            )
        faults = (_print_array if as_json else _print_list)(found)
        return report_faults(
            reader, f"something is wrong with {_number_of(faults, 'game')}" if faults else ""
        )

    return read_record(path, games, report)


def _number_of(number: int, of: str) -> str:
    return f"{number} {of}{'' if number == 1 else 's'}"


def _print_list(found: Iterable[ListedGame]) -> int:
    """Prints a line for each game; returns the number of games with faults."""
    faults = 0
    for one in found:
        print_lines([_list_line(one)])
        faults += bool(one.faults)
    return faults


def _print_array(found: Iterable[ListedGame]) -> int:
    """Prints the games one by one as an array of JSON; returns the number of games with faults."""
    between, faults = "[", 0
    for one in found:
        text = json_text([_listed_json(one)])
        print(between + text[1:-2], end="")
        between, faults = ",", faults + bool(one.faults)
    print("[]" if between == "[" else "\n]")
    return faults


def _listed_from_counts(
    game: CountedGame, all_opened: Mapping[int, GameOpened], reader: Reader, people: People,
    games: Catalog,
) -> ListedGame:  # fmt: skip
    """Returns the list's entry for a game that was counted before. Reads the game again if it has a
    fault."""
    if game.doubtful:
        return _listed_from_fold(reader.fold(game.number), people)
    rules, opened = games[game.game].rules, all_opened[game.number]
    names = replacement_names(opened, people, rules) if people.hidden else {}
    sides = game.sides or tuple((seat,) for seat in game.seats)
    at = game.opened or game.begun
    return ListedGame(
        game.number, at, opened, rules.title, game.entries, dict(game.scores), sides,
        game.winners, game.result, names,
    )  # fmt: skip


def _listed_from_fold(fold: Fold, people: People) -> ListedGame:
    one, journal = fold.listed, fold.journal
    names: Names = {}
    if one is not None and people.hidden:
        names = replacement_names(one.opened, people, journal.game if journal else None)
    faults = tuple(text_with_other_names(line, names) for line in fold.doubts)
    at, opened = (fold.begun_at, one.opened) if one else (None, None)
    if journal is None:
        return ListedGame(fold.number, at, opened, names=names, faults=faults)
    state = journal.state
    sides = tuple(map(tuple, state.scorers))
    scores = {str(seat): score for seat, score in state.scores.items()}
    result = GameResult.WITHDRAWN if journal.withdrawn else result_of(state)
    return ListedGame(
        fold.number, at, opened, journal.game.title, journal.length, scores, sides,
        tuple(state.winners), result, names, faults,
    )  # fmt: skip


def _list_line(game: ListedGame) -> str:
    if game.opened is None:
        return f"{game.number:4}  no date     can't be shown: its first row is missing"
    on = day(game.at) or day(game.evening) or "no date"
    if game.title is None:
        return f"{game.number:4}  {on:10}  {game.opened.game}: can't be shown, see verify"
    scores = ", ".join(
        f"{side_words(side, game.names)} {game.scores[side[0]]}" for side in game.sides
    )
    doubt = f"; {_doubt_words(game.faults)}" if game.faults else ""
    return f"{game.number:4}  {on:10}  {game.title}: {scores}; {_result_words(game)}{doubt}"


def _result_words(game: ListedGame) -> str:
    if game.result is GameResult.WON:
        return f"{side_words(game.winners, game.names)} won"
    return {
        GameResult.WITHDRAWN: "taken back",
        GameResult.ENDED: "ended unfinished",
    }.get(game.result, "not finished")


def _listed_json(game: ListedGame) -> Json:
    opened, names = game.opened, game.names
    shown = game.title is not None
    winners = [names.get(seat, seat) for seat in game.winners]
    return {
        "number": game.number,
        "at": iso_time(game.at) if opened else None,
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
        "wrong": [*game.faults],
    }


def _doubt_words(faults: Sequence[str]) -> str:
    """Returns a description of the first fault, with the number of the others."""
    more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
    return f"doubtful: {faults[0]}{more}"


# ---------------------------------------------------------------- unfinished games


def resume_game(path: Path, number: int, games: Catalog) -> int:
    """Makes the game continue at the next start of the table."""

    def change(store: Store) -> int:
        game_to_resume(store, number, store.game_on_table())
        store.keep(NO_GAME, Setting(ON_TABLE, number))
        print_lines([phrase("game {number} is on the table again", number=number)])
        return SUCCESS

    return change_record(path, games, change)


def close_game(path: Path, number: int, games: Catalog) -> int:
    """Ends the game unfinished, without a winner."""

    def change(store: Store) -> int:
        journal, row = store.game(number), Step((GameEnded(),))
        if journal is None or journal.withdrawn:
            print_error(phrase("there is no game {number} to close", number=number))
            return PROBLEM
        journal.fold(row)
        store.keep(number, row)
        print_lines([phrase("game {number} is closed, unfinished", number=number)])
        return SUCCESS

    return change_record(path, games, change)


def take_back_game(path: Path, number: int, games: Catalog) -> int:
    """Takes the game back with all its entries, as repeated undo would. It no longer counts in the
    statistics, but stays in the record."""

    def change(store: Store) -> int:
        journal = store.game(number)
        if journal is None or not is_unfinished(journal):
            print_error(phrase("there is no game {number} to take back", number=number))
            return PROBLEM
        rows = 0
        while not journal.withdrawn:
            journal, rows = journal.fold(Undo()), rows + 1
        for _ in range(rows):
            store.keep(number, Undo())
        print_lines([phrase("game {number} is taken back: it counts for nobody", number=number)])
        return SUCCESS

    return change_record(path, games, change)


# ---------------------------------------------------------------- one game


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game prepared for display: people who are hidden (or all people) appear under the colour of
    their chips."""

    listed: OpenedGame
    journal: Journal[object]
    fold: Fold
    reader: Reader
    games: Catalog

    @property
    def number(self) -> int:
        return self.listed.number

    @property
    def begun_at(self) -> float | None:
        return self.fold.begun_at

    def language(self, wanted: str | None) -> "Language":
        """Returns the `wanted` language or, if that is None, the table's language."""
        from companion.presentation.language import ENGLISH, language_of, table_language

        return language_of(wanted) if wanted else table_language(self.reader.settings(), ENGLISH)

    @property
    def moment(self) -> "Moment":
        """Returns the newest moment of the game, with its starred entries."""
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
    """Calls `report` with a game, given by its number or “last”, and returns the exit status of
    `report`. Prints the game's faults, or that there is no such game. `colours`: all people appear
    under the colour of their chips."""

    def find_and_report(reader: Reader) -> int:
        number = _parse_game_number(reader, name)
        kept = None if number is None else reader.fold(number)
        shown = None if kept is None else _without_hidden_people(reader, kept, colours=colours)
        if kept is None or shown is None or shown.listed is None or shown.journal is None:
            print_error(f"there is no game {name} in {path}: “companion games” lists them")
            return PROBLEM
        if status := report(ShownGame(shown.listed, shown.journal, shown, reader, games)):
            return status
        return report_faults(
            reader, f"something is wrong with game {number}" if shown.doubts else ""
        )

    return read_record(path, games, find_and_report)


def _without_hidden_people(reader: Reader, kept: Fold, *, colours: bool) -> Fold:
    return (
        without_names(reader, kept)
        if colours
        else without_hidden(reader, kept, read_people(reader))
    )


def _parse_game_number(reader: Reader, name: str) -> int | None:
    if name.lower() == "last":
        found = reader.last_game()
        return found[0] if found else None
    return int(name) if name.isdecimal() and 0 < len(name) < 16 and int(name) else None


def show_game(path: Path, name: str, games: Catalog, *, as_json: bool, colours: bool) -> int:
    """Prints a game entry by entry, with its house rules and totals."""

    def report(shown: ShownGame) -> int:
        journal, faults = shown.journal, shown.fold.doubts
        word = check_word(shown.fold.hashes)
        if as_json:
            # The first entry after rows that are lost.
            doubtful_from = journal.losses[0] + 1 if journal.losses else None
            doubtful = {"doubtful_from": doubtful_from, "wrong": faults}
            found = {"check_word": word, "number": shown.number, "at": iso_time(shown.begun_at)}
            print_json({**found, **doubtful, **game_json(games, journal, hide_secrets=True)})
        else:
            print_lines(_game_lines(shown, faults, word))
        return SUCCESS

    return with_game(path, name, games, report, colours=colours)


def _entry_text(entry: Entry, after: AnyState, shown: ShownGame) -> str:
    """Returns an entry as the tally writes it. Tiles that were shown in a claim stay hidden until
    the end of the hand."""
    presentation = shown.games[shown.journal.opened.game].presentation
    if presentation.hides_entry(entry, after, shown.journal.state):
        words: str = presentation.describe_entry(entry, after, shown.journal.state)["words"]
        return words
    return str(entry)


LOST_ROWS_LINE = "      rows of the record are lost here: what follows is doubtful"


def _game_lines(shown: ShownGame, faults: list[str], word: str) -> Iterator[str]:
    one, journal = shown.listed, shown.journal
    opened = journal.opened
    presentation = shown.games[opened.game].presentation
    when = f", {day(shown.begun_at)}" if shown.begun_at is not None else ""
    yield f"Game {one.number}: {journal.game.title}{when}"
    yield f"Turn order: {listed(map(in_words, opened.seats))}"
    if match := opened.match:
        before = match.before(journal.state).won.items()
        won = ", ".join(f"{side_words(side)} {games}" for side, games in before)
        number = f"extra game {match.extra_games}" if match.extra_games else f"game {match.number}"
        yield f"Match: {number} of {match.of}; won before it: {won}"
    for rule in agreed_rules(journal.game.options, len(opened.seats), opened.options):
        if not rule.usual or rule.changes:
            yield f"House rule: {_rule_text(rule, opened.options)}, {rule.option.meaning}"
    if journal.withdrawn:
        yield "This game was taken back."
    yield from (f"Doubtful: {line}" for line in faults)
    hand, scores = None, ""
    steps = [*zip(journal.entries, journal.states, strict=True)]
    texts = [_entry_text(entry, after, shown) for entry, after in steps]
    wide = max(map(len, texts), default=0)
    for place, (_, after) in enumerate(steps):
        effect = after.effect
        if effect.hand != hand:
            hand = effect.hand
            yield f"\nHand {hand}"
        if place in journal.losses:
            yield LOST_ROWS_LINE
        turn = "" if effect.turn is None else effect.turn
        now = scores_words(after)
        parts = (entry_meaning(presentation, after), now if now != scores else "")
        said = "; ".join(filter(None, parts))
        scores = now
        yield f"{turn:4}  {texts[place]:<{wide}}  {said}".rstrip()
    if journal.length in journal.losses:
        yield LOST_ROWS_LINE
    yield ""
    yield from totals(shown.games, journal)
    yield f"Check word: {word}"


def _rule_text(rule: AgreedRule, values: Options) -> str:
    """Returns the rule as the tally writes it. A club's set of rules is followed by the number of
    changes to it, as in “set T with 1 change”."""
    text = f"{rule.option.name} {values[rule.option.name]}"
    changes = f"{rule.changes} change" + ("s" if rule.changes > 1 else "")
    return f"{text} with {changes}" if rule.changes else text


def show_moment(path: Path, name: str, games: Catalog, *, at: int, colours: bool) -> int:
    """Prints, as JSON, the moment of a game after the entry `at`, counted from 1."""

    def report(shown: ShownGame) -> int:
        from companion.presentation.moment import describe

        if _report_missing_entry(shown, at):
            return PROBLEM
        print_json(describe(shown.moment, at))
        return SUCCESS

    return with_game(path, name, games, report, colours=colours)


def _report_missing_entry(shown: ShownGame, at: int | None) -> bool:
    """Returns whether the game lacks an entry `at`; if so, also reports that on stderr."""
    length = shown.journal.length
    if at is None or at <= length:
        return False
    print_error(f"game {shown.number} has {length} entries: there is no {at}")
    return True


def draw_game(
    path: Path, name: str, games: Catalog, *, at: int | None, svg: Path, colours: bool
) -> int:
    """Draws the tiles on the table into the file `svg`: as they are now or, with `at`, as they were
    after that entry, counted from 1."""

    def report(shown: ShownGame) -> int:
        from companion.presentation.drawing.svg import Paper

        if _report_missing_entry(shown, at):
            return PROBLEM
        journal = shown.journal
        state = journal.state if at is None else journal.states[at - 1]
        drawn = shown.moment.presentation.draw(state, Paper(16, 9))
        if drawn is None:
            print_error(f"{journal.game.title} can't be drawn")
            return PROBLEM
        svg.write_text(drawn, "utf-8")
        return SUCCESS

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
    """Draws a moment of the game as a picture into the file `png`: the newest one or, with `at`,
    the one after that entry, counted from 1. The words are in `language` or, if that is None, in
    the table's language."""

    def report(shown: ShownGame) -> int:
        from companion.web.export.pictures import draw_card, png_of

        if _report_missing_entry(shown, at):
            return PROBLEM
        try:
            said_in = shown.language(language)
            png.write_bytes(png_of(draw_card(shown.moment, day(shown.begun_at), at, said_in)))
        except SetupError as error:
            return fail(str(error))
        return SUCCESS

    return with_game(path, name, games, report, colours=colours)


# ---------------------------------------------------------------- verifying


def verify_record(path: Path, games: Catalog, *, as_json: bool, everything: bool) -> int:
    """Checks every row and its place in the chain, and replays games under the rules: all games if
    `everything`, otherwise only those with rows that were not replayed before. Prints a line for
    each finding; returns the exit status."""

    def report(reader: Reader) -> int:
        from companion.record.repair.verify import verify

        before = frozenset[int]()
        with show_progress() as progress:
            if not everything:
                before = played_before(reader, figures_path(path), games.statistics, progress)
            findings = verify(reader, progress, before)
        if as_json:
            print_json({"record": str(path), "findings": findings, "played_before": len(before)})
        else:
            print_lines(findings or [f"{path}: every row is as it was written"])
            if before:
                print_lines([_unchanged_games_line(len(before))])
        return PROBLEM if findings else SUCCESS

    return read_record(path, games, report)


def _unchanged_games_line(number: int) -> str:
    return counted(
        "1 game is as it was when it was last played by the rules: --all plays it again",
        "{number} games are as they were when they were last played by the rules:"
        " --all plays them again",
        number,
    )


def verify_word(path: Path, name: str, word: str, games: Catalog) -> int:
    """Prints whether `word` is the check word of the game; if `word` is empty, prints the check
    word itself."""

    def report(shown: ShownGame) -> int:
        number, words = shown.number, list(check_words_so_far(shown.fold.hashes))
        wanted = word.lower()
        if wanted in ("", words[-1]):
            print_lines([f"game {number}: {words[-1]}"])
            return SUCCESS
        if wanted in words:
            since = len(words) - 1 - max(at for at, one in enumerate(words) if one == wanted)
            came = "1 row has come" if since == 1 else f"{since} rows have come"
            print_lines([f"game {number}: {words[-1]}; it was {wanted}, and {came} since"])
            return SUCCESS
        print_lines([f"game {number}: {words[-1]}, not {wanted}: rows are missing, "
              "or another game was meant"])  # fmt: skip
        return PROBLEM

    return with_game(path, name, games, report)
