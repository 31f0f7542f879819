"""The box speaks the events at a table through its sound card, without delaying anything else."""

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion.app.background import BoxVoice, clips_of
from companion.app.catalog import CATALOG
from companion.app.config import VoiceOfBox
from companion.app.speaking import Speaking
from companion.console.sounds import ShownPicture
from companion.core.keys import Key
from companion.core.languages import OWN_NAMES
from companion.devices.gpio.debounce import Edge
from companion.devices.voice import Clip, Clips, SoundCard, VoiceError, wav_bytes
from companion.presentation.language import ENGLISH, Language
from companion.presentation.spoken_pieces import pieces_of
from companion.record.rows import Setting
from tests.catalogues import renew_catalogues, translated
from tests.devices.test_voice import FAKE, program
from tests.rig import Rig
from tests.table.test_keys import PLAY
from tests.voice_seconds import seconds_by_kind
from tests.waiting import WAIT_S, wait_until


class Ears(SoundCard):
    """A sound card that records what is played. `wrong`: the error that it raises instead; unless
    `free` is set, it goes on playing."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[list[Clip]] = []
        self.at: list[float] = []
        self.wrong = ""
        self.free = threading.Event()
        self.free.set()
        self.stops = 0

    def play(self, clips: Sequence[Clip]) -> None:
        if self.wrong:
            raise VoiceError(self.wrong)
        self.at.append(time.monotonic())
        self.heard.append([clip for clip in clips if any(clip.samples)])
        self.free.wait(WAIT_S)

    def until_played(self, number: int) -> None:
        """Waits until something was played that many times."""
        wait_until(lambda: len(self.heard) == number)

    def close(self) -> None:
        self.stops += 1


class Table:
    """A rig whose snapshots a voice speaks."""

    def __init__(self, folder: Path) -> None:
        self.pictures = list[ShownPicture]()
        self.rig = Rig(folder / "r.db", hear=self.pictures.append)
        self.card, self.lines = Ears(), list[str]()
        self.clips = Clips("en", folder / "voice")
        self.made = folder / "voice"
        self.speaking = Speaking(
            CATALOG, self.card, lambda name: Clips(name, self.made), report=self.lines.append
        )
        self.speaking.start()
        self.told = 0

    def set(self, name: str, value: str) -> None:
        self.rig.table._state.keep(Setting(name, value), None)
        self.rig.table.show()
        self.tell()

    def press(self, keys: str) -> None:
        self.rig.press(keys)
        self.tell()

    def tell(self) -> None:
        self.speaking.tell(self.rig.snapshots[-1])

    def hears(self, *words: str, language: Language = ENGLISH) -> None:
        """Waits until these words are the last ones that were played."""
        clips = Clips(language.name, self.made)
        wanted = [clips.clip(piece) for one in words for piece in pieces_of(one, language)]
        wait_until(lambda: bool(self.card.heard) and self.card.heard[-1] == wanted)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    with table.rig:
        yield table
        table.card.free.set()
        table.speaking.close()


def test_the_voice_speaks_the_state_first_and_then_the_news(table: Table) -> None:
    table.press(PLAY)
    assert table.card.heard == []
    table.set("voice", "everything")
    wait_until(lambda: len(table.card.heard) == 1)
    entries = table.rig.entries
    table.press("6 1 OK")
    assert len(table.rig.entries) == len(entries) + 1
    wait_until(lambda: len(table.card.heard) == 2)
    clips = table.clips
    lays = [clips.clip(one) for one in ("Blue", "six", "one", "13")]
    assert table.card.heard[-1] == lays


def test_events_during_speech_are_spoken_right_afterwards(table: Table) -> None:
    table.press(PLAY)
    table.set("voice", "everything")
    wait_until(lambda: len(table.card.heard) == 1)
    table.card.free.clear()
    table.press("6 1 OK")
    wait_until(lambda: len(table.card.heard) == 2)
    table.press("DRAW")
    table.press("BACK BACK")
    table.press("DRAW")
    table.card.free.set()
    wait_until(lambda: len(table.card.heard) >= 3)
    draws = table.clips.clip("draws")
    wait_until(lambda: any(draws in one for one in table.card.heard[2:]))


def test_a_key_stops_all_speech_except_about_its_own_entry(table: Table) -> None:
    table.press(PLAY)
    table.set("voice", "everything")
    wait_until(lambda: len(table.card.heard) == 1)
    table.card.free.clear()
    table.press("6 1 OK")
    wait_until(lambda: len(table.card.heard) == 2)
    own = table.pictures[-1]
    assert own.kept and own.keys
    table.speaking.hear(own)
    assert table.card.stops == 0
    table.rig.press("5")
    table.speaking.hear(table.pictures[-1])
    assert table.card.stops == 1
    table.press("1 OK")
    table.speaking.hear(table.pictures[-1])
    assert table.card.stops == 2


def test_the_voice_uses_the_tables_language(table: Table) -> None:
    renew_catalogues()
    table.press(PLAY)
    table.set("language", "es")
    table.set("voice", "everything")
    wait_until(lambda: len(table.card.heard) == 1)
    spanish = Clips("es", table.made)
    first = pieces_of("High Five", translated("es"))
    assert spanish.clip("Se juega a") in table.card.heard[0]
    assert all(spanish.clip(one) in table.card.heard[0] for one in first)


def test_a_dead_sound_card_is_reported_once_and_the_table_goes_on(table: Table) -> None:
    table.press(PLAY)
    table.card.wrong = "the sound card “default” plays nothing"
    table.set("voice", "everything")
    wait_until(lambda: len(table.lines) == 1)
    table.press("6 1 OK")
    table.press("DRAW")
    assert table.rig.entries[-1].endswith("draw")
    table.card.wrong = ""
    table.set("voice", "off")
    wait_until(lambda: table.speaking._newest is None)
    table.set("voice", "counts")
    wait_until(lambda: len(table.card.heard) == 1)
    assert table.lines == [
        "The box is silent: the sound card “default” plays nothing. The table goes on without its "
        "voice."
    ]


class SlowlyMade(Clips):
    """Clips that take until `free` is set if they are made beforehand."""

    def __init__(self, made: Path) -> None:
        super().__init__("en", made)
        self.began, self.free = threading.Event(), threading.Event()

    def prepare(self, piece: str) -> None:
        self.began.set()
        self.free.wait(WAIT_S)


def test_news_does_not_wait_for_clips_being_made_in_advance(tmp_path: Path) -> None:
    clips, card = SlowlyMade(tmp_path), Ears()
    speaking = Speaking(CATALOG, card, lambda _: clips, report=print)
    speaking.start()
    with Rig(tmp_path / "r.db").press(PLAY) as rig:
        rig.table._state.keep(Setting("voice", "everything"), None)
        for keys, number in (("PASS", 1), ("6 1 OK", 2)):
            rig.press(keys)
            speaking.tell(rig.snapshots[-1])
            card.until_played(number)
            assert clips.began.wait(WAIT_S)
    assert not clips.free.is_set()
    clips.free.set()
    speaking.close()


def test_without_espeak_existing_clips_are_played(tmp_path: Path) -> None:
    made = tmp_path / "en"
    made.mkdir()
    for word in ("double_six", "12"):
        (made / f"{word}.wav").write_bytes(wav_bytes(Clip(8000, word.encode() * 500)))
    lines, card = list[str](), Ears()
    speaking = Speaking(
        CATALOG, card, lambda name: Clips(name, tmp_path, None, "no-espeak"), report=lines.append
    )
    with Rig(tmp_path / "r.db").press("1 2 1 OK OK") as rig:
        rig.table._state.keep(Setting("voice", "everything"), None)
        rig.press("1")
        speaking.start()
        for number, snapshot in enumerate(rig.snapshots[-2:], 1):
            speaking.tell(snapshot)
            card.until_played(number)
        speaking.close()
    assert [len(one.samples) for one in card.heard[-1]] == [5000, 1000]
    assert lines == [
        "The voice lacks words: no-espeak is missing: sudo apt install espeak-ng. The table goes "
        "on with those it has."
    ]


LONGEST_S = {
    ("counts", "a plain play"): 1.5,
    ("counts", "a play that somebody pays"): 1.5,
    ("counts", "a play that scores"): 1.5,
    ("counts", "a play that scores by fives and threes"): 1.5,
    ("everything", "a plain play"): 1.5,
    ("everything", "a draw"): 1.0,
    ("everything", "a play that somebody pays"): 2.5,
    ("everything", "a play that scores"): 2.5,
    ("everything", "a play that scores by fives and threes"): 2.5,
}
"""How many seconds the voice may speak of each kind of entry."""
LEEWAY_S = 0.05
"""Versions of espeak-ng speak a little differently."""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", OWN_NAMES)
def test_the_voice_is_brief(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.devices.voice.MAKE_WITHIN_S", WAIT_S)
    longest = {kind: max(seconds) for kind, seconds in seconds_by_kind(name).items()}
    assert longest.keys() == LONGEST_S.keys()
    too_long = {kind for kind, limit in LONGEST_S.items() if longest[kind] > limit + LEEWAY_S}
    assert not too_long, longest


def test_the_voice_is_not_loaded_until_it_is_switched_on(tmp_path: Path) -> None:
    voice = BoxVoice(CATALOG, VoiceOfBox(), lambda name: Clips(name, tmp_path), print)
    with Rig(tmp_path / "r.db").press(PLAY) as rig:
        for snapshot in rig.snapshots:
            voice.tell(snapshot)
        assert voice._speaking is None
    voice.close()


def test_a_box_plays_clips_with_aplay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bin_folder = tmp_path / "bin"
    monkeypatch.setenv("PATH", str(Path(program(bin_folder, FAKE)).parent), prepend=":")
    told = VoiceOfBox(device="hw:0")
    voice = BoxVoice(CATALOG, told, clips_of(told, tmp_path / "voice"), print)
    with Rig(tmp_path / "r.db").press(PLAY) as rig:
        rig.table._state.keep(Setting("voice", "everything"), None)
        rig.table.show()
        voice.tell(rig.snapshots[-1])
        wait_until(lambda: bool([*bin_folder.glob("*.played")]))
    voice.close()
    assert "-D hw:0" in (bin_folder / "0.words").read_text()


def test_clips_of_another_speed_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.devices.voice.MAKE_WITHIN_S", WAIT_S)
    made, mine = tmp_path / "voice", tmp_path / "mine"
    earlier = made / "speed-220" / "en"
    for folder in (made / "en", mine / "en", earlier):
        folder.mkdir(parents=True)
        (folder / "15.wav").write_bytes(wav_bytes(Clip(8000, bytes(1600))))
    assert not clips_of(VoiceOfBox(), made)("en").has("15")
    assert not (made / "en").exists() and not earlier.exists()
    for opened in (clips_of(VoiceOfBox(), made), clips_of(VoiceOfBox(clips=str(mine)), mine)):
        opened("en").prepare("16")
        assert opened("en").has("16")
    assert (mine / "en" / "15.wav").exists()


def test_holding_5_at_the_start_turns_the_voice_on(tmp_path: Path) -> None:
    with Rig(tmp_path / "r.db").press(PLAY) as rig:
        entries = rig.entries
        rig.table.events.put(Edge(Key.D5, True, rig.now, found=True))
        rig.wait(1)
        assert "voice" not in rig.snapshots[-1].settings
        rig.wait(1.5)
        assert rig.snapshots[-1].settings["voice"] == "everything"
        rig.table.events.put(Edge(Key.D5, False, rig.now))
        rig.wait(0.1)
        assert rig.entries == entries


def test_the_voice_is_chosen_in_the_sound_settings(tmp_path: Path) -> None:
    with Rig(tmp_path / "r.db").press(PLAY) as rig:
        rig.press("MENU 8 8 6")
        assert rig.snapshots[-1].settings["voice"] == "everything"
        rig.press("MENU 8 8 4")
        assert rig.snapshots[-1].settings["voice"] == "off"
