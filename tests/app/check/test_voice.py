"""`companion check --only voice`: the sound card is found and tried, each fault in one line."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from companion.app.check.bench import Finding, Grade
from companion.core.languages import LANGUAGE
from companion.devices.voice import Clip, MissingClipError, SoundCard, VoiceError
from companion.record.rows import Setting
from companion.record.store.store import Store
from tests.app.check.person import Desk

CARDS = """ 0 [vc4hdmi        ]: vc4-hdmi - vc4-hdmi
                      vc4-hdmi
 1 [Device         ]: USB-Audio - USB Audio Device
                      C-Media at usb-0000
"""
NAMED = "vc4hdmi (vc4-hdmi), Device (USB Audio Device)"


@dataclass
class Card(SoundCard):
    """A sound card that plays, or raises the error `wrong`."""

    device: str
    wrong: str = ""

    def play(self, clips: Sequence[Clip]) -> None:
        assert clips
        if self.wrong:
            raise VoiceError(self.wrong)


def speaks(text: str, language: str) -> Clip:
    assert (text, language) == ("cuenta 15", "es")
    return Clip(11025, b"12")


def mute(_text: str, _language: str) -> Clip:
    raise MissingClipError("espeak-ng is missing: sudo apt install espeak-ng")


def found(
    folder: Path,
    *,
    cards: str = CARDS,
    speak: Callable[[str, str], Clip] = speaks,
    wrong: str = "",
    answer: str | None = None,
) -> Finding:
    desk = Desk(folder, settings='[box]\nlanguage = "es"', asks=answer is not None)
    desk.write("proc/asound/cards", cards)
    desk.ask = lambda question: answer or ""  # type: ignore[method-assign]
    machine = replace(desk.machine, speak=speak, sound_card=lambda device: Card(device, wrong))
    (one,) = desk.find_on(machine, "voice")
    return one


def test_a_sound_card_that_is_heard_is_ok(tmp_path: Path) -> None:
    one = found(tmp_path, answer="")
    assert (one.result, one.found) == (Grade.OK, f"{NAMED}: “default” is heard")


def test_without_a_terminal_the_voice_is_only_played(tmp_path: Path) -> None:
    one = found(tmp_path)
    assert one.result is Grade.OK and "nobody was asked" in one.found


def test_a_sound_card_that_is_not_heard_is_a_warning(tmp_path: Path) -> None:
    one = found(tmp_path, answer="n")
    assert one.result is Grade.WARNING and one.remedy.startswith("alsamixer")


def test_a_dead_sound_card_is_reported_in_one_line(tmp_path: Path) -> None:
    why = "the sound card “default” plays nothing (audio open error)"
    one = found(tmp_path, wrong=why)
    assert (one.result, one.found) == (Grade.WARNING, f"{NAMED}: {why}")
    assert one.remedy.startswith("aplay -L names the cards")


def test_without_espeak_the_check_reports_what_to_install(tmp_path: Path) -> None:
    one = found(tmp_path, speak=mute)
    assert one.found.endswith("espeak-ng is missing: sudo apt install espeak-ng")
    assert one.remedy == "until then the box plays without a voice"


@pytest.mark.parametrize("chosen", ["de", None])
def test_the_voice_check_uses_the_tables_language(tmp_path: Path, chosen: str | None) -> None:
    said: list[tuple[str, str]] = []

    def heard(text: str, language: str) -> Clip:
        said.append((text, language))
        return Clip(11025, b"12")

    with Store.open(tmp_path / "record.db", {}) as store:
        if chosen:
            store.keep(0, Setting(LANGUAGE, chosen))
    found(tmp_path, speak=heard)
    assert said == [("Summe 15", "de") if chosen else ("cuenta 15", "es")]


def test_the_configured_language_is_used_if_the_record_is_unreadable(
    tmp_path: Path,
) -> None:
    (tmp_path / "record.db").write_bytes(b"no record at all, but as long as one " * 99)
    assert found(tmp_path, answer="").result is Grade.OK


@pytest.mark.parametrize("cards", ["", "--- no soundcards ---"])
def test_a_box_without_voice_needs_no_sound_card(tmp_path: Path, cards: str) -> None:
    assert found(tmp_path, cards=cards).found == "no sound card is there, and none is needed"
