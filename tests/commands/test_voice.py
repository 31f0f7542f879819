"""`companion voice list`: what to record, and clips that Piper makes."""

import sys
from pathlib import Path

import pytest

from companion.core.languages import OWN_NAMES
from companion.devices import voice as box_voice
from companion.devices.voice import Clip, Clips, file_of, wav_bytes
from companion.presentation.language import ENGLISH
from companion.presentation.sayings import words_of
from companion.presentation.spoken_pieces import pieces_of
from tests.catalogues import renew_catalogues, translated
from tests.commands.running import Run

PIPER = """#!{python}
import pathlib, sys, time, wave
words = sys.argv[1:]
folder = pathlib.Path(words[words.index("-d") + 1])
(pathlib.Path(__file__).parent / "words").write_text(" ".join(words))
for number, line in enumerate(sys.stdin):
    if line.strip() == {fails!r}:
        sys.exit("Unable to find voice: " + words[1])
    with wave.open(str(folder / f"{{99_990 + number}}.wav"), "wb") as made:
        made.setparams((1, 2, 22050, 0, "NONE", ""))
        silence = bytes(22050)
        made.writeframes(silence + line.encode()[:1].ljust(2, b"\\x7f") * 2000 + silence)
"""


def with_piper(folder: Path, monkeypatch: pytest.MonkeyPatch, fails: str = "") -> None:
    """Puts a stand-in for Piper into the PATH: it makes clips that sound like the first letters of
    the lines. `fails`: the line at which it gives up."""
    file = folder / "bin" / "piper"
    file.parent.mkdir()
    file.write_text(PIPER.format(python=sys.executable, fails=fails))
    file.chmod(0o755)
    monkeypatch.setenv("PATH", str(file.parent), prepend=":")


@pytest.mark.parametrize("name", OWN_NAMES)
def test_every_clip_for_speaking_about_a_play_is_listed(run: Run, name: str) -> None:
    renew_catalogues()
    status, out, _ = run("voice", "list", name, "Ada")
    listed = dict(line.split(": ", 1) for line in out.splitlines())
    language = ENGLISH if name == ENGLISH.name else translated(name)
    play = words_of("voice.lays-count", seat="Ada", tile="5-0", count=10)
    said = [play, words_of("voice.pays", payer="Red"), words_of("asks.turn", seat="Ada")]
    files = {f"{name}/{file_of(piece)}" for one in said for piece in pieces_of(one, language)}
    assert status == 0 and files <= {*listed}
    assert listed[f"{name}/ada.wav"] == "Ada"


def test_piper_generates_the_clips_that_are_not_recorded(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_piper(tmp_path, monkeypatch)
    mine, recorded = Clip(8000, bytes(1600)), tmp_path / "recorded"
    (recorded / "en").mkdir(parents=True)
    (recorded / "en" / "15.wav").write_bytes(wav_bytes(mine))
    words = ("voice", "list", "en", "--piper", "joe.onnx", "--into", str(recorded))
    status, out, err = run(*words)
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == len([*(recorded / "en").iterdir()])
    assert "-m joe.onnx" in (tmp_path / "bin" / "words").read_text()
    clips = Clips("en", tmp_path / "made", recorded, program="no-espeak")
    assert clips.clip("15") == mine
    pays = clips.clip("pays")
    assert pays.rate == 22050 and 4000 < len(pays.samples) < 8000
    assert b"p\x7f" in pays.samples and b"s\x7f" in clips.clip("six").samples


def test_piper_needs_a_folder_given_or_configured(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, err = run("voice", "list", "en", "--piper", "joe.onnx")
    assert status == 2 and "--into, or [voice] clips" in err


def test_a_failure_of_piper_is_reported_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("voice", "list", "en", "--piper", "joe.onnx", "--into", str(tmp_path / "recorded"))
    monkeypatch.setattr(box_voice, "PIPER", "no-such-piper")
    status, _, err = run(*words)
    assert status == 2 and err == "no-such-piper is missing: pip install piper-tts\n"
    monkeypatch.undo()
    with_piper(tmp_path, monkeypatch, fails="pays")
    status, _, err = run(*words)
    assert status == 2 and err == "piper fails (Unable to find voice: joe.onnx)\n"
    assert not (tmp_path / "recorded").exists()
