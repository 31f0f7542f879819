"""Properties of every game without a line of play, tested on whole random games."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.commands.cli import main
from companion.commands.replay import game_json, replay, replay_lines
from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seats
from companion.games.game import parse_entry, settle_options
from companion.presentation.drawing.svg import Paper
from companion.record.journal import Journal
from companion.record.names import check_names
from companion.record.repair.verify import verify
from companion.record.rows import Amend, GameOpened, Redo, Step, Undo
from companion.record.store.store import Store
from companion.record.tally import format_tally, read_tally
from tests.catalog import GAMES
from tests.games.others.players import PLAYERS, seats_of, tally
from tests.record.play import same
from tests.sampling import examples

LINE_GAMES = ("high-five", "five-up", "all-fives", "fives-and-threes", "domino")
TABLES = [
    (name, players, seed)
    for name in PLAYERS
    for players in GAMES[name].players
    for seed in range(3)
]


def each_table(test: Callable[..., None]) -> Callable[..., None]:
    """Runs a test for every table and seed; a sample has one evening at each table."""
    tried: Callable[..., None] = pytest.mark.sampled(1, of="seed")(test)
    every: Callable[..., None] = pytest.mark.parametrize(("name", "players", "seed"), TABLES)(tried)
    return every


def told(name: str, players: int, seed: int) -> Journal[Any]:
    lines = PLAYERS[name](Random(seed), players)
    journal, _, stopped = replay(read_tally(tally(name, players, lines), GAMES), GAMES)
    assert stopped is None
    return journal


def test_every_game_has_a_random_player() -> None:
    assert {*PLAYERS, *LINE_GAMES} == {*GAMES}


@each_table
def test_entries_equal_those_read_from_their_lines_and_states_obey_the_rules(
    name: str, players: int, seed: int
) -> None:
    journal = told(name, players, seed)
    game, state = journal.game, journal.start
    for entry, after in zip(journal.entries, journal.states, strict=True):
        assert parse_entry(str(entry), game, journal.opened.seats) == entry
        state = game.apply(state, entry)
        assert state == after
    assert state.finished


@each_table
def test_a_game_survives_storage_export_undo_and_redo(
    tmp_path: Path, name: str, players: int, seed: int
) -> None:
    journal = told(name, players, seed)
    again, _, stopped = replay(read_tally(format_tally(journal), GAMES), GAMES)
    assert stopped is None
    assert (again.entries, again.states) == (journal.entries, journal.states)
    assert format_tally(again) == format_tally(journal)
    undone = Journal.begin(journal.opened, GAMES)
    for entry in journal.entries:
        undone = undone.fold(Step((entry,)))
    whole, states = undone, (journal.start, *journal.states)
    for back in range(1, journal.length + 1):
        undone = undone.fold(Undo())
        assert undone.state == states[-back - 1]
    for _ in range(journal.length):
        undone = undone.fold(Redo())
    assert same(undone, whole)
    for place in Random(seed).sample(range(journal.length), min(journal.length, 3)):
        seen = whole.amended(Amend(place, (whole.entries[place],)))
        assert (seen.broken, seen.journal.states) == (None, whole.states)
    with Store.open(tmp_path / "record.db", GAMES) as store:
        store.keep(1, journal.opened)
        for entry in journal.entries:
            store.keep(1, Step((entry,)))
        assert same(store.game(1), whole)
        assert verify(store) == []


@each_table
def test_every_moment_can_be_described_and_drawn(name: str, players: int, seed: int) -> None:
    journal = told(name, players, seed)
    found = game_json(CATALOG, journal)
    assert found["scores"] == dict(journal.state.scores.items())
    totals = dict.fromkeys(found["seats"], 0)
    for line in found["entries"]:
        for payment in line["payments"]:
            assert (payment["from"], payment["points"] != 0) == (None, True)
            totals[payment["to"]] += payment["points"]
    assert totals == found["scores"]
    assert len([*replay_lines(CATALOG, journal)]) >= journal.length + 2
    for state in journal.states[:: max(journal.length // 12, 1)]:
        drawn = CATALOG[name].presentation.draw(state, Paper(16, 9))
        assert drawn is None or drawn.startswith("<svg ")


# ---------------------------------------------------------------- bad input


def mutated(random: Random, lines: list[str]) -> Iterator[str]:
    """A line in which words or letters were repeatedly changed, left out, doubled or taken from
    other lines."""
    words = random.choice(lines).split()
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(words))
        other = random.choice(random.choice(lines).split())
        change = random.randrange(6)
        if change == 0:
            words[at] = other
        elif change == 1:
            words.insert(at, other)
        elif change == 2 and len(words) > 1:
            del words[at]
        elif change == 3:
            letter = random.randrange(len(words[at]))
            put = random.choice("0123456789-!PWX @")
            words[at] = words[at][:letter] + put + words[at][letter + 1 :]
            words = " ".join(words).split() or ["!"]
        elif change == 4:
            words.append("!")
        else:
            random.shuffle(words)
    yield " ".join(words)


@each_table
def test_a_mutated_entry_is_accepted_or_refused_in_one_line(
    name: str, players: int, seed: int
) -> None:
    random = Random(seed)
    lines = PLAYERS[name](random, players)
    game, seats = GAMES[name], Seats.of(*seats_of(players))
    journal = Journal.begin(GameOpened(name, seats, {}), GAMES)
    for line in lines:
        for _ in range(4):
            for text in mutated(random, lines):
                try:
                    entry = parse_entry(text, game, seats)
                    assert parse_entry(str(entry), game, seats) == entry
                    after = journal.fold(Step((entry,)))
                except (EntryError, RuleError) as refused:
                    said = str(refused)
                    assert said
                    assert "\n" not in said
                    assert len(said) < 400
                else:
                    assert parse_entry(str(after.entries[-1]), game, seats) == after.entries[-1]
        before = journal.state
        journal = journal.fold(Step((parse_entry(line, game, seats),)))
        assert journal.states[-2:-1] in ((), (before,))


@pytest.mark.parametrize("name", PLAYERS)
def test_a_mutated_tally_gives_an_error_of_one_line_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    random, file = Random(name), tmp_path / "game.tally"
    stopped = 0
    for _ in range(examples(60)):
        players = random.choice(GAMES[name].players)
        lines = PLAYERS[name](random, players)
        at = random.randrange(len(lines))
        for text in mutated(random, lines):
            lines[at] = text
        header, *_ = tally(name, players, []).rsplit("\n\n", 1)
        if random.random() < 0.3:
            words = list(header)
            words[random.randrange(len(words))] = random.choice("x-!#\n9 ")
            header = "".join(words)
        file.write_text("\n".join([header, "", *lines, ""]))
        status = main(["replay", str(file)])
        error = capsys.readouterr().err
        assert status in (0, 2), error
        assert error.count("\n") == (1 if status else 0)
        assert not error or error.startswith(f"{file}:")
        stopped += status == 2
    assert stopped > examples(60) // 6


@pytest.mark.parametrize("name", PLAYERS)
def test_a_recorded_game_can_be_shown_drawn_and_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    lines = PLAYERS[name](Random(1), 2)
    text, record, svg = tally(name, 2, lines), tmp_path / "record.db", tmp_path / "table.svg"
    journal, _, _ = replay(read_tally(text, GAMES), GAMES)
    with Store.open(record, GAMES) as store:
        store.keep(1, journal.opened)
        store.keep(1, Step(journal.entries))
    assert main(["show", "1", "--record", str(record)]) == 0
    assert GAMES[name].title in capsys.readouterr().out
    assert main(["games", "--record", str(record)]) == 0
    assert "won" in capsys.readouterr().out
    at = str(journal.length // 2)
    if CATALOG[name].presentation.draw(journal.states[int(at) - 1], Paper(16, 9)):
        assert main(["show", "1", "--svg", str(svg), "--at", at, "--record", str(record)]) == 0
        assert svg.read_text().startswith("<svg ")
    assert main(["export", "1", "--record", str(record)]) == 0
    assert capsys.readouterr().out == format_tally(journal)


@pytest.mark.parametrize(
    ("name", "word"),
    [("high-fives", "Takes"), ("high-fives", "pair"), ("high-fives", "left"), ("highrise", "on"),
     ("highrise", "W-W"), ("highrise", "Spacer"), ("high-five-tiles", "row"),
     ("high-five-tiles", "laid"), ("high-five-tiles", "Flush"), ("high-five-tiles", "finish")],
)  # fmt: skip
def test_no_seat_may_be_named_like_a_word_of_its_game(name: str, word: str) -> None:
    with pytest.raises(EntryError, match="is a word of the tally"):
        check_names(["Red", word], GAMES[name])
    check_names(["Red", word], GAMES["high-five"])


def test_an_unknown_option_is_refused_with_a_list_of_the_games_options() -> None:
    with pytest.raises(
        EntryError, match="High Fives has no option target: it has deal, later-deal"
    ):
        settle_options(GAMES["high-fives"], 2, {"target": "7"})
