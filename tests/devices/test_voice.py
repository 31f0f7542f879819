"""The box's own voice: clips by the real espeak-ng, a folder of recorded clips, and a sound card on
which a stand-in for aplay plays."""

import stat
import sys
from pathlib import Path
from threading import Thread

import pytest

from companion.core.languages import OWN_NAMES
from companion.core.words import ordinal, phrase
from companion.devices.voice import (
    MAX_KEPT_BYTES,
    Clip,
    Clips,
    MissingClipError,
    SoundCard,
    VoiceError,
    file_of,
    read_clip,
    speak_with_espeak,
    wav_bytes,
)
from companion.presentation.language import ENGLISH
from companion.presentation.sayings import words_of
from companion.presentation.spoken_pieces import all_pieces, pieces_of, pieces_of_names
from tests.catalogues import translated
from tests.waiting import WAIT_S, wait_until

PAYS = words_of("pays", payer="Ana", to="Ben", points=15)
LARGEST = 6_000_000
"""The most bytes that the clips of a language may take on a box."""

FAKE = """#!{python}
import pathlib, sys
here = pathlib.Path(__file__).parent
number = len([*here.glob("*.played")])
(here / f"{{number}}.words").write_text(" ".join(sys.argv[1:]))
(here / f"{{number}}.played").write_bytes(sys.stdin.buffer.read())
"""
DEAD = """#!{python}
import sys
print("ALSA lib confmisc.c: cannot find card '0'", file=sys.stderr)
print("aplay: main:831: audio open error: No such file or directory", file=sys.stderr)
sys.exit(1)
"""


def program(folder: Path, text: str) -> str:
    """A program in that folder that stands in for aplay; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "aplay"
    file.write_text(text.format(python=sys.executable))
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


# ---------------------------------------------------------------- pieces


@pytest.fixture(autouse=True)
def time_to_speak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raises the time limit for making a clip, which has the lowest priority on a busy machine."""
    monkeypatch.setattr("companion.devices.voice.MAKE_WITHIN_S", WAIT_S)


def test_sentences_are_split_into_names_numbers_and_words() -> None:
    spanish = translated("es")
    assert pieces_of(PAYS, spanish) == ["Ana", "paga", "15", "a", "Ben"]
    assert pieces_of(words_of("entry.lays", seat="Ana", tile="6-3"), spanish) == [
        "Ana", "pone", "seis", "tres",
    ]  # fmt: skip
    assert pieces_of(words_of("voice.score", seat="Ana", score=-5), spanish) == ["Ana", "-5"]
    listed = words_of("voice.scores", scores=[words_of("heard.count", count=5), "Ben"])
    assert pieces_of(listed, spanish) == ["cuenta", "5", "Ben"]


def test_a_name_and_its_ending_are_one_piece() -> None:
    turn = words_of("asks.turn", seat="Blue")
    assert pieces_of(turn, ENGLISH) == ["Blue's", "turn"]
    assert pieces_of(turn, translated("es")) == ["Turno de", "Azul"]
    assert pieces_of(turn, translated("de")) == ["Blau", "ist dran"]
    assert pieces_of(words_of("asks.turn", seat="Player 2"), ENGLISH) == ["Player", "2's", "turn"]


@pytest.mark.parametrize(
    ("name", "second"),
    [
        *[("en", "second"), ("es", "segundo"), ("nl", "tweede")],
        *[("de", "zweiter"), ("fr", "deuxième"), ("pt-BR", "segunda")],
    ],
)
def test_an_ordinal_is_spoken_as_a_word(name: str, second: str) -> None:
    """Written as digits, “2.º”, “2.” and “2e” would be read as “two dot”, “two” and “two e”."""
    language = ENGLISH if name == "en" else translated(name)
    assert pieces_of(phrase("{which} draw", which=ordinal(2)), language)[0] == second
    assert second in all_pieces(language)
    assert pieces_of(ordinal(12), ENGLISH)[0] == "12"


def test_sentences_with_names_need_few_pieces() -> None:
    assert pieces_of_names(["Anna", "Ben"], ENGLISH) == ["Anna's", "turn", "Anna", "Ben's", "Ben"]
    assert pieces_of_names(["Anna"], translated("nl")) == ["Anna", "is aan de beurt"]


def test_names_of_clips_show_what_to_record() -> None:
    assert file_of("paga a") == "paga_a.wav"
    assert file_of("-5") == "-5.wav"
    assert file_of("¿Qué tiene?") == "qué_tiene.wav"
    assert "/" not in file_of("../../etc") and not file_of("../x").startswith(".")


# ---------------------------------------------------------------- clips


