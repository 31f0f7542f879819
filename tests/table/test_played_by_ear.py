"""Playing by ear: every screen, digit and refusal is spoken, and a player who only listens always
knows the scores."""

import re
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.console.screen_saver import RestTimes
from companion.console.sounds import AskVoice
from tests.table.listener import Listener
from tests.table.test_keys import PLAY

SEATS = ("Red", "Blue")
OTHER = {"Red": "Blue", "Blue": "Red"}
HALF = "(?:blank|one|two|three|four|five|six)"
PLAYED = re.compile(rf"(Red|Blue) (?:double|{HALF}) {HALF}(?: (\d+))?")
TILES = [(high, low) for high in range(7) for low in range(high + 1)]


# ---------------------------------------------------------------- what is spoken


def test_a_game_can_be_set_up_by_ear(tmp_path: Path) -> None:
    with closing(Listener(tmp_path)) as table:
        assert table.ears.log[0].startswith("which game? 1 high five, 2 five up")
        assert table.press("1")[0].startswith("how many players? 2 players")
        assert table.press("2")[0].startswith("who plays? 1 red blue, 2 by names")
        assert "turns go clockwise: red, blue." in table.press("1")[0]
        said = table.press("OK")
        assert said[:3] == ["The game is High Five", "Red 0 Blue 0", "Deal the first hand"]
        assert table.press("OK")[-1].startswith("6-6? who holds the big 6?")


def test_digits_plays_and_refusals_are_spoken(tmp_path: Path) -> None:
    with closing(Listener(tmp_path)) as table:
        table.press(PLAY)
        assert table.press("6")[0] == "6"
        assert table.press("1") == ["1", "blue 13, open 1 6 6 count"]
        assert table.press("2") == ["OK first: 6-1 is keyed."]
        assert table.press("OK") == ["Blue six one 13"]
        assert table.press("9") == ["Half a tile has 0 to 6 pips."]
        assert table.press("OK") == ["Key both halves, then OK."]
        assert table.press("UP") and table.press("BACK")
        table.press("6 6")
        assert table.press("OK")[0].startswith("6-6 is already on the table: red laid it")
        assert table.press("OK BACK BACK PASS")[-1].startswith("red passes? 14 left to draw")
        assert table.press("3")[0] == "3"
        assert table.press("BACK MENU BACK DRAW") != []


def test_the_voice_names_a_key_that_does_nothing(tmp_path: Path) -> None:
    with closing(Listener(tmp_path)) as table:
        table.press(PLAY + " MENU MENU")
        assert table.press("MENU") == ["Here MENU does nothing"]


def test_with_the_voice_a_dark_display_swallows_no_key(tmp_path: Path) -> None:
    with closing(Listener(tmp_path, rest=RestTimes())) as table:
        table.press(PLAY)
        table.rig.wait(700)
        assert table.rig.looks[-1].contrast == 0
        assert table.press("6") == ["6"]


def test_every_screen_is_read_out_on_demand(tmp_path: Path) -> None:
    with closing(Listener(tmp_path)) as table:
        opened = table.press(PLAY + " MENU")[-1]
        assert opened.startswith("high five, 1 undo red 6-6, 2 history: look, change")
        assert table.press("DRAW") == ["2 history: look, change"]
        assert table.press("BOGUS") == [opened]
        history = table.press("OK")
        assert table.press("BOGUS") == history[-1:]
        table.press("BACK BACK MENU MENU")
        assert table.press("OK")[0].startswith("blue 12, to win 150, open 6 6 count")
        note = table.press("BOGUS")
        assert note[0].startswith("nobody has drawn or passed")
        assert table.press("BOGUS") == note


@pytest.mark.parametrize("level", ["counts", "everything"])
def test_the_voice_reads_out_what_keys_request(tmp_path: Path, level: str) -> None:
    with closing(Listener(tmp_path, level)) as table:
        table.press(PLAY + " 6 1 OK")
        entries = table.rig.entries
        for key, answer in {
            "7": "left 1 right 6 count 13", "8": "Red 0 Blue 0", "9": "Blue lays six one",
            "DRAW": "Blue lays six one", "PASS": "Red's turn",
            "6": "2 tiles with 6 are on the table", "1": "1 tile with 1 is on the table",
            "5": "No tile with 5 is on the table",
        }.items():  # fmt: skip
            assert table.press(f"MENU MENU {key}")[-1] == answer, key
        assert table.rig.entries == entries
        said = "Red five one 17" if level == "everything" else "count 17"
        assert table.press("MENU MENU BACK 1 5 OK")[-1] == said


