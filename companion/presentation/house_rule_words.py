"""The set-up of games, in words and as JSON: how a game begins, its house rules, the box's
settings, and the unfinished games that can be continued."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from companion.core.clock import now
from companion.core.errors import RuleError
from companion.core.seats import display_name
from companion.core.values import Json
from companion.core.words import AsWritten, Sentence, find_lookalikes
from companion.games.entries import GameEnded
from companion.games.game import AnyGame
from companion.games.house_rules import Option, Value, agreed_rules
from companion.presentation.dates import date_words
from companion.presentation.sayings import SAYINGS, say, words_of
from companion.record.journal import Journal
from companion.record.people.people import read_people, without_hidden
from companion.record.rows import PlayerRenamed, Setting
from companion.record.settings import (
    ENTRY_SCORES,
    ENTRY_WAY,
    ON_TABLE,
    game_named_by,
    option_setting,
)
from companion.record.store.reader import Reader


def opening_sentences(journal: Journal[object]) -> Iterator[Json]:
    """Yields the sentences about a game that is about to begin: the order of seats, who pays whom,
    the chips' colours, and the house rules that differ from the defaults."""
    opened, seats = journal.opened, journal.opened.seats
    begins = "house.begins" if journal.game.clockwise else "house.begins-counter-clockwise"
    yield say(begins, game=journal.game.title, seats=seats.order)
    yield from lookalike_question(seats)
    chips = journal.game.chips(journal.start)
    if chips is not None:
        scores = seats.order[1]
        yield say("house.pays", seat=scores, payer=chips.payer_of(scores))
        for seat, colour in journal.colours.items():
            if seat != colour:
                yield say("house.colour", seat=seat, colour=colour.lower())
    for rule in agreed_rules(journal.game.options, len(seats), opened.options):
        if not rule.usual:
            yield say("house.rule", rule=rule.sentence)


def lookalike_question(names: Iterable[str]) -> Iterator[Json]:
    """Yields the question whether two players with similar names are the same person."""
    if pair := find_lookalikes(names):
        one, other = pair
        yield say(
            "house.alike", one=AsWritten(display_name(one)), other=AsWritten(display_name(other))
        )


def setting_sentence(setting: Setting) -> Json:
    """Returns the sentence about the new value of a setting."""
    if setting.name == ON_TABLE:
        return say("house.resumes", number=setting.value)
    if (number := game_named_by(setting.name)) is not None:
        kind = "house.named" if setting.value else "house.unnamed"
        return say(kind, number=number, name=str(setting.value))
    if setting.name == ENTRY_WAY:
        return say("house.scores" if setting.value == ENTRY_SCORES else "house.tiles")
    return say("house.set", name=setting.name, value=setting.value)


def rename_sentence(row: PlayerRenamed) -> Json:
    """Returns the sentence about a player's new name."""
    kind = "house.renames" if row.name != row.to else "house.renames-back"
    return say(kind, name=AsWritten(display_name(row.name)), to=AsWritten(display_name(row.to)))


def rules_json(journal: Journal[object]) -> Json:
    """Returns the house rules of a game, whether its seats can still be changed, and whether it can
    be ended."""
    opened, state = journal.opened, journal.state
    seats = opened.seats
    rules = [
        {
            "said": say("house.rule", rule=rule.sentence),
            "meaning": rule.option.meaning,
            "usual": rule.usual,
        }
        for rule in agreed_rules(journal.game.options, len(seats), opened.options)
    ]
    begun = any(state.scores.values) or state.finished
    return {
        "title": journal.game.title,
        "rules": rules,
        "seats": list(seats),
        "may_reseat": not begun and not journal.withdrawn,
        "may_end": GameEnded in journal.game.entries
        and not state.finished
        and not journal.withdrawn,
        "over": state.finished,
    }


def about_game(name: str) -> str:
    """Returns a one-line description of the game called `name`; empty if it has none."""
    key = f"about.{name}"
    return words_of(key) if key in SAYINGS else ""