@pytest.mark.parametrize(
    "name",
    [
        name if name == "nl" else pytest.param(name, marks=pytest.mark.whole)
        for name in OWN_NAMES
        if name != "en"
    ],
)
def test_espeaks_clips_of_each_language_take_little_space(name: str, tmp_path: Path) -> None:
    pieces = all_pieces(translated(name))
    assert {"0", "15", "100"} <= {*pieces}
    clips = Clips(name, tmp_path)
    sizes = [len(wav_bytes(clips.clip(piece))) for piece in pieces]
    assert min(sizes) > 1000
    assert sum(sizes) < LARGEST
    assert len([*(tmp_path / name).iterdir()]) == len({file_of(piece) for piece in pieces})


def test_the_space_for_a_languages_clips_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All clips that are made beforehand take 3.4 to 4.3 MB a language (docs/tried.md)."""
    assert MAX_KEPT_BYTES == LARGEST
    monkeypatch.setattr("companion.devices.voice.MAX_KEPT_BYTES", 40_000)
    clips = Clips("en", tmp_path)
    for number in range(5):
        assert clips.clip(f"number {number}").seconds > 0.2
    kept = [one.stat().st_size for one in (tmp_path / "en").iterdir()]
    assert 1 <= len(kept) < 5 and sum(kept) <= 40_000


def test_a_clip_is_generated_only_once(tmp_path: Path) -> None:
    made = Clips("en", tmp_path).clip("fifteen")
    assert 0.2 < made.seconds < 2
    again = Clips("en", tmp_path, program="no-such-program")
    assert again.has("fifteen") and again.clip("fifteen") == made


def test_a_clip_generated_in_advance_is_available(tmp_path: Path) -> None:
    Clips("en", tmp_path).prepare("fifteen")
    again = Clips("en", tmp_path, program="no-such-program")
    again.prepare("fifteen")
    assert again.clip("fifteen").seconds > 0.2
    with pytest.raises(MissingClipError, match="is missing"):
        again.prepare("sixteen")


def test_recorded_clips_take_precedence_over_generated_ones(tmp_path: Path) -> None:
    mine = Clip(8000, bytes(1600))
    (tmp_path / "recorded" / "en").mkdir(parents=True)
    (tmp_path / "recorded" / "en" / "15.wav").write_bytes(wav_bytes(mine))
    (tmp_path / "recorded" / "en" / "16.wav").write_bytes(b"no clip")
    clips = Clips("en", tmp_path / "made", tmp_path / "recorded")
    assert clips.clip("15") == mine
    assert clips.clip("16").seconds > 0.2
    with pytest.raises(ValueError, match="one channel"):
        read_clip(wav_bytes(mine).replace(b"\x01\x00\x01\x00", b"\x01\x00\x02\x00"))


def test_without_espeak_a_line_reports_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(MissingClipError, match="is missing: sudo apt install espeak-ng"):
        Clips("en", tmp_path, program="no-such-program").clip("Anna")


def test_a_name_that_looks_like_an_option_is_spoken() -> None:
    assert speak_with_espeak("--help", "en").seconds > 0.2


# ---------------------------------------------------------------- the sound card


def test_consecutive_clips_with_one_sample_rate_share_a_player(tmp_path: Path) -> None:
    card = SoundCard("plughw:1,0", program(tmp_path, FAKE))
    card.play([Clip(8000, b"ab"), Clip(8000, b"cd"), Clip(11025, b"ef")])
    assert [(tmp_path / f"{number}.played").read_bytes() for number in (0, 1)] == [b"abcd", b"ef"]
    words = (tmp_path / "0.words").read_text()
    assert words == "-q -D plughw:1,0 -t raw -f S16_LE -c 1 -r 8000"


def test_a_dead_sound_card_is_reported_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match=r"“default” plays nothing .*No such file or directory"):
        SoundCard("", program(tmp_path, DEAD)).play([Clip(8000, b"ab")])
    with pytest.raises(VoiceError, match="is missing: sudo apt install alsa-utils"):
        SoundCard(program="no-such-program").play([Clip(8000, b"ab")])


def test_a_sentence_with_several_sample_rates_is_stopped_as_a_whole(tmp_path: Path) -> None:
    """Recorded clips may have another rate than those that the box makes."""
    begun = tmp_path / "begun"
    waits = f"#!/bin/sh\necho begun >> {begun}\nexec sleep 600\n"
    card = SoundCard("", program(tmp_path, waits))
    playing = Thread(target=card.play, args=([Clip(8000, b"ab"), Clip(11025, b"ef")],))
    playing.start()
    wait_until(begun.exists)
    card.close()
    playing.join(WAIT_S)
    assert not playing.is_alive() and begun.read_text() == "begun\n"


def test_playing_ends_with_an_error_if_the_sound_card_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.devices.voice.LATE_S", 0.2)
    hangs = "#!/bin/sh\nexec sleep 600\n"
    with pytest.raises(VoiceError, match="does not answer"):
        SoundCard("", program(tmp_path, hangs)).play([Clip(8000, b"ab")])