def test_without_the_voice_menu_and_bogus_act_as_usual_in_lists(tmp_path: Path) -> None:
    with closing(Listener(tmp_path, "off")) as table:
        assert table.press(PLAY + " MENU MENU BOGUS") == []
        assert not isinstance(table.rig.table.box.console.screen, AskVoice)


# ---------------------------------------------------------------- a hand by ears


class ListeningPlayers:
    """Two players who only listen, and know their tiles by touch."""

    def __init__(self, table: Listener, random: Random) -> None:
        self.table, self.random = table, random
        tiles = random.sample(TILES, len(TILES))
        self.hands = {"Red": tiles[:7], "Blue": tiles[7:14]}
        self.left = tiles[14:]
        self.scores = dict.fromkeys(SEATS, 0)
        self.play = ("", 0)
        """Who has played, and for what count."""

    def press(self, keys: str) -> str:
        """Presses keys, and checks the scores that were heard. Returns the last line heard or, if
        it was not said because it follows, whose turn it is."""
        heard = self.table.press(keys)
        for line in heard:
            if found := PLAYED.fullmatch(line):
                self.play = found[1], int(found[2] or 0)
            elif re.fullmatch(r"\w+ pays", line):
                seat, count = self.play
                self.scores[seat] += count
            elif found := re.fullmatch(r"(\w+) pays (\w+) (\d+)", line):
                payer, to, points = found.groups()
                assert payer in SEATS
                self.scores[to] += int(points)
            elif found := re.fullmatch(r"Red (-?\d+) Blue (-?\d+)", line):
                self.scores = {"Red": int(found[1]), "Blue": int(found[2])}
        journal = self.table.rig.snapshots[-1].journal
        assert journal is not None
        assert self.scores == {str(seat): n for seat, n in journal.state.scores.items()}
        last = heard[-1] if heard else ""
        if found := re.fullmatch(r"(\w+) draws", last):
            return f"{found[1]}'s turn"
        if found := PLAYED.fullmatch(last) or re.fullmatch(r"(\w+) passes", last):
            return f"{OTHER[found[1]]}'s turn"
        return f"{OTHER[self.play[0]]}'s turn" if re.fullmatch(r"\w+ pays", last) else last

    def lead(self, asked: str) -> str:
        """Leads the highest double that a seat holds."""
        while found := re.match(r"(\d)-\1\?", asked):
            double = int(found[1]), int(found[1])
            for number, seat in enumerate(SEATS, 1):
                if double in self.hands[seat]:
                    self.hands[seat].remove(double)
                    return self.press(str(number))
            asked = self.press("PASS")
        return asked

    def turn(self, seat: str) -> str:
        """Plays a tile that fits an end named by the voice, or else draws or passes."""
        ends = {
            int(pips)
            for pips in re.findall(r"(?:left|right|up|down) (\d)", self.press("MENU MENU 7"))
        }
        fitting = [tile for tile in self.hands[seat] if ends & {*tile} or not ends]
        if fitting:
            tile = self.random.choice(fitting)
            self.hands[seat].remove(tile)
            heard = self.press(f"{tile[0]} {tile[1]} OK")
            return self.press("1") if "which" in heard else heard
        if len(self.left) > 2:
            self.hands[seat].append(self.left.pop())
            return self.press("DRAW")
        return self.press("PASS OK")

    def settle(self, heard: str) -> str:
        """Keys the remaining tiles at a hand's end, as the voice requests them."""
        while "out?" in heard or re.search("what does .* hold", heard, re.IGNORECASE):
            if "out?" in heard:
                heard = self.press("OK")
            else:
                seat = heard.split()[2].capitalize()
                tiles = " ".join(f"{high} {low}" for high, low in self.hands[seat])
                heard = self.press(f"{tiles} OK")
        return heard

    def deal(self) -> str:
        """Deals the next hand: both seats get new tiles."""
        tiles = self.random.sample(TILES, len(TILES))
        self.hands, self.left = {"Red": tiles[:7], "Blue": tiles[7:14]}, tiles[14:]
        return self.press("OK")


def test_a_whole_game_can_be_played_by_ear(
    tmp_path: Path,
) -> None:
    with closing(Listener(tmp_path)) as table:
        blind, hands = ListeningPlayers(table, Random(6)), 0
        heard = blind.press("1 2 1 OK")
        while "won" not in " ".join(table.ears.log[-3:]):
            assert (hands := hands + 1) < 40
            heard = blind.lead(blind.deal())
            while found := re.fullmatch(r"(\w+)('s turn| leads)", heard):
                heard = blind.turn(found[1])
            heard = blind.settle(heard)
        assert hands > 3 and table.press("OK")[-1].startswith("blue wins")