def new_game_json(game: AnyGame, number: int, chosen: Mapping[str, Value]) -> Json:
    """Returns the options to choose before a game for `number` seats. `chosen`: the values that
    this table chose before."""
    return {
        "name": game.name,
        "title": game.title,
        "players": list(game.players),
        "number": number,
        "options": [_option_json(game, option, number, chosen) for option in game.options],
    }


def _option_json(game: AnyGame, option: Option, number: int, chosen: Mapping[str, Value]) -> Json:
    """Returns one option. `choices`: each [value, words], or only the value if its words are the
    same. `asked`: the setting that keeps the answer for the next game, if the table is prompted for
    this option. `sets`: its value in each named set of rules that changes it. `left_open`: whether
    a named set leaves the value to the table."""
    choices = option.choices(number)
    sets = {str(name): option.usual(number, name) for name, _ in option.in_sets}
    value = chosen.get(option.name, option.default(number))
    listed: list[Value | list[Value]] = []
    for one in choices:
        words = option.value_in_words(one)
        speaks_for_itself = words == str(one) and not isinstance(words, Sentence)
        listed.append(one if speaks_for_itself else [one, words])
    return {
        "name": option.name,
        "label": option.label or option.name,
        "meaning": option.meaning,
        "value": value,
        "usual": option.default(number),
        "asked": option_setting(game.name, option.name) if option.chosen_before_game else None,
        **({"sets": sets} if sets else {}),
        **({"left_open": True} if option.open_in else {}),
        "choices": listed,
    }


# ---------------------------------------------------------------- unfinished games


def read_unfinished_games(
    record: Path, catalog: Mapping[str, AnyGame], games: Iterable[int]
) -> list[Json]:
    """Returns, as JSON, those of `games` that are neither over nor taken back. Opens its own
    connection to the record, so any thread may call it. Raises StoreError."""
    with Reader.open(record, catalog) as reader:
        return unfinished_games(reader, games)


def unfinished_games(reader: Reader, games: Iterable[int]) -> list[Json]:
    """Returns, as JSON and in the same order, those of `games` that are neither over nor taken
    back. Raises StoreError."""
    games_left, people = [], read_people(reader)
    for listed in (one for game in games for one in reader.iter_listed_game(game)):
        fold = reader.fold(listed.number)
        if fold.journal is None or not is_unfinished(fold.journal):
            continue
        journal = without_hidden(reader, fold, people).journal
        if journal is None:
            continue
        begun = date_words(fold.begun_at, now())
        games_left.append(
            {
                "number": listed.number,
                "title": journal.game.title,
                "begun": say("games.begun", day=begun) if begun else say("games.begun-unknown"),
                **progress_json(journal),
            }
        )
    return games_left


def is_unfinished(journal: Journal[object]) -> bool:
    """Returns whether a game is neither over nor taken back."""
    return not (journal.withdrawn or journal.state.finished)


def game_to_resume(
    reader: Reader, number: Value, on_table: int | None
) -> tuple[int, Journal[object]]:
    """Returns the number and the journal of an unfinished game that can be put on the table in
    place of game `on_table`. Raises RuleError if it can't be continued, or StoreError."""
    if number == on_table:
        raise RuleError("this game is on the table already")
    journal = reader.game(number) if isinstance(number, int) else None
    if journal is None or journal.withdrawn or not isinstance(number, int):
        raise RuleError("there is no game {number} to go on with", number=number)
    if journal.state.finished:
        raise RuleError("game {number} is over: begin a new one", number=number)
    return number, journal


def progress_json(journal: Journal[object]) -> Json:
    """Returns the parts of a game that change with every entry: the number of its entries, and each
    seat's score. The score of partners is given to the last of them; the other has None."""
    state = journal.state
    last = {side[-1]: state.scores[side[-1]] for side in state.scorers}
    scores = {seat: last.get(seat) for side in state.scorers for seat in side}
    return {"scores": scores, "entries": journal.length}
